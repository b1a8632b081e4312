"""What a game is: the values of which the catalogue is made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solvers.cards import MAX_RANKS, MAX_SUITS, Deck
from solvers.errors import InputError
from solvers.foundations import Foundations
from solvers.positions import MOST_COLUMNS
from solvers.wording import counted


class Family(StrEnum):
    """Games that share their layout and their code."""

    CLOCK = "clock"
    BAKERS_DOZEN = "bakers-dozen"


class Kings(StrEnum):
    """What is done with Kings before play."""

    SLIDE = "slide"
    """Each King goes under its column; all other cards, and the Kings among themselves, keep their order."""
    SWAP = "swap"
    """Each King, lowest first, changes places with the lowest card under it that is no King."""
    AS_DEALT = "as-dealt"
    """They stay where they fall."""


class Building(StrEnum):
    """Which card one rank higher a card of the tableau may go onto."""

    ANY_SUIT = "any-suit"
    RED_BLACK = "red-black"
    SAME_SUIT = "same-suit"


class Spaces(StrEnum):
    """What may go to a column that has run empty."""

    NEVER = "never"
    """Nothing: it stays empty."""
    KINGS = "kings"
    """A King, with its sequence where sequences move."""
    SINGLE_CARD = "single-card"
    """Any one card, but no sequence, though sequences move onto cards."""
    ANY = "any"
    """Any card, with its sequence where sequences move."""


class Groups(StrEnum):
    """How many cards move at a time."""

    ONE_CARD = "one-card"
    SEQUENCE = "sequence"
    """Any number of cards from the top of a column that lie on each other as the game builds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A game.

    Parameters
    ----------
    name : str
        Its name on the command line and in results.
    title : str
        Its name in print.
    family : Family
    sentence : str
        The rules in a sentence or two.
    source : str
        Where these rules are written down.
    columns : int
        Columns, or piles, that are dealt.
    column_cards : int
        Cards dealt to each. Cards are dealt one to each column in turn, bottom card first.
    kings : Kings or None
        What is done with Kings in our own deals; None: nothing can be.
    also_called : tuple of str
        Other names of the same game with the same rules.
    namesakes : tuple of (str, str)
        Games that share a name with this one or are taken for it: their names, and what they are instead.
    """

    name: str
    title: str
    family: Family
    sentence: str
    source: str
    columns: int = 13
    column_cards: int = 4
    kings: Kings | None = None
    also_called: tuple[str, ...] = ()
    namesakes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRules(Rules):
    """A game of the Clock family; `solvers.clock.policies` has what is left open in it.

    Parameters
    ----------
    removed : tuple of int
        Cards taken out of the deck before it is dealt, so that the last piles are a card short.
    """

    removed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableauRules(Rules):
    """A game of the Baker's Dozen family: all cards face up in columns, to be built up on foundations.

    What is not given is as in Baker's Dozen.

    Parameters
    ----------
    kings : Kings
        What is done with Kings in our own deals.
    numbered_kings : Kings
        What PySolFC does with them in its deals of that number: swap, or nothing.
    aces_out : int
        Aces that are on their foundations before the first card is dealt, from clubs on.
    building : Building
    spaces : Spaces
    groups : Groups
    foundations : Foundations
    worrying_back : bool
        Whether the top card of a foundation may come back to the tableau. The card with which a
        foundation of the dial begins may not.

    Raises
    ------
    InputError
        If the layout does not use up the deck, or these rules do not go together.
    """

    family: Family = Family.BAKERS_DOZEN
    kings: Kings = Kings.SLIDE
    numbered_kings: Kings = Kings.SWAP
    aces_out: int = 0
    building: Building = Building.ANY_SUIT
    spaces: Spaces = Spaces.NEVER
    groups: Groups = Groups.ONE_CARD
    foundations: Foundations = Foundations.IN_SUIT
    worrying_back: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.columns <= MOST_COLUMNS:
            raise InputError(f"a game has 1 to {MOST_COLUMNS} columns, not {self.columns}")
        if not 0 <= self.aces_out <= MAX_SUITS:
            raise InputError(f"0 to {MAX_SUITS} aces can be out before the deal, not {self.aces_out}")
        if self.foundations is Foundations.DIAL and self.aces_out:
            raise InputError("the dial begins with other cards than aces")
        dealt = self.columns * self.column_cards
        out = MAX_RANKS - 1 if self.foundations is Foundations.DIAL else self.aces_out
        if self.column_cards < 1 or dealt + out != Deck().size:
            raise InputError(
                f"{counted(self.columns, 'column')} of {self.column_cards}"
                f" and {counted(out, 'card')} on the foundations"
                f" are {counted(dealt + out, 'card')}, not {Deck().size}"
            )
        if self.numbered_kings is Kings.SLIDE:
            raise InputError("PySolFC has no deals in which Kings slide")
        if self.worrying_back and self.foundations in (Foundations.ALTERNATE_COLOURS, Foundations.ANY_SUIT):
            # Heights alone do not say which of several cards would come back.
            raise InputError("cards can come back only from foundations built in suit")

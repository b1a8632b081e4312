"""A position on the table, and a move: the values that every part of the package passes on.

A column is written bottom card first, top (playable) card last. Columns are numbered from 0 in
code and from 1 for people. ``foundations[s]`` is the rank of the top card of suit ``s``'s
foundation, 0 while it is empty::

    Position(columns=((48, 3), (7,)), foundations=(12, 13, 13, 0))

has a king of clubs with an ace of spades on it in the first column.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from solvers.cards import Deck, card_code, format_card
from solvers.errors import InputError

FOUNDATION = -1
"""Target of a move that goes to a foundation."""


class Move(NamedTuple):
    """One move: `card` leaves the top of column `source` for column `target` (or FOUNDATION).

    When a sequence moves as one, `card` is its bottom card and `count` the number of cards.
    """

    card: int
    source: int
    target: int
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which no move needs

    def __str__(self) -> str:
        where = "foundation" if self.target == FOUNDATION else f"column {self.target + 1}"
        cards = format_card(self.card) + (f" and {self.count - 1} more" if self.count > 1 else "")
        return f"{cards} from column {self.source + 1} to {where}"


@dataclass(frozen=True, slots=True)
class Position:
    """Columns and foundations; what is on neither does not exist.

    Parameters
    ----------
    columns : tuple of tuple of int
        Card codes of each column, bottom first.
    foundations : tuple of int
        Height of each suit's foundation, one entry a suit of the deck.
    deck : Deck
        The whole deck.
    """

    columns: tuple[tuple[int, ...], ...]
    foundations: tuple[int, ...] = (0, 0, 0, 0)
    deck: Deck = field(default_factory=Deck)

    def check(self) -> None:
        """Raise InputError unless every card of the deck is in exactly one place.

        The message names the card and, for a card of the tableau, its column.
        """
        where: dict[int, str] = {}
        if len(self.foundations) != self.deck.suits:
            raise InputError(f"{len(self.foundations)} foundations, but the deck has {self.deck.suits} suits")
        for suit, height in enumerate(self.foundations):
            if not 0 <= height <= self.deck.ranks:
                raise InputError(f"foundation of {format_card(suit)[1]} cannot be {height} cards high")
            for rank in range(1, height + 1):
                where[card_code(rank, suit)] = "on its foundation"
        for number, column in enumerate(self.columns, start=1):
            for place, card in enumerate(column, start=1):
                here = f"in column {number}, card {place}"
                if card not in self.deck:
                    raise InputError(f"{format_card(card)} {here} is not in this deck")
                if card in where:
                    raise InputError(f"{format_card(card)} is {here} and also {where[card]}")
                where[card] = here
        missing = [card for card in self.deck.cards() if card not in where]
        if missing:
            names = " ".join(format_card(card) for card in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            found = len(where)
            raise InputError(f"{found} cards of {self.deck.size}: {names}{more} missing")

    @property
    def won(self) -> bool:
        """Whether every card is on its foundation."""
        return all(height == self.deck.ranks for height in self.foundations)

    def __str__(self) -> str:
        lines = []
        if any(self.foundations):
            tops = (
                f"{'CDHS'[suit]}-{format_card(card_code(height, suit))[0] if height else '0'}"
                for suit, height in enumerate(self.foundations)
            )
            lines.append("Foundations: " + " ".join(tops))
        lines += [" ".join(format_card(card) for card in column) or ":" for column in self.columns]
        return "\n".join(lines) + "\n"



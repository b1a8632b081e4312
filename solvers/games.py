"""The catalogue: every game that works today, as a value.

A game is data: its layout, what is done with Kings before play, its rules in a sentence and where
they are written down. Code that plays, solves or simulates looks here and nowhere else.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from solvers.errors import InputError, quote


class Family(StrEnum):
    """Games that share their layout and their code."""

    CLOCK = "clock"
    BAKERS_DOZEN = "bakers-dozen"


class Kings(StrEnum):
    """How Kings get to the bottom of their columns before play."""

    SLIDE = "slide"
    """Each King goes under its column; all other cards, and the Kings among themselves, keep their order."""
    SWAP = "swap"
    """Each King, lowest first, changes places with the lowest card under it that is no King."""


@dataclass(frozen=True, slots=True)
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
        What is done with Kings in our own deals; None: they stay where they fall.
    also_called : tuple of str
        Other names of the same game with the same rules, for the search.
    """

    name: str
    title: str
    family: Family
    sentence: str
    source: str
    columns: int
    column_cards: int
    kings: Kings | None
    also_called: tuple[str, ...] = ()


_CATALOGUE = (
    Rules(
        name="clock",
        title="Clock",
        family=Family.CLOCK,
        sentence=(
            "Thirteen face-down piles of four: the hours one to twelve, and the Kings' pile in the centre."
            " Turn the top card of the centre; put every turned card under the pile of its rank and turn"
            " that pile's top card. The fourth King ends the deal, won if no card is face down then."
        ),
        source="Wikipedia, 'Clock (card game)'; PySolFC, game 737 'Clock'",
        columns=13,
        column_cards=4,
        kings=None,
        also_called=(
            "Clock Patience",
            "Clock Solitaire",
            "Clocktime",
            "Four of a Kind",
            "Hidden Cards",
            "Klockan",
            "Relógio",
            "Travellers",
            "Zegar",
        ),
    ),
    Rules(
        name="bakers-dozen",
        title="Baker's Dozen",
        family=Family.BAKERS_DOZEN,
        sentence=(
            "Thirteen face-up columns of four, Kings moved to the bottom of theirs. Build down in rank"
            " regardless of suit, one top card at a time; an empty column stays empty. Foundations go up in"
            " suit from ace to King, and a card there stays there. Won when all 52 are up."
        ),
        source="Wikipedia, 'Baker's Dozen (solitaire)'; PySolFC, game 31 'Baker's Dozen'",
        columns=13,
        column_cards=4,
        kings=Kings.SLIDE,
    ),
)

GAMES: dict[str, Rules] = {game.name: game for game in _CATALOGUE}
"""Every game by name, in the order in which they are listed."""


def find_game(name: str) -> Rules:
    """Return the game of that name; capitals, blanks and apostrophes do not matter.

    Raises
    ------
    InputError
        If there is none, with the nearest name or, failing that, all names.
    """
    wanted = _plain(name)
    names = {_plain(known): game for game in GAMES.values() for known in (game.name, game.title)}
    if wanted in names:
        return names[wanted]
    names |= {_plain(known): game for game in GAMES.values() for known in game.also_called}
    close = difflib.get_close_matches(wanted, names, n=1)
    hint = f"did you mean {names[close[0]].name}?" if close else f"there are {', '.join(GAMES)}"
    raise InputError(f"unknown game {quote(name)}; {hint}")


def search_games(words: str) -> list[Rules]:
    """Return the games in whose names or rules each of the words occurs, in the order of `GAMES`."""
    wanted = _plain(words).split("-")
    return [
        game
        for game in GAMES.values()
        if all(
            word in _plain(" ".join((game.name, game.title, game.sentence, *game.also_called)))
            for word in wanted
        )
    ]


def _plain(text: str) -> str:
    """Lower case without accents and apostrophes, words joined by hyphens."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"['’]", "", letters.casefold())).strip("-")

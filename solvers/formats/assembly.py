"""From cards as they were read, with their places, to a position that has been checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from solvers.cards import MAX_RANKS, SUIT_LETTERS, Deck, format_card, rank_of, suit_of
from solvers.errors import InputError
from solvers.positions import Position, place_in_column


@dataclass
class Foundations:
    """The foundations named in the input: suit and height."""

    heights: dict[int, int] = field(default_factory=dict)

    def add(self, suit: int, height: int) -> None:
        """Note a foundation; naming one twice or a height beyond a suit raises InputError."""
        if suit in self.heights:
            raise InputError(f"the foundation of {SUIT_LETTERS[suit]} is given twice")
        if not 0 <= height <= MAX_RANKS:
            raise InputError(f"the foundation of {SUIT_LETTERS[suit]} cannot be {height} cards high")
        self.heights[suit] = height


def smallest_deck(columns: list[list[int]], foundations: Foundations) -> Deck:
    """Return the smallest deck that has every card and every foundation named.

    Raises
    ------
    InputError
        If there is none, for want of any card.
    """
    cards = [card for column in columns for card in column]
    heights = foundations.heights
    ranks = max([*map(rank_of, cards), *heights.values()], default=0)
    suits = max([*map(suit_of, cards), *heights], default=-1) + 1
    if ranks == 0:
        raise InputError("no cards: a position was expected")
    return Deck(ranks, suits)


def assemble(
    columns: list[list[int]],
    foundations: Foundations,
    deck: Deck | None,
    place: Callable[[int, int], str] = place_in_column,
) -> Position:
    """Make a position of what was read, and check it card by card.

    Parameters
    ----------
    columns : list of list of int
        Card codes, bottom first.
    foundations : Foundations
    deck : Deck or None
        None: `smallest_deck`.
    place : callable
        Names the place of a card; see `Position.check`.

    Raises
    ------
    InputError
        If a card is missing, doubled or not in the deck.
    """
    deck = deck or smallest_deck(columns, foundations)
    for suit, height in foundations.heights.items():
        if suit >= deck.suits and height:
            raise InputError(f"{format_card(suit)[1]} has a foundation, but the deck has {deck.suits} suits")
    heights = tuple(foundations.heights.get(suit, 0) for suit in range(deck.suits))
    position = Position(tuple(map(tuple, columns)), heights, deck)
    position.check(place)
    return position

"""A position on the table, and a move: the values that every part of the package passes on.

A column is written bottom card first, top (playable) card last. Columns are numbered from 0 in
code and from 1 for people. ``foundations[s]`` is the rank of the top card of suit ``s``'s
foundation, 0 while it is empty::

    Position(columns=((48, 3), (7,)), foundations=(12, 13, 13, 0))

has a king of clubs with an ace of spades on it in the first column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from solvers.cards import SUIT_LETTERS, Deck, card_code, format_card, rank_of, suit_of
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


def place_in_column(column: int, index: int) -> str:
    """Name the place of a card, both numbered from 0 here and from 1 in the words."""
    return f"column {column + 1}, card {index + 1}"


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

    def check(self, place: Callable[[int, int], str] = place_in_column) -> None:
        """Raise InputError unless every card of the deck is in exactly one place.

        Parameters
        ----------
        place : callable
            Says where card `i` of column `c` (both from 0) stands. Whoever read the position from
            a file can name the line as well.

        Raises
        ------
        InputError
            Naming the card and, for a card of the tableau, its place.
        """
        if len(self.foundations) != self.deck.suits:
            raise InputError(f"{len(self.foundations)} foundations, but the deck has {self.deck.suits} suits")
        for suit, height in enumerate(self.foundations):
            if not 0 <= height <= self.deck.ranks:
                raise InputError(
                    f"the foundation of {SUIT_LETTERS[suit]} is {height} cards high,"
                    f" but a suit of this deck has {self.deck.ranks}"
                )
        found: dict[int, tuple[int, int]] = {}
        for column, cards in enumerate(self.columns):
            for index, card in enumerate(cards):
                if card not in self.deck:
                    name = format_card(card) if card in Deck() else f"card code {card}"
                    raise InputError(f"{place(column, index)}: {name} is not in this deck")
                if card in found:
                    first = place(*found[card])
                    raise InputError(f"{place(column, index)}: {format_card(card)} is also in {first}")
                if rank_of(card) <= self.foundations[suit_of(card)]:
                    raise InputError(
                        f"{place(column, index)}: {format_card(card)} is also on its foundation,"
                        f" which is {self.foundations[suit_of(card)]} high"
                    )
                found[card] = (column, index)
        missing = [
            card
            for card in self.deck.cards()
            if card not in found and rank_of(card) > self.foundations[suit_of(card)]
        ]
        if missing:
            names = ", ".join(format_card(card) for card in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            verb = "is" if len(missing) == 1 else "are"
            counts = f"{self.deck.size - len(missing)} cards of {self.deck.size}"
            raise InputError(f"{counts}: {names}{more} {verb} missing{self._short_column(place)}")

    def _short_column(self, place: Callable[[int, int], str]) -> str:
        """Where a missing card probably belongs: the one column that is shorter than all others."""
        lengths = [len(cards) for cards in self.columns]
        usual = max(lengths, default=0)
        short = [column for column, length in enumerate(lengths) if length < usual]
        if len(short) != 1 or len(lengths) < 3 or lengths[short[0]] == 0:
            return ""
        length = lengths[short[0]]
        return f" ({place(short[0], length - 1)} is the last of its column, the others have {usual})"

    @property
    def won(self) -> bool:
        """Whether every card is on its foundation."""
        return all(height == self.deck.ranks for height in self.foundations)

    def __str__(self) -> str:
        lines = []
        if any(self.foundations):
            tops = (
                f"{SUIT_LETTERS[suit]}-{format_card(card_code(height, suit))[0] if height else '0'}"
                for suit, height in enumerate(self.foundations)
            )
            lines.append("Foundations: " + " ".join(tops))
        lines += [" ".join(format_card(card) for card in column) or ":" for column in self.columns]
        return "\n".join(lines) + "\n"

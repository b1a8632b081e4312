"""A position on the table, and a move: the values that every part of the package passes on.

A column is written bottom card first, top (playable) card last. Columns are numbered from 0 in
code and from 1 for people. ``foundations[i]`` is the number of cards on foundation ``i``; in most
games that is the one of suit ``i`` (`solvers.foundations`)::

    Position(columns=((48, 3), (7,)), foundations=(12, 13, 13, 0))

has a king of clubs with an ace of spades on it in the first column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from solvers.cards import Deck, format_card, rank_of
from solvers.errors import InputError
from solvers.foundations import (
    Foundations,
    cards_in_order,
    first_heights,
    foundation_name,
    kinds_of_cards,
)
from solvers.wording import counted

MOST_COLUMNS = 13
"""Columns of the widest game."""

FOUNDATION = -1
"""Target of a move that goes to a foundation, or source of one that comes back from there."""


class Move(NamedTuple):
    """One move: `card` leaves the top of column `source` for column `target`; either may be FOUNDATION.

    When a sequence moves as one, `card` is its bottom card and `count` the number of cards.
    """

    card: int
    source: int
    target: int
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which no move needs

    def __str__(self) -> str:
        places = (
            "foundation" if place == FOUNDATION else f"column {place + 1}"
            for place in (self.source, self.target)
        )
        cards = format_card(self.card) + (f" and {self.count - 1} more" if self.count > 1 else "")
        return f"{cards} from {' to '.join(places)}"


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
        Height of each foundation.
    deck : Deck
        The whole deck.
    foundation_rule : Foundations
        How the foundations are built, which says what lies on one of a given height.
    """

    columns: tuple[tuple[int, ...], ...]
    foundations: tuple[int, ...] = (0, 0, 0, 0)
    deck: Deck = field(default_factory=Deck)
    foundation_rule: Foundations = Foundations.IN_SUIT

    def check(self, place: Callable[[int, int], str] = place_in_column) -> None:
        """Raise InputError unless every card of the deck is in exactly one place.

        Where one of several cards may lie on a foundation, their number must be right.

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
        self._check_heights()
        kinds = kinds_of_cards(self.foundation_rule)
        # How many cards of each kind the columns have yet to show.
        wanted = Counter(kinds[card] for card in self.deck.cards())
        for index, height in enumerate(self.foundations):
            for card in cards_in_order(self.foundation_rule, index, self.deck)[:height]:
                wanted[kinds[card]] -= 1
        found: dict[int, tuple[int, int]] = {}
        for column, cards in enumerate(self.columns):
            for index, card in enumerate(cards):
                if card not in self.deck:
                    name = format_card(card) if card in Deck() else f"card code {card}"
                    raise InputError(f"{place(column, index)}: {name} is not in this deck")
                if card in found:
                    first = place(*found[card])
                    raise InputError(f"{place(column, index)}: {format_card(card)} is also in {first}")
                if wanted[kinds[card]] == 0:
                    raise InputError(f"{place(column, index)}: {self._why_not_in_a_column(card)}")
                wanted[kinds[card]] -= 1
                found[card] = (column, index)
        missing = wanted.total()
        if missing:
            names = self._names_of_missing(wanted, found)
            more = f" and {missing - 5} more" if missing > 5 else ""
            verb = "is" if missing == 1 else "are"
            counts = f"{counted(self.deck.size - missing, 'card')} of {self.deck.size}"
            hint = self._short_column(place)
            aces = [card for card in self.deck.cards() if rank_of(card) == 1 and card not in found]
            if aces and not hint and not any(self.foundations):
                hint = " (those that are up have to be named as foundations)"
            raise InputError(f"{counts}: {', '.join(names)}{more} {verb} missing{hint}")

    def _check_heights(self) -> None:
        least = first_heights(self.foundation_rule, self.deck)
        if len(self.foundations) != len(least):
            deck = f"the deck has {counted(self.deck.suits, 'suit')}"
            if self.foundation_rule is Foundations.DIAL:
                deck = f"the dial has {len(least)}"
            raise InputError(f"{counted(len(self.foundations), 'foundation')}, but {deck}")
        if self.foundation_rule is Foundations.ALTERNATE_COLOURS and self.deck.suits % 2:
            raise InputError("foundations in alternate colours need as many red suits as black ones")
        for index, height in enumerate(self.foundations):
            most = len(cards_in_order(self.foundation_rule, index, self.deck))
            if not least[index] <= height <= most:
                limits = f"a suit of this deck has {most}"
                if self.foundation_rule is Foundations.DIAL:
                    limits = f"it holds {least[index]} to {most}"
                name = foundation_name(self.foundation_rule, index)
                raise InputError(f"the foundation of {name} is {counted(height, 'card')} high, but {limits}")

    def _why_not_in_a_column(self, card: int) -> str:
        """What to say of a card that the foundations already have."""
        kinds = kinds_of_cards(self.foundation_rule)
        alike = [other for other in self.deck.cards() if kinds[other] == kinds[card]]
        held = [
            height
            for index, height in enumerate(self.foundations)
            for other in cards_in_order(self.foundation_rule, index, self.deck)[:height]
            if kinds[other] == kinds[card]
        ]
        if len(alike) == 1:
            return f"{format_card(card)} is also on its foundation, which is {held[0]} high"
        return f"{format_card(card)} is too many: {len(held)} of {_listed(alike)} must be on foundations"

    def _names_of_missing(self, wanted: Counter[int], found: dict[int, tuple[int, int]]) -> list[str]:
        """Names of the first five cards, or sets of cards, that are nowhere."""
        kinds = kinds_of_cards(self.foundation_rule)
        names: list[str] = []
        for kind in +wanted:
            nowhere = [card for card in self.deck.cards() if card not in found and kinds[card] == kind]
            if len(nowhere) == wanted[kind]:
                names += map(format_card, nowhere)
            else:
                names.append(f"{wanted[kind]} of {_listed(nowhere)}")
        return names[:5]

    def _short_column(self, place: Callable[[int, int], str]) -> str:
        """Where a missing card probably belongs: the one column that is shorter than all others."""
        lengths = [len(cards) for cards in self.columns]
        usual = max(lengths, default=0)
        short = [column for column, length in enumerate(lengths) if length < usual]
        if len(short) != 1 or len(lengths) < 3 or lengths[short[0]] == 0:
            return ""
        length = lengths[short[0]]
        return f" ({place(short[0], length - 1)} is the last of its column, the others have {usual})"

    def foundation_piles(self) -> tuple[tuple[int, ...], ...]:
        """Return the cards on each foundation, the first one first.

        Where a height does not say which cards went up, they are those that are in no column.
        """
        kinds = kinds_of_cards(self.foundation_rule)
        free = dict.fromkeys(self.deck.cards())
        for column in self.columns:
            for card in column:
                free.pop(card, None)
        piles = []
        for index, height in enumerate(self.foundations):
            pile = []
            for usual in cards_in_order(self.foundation_rule, index, self.deck)[:height]:
                # A position that was not checked may have no such card left.
                card = next((card for card in free if kinds[card] == kinds[usual]), usual)
                free.pop(card, None)
                pile.append(card)
            piles.append(tuple(pile))
        return tuple(piles)

    @property
    def won(self) -> bool:
        """Whether every card is on its foundation."""
        return sum(self.foundations) == self.deck.size

    def _repr_svg_(self) -> str:
        """Picture for Jupyter."""
        from solvers.view.svg import position_svg

        return position_svg(self)

    def __str__(self) -> str:
        lines = []
        if any(self.foundations):
            lines.append("Foundations: " + " ".join(map(self._top, range(len(self.foundations)))))
        lines += [" ".join(format_card(card) for card in column) or ":" for column in self.columns]
        return "\n".join(lines) + "\n"

    def _top(self, index: int) -> str:
        """Name a foundation and its height: ``H-6``, or in the dial the top card, which says both."""
        height = self.foundations[index]
        cards = cards_in_order(self.foundation_rule, index, self.deck)
        if self.foundation_rule is Foundations.DIAL:
            return format_card(cards[height - 1])
        rank = format_card(cards[height - 1])[0] if height else "0"
        return f"{foundation_name(self.foundation_rule, index)}-{rank}"


def _listed(cards: list[int]) -> str:
    return " ".join(map(format_card, cards))

"""From cards as they were read, with their places, to a position that has been checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from solvers.cards import MAX_RANKS, MAX_SUITS, Deck, format_card, rank_of, suit_of
from solvers.errors import InputError
from solvers.foundations import (
    Foundations,
    begins_dial,
    cards_in_order,
    first_heights,
    foundation_name,
    is_red,
)
from solvers.positions import Position, place_in_column
from solvers.wording import counted


@dataclass
class NamedFoundations:
    """What the input says of the foundations.

    Parameters
    ----------
    rule : Foundations
        How the game builds them.
    where : str
        Names the place in messages.
    heights : dict
        By the index of the foundation.
    tops : list of int
        Top cards of the dial. Only the deck tells their heights.
    cards : list of int
        Single cards that are on foundations; those of the dial, likewise, give the heights.
    """

    rule: Foundations
    where: str = "foundations"
    heights: dict[int, int] = field(default_factory=dict)
    tops: list[int] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)

    def add(self, index: int, height: int) -> None:
        """Note a foundation; naming one twice or a height beyond a suit raises InputError."""
        name = foundation_name(self.rule, index)
        if index in self.heights:
            raise InputError(f"the foundation of {name} is given twice")
        if not 0 <= height <= MAX_RANKS:
            raise InputError(f"the foundation of {name} cannot be {height} cards high")
        self.heights[index] = height

    def add_top(self, card: int) -> None:
        """Note a foundation by its top card, where that tells which one it is and how high."""
        if self.rule is Foundations.DIAL:
            self.tops.append(card)
        elif self.rule is Foundations.IN_SUIT or rank_of(card) == 1:
            self.add(suit_of(card), rank_of(card))
        else:
            raise InputError(
                f"{format_card(card)} may lie on several foundations; the suit of the ace and the height are"
                " wanted, as in C-4"
            )

    def add_cards(self, cards: list[int]) -> None:
        """Note all cards that are on foundations, each foundation in order; those built in suit may be mixed.

        Of a foundation built in suit the top card alone will do.
        """
        twice = next((card for card in cards if cards.count(card) > 1), None)
        if twice is not None:
            raise InputError(f"{format_card(twice)} is given twice")
        if self.rule is Foundations.DIAL:
            self.cards += cards
        elif self.rule is Foundations.IN_SUIT:
            for suit in range(MAX_SUITS):
                ranks = [rank_of(card) for card in cards if suit_of(card) == suit]
                if len(ranks) > 1 and ranks != list(range(1, len(ranks) + 1)):
                    names = " ".join(format_card(card) for card in cards if suit_of(card) == suit)
                    raise InputError(f"{names} is not a suit from the ace up")
                if ranks:
                    self.add(suit, ranks[-1])
        else:
            self.cards += cards
            starts = [place for place, card in enumerate(cards) if rank_of(card) == 1]
            for start, end in zip([0, *starts[1:]], [*starts[1:], len(cards)], strict=False):
                self._add_pile(cards[start:end])

    def _add_pile(self, pile: list[int]) -> None:
        """Note a foundation built in alternate colours or in any suit, all its cards."""
        turns = all(
            self.rule is Foundations.ANY_SUIT or is_red(card) != is_red(below)
            for below, card in pairwise(pile)
        )
        if pile and ([rank_of(card) for card in pile] != list(range(1, len(pile) + 1)) or not turns):
            names = " ".join(map(format_card, pile))
            raise InputError(f"{names} is not built {self.rule} from the ace up")
        if pile:
            self.add(suit_of(pile[0]), len(pile))

    def final_heights(self, deck: Deck) -> tuple[int, ...]:
        """Return the height of every foundation; what is not named is as at the start."""
        heights = list(first_heights(self.rule, deck))
        for index, height in self.heights.items():
            if index < len(heights):
                heights[index] = height
            elif height:
                name = foundation_name(self.rule, index)
                size = f"the deck has {counted(deck.suits, 'suit')}"
                if self.rule is Foundations.DIAL:
                    size = f"the dial has {len(heights)}"
                raise InputError(f"{name} has a foundation, but {size}")
        if self.rule is Foundations.DIAL:
            self._place_on_dial(heights, deck)
        return tuple(heights)

    def _place_on_dial(self, heights: list[int], deck: Deck) -> None:
        """Raise `heights` to what the top cards and the single cards say."""
        orders = [cards_in_order(self.rule, index, deck) for index in range(len(heights))]
        for index, order in enumerate(orders):
            tops = [card for card in self.tops if card in order]
            if len(tops) > 1:
                raise InputError(f"{self.where}: {' '.join(map(format_card, tops))} lie on one another")
            if tops:
                heights[index] = order.index(tops[0]) + 1
            held = [card for card in order if card in self.cards]
            if tuple(held) != order[: len(held)]:
                raise InputError(
                    f"{self.where}: {format_card(held[-1])} lies on the dial, but not all cards below it do"
                )
            if held:
                heights[index] = len(held)


def smallest_deck(columns: list[list[int]], foundations: NamedFoundations) -> Deck:
    """Return the smallest deck that has every card and every foundation named.

    Raises
    ------
    InputError
        If there is none, for want of any card.
    """
    cards = [card for column in columns for card in column] + foundations.tops + foundations.cards
    ranks, suits = [rank_of(card) for card in cards], [suit_of(card) for card in cards]
    if foundations.rule is Foundations.DIAL:
        # Each rank from the two up begins a foundation.
        ranks += [index + 2 for index in foundations.heights]
        ranks.append(len(foundations.tops) + 1 if foundations.tops else 0)
        suits.append(MAX_SUITS - 1)
    else:
        ranks += foundations.heights.values()
        suits += foundations.heights
    if not any(ranks):
        raise InputError("no cards: a position was expected")
    return Deck(max(ranks), max(suits) + 1)


def assemble(
    columns: list[list[int]],
    foundations: NamedFoundations,
    deck: Deck | None,
    place: Callable[[int, int], str] = place_in_column,
) -> Position:
    """Make a position of what was read, and check it card by card.

    Parameters
    ----------
    columns : list of list of int
        Card codes, bottom first.
    foundations : NamedFoundations
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
    for card in foundations.tops + foundations.cards:
        if card not in deck:
            raise InputError(f"{foundations.where}: {format_card(card)} is not in this deck")
    heights = foundations.final_heights(deck)
    for column, cards in enumerate(columns):
        for index, card in enumerate(cards):
            if card in foundations.cards:
                raise InputError(f"{place(column, index)}: {format_card(card)} is also on a foundation")
    position = Position(tuple(map(tuple, columns)), heights, deck, foundations.rule)
    position.check(place)
    return position


def dial_index(card: int) -> int:
    """Return the index of the foundation of the dial that begins with `card`.

    Raises
    ------
    InputError
        If none does.
    """
    if not begins_dial(card):
        raise InputError(f"no foundation of the dial begins with {format_card(card)}")
    return rank_of(card) - 2

"""From positions and rules to the arrays of the kernels."""

from __future__ import annotations

import math

import numpy as np

from solvers.bakers_dozen import masks, tableau
from solvers.bakers_dozen.counts import CountsSearch
from solvers.bakers_dozen.refuter import Refuter
from solvers.bakers_dozen.state import Layout
from solvers.bakers_dozen.table import SETS_SLOTS, new_sets_table, set_number
from solvers.cards import Deck
from solvers.errors import InputError
from solvers.foundations import Foundations, cards_in_order, first_heights, is_red
from solvers.games import Building, Groups, Spaces, TableauRules
from solvers.positions import Position

MOST_KEYS = 1 << 51
"""Layer-1 keys stay below this, so that a key and a number of 24 bits fit beside 52 bits in two words."""


_FOUNDATIONS = {
    Foundations.IN_SUIT: masks.IN_SUIT,
    Foundations.ALTERNATE_COLOURS: masks.ALTERNATE_COLOURS,
    Foundations.ANY_SUIT: masks.ANY_SUIT,
    Foundations.DIAL: masks.DIAL,
}
_CLASSES = {
    Building.ANY_SUIT: masks.BY_RANK,
    Building.RED_BLACK: masks.BY_COLOUR,
    Building.SAME_SUIT: masks.BY_CARD,
}
_SPACES = {
    Spaces.NEVER: masks.NEVER,
    Spaces.KINGS: masks.KINGS,
    Spaces.SINGLE_CARD: masks.SINGLE_CARD,
    Spaces.ANY: masks.ANY,
}


def _suits_fit(card: int, support: int, building: Building) -> bool:
    if building is Building.ANY_SUIT:
        return True
    if building is Building.RED_BLACK:
        return is_red(card) != is_red(support)
    return card & 3 == support & 3


def _classes(rules: TableauRules) -> masks.Classes:
    """What a class is for the counts: where spaces take any card, ranks, whatever the building.

    (There a card that finds no support of its colour may lie in a space; the counts of spaces go by rank.)
    """
    if rules.spaces not in (Spaces.NEVER, Spaces.KINGS):
        return masks.BY_RANK
    return _CLASSES[rules.building]


def rule_tables(rules: TableauRules, deck: Deck) -> tableau.RuleTables:
    """The rules of a game, played with a deck, as the kernels take them."""
    supports = np.zeros(52, dtype=np.int64)
    before = np.full(52, masks.NOTHING, dtype=np.int64)
    after = np.full(52, masks.NOTHING, dtype=np.int64)
    for card in deck.cards():
        for support in range(card // 4 * 4 + 4, min(card // 4 * 4 + 8, 4 * deck.ranks)):
            if support in deck and _suits_fit(card, support, rules.building):
                supports[card] |= 1 << support
    first_up = 0
    ordered = rules.foundations in (Foundations.IN_SUIT, Foundations.DIAL)
    heights = first_heights(rules.foundations, deck)
    for index, height in enumerate(heights if ordered else ()):
        cards = cards_in_order(rules.foundations, index, deck)
        before[list(cards[1:])] = cards[:-1]
        after[list(cards[:-1])] = cards[1:]
        first_up |= sum(1 << card for card in cards[:height])
    codes = masks.RuleCodes(
        classes=_classes(rules),
        foundations=_FOUNDATIONS[rules.foundations],
        spaces=_SPACES[rules.spaces],
        sequences=rules.groups is Groups.SEQUENCE,
        worrying_back=rules.worrying_back,
        deck=(1 << 4 * deck.ranks) - 1,
        ranks=deck.ranks,
    )
    return tableau.RuleTables(codes, supports, before, after, first_up)


def board_of(position: Position) -> tableau.Board:
    """The cards of a position on the table."""
    nothing = masks.NOTHING
    board = tableau.Board(
        under=np.full(52, tableau.UP, dtype=np.int64),
        over=np.full(52, nothing, dtype=np.int64),
        column_of=np.full(52, nothing, dtype=np.int64),
        tops=np.array([column[-1] if column else nothing for column in position.columns], dtype=np.int64),
        masks=np.zeros(2, dtype=np.int64),
        empty=np.array([sum(not column for column in position.columns)], dtype=np.int64),
        key=np.zeros(3, dtype=np.int64),
    )
    # A card that is in no column is up; so are, for good, those of suits that the deck does not have.
    up = (1 << 4 * position.deck.ranks) - 1
    for number, column in enumerate(position.columns):
        for place, card in enumerate(column):
            up &= ~(1 << card)
            board.column_of[card] = number
            board.under[card] = column[place - 1] if place else tableau.SPACE
            if place:
                board.over[column[place - 1]] = card
    board.masks[:] = up, sum(1 << column[-1] for column in position.columns if column)
    tableau.write_key(board, 4 * position.deck.ranks)
    return board


class _Trimmer:
    """Finds a column's anchor: drops the cards from its top that are free where they lie."""

    def __init__(self, rules: masks.RuleCodes) -> None:
        self.rules = rules

    def bare(self, column: tuple[int, ...], depth: int) -> tuple[int, int, int]:
        """Depth once the free cards are dropped, and masks of the bared cards and of the free among them."""
        if depth == 0:
            return 0, 0, 0
        bared = 1 << column[depth - 1]
        loosened = 0
        while depth >= 2 and self._lies_in_sequence(column[depth - 1], column[depth - 2]):
            loosened |= 1 << column[depth - 1]
            depth -= 1
            bared |= 1 << column[depth - 1]
        if depth == 1 and self._may_fill_a_space(column[0]):
            # It lies where it could be moved to: in a space.
            loosened |= 1 << column[0]
            depth = 0
        return depth, bared, loosened

    def _lies_in_sequence(self, card: int, under: int) -> bool:
        suits = masks.support_suits(self.rules.classes, card & 3)
        return under >> 2 == (card >> 2) + 1 and bool(suits >> (under & 3) & 1)

    def _may_fill_a_space(self, card: int) -> bool:
        if self.rules.spaces == masks.KINGS:
            return card >> 2 == self.rules.ranks - 1
        return self.rules.spaces != masks.NEVER


def layout_of(position: Position, rules: masks.RuleCodes) -> tuple[Layout, tuple[int, ...]]:
    """The constant tables of a position, and its first state.

    Returns
    -------
    Layout
    tuple of int
        Masks of the accessible cards, the free ones and those on the foundations; the number of spaces; the
        state's key.

    Raises
    ------
    InputError
        If there are so many columns that a state does not fit into a key. With 13 columns it always does.
        52 cards in columns and on foundations built in suit give at most ``5**13 * 14**4 < 2**46`` keys; what
        else can be up has a number below 2**20, and ``5**13 * 2**20 < 2**51``.
    """
    ranks = position.deck.ranks
    bared, loosened, below, key_drop, emptied = (np.zeros(52, dtype=np.int64) for _ in range(5))
    dealt_support = np.full(52, masks.NOTHING, dtype=np.int64)
    in_suit = rules.foundations == masks.IN_SUIT
    keys_of_foundations = (ranks + 1) ** position.deck.suits if in_suit else SETS_SLOTS
    if math.prod(len(column) + 1 for column in position.columns) * keys_of_foundations > MOST_KEYS:
        raise InputError(f"{len(position.columns)} columns are too many for the search")
    trimmer = _Trimmer(rules)
    weight = 1
    bottoms = accessible = free = spaces = key = 0
    fillable = rules.spaces != masks.NEVER
    kings_wait = not fillable
    up = (1 << 4 * ranks) - 1  # a suit that the deck does not have counts as complete
    for column in position.columns:
        under = 0
        for place, card in enumerate(column):
            below[card] = under
            if place:
                dealt_support[card] = column[place - 1]
                same_class = masks.class_cards(rules.classes, 1 << card)
                kings_wait &= card >> 2 != ranks - 1 or same_class >> column[place - 1] & 1
            elif not fillable:
                bottoms |= 1 << card
            under |= 1 << card
            depth, bared[card], loosened[card] = trimmer.bare(column, place)
            key_drop[card] = weight * (place + 1 - depth)
            emptied[card] = depth == 0
        up &= ~under
        depth, now_bared, now_loose = trimmer.bare(column, len(column))
        accessible |= now_bared
        free |= now_loose
        spaces += fillable and depth == 0
        key += weight * depth
        weight *= len(column) + 1
    up_weight = weight
    up_sets = new_sets_table(SETS_SLOTS if not in_suit else 4)
    key_rise = np.zeros(4, dtype=np.int64)
    if in_suit:
        for suit, height in enumerate(position.foundations):
            key_rise[suit] = weight
            key += weight * height
            weight *= ranks + 1
    else:
        key += up_weight * int(set_number(up_sets, up))
    if rules.worrying_back:
        accessible |= up
    layout = Layout(
        cards=np.stack([bared, loosened, below, key_drop, emptied, dealt_support]),
        key_rise=key_rise,
        bottoms=bottoms,
        deck=(1 << 4 * ranks) - 1,
        ranks=ranks,
        kings_wait=kings_wait,
        rules=rules,
        up_sets=up_sets,
        up_weight=up_weight,
    )
    return layout, (accessible, free, up, int(spaces), key)


def refuter_of(position: Position, layout: Layout, search: CountsSearch) -> Refuter:
    """What it takes to ask layer 1, with its workspace, about boards reached from a position."""
    dealt_on = np.full(52, masks.NOTHING, dtype=np.int64)
    key_at = np.zeros(52, dtype=np.int64)
    loose = 0
    weight = 1
    for column in position.columns:
        for place, card in enumerate(column):
            if place + 1 < len(column):
                dealt_on[card] = column[place + 1]
            key_at[card] = weight * (place + 1)
            _, _, loosened = _Trimmer(layout.rules).bare(column, place + 1)
            loose |= loosened
        weight *= len(column) + 1
    at_bottom = np.array([column[0] for column in position.columns if column], dtype=np.int64)
    state = np.zeros((1, 5), dtype=np.int64)
    tally = np.zeros(3, dtype=np.int64)
    return Refuter(layout, search, state, tally, dealt_on, key_at, at_bottom, loose)

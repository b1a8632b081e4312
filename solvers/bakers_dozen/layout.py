"""From positions and rules to the arrays of the kernels."""

from __future__ import annotations

import math

import numpy as np

from solvers.bakers_dozen import tableau
from solvers.bakers_dozen.counts import EACH_RANK, Layout
from solvers.cards import Deck
from solvers.errors import InputError
from solvers.foundations import Foundations, cards_in_order, first_heights, is_red
from solvers.games import Building, Groups, Spaces, TableauRules
from solvers.positions import Position

MOST_KEYS = 1 << 46
"""Layer-1 keys stay below this, so that a key and a number of 30 bits fit beside 52 bits in two words."""


_FOUNDATIONS = {
    Foundations.IN_SUIT: tableau.IN_SUIT,
    Foundations.ALTERNATE_COLOURS: tableau.ALTERNATE_COLOURS,
    Foundations.ANY_SUIT: tableau.ANY_SUIT,
    Foundations.DIAL: tableau.DIAL,
}
_SPACES = {
    Spaces.NEVER: tableau.NEVER,
    Spaces.KINGS: tableau.KINGS,
    Spaces.SINGLE_CARD: tableau.SINGLE_CARD,
    Spaces.ANY: tableau.ANY,
}


def _suits_fit(card: int, support: int, building: Building) -> bool:
    if building is Building.ANY_SUIT:
        return True
    if building is Building.RED_BLACK:
        return is_red(card) != is_red(support)
    return card & 3 == support & 3


def rule_tables(rules: TableauRules, deck: Deck) -> tableau.RuleTables:
    """The rules of a game, played with a deck, as the kernels take them."""
    supports = np.zeros(52, dtype=np.int64)
    before = np.full(52, tableau.NOTHING, dtype=np.int64)
    after = np.full(52, tableau.NOTHING, dtype=np.int64)
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
    return tableau.RuleTables(
        supports=supports,
        before=before,
        after=after,
        foundations=_FOUNDATIONS[rules.foundations],
        spaces=_SPACES[rules.spaces],
        sequences=rules.groups is Groups.SEQUENCE,
        worrying_back=rules.worrying_back,
        first_up=first_up,
        deck=(1 << 4 * deck.ranks) - 1,
        ranks=deck.ranks,
    )


def board_of(position: Position) -> tableau.Board:
    """The cards of a position on the table."""
    nothing = tableau.NOTHING
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


def _bare(column: tuple[int, ...], depth: int) -> tuple[int, int, int]:
    """Depth once the loose cards are dropped from the top, and masks of the bared and the loosened."""
    if depth == 0:
        return 0, 0, 0
    bared = 1 << column[depth - 1]
    loosened = 0
    while depth >= 2 and column[depth - 2] >> 2 == (column[depth - 1] >> 2) + 1:
        loosened |= 1 << column[depth - 1]
        depth -= 1
        bared |= 1 << column[depth - 1]
    return depth, bared, loosened


def layout_of(position: Position) -> tuple[Layout, tuple[int, int, int, int]]:
    """The constant tables of a position, and its first state.

    Returns
    -------
    Layout
    tuple of int
        Masks of the accessible cards, the free ones and those on the foundations; the state's key.

    Raises
    ------
    InputError
        If there are so many columns that a state does not fit into a key. With 13 columns it always does: 52
        cards in columns and on foundations give at most ``5**13 * 14**4 < 2**46`` keys.
    """
    ranks, suits = position.deck.ranks, position.deck.suits
    bared, loosened, below, key_drop = (np.zeros(52, dtype=np.int64) for _ in range(4))
    dealt_support = np.full(52, -1, dtype=np.int64)
    key_rise = np.zeros(4, dtype=np.int64)
    keys = math.prod(len(column) + 1 for column in position.columns) * (ranks + 1) ** suits
    if keys > MOST_KEYS:
        raise InputError(f"{len(position.columns)} columns are too many for the search")
    weight = 1
    bottoms = accessible = free = up = key = 0
    kings_wait = True
    for column in position.columns:
        under = 0
        for place, card in enumerate(column):
            below[card] = under
            if place:
                dealt_support[card] = column[place - 1]
                kings_wait &= card >> 2 != ranks - 1 or column[place - 1] >> 2 == ranks - 1
            else:
                bottoms |= 1 << card
            under |= 1 << card
            depth, bared[card], loosened[card] = _bare(column, place)
            key_drop[card] = weight * (place + 1 - depth)
        depth, now_bared, now_loose = _bare(column, len(column))
        accessible |= now_bared
        free |= now_loose
        key += weight * depth
        weight *= len(column) + 1
    # A suit that the deck does not have counts as complete.
    heights = [*position.foundations, *[ranks] * (4 - suits)]
    for suit, height in enumerate(heights):
        up |= ((1 << 4 * height) - 1) & EACH_RANK << suit
    for suit in range(suits):
        key_rise[suit] = weight
        key += weight * position.foundations[suit]
        weight *= ranks + 1
    deck = (1 << 4 * ranks) - 1
    layout = Layout(
        bared, loosened, below, key_drop, key_rise, dealt_support, bottoms, deck, ranks, kings_wait
    )
    return layout, (accessible, free, up, key)

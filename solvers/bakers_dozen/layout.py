"""The constant tables of a position: what each card bares when it goes, what lies below it, its weights."""

from __future__ import annotations

import math

import numpy as np

from solvers.bakers_dozen.counts import EACH_RANK, Layout
from solvers.errors import InputError
from solvers.positions import Position

MOST_KEYS = 1 << 46
"""Layer-1 keys stay below this, so that a key and a number of 30 bits fit beside 52 bits in two words."""


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

"""Layer 1 asked about a board: the counts refute many a state that real moves would have to search out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.counts import DEAD, CountsSearch, counts_verdict
from solvers.bakers_dozen.masks import IN_SUIT, NEVER, NOTHING, bit_index
from solvers.bakers_dozen.state import (
    ACCESSIBLE,
    BELOW,
    DEALT_SUPPORT,
    FOUNDATIONS,
    FREE,
    KEY,
    SPACES,
    Layout,
)
from solvers.bakers_dozen.table import has_room, set_number
from solvers.bakers_dozen.tableau import SPACE, Board
from solvers.compilation import njit

IntArray = NDArray[np.int64]

ASKED = 500
"""Layer-1 states that one question may take; what it finds is kept for the next."""


class Refuter(NamedTuple):
    """Layer 1, asked at each state that is entered."""

    layout: Layout
    search: CountsSearch
    state: IntArray  # (1, 5), scratch
    tally: IntArray  # (3,), two as in `counts_verdict`; and the states that all questions may still take
    dealt_on: IntArray  # (52,), the card dealt on this one, NOTHING if none
    key_at: IntArray  # (52,), the part of its column in the key if this is the anchor
    at_bottom: IntArray  # cards dealt to the bottom of a column
    loose: int  # mask of the cards that are free where they were dealt


@njit
def counts_of(refuter: Refuter, board: Board) -> None:
    """Fill ``refuter.state`` with the layer-1 state of the board.

    The undisturbed cards of a column are those that lie as dealt, from its bottom up. (One that left and came
    back counts again: the state does not tell, and does not need to.)
    """
    layout = refuter.layout
    rules = layout.rules
    up = board.masks[0]
    accessible = layout.deck & ~up
    free = accessible
    spaces = board.tops.size if rules.spaces != NEVER else 0
    key = 0
    for card in refuter.at_bottom:
        if board.under[card] != SPACE:
            continue
        lies = card
        above = refuter.dealt_on[lies]
        while above != NOTHING and board.under[above] == lies:
            lies = above
            above = refuter.dealt_on[lies]
        # Down again over the cards that are free where they lie.
        while lies != NOTHING and refuter.loose >> lies & 1:
            lies = layout.cards[DEALT_SUPPORT, lies]
        if lies == NOTHING:
            continue
        accessible &= ~layout.cards[BELOW, lies]
        free &= ~(layout.cards[BELOW, lies] | 1 << lies)
        key += refuter.key_at[lies]
        if rules.spaces != NEVER:
            spaces -= 1
    if rules.foundations == IN_SUIT:
        left = up
        while left:
            bit = left & -left
            left ^= bit
            key += layout.key_rise[bit_index(bit) & 3]
    else:
        key += layout.up_weight * set_number(layout.up_sets, up)
    if rules.worrying_back:
        accessible |= up
    refuter.state[0, ACCESSIBLE] = accessible
    refuter.state[0, FREE] = free
    refuter.state[0, FOUNDATIONS] = up
    refuter.state[0, SPACES] = spaces
    refuter.state[0, KEY] = key


@njit
def is_refuted(refuter: Refuter, board: Board, table: IntArray) -> bool:
    """Whether the counts show that the board cannot be won, as far as `ASKED` states tell."""
    layout = refuter.layout
    if not has_room(layout.up_sets):
        return False
    counts_of(refuter, board)
    granted = min(ASKED, refuter.tally[2])
    refuter.tally[0] = granted
    verdict = counts_verdict(layout, refuter.search, refuter.state, 0, table, refuter.tally)
    refuter.tally[2] -= granted - refuter.tally[0]
    return bool(verdict == DEAD)

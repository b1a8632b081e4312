"""A state of layer 1: what is accessible, free and up, as masks (`solvers.bakers_dozen.counts` says why)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.masks import (
    KINGS,
    Classes,
    RuleCodes,
    bit_index,
    class_below,
    class_cards,
    open_classes,
)
from solvers.compilation import njit

IntArray = NDArray[np.int64]

BARED, LOOSENED, BELOW, KEY_DROP, EMPTIED, DEALT_SUPPORT = range(6)
"""Rows of `Layout.cards`. For an anchor that goes: the mask of the cards that become accessible
then, of those of them that are free at once; the mask of the cards dealt under it; what the state's
key loses; 1 if the column is a space then. And the card it was dealt on, -1 if none."""

ACCESSIBLE, FREE, FOUNDATIONS, SPACES, KEY = range(5)
"""Elements of a state: masks of the accessible cards, the free ones and those that are up; how many
columns have no anchor, if spaces are filled; and the key, which is exact: mixed radix over the depths
and what is up."""


# Few arrays on purpose: Numba counts references for each of them in every call and loop.
class Layout(NamedTuple):
    """What does not change while one position is searched. A column's depth follows from its anchor."""

    cards: IntArray  # (6, 52)
    key_rise: IntArray  # (4,), what the key gains by a lift, by suit, if foundations are built in suit
    up_sets: IntArray  # otherwise: numbers of the sets of cards that are up (`table.set_number`)
    up_weight: int  # and the weight of that number in the key
    bottoms: int  # mask of the cards at the bottom of a column, if spaces are not filled
    deck: int  # mask of all cards of these ranks; those of absent suits are up from the start
    ranks: int
    kings_wait: bool
    rules: RuleCodes


States = IntArray
"""A stack of layer-1 states, one row a level: shape (levels, 5)."""


@njit
def pinned_cards(classes: Classes, accessible: int, free: int) -> int:
    """Mask of the cards that may lie only on those of full classes: with accessible cards, none uncovered."""
    full = class_cards(classes, accessible) & ~open_classes(classes, accessible, free)
    return class_below(classes, full)


@njit
def bare_under(
    layout: Layout, moved: int, accessible: int, free: int, anchors: int, ever_open: int
) -> tuple[int, int, int, int]:
    """What is accessible, free, an anchor and ever open when the anchors of `moved` have gone.

    `ever_open` has all cards of each class, and beyond the King four bits for the spaces that take Kings.
    """
    anchors &= ~moved
    while moved:
        bit = moved & -moved
        moved ^= bit
        card = bit_index(bit)
        bared, loosened = layout.cards[BARED, card], layout.cards[LOOSENED, card]
        accessible |= bared
        free |= loosened
        anchors |= bared & ~loosened
        ever_open |= open_classes(layout.rules.classes, bared, loosened)
        if layout.rules.spaces == KINGS and layout.cards[EMPTIED, card]:
            ever_open |= 15 << (4 * layout.ranks)
    return accessible, free, anchors, ever_open

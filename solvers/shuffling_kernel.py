"""Kernels that shuffle a deck in place; `solvers.shuffling` says which shuffle is what.

Each reads its random words from a place of the stream on and returns the place after them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compilation import njit
from solvers.streams import (
    BATCH_AFTER,
    BATCH_PRODUCT,
    BATCH_SURPLUS,
    FRACTION_BITS,
    FRACTION_MASK,
    draw_batch,
    word,
)

# An overhand shuffle cuts a gap when a number below 5 is 0; a batch of 21 such numbers takes one word.
_CUT_RANGE = 5
_CUT_BATCH = 21
_CUT_PRODUCT = np.uint64(_CUT_RANGE**_CUT_BATCH)
_CUT_SURPLUS = np.uint64((1 << 58) % _CUT_RANGE**_CUT_BATCH)
_FIVE = np.uint64(_CUT_RANGE)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Manner(IntEnum):
    """How a deck is shuffled."""

    UNIFORM = 0
    RIFFLE = 1
    OVERHAND = 2


class DeckPlan(NamedTuple):
    """A shuffle, for a kernel.

    Parameters
    ----------
    key, stride : uint64
        Key of the random stream, and words set aside for each game.
    manner, times : int
    start : ndarray of uint8, shape (n,)
        Cards before they are shuffled, top card first.
    gathered : bool
        Not `start` is shuffled, but what a game leaves.
    from_bottom : bool
    """

    key: np.uint64
    stride: np.uint64
    manner: int
    times: int
    start: NDArray[np.uint8]
    gathered: bool
    from_bottom: bool


@njit
def fisher_yates(cards: Any, key: Any, counter: Any) -> Any:
    """Put `cards` in a uniformly random order, in place.

    Parameters
    ----------
    cards : array of uint8, shape (n,)
        At most 52 cards.
    key, counter : uint64
        The first word to read.

    Returns
    -------
    uint64
        The first word not read.
    """
    n = cards.shape[0]
    batch_end = np.uint64(n)
    fraction = np.uint64(0)
    for place in range(n):
        unseen = np.uint64(n - place)
        if unseen == batch_end:
            fraction, counter = draw_batch(key, counter, BATCH_PRODUCT[unseen], BATCH_SURPLUS[unseen])
            batch_end = BATCH_AFTER[unseen]
        fraction *= unseen
        chosen = place + np.int64(fraction >> FRACTION_BITS)
        fraction &= FRACTION_MASK
        card = cards[chosen]
        cards[chosen] = cards[place]
        cards[place] = card
    return counter


@njit
def riffle(cards: Any, spare: Any, key: Any, counter: Any) -> Any:
    """Riffle `cards` once, in place.

    Parameters
    ----------
    cards, spare : array of uint8, shape (n,)
        At most 64 cards, and room for as many.
    key, counter : uint64
        The word to read; bit i tells from which packet the card at place i comes.

    Returns
    -------
    uint64
        The first word not read.
    """
    n = cards.shape[0]
    bits = word(key, counter)
    from_top, from_bottom = 0, n
    for place in range(n):
        from_bottom -= np.int64((bits >> np.uint64(place)) & _ONE)
        spare[place] = cards[place]
    for place in range(n):
        if (bits >> np.uint64(place)) & _ONE:
            cards[place] = spare[from_bottom]
            from_bottom += 1
        else:
            cards[place] = spare[from_top]
            from_top += 1
    return counter + _ONE


@njit
def overhand(cards: Any, spare: Any, key: Any, counter: Any) -> Any:
    """Shuffle `cards` overhand once, in place.

    Parameters
    ----------
    cards, spare : array of uint8, shape (n,)
        The cards, and room for as many.
    key, counter : uint64
        The first word to read.

    Returns
    -------
    uint64
        The first word not read.
    """
    n = cards.shape[0]
    for place in range(n):
        spare[place] = cards[place]
    fraction = _ZERO
    packet = 0  # place of the first card of the packet under way
    for place in range(n):
        last = place == n - 1
        if not last:
            if place % _CUT_BATCH == 0:
                fraction, counter = draw_batch(key, counter, _CUT_PRODUCT, _CUT_SURPLUS)
            fraction *= _FIVE
            last = fraction >> FRACTION_BITS == _ZERO
            fraction &= FRACTION_MASK
        if last:
            # What was before the packet comes after it.
            for old in range(packet, place + 1):
                cards[n - 1 - place + old - packet] = spare[old]
            packet = place + 1
    return counter


@njit
def shuffle_from_start(cards: Any, spare: Any, plan: Any, counter: Any) -> Any:
    """Riffle `cards` or shuffle them overhand as often as planned, in place, and put the first to deal first.

    Parameters
    ----------
    cards, spare : array of uint8, shape (n,)
        The cards in their starting order, and room for as many.
    plan : DeckPlan
    counter : uint64
        The first word to read.

    Returns
    -------
    uint64
        The first word not read.
    """
    for _ in range(plan.times):
        if plan.manner == Manner.RIFFLE:
            counter = riffle(cards, spare, plan.key, counter)
        else:
            counter = overhand(cards, spare, plan.key, counter)
    if plan.from_bottom:
        n = cards.shape[0]
        for place in range(n // 2):
            card = cards[place]
            cards[place] = cards[n - 1 - place]
            cards[n - 1 - place] = card
    return counter


@njit(nogil=True)
def shuffle_rows(decks: Any, key: Any, counter: Any, stride: Any) -> None:
    """Shuffle each row of `decks` in place, row i from the words at ``counter + i * stride``."""
    for row in range(decks.shape[0]):
        fisher_yates(decks[row], key, counter + np.uint64(row) * stride)

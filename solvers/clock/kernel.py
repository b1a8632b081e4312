"""The kernel that plays batches of Clock.

It plays real piles. How many cards of each pile are face down is packed into one 64-bit word, four
bits a pile, pile p in the bits from 4p. A card code is ``4 * pile + suit``, so ``card & 0x3C`` is where
the count of the card's own pile lies::

    face_down = 0x4444444444444    thirteen piles of four
    card      = 30                 eight of hearts: 30 & 0x3C = 28, pile 7
    (face_down >> 28) & 15 = 4     cards are face down there

Nothing is shuffled beforehand. Which card lies where is decided when it is turned: it is drawn among
the cards not seen yet, each equally likely. That is a Fisher-Yates shuffle done card by card in the
order in which the places are looked at, and that order cannot spoil it, since the place looked at next
depends on cards already seen alone. So the deal is uniform among all deals, and a game costs as many draws
as it turns cards. The places never looked at are filled in the same way when the whole deal is
wanted (`solvers.clock.regenerate`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compilation import njit
from solvers.shuffling import (
    BATCH_AFTER,
    BATCH_PRODUCT,
    BATCH_SURPLUS,
    FRACTION_BITS,
    FRACTION_MASK,
    draw_batch,
)

_NIBBLE = np.uint64(15)
_PILE_OF_CARD = np.uint64(0x3C)
_LOW_BITS = np.uint64(0x1111111111111111)
_TOP_NIBBLE = np.uint64(60)
_ONE, _TWO = np.uint64(1), np.uint64(2)


class Layout(NamedTuple):
    """What is dealt, for the kernel.

    Parameters
    ----------
    cards : ndarray of uint8, shape (n,)
        Codes of the cards, in any fixed order.
    face_down : uint64
        Cards of each pile at the start, packed.
    centre : uint64
        Where the count of the centre lies, the pile from which the first card is turned.
    """

    cards: NDArray[np.uint8]
    face_down: np.uint64
    centre: np.uint64


@njit
def count_piles(face_down: Any) -> Any:
    """Count the piles with at least one face-down card; at most 15."""
    any_bit = face_down | (face_down >> _TWO)
    any_bit = (any_bit | (any_bit >> _ONE)) & _LOW_BITS
    # The multiplication adds all nibbles up in the highest one.
    return np.int64((any_bit * _LOW_BITS) >> _TOP_NIBBLE)


@njit
def play(unseen_cards: Any, layout: Any, key: Any, counter: Any) -> Any:
    """Play one game.

    Parameters
    ----------
    unseen_cards : ndarray of uint8, shape (n,)
        The cards of the layout in their fixed order; changed in place: the first `unseen` entries are
        the cards not seen at the end.
    layout : Layout
    key, counter : uint64
        First word of the random stream to read.

    Returns
    -------
    face_down : uint64
        Face-down cards of each pile at the end, packed.
    unseen : uint64
        Their sum.
    """
    face_down = layout.face_down
    called = layout.centre
    unseen = np.uint64(unseen_cards.shape[0])  # unsigned: an index that needs no test for being negative
    batch_end = unseen
    fraction = np.uint64(0)
    while (face_down >> called) & _NIBBLE:
        face_down -= _ONE << called
        if unseen == batch_end:
            fraction, counter = draw_batch(key, counter, BATCH_PRODUCT[unseen], BATCH_SURPLUS[unseen])
            batch_end = BATCH_AFTER[unseen]
        fraction *= unseen
        chosen = fraction >> FRACTION_BITS
        fraction &= FRACTION_MASK
        unseen -= _ONE
        card = unseen_cards[chosen]
        unseen_cards[chosen] = unseen_cards[unseen]
        called = np.uint64(card) & _PILE_OF_CARD
    return face_down, unseen


@njit(nogil=True)
def play_batch(
    layout: Any, stream: Any, first: int, games: int, cards_left: Any, complete_hours: Any
) -> None:
    """Play the games `first` to `first + games - 1` and add up how they ended.

    Parameters
    ----------
    layout : Layout
    stream : tuple of two uint64
        Key of the random stream, and the words set aside for each game.
    first, games : int
    cards_left : ndarray of int64, shape (n + 1,)
        Changed in place: entry i grows by the number of games that ended with i cards face down.
    complete_hours : ndarray of int64, shape (piles,)
        Changed in place: entry i grows by the number of games with i complete hour piles at the end.
    """
    key, stride = stream
    unseen_cards = np.empty_like(layout.cards)
    hours = complete_hours.shape[0] - 1
    for index in range(first, first + games):
        for place in range(layout.cards.shape[0]):  # faster than a slice, as compiled
            unseen_cards[place] = layout.cards[place]
        face_down, unseen = play(unseen_cards, layout, key, np.uint64(index) * stride)
        cards_left[unseen] += 1
        # The centre, which the last card called in vain, is empty.
        complete_hours[hours - count_piles(face_down)] += 1

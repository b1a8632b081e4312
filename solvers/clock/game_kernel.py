"""The kernel that plays one game of the Clock family.

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

Only where the deck is not shuffled uniformly, or the whole deal counts, is it dealt out beforehand. The
same code plays such a deal: it looks a card up where the other draws one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.clock.policies import PileChoice, RunOut, Win
from solvers.compilation import njit
from solvers.streams import (
    BATCH_AFTER,
    BATCH_PRODUCT,
    BATCH_SURPLUS,
    FRACTION_BITS,
    FRACTION_MASK,
    draw_batch,
    draw_below,
)

NIBBLE = np.uint64(15)
PILE_OF_CARD = np.uint64(0x3C)
_LOW_BITS = np.uint64(0x1111111111111111)
_TOP_NIBBLE = np.uint64(60)
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class Layout(NamedTuple):
    """What is dealt and by which rules it is played, for the kernel.

    A pile is known by its *shift*, four times its number: that is where its count lies.

    Parameters
    ----------
    cards : ndarray of uint8, shape (n,)
        Codes of the cards, in any fixed order.
    face_down : uint64
        Cards of each pile at the start, packed.
    centre : uint64
        Shift of the centre, the pile from which the first card is turned.
    turns : ndarray of uint8, shape (piles,)
        Place of each pile in a round of the deal: the card at level h of pile p is dealt as number
        ``h * piles + turns[p]``.
    run_out, choice, win : int
        `RunOut`, `PileChoice` and `Win`.
    bottom : bool
        As in `solvers.clock.policies.Variant`.
    """

    cards: NDArray[np.uint8]
    face_down: np.uint64
    centre: np.uint64
    turns: NDArray[np.uint8]
    run_out: int
    choice: int
    win: int
    bottom: bool


@njit
def count_piles(face_down: Any) -> Any:
    """Count the piles with at least one face-down card; at most 15."""
    any_bit = face_down | (face_down >> _TWO)
    any_bit = (any_bit | (any_bit >> _ONE)) & _LOW_BITS
    # The multiplication adds all nibbles up in the highest one.
    return (any_bit * _LOW_BITS) >> _TOP_NIBBLE


@njit
def draw_card(cards: Any, unseen: Any, batch_end: Any, fraction: Any, counter: Any, key: Any) -> Any:
    """Draw a card among the first `unseen` of `cards`, and put the last of them in its place.

    Returns
    -------
    card : uint8
    batch_end, fraction, counter : uint64
        State of the draws: when the next batch is due, what is left of this one, and the next word.
    """
    if unseen == batch_end:
        fraction, counter = draw_batch(key, counter, BATCH_PRODUCT[unseen], BATCH_SURPLUS[unseen])
        batch_end = BATCH_AFTER[unseen]
    fraction *= unseen
    chosen = fraction >> FRACTION_BITS
    fraction &= FRACTION_MASK
    card = cards[chosen]
    cards[chosen] = cards[unseen - _ONE]
    return card, batch_end, fraction, counter


@njit
def turn(cards: Any, face_down: Any, called: Any, draws: Any) -> Any:
    """Turn cards, from the pile with shift `called` on, until a pile is called that has run out.

    Parameters
    ----------
    cards : ndarray of uint8
        The first `left` of them are the cards not seen; changed in place.
    face_down : uint64
        Face-down cards of each pile, packed.
    called : uint64
    draws : tuple
        ``left, batch_end, fraction, counter, key``: cards not seen, and the state of the draws.

    Returns
    -------
    face_down, called : uint64
        The same at the end.
    draws : tuple
    """
    left, batch_end, fraction, counter, key = draws
    while (face_down >> called) & NIBBLE:
        face_down -= _ONE << called
        card, batch_end, fraction, counter = draw_card(cards, left, batch_end, fraction, counter, key)
        left -= _ONE
        called = np.uint64(card) & PILE_OF_CARD
    return face_down, called, (left, batch_end, fraction, counter, key)


@njit
def place_dealt(layout: Any, pile: Any, level: Any) -> Any:
    """Number of the card at `level` of the pile with shift `pile`, in the order of the deal."""
    piles = np.uint64(layout.turns.shape[0])
    return level * piles + np.uint64(layout.turns[pile >> _TWO])


@njit
def choose_place(layout: Any, face_down: Any, unseen: Any, key: Any, counter: Any) -> Any:
    """Choose the face-down card that changes places with the King of Watch.

    Returns
    -------
    pile : uint64
        Shift of its pile.
    level : uint64
        Cards below it.
    counter : uint64
        First word not read.
    """
    # Piles passed over before the one to take, or cards if a card is chosen.
    skip = _ZERO
    if layout.choice == PileChoice.BY_CARD:
        skip, counter = draw_below(key, counter, unseen)
    elif layout.choice == PileChoice.RANDOM:
        skip, counter = draw_below(key, counter, count_piles(face_down))
    chosen, height = _ZERO, _ZERO
    for hour in range(layout.turns.shape[0] - 1):
        pile = np.uint64(4 * hour)
        here = (face_down >> pile) & NIBBLE
        if here == _ZERO:
            continue
        if layout.choice == PileChoice.BY_CARD:
            if skip < here:
                return pile, skip, counter
            skip -= here
        elif layout.choice == PileChoice.LARGEST:
            if here > height:
                chosen, height = pile, here
        elif layout.choice == PileChoice.SMALLEST:
            if height == _ZERO or here < height:
                chosen, height = pile, here
        else:
            chosen, height = pile, here
            if skip == _ZERO:
                break
            skip -= _ONE
    return chosen, _ZERO if layout.bottom else height - _ONE, counter


@njit
def next_hour(layout: Any, face_down: Any, called: Any) -> Any:
    """Shift of the next hour clockwise after `called` with a face-down card; else the centre's."""
    hours = layout.turns.shape[0] - 1
    for step in range(1, hours + 1):
        pile = np.uint64(4 * ((np.int64(called >> _TWO) + step) % hours))
        if (face_down >> pile) & NIBBLE:
            return pile
    return layout.centre


@njit
def all_at_home(cards: Any, lazily: Any, layout: Any, face_down: Any, draws: Any) -> Any:
    """Whether every card not played lies on its own pile; `draws` is the state of the draws at the end."""
    left, batch_end, fraction, counter, key = draws
    for number in range(layout.turns.shape[0]):
        pile = np.uint64(4 * number)
        for below in range(np.int64((face_down >> pile) & NIBBLE) - 1, -1, -1):
            if lazily:
                card, batch_end, fraction, counter = draw_card(cards, left, batch_end, fraction, counter, key)
                left -= _ONE
            else:
                card = cards[place_dealt(layout, pile, np.uint64(below))]
            if np.uint64(card) & PILE_OF_CARD != pile:
                return False
    return True


@njit
def play(cards: Any, lazily: Any, layout: Any, key: Any, counter: Any) -> Any:
    """Play one game.

    Parameters
    ----------
    cards : ndarray of uint8, shape (n,)
        If `lazily`, the cards of the layout in their fixed order, to draw from: changed in place. If not, the
        cards in the order of the deal.
    lazily : bool
    layout : Layout
    key, counter : uint64
        First word of the random stream to read.

    Returns
    -------
    face_down : uint64
        Face-down cards of each pile at the end, packed.
    left : uint64
        Their sum.
    won : bool
    counter : uint64
        First word not read, if not `lazily`.
    """
    face_down, called = layout.face_down, layout.centre
    size = np.uint64(cards.shape[0])  # unsigned: an index that needs no test for being negative
    left, batch_end, fraction = size, size, _ZERO
    # In Watch, once exchanged, the King and what lies under it are taken out of `face_down`: then the pile
    # runs out when the King would be turned. They are counted here.
    hidden = _ZERO
    while True:
        if lazily:
            draws = left, batch_end, fraction, counter, key
            face_down, called, draws = turn(cards, face_down, called, draws)
            left, batch_end, fraction, counter, _ = draws
        while (face_down >> called) & NIBBLE:  # if not lazily
            face_down -= _ONE << called
            level = ((face_down + hidden) >> called) & NIBBLE
            left -= _ONE
            called = np.uint64(cards[place_dealt(layout, called, level)]) & PILE_OF_CARD
        if layout.run_out == RunOut.STOP or left == _ZERO or hidden != _ZERO:
            break
        if layout.run_out == RunOut.EXCHANGE:
            pile, level, counter = choose_place(layout, face_down, left, key, counter)
            hidden = (level + _ONE) << pile
            face_down -= hidden
            if lazily:
                card, batch_end, fraction, counter = draw_card(cards, left, batch_end, fraction, counter, key)
            else:
                card = cards[place_dealt(layout, pile, level)]
            left -= _ONE
            called = np.uint64(card) & PILE_OF_CARD
        else:
            before = called
            called = layout.centre
            if layout.run_out != RunOut.CENTRE:
                called = next_hour(layout, face_down, before)
            if (face_down >> called) & NIBBLE == _ZERO:
                break
            if called == layout.centre and layout.run_out == RunOut.NEXT_HOUR:
                break
    if hidden != _ZERO:
        face_down += hidden - (_ONE << called)  # the King is turned, what lies under it is not
    won = left == _ZERO or layout.win == Win.ALWAYS
    if layout.win == Win.ALL_AT_HOME:
        won = all_at_home(cards, lazily, layout, face_down, (left, batch_end, fraction, counter, key))
    return face_down, left, won, counter


@njit
def play_open(cards: Any, layout: Any) -> Any:
    """Find what a player who chooses well leaves of a deal that lies open.

    The piles, with an arrow from a pile to the pile of each of its cards, have as many arrows to a pile as
    from it. So there is a round trip along all arrows of the piles that can be reached from the
    centre, and no other pile can ever be called (`solvers.clock.open_clock`).

    Parameters
    ----------
    cards : ndarray of uint8, shape (n,)
        The cards in the order of the deal.
    layout : Layout

    Returns
    -------
    face_down : uint64
        Cards of each pile that stay where they are, packed.
    left : uint64
        Their sum.
    """
    if layout.run_out == RunOut.CHOOSE_ANY:
        return _ZERO, _ZERO
    # One bit a pile, the lowest of its four.
    reached, followed = _ONE << layout.centre, _ZERO
    left, piles = np.uint64(cards.shape[0]), np.uint64(layout.turns.shape[0])
    while reached != followed:
        for number in range(layout.turns.shape[0]):
            pile = np.uint64(4 * number)
            if ((reached & ~followed) >> pile) & _ONE:
                followed |= _ONE << pile
                height = (layout.face_down >> pile) & NIBBLE
                left -= height
                place = place_dealt(layout, pile, _ZERO)
                for _ in range(np.int64(height)):
                    reached |= _ONE << (np.uint64(cards[place]) & PILE_OF_CARD)
                    place += piles
    return layout.face_down & ~(reached * NIBBLE), left

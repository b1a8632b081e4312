"""The kernel that counts the ways in which riffled packets give the hours bottom cards that win."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.compilation import njit

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_NIBBLE = np.uint64(15)


@njit(nogil=True)
def count_winning_starts(piles: Any, sizes: Any, hours: int, totals: Any) -> None:
    """Go through all ways in which the first cards of a riffled deck come from its packets.

    The first `hours` cards of the riffled deck are the bottom cards of the hours, that of hour 0 first.
    Each comes from the top of some packet. A way is given up as soon as the arrows from hours to the
    piles of their bottom cards close a cycle.

    Parameters
    ----------
    piles : ndarray of uint64, shape (n,)
        Pile of each card of the deck before it is riffled, top card first; the centre's is `hours`.
    sizes : ndarray of uint64, shape (packets,)
        Cards in each packet, the top packet first; their sum is n. At most 16 packets.
    hours : int
        1 to 16.
    totals : ndarray of int64, shape ((n - hours + 1) ** (packets - 1),)
        Changed in place: a way that wins raises the entry whose index has as digits to the base
        ``n - hours + 1`` the cards left in the packets, the top packet's first and the last packet's left
        out.
    """
    packets = np.uint64(sizes.shape[0])
    ends = np.zeros_like(sizes)
    tops = np.zeros_like(sizes)  # place in the deck of each packet's top card
    # What the index gains by one card more in a packet.
    weights = np.ones_like(sizes)
    before, index = _ZERO, _ZERO
    for number in range(sizes.shape[0]):
        tops[number] = before
        before += sizes[number]
        ends[number] = before
        weights[number] = (piles.shape[0] - hours + 1) ** max(sizes.shape[0] - 2 - number, 0)
    weights[-1] = 0
    for number in range(sizes.shape[0]):
        index += weights[number] * sizes[number]
    # Four bits an hour: the pile of its bottom card, and the packet from which that came.
    arrows, chosen = _ZERO, _ZERO
    hour, last, packet = _ZERO, np.uint64(hours - 1), _ZERO
    while True:
        if packet == packets:  # no other for this hour: back to the one before
            if hour == _ZERO:
                return
            hour -= _ONE
            packet = (chosen >> (hour << _TWO)) & _NIBBLE
            tops[packet] -= _ONE
            index += weights[packet]
        elif tops[packet] != ends[packet]:
            pile = piles[tops[packet]]
            # Arrows of hours before this one lead on, until an hour without one is met, or the centre.
            met = pile
            while met < hour:
                met = (arrows >> (met << _TWO)) & _NIBBLE
            if met != hour and hour == last:
                totals[index - weights[packet]] += 1
            elif met != hour:
                place = hour << _TWO
                arrows = (arrows & ~(_NIBBLE << place)) | (pile << place)
                chosen = (chosen & ~(_NIBBLE << place)) | (packet << place)
                tops[packet] += _ONE
                index -= weights[packet]
                hour += _ONE
                packet = _ZERO
                continue
        packet += _ONE

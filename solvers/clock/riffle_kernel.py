"""The kernel that counts the ways in which riffled packets give the hours bottom cards that win."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.compilation import njit


@njit(nogil=True)
def count_winning_starts(piles: Any, sizes: Any, hours: int, totals: Any) -> None:
    """Go through all ways in which the first cards of a riffled deck come from its packets.

    The first `hours` cards of the riffled deck are the bottom cards of the hours, that of hour 0 first.
    Each comes from the top of some packet. A way is given up as soon as the arrows from hours to the
    piles of their bottom cards close a cycle.

    Parameters
    ----------
    piles : ndarray of int64, shape (n,)
        Pile of each card of the deck before it is riffled, top card first; the centre's is `hours`.
    sizes : ndarray of int64, shape (packets,)
        Cards in each packet, the top packet first; their sum is n.
    hours : int
        At least 1.
    totals : ndarray of int64, shape ((n - hours + 1) ** (packets - 1),)
        Changed in place: a way that wins raises the entry whose index has as digits to the base
        ``n - hours + 1`` the cards left in the packets, the top packet's first and the last packet's left
        out.
    """
    packets = sizes.shape[0]
    ends = np.cumsum(sizes)
    tops = ends - sizes  # place in the deck of each packet's top card
    # What an index gains by one card more in a packet.
    weights = np.ones(packets, np.int64)
    weights[packets - 1] = 0
    for packet in range(packets - 3, -1, -1):
        weights[packet] = weights[packet + 1] * (piles.shape[0] - hours + 1)
    chosen = np.full(hours, -1, np.int64)  # packet from which each hour's bottom card comes
    arrows = np.zeros(hours, np.int64)
    index = (sizes * weights).sum()
    hour = 0
    while hour >= 0:
        packet = chosen[hour]
        if packet >= 0 and arrows[hour] >= 0:  # take the card back
            tops[packet] -= 1
            index += weights[packet]
        packet += 1
        chosen[hour] = packet
        if packet == packets:
            chosen[hour] = -1
            hour -= 1
            continue
        arrows[hour] = -1
        if tops[packet] == ends[packet]:
            continue
        pile = piles[tops[packet]]
        # Arrows of hours before this one lead on, until an hour without one is met, or the centre.
        met = pile
        while met < hour:
            met = arrows[met]
        if met == hour:
            continue
        if hour == hours - 1:
            totals[index - weights[packet]] += 1
            continue
        arrows[hour] = pile
        tops[packet] += 1
        index -= weights[packet]
        hour += 1

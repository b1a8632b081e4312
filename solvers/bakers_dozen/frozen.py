"""Layer 2 of the search: which cards are frozen, and on what they may lie. Draft docstring."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.counts import (
    Layout,
    States,
    any_by_rank,
    bit_index,
    full_ranks,
    next_cards,
    ranks_with_open,
)
from solvers.bakers_dozen.pairings import EVERY, MEETS, SENDS, close_for
from solvers.compilation import njit

IntArray = NDArray[np.int64]

PAIRED_RANKS = 12
"""Ranks whose cards can lie on others: all but the King."""


class Branches(NamedTuple):
    """A stack of layer-2 states, in the order in which they were made."""

    frozen: IntArray  # (room,), mask of the frozen cards
    pairings: IntArray  # (room, PAIRED_RANKS), mask of the pairings possible, by rank


@njit
def paired_ranks(layout: Layout) -> int:
    """Number of ranks, from the ace, of which it can matter what their cards lie on.

    Not the King, and if the Kings wait not the Queen either: what covers a waiting King is of no account.
    """
    return layout.ranks - (2 if layout.kings_wait else 1)


@njit
def start_frozen(layout: Layout, states: States, branches: Branches, tracked: int) -> None:
    """Fill row 0 of `branches` for the position as it lies: each free card on its dealt support.

    `tracked` has a bit for each rank (from the ace) whose frozen cards are followed.
    """
    free = states.free[0]
    full = full_ranks(states.accessible[0], free)
    frozen = 0
    covered = 0  # cards under a frozen card
    branches.pairings[0] = EVERY
    for rank in range(paired_ranks(layout)):
        bits = 4 * rank
        if not (tracked >> rank) & 1:
            continue
        still = (free >> bits) & 15
        if not (full >> (bits + 4)) & 15:
            still &= covered >> bits
        possible = EVERY
        for suit in range(4):
            if still >> suit & 1:
                support = layout.dealt_support[bits + suit]
                possible &= SENDS[suit, 1 << (support & 3)]
                covered |= 1 << support
        frozen |= still << bits
        branches.pairings[0, rank] = possible
    branches.frozen[0] = frozen


class Step(NamedTuple):
    """What a move does, as far as the frozen cards are concerned. Masks, but for the card."""

    card: int
    free: int  # free cards after the move
    full: int  # cards of the ranks that are full after it
    appeared: int  # cards loose after it on their dealt supports, buried before
    supports: int  # cards on which others may have been put before it


@njit
def step_of(layout: Layout, states: States, level: int, card: int) -> Step:
    """Describe the move of `card` from the state at `level` to the one at ``level + 1``."""
    bit = 1 << card
    free = states.free[level + 1]
    return Step(
        card,
        free,
        full_ranks(states.accessible[level + 1], free),
        free & ~states.free[level] & ~bit,
        states.accessible[level] & ~bit,
    )


@njit
def pairings_after(layout: Layout, step: Step, rank: int, possible: int, was: int, still: int) -> int:
    """The pairings before a move that allow it, with the newly frozen cards on their supports.

    Parameters
    ----------
    rank : int
        From 0; of the frozen cards, one below that of their supports.
    possible : int
        Mask of the pairings before the move.
    was, still : int
        Suits of the frozen cards before and after it.
    """
    bits = 4 * rank
    if rank + 1 == step.card >> 2:
        # The card moved had nothing on it.
        possible &= MEETS[was, 1 << (step.card & 3), 0]
    newly = still & ~was
    for suit in range(4):
        if newly >> suit & 1:
            if (step.appeared >> (bits + suit)) & 1:
                targets = 1 << (layout.dealt_support[bits + suit] & 3)
            else:
                targets = (step.supports >> (bits + 4)) & 15
            possible &= SENDS[suit, targets]
    return possible


@njit
def branch(layout: Layout, step: Step, branches: Branches, source: int, start: int, tracked: int) -> int:
    """List the layer-2 states that a move can lead to.

    Parameters
    ----------
    step : Step
        The move.
    branches, source, start
        The layer-2 state before the move is row `source`; the ones after it fill rows from `start`.
    tracked : int
        A bit for each rank (from the ace) whose frozen cards are followed.

    Returns
    -------
    int
        End of the rows filled, or -1 if they do not fit.
    """
    room = branches.frozen.size
    if start >= room:
        return -1
    frozen_before = branches.frozen[source]
    end = start + 1
    branches.frozen[start] = 0
    branches.pairings[start] = EVERY
    top = paired_ranks(layout)
    for rank in range(top):
        if not (tracked >> rank) & 1:
            continue
        bits = 4 * rank
        was = (frozen_before >> bits) & 15
        all_frozen = (step.full >> (bits + 4)) & 15 != 0
        # Which free cards one rank up lie under frozen ones decides what is frozen there,
        # unless all are.
        splits = rank + 1 < top and (tracked >> (rank + 1)) & 1 and not (step.full >> (bits + 8)) & 15
        free_above = (step.free >> (bits + 4)) & 15
        before = branches.pairings[source, rank]
        # Downwards, so that rows added or moved into a dropped row's place are done with this rank.
        for row in range(end - 1, start - 1, -1):
            # Until now this nibble holds the cards that lie under a frozen one.
            still = (step.free >> bits) & 15 if all_frozen else (branches.frozen[row] >> bits) & 15
            possible = pairings_after(layout, step, rank, before, was, still)
            if was & ~still:
                possible = close_for(possible, still)
            if possible == 0:
                end -= 1
                branches.frozen[row] = branches.frozen[end]
                branches.pairings[row] = branches.pairings[end]
                continue
            frozen = branches.frozen[row] & ~(15 << bits) | still << bits
            branches.frozen[row] = frozen
            branches.pairings[row, rank] = possible
            if not (splits and still):
                continue
            target = row
            part = free_above
            while part >= 0:
                kept = possible & MEETS[still, free_above, part]
                if kept:
                    if target >= room:
                        return -1
                    if target != row:
                        branches.pairings[target] = branches.pairings[row]
                        end += 1
                    branches.frozen[target] = frozen | part << (bits + 4)
                    branches.pairings[target, rank] = kept
                    target = end
                part = (part - 1) & free_above if part else -1
    return end


@njit
def certainly_covered(pairings: IntArray, immobile: int, rank: int) -> int:
    """Suits of rank ``rank + 1`` that lie under the immobile cards in every pairing."""
    suits = (immobile >> (4 * rank)) & 15
    possible = pairings[rank]
    covered = 0
    if suits:
        for suit in range(4):
            if not possible & MEETS[suits, 1 << suit, 0]:
                covered |= 1 << suit
    return covered


@njit
def is_stuck(layout: Layout, states: States, level: int, branches: Branches, row: int) -> bool:
    """Whether the end is out of reach even if supports never wore out, for what lies under frozen cards."""
    immobile = branches.frozen[row]
    if not immobile:
        return False
    pairings = branches.pairings[row]
    accessible, free, up = states.accessible[level], states.free[level], states.up[level]
    covered = 0
    for rank in range(PAIRED_RANKS):
        covered |= certainly_covered(pairings, immobile, rank) << (4 * rank + 4)
    if not covered:
        return False
    ever_open = ranks_with_open(accessible, free)
    anchors = accessible & ~free
    while True:
        lifts = next_cards(up) & accessible & ever_open * 15 & ~covered
        digs = anchors & ~layout.bottoms & (ever_open & (ever_open >> 4)) * 15 & ~covered
        loosened = immobile & ~covered & (ever_open >> 4) * 15 | immobile & lifts
        if not (lifts | digs | loosened):
            return bool(up != layout.deck)
        up |= lifts
        ever_open |= any_by_rank(lifts & free) << 4
        moved = (lifts | digs) & anchors
        anchors &= ~moved
        accessible &= ~lifts
        while moved:
            bit = moved & -moved
            moved ^= bit
            card = bit_index(bit)
            bared, free_at_once = layout.bared[card], layout.loosened[card]
            accessible |= bared
            anchors |= bared & ~free_at_once
            ever_open |= ranks_with_open(bared, free_at_once)
        if loosened:
            immobile &= ~loosened
            for rank in range(PAIRED_RANKS):
                if (loosened >> (4 * rank)) & 15:
                    covered &= ~(15 << (4 * rank + 4))
                    covered |= certainly_covered(pairings, immobile, rank) << (4 * rank + 4)
            if not covered:
                return False

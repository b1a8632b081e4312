"""Layer 2 of the search: which cards are frozen, and on what they may lie.

Counts (layer 1, `solvers.bakers_dozen.counts`) do not say *which* support is uncovered. Often that
does not matter, since cards can be moved to and fro; it matters where they cannot.

A free card of rank r is **frozen** when

* rank r + 1 is *full*: it has accessible cards and none is uncovered, so there is nowhere else to go; or
* the card on top of it is frozen.

Everything that is not frozen can be arranged at will. Take the ranks from the highest down. If
cards of rank r are not all frozen by a full rank r + 1, that rank has an uncovered card. A card
that is not frozen can be bared: what lies on it is not frozen either, so its own rank is not full,
so (bared in turn, from the top) it finds an uncovered support. With one uncovered support, cards
that each may take any place reach every arrangement on the places that frozen cards leave them.
Setting a rank moves only cards of that rank and lower ones, so what was set before stays. Two
arrangements of the same depths, heights, frozen cards and supports of frozen cards can therefore be
turned into each other, and one state may stand for them all::

    rank 8 is full: both its accessible cards are covered        9H  9C        free, not full above
                                                                 8S  8D        8S and 8D free
    7C and 7D are frozen; so are 8S and 8D under them,           7C  7D
    and where they lie, on 9H and 9C, stays as it is until a 7 goes up or another 8 is bared

State
-----
(depths, heights, Z, P): Z is the set of frozen cards, by rank ``Z[r]``; and ``P[r]`` is a *set of
pairings*, each a map that says on which cards of rank r + 1 the cards of ``Z[r]`` lie
(`solvers.bakers_dozen.pairings`). The state stands for all arrangements in which exactly the cards
of Z are frozen and, for every rank, their supports are as in some member of ``P[r]``. Given Z the
ranks are independent: the cards frozen at one rank come into a pairing of the next only through
``Z[r]``.

A move (lift or dig of a card c of rank r) asks for an arrangement in which c has nothing on it, and
a dig for one in which some card of rank r + 1 has nothing on it either (there is one, by the
counts, that is under no frozen card and can be the one left open). So before the move ``P[r - 1]``
keeps the pairings in which no frozen card lies on c. Then, rank by rank from the ace up (`branch`):

* a card frozen before and after keeps its support: nothing else moved;
* a card that freezes by this move was not frozen before, so it may lie on any support but those of
  frozen cards, c (which had nothing on it) and supports that the move itself bares; all these
  choices are taken into the set at once. A card that appears already lying on its dealt support,
  and is frozen as it appears, lies there and nowhere else;
* of a card that is frozen no longer, the support is forgotten.

Which cards of the next rank are frozen under the frozen cards of this one is all that has to be
decided now: the pairings are split by that, one new state for each case, unless the next rank is
frozen as a whole. In this way the states after a move stand for exactly the arrangements that can
be had right after it, and so the search is exact both ways: a path to the end can be played
(`solvers.bakers_dozen.realise`), and if there is none, no play wins.

Following some ranks only
-------------------------
If the frozen cards of some ranks are not followed (bit not set in ``tracked``: Z and P there say
"nothing frozen"), the search allows more than the rules do: cards are treated as movable that are
not. Any real play is still a path: by induction over its moves, the cards in Z are among those
really frozen, and their real supports are a member of P. (A card new in Z may have been frozen in
reality before; then it lies on an accessible card, not on c and not under another of Z, which is
all that is asked of it.) So exhausting that smaller search is a proof that the deal is unwinnable;
reaching its end says nothing.

What can be forgotten
---------------------
If the Kings wait (see `counts`), what covers a King is of no account: nothing under it is wanted,
and it goes up at the very end. So nothing is said of where Queens lie, and whether a Queen is
frozen matters to no other card.

Red on black, and in suit
-------------------------
Where a card may lie on those of one colour or suit only, all this is said of the cards of a class and of
the class they may lie on (`solvers.bakers_dozen.masks`) instead of a rank and the next. The classes
that can come to lie on one another form a chain from the King to the ace, and two chains have no card in
common: arranging one leaves the other as it is. A rank may then be full in one colour and not in
the other, so of its cards some are frozen in any case and the others as what lies under frozen cards
decides. Pairings are written for all four suits of a rank as before; no card is ever
sent to a support of another class.

Spaces for Kings
----------------
Where a space takes a King and nothing else the same argument holds. A King moves into a space once,
and has no reason to move again; nothing else uses a space. That move is a dig, and so is that of the
last card of a column, which makes a space. The counts keep the number of spaces. (The Kings do not wait then,
since one that goes up leaves a space.)

A look ahead
------------
`is_stuck` is `ahead.is_hopeless` with one thing more remembered: a card that lies under a frozen
one *in every pairing* cannot be lifted or dug until that one moves. It moves at the earliest when
it has nothing stuck on it and either a support of its rank's is open at some time (and open
supports never wear out, here) or it can go up. Whatever real play does can be done in this easier
game; where it falls short of the end the state is dead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.masks import (
    class_above,
    class_below,
    class_cards,
    ever_up,
    open_classes,
    support_suits,
)
from solvers.bakers_dozen.pairings import EVERY, MEETS, SENDS, close_for
from solvers.bakers_dozen.state import (
    ACCESSIBLE,
    DEALT_SUPPORT,
    FOUNDATIONS,
    FREE,
    SPACES,
    Layout,
    States,
    bare_under,
    pinned_cards,
)
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
    free = states[0, FREE]
    pinned = pinned_cards(layout.rules.classes, states[0, ACCESSIBLE], free)
    frozen = 0
    covered = 0  # cards under a frozen card
    branches.pairings[0] = EVERY
    for rank in range(paired_ranks(layout)):
        bits = 4 * rank
        if not (tracked >> rank) & 1:
            continue
        still = (free & (pinned | covered)) >> bits & 15
        possible = EVERY
        for suit in range(4):
            if still >> suit & 1:
                support = layout.cards[DEALT_SUPPORT, bits + suit]
                possible &= SENDS[suit, 1 << (support & 3)]
                covered |= 1 << support
        frozen |= still << bits
        branches.pairings[0, rank] = possible
    branches.frozen[0] = frozen


class Step(NamedTuple):
    """What a move does, as far as the frozen cards are concerned. Masks, but for the card."""

    card: int
    free: int  # free cards after the move
    pinned: int  # cards that may lie only on those of full classes after it
    appeared: int  # cards loose after it on their dealt supports, buried before
    supports: int  # cards on which others may have been put before it


@njit
def step_of(layout: Layout, states: States, level: int, card: int) -> Step:
    """Describe the move of `card` from the state at `level` to the one at ``level + 1``."""
    bit = 1 << card
    free = states[level + 1, FREE]
    return Step(
        card,
        free,
        pinned_cards(layout.rules.classes, states[level + 1, ACCESSIBLE], free),
        free & ~states[level, FREE] & ~bit,
        states[level, ACCESSIBLE] & ~bit,
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
                targets = 1 << (layout.cards[DEALT_SUPPORT, bits + suit] & 3)
            else:
                targets = (step.supports >> (bits + 4)) & support_suits(layout.rules.classes, suit)
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
        pinned = (step.free & step.pinned) >> bits & 15
        # Which free cards one rank up lie under frozen ones decides what is frozen there,
        # but for those that are frozen anyway.
        free_above = (step.free & ~step.pinned) >> (bits + 4) & 15
        splits = rank + 1 < top and (tracked >> (rank + 1)) & 1 and free_above != 0
        before = branches.pairings[source, rank]
        # Downwards, so that rows added or moved into a dropped row's place are done with this rank.
        for row in range(end - 1, start - 1, -1):
            # Until now this nibble holds the cards that lie under a frozen one.
            still = pinned | (branches.frozen[row] >> bits) & 15
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
    accessible, free, up = states[level, ACCESSIBLE], states[level, FREE], states[level, FOUNDATIONS]
    covered = 0
    for rank in range(PAIRED_RANKS):
        covered |= certainly_covered(pairings, immobile, rank) << (4 * rank + 4)
    if not covered:
        return False
    classes = layout.rules.classes
    ever_open = open_classes(classes, accessible, free)
    if states[level, SPACES]:
        ever_open |= 15 << (4 * layout.ranks)
    anchors = accessible & ~free
    while True:
        below = class_below(classes, ever_open)
        lifts = ever_up(layout.rules, up) & accessible & ever_open & ~covered
        digs = anchors & ~layout.bottoms & ever_open & below & ~covered
        loosened = immobile & ~covered & below | immobile & lifts
        if not (lifts | digs | loosened):
            return bool(up != layout.deck)
        up |= lifts
        ever_open |= class_above(classes, class_cards(classes, lifts & free))
        moved = (lifts | digs) & anchors
        accessible, free, anchors, ever_open = bare_under(
            layout, moved, accessible & ~lifts, free, anchors, ever_open
        )
        if loosened:
            immobile &= ~loosened
            for rank in range(PAIRED_RANKS):
                if (loosened >> (4 * rank)) & 15:
                    covered &= ~(15 << (4 * rank + 4))
                    covered |= certainly_covered(pairings, immobile, rank) << (4 * rank + 4)
            if not covered:
                return False

"""Layer 1 of the search: the game as counts of cards, which forgets what lies on what.

In Baker's Dozen a card may move to any card one rank higher, whatever the suit, and may move back.
Two kinds of move cannot be taken back:

* a **lift** puts a card on its foundation;
* a **dig** moves a card that still lies where it was dealt, on a card that is not one rank higher.

Everything else is rearrangement. For each column, take the dealt cards that have not been
disturbed and drop cards from the top while the last two are in sequence: what is left ends in the
column's **anchor**, with the **buried** cards under it. Cards above the anchors are **free**; each
lies on some card one rank higher, its **support**. **Accessible** means anchor or free::

    dealt       KC 9H 8S 3D 2C          depth 4: KC 9H 8S buried, 3D the anchor,
                                        2C free: it lies on its dealt support 3D

    after digging 3D (2C first)         depth 2: KC buried, 9H the anchor; 8S is free too, since
                                        it lies on the 9H it could have been moved to

``open[r]`` is the number of accessible cards of rank r with nothing on them. A free card of rank
r - 1 covers exactly one accessible card of rank r, and nothing else may lie on one, so

    open[r] = (accessible cards of rank r) - (free cards of rank r - 1)

whichever way the free cards are arranged.

Why counts can prove a deal unwinnable
--------------------------------------
Take any play of the real game and look only at its lifts and digs. Before a lift of a card of rank
r, that card has nothing on it, so ``open[r] >= 1``. Before a dig of an anchor of rank r, the anchor has
nothing on it and neither has the card of rank r + 1 it moves to, so ``open[r] >= 1`` and ``open[r + 1]
>= 1``. So each play of the real game is a path in the graph searched here, whose states are (depth
of each column, height of each foundation) and whose moves are the lifts and digs that the counts
allow. If no path reaches the end, the deal is unwinnable. The converse does not hold: see
`solvers.bakers_dozen.frozen`.

What is left out, and why nothing is lost
-----------------------------------------
* *Moving the last card of a column* (an anchor of depth 1) is not a dig. A space is never filled, and
  the card is accessible where it lies. Any play that moves it is followed, move for move, by one that
  leaves it there: the support it would have covered stays open, which forbids nothing.
* *Safe lifts are made at once.* Let h be the height of the lowest foundation. An accessible card that
  is next on its foundation, of rank at most h + 2, goes up before anything else (lowest rank first).
  Cards of rank up to h are all up; so a card of rank h + 1 has nothing on it and is next, and once
  those are up one of rank h + 2 has nothing on it either. Any winning play can be changed to begin
  with such a lift: let it go on as before, but where it moves a card y onto the lifted card c,
  lift y instead. The rank of y is at most h + 1, so y is next on its foundation, and no card
  that is not up could ever lie on y.
* *Kings wait.* If every King that has anything under it has only Kings under it, no King goes up before
  it is safe. Lifting a King uncovers at most another King, which was not needed as a support (the one
  above it, uncovered, served as well), and so opens nothing that was not open before.

* *Some digs are free*, as far as the counts go. Suppose that for each suit whose card of rank r may
  still need a place (it is not up and not at the bottom of a column) the card of rank r + 1 of that
  suit is *settled*: accessible, and free or at the bottom of its column (or a King), so that it
  need not be dug. Then a dig of a card of rank r costs nothing, and may be made at once. It uses up
  one of ``open[r + 1]``; but there are always more supports than cards that need them. For the
  cards of rank r that need a place are, suit by suit, no more than the settled supports, also
  later, since a card of rank r + 1 goes up after that of its own suit below it. When one of rank r
  + 1 is to be lifted its suit needs no place any more, and when one that is not settled is to be
  dug it is itself an extra support: either way ``open[r + 1] >= 1``.

A look ahead: supports that never wear out
------------------------------------------
`is_hopeless` asks whether the end could be reached if a support, once open, stayed open for ever. It
lifts and digs whatever is possible then, until nothing changes. Any path of the counts could be followed
in that easier game, so where even this falls short of the end the state is dead, and nothing
under it need be searched. A King dealt on the very cards his own Queens wait for is seen here, at once.

The graph has no cycles, since each move lowers a depth or raises a height, so a depth-first search
with a set of the states that failed visits each once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.table import counts_table_find, counts_table_insert, has_room
from solvers.compilation import njit

LIFT = 64
"""A move is the code of the card dug, or ``LIFT`` + the code of the card lifted."""
MOST_MOVES = 56
"""Room for the moves of one state: each card once, and a lift a suit."""

UNKNOWN, DEAD, ALIVE = 0, 1, 2

_ONES = 0x5555555555555
_TWOS = 0x3333333333333
EACH_RANK = 0x1111111111111
"""The lowest bit of each rank."""

# 2 is a primitive root of 67, so the powers of two up to 2**62 differ modulo 67.
_BIT_INDEX = np.zeros(67, dtype=np.int64)
for _index in range(62):
    _BIT_INDEX[(1 << _index) % 67] = _index

IntArray = NDArray[np.int64]


class Layout(NamedTuple):
    """What does not change while one position is searched.

    A column's depth follows from its anchor, so everything is listed by card. A mask is an integer
    with bit ``card code`` set for each card.
    """

    bared: IntArray  # (52,), mask of the cards that become accessible when this anchor goes
    loosened: IntArray  # (52,), mask of those of them that are free at once
    below: IntArray  # (52,), mask of the cards dealt under this one in its column
    key_drop: IntArray  # (52,), what the state's key loses when this anchor goes
    key_rise: IntArray  # (4,), what it gains by a lift, by suit
    dealt_support: IntArray  # (52,), the card it was dealt on, -1 if none
    bottoms: int  # mask of the cards at the bottom of a column
    deck: int  # mask of all cards of these ranks; those of absent suits are up from the start
    ranks: int
    kings_wait: bool


class States(NamedTuple):
    """A stack of layer-1 states, one row a level."""

    accessible: IntArray  # (levels,), mask
    free: IntArray  # (levels,), mask
    up: IntArray  # (levels,), mask of the cards on the foundations
    key: IntArray  # (levels,), exact: mixed radix over the depths and heights


@njit
def bit_index(bit: int) -> int:
    """Number of the one bit that is set, below 62."""
    return int(_BIT_INDEX[bit % 67])


@njit
def count_by_rank(mask: int) -> int:
    """Number of cards of each rank in a mask, four bits a rank (rank 1 lowest)."""
    pairs = mask - ((mask >> 1) & _ONES)
    return (pairs & _TWOS) + ((pairs >> 2) & _TWOS)


@njit
def any_by_rank(nibbles: int) -> int:
    """Lowest bit of each rank whose four bits are not all 0."""
    return (nibbles | (nibbles >> 1) | (nibbles >> 2) | (nibbles >> 3)) & EACH_RANK


@njit
def ranks_with_open(accessible: int, free: int) -> int:
    """Lowest bit of each rank that has an accessible card with nothing on it.

    The subtraction never borrows from the next rank: a rank has at least as many accessible
    cards as there are free cards on them.
    """
    return any_by_rank(count_by_rank(accessible) - (count_by_rank(free) << 4))


@njit
def full_ranks(accessible: int, free: int) -> int:
    """Mask of all the cards of ranks that have accessible cards, none of them uncovered."""
    return (any_by_rank(accessible) & ~ranks_with_open(accessible, free)) * 15


@njit
def next_cards(up: int) -> int:
    """Mask of the card that each foundation waits for (beyond the deck for a complete one)."""
    return (up << 4 | 15) & ~up


@njit
def safe_lift(layout: Layout, states: States, level: int) -> int:
    """Bit of the card to be lifted at once, lowest rank first, or 0."""
    up = states.up[level]
    waiting = ~up & (up + 1)
    lowest = bit_index(waiting) >> 2
    safe = next_cards(up) & states.accessible[level] & ((1 << (4 * lowest + 8)) - 1)
    return safe & -safe


@njit
def list_moves(layout: Layout, states: States, level: int, moves: IntArray) -> int:
    """Fill `moves` with the moves the counts allow; return how many. A safe lift stands alone."""
    safe = safe_lift(layout, states, level)
    if safe:
        moves[0] = LIFT + bit_index(safe)
        return 1
    accessible, free = states.accessible[level], states.free[level]
    uncovered = ranks_with_open(accessible, free)
    lifts = next_cards(states.up[level]) & accessible & uncovered * 15
    if layout.kings_wait:
        lifts &= (1 << (4 * layout.ranks - 4)) - 1
    digs = diggable(layout, accessible, free, uncovered)
    count = 0
    while lifts:
        bit = lifts & -lifts
        lifts ^= bit
        moves[count] = LIFT + bit_index(bit)
        count += 1
    while digs:
        bit = digs & -digs
        digs ^= bit
        moves[count] = bit_index(bit)
        count += 1
    return count


@njit
def diggable(layout: Layout, accessible: int, free: int, uncovered: int) -> int:
    """Mask of the anchors that may be dug, given the ranks with something uncovered."""
    return accessible & ~free & ~layout.bottoms & (uncovered & (uncovered >> 4)) * 15


@njit
def play(layout: Layout, states: States, level: int, move: int) -> int:
    """Fill row ``level + 1`` with the state after `move`; return the card moved."""
    card = move & 63
    bit = 1 << card
    accessible, free, up, key = (
        states.accessible[level],
        states.free[level],
        states.up[level],
        states.key[level],
    )
    if not free & bit:
        accessible |= layout.bared[card]
        free |= layout.loosened[card]
        key -= layout.key_drop[card]
    if move >= LIFT:
        accessible &= ~bit
        free &= ~bit
        up |= bit
        key += layout.key_rise[card & 3]
    else:
        free |= bit
    states.accessible[level + 1] = accessible
    states.free[level + 1] = free
    states.up[level + 1] = up
    states.key[level + 1] = key
    return card


@njit
def free_dig(layout: Layout, states: States, level: int) -> int:
    """Bit of a card whose dig costs nothing as far as the counts go, or 0."""
    accessible, free = states.accessible[level], states.free[level]
    digs = diggable(layout, accessible, free, ranks_with_open(accessible, free))
    if not digs:
        return 0
    needing = layout.deck & ~(states.up[level] | layout.bottoms)
    settled = accessible & (free | layout.bottoms | 15 << (4 * layout.ranks - 4))
    digs &= ~(any_by_rank(needing & ~(settled >> 4)) * 15)
    return digs & -digs


@njit
def is_won(layout: Layout, states: States, level: int) -> bool:
    """Whether every foundation is complete."""
    return bool(states.up[level] == layout.deck)


@njit
def order_moves(
    layout: Layout, states: States, level: int, moves: IntArray, scores: IntArray, count: int
) -> None:
    """Sort `moves` so that the most promising comes first; `scores` arrives holding noise to add.

    Lifts first. Then digs: first the column under whose anchor lies the card that is nearest to its
    foundation, then the one that bares the lower rank.
    """
    upcoming = next_cards(states.up[level])
    for index in range(count):
        move = moves[index]
        score = scores[index]
        if move < LIFT:
            wanted = upcoming
            distance = 1
            while distance < 16 and not layout.below[move] & wanted:
                wanted = wanted << 4 & layout.deck
                distance += 1
            score += 64 * distance + 4 * (layout.dealt_support[move] >> 2)
        place = index
        while place > 0 and scores[place - 1] > score:
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = move, score


@njit
def is_hopeless(layout: Layout, accessible: int, free: int, up: int) -> bool:
    """Whether the end is out of reach even if no support, once open, were ever used up."""
    ever_open = ranks_with_open(accessible, free)
    everywhere = EACH_RANK & layout.deck
    anchors = accessible & ~free
    while ever_open & everywhere != everywhere:
        lifts = next_cards(up) & accessible & ever_open * 15
        digs = anchors & ~layout.bottoms & (ever_open & (ever_open >> 4)) * 15
        if not (lifts | digs):
            return up != layout.deck
        up |= lifts
        # The support of a free card that goes up is uncovered.
        ever_open |= any_by_rank(lifts & free) << 4
        moved = (lifts | digs) & anchors
        anchors &= ~moved
        accessible &= ~lifts
        while moved:
            bit = moved & -moved
            moved ^= bit
            card = bit_index(bit)
            bared, loosened = layout.bared[card], layout.loosened[card]
            accessible |= bared
            free |= loosened
            anchors |= bared & ~loosened
            ever_open |= ranks_with_open(bared, loosened)
    return False


class CountsSearch(NamedTuple):
    """Workspace of the layer-1 search: its own stack, so that layer 2 can ask at any state."""

    states: States
    moves: IntArray  # (levels, MOST_MOVES)
    scores: IntArray  # (MOST_MOVES,)
    listed: IntArray  # (levels,), number of moves listed
    next: IntArray  # (levels,), index of the next move to try


@njit
def counts_verdict(
    layout: Layout, search: CountsSearch, states: States, level: int, table: IntArray, tally: IntArray
) -> int:
    """Whether the end can be reached from a state as far as the counts go.

    Parameters
    ----------
    states, level
        The state asked about.
    table : ndarray of int64
        States already judged; what is found here is added. ``table[0]`` counts the entries.
    tally : ndarray of int64
        ``tally[0]``: states that may still be visited, lowered in place; ``tally[1]``: states visited.

    Returns
    -------
    int
        ``DEAD``, ``ALIVE``, or ``UNKNOWN`` when the table is full or the allowance used up.
    """
    known = counts_table_find(table, states.key[level])
    if known != UNKNOWN:
        return known
    own = search.states
    own.accessible[0] = states.accessible[level]
    own.free[0] = states.free[level]
    own.up[0] = states.up[level]
    own.key[0] = states.key[level]
    here = 0
    entering = True
    while here >= 0:
        if entering:
            known = counts_table_find(table, own.key[here])
            if known == ALIVE or is_won(layout, own, here):
                # Every state on the way here is alive, too.
                for row in range(here + 1):
                    if has_room(table):
                        counts_table_insert(table, own.key[row], ALIVE)
                return ALIVE
            entering = False
            if known == DEAD:
                here -= 1
                continue
            if tally[0] <= 0 or not has_room(table):
                return UNKNOWN
            tally[0] -= 1
            tally[1] += 1
            search.next[here] = 0
            moves = search.moves[here]
            if is_hopeless(layout, own.accessible[here], own.free[here], own.up[here]):
                count = 0
            else:
                count = list_moves(layout, own, here, moves)
                if count > 1:
                    dig = free_dig(layout, own, here)
                    if dig:
                        moves[0] = bit_index(dig)
                        count = 1
                    else:
                        search.scores[:count] = 0
                        order_moves(layout, own, here, moves, search.scores, count)
            search.listed[here] = count
        if search.next[here] < search.listed[here]:
            move = search.moves[here, search.next[here]]
            search.next[here] += 1
            play(layout, own, here, move)
            here += 1
            entering = True
        else:
            counts_table_insert(table, own.key[here], DEAD)
            here -= 1
    return DEAD

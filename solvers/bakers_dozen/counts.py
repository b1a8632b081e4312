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

The graph has no cycles, since each move lowers a depth or raises a height, so a depth-first search
with a set of the states that failed visits each once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.table import counts_table_find, counts_table_insert, has_room
from solvers.compilation import njit

LIFT = 32
"""A move is a column number (dig) or ``LIFT + suit``."""
MOST_MOVES = 32
"""Room for the moves of one state: a dig a column (at most 28) and a lift a suit."""

DEAD, ALIVE, UNKNOWN = 1, 2, 0

_ONES = 0x5555555555555
_TWOS = 0x3333333333333
_LOWS = 0x1111111111111

IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int8]


class Layout(NamedTuple):
    """What does not change while one position is searched. Masks have bit ``card code`` set."""

    columns: CodeArray  # (columns, longest), card codes, bottom first
    depth_weight: IntArray  # (columns,), weight of a column's depth in the state's key
    height_weight: IntArray  # (4,), weight of a foundation's height
    next_depth: IntArray  # (columns, longest + 1), depth after the anchor at this depth has gone
    bared: IntArray  # likewise, mask of cards that become accessible then
    loosened: IntArray  # likewise, mask of those of them that are free at once
    column_of: IntArray  # (52,), the column a card was dealt to, -1 if it was not
    dealt_support: IntArray  # (52,), the card it was dealt on, -1 if none
    ranks: int
    suits: int
    kings_wait: bool


class States(NamedTuple):
    """A stack of layer-1 states, one row a level."""

    depth: CodeArray  # (levels, columns)
    height: CodeArray  # (levels, 4)
    accessible: IntArray  # (levels,), mask
    free: IntArray  # (levels,), mask
    key: IntArray  # (levels,), exact: mixed radix over depths and heights


@njit
def count_by_rank(mask: int) -> int:
    """Number of cards of each rank in a mask, four bits a rank (rank 1 lowest)."""
    pairs = mask - ((mask >> 1) & _ONES)
    return (pairs & _TWOS) + ((pairs >> 2) & _TWOS)


@njit
def open_by_rank(accessible: int, free: int) -> int:
    """Number of uncovered accessible cards of each rank, four bits a rank.

    No borrow passes between ranks: a rank has at least as many supports as it has cards on them.
    """
    return count_by_rank(accessible) - (count_by_rank(free) << 4)


@njit
def full_ranks(accessible: int, free: int) -> int:
    """Mask of all the cards of ranks that have accessible cards, none of them uncovered."""
    nibbles = open_by_rank(accessible, free)
    has_open = (nibbles | (nibbles >> 1) | (nibbles >> 2)) & _LOWS
    has_cards = (accessible | (accessible >> 1) | (accessible >> 2) | (accessible >> 3)) & _LOWS
    return (has_cards & ~has_open) * 15


@njit
def lowest_height(layout: Layout, states: States, level: int) -> int:
    """Height of the lowest foundation."""
    lowest = layout.ranks
    for suit in range(layout.suits):
        lowest = min(lowest, states.height[level, suit])
    return lowest


@njit
def safe_lift(layout: Layout, states: States, level: int) -> int:
    """The lift to be made at once, lowest rank first, or -1."""
    lowest = lowest_height(layout, states, level)
    accessible = states.accessible[level]
    best, best_rank = -1, lowest + 3
    for suit in range(layout.suits):
        rank = states.height[level, suit] + 1
        if rank < best_rank and rank <= layout.ranks and (accessible >> (4 * (rank - 1) + suit)) & 1:
            best, best_rank = LIFT + suit, rank
    return best


@njit
def list_moves(layout: Layout, states: States, level: int, moves: IntArray) -> int:
    """Fill `moves` with the moves the counts allow; return how many. A safe lift stands alone."""
    safe = safe_lift(layout, states, level)
    if safe >= 0:
        moves[0] = safe
        return 1
    accessible = states.accessible[level]
    uncovered = open_by_rank(accessible, states.free[level])
    count = 0
    top_rank = layout.ranks - 1 if layout.kings_wait else layout.ranks
    for suit in range(layout.suits):
        height = int(states.height[level, suit])
        if height < top_rank and (accessible >> (4 * height + suit)) & 1 and (uncovered >> (4 * height)) & 7:
            moves[count] = LIFT + suit
            count += 1
    for column in range(layout.columns.shape[0]):
        depth = states.depth[level, column]
        if depth >= 2:
            rank_bits = 4 * (layout.columns[column, depth - 1] >> 2)
            if (uncovered >> rank_bits) & 7 and (uncovered >> (rank_bits + 4)) & 7:
                moves[count] = column
                count += 1
    return count


@njit
def moved_card(layout: Layout, states: States, level: int, move: int) -> int:
    """Code of the card that `move` lifts or digs."""
    if move >= LIFT:
        suit = move - LIFT
        return 4 * int(states.height[level, suit]) + suit
    return int(layout.columns[move, states.depth[level, move] - 1])


@njit
def play(layout: Layout, states: States, level: int, move: int) -> int:
    """Fill row ``level + 1`` with the state after `move`; return the card moved."""
    card = moved_card(layout, states, level, move)
    bit = 1 << card
    accessible, free, key = states.accessible[level], states.free[level], states.key[level]
    states.depth[level + 1] = states.depth[level]
    states.height[level + 1] = states.height[level]
    column = move
    if move >= LIFT:
        column = -1 if free & bit else layout.column_of[card]
        accessible &= ~bit
        free &= ~bit
        states.height[level + 1, move - LIFT] += 1
        key += layout.height_weight[move - LIFT]
    else:
        free |= bit
    if column >= 0:
        depth = states.depth[level, column]
        left = layout.next_depth[column, depth]
        states.depth[level + 1, column] = left
        key -= layout.depth_weight[column] * (depth - left)
        accessible |= layout.bared[column, depth]
        free |= layout.loosened[column, depth]
    states.accessible[level + 1] = accessible
    states.free[level + 1] = free
    states.key[level + 1] = key
    return card


@njit
def is_won(layout: Layout, states: States, level: int) -> bool:
    """Whether every foundation is complete."""
    return lowest_height(layout, states, level) == layout.ranks


@njit
def order_moves(layout: Layout, states: States, level: int, moves: IntArray, scores: IntArray, count: int) -> None:
    """Sort `moves` so that the most promising comes first; `scores` arrives holding noise to add.

    Lifts first. Then digs: first the column under whose anchor lies the card that is nearest to its
    foundation, then the one that bares the lower rank.
    """
    for index in range(count):
        move = moves[index]
        if move < LIFT:
            depth = states.depth[level, move]
            nearest = 16
            for place in range(depth - 1):
                card = layout.columns[move, place]
                nearest = min(nearest, (card >> 2) + 1 - states.height[level, card & 3])
            scores[index] += 64 * nearest + 4 * (layout.columns[move, depth - 2] >> 2)
    for index in range(1, count):
        move, score = moves[index], scores[index]
        place = index
        while place > 0 and scores[place - 1] > score:
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = move, score


class CountsSearch(NamedTuple):
    """Workspace of the layer-1 search: its own stack, so that layer 2 can ask at any state."""

    states: States
    moves: IntArray  # (levels, MOST_MOVES)
    scores: IntArray  # (MOST_MOVES,)
    count: IntArray  # (levels,), number of moves listed
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
    own.depth[0] = states.depth[level]
    own.height[0] = states.height[level]
    own.accessible[0] = states.accessible[level]
    own.free[0] = states.free[level]
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
            if known == DEAD:
                here -= 1
                entering = False
                continue
            if tally[0] <= 0 or not has_room(table):
                return UNKNOWN
            tally[0] -= 1
            tally[1] += 1
            count = list_moves(layout, own, here, search.moves[here])
            search.scores[:count] = 0
            order_moves(layout, own, here, search.moves[here], search.scores, count)
            search.count[here] = count
            search.next[here] = 0
        if search.next[here] < search.count[here]:
            move = search.moves[here, search.next[here]]
            search.next[here] += 1
            play(layout, own, here, move)
            here += 1
            entering = True
        else:
            counts_table_insert(table, own.key[here], DEAD)
            here -= 1
            entering = False
    return DEAD

"""Depth-first search over the states of layer 2, which can be left and taken up again.

The states form a graph without cycles (`solvers.bakers_dozen.counts`), so it is enough to remember
those that were searched through without success: a state met again is dead. A key is stored only
when everything under it has been searched, so stopping in the middle loses nothing and claims
nothing. Before a state is entered layer 1 is asked about its depths and heights; where the counts
refute it, none of its arrangements is looked at.

Restarts: the time of a depth-first search is often spent under a bad choice made early. So the
search is given up after an allowance of states and begun again with noise in the order of moves
(`restart`), all dead states kept. The noise comes from a counter, so a run is a function of the
position and its limits.

The workspace is a stack with a row a level, made of flat arrays. A full table, or the end of an
allowance, makes `advance` return with everything in place; the caller
(`solvers.bakers_dozen.solve`) enlarges the table, looks at the clock, and calls again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.counts import (
    DEAD,
    UNKNOWN,
    CountsSearch,
    counts_verdict,
    is_won,
    list_moves,
    order_moves,
    play,
    safe_lift,
)
from solvers.bakers_dozen.frozen import Branches, branch, is_stuck, start_frozen, step_of
from solvers.bakers_dozen.ordering import draw_noise
from solvers.bakers_dozen.state import KEY, Layout, States
from solvers.bakers_dozen.table import (
    PairingsTable,
    has_room,
    has_room_for_pairings,
    has_room_for_states,
    pairings_id,
    states_table_has,
    states_table_insert,
)
from solvers.compilation import njit

IntArray = NDArray[np.int64]

WON, LOST, PAUSED, COUNTS_FULL, STATES_FULL, PAIRINGS_FULL, BRANCHES_FULL = range(7)

LEVEL, ENTERING, RANDOM, NOISE, LEFT, LEFT_COUNTS, VISITED_COUNTS, VISITED, TRACKED = range(9)
REGISTERS = 9


ASKED = 500
"""Layer-1 states that one question may take."""


class Search(NamedTuple):
    """Workspace of the layer-2 search: a stack with a row a level, the tables, the registers."""

    states: States
    moves: IntArray  # (levels, MOST_MOVES)
    scores: IntArray  # (MOST_MOVES,)
    listed: IntArray  # (levels,)
    next: IntArray  # (levels,)
    card: IntArray  # (levels,), the card moved from this level on
    row: IntArray  # (levels,), the branch this level stands on
    base: IntArray  # (levels,), the first branch row of its own
    branch_next: IntArray  # (levels,), the next branch of the move in hand
    branch_end: IntArray  # (levels,)
    words: IntArray  # (levels, 2), key, or -1 where it is not stored
    branches: Branches
    counts: CountsSearch
    counts_table: IntArray
    states_table: IntArray
    pairings_table: PairingsTable
    registers: IntArray  # (REGISTERS,)


@njit
def restart(layout: Layout, search: Search, tracked: int, seed: int, noise: int) -> None:
    """Go back to the root with a new order of moves; the tables are kept."""
    search.registers[LEVEL] = 0
    search.registers[ENTERING] = 1
    search.registers[RANDOM] = seed
    search.registers[NOISE] = noise
    search.registers[TRACKED] = tracked
    search.row[0] = 0
    search.base[0] = 1
    start_frozen(layout, search.states, search.branches, tracked)


@njit
def enter(layout: Layout, search: Search, level: int) -> int:
    """Prepare a level for its moves: 1 if it is new, 0 if known dead, -1 if it is the end."""
    registers = search.registers
    states = search.states
    row = search.row[level]
    search.branch_next[level] = search.branch_end[level] = search.base[level]
    search.next[level] = 0
    moves = search.moves[level]
    if is_won(layout, states, level):
        return -1
    if safe_lift(layout, states, level):
        search.words[level, 0] = -1
        search.listed[level] = list_moves(layout, states, level, moves)
        return 1
    number = pairings_id(search.pairings_table, search.branches.pairings[row], registers[TRACKED])
    first = states[level, KEY] | (number >> 12) << 51
    second = search.branches.frozen[row] | (number & 4095) << 52
    if states_table_has(search.states_table, first, second):
        return 0
    if is_stuck(layout, states, level, search.branches, row):
        return 0
    search.words[level, 0] = first
    search.words[level, 1] = second
    count = list_moves(layout, states, level, moves)
    registers[RANDOM] = draw_noise(search.scores, count, registers[NOISE], registers[RANDOM])
    order_moves(layout, states, level, moves, search.scores, count)
    search.listed[level] = count
    return 1


@njit(nogil=True)
def advance(layout: Layout, search: Search) -> int:
    """Search on until a verdict, the end of the allowance or a full table; may be called again."""
    registers = search.registers
    states = search.states
    level = registers[LEVEL]
    entering = registers[ENTERING] == 1
    while True:
        if entering:
            if registers[LEFT] <= 0:
                status = PAUSED
                break
            if not has_room_for_states(search.states_table):
                status = STATES_FULL
                break
            if not has_room_for_pairings(search.pairings_table):
                status = PAIRINGS_FULL
                break
            found = enter(layout, search, level)
            if found < 0:
                status = WON
                break
            entering = False
            if found == 0:
                if level == 0:
                    status = LOST
                    break
                level -= 1
            else:
                registers[LEFT] -= 1
                registers[VISITED] += 1
            continue
        if search.branch_next[level] < search.branch_end[level]:
            search.row[level + 1] = search.branch_next[level]
            search.branch_next[level] += 1
            # The child's own branches go above all those of this move.
            search.base[level + 1] = search.branch_end[level]
            level += 1
            entering = True
            continue
        if search.next[level] < search.listed[level]:
            move = search.moves[level, search.next[level]]
            card = play(layout, states, level, move)
            before = registers[LEFT_COUNTS]
            granted = min(before, ASKED)
            registers[LEFT_COUNTS] = granted
            verdict = counts_verdict(
                layout, search.counts, states, level + 1, search.counts_table, registers[LEFT_COUNTS:]
            )
            registers[LEFT_COUNTS] += before - granted
            if verdict == UNKNOWN:
                if not (has_room(search.counts_table) and has_room(layout.up_sets)):
                    status = COUNTS_FULL
                    break
                if registers[LEFT_COUNTS] <= 0:
                    status = PAUSED
                    break
                # Too much to ask of the counts; what they found dead on the way is kept.
            if verdict != DEAD:
                start = search.base[level]
                step = step_of(layout, states, level, card)
                end = branch(layout, step, search.branches, search.row[level], start, registers[TRACKED])
                if end < 0:
                    status = BRANCHES_FULL
                    break
                search.card[level] = card
                search.branch_next[level] = start
                search.branch_end[level] = end
            search.next[level] += 1
            continue
        if search.words[level, 0] >= 0:
            states_table_insert(search.states_table, search.words[level, 0], search.words[level, 1])
        if level == 0:
            status = LOST
            break
        level -= 1
    registers[LEVEL] = level
    registers[ENTERING] = 1 if entering else 0
    return status

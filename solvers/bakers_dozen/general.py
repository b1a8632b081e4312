"""Depth-first search over real moves, for games in which the counts do not tell the whole story.

Where spaces are filled, sequences move as one or cards come back from foundations, the search of
`solvers.bakers_dozen.frozen` does not apply. This one plays real moves
(`solvers.bakers_dozen.tableau`), tries the most promising first, and remembers every state it has
entered by its exact key. Moves can be taken back here, so the states form a graph with cycles;
since each is entered once, the search ends all the same, and if it has looked at every state that
can be reached (no allowance used up, no depth cut) the deal is unwinnable.

What is left out loses nothing: after a safe lift (`masks.safe_ups`) nothing else is tried; a whole
column is not moved to a space, which only renames it; of several spaces one is tried.

Restarts begin again with noise in the order of moves after an allowance of states. "Entered" does
not mean "dead" here, so each run has a table of its own: entries carry the number of the run, and
those of an earlier one count as empty slots.

A look ahead
------------
`is_out_of_reach` asks what could be bared if a support, once uncovered, stayed open for ever, and
cards never got in each other's way. A card can then leave its place if some card it may lie on is
ever uncovered (not counting the one it lies on), or if it may go up, or if there is ever a space
for it; that uncovers the card below. Whatever real play does can be done then, so if the
foundations cannot be completed even so, the state is dead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.masks import DIAL, KINGS, NEVER, NOTHING, bit_index, safe_ups
from solvers.bakers_dozen.ordering import draw_noise, insert
from solvers.bakers_dozen.refuter import Refuter, is_refuted
from solvers.bakers_dozen.table import scatter
from solvers.bakers_dozen.tableau import (
    SPACE,
    UP,
    Board,
    RuleTables,
    copy_board,
    fit_foundations,
    foundations_ever,
    may_fill,
    put,
)
from solvers.compilation import njit

IntArray = NDArray[np.int64]

WON, LOST, PAUSED, TABLE_FULL, GAVE_UP = range(5)
"""What `advance` says; GAVE_UP: this run is exhausted, but the deepest level has cut it."""

MOST_MOVES = 160
LEVEL, ENTERING, LEFT, VISITED, RUN, RANDOM, NOISE, CUT = range(8)
REGISTERS = 8
MOST_RUNS = (1 << 9) - 1
"""Runs that can be told apart in a table, counted from 1."""
_CARD_BITS = 6


class Walk(NamedTuple):
    """Workspace: a stack with a row a level, the table, the registers."""

    moves: IntArray  # (levels, MOST_MOVES), card and target
    scores: IntArray  # (MOST_MOVES,)
    listed: IntArray  # (levels,), number of moves
    next: IntArray  # (levels,), the next move to try
    came_from: IntArray  # (levels,), what the card moved from this level on lay on
    table: IntArray  # (1 + 3 * slots,): entries of this run, then three words a slot
    registers: IntArray  # (REGISTERS,)


def new_table(slots: int) -> IntArray:
    """Empty table with `slots` slots (a power of two)."""
    return np.zeros(3 * slots + 1, dtype=np.int64)


@njit
def _slot_for(table: IntArray, first: int, second: int, third: int, run: int) -> int:
    """Index of the slot that holds this key, or of the one where it would go."""
    mask = (table.size - 1) // 3 - 1
    slot = scatter(first ^ scatter(second ^ scatter(third))) & mask
    while True:
        place = 1 + 3 * slot
        word = table[place]
        if word >> 54 != run:
            return place
        if word == (run << 54 | first) and table[place + 1] == second and table[place + 2] == third:
            return place
        slot = (slot + 1) & mask


@njit
def enter_once(table: IntArray, key: IntArray, run: int) -> bool:
    """Note a state; False if it has been entered in this run."""
    place = _slot_for(table, key[0], key[1], key[2], run)
    if table[place] >> 54 == run:
        return False
    table[place] = run << 54 | key[0]
    table[place + 1] = key[1]
    table[place + 2] = key[2]
    table[0] += 1
    return True


@njit
def grow_table(table: IntArray, larger: IntArray, run: int) -> None:
    """Copy every entry of the run into the empty table `larger`."""
    words = (1 << 54) - 1
    for place in range(1, table.size, 3):
        if table[place] >> 54 == run:
            first, second, third = table[place] & words, table[place + 1], table[place + 2]
            target = _slot_for(larger, first, second, third, run)
            larger[target] = table[place]
            larger[target + 1] = second
            larger[target + 2] = third
    larger[0] = table[0]


@njit
def is_out_of_reach(rules: RuleTables, board: Board) -> bool:
    """Whether the end is out of reach even if supports never wore out."""
    codes = rules.codes
    if codes.spaces > KINGS and board.empty[0]:
        return False
    up = board.masks[0]
    # Cards that can come back from foundations are supports as well.
    uncovered = board.masks[1] | (up if codes.worrying_back else 0)
    kings = 15 << (4 * codes.ranks - 4)
    to_spaces = kings if codes.spaces == KINGS and board.empty[0] else 0
    left = 0  # cards that may leave their places
    changed = True
    while changed:
        changed = False
        fit = foundations_ever(rules, up) & uncovered & ~up
        if fit:
            up |= fit
            changed = True
        for column in range(board.tops.size):
            card = board.tops[column]
            exposed = True  # nothing on it but, where sequences move, a sequence that could come along
            while exposed and card != NOTHING:
                under = board.under[card]
                bit = 1 << card
                if not left & bit:
                    others = rules.supports[card] & uncovered & ~(1 << under if under < SPACE else 0)
                    if others or (up | to_spaces) & bit:
                        left |= bit
                        changed = True
                        if under < SPACE:
                            uncovered |= 1 << under
                        elif codes.spaces > KINGS:
                            return False
                        elif codes.spaces == KINGS:
                            to_spaces = kings
                if under == SPACE:
                    break
                exposed = bool(left & bit or (codes.sequences and rules.supports[card] >> under & 1))
                card = under
    return bool(up != codes.deck)


@njit
def list_moves(rules: RuleTables, board: Board, moves: IntArray) -> int:
    """Fill `moves` with the legal moves worth trying; return how many. A safe lift stands alone."""
    safe = safe_ups(rules.codes, board.masks[0], board.masks[1])
    if safe:
        moves[0] = bit_index(safe & -safe) << _CARD_BITS | UP
        return 1
    count = 0
    fit = fit_foundations(rules, board.masks[0]) & board.masks[1]
    while fit:
        bit = fit & -fit
        fit ^= bit
        moves[count] = bit_index(bit) << _CARD_BITS | UP
        count += 1
    for column in range(board.tops.size):
        card = board.tops[column]
        length = 1
        while card != NOTHING:
            under = board.under[card]
            targets = rules.supports[card] & board.masks[1]
            while targets:
                bit = targets & -targets
                targets ^= bit
                moves[count] = card << _CARD_BITS | bit_index(bit)
                count += 1
            if board.empty[0] and under != SPACE and may_fill(rules, card, length):
                moves[count] = card << _CARD_BITS | SPACE
                count += 1
            if not rules.codes.sequences or under == SPACE or not rules.supports[card] >> under & 1:
                break
            card = under
            length += 1
    if rules.codes.worrying_back:
        count = _list_coming_back(rules, board, moves, count)
    return count


@njit
def _list_coming_back(rules: RuleTables, board: Board, moves: IntArray, count: int) -> int:
    up = board.masks[0]
    back = up & ~rules.first_up
    while back:
        bit = back & -back
        back ^= bit
        card = bit_index(bit)
        after = rules.after[card]
        if after != NOTHING and up >> after & 1:
            continue
        targets = rules.supports[card] & board.masks[1]
        while targets:
            support = targets & -targets
            targets ^= support
            moves[count] = card << _CARD_BITS | bit_index(support)
            count += 1
        if board.empty[0] and may_fill(rules, card, 1):
            moves[count] = card << _CARD_BITS | SPACE
            count += 1
    return count


@njit
def score_moves(rules: RuleTables, board: Board, walk: Walk, level: int) -> None:
    """Sort the moves of a level, the most promising first; ``walk.scores`` arrives holding noise to add.

    Up first. Then cards that do not lie in sequence: first the column that holds the card nearest to going
    up. Moves within sequences, into spaces and back from foundations come last.
    """
    moves, scores = walk.moves[level], walk.scores
    up = board.masks[0]
    lowest = bit_index(~up & (up + 1)) >> 2
    wanted = fit_foundations(rules, up)
    for index in range(walk.listed[level]):
        card, target = moves[index] >> _CARD_BITS, moves[index] & 63
        under = board.under[card]
        score = scores[index]
        if target == UP:
            score += (card >> 2) - lowest - 2000
        elif under == UP:
            score += 3000
        else:
            in_sequence = under != SPACE and rules.supports[card] >> under & 1
            nearest = 16
            below = under
            while below < SPACE:
                nearest = min(nearest, (card_distance(rules, below, up, wanted)))
                below = board.under[below]
            if in_sequence:
                # Worth it if the card below can go up, or be of use, at once.
                score += 0 if wanted >> under & 1 else 1500 + 16 * nearest
            elif under == SPACE:
                score += 100 if rules.codes.spaces != NEVER else 2500
            else:
                score += 64 * nearest + 4 * (under >> 2)
            if target == SPACE and card >> 2 != rules.codes.ranks - 1:
                score += 400
        insert(moves, scores, index, score)


@njit
def card_distance(rules: RuleTables, card: int, up: int, wanted: int) -> int:
    """How far a card is from going up: 1 if its foundation waits for it, 2 for the one after, and so on."""
    if wanted >> card & 1:
        return 1
    if rules.before[card] == NOTHING:
        lowest = bit_index(~up & (up + 1)) >> 2
        return max(1, (card >> 2) - lowest + 1)
    distance = 1
    while distance < 15 and not up >> rules.before[card] & 1:
        card = rules.before[card]
        distance += 1
        if rules.before[card] == NOTHING:
            break
    return distance


@njit
def restart(walk: Walk, board: Board, start: Board, run: int, noise: int) -> None:
    """Begin a new run from `start`, which is copied to `board`."""
    copy_board(start, board)
    registers = walk.registers
    registers[LEVEL] = 0
    registers[ENTERING] = 1
    registers[RUN] = run
    registers[RANDOM] = run
    registers[NOISE] = noise
    registers[CUT] = 0
    walk.table[0] = 0


@njit(nogil=True)
def advance(rules: RuleTables, walk: Walk, board: Board, refuter: Refuter, verdicts: IntArray) -> int:
    """Search on until a verdict, the end of the allowance or a full table; may be called again.

    `verdicts` is the table of layer 1, asked unless the foundations are those of the dial.
    """
    registers = walk.registers
    level = registers[LEVEL]
    entering = registers[ENTERING] == 1
    table = walk.table
    slots = (table.size - 1) // 3
    ask = rules.codes.foundations != DIAL
    status = PAUSED
    while True:
        if entering:
            if registers[LEFT] <= 0:
                status = PAUSED
                break
            if 4 * table[0] >= 3 * slots:
                status = TABLE_FULL
                break
            entering = False
            if board.masks[0] == rules.codes.deck:
                status = WON
                break
            walk.next[level] = 0
            walk.listed[level] = 0
            if enter_once(table, board.key, registers[RUN]):
                registers[LEFT] -= 1
                registers[VISITED] += 1
                if level + 1 == walk.listed.size:
                    registers[CUT] = 1
                elif not (is_out_of_reach(rules, board) or (ask and is_refuted(refuter, board, verdicts))):
                    count = list_moves(rules, board, walk.moves[level])
                    walk.listed[level] = count
                    if count > 1:
                        registers[RANDOM] = draw_noise(
                            walk.scores, count, registers[NOISE], registers[RANDOM]
                        )
                        score_moves(rules, board, walk, level)
        if walk.next[level] < walk.listed[level]:
            move = walk.moves[level, walk.next[level]]
            walk.next[level] += 1
            card = move >> _CARD_BITS
            walk.came_from[level] = board.under[card]
            put(board, card, move & 63)
            level += 1
            entering = True
            continue
        if level == 0:
            status = GAVE_UP if registers[CUT] else LOST
            break
        level -= 1
        put(board, walk.moves[level, walk.next[level] - 1] >> _CARD_BITS, walk.came_from[level])
    registers[LEVEL] = level
    registers[ENTERING] = 1 if entering else 0
    return status

"""The kernel that plays Baker's Dozen and takes moves back, and the one that plays a deal either way."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.player_kernel import (
    MOST_MOVES,
    Board,
    Habits,
    cards_left,
    is_shift,
    list_moves,
    make,
    play_forward,
    take_back,
    worth,
)
from solvers.compilation import njit
from solvers.streams import draw_below

IntArray = NDArray[np.int64]

_TIES = 1 << 10
_FIRST_SLOTS = 1 << 12


@njit
def slot_of(marks: Any, mark: Any) -> Any:
    """Where a mark is in a hash table, or where it would be put."""
    last = np.uint64(marks.size - 1)
    slot = mark & last
    while marks[slot] != 0 and marks[slot] != mark:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit
def twice_as_large(marks: Any) -> Any:
    """The same marks in a table with twice the room."""
    larger = np.zeros(2 * marks.size, dtype=np.uint64)
    for mark in marks:
        if mark != 0:
            larger[slot_of(larger, mark)] = mark
    return larger


@njit
def order_moves(board: Board, habits: Habits, shifts: int, moves: IntArray, random: Any) -> int:
    """Fill `moves` with those worth trying, the best first; return how many there are.

    `random` is (key, counter): equal moves come in random order.
    """
    key, counter = random
    values = np.empty(MOST_MOVES, dtype=np.int64)
    count = list_moves(board, moves)
    kept = 0
    for index in range(count):
        source, target = moves[index, 0], moves[index, 1]
        if shifts == habits.shifts and is_shift(board, source, target):
            continue
        tie, counter = draw_below(key, counter, np.uint64(_TIES))
        value = worth(board, source, target, habits.tips) * _TIES + np.int64(tie)
        place = kept
        while place > 0 and values[place - 1] < value:
            values[place] = values[place - 1]
            moves[place] = moves[place - 1]
            place -= 1
        values[place] = value
        moves[place, 0], moves[place, 1] = source, target
        kept += 1
    return kept


@njit
def play_taking_back(board: Board, habits: Habits, key: Any, played: IntArray, looked: IntArray) -> int:
    """Play until the deal is won, every way was tried, or the budget is used up; take moves back when stuck.

    A depth-first search over real moves in the order of the tips, in which no position is played on twice.
    Every legal move of a position that is played on is looked at, and counts against the budget. Equal moves
    come in the order of numbers drawn below 1024 each, so two of them have the same chance but for ties.

    Parameters and result are as in `play_forward`. If the deal is not won, the moves are those not taken
    back.
    """
    levels = played.shape[0]
    moves = np.empty((levels, MOST_MOVES, 2), dtype=np.int64)
    listed = np.zeros(levels, dtype=np.int64)
    tried = np.zeros(levels, dtype=np.int64)
    shifts = np.zeros(levels, dtype=np.int64)
    cards = np.zeros(levels, dtype=np.int64)
    marks = np.zeros(_FIRST_SLOTS, dtype=np.uint64)
    known = 0
    level = 0
    entering = True
    while level >= 0 and cards_left(board) and looked[0] < habits.budget:
        if entering:
            entering = False
            if 2 * known >= marks.size:
                marks = twice_as_large(marks)
            marks[slot_of(marks, board.mark[0])] = board.mark[0]
            known += 1
            random = (key, np.uint64(known * MOST_MOVES))
            tried[level] = 0
            listed[level] = order_moves(board, habits, shifts[level], moves[level], random)
            looked[0] += listed[level]
        if level + 1 == levels or tried[level] == listed[level]:
            level -= 1
            if level >= 0:
                take_back(board, played[level, 0], played[level, 1], cards[level])
            continue
        source, target = moves[level, tried[level], 0], moves[level, tried[level], 1]
        tried[level] += 1
        shifting = is_shift(board, source, target)
        cards[level] = make(board, source, target)
        if marks[slot_of(marks, board.mark[0])] != 0:
            take_back(board, source, target, cards[level])
            continue
        played[level, 0], played[level, 1] = source, target
        shifts[level + 1] = shifts[level] + 1 if shifting else 0
        level += 1
        entering = True
    return max(level, 0)


@njit(nogil=True)
def play_one(board: Board, habits: Habits, key: Any, played: IntArray, looked: IntArray) -> int:
    """Play a deal as the habits say; as `play_forward`."""
    if habits.budget:
        return int(play_taking_back(board, habits, key, played, looked))
    return int(play_forward(board, habits, key, played, looked))

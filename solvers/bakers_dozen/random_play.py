"""The kernel that makes lifts and digs at random, and whatever shifts they take.

Lifts and digs cannot be undone; shifts can, so they decide nothing (`solvers.bakers_dozen.player_kernel` says
what is what). A player who sees through all shifts chooses among the lifts and digs that some shifts make
possible. Here that choice is random.

Which are possible is easily seen. A card that lies loose on a card above it can be shifted if any other
card of that rank has nothing on it. Shifts do not change how many cards of a rank have nothing on them, so
the cards on a card can be shifted away one by one, from the top, if and only if for each of them there is an
uncovered card one rank higher. A dig needs one for the card itself as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.player_kernel import COLUMN_ROOM, MOST_COLUMNS, UP, Board, cards_left, make
from solvers.compilation import njit
from solvers.streams import draw_below

IntArray = NDArray[np.int64]

_MOST_CHOICES = MOST_COLUMNS * 13
"""Each column has at most a whole sequence of accessible cards."""


@njit
def count_open(board: Board, rank: int) -> int:
    """Number of columns whose top card has that rank (from 0)."""
    count = 0
    for column in range(board.heights.size):
        height = board.heights[column]
        if height and board.columns[column, height - 1] >> 2 == rank:
            count += 1
    return count


@njit
def draw_open(board: Board, rank: int, key: Any, counter: Any) -> Any:
    """Draw one of those columns; return it and the first word not read."""
    skip, counter = draw_below(key, counter, np.uint64(count_open(board, rank)))
    for column in range(board.heights.size):
        height = board.heights[column]
        if height and board.columns[column, height - 1] >> 2 == rank:
            if skip == 0:
                return column, counter
            skip -= np.uint64(1)
    return -1, counter


@njit
def list_choices(board: Board, choices: IntArray) -> int:
    """Fill `choices` with (column, place of the card, whether it goes up) of each lift and dig possible.

    A lift that can do no harm stands alone: that of a card on which no card could be put that cannot go up
    itself. The last card of a column is not dug, since that gains nothing.
    """
    lowest = board.foundations.min()
    count = 0
    for column in range(board.heights.size):
        for place in range(board.heights[column] - 1, -1, -1):
            card = board.columns[column, place]
            rank = card >> 2
            if board.foundations[card & 3] == rank:
                choices[count, 0], choices[count, 1], choices[count, 2] = column, place, 1
                count += 1
                if rank <= lowest + 1:
                    choices[0] = choices[count - 1]
                    return 1
            if place == 0 or count_open(board, rank + 1) == 0:
                break
            if board.columns[column, place - 1] >> 2 != rank + 1:
                choices[count, 0], choices[count, 1], choices[count, 2] = column, place, 0
                count += 1
                break
    return count


@njit
def play_at_random(board: Board, key: Any, counter: Any) -> Any:
    """Make lifts and digs at random until the deal is won or there is none left.

    Parameters
    ----------
    board : Board
        Played on, in place; its mark is of no account.
    key, counter : uint64
        First word of the random stream to read.

    Returns
    -------
    uint64
        First word not read.
    """
    choices = np.empty((_MOST_CHOICES, 3), dtype=np.int64)
    while True:
        count = list_choices(board, choices)
        if count == 0:
            return counter
        chosen, counter = draw_below(key, counter, np.uint64(count))
        column, place, up = choices[np.int64(chosen)]
        while board.heights[column] > place + 1:
            rank = board.columns[column, board.heights[column] - 1] >> 2
            target, counter = draw_open(board, rank + 1, key, counter)
            make(board, column, target)
        target = UP
        if not up:
            target, counter = draw_open(board, (board.columns[column, place] >> 2) + 1, key, counter)
        make(board, column, target)


@njit(nogil=True)
def count_random_wins(board: Board, plays: int, key: Any) -> int:
    """Number of wins in so many random plays of a position, which is left as it is."""
    trial = Board(
        np.empty((board.heights.size, COLUMN_ROOM), dtype=np.int64),
        np.empty_like(board.heights),
        np.empty_like(board.foundations),
        np.zeros(1, dtype=np.uint64),
    )
    counter = np.uint64(0)
    wins = 0
    for _ in range(plays):
        trial.columns[:] = board.columns
        trial.heights[:] = board.heights
        trial.foundations[:] = board.foundations
        counter = play_at_random(trial, key, counter)
        wins += cards_left(trial) == 0
    return wins

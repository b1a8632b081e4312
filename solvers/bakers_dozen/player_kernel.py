"""Kernels that play Baker's Dozen as a person might: with tips, some foresight, some memory, and no proof.

A board is its real columns::

    columns[c, :heights[c]]     card codes of column c, bottom first
    foundations[s]              height of suit s
    mark[0]                     a 64-bit number for the position

Moves are of three kinds. A *lift* goes to a foundation. A *dig* takes a card off a card on which it could
not have been put, or from the bottom of its column. Neither can be undone. A *shift* takes a card from one
card to another of the same rank, and can be undone at once.

The mark of a position is the sum, without carries, of a random number for each card and the card under it. It
does not depend on the order of the columns. Two positions may have the same mark, with a chance of 2^-64 for
each pair. A player then takes a position for one that he knows and passes it by: he may miss a win,
but can never claim one, since he wins by playing moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compilation import njit
from solvers.streams import draw_below, word

IntArray = NDArray[np.int64]

UP = -1
"""Target of a lift."""
MOST_COLUMNS = 13
MOST_MOVES = 64
"""Room for the legal moves of a position: each of 13 cards can go onto at most 4 others, and 4 can go up."""
MOST_FORESIGHT = 6
COLUMN_ROOM = 52

FOUNDATIONS, ACES_AND_TWOS, KEEP_COLUMNS, LOW_CARDS = 1, 2, 4, 8

# Each tip outweighs all those after it: 8 aces and twos; a column of low cards, at most 12 each.
_LIFT_WORTH, _ACE_WORTH, _COLUMN_WORTH = 1_000_000, 10_000, 1_000
_WIN_WORTH = 1_000_000_000
DEAD_END = -_WIN_WORTH

_MARK_KEY = np.uint64(0x8E5D1A7C3B9F2461)
_NOTHING = 52  # "the card under it" of the lowest card of a column


class Board(NamedTuple):
    """A position that moves are made on, in place."""

    columns: IntArray  # (columns, COLUMN_ROOM)
    heights: IntArray  # (columns,)
    foundations: IntArray  # (4,)
    mark: NDArray[np.uint64]  # (1,)


class Habits(NamedTuple):
    """How a player plays."""

    tips: int  # which of the tips he heeds
    foresight: int  # moves he looks ahead; 0: he moves at random
    shifts: int  # shifts he makes in a row at most
    budget: int  # positions he looks at before he gives up, if he takes moves back; 0: he does not


@njit
def pair_mark(card: int, under: int) -> Any:
    """Random number that stands for a card on another, or at the bottom of a column."""
    return word(_MARK_KEY, np.uint64(card * (_NOTHING + 1) + under))


@njit
def set_mark(board: Board) -> None:
    """Work out the mark of a board that was just set up."""
    board.mark[0] = 0
    for column in range(board.heights.size):
        under = _NOTHING
        for place in range(board.heights[column]):
            card = board.columns[column, place]
            board.mark[0] ^= pair_mark(card, under)
            under = card


@njit
def cards_left(board: Board) -> int:
    """Number of cards in the tableau."""
    return int(board.heights.sum())


@njit
def list_moves(board: Board, moves: IntArray) -> int:
    """Fill `moves` with (source, target) of each legal move; return how many there are."""
    count = 0
    for source in range(board.heights.size):
        height = board.heights[source]
        if height == 0:
            continue
        card = board.columns[source, height - 1]
        if board.foundations[card & 3] == card >> 2:
            moves[count, 0], moves[count, 1] = source, UP
            count += 1
        for target in range(board.heights.size):
            # An empty column takes nothing.
            if board.heights[target] and target != source:
                support = board.columns[target, board.heights[target] - 1]
                if support >> 2 == (card >> 2) + 1:
                    moves[count, 0], moves[count, 1] = source, target
                    count += 1
    return count


@njit
def is_shift(board: Board, source: int, target: int) -> bool:
    """Whether a move takes a card from a card one rank higher, to another."""
    height = board.heights[source]
    if target == UP or height < 2:
        return False
    return bool(board.columns[source, height - 2] >> 2 == (board.columns[source, height - 1] >> 2) + 1)


@njit
def make(board: Board, source: int, target: int) -> int:
    """Make a legal move, in place; return the card moved."""
    board.heights[source] -= 1
    height = board.heights[source]
    card = board.columns[source, height]
    board.mark[0] ^= pair_mark(card, board.columns[source, height - 1] if height else _NOTHING)
    if target == UP:
        board.foundations[card & 3] += 1
    else:
        board.mark[0] ^= pair_mark(card, board.columns[target, board.heights[target] - 1])
        board.columns[target, board.heights[target]] = card
        board.heights[target] += 1
    return int(card)


@njit
def take_back(board: Board, source: int, target: int, card: int) -> None:
    """Undo the move that was made last, in place."""
    if target == UP:
        board.foundations[card & 3] -= 1
    else:
        board.heights[target] -= 1
        board.mark[0] ^= pair_mark(card, board.columns[target, board.heights[target] - 1])
    height = board.heights[source]
    board.mark[0] ^= pair_mark(card, board.columns[source, height - 1] if height else _NOTHING)
    board.columns[source, height] = card
    board.heights[source] += 1


@njit
def weight_on(board: Board, column: int, height: int, card: int, tips: int) -> int:
    """What is buried by `card` in a column, on the lowest `height` cards, as the tips see it."""
    total = 0
    for place in range(height):
        rank = board.columns[column, place] >> 2
        if rank <= 1 and tips & ACES_AND_TWOS:
            total += _ACE_WORTH
        if rank < card >> 2 and tips & LOW_CARDS:
            total += 13 - rank
    return total


@njit
def worth(board: Board, source: int, target: int, tips: int) -> int:
    """What the tips think of a move.

    *Foundations first*: a card that can go up goes up. *Aces and twos first*: uncover them, and put nothing
    on them. *Keep columns*: do not move the last card of a column onto another column. *Low cards*: put no
    card on a column in which lower ones lie, and take it off one; the lower they are, the more it matters.
    """
    height = board.heights[source] - 1
    card = board.columns[source, height]
    total = weight_on(board, source, height, card, tips)
    if target == UP:
        return total + (_LIFT_WORTH if tips & FOUNDATIONS else 0)
    if height == 0 and tips & KEEP_COLUMNS:
        total -= _COLUMN_WORTH
    return total - weight_on(board, target, board.heights[target], card, tips)


@njit
def look_ahead(board: Board, tips: int, depth: int, moves: IntArray, looked: IntArray) -> int:
    """Worth of the best `depth` moves in a row from here; `DEAD_END` if so many cannot be made.

    Parameters
    ----------
    moves : ndarray of int64, shape (MOST_FORESIGHT, MOST_MOVES, 2)
        Room to work in.
    looked : ndarray of int64, shape (1,)
        Counts the positions looked at, in place.
    """
    if cards_left(board) == 0:
        return _WIN_WORTH
    listed = np.zeros(MOST_FORESIGHT, dtype=np.int64)
    tried = np.zeros(MOST_FORESIGHT, dtype=np.int64)
    sums = np.zeros(MOST_FORESIGHT, dtype=np.int64)
    cards = np.zeros(MOST_FORESIGHT, dtype=np.int64)
    best = DEAD_END
    level = 0
    listed[0] = list_moves(board, moves[0])
    while level >= 0:
        if tried[level] == listed[level]:
            level -= 1
            if level >= 0:
                index = tried[level] - 1
                take_back(board, moves[level, index, 0], moves[level, index, 1], cards[level])
            continue
        source, target = moves[level, tried[level], 0], moves[level, tried[level], 1]
        tried[level] += 1
        looked[0] += 1
        total = sums[level] + worth(board, source, target, tips)
        if level + 1 == depth:
            best = max(best, total)
            continue
        cards[level] = make(board, source, target)
        level += 1
        sums[level] = total
        tried[level] = 0
        listed[level] = list_moves(board, moves[level])
        if cards_left(board) == 0:
            best = max(best, _WIN_WORTH)
    return best


@njit
def play_forward(board: Board, habits: Habits, key: Any, played: IntArray, looked: IntArray) -> int:
    """Play until the deal is won or the player gives up, and take nothing back.

    Of the moves that the tips and the look ahead find best he chooses one at random. He does not return to
    a position that he has seen since the last lift or dig, unless he moves at random altogether.

    Parameters
    ----------
    board : Board
        Played on, in place.
    habits : Habits
    key : uint64
        Of the random stream.
    played : ndarray of int64, shape (room, 2)
        Filled with the moves made.
    looked : ndarray of int64, shape (1,)
        Counts the positions looked at, in place.

    Returns
    -------
    int
        Number of moves made.
    """
    moves = np.empty((MOST_MOVES, 2), dtype=np.int64)
    deeper = np.empty((MOST_FORESIGHT, MOST_MOVES, 2), dtype=np.int64)
    best = np.empty(MOST_MOVES, dtype=np.int64)
    seen = np.empty(habits.shifts + 1, dtype=np.uint64)
    counter = np.uint64(0)
    shifts = 0
    length = 0
    while length < played.shape[0]:
        count = list_moves(board, moves)
        seen[shifts] = board.mark[0]
        ties = 0
        most = 2 * DEAD_END
        for index in range(count):
            source, target = moves[index, 0], moves[index, 1]
            value = 0
            shifting = is_shift(board, source, target)
            if shifting and shifts == habits.shifts:
                continue
            if habits.foresight:
                value = worth(board, source, target, habits.tips)
                looked[0] += 1
                if shifting or habits.foresight > 1:
                    card = make(board, source, target)
                    known = shifting and is_among(board.mark[0], seen, shifts + 1)
                    if not known and habits.foresight > 1:
                        value += look_ahead(board, habits.tips, habits.foresight - 1, deeper, looked)
                    take_back(board, source, target, card)
                    if known:
                        continue
            if value > most:
                most, ties = value, 0
            if value == most:
                best[ties] = index
                ties += 1
        if ties == 0:
            break
        chosen, counter = draw_below(key, counter, np.uint64(ties))
        index = best[np.int64(chosen)]
        source, target = moves[index, 0], moves[index, 1]
        shifts = shifts + 1 if is_shift(board, source, target) else 0
        make(board, source, target)
        played[length, 0], played[length, 1] = source, target
        length += 1
    return length


@njit
def is_among(mark: Any, marks: Any, count: int) -> bool:
    """Whether a mark is one of the first `count`."""
    for index in range(count):  # noqa: SIM110  # compiled to less than any() is
        if marks[index] == mark:
            return True
    return False

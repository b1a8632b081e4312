"""Real columns and real moves, for every game of the family, as the compiled code sees them.

A move is (card, target): the card, with whatever lies on it, goes onto another card, into a ``SPACE`` or
``UP`` to its foundation. Naming cards instead of columns makes a move mean the same wherever the columns
have got to, and leaves out what does not matter: columns have no order.

The state of the game in an exact key
-------------------------------------
What can happen next depends only on what each card lies on. For a card that is one of seven things:
one of the (at most four) cards one rank higher, by its suit; the card it was dealt on, if that is
of another rank; the bottom of a column; or its foundation. Three bits a card say it, 156 bits in
all: three words of 18 cards. Two states with the same key are the same state, and no hashing comes
in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.masks import (
    ANY,
    DIAL,
    KINGS,
    NOTHING,
    SINGLE_CARD,
    RuleCodes,
    bit_index,
    ever_up,
    next_up,
)
from solvers.compilation import njit

IntArray = NDArray[np.int64]

SPACE, UP = 52, 53
"""Targets that are no cards; also what a card lies on at the bottom of a column, or when it is up."""

_CARDS_A_WORD = 18
_ON_DEALT, _AT_BOTTOM, _ON_FOUNDATION = 4, 5, 6


class RuleTables(NamedTuple):
    """The rules of a game, played with a deck. Masks have bit ``card code`` set."""

    codes: RuleCodes
    supports: IntArray  # (52,), mask of the cards that each may lie on
    before: IntArray  # (52,), the card that must be up before it, NOTHING if it begins; in suit and dial
    after: IntArray  # (52,), the card that goes up on it, NOTHING if none; in suit and dial
    first_up: int  # mask of the cards that are never taken from a foundation


class Board(NamedTuple):
    """The cards on the table, changed in place."""

    under: IntArray  # (52,), the card that each lies on, SPACE or UP
    over: IntArray  # (52,), the card on it, or NOTHING
    column_of: IntArray  # (52,), NOTHING for a card that is up
    tops: IntArray  # (columns,), the top card of each, or NOTHING
    masks: IntArray  # (2,): cards that are up; top cards
    empty: IntArray  # (1,): empty columns
    key: IntArray  # (3,)


@njit
def copy_board(board: Board, target: Board) -> None:
    """Make `target` the same as `board`."""
    target.under[:] = board.under
    target.over[:] = board.over
    target.column_of[:] = board.column_of
    target.tops[:] = board.tops
    target.masks[:] = board.masks
    target.empty[:] = board.empty
    target.key[:] = board.key


@njit
def place_code(card: int, under: int) -> int:
    """Three bits for what a card lies on."""
    if under == SPACE:
        return _AT_BOTTOM
    if under == UP:
        return _ON_FOUNDATION
    return under & 3 if under >> 2 == (card >> 2) + 1 else _ON_DEALT


@njit
def write_key(board: Board, cards: int) -> None:
    """Compute the key of a state from what each card lies on; `cards` is one more than the highest code."""
    board.key[:] = 0
    for card in range(cards):
        code = place_code(card, board.under[card])
        board.key[card // _CARDS_A_WORD] |= code << (3 * (card % _CARDS_A_WORD))


@njit
def fit_foundations(rules: RuleTables, up: int) -> int:
    """Mask of the cards that may go to a foundation, given those that are up."""
    if rules.codes.foundations != DIAL:
        return next_up(rules.codes, up)
    return _fit_dial(rules, up)


@njit
def foundations_ever(rules: RuleTables, up: int) -> int:
    """Mask of the cards that may go up if those of `up` are up at some time (`masks.ever_up`)."""
    if rules.codes.foundations != DIAL:
        return ever_up(rules.codes, up)
    return _fit_dial(rules, up)


@njit
def _fit_dial(rules: RuleTables, up: int) -> int:
    fit = 0
    left = rules.codes.deck & ~up
    while left:
        bit = left & -left
        left ^= bit
        if (up >> rules.before[bit_index(bit)]) & 1:
            fit |= bit
    return fit


@njit
def put(board: Board, card: int, target: int) -> None:
    """Move `card`, and what lies on it, to `target`, whether or not the rules allow it."""
    under = board.under[card]
    column = board.column_of[card]
    last = card
    while board.over[last] != NOTHING:
        last = board.over[last]
    tops = board.masks[1] & ~(1 << last)
    if under == UP:
        board.masks[0] &= ~(1 << card)
    elif under == SPACE:
        board.tops[column] = NOTHING
        board.empty[0] += 1
    else:
        board.over[under] = NOTHING
        board.tops[column] = under
        tops |= 1 << under
    goes_to = NOTHING
    if target == UP:
        board.masks[0] |= 1 << card
    else:
        if target == SPACE:
            goes_to = 0
            while board.tops[goes_to] != NOTHING:
                goes_to += 1
            board.empty[0] -= 1
        else:
            goes_to = board.column_of[target]
            board.over[target] = card
            tops &= ~(1 << target)
        board.tops[goes_to] = last
        tops |= 1 << last
    board.masks[1] = tops
    board.under[card] = target
    moved = card
    while moved != NOTHING:
        board.column_of[moved] = goes_to
        moved = board.over[moved]
    change = place_code(card, target) - place_code(card, under)
    board.key[card // _CARDS_A_WORD] += change << (3 * (card % _CARDS_A_WORD))


@njit
def sequence_length(rules: RuleTables, board: Board, card: int) -> int:
    """Number of cards from `card` to the top of its column if they are in sequence, else 0."""
    count = 1
    while board.over[card] != NOTHING:
        above = board.over[card]
        if not rules.supports[above] >> card & 1:
            return 0
        card = above
        count += 1
    return count


@njit
def may_fill(rules: RuleTables, card: int, count: int) -> bool:
    """Whether `count` cards, `card` the lowest, may go into a space."""
    if rules.codes.spaces == KINGS:
        return bool(card >> 2 == rules.codes.ranks - 1)
    return rules.codes.spaces == ANY or (rules.codes.spaces == SINGLE_CARD and count == 1)


@njit
def is_legal(rules: RuleTables, board: Board, card: int, target: int) -> bool:
    """Whether the rules allow a move."""
    under = board.under[card]
    up = board.masks[0]
    if under == UP:
        if not rules.codes.worrying_back or target == UP or rules.first_up >> card & 1:
            return False
        after = rules.after[card]
        if after != NOTHING and up >> after & 1:
            return False
        count = 1
    else:
        count = sequence_length(rules, board, card)
        if count == 0 or (count > 1 and (target == UP or not rules.codes.sequences)):
            return False
    if target == UP:
        return bool(fit_foundations(rules, up) >> card & 1)
    if target == SPACE:
        return board.empty[0] > 0 and under != SPACE and may_fill(rules, card, count)
    return bool(target != under and board.masks[1] & rules.supports[card] & (1 << target))


class MoveList(NamedTuple):
    """Moves as (card, target), and their number."""

    moves: IntArray  # (room, 2)
    length: IntArray  # (1,)


@njit
def record(rules: RuleTables, board: Board, listed: MoveList, card: int, target: int) -> bool:
    """Make a move and write it down; False if it is not legal or the list is full."""
    if listed.length[0] >= listed.moves.shape[0] or not is_legal(rules, board, card, target):
        return False
    put(board, card, target)
    listed.moves[listed.length[0], 0] = card
    listed.moves[listed.length[0], 1] = target
    listed.length[0] += 1
    return True


@njit
def _plays_on(rules: RuleTables, board: Board, listed: MoveList, start: int, without: int) -> bool:
    """Whether the moves from `start` on, without one of them, are legal and complete."""
    for index in range(start, listed.length[0]):
        if index != without:
            card, target = listed.moves[index]
            if not is_legal(rules, board, card, target):
                return False
            put(board, card, target)
    return bool(board.masks[0] == rules.codes.deck)


@njit
def _remove(listed: MoveList, index: int) -> None:
    length = listed.length[0]
    for place in range(index, length - 1):
        listed.moves[place] = listed.moves[place + 1]
    listed.length[0] -= 1


@njit
def shorten(rules: RuleTables, start: Board, scratch: Board, trial: Board, listed: MoveList) -> None:
    """Take needless moves out of a complete `listed` until none is left.

    A move is *needless* if the list is still legal and complete

    * without it, the later moves as they are; or
    * without it and the next move of the same card, where that puts it back; or
    * with it sent straight to where the same card goes next, and that next move left out.

    (A shorter solution may exist; this is not a claim that there is none.)
    """
    moves = listed.moves
    changed = True
    while changed:
        changed = False
        copy_board(start, scratch)
        index = 0
        while index < listed.length[0]:
            card, target = moves[index]
            following = index + 1
            while following < listed.length[0] and moves[following, 0] != card:
                following += 1
            dropped = NOTHING
            if target != UP or following < listed.length[0]:
                copy_board(scratch, trial)
                if _plays_on(rules, trial, listed, index + 1, NOTHING):
                    dropped = index
            if dropped < 0 and following < listed.length[0]:
                onward = moves[following, 1]
                copy_board(scratch, trial)
                if onward == scratch.under[card]:
                    if _plays_on(rules, trial, listed, index + 1, following):
                        _remove(listed, following)
                        dropped = index
                elif is_legal(rules, trial, card, onward):
                    put(trial, card, onward)
                    if _plays_on(rules, trial, listed, index + 1, following):
                        moves[index, 1] = onward
                        dropped = following
            if dropped >= 0:
                _remove(listed, dropped)
                changed = True
                continue
            put(scratch, card, target)
            index += 1


@njit
def real_moves(board: Board, listed: MoveList, named: IntArray) -> None:
    """Play `listed` on `board` (in place) and fill ``named[i]`` with card, source, target and count.

    Columns are numbered from 0; NOTHING stands for a foundation.
    """
    for index in range(listed.length[0]):
        card, target = listed.moves[index]
        count = 1
        above = board.over[card]
        while above != NOTHING:
            count += 1
            above = board.over[above]
        named[index, 0] = card
        named[index, 1] = board.column_of[card]
        put(board, card, target)
        named[index, 2] = board.column_of[card]
        named[index, 3] = count

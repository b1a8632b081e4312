"""Layer 3 of the search: from a plan of lifts and digs to moves of real cards.

A plan found by the search is a path of states, each with the *set* of pairings of frozen cards
that are still possible. `choose_supports` walks it backwards: it fixes one pairing at the end and, step by
step, one before that which leads to it; there always is one, since the set after a step holds
only what some pairing of the set before it becomes.

`realise` then plays the plan on real columns. Before each lift or dig it rearranges, from the high
ranks to the low, so that

* every card that freezes with this step lies on the support chosen for it;
* the card to be moved is uncovered, and for a dig so is its new support.

Setting a rank moves cards of that rank and, to get at them, of lower ones; so what was set higher up
stays. To uncover a card, the card on it is first uncovered itself and then moved to any uncovered
support. That never fails: cards on a card that is not frozen are not frozen, so their rank's supports
are not all covered. Frozen cards are never touched. (The referee checks all this again, knowing
nothing of it.)

`shorten` takes out needless moves. A list of moves names each card and the card it goes onto. A move is
*needless* if the list is still legal and complete

* without it, the later moves as they are (a later move of the card onto the card it lies on already
  goes too); or
* with it sent straight to where the same card goes next, and that next move left out.

No such move is left at the end. (A shorter solution may exist; this is not a claim that there is none.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.counts import LIFT, Layout
from solvers.bakers_dozen.frozen import paired_ranks, pairings_after, step_of
from solvers.bakers_dozen.pairings import PERMUTATIONS, SENDS
from solvers.bakers_dozen.search import LEVEL, Search
from solvers.compilation import njit
from solvers.positions import FOUNDATION, Move, Position

IntArray = NDArray[np.int64]

_PERMUTATIONS = np.array(PERMUTATIONS, dtype=np.int64)
NOWHERE = -1
"""Support of a card that lies on none, and target of a move to the foundation."""


class Board(NamedTuple):
    """The cards on the table, changed in place: which column each is in and which cards it touches."""

    column_of: IntArray  # (52,), column of each card of the tableau, -1 for others
    under: IntArray  # (52,), the card it lies on, or NOWHERE
    over: IntArray  # (52,), the card on it, or NOWHERE
    foundations: IntArray  # (4,), height of each


def board_of(position: Position) -> Board:
    """The real columns of a position."""
    board = Board(
        column_of=np.full(52, -1, dtype=np.int64),
        under=np.full(52, NOWHERE, dtype=np.int64),
        over=np.full(52, NOWHERE, dtype=np.int64),
        foundations=np.zeros(4, dtype=np.int64),
    )
    board.foundations[: len(position.foundations)] = position.foundations
    for number, column in enumerate(position.columns):
        for place, card in enumerate(column):
            board.column_of[card] = number
            if place:
                board.under[card] = column[place - 1]
                board.over[column[place - 1]] = card
    return board


@njit
def copy_board(board: Board, target: Board) -> None:
    """Make `target` the same as `board`."""
    target.column_of[:] = board.column_of
    target.under[:] = board.under
    target.over[:] = board.over
    target.foundations[:] = board.foundations


@njit
def move_card(board: Board, card: int, support: int) -> bool:
    """Move `card` onto `support`, or to its foundation if that is NOWHERE; False if it is not legal."""
    if board.over[card] != NOWHERE:
        return False
    column = board.column_of[card]
    if column < 0:
        return False
    if support == NOWHERE:
        if board.foundations[card & 3] != card >> 2:
            return False
    elif board.column_of[support] < 0 or board.over[support] != NOWHERE or support >> 2 != (card >> 2) + 1:
        return False
    below = board.under[card]
    if below != NOWHERE:
        board.over[below] = NOWHERE
    board.under[card] = support
    if support == NOWHERE:
        board.foundations[card & 3] += 1
        board.column_of[card] = -1
    else:
        board.over[support] = card
        board.column_of[card] = board.column_of[support]
    return True


@njit
def choose_supports(layout: Layout, search: Search, chosen: IntArray) -> None:
    """Fill ``chosen[level, card]`` with the support of each card frozen at each level of the plan."""
    states, branches = search.states, search.branches
    chosen[:] = NOWHERE
    for level in range(search.registers[LEVEL] - 1, -1, -1):
        step = step_of(layout, states, level, search.card[level])
        row, row_after = search.row[level], search.row[level + 1]
        for rank in range(paired_ranks(layout)):
            bits = 4 * rank
            was = (branches.frozen[row] >> bits) & 15
            still = (branches.frozen[row_after] >> bits) & 15
            possible = pairings_after(layout, step, rank, branches.pairings[row, rank], was, still)
            for suit in range(4):
                if still >> suit & 1:
                    possible &= SENDS[suit, 1 << (chosen[level + 1, bits + suit] & 3)]
            index = 0
            while not possible >> index & 1:
                index += 1
            for suit in range(4):
                if was >> suit & 1:
                    chosen[level, bits + suit] = bits + 4 + _PERMUTATIONS[index, suit]
                if still >> suit & 1 and level + 1 == search.registers[LEVEL]:
                    chosen[level + 1, bits + suit] = bits + 4 + _PERMUTATIONS[index, suit]


@njit
def find_open(board: Board, rank: int, keep: IntArray) -> int:
    """An uncovered card of a rank (from 0), one not listed in `keep` if possible, or NOWHERE."""
    found = NOWHERE
    for suit in range(4):
        support = 4 * rank + suit
        if board.column_of[support] >= 0 and board.over[support] == NOWHERE:
            found = support
            wanted = False
            for card in keep:
                if card == support:
                    wanted = True
            if not wanted:
                return found
    return found


class MoveList(NamedTuple):
    """Moves as (card, support or NOWHERE), and their number."""

    moves: IntArray  # (room, 2)
    length: IntArray  # (1,)


@njit
def record(board: Board, listed: MoveList, card: int, support: int) -> bool:
    """Make a move and write it down; False if it is not legal or the list is full."""
    if listed.length[0] >= listed.moves.shape[0] or not move_card(board, card, support):
        return False
    listed.moves[listed.length[0], 0] = card
    listed.moves[listed.length[0], 1] = support
    listed.length[0] += 1
    return True


@njit
def uncover(board: Board, listed: MoveList, card: int, keep: IntArray) -> bool:
    """Move away whatever lies on `card`, from the top down."""
    while board.over[card] != NOWHERE:
        top = card
        while board.over[top] != NOWHERE:
            top = board.over[top]
        support = find_open(board, (top >> 2) + 1, keep)
        if support == NOWHERE or not record(board, listed, top, support):
            return False
    return True


@njit
def realise(layout: Layout, search: Search, board: Board, chosen: IntArray, listed: MoveList) -> bool:
    """Play the plan on `board` (in place), writing the moves to `listed`; False if it cannot be done."""
    states, branches = search.states, search.branches
    keep = np.empty(6, dtype=np.int64)
    for level in range(search.registers[LEVEL]):
        move = search.moves[level, search.next[level] - 1]
        card = search.card[level]
        lifts = move >= LIFT
        step = step_of(layout, states, level, card)
        newly = branches.frozen[search.row[level + 1]] & ~branches.frozen[search.row[level]] & ~step.appeared
        keep[:] = NOWHERE
        keep[0] = card
        if not lifts and chosen[level + 1, card] != NOWHERE:
            keep[1] = chosen[level + 1, card]
        for rank in range(layout.ranks - 2, -1, -1):
            keep[2:] = NOWHERE
            for suit in range(4):
                frozen = 4 * rank + suit
                if newly >> frozen & 1:
                    keep[2 + suit] = chosen[level + 1, frozen]
            for suit in range(4):
                frozen = 4 * rank + suit
                if not newly >> frozen & 1 or frozen == card:
                    continue
                support = chosen[level + 1, frozen]
                if board.under[frozen] == support:
                    continue
                if not uncover(board, listed, support, keep):
                    return False
                if not (uncover(board, listed, frozen, keep) and record(board, listed, frozen, support)):
                    return False
            for place in range(2):
                wanted = keep[place]
                if wanted == NOWHERE or wanted >> 2 != rank + 1:
                    continue
                if not uncover(board, listed, wanted, keep):
                    return False
        target = NOWHERE
        if not lifts:
            target = keep[1]
            if target == NOWHERE:
                target = find_open(board, (card >> 2) + 1, keep[:0])
                if target == NOWHERE:
                    return False
        if not record(board, listed, card, target):
            return False
    return True


@njit
def play_rest(board: Board, moves: IntArray, start: int, length: int, without: int) -> bool:
    """Whether moves `start` to `length`, without one of them, are legal and complete."""
    for index in range(start, length):
        if index != without and not move_card(board, moves[index, 0], moves[index, 1]):
            return False
    return True


@njit
def shorten(board: Board, scratch: Board, trial: Board, listed: MoveList) -> None:
    """Take needless moves out of `listed` until none is left. `board` is where it starts."""
    moves = listed.moves
    changed = True
    while changed:
        changed = False
        copy_board(board, scratch)
        index = 0
        while index < listed.length[0]:
            length = listed.length[0]
            card, support = moves[index, 0], moves[index, 1]
            dropped = -1
            if support != NOWHERE:
                following = index + 1
                while moves[following, 0] != card:
                    following += 1
                onward = moves[following, 1]
                copy_board(scratch, trial)
                if onward == scratch.under[card] and onward != NOWHERE:
                    # There and back: both go.
                    if play_rest(trial, moves, index + 1, length, following):
                        dropped = index
                        moves[following : length - 1] = moves[following + 1 : length].copy()
                        listed.length[0] -= 1
                elif play_rest(trial, moves, index + 1, length, -1):
                    dropped = index
                if dropped < 0:
                    copy_board(scratch, trial)
                    if move_card(trial, card, onward) and play_rest(
                        trial, moves, index + 1, length, following
                    ):
                        moves[index, 1] = onward
                        dropped = following
            if dropped >= 0:
                length = listed.length[0]
                moves[dropped : length - 1] = moves[dropped + 1 : length].copy()
                listed.length[0] -= 1
                changed = True
                continue
            move_card(scratch, card, support)
            index += 1


def real_moves(board: Board, listed: MoveList) -> tuple[Move, ...]:
    """Play `listed` on `board` (in place) and name the columns of each move."""
    moves = []
    for card, support in listed.moves[: listed.length[0]].tolist():
        source = int(board.column_of[card])
        target = FOUNDATION if support == NOWHERE else int(board.column_of[support])
        move_card(board, card, support)
        moves.append(Move(card, source, target))
    return tuple(moves)

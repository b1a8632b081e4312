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
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.counts import LIFT
from solvers.bakers_dozen.frozen import paired_ranks, pairings_after, step_of
from solvers.bakers_dozen.masks import NOTHING, bit_index
from solvers.bakers_dozen.pairings import PERMUTATIONS, SENDS
from solvers.bakers_dozen.search import LEVEL, Search
from solvers.bakers_dozen.state import Layout
from solvers.bakers_dozen.tableau import SPACE, UP, Board, MoveList, RuleTables, record
from solvers.compilation import njit

IntArray = NDArray[np.int64]

_PERMUTATIONS = np.array(PERMUTATIONS, dtype=np.int64)


@njit
def choose_supports(layout: Layout, search: Search, chosen: IntArray) -> None:
    """Fill ``chosen[level, card]`` with the support of each card frozen at each level of the plan."""
    states, branches = search.states, search.branches
    chosen[:] = NOTHING
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
def find_open(board: Board, supports: int, keep: IntArray) -> int:
    """An uncovered card of those in the mask, one not listed in `keep` if possible, or NOTHING."""
    found = NOTHING
    supports &= board.masks[1]
    while supports:
        bit = supports & -supports
        supports ^= bit
        found = bit_index(bit)
        wanted = False
        for card in keep:
            if card == found:
                wanted = True
        if not wanted:
            return found
    return found


@njit
def uncover(rules: RuleTables, board: Board, listed: MoveList, card: int, keep: IntArray) -> bool:
    """Move away whatever lies on `card`, from the top down."""
    while board.over[card] != NOTHING:
        top = card
        while board.over[top] != NOTHING:
            top = board.over[top]
        support = find_open(board, rules.supports[top], keep)
        if support == NOTHING or not record(rules, board, listed, top, support):
            return False
    return True


@njit
def realise(
    layout: Layout, rules: RuleTables, search: Search, board: Board, chosen: IntArray, listed: MoveList
) -> bool:
    """Play the plan on `board` (in place), writing the moves to `listed`; False if it cannot be done."""
    states, branches = search.states, search.branches
    keep = np.empty(6, dtype=np.int64)
    for level in range(search.registers[LEVEL]):
        move = search.moves[level, search.next[level] - 1]
        card = search.card[level]
        lifts = move >= LIFT
        step = step_of(layout, states, level, card)
        newly = branches.frozen[search.row[level + 1]] & ~branches.frozen[search.row[level]] & ~step.appeared
        keep[:] = NOTHING
        keep[0] = card
        if not lifts and chosen[level + 1, card] != NOTHING:
            keep[1] = chosen[level + 1, card]
        for rank in range(layout.ranks - 2, -1, -1):
            keep[2:] = NOTHING
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
                if not uncover(rules, board, listed, support, keep):
                    return False
                if not (
                    uncover(rules, board, listed, frozen, keep)
                    and record(rules, board, listed, frozen, support)
                ):
                    return False
            for place in range(2):
                wanted = keep[place]
                if wanted == NOTHING or wanted >> 2 != rank + 1:
                    continue
                if not uncover(rules, board, listed, wanted, keep):
                    return False
        target = UP
        if not lifts:
            target = keep[1]
            if card >> 2 == layout.ranks - 1:
                target = SPACE
            elif target == NOTHING:
                target = find_open(board, rules.supports[card], keep[:0])
                if target == NOTHING:
                    return False
        if not record(rules, board, listed, card, target):
            return False
    return True

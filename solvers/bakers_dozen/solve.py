"""Decide a Baker's Dozen position: the public entry to the search.

The search has three layers, each in a module that argues why it is right:

1. `counts`: the game as counts of cards. Exhausting it proves a deal unwinnable.
2. `frozen`: the counts, and which cards are frozen on what. Exhausting it is a proof, too; and any path
   to its end can be played.
3. `realise`: the path as moves of real cards.

A verdict *winnable* is given only with a move list that the referee (`rules`) has accepted, *unwinnable* only
when layer 1 or 2 was exhausted. Anything else is *undecided*, with the limit that was met.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen import counts, explain, frozen, realise, rules, search, table
from solvers.bakers_dozen.layout import layout_of
from solvers.cards import RANK_LETTERS
from solvers.outcome import Limit, Outcome, SolveResult
from solvers.positions import Move, Position

IntArray = NDArray[np.int64]

FIRST_ALLOWANCE = 400
"""States before the first restart."""
GROWTH = 1.5
"""Each restart's allowance, as a multiple of the one before."""
NOISE = 100
"""Random number below this is added to the score of a move after a restart; a rank counts for 4."""
PROOF_AFTER = 5_000
"""States after which proofs that follow the frozen cards of a few ranks only are tried in between."""
SLICE = 20_000
"""States between two looks at the clock (and at Ctrl-C): about a tenth of a second."""

COUNTS_PER_STATE = 10
"""Layer-1 states allowed in a slice for each of layer 2, which takes about ten times as long."""

_MEGABYTE = 1_000_000
# Full at three quarters; the rest must hold what a search on its way back from the deepest level adds
# without asking: at most one entry a level, and there are 2 * 52 + 2 levels.
_FIRST_SLOTS = 1024
_FACTOR = 4
_MOST_PLAYED = 20_000


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up a deal as undecided.

    Parameters
    ----------
    states : int
        States of both layers together.
    seconds : float or None
        Wall time.
    megabytes : int
        Size of the tables.
    """

    states: int = 50_000_000
    seconds: float | None = None
    megabytes: int = 400


def solve(
    position: Position, limits: Limits | None = None, *, progress: Callable[[int], None] | None = None
) -> SolveResult:
    """Decide whether a position can be won, and how.

    Parameters
    ----------
    position : Position
        Any position of Baker's Dozen, from the start or later. It is checked.
    limits : Limits, optional
    progress : callable, optional
        Called several times a second with the number of states visited so far.

    Returns
    -------
    SolveResult
        Its `states` are the same for the same position and limits on states and memory.

    Raises
    ------
    InputError
        If the position is not one of its deck, or has too many columns.
    """
    position.check()
    return _Solver(position, limits or Limits(), progress).run()


def _new_search(start: tuple[int, int, int, int], levels: int) -> search.Search:
    """An empty workspace with the first state in row 0."""

    def zeros(*shape: int) -> IntArray:
        return np.zeros(shape, dtype=np.int64)

    def stack() -> counts.States:
        return counts.States(zeros(levels), zeros(levels), zeros(levels), zeros(levels))

    states = stack()
    for array, value in zip(states, start, strict=True):
        array[0] = value
    most = counts.MOST_MOVES
    return search.Search(
        states=states,
        moves=zeros(levels, most),
        scores=zeros(most),
        listed=zeros(levels),
        next=zeros(levels),
        card=zeros(levels),
        row=zeros(levels),
        base=zeros(levels),
        branch_next=zeros(levels),
        branch_end=zeros(levels),
        words=zeros(levels, 2),
        branches=frozen.Branches(zeros(_FIRST_SLOTS), zeros(_FIRST_SLOTS, frozen.PAIRED_RANKS)),
        counts=counts.CountsSearch(stack(), zeros(levels, most), zeros(most), zeros(levels), zeros(levels)),
        counts_table=table.new_counts_table(_FIRST_SLOTS),
        states_table=table.new_states_table(_FIRST_SLOTS),
        pairings_table=table.new_pairings_table(_FIRST_SLOTS),
        registers=zeros(search.REGISTERS),
    )


class _Solver:
    """One run: the workspace, the restarts and the limits."""

    def __init__(self, position: Position, limits: Limits, progress: Callable[[int], None] | None) -> None:
        self.position = position
        self.limits = limits
        self.progress = progress
        self.started = time.perf_counter()
        self.layout, self.start = layout_of(position)
        # Each card is lifted once and dug at most once.
        self.search = _new_search(self.start, levels=2 * position.deck.size + 2)
        self.stopped_by: Limit | None = None

    def run(self) -> SolveResult:
        """Search until a verdict or a limit."""
        verdict = self._judge_counts()
        if verdict == counts.DEAD:
            return self._result(
                Outcome.UNWINNABLE,
                "counts exhausted",
                explain.counts_alone(self.layout, self.start, self._visited()),
            )
        every_rank = (1 << frozen.PAIRED_RANKS) - 1
        lowest = frozen.paired_ranks(self.layout) - 1
        allowance, turn = float(FIRST_ALLOWANCE), 0
        while self.stopped_by is None:
            status = self._search(every_rank, int(allowance), turn)
            if status == search.WON:
                return self._result(Outcome.WINNABLE, "", self._plan(), self._moves())
            if status == search.LOST:
                return self._result(
                    Outcome.UNWINNABLE, "frozen cards exhausted", explain.frozen_cards(*self._by_layer())
                )
            while self.stopped_by is None and self._visited() >= PROOF_AFTER and lowest > 0:
                status = self._search(every_rank >> lowest << lowest, int(allowance), turn)
                if status == search.LOST:
                    ranks = " ".join(RANK_LETTERS[lowest : frozen.paired_ranks(self.layout)])
                    return self._result(
                        Outcome.UNWINNABLE,
                        f"frozen cards of ranks {ranks} exhausted",
                        explain.frozen_cards(*self._by_layer(), ranks),
                    )
                if status != search.WON:
                    break
                # These ranks alone do not refute the deal: follow one more.
                lowest -= 1
            allowance *= GROWTH
            turn += 1
        return self._result(Outcome.UNDECIDED, str(self.stopped_by))

    def _by_layer(self) -> tuple[int, int]:
        registers = self.search.registers
        return int(registers[search.VISITED_COUNTS]), int(registers[search.VISITED])

    def _visited(self) -> int:
        return sum(self._by_layer())

    def _may_go_on(self) -> bool:
        """Whether no limit is met; notes the one that is, and reports progress."""
        if self.progress is not None:
            self.progress(self._visited())
        if self._visited() >= self.limits.states:
            self.stopped_by = Limit.STATES
        elif self.limits.seconds is not None and time.perf_counter() - self.started >= self.limits.seconds:
            self.stopped_by = Limit.TIME
        return self.stopped_by is None

    def _grant(self, wanted: int) -> int:
        """As many states as wanted, or as the limit leaves."""
        return min(wanted, self.limits.states - self._visited())

    def _judge_counts(self) -> int:
        """Layer 1 from the start: DEAD, ALIVE, or UNKNOWN at a limit."""
        registers = self.search.registers
        while self._may_go_on():
            registers[search.LEFT_COUNTS] = self._grant(COUNTS_PER_STATE * SLICE)
            verdict = counts.counts_verdict(
                self.layout,
                self.search.counts,
                self.search.states,
                0,
                self.search.counts_table,
                registers[search.LEFT_COUNTS :],
            )
            if verdict != counts.UNKNOWN:
                return int(verdict)
            if not table.has_room(self.search.counts_table):
                self._grow(search.COUNTS_FULL)
        return counts.UNKNOWN

    def _search(self, tracked: int, allowance: int, turn: int) -> int:
        """Layer 2 from the root, as far as the allowance goes: WON, LOST or PAUSED."""
        registers = self.search.registers
        search.restart(self.layout, self.search, tracked, turn, NOISE if turn else 0)
        while self._may_go_on():
            granted = self._grant(min(allowance, SLICE))
            registers[search.LEFT] = granted
            registers[search.LEFT_COUNTS] = self._grant(COUNTS_PER_STATE * SLICE)
            status = int(search.advance(self.layout, self.search))
            allowance -= granted - int(registers[search.LEFT])
            if status in (search.WON, search.LOST):
                return status
            if status == search.PAUSED:
                if allowance <= 0:
                    break
            else:
                self._grow(status)
        return search.PAUSED

    def _grow(self, status: int) -> None:
        """Replace the array that is full by a larger one, unless that breaks the memory limit."""
        work = self.search
        if status == search.COUNTS_FULL:
            room = work.counts_table
            wanted = 8 * _FACTOR * room.size
        elif status == search.STATES_FULL:
            room = work.states_table
            wanted = 8 * _FACTOR * room.size
        elif status == search.PAIRINGS_FULL:
            room = work.pairings_table.slots
            wanted = 8 * 7 * _FACTOR * room.size
        else:
            room = work.branches.frozen
            wanted = 8 * (1 + frozen.PAIRED_RANKS) * _FACTOR * room.size
        if self._bytes() + wanted > self.limits.megabytes * _MEGABYTE:
            self.stopped_by = Limit.MEMORY
        elif status == search.COUNTS_FULL:
            larger = table.new_counts_table(_FACTOR * (room.size - 1))
            table.grow_counts_table(room, larger)
            self.search = work._replace(counts_table=larger)
        elif status == search.STATES_FULL:
            larger = table.new_states_table(_FACTOR * (room.size - 1) // 2)
            table.grow_states_table(room, larger)
            self.search = work._replace(states_table=larger)
        elif status == search.PAIRINGS_FULL:
            pairings = table.new_pairings_table(_FACTOR * (room.size - 1))
            table.grow_pairings_table(work.pairings_table, pairings)
            self.search = work._replace(pairings_table=pairings)
        else:
            branches = frozen.Branches(
                np.zeros(_FACTOR * room.size, dtype=np.int64),
                np.zeros((_FACTOR * room.size, frozen.PAIRED_RANKS), dtype=np.int64),
            )
            branches.frozen[: room.size] = work.branches.frozen
            branches.pairings[: room.size] = work.branches.pairings
            self.search = work._replace(branches=branches)

    def _bytes(self) -> int:
        work = self.search
        arrays = (work.counts_table, work.states_table, *work.pairings_table, *work.branches)
        return sum(array.nbytes for array in arrays)

    def _moves(self) -> tuple[Move, ...]:
        """The plan on the search's stack as moves of real cards, accepted by the referee."""
        board, scratch, trial = (realise.board_of(self.position) for _ in range(3))
        chosen = np.empty((self.search.states.key.size, 52), dtype=np.int64)
        realise.choose_supports(self.layout, self.search, chosen)
        listed = realise.MoveList(np.empty((_MOST_PLAYED, 2), dtype=np.int64), np.zeros(1, dtype=np.int64))
        if not realise.realise(self.layout, self.search, board, chosen, listed):
            raise AssertionError(f"the plan for this position cannot be played:\n{self.position}")
        board = realise.board_of(self.position)
        realise.shorten(board, scratch, trial, listed)
        moves = realise.real_moves(board, listed)
        if not rules.replay(self.position, moves).won:
            raise AssertionError(f"the moves found for this position do not win it:\n{self.position}")
        return moves

    def _plan(self) -> tuple[str, ...]:
        work = self.search
        levels = range(int(work.registers[search.LEVEL]))
        return explain.plan(self.position, [int(work.moves[level, work.next[level] - 1]) for level in levels])

    def _result(
        self, outcome: Outcome, reason: str, explanation: tuple[str, ...] = (), moves: tuple[Move, ...] = ()
    ) -> SolveResult:
        seconds = time.perf_counter() - self.started
        return SolveResult(outcome, reason, moves, self._visited(), seconds, explanation)

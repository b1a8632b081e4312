"""The search over real moves, run: restarts, limits, the moves found; and proofs by counting.

Real moves alone seldom prove that a deal cannot be won, since there are too many of them. In
between the runs, layer 1 (`solvers.bakers_dozen.counts`) is given as many states: its counts leave
out what lies on what, so what it refutes is lost in every game but one. (On the dial foundations do
not go up rank by rank, which the counts are made for.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen import counts, explain, general, limits, tableau
from solvers.bakers_dozen.layout import board_of, layout_of, refuter_of, rule_tables
from solvers.bakers_dozen.limits import Watch
from solvers.bakers_dozen.relaxation import Relaxation
from solvers.bakers_dozen.solution import shortest_form
from solvers.bakers_dozen.table import has_room
from solvers.foundations import Foundations
from solvers.games import TableauRules
from solvers.outcome import Outcome, SolveResult
from solvers.positions import Move, Position

FIRST_ALLOWANCE = 1_000
"""States before the first restart."""
GROWTH = 1.2
"""Each restart's allowance, as a multiple of the one before."""
NOISE = 1500
"""Random number below this is added to the score of a move after a restart; a rank counts for 4.

Only moves up, and those that break a sequence or come back, keep their places in the order.
"""

_LEVELS = 2_000
_FIRST_SLOTS = 4096
_FACTOR = 4


class Walker:
    """One run: the workspace, the restarts and the limits."""

    def __init__(self, position: Position, rules: TableauRules, watch: Watch) -> None:
        self.position = position
        self.watch = watch
        self.tables = rule_tables(rules, position.deck)
        self.board = board_of(position)

        def zeros(*shape: int) -> NDArray[np.int64]:
            return np.zeros(shape, dtype=np.int64)

        layout, self.start = layout_of(position, self.tables.codes)
        self.relaxation = Relaxation(layout, self.start, levels=2 * position.deck.size + 2)
        self.may_refute = rules.foundations is not Foundations.DIAL
        self.refuter = refuter_of(position, layout, self.relaxation.search)
        self.work = general.Walk(
            moves=zeros(_LEVELS, general.MOST_MOVES),
            scores=zeros(general.MOST_MOVES),
            listed=zeros(_LEVELS),
            next=zeros(_LEVELS),
            came_from=zeros(_LEVELS),
            table=general.new_table(_FIRST_SLOTS),
            registers=zeros(general.REGISTERS),
        )

    def run(self) -> SolveResult:
        """Search until a verdict or a limit."""
        allowance, turn = float(FIRST_ALLOWANCE), 0
        while self.watch.may_go_on(self._visited()):
            status = self._search(int(allowance), turn)
            if status == general.WON:
                moves = self._moves()
                plan = explain.plan_of_moves(self.position, moves, self.tables.supports.tolist())
                return self._result(Outcome.WINNABLE, "", plan, moves)
            if status == general.LOST:
                return self._result(
                    Outcome.UNWINNABLE, "real moves exhausted", explain.real_moves(self._visited())
                )
            if self._counts_refute(int(allowance)):
                why = explain.counts_alone(self.refuter.layout, self.start, self._visited())
                return self._result(Outcome.UNWINNABLE, "counts exhausted", why)
            allowance *= GROWTH
            turn += 1
        return self._result(Outcome.UNDECIDED, str(self.watch.stopped_by))

    def _visited(self) -> int:
        by_counts = self.relaxation.visited + int(self.refuter.tally[1])
        return int(self.work.registers[general.VISITED]) + by_counts

    def _counts_refute(self, allowance: int) -> bool:
        """Whether the counts prove the deal unwinnable; asked no more once they are seen not to."""
        while (
            self.relaxation is not None
            and self.may_refute
            and allowance > 0
            and self.watch.may_go_on(self._visited())
        ):
            granted = self.watch.grant(min(allowance, limits.SLICE), self._visited())
            allowance -= granted
            verdict = self.relaxation.judge(granted, self.watch)
            if verdict == counts.DEAD:
                return True
            if verdict == counts.ALIVE:
                self.may_refute = False
        return False

    def _search(self, allowance: int, turn: int) -> int:
        """Walk from the start as far as the allowance goes: WON, LOST, GAVE_UP or PAUSED."""
        registers = self.work.registers
        run = turn % general.MOST_RUNS + 1
        if run == 1:
            self.work.table[:] = 0  # entries of that many runs ago would be taken for this one's
        general.restart(self.work, self.board, board_of(self.position), run, NOISE if turn else 0)
        while self.watch.may_go_on(self._visited()):
            granted, for_counts = self.watch.grant_both(min(allowance, limits.SLICE), self._visited())
            registers[general.LEFT] = granted
            self.refuter.tally[2] = for_counts
            status = int(
                general.advance(self.tables, self.work, self.board, self.refuter, self.relaxation.table)
            )
            allowance -= granted - int(registers[general.LEFT])
            if not has_room(self.relaxation.table):
                self.relaxation.grow(self.work.table.nbytes, self.watch)
            if status == general.TABLE_FULL:
                self._grow()
            elif status != general.PAUSED or allowance <= 0:
                return status
        return general.PAUSED

    def _grow(self) -> None:
        """Replace the table by a larger one, unless that breaks the memory limit."""
        table = self.work.table
        if self.watch.may_have((1 + _FACTOR) * table.nbytes + self.relaxation.table.nbytes):
            larger = general.new_table(_FACTOR * (table.size - 1) // 3)
            general.grow_table(table, larger, self.work.registers[general.RUN])
            self.work = self.work._replace(table=larger)

    def _moves(self) -> tuple[Move, ...]:
        """The moves on the stack of the search."""
        levels = np.arange(int(self.work.registers[general.LEVEL]))
        codes = self.work.moves[levels, self.work.next[levels] - 1]
        moves = np.stack([codes >> 6, codes & 63], axis=1)
        listed = tableau.MoveList(moves, np.array([len(moves)], dtype=np.int64))
        return shortest_form(self.position, self.tables, listed)

    def _result(
        self, outcome: Outcome, reason: str, explanation: tuple[str, ...] = (), moves: tuple[Move, ...] = ()
    ) -> SolveResult:
        return SolveResult(outcome, reason, moves, self._visited(), self.watch.seconds, explanation)

"""The search over real moves, run: restarts, limits, the moves found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen import general, limits, tableau
from solvers.bakers_dozen.layout import board_of, rule_tables
from solvers.bakers_dozen.limits import Watch
from solvers.bakers_dozen.solution import shortest_form
from solvers.games import TableauRules
from solvers.outcome import Outcome, SolveResult
from solvers.positions import Move, Position

FIRST_ALLOWANCE = 2_000
"""States before the first restart."""
GROWTH = 1.5
"""Each restart's allowance, as a multiple of the one before."""
NOISE = 100
"""Random number below this is added to the score of a move after a restart; a rank counts for 4."""

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
                return self._result(Outcome.WINNABLE, "", self._moves())
            if status == general.LOST:
                return self._result(Outcome.UNWINNABLE, "real moves exhausted")
            allowance *= GROWTH
            turn += 1
        return self._result(Outcome.UNDECIDED, str(self.watch.stopped_by))

    def _visited(self) -> int:
        return int(self.work.registers[general.VISITED])

    def _search(self, allowance: int, turn: int) -> int:
        """Walk from the start as far as the allowance goes: WON, LOST, GAVE_UP or PAUSED."""
        registers = self.work.registers
        general.restart(self.work, self.board, board_of(self.position), turn + 1, NOISE if turn else 0)
        while self.watch.may_go_on(self._visited()):
            granted = self.watch.grant(min(allowance, limits.SLICE), self._visited())
            registers[general.LEFT] = granted
            status = int(general.advance(self.tables, self.work, self.board))
            allowance -= granted - int(registers[general.LEFT])
            if status == general.TABLE_FULL:
                self._grow()
            elif status != general.PAUSED or allowance <= 0:
                return status
        return general.PAUSED

    def _grow(self) -> None:
        """Replace the table by a larger one, unless that breaks the memory limit."""
        table = self.work.table
        if self.watch.may_have((1 + _FACTOR) * table.nbytes):
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

    def _result(self, outcome: Outcome, reason: str, moves: tuple[Move, ...] = ()) -> SolveResult:
        return SolveResult(outcome, reason, moves, self._visited(), self.watch.seconds)

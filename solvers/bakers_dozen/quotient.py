"""The exact search of Baker's Dozen, run: restarts, partial proofs, limits, real moves.

It applies where columns are built regardless of suit, one card moves at a time, spaces stay empty
and foundations go up in suit and are final: Baker's Dozen and Good Measure. It has three layers,
each in a module that argues why it is right:

1. `counts`: the game as counts of cards. Exhausting it proves a deal unwinnable.
2. `frozen`: the counts, and which cards are frozen on what. Exhausting it is a proof, too; and any
   path to its end can be played.
3. `realise`: the path as moves of real cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen import counts, explain, frozen, limits, realise, search, table, tableau
from solvers.bakers_dozen.layout import board_of, layout_of, rule_tables
from solvers.bakers_dozen.limits import Watch
from solvers.bakers_dozen.solution import shortest_form
from solvers.cards import RANK_LETTERS
from solvers.games import TableauRules
from solvers.outcome import Outcome, SolveResult
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
COUNTS_PER_STATE = 10
"""Layer-1 states allowed in a slice for each of layer 2, which takes about ten times as long."""

# Full at three quarters; the rest must hold what a search on its way back from the deepest level adds
# without asking: at most one entry a level, and there are 2 * 52 + 2 levels.
_FIRST_SLOTS = 1024
_FACTOR = 4
_MOST_PLAYED = 20_000


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


class Quotient:
    """One run: the workspace, the restarts and the limits."""

    def __init__(self, position: Position, rules: TableauRules, watch: Watch) -> None:
        self.position = position
        self.rules = rules
        self.watch = watch
        self.layout, self.start = layout_of(position)
        # Each card is lifted once and dug at most once.
        self.search = _new_search(self.start, levels=2 * position.deck.size + 2)

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
        while self.watch.stopped_by is None:
            status = self._search(every_rank, int(allowance), turn)
            if status == search.WON:
                return self._result(Outcome.WINNABLE, "", self._plan(), self._moves())
            if status == search.LOST:
                return self._result(
                    Outcome.UNWINNABLE, "frozen cards exhausted", explain.frozen_cards(*self._by_layer())
                )
            while self.watch.stopped_by is None and self._visited() >= PROOF_AFTER and lowest > 0:
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
        return self._result(Outcome.UNDECIDED, str(self.watch.stopped_by))

    def _by_layer(self) -> tuple[int, int]:
        registers = self.search.registers
        return int(registers[search.VISITED_COUNTS]), int(registers[search.VISITED])

    def _visited(self) -> int:
        return sum(self._by_layer())

    def _judge_counts(self) -> int:
        """Layer 1 from the start: DEAD, ALIVE, or UNKNOWN at a limit."""
        registers = self.search.registers
        while self.watch.may_go_on(self._visited()):
            registers[search.LEFT_COUNTS] = self.watch.grant(COUNTS_PER_STATE * limits.SLICE, self._visited())
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
        while self.watch.may_go_on(self._visited()):
            granted = self.watch.grant(min(allowance, limits.SLICE), self._visited())
            registers[search.LEFT] = granted
            registers[search.LEFT_COUNTS] = self.watch.grant(COUNTS_PER_STATE * limits.SLICE, self._visited())
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
        if not self.watch.may_have(self._bytes() + wanted):
            return
        if status == search.COUNTS_FULL:
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
        """The plan on the search's stack as moves of real cards."""
        chosen = np.empty((self.search.states.key.size, 52), dtype=np.int64)
        realise.choose_supports(self.layout, self.search, chosen)
        listed = tableau.MoveList(np.empty((_MOST_PLAYED, 2), dtype=np.int64), np.zeros(1, dtype=np.int64))
        tables = rule_tables(self.rules, self.position.deck)
        if not realise.realise(self.layout, tables, self.search, board_of(self.position), chosen, listed):
            raise AssertionError(f"the plan for this position cannot be played:\n{self.position}")
        return shortest_form(self.position, tables, listed)

    def _plan(self) -> tuple[str, ...]:
        work = self.search
        levels = range(int(work.registers[search.LEVEL]))
        return explain.plan(self.position, [int(work.moves[level, work.next[level] - 1]) for level in levels])

    def _result(
        self, outcome: Outcome, reason: str, explanation: tuple[str, ...] = (), moves: tuple[Move, ...] = ()
    ) -> SolveResult:
        return SolveResult(outcome, reason, moves, self._visited(), self.watch.seconds, explanation)

"""The exact search of Baker's Dozen, run: restarts, partial proofs, limits, real moves.

It applies where one card moves at a time, spaces stay empty or take Kings, and foundations are final and
go up rank by rank: Baker's Dozen, also in red and black or in suit, Good Measure, Spanish Patience and
Portuguese Solitaire.
(Nothing in the argument asks how foundations go by suit; what is up is a part of the state.) It has
three layers, each in a module that argues why it is right:

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
from solvers.bakers_dozen.relaxation import FACTOR, FIRST_SLOTS, Relaxation
from solvers.bakers_dozen.solution import shortest_form
from solvers.cards import RANK_LETTERS
from solvers.games import TableauRules
from solvers.outcome import Limit, Outcome, SolveResult
from solvers.positions import Move, Position

IntArray = NDArray[np.int64]

UNIT = 400
"""States before the first restart; later ones follow the sequence of Luby, Sinclair and Zuckerman (1993)."""
NOISE = 1500
"""Random number below this is added to the score of a move after a restart.

That leaves little of the order, in which a rank counts for 4 and the distance of a card from its
foundation for 64 a card: where the order was wrong, a small noise seldom mends it. (With a noise of
100, and each allowance 1.5 times the one before, Good Measure took ten times as long, and a winnable deal
in 25,000 stayed undecided.)
"""
COUNTS_FIRST = 200_000
"""Layer-1 states after which layer 2 is begun even if the counts have not settled the start.

Both go on by turns then, so that neither keeps the other from an end that it would soon come to.
"""
PROOF_AFTER = 5_000
"""States after which proofs that follow the frozen cards of a few ranks only are tried in between."""
COUNTS_PER_STATE = 10
"""Layer-1 states allowed in a slice for each of layer 2, which takes about ten times as long."""
MOST_COUNTS_PER_STATE = 20
"""Layer-1 states for each of layer 2's allowance after which it is begun again, too."""

_MOST_PLAYED = 20_000


def luby(turn: int) -> int:
    """Term of the sequence 1, 1, 2, 1, 1, 2, 4, ... for a turn from 0.

    Whatever the chance that a run of so many states succeeds, runs of these lengths take no more than a
    logarithmic factor longer than those of the best one. (Lengths that only grow took four times as long on
    the deals that took longest, winnable ones that a few thousand states win at every thousandth try.)
    """
    turn += 1
    while turn & (turn + 1):
        turn -= (1 << (turn.bit_length() - 1)) - 1
    return (turn + 1) >> 1


def _new_search(relaxation: Relaxation, levels: int) -> search.Search:
    """An empty workspace with the first state in row 0."""

    def zeros(*shape: int) -> IntArray:
        return np.zeros(shape, dtype=np.int64)

    states = np.zeros_like(relaxation.search.states)
    states[0] = relaxation.start[0]
    return search.Search(
        states=states,
        moves=zeros(levels, counts.MOST_MOVES),
        scores=zeros(counts.MOST_MOVES),
        listed=zeros(levels),
        next=zeros(levels),
        card=zeros(levels),
        row=zeros(levels),
        base=zeros(levels),
        branch_next=zeros(levels),
        branch_end=zeros(levels),
        words=zeros(levels, 2),
        branches=frozen.Branches(zeros(FIRST_SLOTS), zeros(FIRST_SLOTS, frozen.PAIRED_RANKS)),
        counts=relaxation.search,
        counts_table=relaxation.table,
        states_table=table.new_states_table(FIRST_SLOTS),
        pairings_table=table.new_pairings_table(FIRST_SLOTS),
        registers=zeros(search.REGISTERS),
    )


class Quotient:
    """One run: the workspace, the restarts and the limits."""

    def __init__(self, position: Position, rules: TableauRules, watch: Watch) -> None:
        self.position = position
        self.watch = watch
        self.tables = rule_tables(rules, position.deck)
        self.layout, self.start = layout_of(position, self.tables.codes)
        levels = 2 * position.deck.size + 2  # each card is lifted once and dug at most once
        self.relaxation = Relaxation(self.layout, self.start, levels)
        self.search = _new_search(self.relaxation, levels)
        self.counts_verdict = counts.UNKNOWN

    def run(self) -> SolveResult:
        """Search until a verdict or a limit."""
        self._ask_counts(COUNTS_FIRST)
        every_rank = (1 << frozen.PAIRED_RANKS) - 1
        lowest = frozen.paired_ranks(self.layout) - 1
        turn = 0
        while self.counts_verdict != counts.DEAD and self.watch.may_go_on(self._visited()):
            before = self._by_layer()[1]
            allowance = UNIT * luby(turn)
            status = self.follow(every_rank, allowance, turn)
            if status == search.WON:
                return self._result(Outcome.WINNABLE, "", self._plan(), self._moves())
            if status == search.LOST:
                return self._result(Outcome.UNWINNABLE, "frozen cards exhausted", self._why())
            while self.watch.stopped_by is None and self._by_layer()[1] >= PROOF_AFTER and lowest > 0:
                status = self.follow(every_rank >> lowest << lowest, allowance, turn)
                if status == search.LOST:
                    ranks = " ".join(RANK_LETTERS[lowest : frozen.paired_ranks(self.layout)])
                    return self._result(
                        Outcome.UNWINNABLE,
                        f"frozen cards of ranks {ranks} exhausted",
                        self._why(ranks),
                    )
                if status != search.WON:
                    break
                # These ranks alone do not refute the deal: follow one more.
                lowest -= 1
            self._ask_counts(COUNTS_PER_STATE * (self._by_layer()[1] - before))
            turn += 1
        if self.counts_verdict == counts.DEAD:
            return self._result(
                Outcome.UNWINNABLE,
                "counts exhausted",
                explain.counts_alone(self.layout, self.start, self._by_layer()[0]),
            )
        return self._result(Outcome.UNDECIDED, str(self.watch.stopped_by))

    def _why(self, ranks: str = "") -> tuple[str, ...]:
        settled = self.counts_verdict == counts.ALIVE
        return explain.frozen_cards(*self._by_layer(), settled, ranks)

    def _by_layer(self) -> tuple[int, int]:
        registers = self.search.registers
        return self.relaxation.visited + int(registers[search.VISITED_COUNTS]), int(registers[search.VISITED])

    def _visited(self) -> int:
        return sum(self._by_layer())

    def _ask_counts(self, allowance: int) -> None:
        """Layer 1 from the start, so many states of it, unless it is settled or a limit is met."""
        end = self.relaxation.visited + allowance
        while (
            self.counts_verdict == counts.UNKNOWN
            and self.relaxation.visited < end
            and self.watch.may_go_on(self._visited())
        ):
            wanted = min(end - self.relaxation.visited, COUNTS_PER_STATE * limits.SLICE)
            granted = self.watch.grant(wanted, self._visited())
            others = self._bytes() - self.search.counts_table.nbytes
            self.counts_verdict = self.relaxation.judge(granted, self.watch, others)
        self.search = self.search._replace(counts_table=self.relaxation.table)

    def follow(self, tracked: int, allowance: int, turn: int) -> int:
        """Layer 2 from the root, as far as the allowance goes: WON, LOST or PAUSED.

        `tracked` has a bit for each rank (from the ace) whose frozen cards are followed.
        """
        registers = self.search.registers
        search.restart(self.layout, self.search, tracked, turn, NOISE if turn else 0)
        asked = MOST_COUNTS_PER_STATE * allowance
        while self.watch.may_go_on(self._visited()):
            # The limit is on both layers together.
            granted, for_counts = self.watch.grant_both(min(allowance, limits.SLICE), self._visited())
            granted_counts = min(asked, COUNTS_PER_STATE * limits.SLICE, for_counts)
            registers[search.LEFT] = granted
            registers[search.LEFT_COUNTS] = granted_counts
            status = int(search.advance(self.layout, self.search))
            allowance -= granted - int(registers[search.LEFT])
            asked -= granted_counts - int(registers[search.LEFT_COUNTS])
            if status in (search.WON, search.LOST):
                return status
            if status == search.PAUSED:
                if allowance <= 0 or asked <= 0:
                    break
            else:
                self._grow(status)
        return search.PAUSED

    def _grow(self, status: int) -> None:
        """Replace the array that is full by a larger one, unless that breaks the memory limit."""
        work = self.search
        if status == search.COUNTS_FULL:
            self.relaxation.grow(self._bytes() - work.counts_table.nbytes, self.watch)
            self.search = work._replace(counts_table=self.relaxation.table)
            return
        if status == search.STATES_FULL:
            room = work.states_table
            wanted = 8 * FACTOR * room.size
        elif status == search.PAIRINGS_FULL:
            room = work.pairings_table.slots
            wanted = 8 * 7 * FACTOR * room.size
            if FACTOR * room.size > table.MOST_VECTORS:
                self.watch.stopped_by = Limit.MEMORY
        else:
            room = work.branches.frozen
            wanted = 8 * (1 + frozen.PAIRED_RANKS) * FACTOR * room.size
        if not self.watch.may_have(self._bytes() + wanted):
            return
        if status == search.STATES_FULL:
            larger = table.new_states_table(FACTOR * (room.size - 1) // 2)
            table.grow_states_table(room, larger)
            self.search = work._replace(states_table=larger)
        elif status == search.PAIRINGS_FULL:
            pairings = table.new_pairings_table(FACTOR * (room.size - 1))
            table.grow_pairings_table(work.pairings_table, pairings)
            self.search = work._replace(pairings_table=pairings)
        else:
            branches = frozen.Branches(
                np.zeros(FACTOR * room.size, dtype=np.int64),
                np.zeros((FACTOR * room.size, frozen.PAIRED_RANKS), dtype=np.int64),
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
        chosen = np.empty((self.search.states.shape[0], 52), dtype=np.int64)
        realise.choose_supports(self.layout, self.search, chosen)
        listed = tableau.MoveList(np.empty((_MOST_PLAYED, 2), dtype=np.int64), np.zeros(1, dtype=np.int64))
        if not realise.realise(
            self.layout, self.tables, self.search, board_of(self.position), chosen, listed
        ):
            raise AssertionError(f"the plan for this position cannot be played:\n{self.position}")
        return shortest_form(self.position, self.tables, listed)

    def _plan(self) -> tuple[str, ...]:
        work = self.search
        levels = range(int(work.registers[search.LEVEL]))
        return explain.plan(self.position, [int(work.moves[level, work.next[level] - 1]) for level in levels])

    def _result(
        self, outcome: Outcome, reason: str, explanation: tuple[str, ...] = (), moves: tuple[Move, ...] = ()
    ) -> SolveResult:
        return SolveResult(outcome, reason, moves, self._visited(), self.watch.seconds, explanation)

"""Layer 1 on its own, run: whether the counts refute a position, a few states at a time."""

from __future__ import annotations

import numpy as np

from solvers.bakers_dozen import counts, table
from solvers.bakers_dozen.limits import Watch
from solvers.outcome import Limit

FACTOR = 4
"""How many times larger a table is made when it is full."""
# Full at three quarters; the rest must hold what a search on its way back from the deepest level adds
# without asking: at most one entry a level, and there are 2 * 52 + 2 levels.
FIRST_SLOTS = 1024


class Relaxation:
    """The workspace of layer 1, and the table of its verdicts.

    Parameters
    ----------
    layout : Layout
    start : tuple of int
        The first state.
    levels : int
        Lifts and digs that a path can have, and one.
    """

    def __init__(self, layout: counts.Layout, start: tuple[int, ...], levels: int) -> None:
        self.layout = layout
        self.start = np.array([start], dtype=np.int64)
        self.search = counts.CountsSearch(
            states=np.zeros((levels, len(start)), dtype=np.int64),
            moves=np.zeros((levels, counts.MOST_MOVES), dtype=np.int64),
            scores=np.zeros(counts.MOST_MOVES, dtype=np.int64),
            listed=np.zeros(levels, dtype=np.int64),
            next=np.zeros(levels, dtype=np.int64),
        )
        self.table = table.new_counts_table(FIRST_SLOTS)
        self.visited = 0

    def judge(self, allowance: int, watch: Watch) -> int:
        """Whether the end can be reached from the start as far as the counts go.

        Returns
        -------
        int
            DEAD, ALIVE, or UNKNOWN when `allowance` states did not settle it or a limit is met.
        """
        tally = np.array([allowance, 0], dtype=np.int64)
        while watch.stopped_by is None:
            verdict = int(counts.counts_verdict(self.layout, self.search, self.start, 0, self.table, tally))
            self.visited += int(tally[1])
            tally[1] = 0
            if verdict != counts.UNKNOWN or tally[0] <= 0:
                return verdict
            self.grow(0, watch)
        return counts.UNKNOWN

    def grow(self, other_bytes: int, watch: Watch) -> None:
        """Enlarge the table, unless that and `other_bytes` in use elsewhere break the memory limit."""
        if watch.may_have(other_bytes + (1 + FACTOR) * self.table.nbytes) and not self._sets_are_full(watch):
            larger = table.new_counts_table(FACTOR * (self.table.size - 1))
            table.grow_counts_table(self.table, larger)
            self.table = larger

    def _sets_are_full(self, watch: Watch) -> bool:
        if table.has_room(self.layout.up_sets):
            return False
        watch.stopped_by = Limit.MEMORY
        return True

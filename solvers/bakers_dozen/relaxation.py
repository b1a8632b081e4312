"""Layer 1 on its own, run: whether the counts refute a position, a few states at a time.

Like the other searches it is begun again from time to time with noise in the order of moves, for the sake of
positions that the counts do not refute, on whose end a search may be long in stumbling.
"""

from __future__ import annotations

import numpy as np

from solvers.bakers_dozen import counts, table
from solvers.bakers_dozen.limits import Watch
from solvers.bakers_dozen.state import Layout
from solvers.outcome import Limit

FIRST_ALLOWANCE = 10_000
"""States before the first restart; what was found dead stays so."""
GROWTH = 1.5
"""Each restart's allowance, as a multiple of the one before."""
NOISE = 400
"""Random number below this is added to the score of a move after a restart; a rank counts for 4."""
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

    def __init__(self, layout: Layout, start: tuple[int, ...], levels: int) -> None:
        self.layout = layout
        self.start = np.array([start], dtype=np.int64)
        self.search = counts.CountsSearch(
            states=np.zeros((levels, len(start)), dtype=np.int64),
            moves=np.zeros((levels, counts.MOST_MOVES), dtype=np.int64),
            scores=np.zeros(counts.MOST_MOVES, dtype=np.int64),
            listed=np.zeros(levels, dtype=np.int64),
            next=np.zeros(levels, dtype=np.int64),
            random=np.zeros(2, dtype=np.int64),
        )
        self.table = table.new_counts_table(FIRST_SLOTS)
        self.visited = 0
        self.turn = 0
        self.left = FIRST_ALLOWANCE

    def judge(self, allowance: int, watch: Watch, other_bytes: int = 0) -> int:
        """Whether the end can be reached from the start as far as the counts go.

        `other_bytes` are in use elsewhere, and count for the memory limit.

        Returns
        -------
        int
            DEAD, ALIVE, or UNKNOWN when `allowance` states did not settle it or a limit is met.
        """
        random = self.search.random
        while watch.stopped_by is None and allowance > 0:
            granted = min(allowance, self.left)
            tally = np.array([granted, 0], dtype=np.int64)
            verdict = int(counts.counts_verdict(self.layout, self.search, self.start, 0, self.table, tally))
            used = granted - int(tally[0])
            self.visited += int(tally[1])
            allowance -= used
            self.left -= used
            if verdict != counts.UNKNOWN:
                random[1] = 0  # whoever asks about other states wants the same answer each time
                return verdict
            if self.left <= 0:
                self.turn += 1
                self.left = int(FIRST_ALLOWANCE * GROWTH**self.turn)
                random[:] = self.turn, NOISE
            elif tally[0] > 0:
                self.grow(other_bytes, watch)
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

"""When to give up a deal as undecided, and the watch over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solvers.compilation import working_time
from solvers.outcome import Limit

MEGABYTE = 1_000_000
SLICE = 20_000
"""States between two looks at the clock (and at Ctrl-C): about a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up a deal as undecided.

    Parameters
    ----------
    states : int
        States visited, of all layers together.
    seconds : float or None
        Wall time, but for that spent on compiling kernels.
    megabytes : int
        Size of the tables.
    """

    states: int = 50_000_000
    seconds: float | None = None
    megabytes: int = 400


class Watch:
    """Keeps time, and notes which limit has been met.

    Parameters
    ----------
    limits : Limits
    progress : callable or None
        Called with the number of states visited each time the watch is asked.
    """

    def __init__(self, limits: Limits, progress: Callable[[int], None] | None = None) -> None:
        self.limits = limits
        self.progress = progress
        self.started = working_time()
        self.stopped_by: Limit | None = None

    @property
    def seconds(self) -> float:
        """Wall time since the start, without what compiling took: that says nothing of the deal."""
        return working_time() - self.started

    def may_go_on(self, visited: int) -> bool:
        """Whether no limit is met; notes the one that is."""
        if self.progress is not None:
            self.progress(visited)
        if self.stopped_by is None:
            if visited >= self.limits.states:
                self.stopped_by = Limit.STATES
            elif self.limits.seconds is not None and self.seconds >= self.limits.seconds:
                self.stopped_by = Limit.TIME
        return self.stopped_by is None

    def grant(self, wanted: int, visited: int) -> int:
        """As many states as wanted, or as the limit leaves."""
        return min(wanted, self.limits.states - visited)

    def grant_both(self, wanted: int, visited: int) -> tuple[int, int]:
        """Grant states to one of two layers that work together, and what the limit leaves to the other.

        Each gets one at least, so that neither waits for the other for ever: a last state is given away.
        """
        left = self.limits.states - visited
        if left < 2:
            self.stopped_by = Limit.STATES
            return 0, 0
        granted = min(wanted, left // 2)
        return granted, left - granted

    def may_have(self, size: int) -> bool:
        """Whether tables of `size` bytes are allowed; notes the memory limit if not."""
        if size > self.limits.megabytes * MEGABYTE:
            self.stopped_by = Limit.MEMORY
        return self.stopped_by is None

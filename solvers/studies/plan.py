"""What a study is: the plan that all parts of it go by, and how far it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from solvers.sources import DealRange

__all__ = ["Columns", "Plan", "Progress"]

Columns = dict[str, list[Any]]
"""Values of each column, by name."""


class Plan(Protocol):
    """What is to be done with each deal of a range. It can be pickled."""

    @property
    def kind(self) -> str:
        """Name of this kind of study."""
        ...

    @property
    def deals(self) -> DealRange:
        """The deals, a row or more each."""
        ...

    @property
    def code(self) -> str:
        """Full name of the module that decides."""
        ...

    @property
    def block(self) -> int:
        """Deals in a block."""
        ...

    def parameters(self) -> dict[str, Any]:
        """All that the rows depend on, for the manifest."""
        ...

    def command(self, out: str) -> list[str]:
        """Words of the command that runs this study."""
        ...

    def fields(self) -> dict[str, tuple[str, str]]:
        """Arrow type and meaning of each column, by name; the first is the deal's source."""
        ...

    def decide(self, sources: Sequence[str]) -> Columns:
        """Make the rows of these deals. Called in the workers."""
        ...

    def tally(self, columns: Columns) -> Counter[str]:
        """Count what is shown while the study runs, and summed up at its end."""
        ...

    def running(self, tally: Counter[str]) -> str:
        """Say in a few words how it stands, while the study runs."""
        ...

    def summary(self, tally: Counter[str]) -> dict[str, Any]:
        """Sum the study up."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study is.

    Parameters
    ----------
    done, total : int
        Deals.
    fresh : int
        Those of the deals done that this run has done.
    seconds : float
        Wall time of this run.
    tally : Counter
        Of the deals done.
    """

    done: int
    total: int
    fresh: int
    seconds: float
    tally: Counter[str]

    @property
    def rate(self) -> float:
        """Deals a second; 0 at the start."""
        return self.fresh / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Time it will take at this rate; None as long as there is none."""
        return (self.total - self.done) / self.rate if self.fresh else None

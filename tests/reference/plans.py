"""Study plans for the tests, where worker processes can import them."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvers.sources import DealRange, parse_range
from solvers.studies.plan import Columns


@dataclass(frozen=True)
class SquarePlan:
    """Writes the square of each deal's index, and can be told to fail in several ways.

    Parameters
    ----------
    last : int
        Deals 0 to `last`.
    block : int
    dies_at : int
        The process that comes to this index ends, each time.
    dies_once : str
        Unless empty: a file that is made the first time, and saves the process the next.
    raises_at : int
    nap : float
        Seconds slept before each deal.
    """

    last: int
    block: int = 5
    dies_at: int = -1
    dies_once: str = ""
    raises_at: int = -1
    nap: float = 0.0

    @property
    def kind(self) -> str:
        return "squares"

    @property
    def code(self) -> str:
        return __name__

    @property
    def deals(self) -> DealRange:
        return parse_range(f"random:0/0-{self.last}")

    def parameters(self) -> dict[str, Any]:
        return {"range": str(self.deals)}

    def command(self, out: str) -> list[str]:
        return ["square", str(self.deals), out]

    def fields(self) -> dict[str, tuple[str, str]]:
        return {
            "source": ("string", "the deal"),
            "square": ("int64", "its index squared"),
            "seconds": ("float32", "time it took"),
        }

    def decide(self, sources: Sequence[str]) -> Columns:
        started = time.perf_counter()
        indices = [int(source.rpartition("/")[2]) for source in sources]
        for index in indices:
            time.sleep(self.nap)
            if index == self.dies_at and not (self.dies_once and Path(self.dies_once).exists()):
                if self.dies_once:
                    Path(self.dies_once).touch()
                os._exit(1)
            if index == self.raises_at:
                raise ZeroDivisionError(f"deal {index}")
        seconds = time.perf_counter() - started
        return {
            "source": list(sources),
            "square": [index**2 for index in indices],
            "seconds": [seconds] * len(indices),
        }

    def tally(self, columns: Columns) -> Counter[str]:
        return Counter(odd=sum(square % 2 for square in columns["square"]), deals=len(columns["square"]))

    def running(self, tally: Counter[str]) -> str:
        return f"{tally['odd']} odd"

    def summary(self, tally: Counter[str]) -> dict[str, Any]:
        return dict(tally)

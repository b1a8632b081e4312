"""What a solver can say of a deal, and the result it hands over.

A limit is never a verdict: *undecided* is an outcome of its own and always carries its reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from solvers.positions import Move
from solvers.wording import counted


class Outcome(StrEnum):
    """The verdict on a deal."""

    WINNABLE = "winnable"
    """A move list exists and the referee accepted it."""
    UNWINNABLE = "unwinnable"
    """An exhausted search: there is no way to win."""
    UNDECIDED = "undecided"
    """Neither was shown; the reason says which limit was met."""


class Limit(StrEnum):
    """Why a deal stayed undecided."""

    STATES = "state-limit"
    TIME = "time-limit"
    MEMORY = "memory-limit"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class SolveResult:
    """Outcome of one deal.

    Parameters
    ----------
    outcome : Outcome
    reason : str
        Undecided: the `Limit`. Unwinnable: what was exhausted. Winnable: empty.
    moves : tuple of Move
        Winnable: a complete move list, accepted by the referee. Otherwise empty.
    states : int
        States the search visited; the same for the same deal and limits.
    seconds : float
        Wall time of the search.
    explanation : tuple of str
        Sentences for a person: the plan, or why the deal cannot be won.
    """

    outcome: Outcome
    reason: str = ""
    moves: tuple[Move, ...] = ()
    states: int = 0
    seconds: float = 0.0
    explanation: tuple[str, ...] = field(default=())

    @property
    def cost(self) -> str:
        """What the verdict took, in words."""
        return f"{counted(self.states, 'state')}, {self.seconds:.2f} s"

    def _repr_html_(self) -> str:
        """Table for Jupyter."""
        from solvers.view.result import result_html

        return result_html(self)

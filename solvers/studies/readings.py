"""Readings of claims: figures, and whether a claim, read so, holds by a test of them or stays open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import hypot
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solvers.clock.claims import Verdict as ClockVerdict
from solvers.clock.claims import sum_up
from solvers.games import BAKERS_DOZEN
from solvers.outcome import Outcome
from solvers.studies.compare import Paired
from solvers.studies.proportion import Interval, share_interval

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "CLOSE",
    "MUCH",
    "VERDICTS",
    "Reading",
    "Row",
    "Verdict",
    "Wins",
    "always_lost",
    "bakers_dozen_row",
    "costs",
    "count",
    "difference_of_groups",
    "exceeds",
    "in_band",
    "in_points",
    "is_worth",
    "more_often_lost",
    "p_text",
    "paired_reading",
    "points",
    "share_of",
    "verdict_of",
    "wins_of",
]

Wins = NDArray[np.bool_]
"""Of deals, in order."""

_Groups = tuple[tuple[int, int], tuple[int, int]]
"""Of two groups, the deals lost and all deals."""

MUCH = 0.05
"""What "much harder" and "considerably" have to come to: 5 points of the share that is won."""
CLOSE = 0.01
"""Shares are close, and a tip is worth nothing to speak of, within 1 point."""
SIGNIFICANT = 0.05
"""What a difference may not exceed in its exact test: the counterpart of a 95 % interval."""


class Verdict(StrEnum):
    """What is so."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    DEPENDS = "depends on the reading"
    OPEN = "not settled by this sample"


VERDICTS = {
    ClockVerdict.TRUE: Verdict.CONFIRMED,
    ClockVerdict.FALSE: Verdict.REFUTED,
    ClockVerdict.DEPENDS: Verdict.DEPENDS,
    ClockVerdict.OPEN: Verdict.OPEN,
}
"""The verdicts on Clock, as they are called beside those on the other games."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a claim.

    Parameters
    ----------
    name : str
        The claim, read so.
    value : str
        The figure, with its interval unless it is exact.
    test : str
        What decides whether it holds.
    holds : bool or None
        None if this sample does not tell.
    """

    name: str
    value: str
    test: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Row:
    """A claim, judged.

    Parameters
    ----------
    name, claim, source : str
    rule : str
        The rules as they are read here.
    value, test : str
        The figures of all readings, and their tests.
    verdict : Verdict
    why : str
    """

    name: str
    claim: str
    source: str
    rule: str
    value: str
    test: str
    verdict: Verdict
    why: str


def verdict_of(readings: Sequence[Reading]) -> Verdict:
    """Sum readings up: one that holds and one that does not are enough to make it depend on the reading."""
    return VERDICTS[sum_up([reading.holds for reading in readings])]


def bakers_dozen_row(
    name: str, claim: str, readings: Sequence[Reading], why: str, rule: str = BAKERS_DOZEN.sentence
) -> Row:
    """Sum readings up in a row, for a claim about Baker's Dozen or a relative."""
    return Row(
        name,
        claim,
        "descriptions of Baker's Dozen and advice to its players",
        rule,
        "; ".join(f"{reading.name}: {reading.value}" for reading in readings),
        "; ".join(dict.fromkeys(reading.test for reading in readings)),
        verdict_of(readings),
        why,
    )


def in_band(share: Interval, low: float, high: float) -> bool | None:
    """Whether a share lies in a band: not if its interval is off it, None if the interval crosses an edge."""
    if share.high < low or share.low > high:
        return False
    return True if low <= share.low and share.high <= high else None


def is_worth(gain: Interval, p_value: float) -> bool | None:
    """Whether a tip helps: yes above 0, no where it cannot be worth a point; None between the two.

    Interval and exact test may differ by a hair; what only one of them shows is not settled.
    """
    if gain.low > 0:
        return True if p_value < SIGNIFICANT else None
    return False if gain.high < CLOSE else None


def costs(more: Interval, p_value: float) -> bool | None:
    """Whether something costs deals: yes above 0, no where it cannot cost `MUCH`; None between the two.

    The exact test has to agree, as in `is_worth`.
    """
    if more.low > 0:
        return True if p_value < SIGNIFICANT else None
    return False if more.high < MUCH else None


def exceeds(difference: Interval, threshold: float) -> bool | None:
    """Whether a difference is at least so large; None if its interval has the threshold in it."""
    if difference.low >= threshold:
        return True
    return False if difference.high < threshold else None


def more_often_lost(
    name: str,
    group: Wins,
    others: Wins,
    wins: tuple[Wins, Wins],
    holds: Callable[[Interval, float], bool | None],
) -> Reading:
    """Read it so: by how much a group of deals is lost more often than other deals.

    Undecided deals may be lost or won, from none to all of either group: the interval of the difference
    has room for every one of these, and the p-value is the largest that any of them would give.
    """
    sure, may = wins
    lost, undecided, deals = zip(
        *((count(~may & part), count(may & ~sure & part), count(part)) for part in (group, others)),
        strict=True,
    )
    least = (lost[0], deals[0]), (lost[1] + undecided[1], deals[1])
    most = (lost[0] + undecided[0], deals[0]), (lost[1], deals[1])
    p_value = _fisher(least, most)
    more = Interval(difference_of_groups(*least).low, difference_of_groups(*most).high)
    shares = " against ".join(
        f"{one:,} of {of:,} lost{f', {unknown:,} undecided' if unknown else ''}"
        f" ({share_interval(one, of, unknown).percent()})"
        for one, unknown, of in zip(lost, undecided, deals, strict=True)
    )
    return Reading(
        name,
        f"{shares}, {in_points(more)}, {p_text(p_value)}",
        f"95 % interval of the difference (Newcombe) against 0 and {points(MUCH)}; p by Fisher's exact test",
        holds(more, p_value),
    )


def _fisher(least: _Groups, most: _Groups) -> float:
    """Largest p-value of Fisher's exact test from one extreme of the undecided deals to the other."""
    from scipy.stats import fisher_exact

    def sign(groups: _Groups) -> int:
        (one, of), (other, others) = groups
        return (one * others > other * of) - (one * others < other * of)

    if sign(least) != sign(most):
        return 1.0  # somewhere between the two the groups are lost equally often
    return max(
        float(fisher_exact([[lost, deals - lost] for lost, deals in groups])[1]) for groups in (least, most)
    )


def difference_of_groups(first: tuple[int, int], second: tuple[int, int]) -> Interval:
    """95 % interval of a share minus that of other deals: Newcombe's, from the Wilson intervals of both."""
    if not first[1] or not second[1]:
        return Interval(-1.0, 1.0)
    (share_1, one), (share_2, other) = ((won / of, share_interval(won, of)) for won, of in (first, second))
    difference = share_1 - share_2
    return Interval(
        difference - hypot(share_1 - one.low, other.high - share_2),
        difference + hypot(one.high - share_1, share_2 - other.low),
    )


def always_lost(name: str, group: Wins, wins: tuple[Wins, Wins]) -> Reading:
    """Read it so: every deal of a group is lost."""
    sure, may = wins
    of, won, lost = (count(part & group) for part in (np.ones_like(sure), sure, ~may))
    holds = False if won else (True if of and lost == of else None)
    return Reading(
        name,
        f"{lost:,} of {of:,} lost ({share_interval(lost, of, of - won - lost).percent()})",
        "one deal won refutes it",
        holds,
    )


def paired_reading(game: str, pair: Paired, wins: tuple[Wins, Wins], holds: bool | None) -> Reading:
    """Read it so: a game differs from Baker's Dozen, on the same decks, by `MUCH`."""
    return Reading(
        game,
        f"{share_of(wins)}, {in_points(pair.difference)}, {p_text(pair.p_value)}",
        f"95 % interval of the difference (Newcombe, same shuffled decks) against {points(MUCH)};"
        " p by McNemar's exact test",
        holds,
    )


def wins_of(frame: pd.DataFrame) -> tuple[Wins, Wins]:
    """Which deals of a study are certainly won, and which may be."""
    outcome = frame["outcome"].to_numpy()
    return np.asarray(outcome == str(Outcome.WINNABLE)), np.asarray(outcome != str(Outcome.UNWINNABLE))


def share_of(wins: tuple[Wins, Wins]) -> str:
    """Write the 95 % interval of the share won."""
    sure, may = (count(part) for part in wins)
    return share_interval(sure, len(wins[0]), may - sure).percent()


def in_points(difference: Interval) -> str:
    """Write a difference of shares."""
    return f"a difference of {100 * difference.low:+.2f} to {100 * difference.high:+.2f} points"


def points(share: float) -> str:
    """Write a difference of shares that is a whole number of points."""
    return f"{100 * share:.0f} point{'' if share == CLOSE else 's'}"


def p_text(p_value: float) -> str:
    """Write a p-value."""
    return "p < 0.0001" if p_value < 0.0001 else f"p = {p_value:.2g}"


def count(wins: Wins) -> int:
    """Count those that are set."""
    return int(np.count_nonzero(wins))

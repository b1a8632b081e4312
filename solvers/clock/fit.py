"""Whether simulated counts agree with an exact distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Fit", "chi_square"]

# The approximation by the chi-square distribution is taken to hold from this expected count on.
_LEAST_EXPECTED = 5


@dataclass(frozen=True, slots=True)
class Fit:
    """A chi-square test.

    Parameters
    ----------
    statistic : float
        Sum of (count - expected)^2 / expected; infinite if something happened that cannot.
    degrees : int
        Degrees of freedom; 0 if only one thing can happen.
    p_value : float
        Probability of so large a statistic, or a larger one, if the distribution is right.
    """

    statistic: float
    degrees: int
    p_value: float


def chi_square(counts: Sequence[int], probabilities: Sequence[Fraction]) -> Fit:
    """Test counts against the probabilities of what was counted.

    Neighbouring values are taken together until at least 5 of them are expected.

    Parameters
    ----------
    counts : sequence of int
    probabilities : sequence of Fraction
        As many, with sum 1.

    Returns
    -------
    Fit
    """
    from scipy import stats

    if any(count and not p for count, p in zip(counts, probabilities, strict=True)):
        return Fit(float("inf"), 0, 0.0)
    total = sum(counts)
    cells: list[tuple[int, Fraction]] = []
    count, expected = 0, Fraction(0)
    for value, p in zip(counts, probabilities, strict=True):
        count, expected = count + value, expected + p * total
        if expected >= _LEAST_EXPECTED:
            cells.append((count, expected))
            count, expected = 0, Fraction(0)
    if expected and cells:
        last_count, last_expected = cells.pop()
        cells.append((last_count + count, last_expected + expected))
    statistic = float(sum((value - mean) ** 2 / mean for value, mean in cells))
    degrees = max(len(cells) - 1, 0)
    return Fit(statistic, degrees, float(stats.chi2.sf(statistic, degrees)) if degrees else 1.0)

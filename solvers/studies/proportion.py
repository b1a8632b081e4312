"""What a number of wins says about a share: intervals, tests against a claim, and paired comparisons.

*Wilson's* interval (E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
JASA 22, 1927) covers the true share about as often as it says. *Clopper and Pearson's* ("The use of
confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934) never less often,
and is therefore wider. Both come from scipy and are clipped to [0, 1], which rounding can leave.

*Undecided deals.* Some of them can be won, from none to all. So the interval begins where it would if
all were lost and ends where it would if all were won.

*Paired comparisons.* Two games played on the same deals differ in the deals that only one of them wins. If
neither is easier, each such deal is as likely to go one way as the other: McNemar's test, here exact, by
the binomial distribution (Q. McNemar, "Note on the sampling error of the difference between correlated
proportions or percentages", Psychometrika 12, 1947).
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from enum import StrEnum
from typing import NamedTuple

from solvers.errors import InputError

__all__ = [
    "Interval",
    "Method",
    "binomial_test",
    "mcnemar_test",
    "paired_difference",
    "share_interval",
    "trials_needed",
]


class Method(StrEnum):
    """How an interval is made."""

    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper-pearson"


class Interval(NamedTuple):
    """A confidence interval, both ends included."""

    low: float
    high: float

    def outward(self, decimals: int) -> Interval:
        """Round the low end down and the high end up, to that many decimals."""
        step = Decimal(1).scaleb(-decimals)
        # Through float: NumPy's numbers, as a table has them, write their type in their repr.
        return Interval(
            float(Decimal(repr(float(self.low))).quantize(step, ROUND_FLOOR)),
            float(Decimal(repr(float(self.high))).quantize(step, ROUND_CEILING)),
        )

    def percent(self, decimals: int = 2) -> str:
        """Write it in per cent, rounded outward: ``99.68 % to 99.75 %``."""
        low, high = self.outward(decimals + 2)
        return f"{100 * low:.{decimals}f} % to {100 * high:.{decimals}f} %"


def share_interval(
    won: int,
    trials: int,
    undecided: int = 0,
    *,
    confidence: float = 0.95,
    method: Method | str = Method.WILSON,
) -> Interval:
    """Interval of the share of deals that are won.

    Parameters
    ----------
    won : int
        Deals that are certainly won.
    trials : int
        All deals, the undecided ones too.
    undecided : int, optional
        Deals of which it is not known: the interval reaches from where it would begin if all of these
        were lost to where it would end if all were won.
    confidence : float, optional
        Probability with which the interval is to cover the true share, between 0 and 1.
    method : Method, optional

    Returns
    -------
    Interval
        Within [0, 1]; all of that without a trial.

    Raises
    ------
    InputError
        If the numbers do not fit together.
    """
    if undecided < 0:
        raise InputError(f"there cannot be {undecided} undecided deals")
    _check(won, trials)
    _check(won + undecided, trials)
    _check_confidence(confidence)
    if method not in list(Method):
        raise InputError(f"unknown kind of interval {method!r} ({', '.join(Method)})")
    if not trials:
        return Interval(0.0, 1.0)
    from scipy.stats import binomtest

    name = "wilson" if method == Method.WILSON else "exact"
    low = binomtest(won, trials).proportion_ci(confidence, method=name).low
    high = binomtest(won + undecided, trials).proportion_ci(confidence, method=name).high
    return Interval(max(0.0, float(low)), min(1.0, float(high)))


def binomial_test(won: int, trials: int, claim: float) -> float:
    """Probability, if each deal is won with probability `claim`, of a result no likelier than this one.

    Parameters
    ----------
    won, trials : int
        Decided deals only; with undecided ones, test both ends.
    claim : float
        0 to 1.

    Returns
    -------
    float
        The exact two-sided p-value.

    Raises
    ------
    InputError
        If the numbers do not fit together.
    """
    _check(won, trials)
    if not 0 <= claim <= 1:
        raise InputError(f"a claimed share is 0 to 1, not {claim}")
    if not trials:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(won, trials, claim).pvalue)


def mcnemar_test(only_first: int, only_second: int, open_first: int = 0, open_second: int = 0) -> float:
    """Test whether two players or games, on the same deals, win equally often: McNemar's test, exact.

    Parameters
    ----------
    only_first, only_second : int
        Deals won by one of them and not by the other.
    open_first, open_second : int, optional
        Undecided pairs that may turn out as won by the first only, or by the second only.

    Returns
    -------
    float
        The two-sided p-value; with undecided pairs, the largest that any outcome of them would give.

    Raises
    ------
    InputError
        If a number is negative.
    """
    if min(only_first, only_second, open_first, open_second) < 0:
        raise InputError("numbers of deals are not negative")
    # The p-value is largest where the two numbers are nearest to each other.
    if only_first < only_second:
        only_first = min(only_second, only_first + open_first)
    else:
        only_second = min(only_first, only_second + open_second)
    return binomial_test(only_first, only_first + only_second, 0.5)


def paired_difference(
    both: int, only_first: int, only_second: int, neither: int, *, confidence: float = 0.95
) -> Interval:
    """Interval of the first share minus the second, both of the same deals.

    The square-and-add interval with a corrected correlation: method 10 of R. G. Newcombe, "Improved
    confidence intervals for the difference between binomial proportions based on paired data",
    Statistics in Medicine 17, 1998.

    Parameters
    ----------
    both, only_first, only_second, neither : int
        Deals by who won them.
    confidence : float, optional

    Returns
    -------
    Interval
        Within [-1, 1]; all of that without a deal.

    Raises
    ------
    InputError
        If a number is negative, or the confidence not between 0 and 1.
    """
    if min(both, only_first, only_second, neither) < 0:
        raise InputError("numbers of deals are not negative")
    _check_confidence(confidence)
    deals = both + only_first + only_second + neither
    if not deals:
        return Interval(-1.0, 1.0)
    first, second = both + only_first, both + only_second
    low_1, high_1 = share_interval(first, deals, confidence=confidence)
    low_2, high_2 = share_interval(second, deals, confidence=confidence)
    share_1, share_2 = first / deals, second / deals
    correlation = 0.0
    margins = first * (deals - first) * second * (deals - second)
    if margins:
        surplus: float = both * neither - only_first * only_second
        if surplus > 0:
            surplus = max(surplus - deals / 2, 0.0)
        correlation = surplus / math.sqrt(margins)

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))

    difference = share_1 - share_2
    return Interval(
        max(-1.0, difference - reach(share_1 - low_1, high_2 - share_2)),
        min(1.0, difference + reach(high_1 - share_1, share_2 - low_2)),
    )


def trials_needed(half_width: float, share: float = 0.5, *, confidence: float = 0.95) -> int:
    """How many deals it takes for a Wilson interval this narrow.

    Parameters
    ----------
    half_width : float
        Half the width that is wanted, between 0 and 1/2.
    share : float, optional
        The share expected; 1/2, the default, needs most.
    confidence : float, optional

    Returns
    -------
    int
        The smallest number of deals with which an observed share of `share` has such an interval.

    Raises
    ------
    InputError
        If a number is out of range.
    """
    if not 0 < half_width < 0.5:
        raise InputError(f"half the width of an interval is between 0 and 0.5, not {half_width}")
    if not 0 <= share <= 1:
        raise InputError(f"a share is 0 to 1, not {share}")
    _check_confidence(confidence)
    from scipy.special import ndtri

    z2 = float(ndtri((1 + confidence) / 2)) ** 2
    spread = share * (1 - share)

    def too_wide(n: int) -> bool:
        return z2 * (spread * n + z2 / 4) > (half_width * (n + z2)) ** 2

    # Half the width falls as n grows, and equals `half_width` where a quadratic in n + z2 is 0.
    root = spread + math.sqrt(spread**2 + half_width**2 * (1 - 4 * spread))
    needed = max(1, round(z2 * root / (2 * half_width**2) - z2))
    while too_wide(needed):
        needed += 1
    while needed > 1 and not too_wide(needed - 1):
        needed -= 1
    return needed


def _check(won: int, trials: int) -> None:
    if not 0 <= won <= trials:
        raise InputError(f"of {trials} deals, {won} cannot be won")


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError(f"a confidence is between 0 and 1, not {confidence}")

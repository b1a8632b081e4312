"""Intervals against their formulas, against coverage, and at the ends; tests against tables by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from solvers.errors import InputError
from solvers.studies.proportion import (
    Interval,
    Method,
    binomial_test,
    mcnemar_test,
    paired_difference,
    share_interval,
    trials_needed,
)

Z = 1.959963984540054
METHODS = list(Method)


def wilson_by_hand(won: int, trials: int) -> tuple[float, float]:
    share = won / trials
    middle = (share + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * math.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    return middle - half, middle + half


@pytest.mark.parametrize(("won", "trials"), [(1, 2), (10, 10_000), (9_974, 10_000), (769_320, 10_000_000)])
def test_wilson_is_its_formula(won: int, trials: int) -> None:
    assert share_interval(won, trials) == pytest.approx(wilson_by_hand(won, trials), abs=1e-12)


@pytest.mark.parametrize(("won", "trials"), [(1, 2), (3, 40), (9_974, 10_000)])
def test_clopper_pearson_ends_where_the_tails_are_a_fortieth(won: int, trials: int) -> None:
    low, high = share_interval(won, trials, method=Method.CLOPPER_PEARSON)
    assert stats.binom.sf(won - 1, trials, low) == pytest.approx(0.025)
    assert stats.binom.cdf(won, trials, high) == pytest.approx(0.025)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("trials", [1, 2, 38, 1_000, 10**7])
def test_ends_are_exact_and_the_other_end_is_inside(trials: int, method: Method) -> None:
    none, all_ = share_interval(0, trials, method=method), share_interval(trials, trials, method=method)
    assert none.low == 0.0
    assert all_.high == 1.0
    assert 0 < none.high < 1
    assert 0 < all_.low < 1
    assert none.high == pytest.approx(1 - all_.low, rel=1e-6)


def test_nothing_of_many_has_the_upper_bound_of_the_textbook() -> None:
    # 1 - 0.025^(1/n), by hand.
    assert share_interval(0, 100, method="clopper-pearson").high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert share_interval(0, 100).high == pytest.approx(Z**2 / (100 + Z**2))


def test_no_deal_says_nothing() -> None:
    assert share_interval(0, 0) == (0.0, 1.0)
    assert paired_difference(0, 0, 0, 0) == (-1.0, 1.0)
    assert binomial_test(0, 0, 0.3) == 1.0
    assert mcnemar_test(0, 0) == 1.0


@settings(deadline=None)  # scipy is loaded in the first call
@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300), st.sampled_from(METHODS))
def test_interval_is_inside_and_holds_all_shares_possible(
    won: int, lost: int, undecided: int, method: Method
) -> None:
    trials = won + lost + undecided
    low, high = share_interval(won, trials, undecided, method=method)
    assert 0 <= low <= high <= 1
    if trials:
        assert low <= won / trials
        assert (won + undecided) / trials <= high
        assert low == share_interval(won, trials, method=method).low
        assert high == share_interval(won + undecided, trials, method=method).high


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9971])
def test_coverage(share: float) -> None:
    trials = 1_000
    chances = stats.binom.pmf(np.arange(trials + 1), trials, share)
    for method, least in ((Method.WILSON, 0.935), (Method.CLOPPER_PEARSON, 0.95)):
        inside = 0.0
        for won in np.flatnonzero(chances > 1e-9):
            low, high = share_interval(int(won), trials, method=method)
            inside += chances[won] * (low <= share <= high)
        assert least <= inside <= 0.995


@settings(deadline=None)  # scipy is loaded in the first call
@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 8))
def test_rounding_goes_outward_once(one: float, other: float, decimals: int) -> None:
    interval = Interval(min(one, other), max(one, other))
    rounded = interval.outward(decimals)
    unit = 10.0**-decimals
    assert rounded.low <= interval.low < rounded.low + unit + 1e-12
    assert rounded.high - unit - 1e-12 < interval.high <= rounded.high
    assert rounded.outward(decimals) == rounded
    assert rounded.low >= 0
    assert rounded.high <= 1


def test_per_cent_is_rounded_outward() -> None:
    assert Interval(0.99679, 0.997401).percent() == "99.67 % to 99.75 %"
    assert Interval(0.0, 1.0).percent(1) == "0.0 % to 100.0 %"


def test_ends_may_be_numbers_of_a_table() -> None:
    interval = Interval(np.float64(0.99679), np.float64(0.997401))
    assert interval.outward(4) == (0.9967, 0.9975)
    assert all(type(end) is float for end in interval.outward(4))
    assert interval.percent() == Interval(0.99679, 0.997401).percent()


def test_binomial_test_adds_up_what_is_no_likelier() -> None:
    chances = [math.comb(12, won) * 0.3**won * 0.7 ** (12 - won) for won in range(13)]
    expected = sum(chance for chance in chances if chance <= chances[8] * (1 + 1e-9))
    assert binomial_test(8, 12, 0.3) == pytest.approx(expected)
    assert binomial_test(0, 5, 0.0) == 1.0
    assert binomial_test(1, 5, 0.0) == 0.0


def test_mcnemar_is_two_tails_of_a_fair_coin() -> None:
    assert mcnemar_test(2, 10) == pytest.approx(2 * sum(math.comb(12, k) for k in range(3)) / 2**12)
    assert mcnemar_test(10, 2) == mcnemar_test(2, 10)
    assert mcnemar_test(6, 6) == 1.0


@settings(deadline=None)  # scipy is loaded in the first call
@given(*[st.integers(0, 12)] * 2, *[st.integers(0, 6)] * 2)
def test_undecided_pairs_count_at_their_worst(first: int, second: int, open_1: int, open_2: int) -> None:
    worst = max(
        mcnemar_test(first + more_1, second + more_2)
        for more_1, more_2 in product(range(open_1 + 1), range(open_2 + 1))
    )
    assert mcnemar_test(first, second, open_1, open_2) == pytest.approx(worst)


def test_paired_difference_of_identical_players_is_about_nothing() -> None:
    low, high = paired_difference(70, 0, 0, 30)
    assert low == pytest.approx(-high)
    assert 0 < high < 0.03
    assert paired_difference(0, 1_000, 0, 0).high == 1.0
    assert paired_difference(0, 0, 1_000, 0).low == -1.0


def test_paired_difference_turns_with_its_players() -> None:
    low, high = paired_difference(40, 20, 5, 35)
    assert paired_difference(40, 5, 20, 35) == pytest.approx((-high, -low))
    assert low < 0.15 < high


def test_paired_difference_covers() -> None:
    deals, chances = 200, (0.6, 0.12, 0.05, 0.23)
    draws = np.random.default_rng(5).multinomial(deals, chances, size=1_500)
    difference = chances[1] - chances[2]
    inside = 0
    for counts in draws.tolist():
        low, high = paired_difference(*counts)
        inside += low <= difference <= high
    assert 0.93 <= inside / len(draws) <= 0.98


@pytest.mark.parametrize("half_width", [0.2, 0.05, 0.0123, 0.001, 1e-5])
@pytest.mark.parametrize("share", [0.0, 1 / 13, 0.5, 0.997, 1.0])
def test_trials_needed_are_the_first_that_do(half_width: float, share: float) -> None:
    def half(trials: int) -> float:
        spread = share * (1 - share) / trials + Z**2 / (4 * trials**2)
        return Z / (1 + Z**2 / trials) * math.sqrt(spread)

    needed = trials_needed(half_width, share)
    assert half(needed) <= half_width * (1 + 1e-12)
    assert needed == 1 or half(needed - 1) > half_width


def test_trials_needed_hold_for_the_interval_itself() -> None:
    needed = trials_needed(0.01)
    low, high = share_interval(needed // 2, needed)
    assert (high - low) / 2 == pytest.approx(0.01, abs=1e-6)
    assert needed == 9_600


@pytest.mark.parametrize(
    ("function", "arguments", "says"),
    [
        (share_interval, (3, 2), "of 2 deals, 3"),
        (share_interval, (-1, 2), "-1"),
        (share_interval, (1, 2, 2), "3"),
        (share_interval, (1, 2, -1), "-1 undecided"),
        (binomial_test, (1, 2, 1.5), "1.5"),
        (mcnemar_test, (1, -2), "negative"),
        (paired_difference, (1, 1, -1, 1), "negative"),
        (trials_needed, (0.0,), "0.0"),
        (trials_needed, (0.1, 2.0), "2.0"),
    ],
)
def test_impossible_numbers_are_refused(function: object, arguments: tuple[float, ...], says: str) -> None:
    assert callable(function)
    with pytest.raises(InputError, match=says):
        function(*arguments)


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(InputError, match="confidence"):
        share_interval(1, 2, confidence=1.0)
    with pytest.raises(InputError, match="'wald'"):
        share_interval(1, 2, method="wald")

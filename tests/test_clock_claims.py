"""The claims about Clock: each has its verdict and the figures for it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from solvers.clock.claims import SIMULATIONS, Claim, Figure, Verdict, clock_claims, seven_riffles_claim
from solvers.clock.policies import GAMES

GAMES_EACH = 40_000


def test_claims_have_the_verdicts_that_theory_gives() -> None:
    seen: list[int] = []
    claims = {claim.name: claim for claim in clock_claims(GAMES_EACH, 1, progress=seen.append)}
    assert {name: claim.verdict for name, claim in claims.items()} == {
        "clock-about-1-in-13": Verdict.TRUE,
        "clock-exactly-1-in-13": Verdict.TRUE,
        "clock-no-skill": Verdict.TRUE,
        "watch-slightly": Verdict.FALSE,
        "no-king-visibly": Verdict.DEPENDS,
        "face-up-almost-certain": Verdict.DEPENDS,
        "weak-shuffle-lowers": Verdict.DEPENDS,
        # So few games cannot tell decks riffled seven times from uniformly shuffled ones.
        "seven-riffles": Verdict.OPEN,
    }
    assert seen == sorted(seen)
    assert seen[-1] == SIMULATIONS * GAMES_EACH
    assert len(claims["watch-slightly"].figures) == len(GAMES["watch"]) + 2
    check_weak_shuffles(claims["weak-shuffle-lowers"])


@pytest.mark.parametrize(
    ("gathered", "new", "verdict"),
    [
        (0.0740, 0.0770, Verdict.DEPENDS),
        (0.0740, 0.0760, Verdict.FALSE),
        (0.0768, 0.0770, Verdict.TRUE),
    ],
)
def test_seven_riffles_are_judged_by_each_start(gathered: float, new: float, verdict: Verdict) -> None:
    def simulated(shuffle: str) -> Figure:
        rate = gathered if "gathered" in shuffle else new
        return Figure(shuffle, rate, (rate - 0.0004, rate + 0.0004), 2_000_000)

    claim = seven_riffles_claim(simulated)
    assert claim.verdict is verdict
    assert len(claim.figures) == 6


def check_weak_shuffles(claim: Claim) -> None:
    values = {figure.of: figure for figure in claim.figures}
    low = values["clock, riffle:1,start=gathered-won,deal=top"]
    assert low.value == Fraction(2729521, 2**50)
    assert values["clock, riffle:3,start=gathered-won,deal=top"].value < Fraction(1, 13)
    assert values["clock, riffle:3,start=gathered-won,deal=bottom"].value > Fraction(1, 13)
    # An odd number of overhand shuffles exchanges the ends.
    assert values["clock, overhand:3,start=gathered-won,deal=top"].value > Fraction(1, 13)


def test_figures_are_printed_with_what_they_rest_on() -> None:
    assert str(Figure("clock", Fraction(1, 13))) == "clock: 1/13 = 7.69231 %"
    assert str(Figure("long", Fraction(1, 10**50))) == "long: 1e-48 %"
    simulated = Figure("clock", 0.25, (0.2, 0.3), 1234)
    assert str(simulated) == "clock: 25.000 %, 95 % interval 20.000 % to 30.000 % (1,234 games)"


def test_a_figure_differs_when_it_is_exact_and_another_or_far_away() -> None:
    third = Fraction(1, 3)
    assert not Figure("exact", third).differs_from(third)
    assert Figure("exact", third + Fraction(1, 10**30)).differs_from(third)
    # With 200 games a standard error is 1/30.
    assert not Figure("near", 1 / 3 + 0.13, (0.0, 1.0), 200).differs_from(third)
    assert Figure("far", 1 / 3 + 0.14, (0.0, 1.0), 200).differs_from(third)


def test_a_figure_is_lower_or_near_or_not_known_to_be() -> None:
    third = Fraction(1, 3)
    assert Figure("exact", Fraction(1, 4)).is_lower_than(third) is True
    assert Figure("exact", third).is_lower_than(third) is False
    # With 200 games a standard error is 1/30.
    assert Figure("far below", 1 / 3 - 0.14, (0.1, 0.3), 200).is_lower_than(third) is True
    assert Figure("far above", 1 / 3 + 0.14, (0.4, 0.6), 200).is_lower_than(third) is False
    assert Figure("below", 1 / 3 - 0.13, (0.1, 0.3), 200).is_lower_than(third) is None
    margin = Fraction(1, 10)
    assert Figure("exact", third).is_near(third, margin) is True
    assert Figure("near", 1 / 3, (0.25, 0.40), 200).is_near(third, margin) is True
    assert Figure("wide", 1 / 3, (0.25, 0.44), 200).is_near(third, margin) is None
    assert Figure("far", 1 / 3 + 0.14, (0.4, 0.6), 200).is_near(third, margin) is False

"""The table of claims: its verdicts on made-up numbers, and a very small run of the whole."""

from __future__ import annotations

import csv
import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from solvers.bakers_dozen.solve import solve
from solvers.cards import parse_card
from solvers.cli import main
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.outcome import Outcome
from solvers.studies import claims, readings
from solvers.studies.claim_files import markdown
from solvers.studies.claims import Samples
from solvers.studies.proportion import Interval
from solvers.studies.readings import Reading, Row, Verdict, Wins

SMALL = Samples(deals=30, played=8, budget=300, clock_games=2_000)
NAMES = {
    "clock-about-1-in-13",
    "clock-exactly-1-in-13",
    "clock-no-skill",
    "watch-slightly",
    "no-king-visibly",
    "face-up-almost-certain",
    "weak-shuffle-lowers",
    "seven-riffles",
    "won-75-to-80",
    "solution-or-not",
    "free-aces-then-twos",
    "avoid-emptying",
    "low-cards-near-kings",
    "queen-on-king",
    "king-on-queen",
    "good-measure-related",
    "spanish-much-harder",
    "easy-considerably",
}


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    return {row.name: row for row in claims.all_claims(SMALL)}


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [
        ([True], Verdict.CONFIRMED),
        ([False, False], Verdict.REFUTED),
        ([True, None], Verdict.OPEN),
        ([False, None], Verdict.OPEN),
        ([True, None, False], Verdict.DEPENDS),
    ],
)
def test_verdict_follows_from_the_readings(holds: list[bool | None], verdict: Verdict) -> None:
    assert readings.verdict_of([Reading("", "", "", one) for one in holds]) is verdict


def test_an_interval_decides_or_does_not() -> None:
    assert readings.in_band(Interval(0.76, 0.79), 0.75, 0.80) is True
    assert readings.in_band(Interval(0.81, 0.99), 0.75, 0.80) is False
    assert readings.in_band(Interval(0.70, 0.78), 0.75, 0.80) is None
    assert readings.exceeds(Interval(0.05, 0.2), 0.05) is True
    assert readings.exceeds(Interval(-0.1, 0.04), 0.05) is False
    assert readings.exceeds(Interval(0.0, 0.06), 0.05) is None
    assert readings.is_worth(Interval(0.001, 0.2)) is True
    assert readings.is_worth(Interval(-0.1, 0.009)) is False
    assert readings.is_worth(Interval(-0.1, 0.02)) is None


def test_difference_of_groups_is_newcombes() -> None:
    # Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10, example (a): 56/70 - 48/80.
    low, high = readings.difference_of_groups((56, 70), (48, 80))
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)
    assert readings.difference_of_groups((0, 0), (1, 2)) == (-1, 1)


def _lost(group: Wins, others: Wins, wins: tuple[Wins, Wins]) -> Reading:
    return readings.more_often_lost("these", group, others, wins, readings.costs)


def test_undecided_deals_widen_the_difference_of_groups() -> None:
    # 100 deals of a group, 60 lost and 20 undecided; 200 others, 50 lost and 40 undecided.
    group = np.arange(300) < 100
    lost = np.r_[np.arange(100) < 60, np.arange(200) < 50]
    undecided = np.r_[np.arange(100) >= 80, np.arange(200) >= 160]
    least = readings.difference_of_groups((60, 100), (90, 200))
    most = readings.difference_of_groups((80, 100), (50, 200))
    seen: list[Interval] = []

    def holds(more: Interval) -> bool | None:
        seen.append(more)
        return readings.costs(more)

    wins = (~lost & ~undecided, ~lost)
    reading = readings.more_often_lost("these", group, ~group, wins, holds)
    assert seen == [Interval(least.low, most.high)]
    assert reading.holds is True
    assert reading.value.startswith("60 of 100 lost, 20 undecided (")
    # The larger of the p-values at both ends: fisher_exact([[60, 40], [90, 110]]) is 0.0197.
    assert reading.value.endswith(", p = 0.02")


def test_undecided_deals_that_may_level_the_groups_leave_it_open() -> None:
    group = np.arange(200) < 100
    lost = np.r_[np.arange(100) < 50, np.arange(100) < 30]
    assert _lost(group, ~group, (~lost, ~lost)).holds is True
    undecided = np.r_[np.zeros(100, bool), np.arange(100) >= 70]
    reading = _lost(group, ~group, (~lost & ~undecided, ~lost))
    assert reading.holds is None
    assert reading.value.endswith(", p = 1")


def test_groups_need_not_make_up_all_deals() -> None:
    group, others = np.arange(300) < 100, np.arange(300) >= 200
    lost = np.arange(300) < 150
    assert _lost(group, others, (~lost, ~lost)).value.startswith(
        "100 of 100 lost (96.30 % to 100.00 %) against 0 of 100"
    )


def test_a_cost_is_above_none_or_below_five_points() -> None:
    assert readings.costs(Interval(0.001, 0.01)) is True
    assert readings.costs(Interval(-0.04, 0.049)) is False
    assert readings.costs(Interval(-0.01, 0.06)) is None


def test_harder_is_judged_by_the_pairs() -> None:
    easy, hard = np.ones(200, bool), np.arange(200) < 150
    wins = dict.fromkeys(("spanish-patience", *claims._SPANISH), (hard, hard))
    assert claims._much_harder(wins | {"bakers-dozen": (easy, easy)}).verdict is Verdict.CONFIRMED
    assert claims._much_harder(wins | {"bakers-dozen": (hard, hard)}).verdict is Verdict.REFUTED
    one_easy = wins | {"bakers-dozen": (easy, easy), "spanish-patience-ii": (easy, easy)}
    assert claims._much_harder(one_easy).verdict is Verdict.DEPENDS


def test_undecided_deals_leave_it_open() -> None:
    sure, may = np.array([True, False]), np.array([True, True])
    assert claims._solution_or_not({"bakers-dozen": (sure, may)}).verdict is Verdict.OPEN
    assert claims._solution_or_not({"bakers-dozen": (may, may)}).verdict is Verdict.CONFIRMED


def test_cards_are_compared_within_a_column() -> None:
    queen_of_spades, king_of_spades, king_of_hearts = _cards("QS KS KH")
    assert claims._lies_on([(queen_of_spades, king_of_hearts)], 13, 12)
    assert not claims._lies_on([(queen_of_spades, king_of_hearts)], 13, 12, same_suit=True)
    assert claims._lies_on([(queen_of_spades, king_of_spades)], 13, 12, same_suit=True)
    assert not claims._lies_on([(queen_of_spades,), (king_of_spades,)], 13, 12)
    assert claims._lies_on([(king_of_spades, queen_of_spades)], 12, 13)


def _cards(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def test_every_claim_has_its_row(rows: dict[str, Row]) -> None:
    assert set(rows) == NAMES
    for row in rows.values():
        assert all(getattr(row, field.name) for field in fields(Row)), row.name
        assert "|" not in row.why
    assert rows["clock-exactly-1-in-13"].verdict is Verdict.CONFIRMED
    assert rows["watch-slightly"].verdict is Verdict.REFUTED


def test_counts_are_those_of_the_solver(rows: dict[str, Row]) -> None:
    positions = [load_deal("bakers-dozen", f"random:2026/{index}").position for index in range(30)]
    won = sum(solve(position).outcome is Outcome.WINNABLE for position in positions)
    assert f"{won} of 30 winnable" in rows["won-75-to-80"].value


def test_samples_are_checked() -> None:
    with pytest.raises(InputError):
        Samples(deals=1, played=2, budget=1, clock_games=1)
    with pytest.raises(InputError):
        Samples(deals=1, played=1, budget=0, clock_games=1)


def test_markdown_has_a_line_a_claim(rows: dict[str, Row]) -> None:
    lines = markdown(list(rows.values())).splitlines()
    assert len(lines) == 4 + len(rows)
    assert {line.count("|") for line in lines[2:]} == {8}


def test_command_writes_the_files(
    tmp_path: Path,
    rows: dict[str, Row],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(claims, "QUICK", SMALL)
    out = tmp_path / "claims"
    assert main(["claims", "--quick", "--out", str(out), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["parameters"]["deals"] == 30
    assert [claim["name"] for claim in printed["claims"]] == list(rows)
    written = json.loads((out / "claims.json").read_text())
    assert written["claims"] == printed["claims"]
    assert {claim["name"]: claim["value"] for claim in written["claims"]} == {
        row.name: row.value for row in rows.values()
    }
    with (out / "claims.csv").open(newline="") as file:
        assert [line["verdict"] for line in csv.DictReader(file)] == [row.verdict for row in rows.values()]
    assert (out / "claims.md").read_text() == markdown(list(rows.values()))
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["command"].startswith("patience claims --quick --out ")
    assert manifest["start"] <= manifest["end"]


def test_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--quick", "--full"]) == 2
    (tmp_path / "file").write_text("")
    assert main(["claims", "--out", str(tmp_path / "file")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2

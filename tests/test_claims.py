"""The table of claims: its verdicts on made-up numbers, and a very small run of the whole."""

from __future__ import annotations

import csv
import errno
import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from solvers.bakers_dozen.solve import solve
from solvers.cards import parse_card
from solvers.cli import main
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.outcome import Outcome
from solvers.studies import claim_files, claims, readings
from solvers.studies import dozen_claims as dozen
from solvers.studies import relatives_claims as relatives
from solvers.studies.claim_files import markdown
from solvers.studies.claims import Samples
from solvers.studies.plan import Plan
from solvers.studies.proportion import Interval, share_interval
from solvers.studies.readings import Reading, Row, Verdict, Wins
from solvers.studies.run import run_study

SMALL = Samples(deals=30, states=20_000, played=8, budget=300, clock_games=2_000)
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
    run: list[str] = []

    def counted(plan: Plan, directory: str) -> dict[str, Any]:
        run.append(directory)
        return run_study(plan, directory)

    rows = {row.name: row for row in claims.all_claims(SMALL, run=counted)}
    assert len(run) == claims.STUDIES
    return rows


def test_interrupted_study_ends_it() -> None:
    with pytest.raises(KeyboardInterrupt):
        claims.all_claims(SMALL, run=lambda *_: {"interrupted": True})


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
    assert readings.is_worth(Interval(0.001, 0.2), 0.04) is True
    assert readings.is_worth(Interval(0.001, 0.2), 0.06) is None
    assert readings.is_worth(Interval(-0.1, 0.009), 0.5) is False
    assert readings.is_worth(Interval(-0.1, 0.02), 0.5) is None


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

    def holds(more: Interval, p_value: float) -> bool | None:
        seen.append(more)
        return readings.costs(more, p_value)

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
    assert readings.costs(Interval(0.001, 0.01), 0.04) is True
    assert readings.costs(Interval(0.001, 0.01), 0.06) is None
    assert readings.costs(Interval(-0.04, 0.049), 0.5) is False
    assert readings.costs(Interval(-0.01, 0.06), 0.5) is None


def test_harder_is_judged_by_the_pairs() -> None:
    easy, hard = np.ones(200, bool), np.arange(200) < 150
    wins = dict.fromkeys(relatives.SPANISH, (hard, hard))
    assert relatives.much_harder(wins | {"bakers-dozen": (easy, easy)}).verdict is Verdict.CONFIRMED
    assert relatives.much_harder(wins | {"bakers-dozen": (hard, hard)}).verdict is Verdict.REFUTED
    one_easy = wins | {"bakers-dozen": (easy, easy), "spanish-patience-ii": (easy, easy)}
    assert relatives.much_harder(one_easy).verdict is Verdict.DEPENDS


def test_house_rules_are_judged_by_all_deals_and_by_those_else_lost() -> None:
    own, all_won = np.arange(400) >= 8, np.ones(400, bool)
    games = dict.fromkeys(relatives.HOUSE_RULES, (all_won, all_won))
    row = relatives.considerably(games | {"bakers-dozen": (own, own)})
    assert row.verdict is Verdict.DEPENDS
    assert "8 of 8 (67.55 % to 100.00 %) can then be won" in row.value
    games = dict.fromkeys(relatives.HOUSE_RULES, (own, own))
    assert relatives.considerably(games | {"bakers-dozen": (own, own)}).verdict is Verdict.REFUTED


def test_undecided_deals_widen_the_share_of_lost_deals_that_is_won() -> None:
    deals = np.arange(20)
    # 8 lost and 2 undecided; of the lost, 4 are won by the other game and 1 may be, of the undecided one may.
    own = deals >= 10, deals >= 8
    other = np.isin(deals, [0, 1, 2, 3, *range(10, 20)]), np.isin(deals, [0, 1, 2, 3, 4, 8, *range(10, 20)])
    least, most = share_interval(4, 10), share_interval(6, 9)
    assert relatives.rescued(own, other) == Interval(least.low, most.high)


def test_a_deal_has_a_solution_or_not_whatever_the_search_leaves_open() -> None:
    sure, may = np.array([True, False, False]), np.array([True, True, False])
    row = dozen.solution_or_not({"bakers-dozen": (sure, may), "good-measure": (may, may)})
    assert row.verdict is Verdict.CONFIRMED
    assert "1 deals with a solution, 1 without, 1 left undecided" in row.value
    assert "1 of 6 left undecided" in row.value
    assert dozen.solution_or_not({"bakers-dozen": (sure, ~sure)}).verdict is Verdict.REFUTED


def _players(greedy: int, efforts: list[int], deals: int = 200) -> pd.DataFrame:
    """What careful play is judged by: deals won by the tips, and positions looked at where deals were won."""
    looked = np.r_[efforts, np.full(deals - len(efforts), 1_000)]
    return pd.DataFrame(
        {
            "outcome": str(Outcome.WINNABLE),
            "greedy won": np.arange(deals) < greedy,
            "greedy looked": 10,
            "take-back won": np.arange(deals) < len(efforts),
            "take-back looked": looked,
        }
    )


def test_careful_play_is_judged_by_the_effort_it_takes() -> None:
    all_won = np.ones(1_000, bool)
    row = dozen.careful_play((all_won, all_won), _players(50, list(range(1, 181))), 1_000)
    assert row.verdict is Verdict.DEPENDS
    # 150 of 200 deals are 75 %, won with at most 150 positions looked at before the winning move.
    assert "75 % is reached at 151 (" in row.why
    assert "80 % is reached at 161 (" in row.why
    # 158 of 200 are 79 %: not yet 80 %.
    too_little = _players(50, list(range(1, 159)))
    row = dozen.careful_play((all_won, all_won), too_little, 1_000)
    assert row.verdict is Verdict.OPEN
    assert "80 % is not reached with 1,000" in row.why
    # 20 deals in all, 16 won: 80 %, but the interval of that begins far below 75 %.
    assert dozen.careful_play((all_won, all_won), _players(5, list(range(1, 17)), 20), 1_000).verdict is (
        Verdict.OPEN
    )


def test_low_cards_on_kings_are_compared_with_others() -> None:
    sources = [f"random:3/{index}" for index in range(400)]
    layouts = [load_deal("bakers-dozen", source).position.columns for source in sources]
    on_king = np.array(
        [
            any(
                card < 8 <= 48 <= column[depth] for column in columns for depth, card in enumerate(column[1:])
            )
            for columns in layouts
        ]
    )
    lowest = np.array([any(column[0] < 8 for column in columns) for columns in layouts])

    def verdict(won: Wins) -> Verdict:
        frame = pd.DataFrame({"source": sources, "greedy won": won, "take-back won": won})
        return dozen.low_cards(frame, 1_000).verdict

    assert verdict(~on_king) is Verdict.CONFIRMED
    assert verdict(np.ones(400, bool)) is Verdict.OPEN  # few have the one without the other
    assert verdict(~lowest | on_king) is Verdict.REFUTED
    # Hard to get at, but not the hardest: those at the bottom are harder.
    harder = lowest & (np.arange(400) % 2 == 0)
    assert verdict(~(lowest & on_king) & ~harder) is Verdict.DEPENDS


def test_cards_are_compared_within_a_column() -> None:
    queen, king = frozenset({12}), frozenset({13})
    queen_of_spades, king_of_spades, king_of_hearts = _cards("QS KS KH")
    assert dozen.lies_on([(queen_of_spades, king_of_hearts)], king, queen)
    assert not dozen.lies_on([(queen_of_spades, king_of_hearts)], king, queen, same_suit=True)
    assert dozen.lies_on([(queen_of_spades, king_of_spades)], king, queen, same_suit=True)
    assert not dozen.lies_on([(queen_of_spades,), (king_of_spades,)], king, queen)
    assert dozen.lies_on([(king_of_spades, queen_of_spades)], queen, king)


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
    assert f"{won} of 30 can be won" in rows["won-75-to-80"].value


def test_samples_are_checked() -> None:
    with pytest.raises(InputError):
        Samples(deals=1, states=1, played=2, budget=1, clock_games=1)
    with pytest.raises(InputError):
        Samples(deals=1, states=1, played=1, budget=0, clock_games=1)


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


def test_a_directory_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"study": "deals"}')
    with pytest.raises(InputError, match=r"holds other files, and no claims\.json"):
        claim_files.open_directory(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_claims_may_be_judged_again_in_their_directory(tmp_path: Path, rows: dict[str, Row]) -> None:
    for _ in range(2):
        directory = claim_files.open_directory(str(tmp_path / "claims"))
        claim_files.write_claims(directory, list(rows.values()), {"command": "patience claims"})
    assert len(list(directory.iterdir())) == 4


def test_a_full_disk_is_noticed_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="cannot be used"):
        claim_files.open_directory(str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_verdicts_are_printed_though_their_files_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_path: Path, _data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    row = Row("name", "claim", "source", "rule", "value", "test", Verdict.CONFIRMED, "why")
    monkeypatch.setattr(claims, "all_claims", lambda *_, **__: (row,))
    monkeypatch.setattr(claim_files, "write_whole", full)
    assert main(["claims", "--quick", "--out", str(tmp_path / "claims"), "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["claims"][0]["verdict"] == "confirmed"
    assert "cannot be written" in said.err
    assert not list((tmp_path / "claims").iterdir())


def test_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--quick", "--full"]) == 2
    (tmp_path / "file").write_text("")
    assert main(["claims", "--out", str(tmp_path / "file")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2

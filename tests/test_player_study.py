"""Studies of players: the rows against single plays, the tables against counting by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from solvers.bakers_dozen.players import Player, Tip, play_position, tip_name
from solvers.bakers_dozen.solve import solve
from solvers.cli import main
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.studies import players
from solvers.studies.players import (
    effort_curve,
    effort_needed,
    plan_players,
    player_table,
    tip_table,
)
from solvers.studies.proportion import mcnemar_test, share_interval
from solvers.studies.run import run_study
from solvers.studies.store import read_json
from solvers.studies.verdicts import read_study
from solvers.studies.workers import Workers
from tests.study_files import assert_same_study

PLAN = plan_players("random:4/10-21", budget=3_000, block=5)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("players") / "study"
    run_study(PLAN, place)
    return place


@pytest.fixture(scope="module")
def frame(place: Path) -> pd.DataFrame:
    return read_study(place)


def test_rows_are_single_plays(frame: pd.DataFrame) -> None:
    named = PLAN.players()
    assert len(named) == 1 + 16 + 4 + 5
    assert named["greedy-no-foundations"] == Player(Tip(15 & ~Tip.FOUNDATIONS))
    assert named["take-back"].budget == 3_000
    for row in frame.iloc[:3].to_dict("records"):
        position = load_deal("bakers-dozen", row["source"]).position
        assert row["outcome"] == str(solve(position).outcome)
        for name, player in named.items():
            if player.foresight < 3:
                found = play_position(position, player, row["source"])
                assert (row[f"{name} won"], row[f"{name} looked"]) == (found.won, found.looked_at), name


def test_rows_do_not_depend_on_the_workers(tmp_path: Path, place: Path) -> None:
    run_study(PLAN, tmp_path / "study", Workers(2))
    assert_same_study(tmp_path / "study", place, "players.parquet")


def test_summary_has_everybody(place: Path, frame: pd.DataFrame) -> None:
    summary = run_study(PLAN, place)
    assert (summary["deals"], summary["winnable"]) == (12, (frame["outcome"] == "winnable").sum())
    for name in PLAN.players():
        assert summary["players"][name]["won"] == frame[f"{name} won"].sum()


def synthetic(efforts: list[int | None], most: int = 10_000) -> pd.DataFrame:
    """Deals won at these efforts, or not."""
    return pd.DataFrame(
        {
            "take-back won": [effort is not None for effort in efforts],
            "take-back looked": [most if effort is None else effort for effort in efforts],
        }
    )


def test_curve_counts_what_is_won_before_the_effort_is_used_up() -> None:
    chance = np.random.default_rng(3)
    efforts = [int(10 ** chance.uniform(1, 3.9)) if chance.random() < 0.8 else None for _ in range(200)]
    curve = effort_curve(synthetic(efforts), points=20)
    assert len(curve) == 20
    assert (curve["looked"].iloc[0], curve["looked"].iloc[-1]) == (10, 10_000)
    for row in curve.itertuples():
        won = sum(effort is not None and effort < row.looked for effort in efforts)
        assert (row.won, row.share) == (won, won / 200)
        assert (row.low, row.high) == share_interval(won, 200)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.75, 0.8, 0.95])
def test_effort_needed_is_the_first_that_suffices(share: float) -> None:
    chance = np.random.default_rng(4)
    efforts = [int(10 ** chance.uniform(1, 3.9)) if chance.random() < 0.8 else None for _ in range(100)]

    intervals = [share_interval(won, 100) for won in range(101)]

    def first(reached: str) -> int | None:
        for budget in range(10_001):
            won = sum(effort is not None and effort < budget for effort in efforts)
            interval = intervals[won]
            if {"low": interval.high, "share": won / 100, "high": interval.low}[reached] >= share:
                return budget
        return None

    assert effort_needed(synthetic(efforts), share) == (first("low"), first("share"), first("high"))


def test_player_table_ends_with_the_ceiling(frame: pd.DataFrame) -> None:
    table = player_table(frame)
    assert list(table["player"]) == [*PLAN.players(), "exact ceiling"]
    row = table.set_index("player").loc["take-back"]
    won = frame["take-back won"].sum()
    assert (row["won"], row["deals"], row["share"]) == (won, 12, won / 12)
    assert (row["low"], row["high"]) == share_interval(int(won), 12)
    assert row["looked"] == frame["take-back looked"].mean()
    assert table.iloc[-1]["won"] == (frame["outcome"] == "winnable").sum()


def test_tip_table_compares_players_that_differ_in_one_tip(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "TIP_BUDGET", 1_000)
    table = tip_table(frame)
    assert len(table) == 4 * 3 + 2
    named = PLAN.players()
    for row in table.itertuples():
        one, other = named[row.with_tip], named[row.without_tip]
        assert tip_name(one.tips & ~other.tips) == row.tip
        assert other.tips & ~one.tips == 0
        assert one.foresight == other.foresight
        first, second = frame[f"{row.with_tip} won"], frame[f"{row.without_tip} won"]
        if row.with_tip == "take-back":
            first = first & (frame["take-back looked"] < 1_000)
        assert row.only_with == (first & ~second).sum()
        assert row.only_without == (second & ~first).sum()
        assert row.difference == pytest.approx(first.mean() - second.mean())
        assert row.p_value == mcnemar_test(row.only_with, row.only_without)
        assert row.low <= row.difference <= row.high


def test_command_writes_the_tables(
    place: Path, frame: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["players", "random:4/10-21", "--out", str(place), "--budget", "3000", "--workers", "1"]
    assert main([*words, "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields["effort"] == {
        "75%": list(effort_needed(frame, 0.75)),
        "80%": list(effort_needed(frame, 0.80)),
    }
    for name, table in (("players", player_table), ("effort", effort_curve), ("tips", tip_table)):
        written = pd.read_csv(place / f"{name}.csv")
        pd.testing.assert_frame_equal(written, table(frame), rtol=1e-5, check_dtype=False)
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith("bakers-dozen random:4/10-21: 12 deals\n")
    assert "80 % won by taking back: " in out
    manifest = json.loads((place / "manifest.json").read_text())
    assert manifest["command"] == f"patience players random:4/10-21 --out {place} --budget 3000"


def test_kept_results_are_what_the_players_do() -> None:
    kept = Path(__file__).parent.parent / "results" / "players"
    frame = read_study(kept)
    assert len(frame) == 2_000
    for name, table in (("players", player_table), ("effort", effort_curve), ("tips", tip_table)):
        pd.testing.assert_frame_equal(
            pd.read_csv(kept / f"{name}.csv"), table(frame), rtol=1e-5, check_dtype=False
        )
    again = plan_players("random:1/0-1999")
    assert read_json(kept / "manifest.json")["parameters"] == again.parameters()
    sources = list(frame["source"][:3])
    columns = again.decide(sources)
    assert {name: frame[name][:3].tolist() for name in columns} == columns


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(InputError, match="at least"):
        plan_players("random:1/0-9", budget=0)
    with pytest.raises(InputError, match="at least"):
        plan_players("random:1/0-9", block=0)
    with pytest.raises(InputError, match="not a range"):
        plan_players("board.txt")

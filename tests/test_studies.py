"""Studies: that they find what the solver finds, whatever the workers."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from solvers.bakers_dozen.solve import Limits, solve
from solvers.clock.policies import find_variant
from solvers.clock.rules import play
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.studies import run as run_module
from solvers.studies import store as store_module
from solvers.studies.plan import Progress
from solvers.studies.run import run_study
from solvers.studies.store import read_json
from solvers.studies.verdicts import DealStudy, plan_study, read_study
from solvers.studies.workers import Processes, Workers
from solvers.wording import counted
from tests.reference.plans import SquarePlan
from tests.study_files import SMALL, assert_same_study


def test_study_is_the_solver_deal_by_deal(tmp_path: Path) -> None:
    run_study(plan_study("bakers-dozen", "pysolfc:60-70", block=4), tmp_path / "study")
    frame = read_study(tmp_path / "study")
    assert list(frame["source"]) == [f"pysolfc:{number}" for number in range(60, 71)]
    for row in frame.itertuples():
        result = solve(load_deal("bakers-dozen", str(row.source)).position)
        assert (row.outcome, row.reason, row.states, row.moves) == (
            result.outcome,
            result.reason,
            result.states,
            len(result.moves),
        )
    assert frame.loc[4, "outcome"] == "unwinnable"
    assert (frame["seconds"] > 0).all()


def test_study_reads_back_with_sensible_types(tmp_path: Path) -> None:
    run_study(plan_study("clock", "random:7/0-99"), tmp_path / "study")
    frame = read_study(tmp_path / "study")
    assert isinstance(frame, pd.DataFrame)
    types = {name: str(kind) for name, kind in frame.dtypes.items()}
    assert types.pop("source") in ("str", "object")  # by the version of pandas
    assert types == {
        "outcome": "category",
        "reason": "category",
        "states": "int64",
        "moves": "int32",
        "seconds": "float32",
    }
    assert list(frame["outcome"].cat.categories) == ["winnable", "unwinnable", "undecided"]


def test_clock_deals_are_those_that_can_be_shown(tmp_path: Path) -> None:
    run_study(plan_study("clock", "random:7/0-299"), tmp_path / "study")
    frame = read_study(tmp_path / "study")
    for row in frame.itertuples():
        piles = load_deal("clock", str(row.source)).position.columns
        playout = play(find_variant("clock"), piles, lambda n: n)
        assert (row.outcome == "winnable") == playout.won
        assert row.states == len(playout.turned)
        assert row.reason == ("" if playout.won else f"{counted(playout.cards_left, 'card')} left")
    assert 0 < (frame["outcome"] == "winnable").sum() < 60


def test_rules_of_a_file_are_studied_as_they_are(tmp_path: Path) -> None:
    rules = tmp_path / "ten-columns.json"
    rules.write_text('{"columns": 10, "column_cards": 5, "aces_out": 2}')
    plan = plan_study(str(rules), "random:7/0-3")
    run_study(plan, tmp_path / "study")
    manifest = read_json(tmp_path / "study" / "manifest.json")
    assert manifest["parameters"]["game"] == "ten-columns"
    assert manifest["parameters"]["rules"]["aces_out"] == 2
    assert manifest["command"].startswith(f"patience study {rules} random:7/0-3 --out")
    run_study(plan_study("good-measure", "random:7/0-3"), tmp_path / "same")
    columns = ["source", "outcome", "states", "moves"]
    assert read_study(tmp_path / "study")[columns].equals(read_study(tmp_path / "same")[columns])
    rules.write_text('{"columns": 12, "column_cards": 4, "aces_out": 4}')
    with pytest.raises(InputError, match="another study: rules is"):
        run_study(plan_study(str(rules), "random:7/0-3"), tmp_path / "study")


def test_state_limit_leaves_deals_undecided(tmp_path: Path) -> None:
    plan = plan_study("bakers-dozen", "pysolfc:1-12", limits=Limits(states=300), block=5)
    summary = run_study(plan, tmp_path / "study")
    frame = read_study(tmp_path / "study")
    undecided = frame[frame["outcome"] == "undecided"]
    assert 0 < len(undecided) < 12
    assert set(undecided["reason"]) == {"state-limit"}
    assert summary["undecided"] == len(undecided)
    assert summary["rate_high"] - summary["rate_low"] == pytest.approx(len(undecided) / 12)
    assert summary["ci95"][0] < summary["rate_low"] <= summary["rate_high"] <= summary["ci95"][1]


def test_summary_has_the_keys_of_the_contract(tmp_path: Path) -> None:
    returned = run_study(plan_study("bakers-dozen", "random:3/5-9"), tmp_path / "study")
    summary = read_json(tmp_path / "study" / "summary.json")
    assert returned == summary | {"interrupted": False}
    assert list(summary) == [
        "game",
        "range",
        "deals",
        "winnable",
        "unwinnable",
        "undecided",
        "rate_low",
        "rate_high",
        "ci95",
        "seconds",
        "workers",
    ]
    assert (summary["game"], summary["range"], summary["deals"]) == ("bakers-dozen", "random:3/5-9", 5)


def test_manifest_says_how_it_came_about(tmp_path: Path) -> None:
    run_study(
        plan_study("bakers-dozen", "random:3/5-9", kings="swap", limits=Limits(10**6)), tmp_path / "study"
    )
    manifest = read_json(tmp_path / "study" / "manifest.json")
    words = f"patience study bakers-dozen random:3/5-9 --out {tmp_path / 'study'}"
    assert manifest["command"] == f"{words} --kings swap --max-states 1000000"
    assert manifest["seed"] == 3
    assert manifest["parameters"]["kings"] == "swap"
    assert manifest["program"]["version"]
    assert len(manifest["program"]["sources"]) == 64
    assert {"system", "processor", "python"} <= manifest["machine"].keys()
    assert {"numpy", "numba", "pyarrow"} <= manifest["libraries"].keys()
    assert manifest["start"] <= manifest["end"]
    assert set(manifest["columns"]) == set(read_study(tmp_path / "study").columns)


def test_groups_of_rows_do_not_depend_on_the_size_of_the_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "ROWS_A_GROUP", 7)
    for block in (1, 5, 7, 16, 100):
        run_study(SquarePlan(last=22, block=block), tmp_path / str(block))
        assert pq.ParquetFile(tmp_path / str(block) / "squares.parquet").metadata.num_row_groups == 4
        assert_same_study(tmp_path / str(block), tmp_path / "1", "squares.parquet")
    assert list(read_study(tmp_path / "5")["square"]) == [index**2 for index in range(23)]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"game": "quidditch"}, "quidditch"),
        ({"deals": "random:7/9-3"}, "ends before it begins"),
        ({"deals": "board.txt"}, "not a range"),
        ({"kings": "up"}, "'up'"),
        ({"policy": "lucky"}, "no policy"),
        ({"limits": Limits(seconds=1.0)}, "no time limit"),
        ({"block": 0}, "at least one deal"),
        ({"game": "clock", "kings": "swap"}, "Kings"),
        ({"game": "clock", "policy": "lucky"}, "lucky"),
    ],
)
def test_plan_that_cannot_be_is_refused(settings: dict[str, Any], says: str) -> None:
    usual: dict[str, Any] = {"game": "bakers-dozen", "deals": "random:7/0-9"}
    with pytest.raises(InputError, match=says):
        plan_study(**(usual | settings))


# Workers


def test_no_workers_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1, not 0"):
        Workers(0)


def test_results_do_not_depend_on_the_workers(tmp_path: Path) -> None:
    plan = plan_study("bakers-dozen", "random:11/0-59", block=7)
    for number in (1, 2, 8):
        summary = run_study(plan, tmp_path / str(number), Workers(number))
        assert summary["workers"] == number
        assert_same_study(tmp_path / str(number), tmp_path / "1", "deals.parquet")


def test_anything_with_submit_will_do(tmp_path: Path, squares: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        run_study(SMALL, tmp_path / "study", Workers(3, pool))
    assert_same_study(tmp_path / "study", squares, "squares.parquet")


def test_kept_workers_serve_one_study_after_the_other(tmp_path: Path, squares: Path) -> None:
    ids = set()
    with Workers(2).kept() as workers:
        assert workers.start_cold
        assert workers.executor is not None
        for name in ("one", "other"):
            run_study(SMALL, tmp_path / name, workers)
            assert_same_study(tmp_path / name, squares, "squares.parquet")
            ids |= {workers.executor.submit(os.getpid).result() for _ in range(10)}
    assert os.getpid() not in ids
    assert len(ids) <= 2
    with Workers().kept() as workers:
        assert workers == Workers()


def test_lost_worker_is_replaced(tmp_path: Path, squares: Path) -> None:
    plan = SquarePlan(last=22, dies_at=8, dies_once=str(tmp_path / "died"))
    run_study(plan, tmp_path / "study", Workers(2))
    assert (tmp_path / "died").exists()
    assert_same_study(tmp_path / "study", squares, "squares.parquet")


def test_deal_that_kills_every_worker_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "MOST_LOSSES", 2)
    plan = SquarePlan(last=22, block=23, dies_at=8)
    monkeypatch.setattr(SquarePlan, "decide", lambda *_: pytest.fail("the parent must not do it"))
    monkeypatch.setattr(Workers, "start_cold", False)
    with pytest.raises(InputError, match="lost 2 times over the deals from random:0/0 on"):
        run_study(plan, tmp_path / "study", Workers(2))


def test_processes_end_at_once_with_their_block(tmp_path: Path) -> None:
    started = time.monotonic()
    with Processes(2) as processes:
        future = processes.submit(time.sleep, 60)
        while not future.running():
            time.sleep(0.01)
    assert time.monotonic() - started < 20
    assert future.done()


def test_code_of_the_workers_is_checked(tmp_path: Path) -> None:
    class Elsewhere:
        def submit(self, function: Any, /, *arguments: Any) -> Any:
            with ThreadPoolExecutor(1) as pool:
                return pool.submit(lambda: ("0" * 64, function(*arguments)[1]))

    with pytest.raises(InputError, match="other code than this"):
        run_study(SMALL, tmp_path / "study", Workers(1, Elsewhere()))


def test_progress_has_rate_and_time_left(tmp_path: Path) -> None:
    seen: list[Progress] = []
    run_study(SquarePlan(last=22, nap=0.002), tmp_path / "study", progress=seen.append)
    assert (seen[0].done, seen[0].rate, seen[0].seconds_left) == (0, 0.0, None)
    assert (seen[-1].done, seen[-1].total, seen[-1].seconds_left) == (23, 23, 0.0)
    middle = next(progress for progress in seen if progress.done == 10)
    assert middle.rate == pytest.approx(10 / middle.seconds)
    assert middle.seconds_left == pytest.approx(1.3 * middle.seconds)
    assert (
        DealStudy.running(plan_study("clock", "random:0/0"), seen[0].tally) == "winnable 0.00 % to 100.00 %"
    )

"""Studies: that no cut, fault or number of workers changes what they find, or loses what they have."""

from __future__ import annotations

import errno
import json
import os
import tempfile
import time
from collections.abc import Iterator
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

SMALL = SquarePlan(last=22)


class PowerCut(BaseException):
    """The process ends here, and nothing it would have done afterwards happens."""


class Cutter:
    """Lets a number of file operations through, and then none."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, allowed: int) -> None:
        self.count, self.allowed = 0, allowed
        for owner, name in (
            (Path, "replace"),
            (Path, "unlink"),
            (Path, "rmdir"),
            (Path, "mkdir"),
            (os, "fsync"),
        ):
            monkeypatch.setattr(owner, name, self.wrap(getattr(owner, name)))

    def wrap(self, operation: Any) -> Any:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            self.count += 1
            if self.count > self.allowed:
                raise PowerCut
            return operation(*arguments, **options)

        return wrapped


def repeatable_bytes(path: Path) -> dict[str, bytes]:
    """Bytes of each column of a Parquet file as they lie on the disk, but for the times."""
    data, found = path.read_bytes(), {}
    metadata = pq.ParquetFile(path).metadata
    for group in range(metadata.num_row_groups):
        for index in range(metadata.num_columns):
            column = metadata.row_group(group).column(index)
            start = column.dictionary_page_offset or column.data_page_offset
            if column.path_in_schema != "seconds":
                found[f"{group} {column.path_in_schema}"] = data[start : start + column.total_compressed_size]
    return found


def assert_same_study(one: Path, other: Path, table: str) -> None:
    first, second = read_json(one / "manifest.json"), read_json(other / "manifest.json")
    assert first["data_sha256"] == second["data_sha256"]
    assert repeatable_bytes(one / table) == repeatable_bytes(other / table)
    # Not even the length depends on the times.
    assert (one / table).stat().st_size == (other / table).stat().st_size
    assert not (one / "parts").exists()
    unneeded = {"seconds", "workers"}
    summaries = [read_json(place / "summary.json") for place in (one, other)]
    assert [{name: s[name] for name in s if name not in unneeded} for s in summaries].count(
        {name: summaries[0][name] for name in summaries[0] if name not in unneeded}
    ) == 2


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small study, run without a hitch."""
    place = tmp_path_factory.mktemp("whole") / "study"
    run_study(SMALL, place)
    return place


def part_files(place: Path) -> list[Path]:
    return sorted((place / "parts").glob("*.parquet"))


def interrupted_after(blocks: int, place: Path, plan: Any = SMALL) -> dict[str, Any]:
    """Run a study and press Ctrl-C when that many blocks are finished."""

    def press(progress: Progress) -> None:
        if progress.done >= blocks * plan.block:
            raise KeyboardInterrupt

    return run_study(plan, place, progress=press)


# What a study finds


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
    plan = plan_study("bakers-dozen", "pysolfc:1-12", limits=Limits(states=150), block=5)
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


# Cuts


def test_power_cut_at_every_moment(tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = 0
    while True:
        place = tmp_path / str(moments)
        with monkeypatch.context() as patch:
            cutter = Cutter(patch, moments)
            try:
                run_study(SMALL, place)
            except PowerCut:
                pass
            else:
                break
        done = len(part_files(place))
        resumed = run_study(SMALL, place)
        assert_same_study(place, whole, "squares.parquet")
        runs = read_json(place / "manifest.json")["runs"]
        assert resumed["odd"] == 11
        if done and len(runs) == 2:
            # What had been written was not done again.
            assert runs[-1]["deals"] == max(0, 23 - 5 * done)
        moments += 1
    assert cutter.count == moments
    assert moments > 40


def test_power_cuts_in_a_row(tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cuts = 0
    while True:
        with monkeypatch.context() as patch:
            Cutter(patch, 12 + 3 * cuts)
            try:
                run_study(SMALL, tmp_path / "study")
            except PowerCut:
                cuts += 1
            else:
                break
    assert cuts > 1
    assert_same_study(tmp_path / "study", whole, "squares.parquet")
    assert len(read_json(tmp_path / "study" / "manifest.json")["runs"]) > 1


def test_interruption_keeps_what_is_finished(tmp_path: Path, whole: Path) -> None:
    place = tmp_path / "study"
    summary = interrupted_after(2, place)
    assert summary["interrupted"]
    assert summary["deals"] == 10
    assert len(part_files(place)) == 2
    assert list(read_study(place)["square"]) == [index**2 for index in range(10)]
    assert not (place / "summary.json").exists()
    assert not run_study(SMALL, place)["interrupted"]
    assert [run["deals"] for run in read_json(place / "manifest.json")["runs"]] == [10, 13]
    assert_same_study(place, whole, "squares.parquet")


def test_finished_study_is_not_run_again(whole: Path) -> None:
    before = {path: path.read_bytes() for path in whole.iterdir()}
    summary = run_study(SquarePlan(last=22, raises_at=3), whole)
    assert summary["odd"] == 11
    assert {path: path.read_bytes() for path in whole.iterdir()} == before


def test_block_size_is_that_of_the_run_that_began_it(tmp_path: Path, whole: Path) -> None:
    place = tmp_path / "study"
    interrupted_after(2, place)
    run_study(SquarePlan(last=22, block=9), place)
    assert_same_study(place, whole, "squares.parquet")


# Faults


@pytest.mark.parametrize("damage", ["flipped", "short", "empty", "swapped"])
def test_damaged_part_is_named_and_decided_again(
    tmp_path: Path, whole: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "study"
    interrupted_after(3, place)
    victim, other, _ = part_files(place)
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 4
    victim.write_bytes(
        {
            "flipped": bytes(data),
            "short": victim.read_bytes()[:-9],
            "empty": b"",
            "swapped": other.read_bytes(),
        }[damage]
    )
    run_study(SMALL, place)
    assert [record.getMessage() for record in caplog.records] == [
        f"{victim}: damaged; its deals are decided again"
    ]
    last = read_json(place / "manifest.json")["runs"][-1]
    assert last["damaged_blocks"] == [0]
    assert last["deals"] == 23 - 10
    assert_same_study(place, whole, "squares.parquet")


def test_part_of_another_block_is_not_taken_for_this(tmp_path: Path, whole: Path) -> None:
    place = tmp_path / "study"
    interrupted_after(2, place)
    first = part_files(place)[0]
    first.rename(first.with_name(first.name.replace("00000000", "00000002")))
    run_study(SMALL, place)
    assert_same_study(place, whole, "squares.parquet")


def test_other_files_among_the_parts_are_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "study"
    interrupted_after(2, place)
    (place / "parts" / "notes.txt").write_text("mine")
    run_study(SMALL, place)
    assert (place / "parts" / "notes.txt").read_text() == "mine"


def test_damaged_result_is_an_error_and_stays(tmp_path: Path) -> None:
    place = tmp_path / "study"
    run_study(SMALL, place)
    data = bytearray((place / "squares.parquet").read_bytes())
    data[50] ^= 1
    (place / "squares.parquet").write_bytes(data)
    with pytest.raises(InputError, match=r"squares\.parquet: damaged"):
        run_study(SMALL, place)
    assert (place / "squares.parquet").read_bytes() == data
    (place / "squares.parquet").unlink()
    with pytest.raises(InputError, match=r"squares\.parquet: cannot be read \(No such file"):
        run_study(SMALL, place)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"study": "squares"'])
def test_damaged_manifest_is_an_error_and_nothing_is_lost(tmp_path: Path, text: str) -> None:
    place = tmp_path / "study"
    interrupted_after(2, place)
    kept = part_files(place)
    (place / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json: damaged"):
        run_study(SMALL, place)
    assert part_files(place) == kept


def test_manifest_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"program": "thesis", "end": null}')
    with pytest.raises(InputError, match=r"manifest\.json is not that of a study"):
        run_study(SMALL, tmp_path)
    with pytest.raises(InputError, match="no block of this study"):
        read_study(tmp_path)


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (plan_study("bakers-dozen", "random:7/0-5"), "range is random:7/0-4 there and random:7/0-5 here"),
        (plan_study("bakers-dozen", "random:8/0-4"), "range is random:7/0-4 there and random:8/0-4 here"),
        (plan_study("clock", "random:7/0-4"), "game is bakers-dozen there and clock here"),
        (plan_study("bakers-dozen", "random:7/0-4", kings="swap"), "kings is slide there and swap here"),
        (
            plan_study("bakers-dozen", "random:7/0-4", limits=Limits(9)),
            "max_states is 50000000 there and 9 here",
        ),
        (SquarePlan(last=4), "study is deals there and squares here"),
    ],
)
def test_another_study_in_the_same_place_is_refused(tmp_path: Path, plan: Any, says: str) -> None:
    mine = plan_study("bakers-dozen", "random:7/0-4", block=2)
    place = tmp_path / "study"
    interrupted_after(1, place, mine)
    kept = part_files(place)
    with pytest.raises(InputError, match=f"study: holds another study: {says}"):
        run_study(plan, place)
    assert part_files(place) == kept
    run_study(mine, place)
    with pytest.raises(InputError, match="holds another study"):
        run_study(plan, place)


def test_other_code_does_not_go_on_with_a_study(tmp_path: Path) -> None:
    place = tmp_path / "study"
    interrupted_after(1, place)
    manifest = read_json(place / "manifest.json")
    manifest["program"]["sources"] = "0" * 64
    (place / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="the code has changed since"):
        run_study(SMALL, place)


def test_directory_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(InputError, match=r"holds other files, and no manifest\.json"):
        run_study(SMALL, tmp_path)
    with pytest.raises(InputError, match=r"thesis\.tex: cannot be used \(File exists\)"):
        run_study(SMALL, tmp_path / "thesis.tex")


@pytest.fixture
def locked_directory() -> Iterator[Path]:
    """A directory in which this process may not write, whoever runs it."""
    if os.name != "posix":
        pytest.skip("needs POSIX permissions")
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        place = Path(name)
        place.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield place
        finally:
            if root:
                os.seteuid(0)
            place.chmod(0o755)


def test_read_only_directory_is_an_error(locked_directory: Path) -> None:
    with pytest.raises(InputError, match=r"manifest\.json: cannot be written \(Permission denied\)"):
        run_study(SMALL, locked_directory)
    with pytest.raises(InputError, match=r"below: cannot be used \(Permission denied\)"):
        run_study(SMALL, locked_directory / "below")


def test_full_disk_is_an_error_and_what_is_there_is_kept(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "study"
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if len(part_files(place)) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(InputError) as caught:
            run_study(SMALL, place)
    assert "cannot be written (No space left on device); 2 finished blocks are kept" in str(caught.value)
    assert len(part_files(place)) == 2
    assert [path for path in place.rglob("*") if path.name.endswith(".unfinished")] == []
    run_study(SMALL, place)
    assert_same_study(place, whole, "squares.parquet")


def test_two_processes_do_not_work_on_one_study(tmp_path: Path) -> None:
    place = tmp_path / "study"

    def meddle(progress: Progress) -> None:
        if progress.done == 10:
            with pytest.raises(InputError, match="another process is at work"):
                run_study(SMALL, place)

    run_study(SMALL, place, progress=meddle)
    assert len(read_json(place / "manifest.json")["runs"]) == 1


def test_fault_of_the_work_is_not_hidden(tmp_path: Path) -> None:
    plan = SquarePlan(last=22, raises_at=12)
    for workers in (Workers(), Workers(2)):
        with pytest.raises(ZeroDivisionError, match="deal 12"):
            run_study(plan, tmp_path / str(workers.number), workers)
        assert part_files(tmp_path / str(workers.number))


def test_reading_what_is_no_study(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest\.json: cannot be read"):
        read_study(tmp_path)
    place = tmp_path / "study"
    interrupted_after(1, place)
    for path in part_files(place):
        path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="damaged"):
        read_study(place)
    for path in part_files(place):
        path.unlink()
    with pytest.raises(InputError, match="no block of this study is finished"):
        read_study(place)


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


def test_no_workers_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1, not 0"):
        Workers(0)


# Workers


def test_results_do_not_depend_on_the_workers(tmp_path: Path) -> None:
    plan = plan_study("bakers-dozen", "random:11/0-59", block=7)
    for number in (1, 2, 8):
        summary = run_study(plan, tmp_path / str(number), Workers(number))
        assert summary["workers"] == number
        assert_same_study(tmp_path / str(number), tmp_path / "1", "deals.parquet")


def test_anything_with_submit_will_do(tmp_path: Path, whole: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        run_study(SMALL, tmp_path / "study", Workers(3, pool))
    assert_same_study(tmp_path / "study", whole, "squares.parquet")


def test_lost_worker_is_replaced(tmp_path: Path, whole: Path) -> None:
    plan = SquarePlan(last=22, dies_at=8, dies_once=str(tmp_path / "died"))
    run_study(plan, tmp_path / "study", Workers(2))
    assert (tmp_path / "died").exists()
    assert_same_study(tmp_path / "study", whole, "squares.parquet")


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

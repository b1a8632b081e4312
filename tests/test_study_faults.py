"""Studies: that no cut and no fault changes what they find, or loses what they have."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solvers.bakers_dozen.solve import Limits
from solvers.errors import InputError
from solvers.studies.plan import Columns, Progress
from solvers.studies.run import run_study
from solvers.studies.store import read_json
from solvers.studies.verdicts import plan_study, read_study
from solvers.studies.workers import Workers
from tests.reference.plans import SquarePlan
from tests.study_files import SMALL, assert_same_study, interrupted_after, part_files


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


# Cuts


def test_power_cut_at_every_moment(tmp_path: Path, squares: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert_same_study(place, squares, "squares.parquet")
        runs = read_json(place / "manifest.json")["runs"]
        assert resumed["odd"] == 11
        if done and len(runs) == 2:
            # What had been written was not done again.
            assert runs[-1]["deals"] == max(0, 23 - 5 * done)
        moments += 1
    assert cutter.count == moments
    assert moments > 40


def test_power_cuts_in_a_row(tmp_path: Path, squares: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert_same_study(tmp_path / "study", squares, "squares.parquet")
    assert len(read_json(tmp_path / "study" / "manifest.json")["runs"]) > 1


def test_interruption_keeps_what_is_finished(tmp_path: Path, squares: Path) -> None:
    place = tmp_path / "study"
    summary = interrupted_after(2, place)
    assert summary["interrupted"]
    assert summary["deals"] == 10
    assert len(part_files(place)) == 2
    assert list(read_study(place)["square"]) == [index**2 for index in range(10)]
    assert not (place / "summary.json").exists()
    assert not run_study(SMALL, place)["interrupted"]
    assert [run["deals"] for run in read_json(place / "manifest.json")["runs"]] == [10, 13]
    assert_same_study(place, squares, "squares.parquet")


@pytest.mark.parametrize("at_call", [1, 2])
def test_interruption_while_a_block_is_counted(
    tmp_path: Path, squares: Path, monkeypatch: pytest.MonkeyPatch, at_call: int
) -> None:
    place, real, calls = tmp_path / "study", SquarePlan.tally, 0

    def tally(plan: SquarePlan, columns: Columns) -> Counter[str]:
        nonlocal calls
        calls += 1
        if calls == at_call:
            raise KeyboardInterrupt
        return real(plan, columns)

    monkeypatch.setattr(SquarePlan, "tally", tally)
    summary = run_study(SMALL, place)
    assert summary["interrupted"]
    assert summary["deals"] == 5 * len(part_files(place)) == 5 * at_call
    run_study(SMALL, place)
    assert [run["deals"] for run in read_json(place / "manifest.json")["runs"]] == [
        5 * at_call,
        23 - 5 * at_call,
    ]
    assert_same_study(place, squares, "squares.parquet")


def test_finished_study_is_not_run_again(squares: Path) -> None:
    before = {path: path.read_bytes() for path in squares.iterdir()}
    summary = run_study(SquarePlan(last=22, raises_at=3), squares)
    assert summary["odd"] == 11
    assert {path: path.read_bytes() for path in squares.iterdir()} == before


def test_block_size_is_that_of_the_run_that_began_it(tmp_path: Path, squares: Path) -> None:
    place = tmp_path / "study"
    interrupted_after(2, place)
    run_study(SquarePlan(last=22, block=9), place)
    assert_same_study(place, squares, "squares.parquet")


# Faults


@pytest.mark.parametrize("damage", ["flipped", "short", "empty", "swapped"])
def test_damaged_part_is_named_and_decided_again(
    tmp_path: Path, squares: Path, damage: str, caplog: pytest.LogCaptureFixture
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
    assert_same_study(place, squares, "squares.parquet")


def test_part_of_another_block_is_not_taken_for_this(tmp_path: Path, squares: Path) -> None:
    place = tmp_path / "study"
    interrupted_after(2, place)
    first = part_files(place)[0]
    first.rename(first.with_name(first.name.replace("00000000", "00000002")))
    run_study(SMALL, place)
    assert_same_study(place, squares, "squares.parquet")


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


def test_more_deals_than_a_study_can_have_are_refused(tmp_path: Path) -> None:
    plan = plan_study("bakers-dozen", f"random:7/0-{2**59}")
    with pytest.raises(InputError, match="too many deals for one study, which has at most 50,000,000"):
        run_study(plan, tmp_path / "study")
    assert not (tmp_path / "study").exists()


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
    tmp_path: Path, squares: Path, monkeypatch: pytest.MonkeyPatch
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
    assert_same_study(place, squares, "squares.parquet")


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

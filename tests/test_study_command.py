"""``patience study`` in a process of its own: killed, interrupted, and told what cannot be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import solvers
from solvers.cli import main
from solvers.studies.store import read_json
from solvers.studies.verdicts import read_study
from tests.study_files import assert_same_study
from tests.test_minimal import patience, run_without

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
DEALS = "random:5/0-299"
BLOCK = 50


def start(*words: str) -> subprocess.Popen[str]:
    """Start ``patience`` in a session of its own, so that Ctrl-C reaches it and its workers alone."""
    assert solvers.__file__
    return subprocess.Popen(
        [sys.executable, "-m", "solvers", *words],
        env=os.environ | {"PYTHONPATH": str(Path(solvers.__file__).parent.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def parts(place: Path) -> list[Path]:
    return list((place / "parts").glob("*.parquet"))


def alive_in_session(leader: int) -> list[int]:
    """Processes of a session, as Linux lists them."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("whole") / "study"
    assert main(["study", "bakers-dozen", DEALS, "--out", str(place), "--workers", "2"]) == 0
    return place


def test_summary_is_printed(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "bakers-dozen", DEALS, "--out", str(whole)]
    assert main([*words, "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields == read_json(whole / "summary.json") | {"interrupted": False}
    assert fields["winnable"] == (read_study(whole)["outcome"] == "winnable").sum()
    assert main(words) == 0
    first, second, _ = capsys.readouterr().out.splitlines()
    assert first == (
        f"bakers-dozen {DEALS}: 300 deals, {fields['winnable']} winnable,"
        f" {fields['unwinnable']} unwinnable, 0 undecided"
    )
    assert second.startswith(f"winnable: {100 * fields['rate_low']:.4f} %, 95 % interval ")


@posix_only
def test_kill_loses_the_blocks_in_hand_alone(tmp_path: Path, whole: Path) -> None:
    place = tmp_path / "study"
    words = ["study", "bakers-dozen", DEALS, "--out", str(place), "--workers", "2"]
    running = start(*words)
    wait_until(lambda: len(parts(place)) >= 2 or running.poll() is not None)
    running.kill()
    running.communicate()
    assert running.returncode == -signal.SIGKILL
    kept = len(parts(place))
    assert 2 <= kept < 6
    if sys.platform == "linux":
        wait_until(lambda: alive_in_session(running.pid) == [], 10)
    assert main(words) == 0
    manifest = read_json(place / "manifest.json")
    assert manifest["runs"][1]["deals"] == 300 - BLOCK * kept
    assert manifest["parameters"] == read_json(whole / "manifest.json")["parameters"]
    assert_same_study(place, whole, "deals.parquet")


@posix_only
@pytest.mark.parametrize("workers", [1, 2])
def test_interrupt_keeps_what_is_finished(tmp_path: Path, whole: Path, workers: int) -> None:
    place = tmp_path / "study"
    words = ["study", "bakers-dozen", DEALS, "--out", str(place), "--workers", str(workers)]
    running = start(*words, "--json")
    wait_until(lambda: len(parts(place)) >= 1 or running.poll() is not None)
    pressed = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    seconds = time.monotonic() - pressed
    assert running.returncode == 130
    fields = json.loads(out)
    assert fields["interrupted"]
    assert fields["deals"] == BLOCK * len(parts(place)) < 300
    assert err.splitlines()[-1] == (
        "interrupted; what is finished is kept, and the same command goes on from there"
    )
    assert "Traceback" not in err
    assert seconds < 3  # one, on a machine that does nothing else
    assert main(words) == 0
    assert_same_study(place, whole, "deals.parquet")


@posix_only
def test_file_that_grows_too_large_is_one_line(tmp_path: Path) -> None:
    """The system's own limit stands for a full disk: the file with all rows does not fit, its parts do."""
    place = tmp_path / "study"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4500, 4500))\n"
    limit += "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    line = f"study bakers-dozen {DEALS} --out {place} --workers 1"
    done = run_without((), limit + patience(line))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"patience: {place}/deals.parquet: cannot be written (File too large); 6 finished blocks are kept"
    )
    assert len(parts(place)) == 6
    assert main(line.split()) == 0
    assert len(read_study(place)) == 300


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("study bakers-dozen random:7/0-9", "Missing option '--out'"),
        ("study bakers-dozen --out DIR", "Missing argument 'RANGE'"),
        ("study bakers-dozen board.txt --out DIR", "'board.txt' is not a range of deals"),
        ("study quidditch random:7/0-9 --out DIR", "unknown game 'quidditch'"),
        ("study bakers-dozen random:7/0-9 --out DIR --workers 0", "'--workers'"),
        ("study bakers-dozen random:7/0-9 --out DIR --policy lucky", "takes no policy"),
        ("study bakers-dozen random:7/0-9 --out DIR --cluster nowhere:1 --workers 2", "not both"),
        ("study bakers-dozen random:7/0-9 --out DIR/file", "DIR/file: cannot be used"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "DIR").mkdir()
    (tmp_path / "DIR" / "file").touch()
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert says in err


@pytest.mark.parametrize(
    ("missing", "option", "extra"),
    [
        ("pyarrow", "--workers 1", "studies"),
        ("pandas", "--workers 1", "studies"),
        ("distributed", "--cluster tcp://127.0.0.1:1", "cluster"),
    ],
)
def test_missing_package_is_one_line(tmp_path: Path, missing: str, option: str, extra: str) -> None:
    done = run_without((missing,), patience(f"study clock random:7/0-9 {option} --out {tmp_path}/study"))
    assert done.returncode == 2
    wanted = f"pip install 'patience-lab[{extra}]', or '.[{extra}]' in a checkout"
    assert done.stderr == f"patience: {missing} is needed for this: {wanted}\n"
    assert not (tmp_path / "study").exists()


def test_progress_is_shown_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers.commands import shared, studies
    from solvers.studies.workers import Workers
    from tests.reference.plans import SquarePlan

    shown: list[Any] = []

    class Bar(shared.SlowProgress):
        def __call__(self, done: int, detail: str = "") -> None:
            shown.append((done, detail))
            super().__call__(done, detail)

    monkeypatch.setattr(studies, "SlowProgress", Bar)
    monkeypatch.setattr(shared, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    studies.run_shown(SquarePlan(last=22, nap=0.001), str(tmp_path / "study"), Workers())
    done, details = zip(*shown, strict=True)
    assert done[0] == 0
    assert done[-1] == 23
    assert details[-1].endswith("/s  11 odd")


def test_progress_is_said_now_and_then_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from solvers.commands import studies
    from solvers.studies.workers import Workers
    from tests.reference.plans import SquarePlan

    monkeypatch.setattr(studies, "NOTE_SECONDS", 0.0)
    studies.run_shown(SquarePlan(last=22, nap=0.001), str(tmp_path / "study"), Workers())
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "0 of 23 deals, 0/s  0 odd"
    assert any(line.startswith("10 of 23 deals, ") and line.endswith(" s left") for line in lines)
    studies.run_shown(SquarePlan(last=22), str(tmp_path / "other"), Workers(), "study 2 of 3, ")
    assert capsys.readouterr().err.startswith("study 2 of 3, 0 of 23 deals, ")


def test_compilation_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    from solvers import compilation
    from solvers.commands.shared import compilation_announced

    for _ in range(2):
        with compilation_announced():
            for _ in range(2):
                with compilation_announced():
                    for listener in compilation._listeners:
                        listener("kernel")
    assert capsys.readouterr().err.count("compiling for the first time") == 2


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names that are not UTF-8")
def test_a_directory_whose_name_is_not_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    words = ["study", "open-clock", "random:1/0-9", "--out", str(place), "--workers", "1"]
    assert main(words) == 0
    assert place.name in read_json(place / "manifest.json")["command"]
    assert len(read_study(place)) == 10
    assert main(words) == 0
    assert capsys.readouterr().err == ""

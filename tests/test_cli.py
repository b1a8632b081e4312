"""The command line: what scripts outside the project rely on, and what happens around the work."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

import solvers
from solvers.cli import app
from solvers.commands import shared
from solvers.deals import load_deal
from solvers.formats import FORMATS, parse_position
from tests.command_line import Patience, start

COMMANDS = ("games", "deal", "solve", "verify", "simulate", "exact", "study", "compare", "players")


# Help and usage


def test_no_arguments_show_the_help(patience: Patience) -> None:
    ran = patience()
    assert ran.code == 0
    assert ran.err == ""
    assert [name for name in COMMANDS if f"\n  {name} " not in ran.out] == []
    assert ran.out == patience("--help").out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_that_parses(patience: Patience, command: str) -> None:
    ran = patience(command, "--help")
    assert ran.code == 0
    example = ran.out.split("Example: ")[1].strip()
    program, name, *words = shlex.split(example)
    assert (program, name) == ("patience", command)
    group: Any = typer.main.get_command(app)
    group.commands[name].make_context(name, words)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("frobnicate", "No such command 'frobnicate'"),
        ("deal", "Missing argument 'GAME'; see patience deal --help"),
        ("deal bakers-dozen", "Missing argument 'SOURCE'"),
        ("deal bakers-dozen pysolfc:1 more", "unexpected extra argument"),
        ("deal bakers-dozen pysolfc:1 --bogus", "No such option: --bogus"),
        ("deal bakers-dozen pysolfc:1 --kings up", "'up'"),
        ("deal bakers-dozen pysolfc:1 --format png", "unknown format 'png'"),
        ("deal bakers-dozen pysolfc:0", "deal numbers of pysolfc"),
        ("deal bakers-dozen nowhere.txt", "no such file"),
        ("deal bakers-dozen ''", "'': no such file, and not pysolfc:N"),
        ("deal ./games pysolfc:1", "unknown game './games'; the name of a file of rules ends in .json"),
        ("solve open-clock random:0/0 --max-states 1", "open-clock is decided at once"),
        ("solve open-clock random:0/0 --time-limit 0", "open-clock is decided at once"),
        ("deal bakres-dozen pysolfc:1", "did you mean bakers-dozen?"),
        ("games --search quidditch", "'quidditch'"),
        ("solve clock random:0/0", "clock leaves the player no choice"),
        ("solve bakers-dozen pysolfc:24 --max-states 0", "'--max-states'"),
        ("solve bakers-dozen pysolfc:24 --time-limit soon", "'--time-limit'"),
        ("verify bakers-dozen pysolfc:24 nowhere.json", "nowhere.json: no such file"),
        ("verify bakers-dozen - -", "cannot both come from standard input"),
        ("verify clock random:0/0 nowhere.json", "clock leaves the player no choice"),
        ("simulate clock", "Missing option '--games'"),
        ("simulate clock --games 0", "'--games'"),
        ("simulate clock --games 10 --seed -1", "seed"),
        ("simulate clock --games 10 --policy lucky", "lucky"),
        ("simulate clock --games 10 --shuffle faro:1", "unknown shuffle 'faro'"),
        ("simulate bakers-dozen --games 10", "not of the Clock family"),
        ("exact bakers-dozen", "not of the Clock family"),
        ("exact clock --policy lucky", "lucky"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(patience: Patience, line: str, says: str) -> None:
    ran = patience(*shlex.split(line))
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("patience")
    assert says in ran.err


# games and deal


def test_games_lists_every_game_with_rules_and_source(patience: Patience) -> None:
    listed = patience("games", "--json").fields["games"]
    assert {"clock", "bakers-dozen"} <= {game["name"] for game in listed}
    assert all(game["rules"] and game["source"] for game in listed)
    text = patience("games").out
    for game in listed:
        assert f"{game['name']}\n" in text
        assert game["source"] in " ".join(text.split())


def test_games_search(patience: Patience) -> None:
    assert patience("games", "--search", "clock").out.startswith("clock\n")
    assert patience("games", "--search", "four of a kind", "--json").fields["games"][0]["name"] == "clock"


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kings", [(), ("--kings", "slide"), ("--kings", "swap")])
def test_deal_prints_what_can_be_read_back(patience: Patience, format: str, kings: tuple[str, ...]) -> None:
    ran = patience("deal", "bakers-dozen", "random:7/3", "--format", format, *kings)
    assert ran.code == 0
    wanted = load_deal("bakers-dozen", "random:7/3", kings[1] if kings else None).position
    assert parse_position(ran.out) == wanted


def test_deal_reads_standard_input(patience: Patience, monkeypatch: pytest.MonkeyPatch) -> None:
    board = patience("deal", "bakers-dozen", "ms:617").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(board.encode())))
    assert patience("deal", "bakers-dozen", "-").out == board


# What happens around the work


def test_interrupt_while_loading_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers.__main__ import main as program

    class Interrupting:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "solvers.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "solvers.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert program() == shared.ExitCode.INTERRUPTED


def test_interrupt_anywhere_is_one_line(patience: Patience, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solvers.deals.load_deal", interrupted)
    ran = patience("deal", "bakers-dozen", "pysolfc:1")
    assert (ran.code, ran.out, ran.err) == (130, "", "interrupted\n")


def test_output_that_the_terminal_cannot_show_is_escaped() -> None:
    process = start("games", PYTHONIOENCODING="ascii")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "Rel\\xf3gio" in out


@pytest.mark.parametrize("line", ["games --json", "exact clock", "--help"])
def test_closed_pipe_is_quiet(line: str) -> None:
    process = start(*line.split(), PYTHONUNBUFFERED="")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 141
    process.stderr.close()


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_one_line() -> None:
    with FULL.open("w") as full:
        process = start("exact", "clock", stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err.startswith("patience: cannot write: ")
    assert err.count("\n") == 1


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("stderr", ["2>/dev/full", "2>&-"])
def test_exit_code_counts_without_standard_error(stderr: str) -> None:
    assert solvers.__file__
    line = f'exec "$0" -m solvers deal bakers-dozen nowhere.txt {stderr}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable],
        env=os.environ | {"PYTHONPATH": str(Path(solvers.__file__).parent.parent)},
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")


def test_first_compilation_is_announced_once(tmp_path: Path) -> None:
    def run() -> tuple[str, str]:
        process = start("simulate", "clock", "--games", "10", "--json", NUMBA_CACHE_DIR=str(tmp_path))
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0
        return out, err

    cold, announced = run()
    assert announced.startswith("compiling for the first time")
    assert announced.count("\n") == 1
    warm, silence = run()
    assert silence == ""
    assert json.loads(cold)["wins"] == json.loads(warm)["wins"]


class Terminal(io.StringIO):
    """A standard error that passes for a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_shows_on_a_terminal_when_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with shared.SlowProgress("playing", 200) as progress:
        progress(50)
    assert "playing" in terminal.getvalue()
    assert "25%" in terminal.getvalue()


@pytest.mark.parametrize(("stream", "seconds"), [(io.StringIO, 0.0), (Terminal, 3600.0)])
def test_progress_stays_away_otherwise(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], seconds: float
) -> None:
    monkeypatch.setattr(shared, "PATIENCE_SECONDS", seconds)
    err = stream()
    monkeypatch.setattr(sys, "stderr", err)
    with shared.SlowProgress("playing", 200) as progress:
        progress(50)
    assert err.getvalue() == ""

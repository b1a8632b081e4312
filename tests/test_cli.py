"""The command line: what scripts outside the project rely on."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

import pytest
import typer

import solvers
from solvers.bakers_dozen.rules import replay
from solvers.cli import app, main
from solvers.clock.simulate import SimulationResult
from solvers.clock.theory import ExactResult
from solvers.commands import shared
from solvers.deals import load_deal
from solvers.formats import FORMATS, parse_moves, parse_position

COMMANDS = ("games", "deal", "solve", "verify", "simulate", "exact", "study", "compare", "players")
SOLVE_24 = ("solve", "bakers-dozen", "pysolfc:24")


class Ran:
    """What a run of the command line in this process gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def fields(self) -> dict[str, Any]:
        assert self.out.count("\n") == 1, "one object on one line"
        fields = json.loads(self.out)
        assert isinstance(fields, dict)
        return fields


Patience = Callable[..., Ran]


@pytest.fixture
def patience(capsys: pytest.CaptureFixture[str]) -> Patience:
    def run(*words: str) -> Ran:
        capsys.readouterr()
        code = main(words)
        return Ran(code, *capsys.readouterr())

    return run


def start(*words: str, stdout: int | TextIO = subprocess.PIPE, **variables: str) -> subprocess.Popen[str]:
    """Start ``patience`` in a process of its own."""
    assert solvers.__file__
    path = {"PYTHONPATH": str(Path(solvers.__file__).parent.parent)}
    return subprocess.Popen(
        [sys.executable, "-m", "solvers", *words],
        env=os.environ | path | variables,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
    )


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


# solve and verify


def test_solve_prints_one_object_whose_moves_win(patience: Patience) -> None:
    ran = patience(*SOLVE_24, "--json")
    assert ran.code == 0
    fields = ran.fields
    position = load_deal("bakers-dozen", "pysolfc:24").position
    assert fields["game"] == "bakers-dozen"
    assert fields["source"] == "pysolfc:24"
    assert fields["outcome"] == "winnable"
    assert fields["reason"] == ""
    assert fields["states"] > 0
    assert fields["seconds"] >= 0
    assert parse_position(json.dumps(fields)) == position
    assert replay(position, parse_moves(ran.out)).won
    assert {name: type(value) for name, value in fields["moves"][0].items()}.keys() == {"card", "from", "to"}
    assert "explanation" not in fields


def test_solve_numbers_its_moves_for_people(patience: Patience) -> None:
    verdict, *moves = patience(*SOLVE_24).out.splitlines()
    fields = patience(*SOLVE_24, "--json").fields
    assert verdict.startswith(f"winnable in {len(fields['moves'])} moves")
    assert len(moves) == len(fields["moves"])
    first = fields["moves"][0]
    assert moves[0].strip().startswith(f"1. {first['card']} from column {first['from']} to ")


def test_solve_explains_when_asked(patience: Patience) -> None:
    explained = patience(*SOLVE_24, "--explain", "--json").fields["explanation"]
    assert explained
    assert all(isinstance(sentence, str) for sentence in explained)
    assert "\n".join(explained) in patience(*SOLVE_24, "--explain").out


def test_solve_an_unwinnable_deal(patience: Patience) -> None:
    ran = patience("solve", "bakers-dozen", "pysolfc:64", "--json")
    assert ran.code == 1
    assert ran.fields["outcome"] == "unwinnable"
    assert ran.fields["reason"]
    assert ran.fields["moves"] == []
    assert patience("solve", "bakers-dozen", "pysolfc:64").out.startswith("unwinnable (")


@pytest.mark.parametrize(
    ("option", "reason"), [("--max-states", "state-limit"), ("--time-limit", "time-limit")]
)
def test_limit_is_never_a_verdict(patience: Patience, option: str, reason: str) -> None:
    least = "1" if option == "--max-states" else "0"
    ran = patience("solve", "bakers-dozen", "pysolfc:238", option, least, "--json")
    assert ran.code == 3
    assert ran.fields["outcome"] == "undecided"
    assert ran.fields["reason"] == reason
    assert ran.fields["moves"] == []


@pytest.fixture
def solution(patience: Patience, tmp_path: Path) -> Path:
    path = tmp_path / "moves.json"
    path.write_text(patience(*SOLVE_24, "--json").out)
    return path


def test_verify_accepts_what_solve_printed(patience: Patience, solution: Path) -> None:
    ran = patience("verify", "bakers-dozen", "pysolfc:24", str(solution))
    assert ran.code == 0
    assert ran.out.startswith("legal and complete: ")


def test_verify_tells_illegal_from_incomplete(patience: Patience, solution: Path) -> None:
    fields = json.loads(solution.read_text())
    solution.write_text(json.dumps(fields["moves"][:-1]))
    ran = patience("verify", "bakers-dozen", "pysolfc:24", str(solution))
    assert ran.code == 1
    assert ran.out.startswith("incomplete: ")
    assert "51 of 52 cards up" in ran.out
    solution.write_text(json.dumps(fields["moves"][1:]))
    ran = patience("verify", "bakers-dozen", "pysolfc:24", str(solution))
    assert ran.code == 1
    assert ran.out.startswith("illegal: move ")


def test_verify_says_where_a_move_list_is_wrong(patience: Patience, tmp_path: Path) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("7S 3 9\n7X 3 9\n")
    ran = patience("verify", "bakers-dozen", "pysolfc:24", str(path))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert f"{path}: line 2: " in ran.err


# simulate and exact


def test_simulate_prints_one_object(patience: Patience) -> None:
    line = ("simulate", "clock", "--games", "20000", "--seed", "5")
    ran = patience(*line, "--json")
    assert ran.code == 0
    fields = ran.fields
    assert (fields["game"], fields["games"], fields["seed"]) == ("clock", 20_000, 5)
    assert (fields["policy"], fields["shuffle"]) == (None, "uniform")
    assert sum(fields["cards_left"]) == 20_000
    assert fields["wins"] == fields["cards_left"][0]
    assert fields["rate"] == fields["wins"] / 20_000
    low, high = fields["ci95"]
    assert 0 < low < fields["rate"] < high < 1
    assert fields["exact"] == "1/13"
    assert abs(fields["z"]) < 5
    assert fields["seconds"] > 0
    assert fields["interrupted"] is False
    again = patience(*line, "--json").fields
    assert again | {"seconds": 0} == fields | {"seconds": 0}
    assert f"won {fields['wins']:,}: " in patience(*line).out


def test_simulate_with_another_shuffle(patience: Patience) -> None:
    line = ("simulate", "clock", "--games", "1000", "--shuffle", "overhand:2,deal=bottom")
    fields = patience(*line, "--json").fields
    assert fields["shuffle"] == "overhand:2,deal=bottom"
    assert fields["exact"] is None
    assert fields["z"] is None
    assert ", shuffle overhand:2,deal=bottom, " in patience(*line).out


@pytest.mark.parametrize(("games", "rate"), [(0, None), (1, 0.0)])
def test_numbers_that_json_lacks_become_null(
    patience: Patience, monkeypatch: pytest.MonkeyPatch, games: int, rate: float | None
) -> None:
    # No game at all has no rate; and a lost game where every game is won is infinitely unlikely.
    sure = ExactResult(game="clock", policy=None, cards=1, win_probability=Fraction(1))
    result = SimulationResult(
        game="clock",
        policy=None,
        shuffle="uniform",
        seed=0,
        games=games,
        wins=0,
        cards_left=(0, games),
        complete_hours=(games,),
        theory=sure,
        seconds=0.0,
    )
    monkeypatch.setattr("solvers.clock.simulate.simulate", lambda *_, **__: result)
    fields = patience("simulate", "clock", "--games", "1", "--json").fields
    assert fields["rate"] == rate
    assert fields["z"] is None


def test_exact_prints_fractions(patience: Patience) -> None:
    fields = patience("exact", "clock", "--json").fields
    assert (fields["game"], fields["policy"], fields["win_probability"]) == ("clock", None, "1/13")
    assert fields["win_probability_float"] == 1 / 13
    assert fields["loss_probability_float"] == 12 / 13
    left = [Fraction(text) for text in fields["cards_left"]]
    assert sum(left) == 1
    assert left[0] == Fraction(1, 13)
    text = patience("exact", "clock").out
    assert "won with probability 1/13 = 0.0769230769230769\n" in text
    assert f"  {fields['cards_left'][1]}  " in text


@pytest.mark.parametrize(
    ("foundations", "column", "line"),
    [("KC KD KH KS", "", "winnable in 0 moves: "), ("KC KD KH QS", "KS", "winnable in 1 move: ")],
)
def test_numbers_agree_with_their_nouns(
    patience: Patience, tmp_path: Path, foundations: str, column: str, line: str
) -> None:
    file = tmp_path / "board.txt"
    file.write_text(f"Foundations: {foundations}\n" + (f"{column}\n" if column else "") + 12 * ":\n")
    ran = patience("solve", "bakers-dozen", str(file))
    assert ran.out.startswith(line), ran.err
    lost = patience("solve", "bakers-dozen", "pysolfc:64").out
    assert lost.startswith("unwinnable (counts exhausted): 1 state, ")


# What happens around the work


def test_interrupted_search_is_undecided(patience: Patience, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, progress: Callable[[int], None], **__: object) -> None:
        progress(7)
        raise KeyboardInterrupt

    monkeypatch.setattr("solvers.bakers_dozen.solve.solve", interrupted)
    ran = patience(*SOLVE_24, "--json")
    assert ran.code == 130
    fields = ran.fields
    assert (fields["outcome"], fields["reason"], fields["states"]) == ("undecided", "interrupted", 7)
    assert fields["moves"] == []


def test_interrupt_while_loading_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers.__main__ import main as program

    class Interrupting:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "solvers.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "solvers.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert program() == shared.ExitCode.INTERRUPTED


def test_interrupted_simulation_keeps_what_was_played(patience: Patience) -> None:
    patience("simulate", "clock", "--games", "1", "--json")  # everything loaded and compiled
    alarm = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    alarm.start()
    ran = patience("simulate", "clock", "--games", str(10**12), "--json")
    alarm.join()
    assert ran.code == 130
    fields = ran.fields
    assert fields["interrupted"] is True
    assert 0 < fields["games"] == sum(fields["cards_left"]) < 10**12
    assert ran.err == f"interrupted after {fields['games']:,} of {10**12:,} games\n"


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

"""``patience solve`` and ``patience verify``: verdicts, moves and exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from solvers.bakers_dozen.rules import replay
from solvers.deals import load_deal
from solvers.formats import parse_moves, parse_position
from tests.command_line import SOLVE_24, Patience


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


def test_a_small_deck_is_announced(patience: Patience, tmp_path: Path) -> None:
    """A file may have all its Kings forgotten; the verdict is then that on a smaller deck."""
    board = tmp_path / "board.txt"
    board.write_text("3S 2S\nAS AH\n2H 3H\n")
    ran = patience("solve", "bakers-dozen", str(board))
    assert "a small deck: 12 cards" not in ran.err
    assert "3 ranks in 4 suits" not in ran.out
    assert ran.code == 2  # clubs and diamonds are missing
    board.write_text("3C 2C\nAC\n")
    ran = patience("solve", "bakers-dozen", str(board))
    assert (ran.code, ran.err) == (0, "a small deck: 3 cards, 3 ranks in 1 suit\n")


def test_cards_that_are_up_are_asked_for(patience: Patience, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("3C 2C\n")
    ran = patience("solve", "bakers-dozen", str(board))
    assert ran.code == 2
    assert "AC is missing (those that are up have to be named as foundations)" in ran.err

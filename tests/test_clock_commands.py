"""The command line with the Clock family."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from solvers.cli import main
from solvers.clock.policies import GAMES as VARIANTS
from solvers.clock.policies import Variant
from solvers.games import GAMES, Family, find_game


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(words)
    return code, *capsys.readouterr()


def test_the_catalogue_and_the_policies_name_the_same_games() -> None:
    assert [game.name for game in GAMES.values() if game.family is Family.CLOCK] == list(VARIANTS)
    assert find_game("Sundial").name == "open-clock"


@pytest.mark.parametrize(
    "variant", [variant for variants in VARIANTS.values() for variant in variants], ids=str
)
def test_every_policy_is_simulated_and_valued(variant: Variant, capsys: pytest.CaptureFixture[str]) -> None:
    policy = ("--policy", variant.policy) if variant.policy else ()
    code, out, _ = run(capsys, "exact", variant.game, *policy, "--json")
    exact = json.loads(out)
    assert (code, exact["game"], exact["policy"]) == (0, variant.game, variant.policy)
    assert sum(map(Fraction, exact["cards_left"])) == 1
    code, out, _ = run(capsys, "simulate", variant.game, "--games", "2000", *policy, "--json")
    simulated = json.loads(out)
    assert code == 0
    assert simulated["exact"] == exact["win_probability"]
    assert abs(simulated["z"]) < 4.5
    assert sum(simulated["cards_left"]) == 2000


def test_open_clock_is_solved_and_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "solve", "open-clock", "random:7/0", "--json")
    solution = json.loads(out)
    assert (code, solution["outcome"], len(solution["moves"])) == (0, "winnable", 52)
    file = tmp_path / "moves.json"
    file.write_text(out)
    verify = ("verify", "open-clock", "random:7/0", str(file))
    assert run(capsys, *verify) == (0, "legal and complete: 52 moves\n", "")
    solution["moves"].pop()
    file.write_text(json.dumps(solution))
    assert run(capsys, *verify) == (1, "incomplete: 51 legal moves, 51 of 52 cards played\n", "")
    solution["moves"][0]["to"] = 7
    file.write_text(json.dumps(solution))
    code, out, _ = run(capsys, *verify)
    assert code == 1
    assert out.startswith("illegal: move 1: ")


def test_open_clock_that_cannot_be_won(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ranks = "A23456789TJQK"
    # Each pile begins with the next rank, except that the fives lie on their own pile and the rest skip it.
    others = [rank for rank in ranks if rank != "5"]
    following = dict(zip(others, [*others[1:], others[0]], strict=True)) | {"5": "5"}
    file = tmp_path / "deal.txt"
    file.write_text("".join(" ".join(following[rank] + suit for suit in "CDHS") + "\n" for rank in ranks))
    code, out, _ = run(capsys, "solve", "sundial", str(file), "--explain")
    assert code == 1
    assert out.startswith("unwinnable (no play from the centre reaches pile 5)")
    assert "5C 5D 5H 5S" in out


def test_games_without_a_choice_are_not_solved(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "solve", "watch", "random:7/0")
    assert (code, "watch leaves the player no choice" in err) == (2, True)


def test_a_deal_without_a_king_shows_51_cards(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "deal", "clock-no-king", "random:7/0")
    assert code == 0
    assert len(out.split()) == 51
    assert "KS" not in out.split()

"""The command line with the Clock family: ``simulate``, ``exact``, and the other commands."""

from __future__ import annotations

import json
import os
import signal
import threading
from fractions import Fraction
from pathlib import Path

import pytest

from solvers.clock.policies import GAMES as VARIANTS
from solvers.clock.policies import Variant
from solvers.clock.simulate import SimulationResult
from solvers.clock.theory import ExactResult
from solvers.games import GAMES, Family, find_game
from tests.command_line import Patience
from tests.test_minimal import patience as patience_script
from tests.test_minimal import run_without


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


def test_what_the_interval_needs_is_loaded_while_games_are_played() -> None:
    """In the end Ctrl-C would wait for it."""
    script = (
        "from solvers.clock import simulate as module\n"
        "play = module.simulate\n"
        "def played(*words, **options):\n"
        "    result = play(*words, **options)\n"
        "    print('scipy.stats' in sys.modules)\n"
        "    return result\n"
        "module.simulate = played\n"
    )
    done = run_without((), script + patience_script("simulate clock --games 1000"))
    assert done.stdout.startswith("True\nclock: 1,000 games"), done.stderr


def test_the_catalogue_and_the_policies_name_the_same_games() -> None:
    assert [game.name for game in GAMES.values() if game.family is Family.CLOCK] == list(VARIANTS)
    assert find_game("Sundial").name == "open-clock"


@pytest.mark.parametrize(
    "variant", [variant for variants in VARIANTS.values() for variant in variants], ids=str
)
def test_every_policy_is_simulated_and_valued(variant: Variant, patience: Patience) -> None:
    policy = ("--policy", variant.policy) if variant.policy else ()
    code, out, _ = patience("exact", variant.game, *policy, "--json")
    exact = json.loads(out)
    assert (code, exact["game"], exact["policy"]) == (0, variant.game, variant.policy)
    assert sum(map(Fraction, exact["cards_left"])) == 1
    code, out, _ = patience("simulate", variant.game, "--games", "2000", *policy, "--json")
    simulated = json.loads(out)
    assert code == 0
    assert simulated["exact"] == exact["win_probability"]
    assert abs(simulated["z"]) < 4.5
    assert sum(simulated["cards_left"]) == 2000


def test_open_clock_is_solved_and_verified(patience: Patience, tmp_path: Path) -> None:
    code, out, _ = patience("solve", "open-clock", "random:7/0", "--json")
    solution = json.loads(out)
    assert (code, solution["outcome"], len(solution["moves"])) == (0, "winnable", 52)
    file = tmp_path / "moves.json"
    file.write_text(out)
    verify = ("verify", "open-clock", "random:7/0", str(file))
    assert patience(*verify) == (0, "legal and complete: 52 moves\n", "")
    solution["moves"].pop()
    file.write_text(json.dumps(solution))
    assert patience(*verify) == (1, "incomplete: 51 legal moves, 51 of 52 cards played\n", "")
    solution["moves"][0]["to"] = 7
    file.write_text(json.dumps(solution))
    code, out, _ = patience(*verify)
    assert code == 1
    assert out.startswith("illegal: move 1: ")


def test_open_clock_that_cannot_be_won(patience: Patience, tmp_path: Path) -> None:
    ranks = "A23456789TJQK"
    # Each pile begins with the next rank, except that the fives lie on their own pile and the rest skip it.
    others = [rank for rank in ranks if rank != "5"]
    following = dict(zip(others, [*others[1:], others[0]], strict=True)) | {"5": "5"}
    file = tmp_path / "deal.txt"
    file.write_text("".join(" ".join(following[rank] + suit for suit in "CDHS") + "\n" for rank in ranks))
    code, out, _ = patience("solve", "sundial", str(file), "--explain")
    assert code == 1
    assert out.startswith("unwinnable (no play from the centre reaches pile 5)")
    assert "5C 5D 5H 5S" in out


def test_games_without_a_choice_are_not_solved(patience: Patience) -> None:
    code, _, err = patience("solve", "watch", "random:7/0")
    assert (code, "watch leaves the player no choice" in err) == (2, True)


def test_a_deal_without_a_king_shows_51_cards(patience: Patience) -> None:
    code, out, _ = patience("deal", "clock-no-king", "random:7/0")
    assert code == 0
    assert len(out.split()) == 51
    assert "KS" not in out.split()

"""The command line with games other than Baker's Dozen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvers.games import GAMES, TableauRules
from tests.command_line import Patience

FAMILY = [game for game in GAMES.values() if isinstance(game, TableauRules)]


def test_games_as_json_have_their_rules(patience: Patience) -> None:
    _, out, _ = patience("games", "--json")
    listed = {game["name"]: game for game in json.loads(out)["games"]}
    assert list(listed) == list(GAMES)
    jair = listed["spanish-patience-jair"]
    assert jair["kings"] == jair["numbered_kings"] == "as-dealt"
    assert (jair["building"], jair["spaces"], jair["groups"]) == ("any-suit", "any", "one-card")
    assert (jair["foundations"], jair["worrying_back"], jair["aces_out"]) == ("in-suit", True, 0)
    assert listed["clock"]["kings"] is None


@pytest.mark.parametrize("output", ["text", "json", "solvitaire"])
@pytest.mark.parametrize("game", FAMILY, ids=lambda game: game.name)
def test_a_deal_printed_can_be_read_back(
    game: TableauRules, output: str, patience: Patience, tmp_path: Path
) -> None:
    code, out, _ = patience("deal", game.name, "random:7/0", "--format", output)
    assert code == 0
    file = tmp_path / "deal"
    file.write_text(out)
    assert patience("deal", game.name, str(file), "--format", output) == (0, out, "")


def test_verify_goes_by_the_rules_of_the_game(patience: Patience, tmp_path: Path) -> None:
    deal, moves = tmp_path / "deal.txt", tmp_path / "moves.txt"
    deal.write_text("2C 2D\nAC AD\n:\n")
    moves.write_text("2D 1 3\nAD 2 foundation\n2D 3 foundation\nAC 2 foundation\n2C 1 foundation\n")
    verify = ("verify", "bakers-dozen", str(deal), str(moves))
    code, out, _ = patience(*verify)
    assert (code, out) == (
        1,
        "illegal: move 1, 2D from column 1 to column 3: column 3 is empty and stays empty\n",
    )
    code, out, _ = patience(verify[0], "bakers-dozen-fill", *verify[2:])
    assert (code, out) == (0, "legal and complete: 5 moves\n")
    rules = tmp_path / "rules.json"
    rules.write_text('{"spaces": "kings"}')
    code, out, _ = patience(verify[0], str(rules), *verify[2:])
    assert (code, out) == (0, "legal and complete: 5 moves\n")  # the two is the King of this deck


def test_wrong_rules_in_one_line(patience: Patience, tmp_path: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text('{\n"space": "kings"}')
    code, out, err = patience("deal", str(rules), "random:7/0")
    assert (code, out) == (2, "")
    assert err == f"patience: {rules}: line 2: unknown key 'space'; did you mean spaces?\n"

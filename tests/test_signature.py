"""The node-count signature: states visited over fixed deals, a change of which is deliberate.

After a change of the search that is meant, run this with the new number it shows, and say in the
commit why the search visits other states.
"""

from __future__ import annotations

import random

import pytest

from solvers.bakers_dozen import quotient, walk
from solvers.bakers_dozen.solve import solve
from solvers.cards import Deck
from solvers.deals import load_deal
from solvers.games import GAMES, TableauRules
from tests.reference.small_games import small_deal

SIGNATURE = 91_903
"""Of Baker's Dozen, PySolFC deals 1 to 200."""
IN_RED_AND_BLACK = 881_033
"""Of the first 100 deals of ``random:2026``."""
RESTARTED = {"bakers-dozen": 1668, "spanish-patience-ii": 1757, "bakers-dozen-red-black": 431}


def tableau_game(name: str) -> TableauRules:
    rules = GAMES[name]
    assert isinstance(rules, TableauRules)
    return rules


def test_signature_of_deals_1_to_200() -> None:
    positions = (load_deal("bakers-dozen", f"pysolfc:{number}").position for number in range(1, 201))
    assert sum(solve(position).states for position in positions) == SIGNATURE


def test_signature_in_red_and_black() -> None:
    """The kernels are compiled apart for classes that are not ranks."""
    rules = tableau_game("bakers-dozen-red-black")
    positions = (load_deal(rules, f"random:2026/{index}").position for index in range(100))
    assert sum(solve(position, rules=rules).states for position in positions) == IN_RED_AND_BLACK


@pytest.mark.interpreted
def test_restarts_are_the_same_compiled_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """States of small deals that restart after each few states: noise must not depend on the compilation."""
    monkeypatch.setattr(quotient, "UNIT", 2)
    monkeypatch.setattr(walk, "FIRST_ALLOWANCE", 2)
    chance = random.Random(2)
    for game, states in RESTARTED.items():
        rules = tableau_game(game)
        positions = [small_deal(rules, Deck(5, 4), 4, chance) for _ in range(10)]
        assert sum(solve(position, rules=rules).states for position in positions) == states, game

"""Every game of the Baker's Dozen family: the solver against brute force, and games against each other."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from solvers.bakers_dozen import explain, general, quotient, walk
from solvers.bakers_dozen.layout import rule_tables
from solvers.bakers_dozen.solve import Limits, quotient_applies, solve
from solvers.cards import Deck, parse_card
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.games import BAKERS_DOZEN, GAMES, Building, Foundations, Groups, Spaces, TableauRules
from solvers.outcome import Limit, Outcome
from solvers.positions import Move, Position
from tests.reference.small_games import compare, played_on, shapes, small_deal

DEALS = 500
"""Small deals of each shape and game."""
TABLEAU_GAMES = [game for game in GAMES.values() if isinstance(game, TableauRules)]


def tableau_game(name: str) -> TableauRules:
    rules = GAMES[name]
    assert isinstance(rules, TableauRules)
    return rules


@pytest.mark.parametrize("rules", TABLEAU_GAMES, ids=lambda rules: rules.name)
def test_verdict_equals_brute_force(rules: TableauRules) -> None:
    chance = random.Random(rules.name)
    outcomes = set()
    compared = 0
    for ranks, columns in shapes(rules):
        for _ in range(DEALS):
            position = small_deal(rules, Deck(ranks, 4), columns, chance)
            verdict = compare(played_on(position, rules, chance.choice([0, 0, 3, 8]), chance), rules)
            if verdict is not None:
                compared += 1
                outcomes.add(verdict.outcome)
    assert compared > 0.8 * DEALS * len(shapes(rules))
    assert outcomes == {Outcome.WINNABLE, Outcome.UNWINNABLE}


def test_verdict_equals_brute_force_for_drawn_rules() -> None:
    """Every combination of options that a user can write down, also those no game of the catalogue has."""
    chance = random.Random(8)
    reasons: dict[str, int] = {}
    for _ in range(2500):
        foundations = chance.choice(list(Foundations))
        worrying_back = foundations in (Foundations.IN_SUIT, Foundations.DIAL) and chance.random() < 0.5
        dial: dict[str, Any] = {"columns": 8, "column_cards": 5} if foundations is Foundations.DIAL else {}
        rules = replace(
            BAKERS_DOZEN,
            **dial,
            building=chance.choice(list(Building)),
            spaces=chance.choice(list(Spaces)),
            groups=chance.choice(list(Groups)),
            foundations=foundations,
            worrying_back=worrying_back,
        )
        ranks, columns = chance.choice(shapes(rules))
        verdict = compare(small_deal(rules, Deck(ranks, 4), columns, chance), rules, most_states=3_000)
        if verdict is not None:
            reasons[verdict.reason] = reasons.get(verdict.reason, 0) + 1
    assert sum(reasons.values()) > 1500
    assert set(reasons) >= {"", "counts exhausted", "real moves exhausted"}


def test_counts_and_restarts_agree_with_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an allowance of a few states the counts are asked early, and runs are given up and begun again."""
    monkeypatch.setattr(walk, "FIRST_ALLOWANCE", 3)
    monkeypatch.setattr(walk, "GROWTH", 1.3)
    monkeypatch.setattr(general, "MOST_RUNS", 2)  # so that the numbers of runs are used again, too
    chance = random.Random(4)
    reasons = set()
    for rules in TABLEAU_GAMES:
        ranks, columns = shapes(rules)[1]
        for _ in range(120):
            verdict = compare(small_deal(rules, Deck(ranks, 4), columns, chance), rules, most_states=5_000)
            if verdict is not None:
                reasons.add(verdict.reason)
    assert reasons >= {"", "counts exhausted", "real moves exhausted"}


@pytest.mark.parametrize("building", [Building.RED_BLACK, Building.SAME_SUIT])
def test_supports_of_one_colour_or_suit_agree_with_brute_force(
    building: Building, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search over lifts and digs, with restarts and partial proofs from the first."""
    monkeypatch.setattr(quotient, "UNIT", 3)
    monkeypatch.setattr(quotient, "PROOF_AFTER", 4)
    chance = random.Random(14)
    reasons = set()
    for _ in range(1500):
        foundations = chance.choice(list(Foundations))
        rules = replace(
            BAKERS_DOZEN,
            building=building,
            spaces=chance.choice([Spaces.NEVER, Spaces.KINGS]),
            foundations=Foundations.IN_SUIT if foundations is Foundations.DIAL else foundations,
        )
        assert quotient_applies(rules)
        ranks, columns = chance.choice([(5, 4), (5, 5), (6, 5), (6, 6)])
        dealt = small_deal(rules, Deck(ranks, 4), columns, chance)
        verdict = compare(played_on(dealt, rules, chance.choice([0, 0, 3, 8]), chance), rules)
        if verdict is not None:
            reasons.add(verdict.reason)
    assert reasons >= {"", "counts exhausted"}
    assert building is Building.SAME_SUIT or "frozen cards exhausted" in reasons


def won(game: str, position: Position) -> bool | None:
    """Whether a layout is won in a game; None if that was not decided."""
    rules = tableau_game(game)
    outcome = solve(position, Limits(states=200_000), rules=rules).outcome
    return None if outcome is Outcome.UNDECIDED else outcome is Outcome.WINNABLE


INCLUSIONS = [
    ("bakers-dozen", "portuguese-solitaire"),
    ("portuguese-solitaire", "spanish-patience-ii"),
    ("spanish-patience-ii", "spanish-patience-jair"),
    ("bakers-dozen", "bakers-dozen-group"),
    ("bakers-dozen-fill", "bakers-dozen-easy"),
    ("bakers-dozen-group", "bakers-dozen-easy"),
    ("castles-in-spain", "castles-in-spain-sequences"),
    ("bakers-dozen", "bakers-dozen-fill"),
    ("bakers-dozen-same-suit", "bakers-dozen"),
    ("bakers-dozen-red-black", "castles-in-spain"),
    ("bakers-dozen", "spanish-patience-any-suit"),
    ("spanish-patience", "spanish-patience-any-suit"),
]


@pytest.mark.parametrize(("harder", "easier"), INCLUSIONS)
def test_a_deal_won_in_a_game_is_won_in_an_easier_one(harder: str, easier: str) -> None:
    """Small decks, where both verdicts are common; whole decks are compared by ``patience compare``."""
    chance = random.Random(harder + easier)
    rules = tableau_game("spanish-patience-ii")  # Kings as dealt, which makes the games differ most
    differ = 0
    for _ in range(300):
        position = small_deal(rules, Deck(5, 4), 4, chance)
        by_harder = won(harder, in_game(position, harder))
        by_easier = won(easier, in_game(position, easier))
        assert by_harder is not None
        assert by_easier is not None
        assert by_easier or not by_harder, str(position)
        differ += by_easier != by_harder
    assert differ


def in_game(position: Position, game: str) -> Position:
    """The same layout with the foundations of a game."""
    rules = tableau_game(game)
    return replace(position, foundation_rule=rules.foundations)


def test_limits_leave_a_deal_undecided_with_the_reason() -> None:
    rules = tableau_game("castles-in-spain")
    position = load_deal(rules, "random:2026/1981").position
    result = solve(position, Limits(states=30_000), rules=rules)
    assert (result.outcome, result.reason) == (Outcome.UNDECIDED, Limit.STATES)
    result = solve(position, Limits(megabytes=1), rules=rules)
    assert (result.outcome, result.reason) == (Outcome.UNDECIDED, Limit.MEMORY)


@pytest.mark.parametrize("rules", TABLEAU_GAMES, ids=lambda rules: rules.name)
def test_no_more_states_are_visited_than_allowed(rules: TableauRules) -> None:
    outcomes = set()
    for index in range(8):
        position = load_deal(rules, f"random:5/{index}").position
        for states in (1, 2, 30, 150, 1500):
            result = solve(position, Limits(states=states), rules=rules)
            assert result.states <= states
            outcomes.add(result.outcome)
    assert Outcome.UNDECIDED in outcomes or rules.name == "bakers-dozen-same-suit"


@pytest.mark.parametrize(("game", "dug"), [("castles-in-spain", True), ("spanish-patience-ii", False)])
def test_a_card_is_dug_if_it_could_not_be_put_back(game: str, dug: bool) -> None:
    """An ace that lies on a two of its own colour is moved to one of the other."""
    ace, own, other = map(parse_card, ("AD", "2H", "2C"))
    rest = tuple(card for card in range(52) if card not in (ace, own, other))
    position = Position(((own, ace), (other,), rest))
    supports = rule_tables(tableau_game(game), Deck()).supports.tolist()
    sentences = explain.plan_of_moves(position, [Move(ace, 0, 1)], supports)
    assert ("Dig AD out of column 1, off 2H." in sentences) is dug


def test_a_position_of_another_game_is_refused() -> None:
    rules = tableau_game("spanish-patience")
    with pytest.raises(InputError, match="foundations"):
        solve(load_deal("bakers-dozen", "pysolfc:24").position, rules=rules)


def test_king_on_his_own_queen_is_refuted_at_once() -> None:
    """Spaces never filled: the King of spades lies on all four Queens, and no other King is bare."""
    kings = [48, 49, 50, 51]
    queens = [44, 45, 46, 47]
    rest = list(range(44))
    columns = [(*queens, kings[3]), (*kings[:3], rest[43])]
    columns += [tuple(rest[4 * index : 4 * index + 4]) for index in range(10)] + [tuple(rest[40:43])]
    result = solve(Position(tuple(columns)))
    assert result.outcome is Outcome.UNWINNABLE
    assert result.states == 1


def test_explanations_of_the_other_games() -> None:
    castles = tableau_game("castles-in-spain")
    deals = [load_deal("castles-in-spain", f"random:2026/{index}").position for index in range(20)]
    results = [solve(position, rules=castles) for position in deals]
    for result in results:
        if result.outcome is Outcome.WINNABLE:
            lifts = sum(sentence.startswith("Lift ") for sentence in result.explanation)
            assert result.explanation[0].startswith("The plan has 52 lifts and ")
            assert lifts > 0
        else:
            assert "every position" in result.explanation[0]
    assert {result.outcome for result in results} == {Outcome.WINNABLE, Outcome.UNWINNABLE}


@pytest.mark.interpreted
@pytest.mark.parametrize("name", ["spanish-patience", "spanish-patience-jair", "grandfathers-clock"])
def test_small_decks_without_compilation(name: str) -> None:
    rules = tableau_game(name)
    chance = random.Random(name)
    ranks, columns = shapes(rules)[0]
    for _ in range(8):
        assert compare(small_deal(rules, Deck(ranks, 4), columns, chance), rules) is not None

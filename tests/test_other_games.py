"""The referee in the relatives of Baker's Dozen, each option by itself and whole games against the twins."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solvers.bakers_dozen.rules import (
    IllegalMove,
    apply,
    legal_moves,
    may_go_up,
    perft,
    replay,
    why_illegal,
)
from solvers.cards import Deck, parse_card
from solvers.errors import InputError
from solvers.formats import format_position, parse_moves, parse_position
from solvers.foundations import Foundations
from solvers.games import BAKERS_DOZEN, GAMES, Building, Groups, Spaces, TableauRules
from solvers.positions import FOUNDATION, Move, Position
from tests.reference import brute_force, perft_twin, small_games

DATA = Path(__file__).parent / "data"
FAMILY = [game for game in GAMES.values() if isinstance(game, TableauRules)]


def moves(text: str) -> list[Move]:
    return parse_moves(text.replace(", ", "\n"))


# 4S 3H 2D lie in sequence regardless of suit, 4S 3H and 4D 3S in red and black. Fours are the Kings.
OTHER = parse_position("Foundations: C-A\n2C 4S 3H 2D\n4D 3S\nAH 4H 4C\n2H AD\n3C 2S\n3D AS\n:\n")
UP = "AD 4 foundation, AS 6 foundation"
ONTO_CARDS = "2D 1 2, 3S 2 3, AD 4 1, AD 4 5, 2S 5 2, AS 6 1, AS 6 5"
INTO_THE_SPACE = "2D 1 7, 3S 2 7, 4C 3 7, AD 4 7, 2S 5 7, AS 6 7"
SEQUENCES = "3H 1 3 2, 2H 4 2 2, 3C 5 3 2"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [UP, ONTO_CARDS]),
        ({"spaces": Spaces.ANY}, [UP, ONTO_CARDS, INTO_THE_SPACE]),
        ({"spaces": Spaces.KINGS}, [UP, ONTO_CARDS, "4C 3 7"]),
        ({"spaces": Spaces.SINGLE_CARD}, [UP, ONTO_CARDS, INTO_THE_SPACE]),
        ({"groups": Groups.SEQUENCE}, [UP, ONTO_CARDS, SEQUENCES]),
        (
            {"groups": Groups.SEQUENCE, "spaces": Spaces.ANY},
            [
                UP,
                ONTO_CARDS,
                SEQUENCES,
                INTO_THE_SPACE,
                "3H 1 7 2, 4S 1 7 3, 4D 2 7 2, 2H 4 7 2, 3C 5 7 2",
            ],
        ),
        (
            {"groups": Groups.SEQUENCE, "spaces": Spaces.KINGS},
            [UP, ONTO_CARDS, SEQUENCES, "4C 3 7, 4S 1 7 3, 4D 2 7 2"],
        ),
        (
            {"groups": Groups.SEQUENCE, "spaces": Spaces.SINGLE_CARD},
            [UP, ONTO_CARDS, SEQUENCES, INTO_THE_SPACE],
        ),
        ({"building": Building.RED_BLACK}, [UP, "2D 1 2, AD 4 5, AS 6 1"]),
        (
            {"building": Building.RED_BLACK, "groups": Groups.SEQUENCE, "spaces": Spaces.KINGS},
            [UP, "2D 1 2, AD 4 5, AS 6 1", "4C 3 7, 4D 2 7 2"],
        ),
        ({"building": Building.SAME_SUIT}, [UP, "AD 4 1, 2S 5 2, AS 6 5"]),
        ({"worrying_back": True}, [UP, ONTO_CARDS, "AC foundation 1, AC foundation 5"]),
        (
            {"worrying_back": True, "building": Building.RED_BLACK, "spaces": Spaces.ANY},
            [UP, "2D 1 2, AD 4 5, AS 6 1", INTO_THE_SPACE, "AC foundation 1, AC foundation 7"],
        ),
    ],
)
def test_legal_moves_of_one_position_in_many_games(options: dict[str, Any], expected: list[str]) -> None:
    rules = replace(BAKERS_DOZEN, **options)
    assert sorted(legal_moves(OTHER, rules)) == sorted(moves(", ".join(expected)))


@pytest.mark.parametrize(
    ("options", "move", "reason"),
    [
        ({"spaces": Spaces.KINGS}, "3S 2 7", "column 7 is empty and takes a King only"),
        (
            {"groups": Groups.SEQUENCE, "spaces": Spaces.SINGLE_CARD},
            "3H 1 7 2",
            "column 7 is empty and takes one card only",
        ),
        ({"groups": Groups.SEQUENCE}, "2C 1 2 4", "these cards do not lie in sequence"),
        ({"groups": Groups.SEQUENCE}, "3H 1 2 3", "card 3 from the top of column 1 is 4S"),
        ({"groups": Groups.SEQUENCE}, "4D 2 3 3", "column 2 has 2 cards, not 3"),
        ({"groups": Groups.SEQUENCE}, "2H 4 foundation 2", "one card at a time goes to the foundations"),
        ({"groups": Groups.SEQUENCE}, "3H 1 6 2", "the top card of column 6 is AS"),
        ({"worrying_back": True}, "AS foundation 1", "no foundation can give back this card"),
        ({"worrying_back": True}, "AC foundation 7", "column 7 is empty and stays empty"),
        ({"worrying_back": True}, "AC foundation 3", "the top card of column 3 is 4C"),
        (
            {"worrying_back": True},
            "AC foundation foundation",
            "one card comes back from a foundation to a column",
        ),
        (
            {"worrying_back": True},
            "AC foundation 1 2",
            "one card comes back from a foundation to a column",
        ),
        ({}, "AC foundation 1", "a card on a foundation stays there"),
    ],
)
def test_why_a_move_is_refused_in_other_games(options: dict[str, Any], move: str, reason: str) -> None:
    assert why_illegal(OTHER, moves(move)[0], replace(BAKERS_DOZEN, **options)) == reason


def test_moves_of_several_cards_and_from_a_foundation() -> None:
    rules = replace(BAKERS_DOZEN, groups=Groups.SEQUENCE, spaces=Spaces.ANY, worrying_back=True)
    after = replay(OTHER, moves("AD 4 foundation, 3H 1 3 2, 4S 1 7, AC foundation 3, AD foundation 5"), rules)
    assert format_position(after) == "2C\n4D 3S\nAH 4H 4C 3H 2D AC\n2H\n3C 2S AD\n3D AS\n4S\n"


def test_foundations_in_alternate_colours_and_in_any_suit() -> None:
    clubs = 0
    for foundations, twos, threes in [
        (Foundations.IN_SUIT, "2C", "3C"),
        (Foundations.ALTERNATE_COLOURS, "2D 2H", "3C 3S"),
        (Foundations.ANY_SUIT, "2C 2D 2H 2S", "3C 3D 3H 3S"),
    ]:
        rules = other_foundations(foundations)
        for height, expected in enumerate(("AC", twos, threes)):
            takes = [card for card in Deck().cards() if may_go_up(card, clubs, height, Deck(), rules)]
            assert takes == [parse_card(word) for word in expected.split()]
        assert not any(may_go_up(card, clubs, 13, Deck(), rules) for card in Deck().cards())


def other_foundations(foundations: Foundations) -> TableauRules:
    return next(game for game in FAMILY if game.foundations is foundations)


def test_a_card_goes_up_on_either_of_two_foundations() -> None:
    rules = other_foundations(Foundations.ALTERNATE_COLOURS)
    board = "Foundations: C-A D-0 H-0 S-A\n2D AH\n2H AD\n2S\n2C\n"
    position = parse_position(board, foundations=rules.foundations)
    after = replay(
        position, moves("AH 1 foundation, AD 2 foundation, 2H 2 foundation, 2D 1 foundation"), rules
    )
    assert after.foundations == (2, 1, 1, 2)
    assert replay(after, moves("2S 3 foundation, 2C 4 foundation"), rules).won


def test_the_dial_goes_up_in_suit_and_round_from_the_king() -> None:
    rules = other_foundations(Foundations.DIAL)
    board = "Foundations: 2S 3H 4C 5D\n2D 4S 3S AD\n5C 4H AC\n3C 2C AH 5H\nAS 4D 3D 5S 2H\n"
    position = parse_position(board, foundations=rules.foundations)
    assert legal_moves(position, rules)[0] == moves("AD 1 foundation")[0]  # fives are the Kings
    plan = "AD 1 foundation, 3S 1 foundation, 4S 1 foundation, 2D 1 foundation, 2H 4 1, 5S 4 foundation"
    after = replay(position, moves(plan), rules)
    assert after.foundations == (4, 1, 1, 3)
    with pytest.raises(IllegalMove, match="AC from column 2 to foundation: no foundation is up to it"):
        apply(after, moves("AC 2 foundation")[0], rules)


def test_the_first_cards_of_the_dial_stay() -> None:
    rules = replace(other_foundations(Foundations.DIAL), worrying_back=True)
    board = "Foundations: 3S 3H 4C 5D\n4S AD\n2D 5C 4H AC\n3C 2C AH 5H\nAS 4D 3D 5S 2H\n"
    position = parse_position(board, foundations=rules.foundations)
    given_back = [move for move in legal_moves(position, rules) if move.source == FOUNDATION]
    assert given_back == []  # no column takes the three of spades
    after = apply(position, moves("AD 1 foundation")[0], rules)
    assert [move for move in legal_moves(after, rules) if move.source == FOUNDATION] == moves(
        "3S foundation 1, AD foundation 4"
    )


def test_a_position_of_another_kind_of_game_is_refused() -> None:
    with pytest.raises(InputError) as error:
        replay(OTHER, [], other_foundations(Foundations.ANY_SUIT))
    assert str(error.value) == (
        "the foundations of spanish-patience-any-suit are built any-suit, those of the position in-suit"
    )


# --- against the twins ---------------------------------------------------------------------------------


@pytest.mark.parametrize("line", (DATA / "perft_family.txt").read_text().splitlines())
def test_perft_of_known_positions_of_other_games(line: str) -> None:
    file, game, depth, count = line.split()
    rules = GAMES[game]
    assert isinstance(rules, TableauRules)
    board = (DATA / f"{file}.txt").read_text()
    position = parse_position(board, columns=rules.columns, foundations=rules.foundations)
    assert perft(position, int(depth), rules) == int(count)
    if int(count) < 5000:
        assert perft_twin.perft(board, int(depth), small_games.plain(rules)) == int(count)


@pytest.mark.parametrize("rules", FAMILY, ids=lambda rules: rules.name)
def test_brute_force_agrees_with_the_referee_in_every_game(rules: TableauRules) -> None:
    chance = random.Random(rules.name)
    ranks, columns = small_games.shapes(rules)[0]
    deck = Deck(ranks)
    verdicts = []
    for number in range(40):
        position = small_games.small_deal(rules, deck, columns, chance)
        position = small_games.played_on(position, rules, number % 3, chance)
        verdict = brute_force.decide(
            position.columns, position.foundations, ranks, 4, 800, small_games.plain(rules)
        )
        if verdict is not None:
            found = small_games.winning_moves(position, rules)
            assert verdict == (found is not None)
            assert found is None or replay(position, found, rules).won
            verdicts.append(verdict)
    assert len(verdicts) >= 30
    assert 0 < sum(verdicts) < len(verdicts)


def weaker(rules: TableauRules) -> list[TableauRules]:
    """The same rules with one of them loosened: whatever was won is won still."""
    loosened: list[dict[str, Any]] = []
    if rules.spaces is Spaces.NEVER:
        loosened.append({"spaces": Spaces.KINGS})
    if rules.spaces is not Spaces.ANY:
        loosened.append({"spaces": Spaces.ANY})
    if rules.groups is Groups.ONE_CARD:
        loosened.append({"groups": Groups.SEQUENCE})
    if rules.building is not Building.ANY_SUIT:
        loosened.append({"building": Building.ANY_SUIT})
    if not rules.worrying_back and rules.foundations in (Foundations.IN_SUIT, Foundations.DIAL):
        loosened.append({"worrying_back": True})
    return [replace(rules, **options) for options in loosened]


@pytest.mark.parametrize("rules", FAMILY, ids=lambda rules: rules.name)
def test_what_is_won_is_won_by_looser_rules(rules: TableauRules) -> None:
    chance = random.Random(rules.title)
    ranks, columns = small_games.shapes(rules)[1]
    won = 0
    for _ in range(60):
        position = small_games.small_deal(rules, Deck(ranks), columns, chance)

        def verdict(rules: TableauRules, position: Position = position) -> bool | None:
            return brute_force.decide(
                position.columns, position.foundations, ranks, 4, 2000, small_games.plain(rules)
            )

        if verdict(rules):
            won += 1
            assert False not in [verdict(looser) for looser in weaker(rules)]
    assert won >= 10

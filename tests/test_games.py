from __future__ import annotations

import pytest

from solvers.errors import InputError
from solvers.games import GAMES, Family, Kings, find_game, search_games


def test_the_catalogue_is_by_name_and_tells_games_apart() -> None:
    assert list(GAMES) == [game.name for game in GAMES.values()]
    assert len({game.title for game in GAMES.values()}) == len(GAMES)
    for game in GAMES.values():
        assert game.sentence.endswith(".")
        assert game.source
        assert game.columns * game.column_cards <= 52


def test_bakers_dozen_and_clock() -> None:
    bakers_dozen, clock = GAMES["bakers-dozen"], GAMES["clock"]
    assert (bakers_dozen.columns, bakers_dozen.column_cards, bakers_dozen.kings) == (13, 4, Kings.SLIDE)
    assert (clock.columns, clock.column_cards, clock.kings) == (13, 4, None)
    assert bakers_dozen.family is Family.BAKERS_DOZEN
    assert clock.family is Family.CLOCK


@pytest.mark.parametrize(
    "name", ["bakers-dozen", "Baker's Dozen", "baker’s dozen", "BAKERS_DOZEN", " bakers  dozen "]
)
def test_spelling_does_not_matter(name: str) -> None:
    assert find_game(name).name == "bakers-dozen"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bakers-dozn", "unknown game 'bakers-dozn'; did you mean bakers-dozen?"),
        ("relogi", "unknown game 'relogi'; did you mean clock?"),
        ("xyzzy", f"unknown game 'xyzzy'; there are {', '.join(GAMES)}"),
        ("", f"unknown game ''; there are {', '.join(GAMES)}"),
        ("x\ny", rf"unknown game 'x\ny'; there are {', '.join(GAMES)}"),
    ],
)
def test_an_unknown_game_gets_a_hint(name: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        find_game(name)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Clock", "clock"),
        ("Four of a KIND", "clock"),
        ("Relógio", "clock"),
        ("relogio", "clock"),
        ("dozen", "bakers-dozen"),
        ("regardless suit", "bakers-dozen"),
    ],
)
def test_search_looks_in_names_and_rules(words: str, found: str) -> None:
    assert find_game(found) in search_games(words)
    assert search_games(words) != list(GAMES.values())


def test_search_wants_every_word() -> None:
    assert search_games("clock xyzzy") == []
    assert search_games("") == list(GAMES.values())

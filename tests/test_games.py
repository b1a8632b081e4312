from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solvers.cards import Deck
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.games import (
    BAKERS_DOZEN,
    GAMES,
    Building,
    ClockRules,
    Family,
    Foundations,
    Groups,
    Kings,
    Rules,
    Spaces,
    TableauRules,
    find_game,
    load_rules,
    search_games,
)


def test_the_catalogue_is_by_name_and_tells_games_apart() -> None:
    assert list(GAMES) == [game.name for game in GAMES.values()]
    assert len({game.title for game in GAMES.values()}) == len(GAMES)
    for game in GAMES.values():
        assert game.sentence.endswith(".")
        assert game.source
        assert game.columns * game.column_cards <= 52
        assert isinstance(game, TableauRules) == (game.family is Family.BAKERS_DOZEN)
        assert "\n" not in f"{game.name}{game.title}{game.sentence}{game.source}"


def differences(name: str) -> dict[str, Any]:
    """What a game has otherwise than Baker's Dozen, apart from its description."""
    game = GAMES[name]
    assert isinstance(game, TableauRules)
    described = ("name", "title", "sentence", "source", "also_called", "namesakes")
    return {
        field: getattr(game, field)
        for field in (*Rules.__slots__, *TableauRules.__slots__)
        if field not in described and getattr(game, field) != getattr(BAKERS_DOZEN, field)
    }


AS_DEALT = {"kings": Kings.AS_DEALT, "numbered_kings": Kings.AS_DEALT}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("good-measure", {"columns": 10, "column_cards": 5, "aces_out": 2}),
        ("spanish-patience", {"foundations": Foundations.ALTERNATE_COLOURS}),
        ("spanish-patience-ii", {**AS_DEALT, "spaces": Spaces.ANY}),
        ("spanish-patience-jair", {**AS_DEALT, "spaces": Spaces.ANY, "worrying_back": True}),
        ("spanish-patience-any-suit", {"foundations": Foundations.ANY_SUIT}),
        ("bakers-dozen-fill", {"spaces": Spaces.ANY}),
        ("bakers-dozen-group", {"groups": Groups.SEQUENCE}),
        ("bakers-dozen-easy", {"spaces": Spaces.SINGLE_CARD, "groups": Groups.SEQUENCE}),
        ("castles-in-spain", {**AS_DEALT, "building": Building.RED_BLACK, "spaces": Spaces.ANY}),
        (
            "castles-in-spain-sequences",
            {
                **AS_DEALT,
                "building": Building.RED_BLACK,
                "spaces": Spaces.ANY,
                "groups": Groups.SEQUENCE,
            },
        ),
        ("portuguese-solitaire", {**AS_DEALT, "spaces": Spaces.KINGS}),
        ("bakers-dozen-red-black", {"building": Building.RED_BLACK}),
        ("bakers-dozen-same-suit", {"building": Building.SAME_SUIT}),
        (
            "grandfathers-clock",
            {
                **AS_DEALT,
                "columns": 8,
                "column_cards": 5,
                "spaces": Spaces.ANY,
                "foundations": Foundations.DIAL,
            },
        ),
    ],
)
def test_how_each_game_differs_from_bakers_dozen(name: str, expected: dict[str, Any]) -> None:
    assert differences(name) == expected


def test_every_game_is_dealt_from_the_whole_deck() -> None:
    for game in GAMES.values():
        position = load_deal(game, "random:0/0").position
        assert position.deck == Deck()
        if isinstance(game, ClockRules) and game.removed:
            dealt = sorted(card for column in position.columns for card in column)
            assert dealt == [card for card in Deck().cards() if card not in game.removed]
        else:
            position.check()


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


@pytest.mark.parametrize("name", ["Clock Solitaire", "RELÓGIO", "zegar", "four of a kind"])
def test_other_names_of_a_game_lead_to_it(name: str) -> None:
    assert find_game(name).name == "clock"


@pytest.mark.parametrize("name", ["Big Ben", "die uhr", "Simple Addition clock"])
def test_games_that_only_share_a_name_are_told_apart(name: str) -> None:
    with pytest.raises(InputError, match="is another game than clock and not played here: "):
        find_game(name)
    assert GAMES["clock"] in search_games(name)


def test_a_game_of_similar_name_is_found_itself() -> None:
    assert find_game("Grandfather's Clock").name == "grandfathers-clock"
    assert search_games("grandfather") == [GAMES["clock"], GAMES["grandfathers-clock"]]


# --- rules that a user wrote down ----------------------------------------------------------------------


def rules_file(folder: Path, text: str) -> str:
    file = folder / "mine.json"
    file.write_text(text)
    return str(file)


def test_rules_from_a_file(tmp_path: Path) -> None:
    path = rules_file(
        tmp_path,
        """{
            "name": "by-colour", "title": "By colour", "sentence": "In red and black.", "source": "ours",
            "columns": 12, "column_cards": 4, "aces_out": 4, "kings": "swap", "numbered_kings": "as-dealt",
            "building": "red-black", "spaces": "kings", "groups": "sequence", "worrying_back": true
        }""",
    )
    rules = load_rules(path)
    assert rules == TableauRules(
        name="by-colour",
        title="By colour",
        sentence="In red and black.",
        source="ours",
        columns=12,
        aces_out=4,
        kings=Kings.SWAP,
        numbered_kings=Kings.AS_DEALT,
        building=Building.RED_BLACK,
        spaces=Spaces.KINGS,
        groups=Groups.SEQUENCE,
        worrying_back=True,
    )
    assert find_game(path) == rules
    deal = load_deal(path, "random:0/0")
    assert deal.position.foundations == (1, 1, 1, 1)
    assert [len(column) for column in deal.position.columns] == [4] * 12


def test_what_a_file_does_not_say_is_as_in_bakers_dozen(tmp_path: Path) -> None:
    path = rules_file(tmp_path, "{}")
    assert load_rules(path) == replace(
        BAKERS_DOZEN, name="mine", title="mine", sentence="The rules of the file mine.json.", source=path
    )


@pytest.mark.parametrize("game", [game for game in GAMES.values() if isinstance(game, TableauRules)])
def test_every_game_can_be_written_down(game: TableauRules, tmp_path: Path) -> None:
    fields = {field: getattr(game, field) for field in (*Rules.__slots__, *TableauRules.__slots__)}
    for key in ("family", "also_called", "namesakes"):
        del fields[key]
    fields["name"] = "copy"
    expected = replace(game, name="copy", also_called=(), namesakes=())
    assert load_rules(rules_file(tmp_path, json.dumps(fields))) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n"buildin": "red-black"}', "line 2: unknown key 'buildin'; did you mean building?"),
        (
            '{"xyz": 1}',
            "line 1: unknown key 'xyz'; there are name, title, sentence, source, columns, column_cards,"
            " aces_out, kings, numbered_kings, building, spaces, groups, foundations, worrying_back",
        ),
        ('{"family": "clock"}', "line 1: unknown key 'family'; there are name, title,"),
        (
            '{\n\n"name": "building",\n"building" : "red"}',
            "line 4: building is one of any-suit, red-black, same-suit, not 'red'",
        ),
        ('{"spaces": null}', "line 1: spaces is one of never, kings, single-card, any, not 'null'"),
        ('{"columns": "13"}', "line 1: columns is a whole number, not '13'"),
        ('{"columns": true}', "line 1: columns is a whole number, not 'true'"),
        ('{"worrying_back": 1}', "line 1: worrying_back is true or false, not '1'"),
        ('{"name": ["x"]}', "line 1: name is text, not '[\"x\"]'"),
        ('{"name": " "}', "line 1: name is some text on one line, not ' '"),
        ('{"name": "../away"}', "line 1: name is up to 60 letters from A to Z, digits, hyphens and"),
        ('{"name": "/away"}', "line 1: name is up to 60"),
        ('{"name": ".."}', "line 1: name is up to 60"),
        ('{"name": "a game"}', "line 1: name is up to 60"),
        (json.dumps({"name": 61 * "a"}), "line 1: name is up to 60"),
        ('{"title": "a\\nb"}', r"line 1: title is some text on one line, not 'a\nb'"),
        ('{"columns": 12}', "12 columns of 4 and 0 cards on the foundations are 48 cards, not 52"),
        ('{"columns": 14}', "a game has 1 to 13 columns, not 14"),
        ('{"column_cards": -4}', "13 columns of -4 and 0 cards on the foundations are -52 cards, not 52"),
        ('{"aces_out": 5}', "0 to 4 aces can be out before the deal, not 5"),
        ('{"foundations": "dial", "aces_out": 1}', "the dial begins with other cards than aces"),
        ('{"numbered_kings": "slide"}', "PySolFC has no deals in which Kings slide"),
        (
            '{"foundations": "any-suit", "worrying_back": true}',
            "cards can come back only from foundations built in suit",
        ),
        ('{"name": "clock"}', "clock is a game of the catalogue; give these rules another name"),
        ('{"kings": "swap",\n"kings": "slide"}', "JSON field 'kings' is given twice"),
        ("[1]", "JSON, but not an object of rules"),
        ("{", "line 1: not JSON: Expecting property name enclosed in double quotes at character 2"),
    ],
)
def test_wrong_rules(text: str, message: str, tmp_path: Path) -> None:
    path = rules_file(tmp_path, text)
    with pytest.raises(InputError) as error:
        find_game(path)
    assert str(error.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize("stem", ["my game", "a.b", "\x1b", "é"])
def test_a_file_whose_name_names_no_game(stem: str, tmp_path: Path) -> None:
    file = tmp_path / f"{stem}.json"
    file.write_text("{}")
    with pytest.raises(InputError) as error:
        find_game(str(file))
    assert str(error.value).isprintable()
    assert ': no "name" is given, and that of the file is not up to 60 letters' in str(error.value)
    file.write_text('{"name": "my_Game-2"}')
    assert find_game(str(file)).name == "my_Game-2"


def test_a_file_of_rules_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"nowhere\.json: no such file"):
        find_game("nowhere.json")

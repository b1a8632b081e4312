from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.cards import Deck
from solvers.errors import InputError
from solvers.formats import (
    FORMATS,
    format_position,
    parse_position,
    position_fields,
    read_text,
)
from solvers.foundations import Foundations, cards_in_order, first_heights, kinds_of_cards
from solvers.positions import Position

DATA = Path(__file__).parent / "data"
DEAL = (DATA / "pysolfc_24.txt").read_text()
MIDGAME = (DATA / "midgame_24.txt").read_text()
COLUMNS = [line.split() for line in DEAL.splitlines()]


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[Foundations] | None = None) -> Position:
    """Any position of any deck, reachable or not."""
    rule = draw(rules or st.sampled_from(Foundations))
    suits = {Foundations.DIAL: [4], Foundations.ALTERNATE_COLOURS: [2, 4]}.get(rule, [1, 2, 3, 4])
    deck = Deck(draw(st.integers(5 if rule is Foundations.DIAL else 1, 13)), draw(st.sampled_from(suits)))
    orders = [cards_in_order(rule, index, deck) for index in range(len(first_heights(rule, deck)))]
    least = first_heights(rule, deck)
    heights = tuple(draw(st.integers(low, len(order))) for low, order in zip(least, orders, strict=True))
    # Cards go up one by one, each of the kind that is wanted, whichever of them it is.
    kinds = kinds_of_cards(rule)
    cards = list(draw(st.permutations(deck.cards())))
    for order, height in zip(orders, heights, strict=True):
        for usual in order[:height]:
            cards.remove(next(card for card in cards if kinds[card] == kinds[usual]))
    columns: list[list[int]] = [[] for _ in range(draw(st.integers(1 if cards else 0, 13)))]
    for card in cards:
        draw(st.sampled_from(columns)).append(card)
    return Position(tuple(map(tuple, columns)), heights, deck, rule)


# --- what is written can be read -----------------------------------------------------------------------


@settings(deadline=None)
@given(positions())
def test_every_format_reads_back(position: Position) -> None:
    position.check()
    rule = position.foundation_rule
    for name in FORMATS:
        text = format_position(position, name)
        assert parse_position(text, foundations=rule) == position
        assert parse_position(text, position.deck, foundations=str(rule)) == position


def test_a_deal_is_written_as_text() -> None:
    assert format_position(parse_position(DEAL)) == DEAL
    assert format_position(parse_position(MIDGAME)) == MIDGAME


def test_our_json_is_written_one_column_a_line() -> None:
    assert format_position(parse_position("Founds: C-A\n2C 2D\n:\nAD\n"), "json") == (
        '{\n  "columns": [\n    ["2C", "2D"],\n    [],\n    ["AD"]\n  ],\n'
        '  "foundations": {"C": 1, "D": 0}\n}\n'
    )


def test_solvitaire_reads_what_is_written_for_it() -> None:
    # Its card pattern has 10 and not T. "foundations" is one list of cards, all of them: a deal counts as
    # solved when every pile has its full size (deal_parser.cpp, game_state.cpp).
    position = parse_position(
        "Founds: H-Q S-3 C-J D-9\nTD KH 4S 5S 6S 7S 8S 9S TS JS QS KS\n:\nQC JD KC QD KD\n"
    )
    document = json.loads(format_position(position, "solvitaire"))
    assert set(document) == {"tableau piles", "foundations"}
    cards = [card for pile in document["tableau piles"] for card in pile] + document["foundations"]
    assert len(cards) == len(set(cards)) == 52
    assert all(re.fullmatch(r"([2-9]|10|[AJQK])[CDHS]", card) for card in cards)
    assert "foundations" not in json.loads(format_position(parse_position(DEAL), "solvitaire"))


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(InputError) as error:
        format_position(parse_position(DEAL), "xml")
    assert str(error.value) == "unknown format 'xml' (text, json, solvitaire)"


# --- board text as it is found -------------------------------------------------------------------------

SYMBOLS = str.maketrans("CDHS", "♣♦♥♠")
EMOJI = {ord(letter): symbol + "\ufe0f" for letter, symbol in zip("CDHS", "♣♦♥♠", strict=True)}

IN_THE_WILD = {
    "ten as 10": DEAL.replace("T", "10"),
    "lower case": DEAL.lower(),
    "CRLF": DEAL.replace("\n", "\r\n"),
    "CR": DEAL.replace("\n", "\r"),
    "byte-order mark": "\ufeff" + DEAL,
    "tabs": DEAL.replace(" ", "\t"),
    "leading and trailing blanks": DEAL.replace("\n", " \n  "),
    "colon before each column": "".join(f": {line}\n" for line in DEAL.splitlines()),
    "colon without a blank": "".join(f":{line}\n" for line in DEAL.splitlines()),
    "comments": "# PySolFC 24\n" + DEAL.replace("\n", " # a column\n") + "# end",
    "commas": DEAL.replace(" ", ","),
    "commas and blanks": DEAL.replace(" ", ", "),
    "suit symbols": DEAL.translate(SYMBOLS),
    "suit symbols with a selector": DEAL.translate(EMOJI),
    "blank lines around": "\n\n" + DEAL + "\n \n",
    "blank lines between all": DEAL.replace("\n", "\n\n"),
    "no final newline": DEAL.rstrip("\n"),
    "all foundations at 0": "Foundations: H-0 C-0 D-0 S-0\n" + DEAL,
    "empty foundations": "Founds:\n" + DEAL,
    "empty cells and talon": "Foundations: H-0 C-0 D-0 S-0 \nFreecells:            \nTalon: -\n" + DEAL,
    "foundations at the end": DEAL + "Foundations: -\n",
    "our JSON": json.dumps({"columns": COLUMNS, "foundations": {"C": 0, "D": 0, "H": 0, "S": 0}}),
    "JSON without foundations": "\ufeff \n" + json.dumps({"columns": COLUMNS}),
    "JSON of a solution": json.dumps(
        {
            "game": "bakers-dozen",
            "source": "pysolfc:24",
            "outcome": "undecided",
            "reason": "state-limit",
            "moves": [],
            "states": 1,
            "seconds": 0.5,
            "columns": COLUMNS,
            "foundations": {"C": 0, "D": 0, "H": 0, "S": 0},
        }
    ),
    "Solvitaire's input": json.dumps({"tableau piles": COLUMNS}).replace("T", "10"),
    "Solvitaire's export": json.dumps(
        {"tableau piles": COLUMNS, "foundations": ["", "", "", ""], "cells": ""}, indent=4
    ).replace("T", "10"),
}


@pytest.mark.parametrize("form", IN_THE_WILD)
def test_input_seen_in_the_wild(form: str) -> None:
    assert parse_position(IN_THE_WILD[form]) == parse_position(DEAL)


FROM_THE_MIDDLE = {
    "other order": MIDGAME.replace("C-4 D-A H-A S-2", "H-A C-4 S-2 D-A"),
    "short name": MIDGAME.replace("Foundations:", "Founds:"),
    "capitals": MIDGAME.replace("Foundations:", "FOUNDS:"),
    "ace as 1": MIDGAME.replace("-A", "-1"),
    "commas": MIDGAME.replace("C-4 D-A H-A S-2", "C-4, D-A, H-A, S-2"),
    "lower case": MIDGAME.lower(),
    "symbols": MIDGAME.translate(SYMBOLS).replace("Foun♦ations", "Foundations"),
    "top cards only": MIDGAME.replace("C-4 D-A H-A S-2", "AH 4C AD 2S"),
    "last": MIDGAME.split("\n", 1)[1] + MIDGAME.split("\n", 1)[0],
    "Freecell Solver": "Foundations: H-A C-4 D-A S-2 \nFreecells:        \n"
    + "".join(": " + line.removeprefix(":") + "\n" for line in MIDGAME.splitlines()[1:]),
    "PySolFC, empty columns as empty lines": MIDGAME.replace(":\n", "\n").replace(
        "Foundations\n", "Founds: "
    ),
    "our JSON": json.dumps(position_fields(parse_position(MIDGAME))),
    "Solvitaire's input": format_position(parse_position(MIDGAME), "solvitaire"),
    "Solvitaire's export": json.dumps(
        {
            "tableau piles": [line.split() if line != ":" else "" for line in MIDGAME.splitlines()[1:]],
            "foundations": [["AC", "2C", "3C", "4C"], ["AH"], ["AS", "2S"], ["AD"]],
        }
    ),
    "Solvitaire, top cards only": json.dumps(
        {
            "tableau piles": [line.split() if line != ":" else [] for line in MIDGAME.splitlines()[1:]],
            "foundations": ["4C", "AH", "2S", "AD"],
        }
    ),
}


@pytest.mark.parametrize("form", FROM_THE_MIDDLE)
def test_positions_from_the_middle_of_a_game(form: str) -> None:
    assert parse_position(FROM_THE_MIDDLE[form]) == parse_position(MIDGAME)


def test_a_suit_that_is_not_named_has_an_empty_foundation() -> None:
    board = "Founds: C-2\nAD 2D\n"
    assert parse_position(board).foundations == (2, 0)
    assert parse_position(board.replace("C-2", "C-2 D-0")).foundations == (2, 0)


@pytest.mark.parametrize("word", ["K", "13"])
def test_a_game_that_is_over_can_be_read(word: str) -> None:
    position = parse_position(f"Foundations: C-{word} D-{word} H-{word} S-{word}\n")
    assert position.won
    assert position.columns == ()


# --- empty columns -------------------------------------------------------------------------------------


def test_empty_lines_mean_nothing_once_there_are_colons() -> None:
    board = MIDGAME.replace("QS\n:", "QS\n\n:")
    assert parse_position(board) == parse_position(MIDGAME)


def test_empty_lines_mean_nothing_when_the_columns_would_be_too_many() -> None:
    board = MIDGAME.replace(":\n", "\n").replace("KC 3D 2D\n", "KC 3D 2D\n\n")
    assert len(parse_position(board).columns) == 11
    assert len(parse_position(board, columns=14).columns) == 14


def test_empty_lines_mean_nothing_in_small_decks() -> None:
    assert parse_position("AC 2C\n\nAD 2D\n").columns == ((0, 4), (1, 5))


def test_comment_lines_are_no_empty_columns() -> None:
    board = MIDGAME.replace(":\n", "# empty\n")
    assert len(parse_position(board).columns) == 11


# --- which deck ----------------------------------------------------------------------------------------


def test_the_published_tiny_positions() -> None:
    position = parse_position("AC 2S AS 3H\nAD 2D 2H AH\n3D 3C 2C 3S\n")
    assert position.deck == Deck(3, 4)
    assert parse_position("2S AS AH\nAD 2D 2H\n2C AC\n").deck == Deck(2, 4)


def test_a_deck_can_be_asked_for() -> None:
    assert parse_position("AC 2C\n", Deck(2, 1)).deck == Deck(2, 1)
    for deck, message in [
        (Deck(3, 1), "2 cards of 3: 3C is missing"),
        (Deck(1, 1), "line 1, column 1, card 2: 2C is not in this deck"),
    ]:
        with pytest.raises(InputError) as error:
            parse_position("AC 2C\n", deck)
        assert str(error.value) == message
    with pytest.raises(InputError, match=r"D has a foundation, but the deck has 1 suit$"):
        parse_position("Foundations: D-1\nAC 2C\n", Deck(2, 1))


# --- foundations of other games ------------------------------------------------------------------------

ALTERNATE = "Foundations: C-2 D-A H-0 S-0\n2D AH\n2C AS 2S\n"
DIAL = "Foundations: 3S 4H AC 3D\n4S 5S AS\n5H AH 2H\n2C 3C\n4D\n"


@pytest.mark.parametrize(
    "text",
    [
        ALTERNATE,
        ALTERNATE.replace("C-2 D-A H-0 S-0", "D-1 C-2 S-0"),
        ALTERNATE.replace("C-2 D-A H-0 S-0", "AD C-2"),
        '{"columns": [["2D", "AH"], ["2C", "AS", "2S"]], "foundations": {"D": 1, "C": 2}}',
        '{"tableau piles": [["2D", "AH"], ["2C", "AS", "2S"]], "foundations": ["AC", "2H", "AD"]}',
        '{"tableau piles": [["2D", "AH"], ["2C", "AS", "2S"]],'
        ' "foundations": [["AD"], ["AC", "2H"], "", ""]}',
    ],
)
def test_foundations_in_alternate_colours(text: str) -> None:
    position = parse_position(text, foundations="alternate-colours")
    assert position.foundations == (2, 1, 0, 0)
    assert format_position(position) == ALTERNATE


@pytest.mark.parametrize(
    "text",
    [
        DIAL,
        DIAL.replace("3S 4H AC 3D", "3d ac 4h 3s"),
        '{"columns": [["4S", "5S", "AS"], ["5H", "AH", "2H"], ["2C", "3C"], ["4D"]],'
        ' "foundations": {"2S": 2, "5D": 4, "3H": 2, "4C": 3}}',
        '{"tableau piles": [["4S", "5S", "AS"], ["5H", "AH", "2H"], ["2C", "3C"], ["4D"]],'
        ' "foundations": [["2S", "3S"], ["3H", "4H"], ["4C", "5C", "AC"], ["5D", "AD", "2D", "3D"]]}',
    ],
)
def test_foundations_of_the_dial(text: str) -> None:
    position = parse_position(text, foundations="dial")
    assert (position.foundations, position.deck) == ((2, 2, 3, 4), Deck(5))
    assert format_position(position) == DIAL


def test_what_is_not_named_on_the_dial_is_as_at_the_start() -> None:
    board = "AS AH 2H AC 2C\n3C AD 2D 3D 4D\n3S 4S 5S 4H 5H 5C\n"
    at_first = parse_position(board, foundations="dial")
    assert at_first.foundations == (1, 1, 1, 1)
    assert parse_position("Foundations: 2S 5D\n" + board, foundations="dial") == at_first


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        (
            ALTERNATE.replace("C-2", "2H"),
            "alternate-colours",
            "line 1, foundation '2H': 2H may lie on several foundations; the suit of the ace and the height"
            " are wanted, as in C-4",
        ),
        (
            ALTERNATE.replace("2S", "2S 2H"),
            "alternate-colours",
            "line 3, column 2, card 4: 2H is too many: 1 of 2D 2H must be on foundations",
        ),
        (
            ALTERNATE.replace("2D AH", "AH"),
            "alternate-colours",
            "7 cards of 8: 1 of 2D 2H is missing",
        ),
        (ALTERNATE, "in-suit", "line 3, column 2, card 1: 2C is also on its foundation, which is 2 high"),
        (
            '{"columns": [["2D", "AH"]], "foundations": ["AC", "2S", "AD"]}',
            "alternate-colours",
            "foundations: AC 2S is not built alternate-colours from the ace up",
        ),
        (
            '{"columns": [["2D", "AH"]], "foundations": ["2S", "AC"]}',
            "any-suit",
            "foundations: 2S AC is not built any-suit from the ace up",
        ),
        (
            '{"columns": [["2D"]], "foundations": ["AC", "2D", "AD"]}',
            "any-suit",
            "column 1, card 1: 2D is also on a foundation",
        ),
        (
            '{"columns": [["2D"]], "foundations": ["AC", "2C", "AD", "2C"]}',
            "any-suit",
            "foundations: 2C is given twice",
        ),
        (DIAL.replace("3S", "S-3"), "dial", "line 1, foundation 'S-3': the top card is wanted, as in 5S"),
        (DIAL.replace("3S", "3S 2S"), "dial", "line 1, foundations: 3S 2S lie on one another"),
        (
            '{"columns": [["2D"]], "foundations": ["2S", "4S", "5D"]}',
            "dial",
            "foundations: 4S lies on the dial, but not all cards below it do",
        ),
        (
            '{"columns": [["2D"]], "foundations": {"3S": 2}}',
            "dial",
            "foundations: no foundation of the dial begins with 3S",
        ),
        ("AC 2C\n", "dial", "the dial needs 4 suits and at least 5 ranks, not 4 suits and 2 ranks"),
        (
            "AC 2C\n",
            "sideways",
            "unknown foundations 'sideways' (in-suit, alternate-colours, any-suit, dial)",
        ),
    ],
)
def test_wrong_foundations_of_other_games(text: str, rule: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_position(text, foundations=rule)
    assert str(error.value) == message


def test_the_dial_of_a_given_deck() -> None:
    for text, message in [
        ("Foundations: 6D\nAC\n", "line 1, foundations: 6D is not in this deck"),
        ('{"columns": [["AC"]], "foundations": {"6S": 1}}', "6S has a foundation, but the dial has 4"),
    ]:
        with pytest.raises(InputError) as error:
            parse_position(text, Deck(5), foundations="dial")
        assert str(error.value) == message


# --- files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_in_the_encodings_that_shells_write(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "deal.txt"
    file.write_bytes(DEAL.translate(SYMBOLS).encode(encoding))
    assert parse_position(read_text(str(file))) == parse_position(DEAL)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfAC 2C\n"), encoding="ascii"))
    assert read_text("-") == "AC 2C\n"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name, message in [
        ("nothing.txt", "nothing.txt: no such file"),
        (str(tmp_path), f"{tmp_path}: cannot be read ("),
        ("two\nlines.txt", r"'two\nlines.txt': no such file"),
        ("null\0", r"'null\x00': cannot be read ("),
    ]:
        with pytest.raises(InputError) as error:
            read_text(name)
        assert str(error.value).startswith(message)


def test_a_file_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "huge.txt"
    with file.open("wb") as writable:
        writable.truncate(20_000_000)
    with pytest.raises(InputError, match="more than 10000000 bytes"):
        read_text(str(file))

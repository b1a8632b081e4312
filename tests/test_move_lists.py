from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.cards import card_code, parse_card
from solvers.errors import InputError
from solvers.formats import format_moves, move_fields, parse_moves
from solvers.positions import FOUNDATION, Move

RANKS = "(A, 2 to 9, T or 10, J, Q, K)"
MOVES = [
    Move(parse_card("7S"), 2, 8),
    Move(parse_card("AH"), 3, FOUNDATION),
    Move(parse_card("TD"), 0, 12, 3),
    Move(parse_card("2C"), FOUNDATION, 6),
]


def test_move_lists_as_lines() -> None:
    assert format_moves(MOVES) == "7S 3 9\nAH 4 foundation\nTD 1 13 3\n2C foundation 7\n"
    text = "\ufeff# solution\r\n\r\n7s 3\t9 # first\r\nA♥ 4 FOUNDATION\n 10D 1 13 3\n2C Foundation 7"
    assert parse_moves(text) == MOVES
    assert parse_moves("") == parse_moves("# none\n") == []


def test_move_lists_as_json() -> None:
    fields = [move_fields(move) for move in MOVES]
    assert fields == [
        {"card": "7S", "from": 3, "to": 9},
        {"card": "AH", "from": 4, "to": "foundation"},
        {"card": "TD", "from": 1, "to": 13, "count": 3},
        {"card": "2C", "from": "foundation", "to": 7},
    ]
    assert parse_moves(json.dumps(fields)) == MOVES
    assert parse_moves("\ufeff" + json.dumps({"outcome": "winnable", "moves": fields}, indent=2)) == MOVES


@given(
    st.lists(
        st.builds(
            Move,
            st.builds(card_code, st.integers(1, 13), st.integers(0, 3)),
            st.integers(-1, 12),
            st.integers(-1, 12),
            st.integers(1, 13),
        )
    )
)
def test_move_lists_read_back(moves: list[Move]) -> None:
    assert parse_moves(format_moves(moves)) == moves
    assert parse_moves(json.dumps([move_fields(move) for move in moves])) == moves


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7S 3 9\n\n7S 3", "line 3: '7S 3' is not a move: card, column and target are wanted, as in 7S 3 9"),
        (
            "7S 3 9 1 1",
            "line 1: '7S 3 9 1 1' is not a move: card, column and target are wanted, as in 7S 3 9",
        ),
        ("1S 3 9", f"line 1: '1S' is not a card: unknown rank '1' {RANKS}"),
        ("7S x 9", "line 1: 'x' is not a column or foundation"),
        ("7S 0 9", "line 1: '0' is not a column or foundation"),
        ("7S 3 -1", "line 1: '-1' is not a column or foundation"),
        ("7S 3 9.5", "line 1: '9.5' is not a column or foundation"),
        ("7S 3 pile", "line 1: 'pile' is not a column or foundation"),
        ("7S 3 9 0", "line 1: '0' is not a number of cards"),
        ("[3]", "move 1: '3' is not a move"),
        ('[{"card": "7S", "from": 3}]', "move 1: the move has no 'to'"),
        ('[{"card": 7, "from": 3, "to": 1}]', "move 1: '7' is not a card: text is wanted, as in \"TH\""),
        ('[{"card": "7S", "from": true, "to": 1}]', "move 1: 'true' is not a column or foundation"),
        ('[{"card": "7S", "from": "3", "to": 1}]', "move 1: '3' is not a column or foundation"),
        ('[{"card": "7S", "from": 3, "to": null}]', "move 1: 'null' is not a column or foundation"),
        ('{"move": []}', "JSON, but neither a list of moves nor an object with one under 'moves'"),
        ('{"moves": 3}', "JSON, but neither a list of moves nor an object with one under 'moves'"),
        ("[", "line 1: not JSON: Expecting value at character 2"),
    ],
)
def test_wrong_move_lists(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_moves(text)
    assert str(error.value) == message


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from(["7S", "3", "foundation", "\n", "#", "x", "{", '"', "[", " ", "-1"]), max_size=20
    )
)
def test_any_text_is_a_move_list_or_one_line_of_complaint(words: list[str]) -> None:
    try:
        parse_moves(" ".join(words))
        message = ""
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) <= 1

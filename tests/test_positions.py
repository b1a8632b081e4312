from __future__ import annotations

import pytest

from solvers.cards import Deck, parse_card
from solvers.errors import InputError
from solvers.positions import FOUNDATION, Move, Position


def columns_of(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(parse_card, column.split())) for column in text.split("/"))


def test_moves_say_what_they_do() -> None:
    seven = parse_card("7S")
    assert str(Move(seven, 2, 8)) == "7S from column 3 to column 9"
    assert str(Move(seven, 2, FOUNDATION)) == "7S from column 3 to foundation"
    assert str(Move(seven, 2, 8, 3)) == "7S and 2 more from column 3 to column 9"


def test_a_whole_position_passes_and_prints() -> None:
    position = Position(columns_of("3C 2D / / 3D"), (2, 1), Deck(3, 2))
    position.check()
    assert str(position) == "Foundations: C-2 D-A\n3C 2D\n:\n3D\n"
    assert not position.won


def test_the_foundations_line_is_left_out_before_they_begin() -> None:
    assert str(Position(columns_of("AC 2C"), (0,), Deck(2, 1))) == "AC 2C\n"


def test_a_position_is_won_when_all_foundations_are_full() -> None:
    won = Position((), (13, 13, 13, 13))
    won.check()
    assert won.won
    assert str(won) == "Foundations: C-K D-K H-K S-K\n"


@pytest.mark.parametrize(
    ("columns", "foundations", "message"),
    [
        ("AC 2D / 2C AC", (0, 0), "column 2, card 2: AC is also in column 1, card 1"),
        ("AC 2D / 2C 3D", (0, 0), "column 2, card 2: 3D is not in this deck"),
        ("AC 2D / 2C AH", (0, 0), "column 2, card 2: AH is not in this deck"),
        ("AC 2D / 2C AD", (0, 1), "column 2, card 2: AD is also on its foundation, which is 1 high"),
        ("AC 2D / 2C", (0, 0), "3 cards of 4: AD is missing"),
        ("2D / 2C", (0, 0), "2 cards of 4: AC, AD are missing"),
        ("2D / 2C", (1, 3), "the foundation of D is 3 cards high, but a suit of this deck has 2"),
        ("2D / 2C", (1, -1), "the foundation of D is -1 cards high, but a suit of this deck has 2"),
        ("2D / 2C", (1, 1, 0), "3 foundations, but the deck has 2 suits"),
    ],
)
def test_what_is_wrong_is_named(columns: str, foundations: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError) as error:
        Position(columns_of(columns), foundations, Deck(2, 2)).check()
    assert str(error.value) == message


def test_many_missing_cards_are_counted() -> None:
    with pytest.raises(InputError) as error:
        Position(((0, 1),)).check()
    assert str(error.value) == "2 cards of 52: AH, AS, 2C, 2D, 2H and 45 more are missing"


def test_the_short_column_is_pointed_out() -> None:
    with pytest.raises(InputError) as error:
        Position(columns_of("AC 2C / AD / 2D AH"), (0, 0, 0), Deck(2, 3)).check()
    assert str(error.value) == (
        "5 cards of 6: 2H is missing (column 2, card 1 is the last of its column, the others have 2)"
    )


def test_a_code_that_is_no_card_is_refused() -> None:
    for code in (-1, 52, 1000):
        with pytest.raises(InputError, match=f"column 1, card 1: card code {code} is not in this deck"):
            Position(((code,),)).check()

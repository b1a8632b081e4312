from __future__ import annotations

from itertools import pairwise

import pytest

from solvers.cards import Deck, parse_card, rank_of, suit_of
from solvers.errors import InputError
from solvers.foundations import Foundations, begins_dial, dial_sequences, first_heights
from solvers.positions import FOUNDATION, Move, Position


def columns_of(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(parse_card, column.split())) for column in text.split("/"))


def test_moves_say_what_they_do() -> None:
    seven = parse_card("7S")
    assert str(Move(seven, 2, 8)) == "7S from column 3 to column 9"
    assert str(Move(seven, 2, FOUNDATION)) == "7S from column 3 to foundation"
    assert str(Move(seven, FOUNDATION, 8)) == "7S from foundation to column 9"
    assert str(Move(seven, 2, 8, 3)) == "7S and 2 more from column 3 to column 9"


def test_a_whole_position_passes_and_prints() -> None:
    position = Position(columns_of("3C 2D / / 3D"), (2, 1), Deck(3, 2))
    position.check()
    assert str(position) == "Foundations: C-2 D-A\n3C 2D\n:\n3D\n"
    assert not position.won


UP = " (those that are up have to be named as foundations)"


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
        ("AC 2D / 2C", (0, 0), f"3 cards of 4: AD is missing{UP}"),
        ("2D / 2C", (0, 0), f"2 cards of 4: AC, AD are missing{UP}"),
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
    assert str(error.value) == f"2 cards of 52: AH, AS, 2C, 2D, 2H and 45 more are missing{UP}"


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


# --- foundations of other games ------------------------------------------------------------------------


def checked(columns: str, foundations: tuple[int, ...], deck: Deck, rule: Foundations) -> Position:
    position = Position(columns_of(columns), foundations, deck, rule)
    position.check()
    return position


@pytest.mark.parametrize(
    ("columns", "foundations", "deck", "rule"),
    [
        # Either red two may lie on the ace of clubs, and either black two on that of diamonds.
        ("2D AH / 2C AS 2S", (2, 1, 0, 0), Deck(2, 4), Foundations.ALTERNATE_COLOURS),
        ("2H AH / 2C AS 2S", (2, 1, 0, 0), Deck(2, 4), Foundations.ALTERNATE_COLOURS),
        ("2D AH / 2H AS 2S", (1, 2, 0, 0), Deck(2, 4), Foundations.ALTERNATE_COLOURS),
        ("", (2, 2, 2, 2), Deck(2, 4), Foundations.ALTERNATE_COLOURS),
        # Any two may lie on an ace.
        ("2D AH / 2C", (2, 1, 0), Deck(2, 3), Foundations.ANY_SUIT),
        ("2D AH / 2H", (2, 1, 0), Deck(2, 3), Foundations.ANY_SUIT),
        # 2S 3S | 3H 4H | 4C 5C AC | 5D AD 2D 3D, and the rest.
        ("4S 5S AS / 5H AH 2H / 2C 3C / 4D", (2, 2, 3, 4), Deck(5), Foundations.DIAL),
    ],
)
def test_positions_of_other_foundations(
    columns: str, foundations: tuple[int, ...], deck: Deck, rule: Foundations
) -> None:
    position = checked(columns, foundations, deck, rule)
    assert position.won == (columns == "")
    piles = position.foundation_piles()
    assert tuple(map(len, piles)) == foundations
    up = [card for pile in piles for card in pile]
    assert sorted(up + [card for column in position.columns for card in column]) == list(deck.cards())


def test_the_cards_on_foundations_are_those_that_are_nowhere_else() -> None:
    position = checked("2D AH / 2C AS 2S", (2, 1, 0, 0), Deck(2, 4), Foundations.ALTERNATE_COLOURS)
    assert position.foundation_piles() == (columns_of("AC 2H")[0], columns_of("AD")[0], (), ())


@pytest.mark.parametrize(
    ("columns", "foundations", "deck", "rule", "message"),
    [
        (
            "2D AH 2H / 2C AS 2S",
            (2, 1, 0, 0),
            Deck(2, 4),
            Foundations.ALTERNATE_COLOURS,
            "column 1, card 3: 2H is too many: 1 of 2D 2H must be on foundations",
        ),
        (
            "2D AH / 2C AS 2S",
            (1, 1, 0, 0),
            Deck(2, 4),
            Foundations.ALTERNATE_COLOURS,
            "7 cards of 8: 2H is missing",
        ),
        (
            "AH / 2C AS 2S",
            (2, 1, 0, 0),
            Deck(2, 4),
            Foundations.ALTERNATE_COLOURS,
            "7 cards of 8: 1 of 2D 2H is missing",
        ),
        (
            "2D AH 2H / 2C AC 2S",
            (1, 1, 0, 0),
            Deck(2, 4),
            Foundations.ALTERNATE_COLOURS,
            "column 2, card 2: AC is also on its foundation, which is 1 high",
        ),
        (
            "AC AD AH",
            (0, 0, 0),
            Deck(1, 3),
            Foundations.ALTERNATE_COLOURS,
            "foundations in alternate colours need as many red suits as black ones",
        ),
        (
            "2D AH 2C",
            (2, 2, 0),
            Deck(2, 3),
            Foundations.ANY_SUIT,
            "column 1, card 3: 2C is too many: 2 of 2C 2D 2H must be on foundations",
        ),
        ("2D AH", (2, 1, 0), Deck(2, 3), Foundations.ANY_SUIT, "5 cards of 6: 1 of 2C 2H is missing"),
        (
            "4S 5S AS / 5H AH 2H / 2C 3C / 4D",
            (2, 2, 3, 6),
            Deck(5),
            Foundations.DIAL,
            "the foundation of 5D is 6 cards high, but it holds 1 to 5",
        ),
        (
            "4S 5S AS / 5H AH 2H / 2C 3C / 4D",
            (2, 2, 0, 4),
            Deck(5),
            Foundations.DIAL,
            "the foundation of 4C is 0 cards high, but it holds 1 to 5",
        ),
        (
            "4S 5S AS / 5H AH 2H / 2C 3C / 4D 2D",
            (2, 2, 3, 4),
            Deck(5),
            Foundations.DIAL,
            "column 4, card 2: 2D is also on its foundation, which is 4 high",
        ),
        ("4S", (1, 1, 1), Deck(5), Foundations.DIAL, "3 foundations, but the dial has 4"),
        (
            "4S",
            (1, 1, 1),
            Deck(4),
            Foundations.DIAL,
            "the dial needs 4 suits and at least 5 ranks, not 4 suits and 4 ranks",
        ),
    ],
)
def test_what_is_wrong_with_other_foundations(
    columns: str, foundations: tuple[int, ...], deck: Deck, rule: Foundations, message: str
) -> None:
    with pytest.raises(InputError) as error:
        checked(columns, foundations, deck, rule)
    assert str(error.value) == message


def test_the_dial_of_the_whole_deck() -> None:
    hours = [5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4]  # where each lies, the two of spades first
    starts = columns_of("2S 3H 4C 5D 6S 7H 8C 9D TS JH QC KD")[0]
    sequences = dial_sequences(Deck())
    assert tuple(sequence[0] for sequence in sequences) == starts
    assert [rank_of(sequence[-1]) for sequence in sequences] == hours
    assert all(suit_of(card) == suit_of(sequence[0]) for sequence in sequences for card in sequence)
    assert [card for card in Deck().cards() if begins_dial(card)] == sorted(starts)


@pytest.mark.parametrize("ranks", range(5, 14))
def test_a_dial_takes_every_card_once(ranks: int) -> None:
    sequences = dial_sequences(Deck(ranks))
    assert sorted(card for sequence in sequences for card in sequence) == list(Deck(ranks).cards())
    for sequence in sequences:
        assert all(rank_of(b) == rank_of(a) % ranks + 1 for a, b in pairwise(sequence))
    first = Position((), first_heights(Foundations.DIAL, Deck(ranks)), Deck(ranks), Foundations.DIAL)
    assert str(first).split()[1:4] == ["2S", "3H", "4C"]

"""Wrong input: each kind gets one line that says what and where."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solvers.cards import format_card
from solvers.errors import InputError
from solvers.formats import parse_moves, parse_position, read_text
from solvers.foundations import Foundations

DATA = Path(__file__).parent / "data"
DEAL = (DATA / "pysolfc_24.txt").read_text()
MIDGAME = (DATA / "midgame_24.txt").read_text()
COLUMNS = [line.split() for line in DEAL.splitlines()]


def complaint(text: str, foundations: Foundations = Foundations.IN_SUIT) -> str:
    """What is said against a position; empty if it is accepted."""
    try:
        parse_position(text, foundations=foundations)
    except InputError as error:
        return str(error)
    return ""


RANKS = "(A, 2 to 9, T or 10, J, Q, K)"
SUITS = "(C, D, H, S or ♣ ♦ ♥ ♠)"
MESSAGES = {
    "14th-column.board": "line 14, column 14: one column too many (AS), at most 13",
    "14th-column.json": "column 14: one column too many, at most 13",
    "51-cards.board": (
        "51 cards of 52: 7D is missing"
        " (line 3, column 3, card 3 is the last of its column, the others have 4)"
    ),
    "51-cards.json": (
        "51 cards of 52: 7D is missing (column 3, card 3 is the last of its column, the others have 4)"
    ),
    "blank.board": "empty: a position was expected",
    "both-kinds-of-columns.json": "JSON has both 'columns' and Solvitaire's 'tableau piles'",
    "card-in-a-freecell.board": "line 2: Freecells holds '3H', but this game has none",
    "card-not-text.json": "column 1, card 1: '13' is not a card: text is wanted, as in \"TH\"",
    "cards-in-the-stock.json": "'stock' holds cards, but this game has none",
    "column-not-a-list.json": "column 1 is not a list of cards",
    "columns-not-a-list.json": "'columns' is not a list of columns",
    "duplicate-card.board": "line 13, column 13, card 4: 8H is also in line 1, column 1, card 2",
    "duplicate-card.json": "column 13, card 4: 8H is also in column 1, card 2",
    "empty.board": "empty: a position was expected",
    "face-down-card.board": f"line 7, column 7, card 1: '<7C>' is not a card: unknown rank '<7C' {RANKS}",
    "field-twice.json": "JSON field 'columns' is given twice",
    "foundation-contradicts-tableau.board": (
        "line 5, column 4, card 1: 2H is also on its foundation, which is 2 high"
    ),
    "foundation-contradicts-tableau.json": "column 4, card 1: 2H is also on its foundation, which is 2 high",
    "foundation-height-negative.json": "foundations: the foundation of H cannot be -1 cards high",
    "foundation-height-not-a-number.json": "foundations: 'true' is not the height of 'H'",
    "foundation-of-no-suit.board": f"line 1, foundation 'X-3': unknown suit 'X' {SUITS}",
    "foundation-of-no-suit.json": f"foundations: unknown suit 'X' {SUITS}",
    "foundation-too-high.board": "line 1, foundation 'H-14': the foundation of H cannot be 14 cards high",
    "foundation-twice.board": "line 1, foundation 'H-0': the foundation of H is given twice",
    "foundation-unreadable.board": (
        f"line 1, foundation 'zzz': 'zzz' is not a card: unknown rank 'zz' {RANKS}"
    ),
    "foundation-with-a-gap.json": "foundations: AC 3C is not a suit from the ace up",
    "foundations-not-a-list.json": "foundations: an object of heights or a list of cards is wanted",
    "latin-1.board": f"{DATA / 'malformed' / 'latin-1.board'}: not text: byte 2 is not UTF-8",
    "list-of-columns.json": "JSON, but not an object with 'columns' or 'tableau piles'",
    "missing-column.board": "48 cards of 52: 4C, 8S, 9H, JS are missing",
    "misspelt-foundations.json": "unknown field 'foundation'; did you mean 'foundations'?",
    "no-cards.board": "no cards: a position was expected",
    "no-columns.json": "JSON has neither 'columns' nor Solvitaire's 'tableau piles'",
    "prose.board": f"line 1, column 1, card 1: 'Dear' is not a card: unknown rank 'Dea' {RANKS}",
    "rank-without-suit.board": f"line 10, column 10, card 2: '10' is not a card: unknown rank '1' {RANKS}",
    "second-foundations-line.board": "line 2: a second foundations line",
    "suit-of-a-small-deck-missing.board": (
        "4 cards of 6: AD, 2D are missing (those that are up have to be named as foundations)"
    ),
    "syntax-error.json": "line 4: not JSON: Expecting ',' delimiter at character 5",
    "two-cards-run-together.board": (
        f"line 10, column 10, card 1: 'KSTS' is not a card: unknown rank 'KST' {RANKS}"
    ),
    "unknown-heading.board": "line 1: 'Hand:' is not known here",
    "unknown-rank.board": f"line 9, column 9, card 2: '1D' is not a card: unknown rank '1' {RANKS}",
    "unknown-rank.json": f"column 9, card 2: '1D' is not a card: unknown rank '1' {RANKS}",
    "unknown-suit.board": f"line 10, column 10, card 2: 'TX' is not a card: unknown suit 'X' {SUITS}",
}


def test_every_malformed_file_has_its_message() -> None:
    assert {path.name for path in (DATA / "malformed").iterdir()} == set(MESSAGES)


@pytest.mark.parametrize("name", MESSAGES)
def test_malformed(name: str) -> None:
    with pytest.raises(InputError) as error:
        parse_position(read_text(str(DATA / "malformed" / name)))
    assert str(error.value) == MESSAGES[name]


@pytest.mark.parametrize("text", ["[" * 100_000, '{"columns": ' * 10_000, '{"columns": ' + "9" * 5000 + "}"])
def test_hopeless_json(text: str) -> None:
    assert complaint(text).startswith("not JSON of a position or a move list: ")


# Text of the kind that positions are made of, so that the parsers get past their first checks.
FRAGMENTS = st.sampled_from(
    [
        *"AKQJT1029CDHS♥♠:#-,'{}[]\"\n\r\t \ufeff\ufe0f\x00",
        "Foundations:",
        "Founds: H-3",
        "FC:",
        "KD 8H",
        '"columns":',
    ]
)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["AC", "2D", "", "x", "H"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["columns", "tableau piles", "foundations", "moves", "card", "from", "to"]), inner
        )
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=300)
@given(st.lists(FRAGMENTS, max_size=40).map("".join) | st.text(max_size=60))
@example("{")
@example(":")
@example("Foundations: -")
@example("Foundations: KD KD")
@example("Foundations: KD 3C 5S\nAC")
@example("\ud800")
def test_any_text_is_a_position_or_one_line_of_complaint(text: str) -> None:
    for foundations in Foundations:
        assert len(complaint(text, foundations).splitlines()) <= 1
        assert len(complaint(text, foundations)) < 300


@settings(deadline=None, max_examples=300)
@given(JSON_VALUES)
@example({"columns": [], "foundations": {"C": 1}})
@example({"columns": [["AC", None]]})
@example({"columns": [], "foundations": ["2S", "2S"]})
@example({"columns": [], "foundations": {"5D": 99, "2S": -1}})
@example({"columns": [["5S"]], "foundations": ["AC", "2D", "AH", "2C"]})
def test_any_json_is_a_position_or_one_line_of_complaint(value: Any) -> None:
    text = json.dumps(value)
    for foundations in Foundations:
        assert len(complaint(text, foundations).splitlines()) <= 1
    try:
        parse_moves(text)
        message = ""
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) <= 1


@settings(deadline=None)
@given(st.integers(0, len(MIDGAME) - 1), st.characters())
def test_one_wrong_letter_never_yields_another_position_silently(place: int, letter: str) -> None:
    changed = MIDGAME[:place] + letter + MIDGAME[place + 1 :]
    if not complaint(changed):
        before, after = parse_position(MIDGAME), parse_position(changed)
        before_cards = sorted(card for column in before.columns for card in column)
        assert sorted(card for column in after.columns for card in column) == before_cards
        assert after.foundations == before.foundations


@pytest.mark.parametrize("card", range(52))
def test_a_board_that_lacks_a_card_is_no_smaller_deck(card: int) -> None:
    name = format_card(card)
    said = complaint(re.sub(rf"\b{name}\b", "", DEAL))
    assert said.startswith(f"51 cards of 52: {name} is missing (line ")


@pytest.mark.parametrize("card", range(52))
def test_a_doubled_card_is_named_with_both_places(card: int) -> None:
    name = format_card(card)
    line = next(number for number, text in enumerate(DEAL.splitlines(), 1) if name in text.split())
    place = COLUMNS[line - 1].index(name) + 1
    assert complaint(DEAL + f": {name}\n").startswith("line 14, column 14: one column too many")
    said = complaint(DEAL.removesuffix("\n") + f" {name}\n")
    where = f"line {line}, column {line}, card {place}"
    assert said == f"line 13, column 13, card 5: {name} is also in {where}"

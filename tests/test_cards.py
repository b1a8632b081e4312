from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.cards import (
    Deck,
    card_code,
    format_card,
    parse_card,
    parse_rank,
    parse_suit,
    rank_of,
    suit_of,
)
from solvers.errors import InputError

SYMBOLS = {"C": "♣♧", "D": "♦♢", "H": "♥♡", "S": "♠♤"}


def test_codes_are_four_times_rank_plus_suit() -> None:
    assert [card_code(rank, suit) for rank in range(1, 14) for suit in range(4)] == list(range(52))
    assert all(card_code(rank_of(card), suit_of(card)) == card for card in range(52))
    assert " ".join(map(format_card, (0, 1, 2, 3, 4, 36, 51))) == "AC AD AH AS 2C TC KS"


def test_every_card_reads_back_in_every_form() -> None:
    assert len({format_card(card) for card in range(52)}) == 52
    for card in range(52):
        rank, suit = tuple(format_card(card))
        for rank_text in {rank, rank.lower()} | ({"10"} if rank == "T" else set()):
            for suit_text in (suit, suit.lower(), *SYMBOLS[suit]):
                for style in ("", "\ufe0e", "\ufe0f"):
                    assert parse_card(rank_text + suit_text + style) == card


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1D", "'1D' is not a card: unknown rank '1' (A, 2 to 9, T or 10, J, Q, K)"),
        ("11D", "'11D' is not a card: unknown rank '11' (A, 2 to 9, T or 10, J, Q, K)"),
        ("0D", "'0D' is not a card: unknown rank '0' (A, 2 to 9, T or 10, J, Q, K)"),
        ("TX", "'TX' is not a card: unknown suit 'X' (C, D, H, S or ♣ ♦ ♥ ♠)"),
        ("", "'' is not a card: a rank and a suit are wanted, as in TH or 10H"),
        ("K", "'K' is not a card: a rank and a suit are wanted, as in TH or 10H"),
        ("♠\ufe0f", "'♠️' is not a card: a rank and a suit are wanted, as in TH or 10H"),
    ],
)
def test_what_is_no_card_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_card(text)
    assert str(error.value) == message


@pytest.mark.parametrize("text", ["2ſ", "\u212aC", "٣H", "²H", "３H", "HT", "10", "K H", "TH\n"])
def test_lookalikes_are_no_cards(text: str) -> None:
    with pytest.raises(InputError):
        parse_card(text)


@given(st.text(max_size=200))
def test_any_text_is_a_card_or_one_short_line(text: str) -> None:
    try:
        assert 0 <= parse_card(text) < 52
        message = ""
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) <= 1
    assert len(message) < 500


def test_suits_and_ranks() -> None:
    assert [parse_suit(text) for text in "CDHScdhs♣♦♥♠"] == [0, 1, 2, 3] * 3
    assert [parse_rank(text) for text in (*"A23456789", "10", *"JQK", "t")] == [*range(1, 14), 10]


def test_a_deck_holds_its_lower_ranks_and_first_suits() -> None:
    deck = Deck(3, 2)
    assert deck.size == 6
    assert [format_card(card) for card in deck.cards()] == ["AC", "AD", "2C", "2D", "3C", "3D"]
    assert [card for card in range(-5, 60) if card in deck] == list(deck.cards())
    assert Deck().cards() == tuple(range(52))


@pytest.mark.parametrize(("ranks", "suits"), [(0, 4), (14, 4), (13, 0), (13, 5)])
def test_impossible_decks_are_refused(ranks: int, suits: int) -> None:
    with pytest.raises(InputError, match="a deck has 1 to"):
        Deck(ranks, suits)

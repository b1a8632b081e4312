"""Open Clock: the solver against exhaustive search, and its referee."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from solvers.bakers_dozen.rules import IllegalMove
from solvers.cards import Deck, parse_card, rank_of
from solvers.clock.open_clock import longest_play, replay_open_clock, solve_open_clock
from solvers.clock.policies import find_variant
from solvers.clock.regenerate import regenerate
from solvers.errors import InputError
from solvers.outcome import Outcome
from solvers.positions import Move, Position
from tests.reference.clock_enumeration import all_deals

pytestmark = pytest.mark.interpreted


def most_cards_played(piles: Sequence[Sequence[int]]) -> int:
    """Most cards that can be played, by trying every card everywhere."""

    @cache
    def most(called: int, unplayed: tuple[frozenset[int], ...]) -> int:
        best = 0
        for card in unplayed[called]:
            rest = tuple(pile - {card} if number == called else pile for number, pile in enumerate(unplayed))
            best = max(best, 1 + most(rank_of(card) - 1, rest))
        return best

    return most(len(piles) - 1, tuple(frozenset(pile) for pile in piles))


@pytest.mark.parametrize("deck", [Deck(2, 2), Deck(3, 2), Deck(2, 4), Deck(5, 1)], ids=str)
def test_solver_equals_exhaustive_search(deck: Deck) -> None:
    outcomes = set()
    for piles in all_deals(find_variant("open-clock"), deck):
        result = solve_open_clock(Position(piles, (0,) * deck.suits, deck))
        most = most_cards_played(piles)
        assert len(longest_play(piles)) == result.states == most
        assert (result.outcome is Outcome.WINNABLE) == (most == deck.size)
        outcomes.add(result.outcome)
    assert outcomes == {Outcome.WINNABLE, Outcome.UNWINNABLE}


def test_moves_of_whole_decks_win() -> None:
    for index in range(50):
        position = Position(regenerate("open-clock", 6, index).piles)
        result = solve_open_clock(position)
        assert result.outcome is Outcome.WINNABLE
        assert replay_open_clock(position, result.moves) == 0


def position(text: str) -> Position:
    piles = [tuple(parse_card(card) for card in pile.split()) for pile in text.split("|")]
    return Position(tuple(piles), (0, 0), Deck(len(piles), 2))


# Pile 1 and the centre exchange cards; pile 2 keeps its own.
CLOSED = position("3C 3D | 2C 2D | AC AD")
OPEN = position("3C 2D | 2C 3D | AC AD")


def test_a_deal_that_cannot_be_won_names_the_piles_out_of_reach() -> None:
    result = solve_open_clock(CLOSED)
    assert result.outcome is Outcome.UNWINNABLE
    assert result.reason == "no play from the centre reaches pile 2"
    assert "2C 2D" in " ".join(result.explanation)
    assert not result.moves


def test_the_referee_counts_what_is_left_and_rejects_what_is_illegal() -> None:
    moves = solve_open_clock(OPEN).moves
    assert replay_open_clock(OPEN, moves) == 0
    assert replay_open_clock(OPEN, moves[:-2]) == 2
    ace, three = parse_card("AC"), parse_card("3C")
    for wrong, message in (
        (Move(three, 0, 2), "move 1: pile 3 is called"),
        (Move(three, 2, 2), "move 1: 3C is not on pile 3"),
        (Move(ace, 2, 1), "move 1: AC goes to pile 1"),
        (Move(ace, 2, 0, 2), "one card"),
    ):
        with pytest.raises(IllegalMove, match=message):
            replay_open_clock(OPEN, [wrong])
    with pytest.raises(IllegalMove, match=r"move 3.*played before"):
        replay_open_clock(OPEN, [Move(ace, 2, 0), Move(three, 0, 2), Move(ace, 2, 0)])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (Position(((0, 4), (1, 5)), (0, 0), Deck(3, 2)), "missing"),
        (Position(((0, 1, 4), (5,)), (0, 0), Deck(2, 2)), "pile 1 has 3 cards"),
        (Position(((0, 1), (4,), (5,)), (0, 0), Deck(2, 2)), "2 piles, not 3"),
    ],
)
def test_only_whole_deals_are_taken(bad: Position, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve_open_clock(bad)

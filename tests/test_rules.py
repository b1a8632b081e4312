from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bakers_dozen.rules import (
    IllegalMove,
    apply,
    legal_moves,
    may_go_up,
    may_lie_on,
    perft,
    replay,
    why_illegal,
)
from solvers.cards import Deck, parse_card
from solvers.errors import InputError
from solvers.formats import format_position, parse_moves, parse_position
from solvers.positions import FOUNDATION, Move, Position
from tests.reference import brute_force, perft_twin

DATA = Path(__file__).parent / "data"
# Twos that can go onto threes, an ace that can go up or onto a two, and an empty column.
SMALL = parse_position("AC 2D\n3C 3H\n2H 3D\nAD AH\n2C\n:\n")


def moves(text: str) -> list[Move]:
    return parse_moves(text.replace(", ", "\n"))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position reached by random play in a random deal of a small deck."""
    deck = Deck(draw(st.integers(2, 5)), draw(st.integers(1, 4)))
    cards = draw(st.permutations(deck.cards()))
    columns = draw(st.integers(1, 6))
    position = Position(tuple(tuple(cards[c::columns]) for c in range(columns)), (0,) * deck.suits, deck)
    for choice in draw(st.lists(st.integers(0, 1000), max_size=12)):
        legal = legal_moves(position)
        if legal:
            position = apply(position, legal[choice % len(legal)])
    return position


def winning_moves(position: Position) -> list[Move] | None:
    """A way to win by the referee's rules, if there is one: every position that can be reached is tried."""
    stack: list[tuple[Position, list[Move]]] = [(position, [])]
    seen = {position}
    while stack:
        here, played = stack.pop()
        if here.won:
            return played
        for move in legal_moves(here):
            after = apply(here, move)
            if after not in seen:
                seen.add(after)
                stack.append((after, [*played, move]))
    return None


# --- each rule -----------------------------------------------------------------------------------------


def test_a_card_goes_onto_one_rank_higher_of_any_suit() -> None:
    onto = {(a, b) for a in Deck().cards() for b in Deck().cards() if may_lie_on(a, b)}
    assert onto == {(4 * r + a, 4 * (r + 1) + b) for r in range(12) for a in range(4) for b in range(4)}


def test_a_foundation_takes_the_next_card_of_its_suit() -> None:
    taken = [
        [card for card in Deck().cards() if may_go_up(card, suit, height, Deck())]
        for suit, height in enumerate((0, 1, 12, 13))
    ]
    assert taken == [[parse_card("AC")], [parse_card("2D")], [parse_card("KH")], []]


def test_legal_moves_of_a_small_position() -> None:
    assert legal_moves(SMALL) == moves("2D 1 2, 2D 1 3, AH 4 foundation, AH 4 1, AH 4 5, 2C 5 2, 2C 5 3")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("2D 1 3 2", "2D and 1 more from column 1 to column 3: one card moves at a time"),
        ("AC 1 5", "AC from column 1 to column 5: the top card of column 1 is 2D"),
        ("AC 6 5", "AC from column 6 to column 5: column 6 is empty"),
        ("2D 7 3", "2D from column 7 to column 3: there is no column 7, only 6"),
        ("2D 1 7", "2D from column 1 to column 7: there is no column 7, only 6"),
        ("2D 1 1", "2D from column 1 to column 1: that is the column it is in"),
        ("2D 1 6", "2D from column 1 to column 6: column 6 is empty and stays empty"),
        ("2D 1 5", "2D from column 1 to column 5: the top card of column 5 is 2C"),
        ("2D 1 4", "2D from column 1 to column 4: the top card of column 4 is AH"),
        ("2D 1 foundation", "2D from column 1 to foundation: the foundation of D is 0 high"),
        ("3H 2 foundation", "3H from column 2 to foundation: the foundation of H is 0 high"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(move: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as error:
        apply(SMALL, moves(move)[0])
    assert str(error.value) == reason


def test_replay_says_which_move_is_illegal() -> None:
    with pytest.raises(IllegalMove) as error:
        replay(SMALL, moves("AH 4 foundation, 2D 1 3, 2D 1 2, AD 4 foundation"))
    assert str(error.value) == "move 3, 2D from column 1 to column 2: the top card of column 1 is AC"


def test_a_card_never_leaves_its_foundation() -> None:
    after = apply(SMALL, moves("AH 4 foundation")[0])
    assert after.foundations == (0, 0, 1)
    with pytest.raises(IllegalMove, match="a card on a foundation stays there"):
        apply(after, Move(parse_card("AH"), FOUNDATION, 4))


def test_a_move_changes_two_places_and_leaves_the_old_position_alone() -> None:
    before = format_position(SMALL)
    assert format_position(apply(SMALL, moves("2D 1 3")[0])) == "AC\n3C 3H\n2H 3D 2D\nAD AH\n2C\n:\n"
    assert format_position(SMALL) == before


def test_a_column_that_runs_empty_stays_empty() -> None:
    after = replay(SMALL, moves("2D 1 3, AC 1 foundation"))
    assert after.columns[0] == ()
    assert not [move for move in legal_moves(after) if move.target == 0]


# --- all rules at once ---------------------------------------------------------------------------------


@settings(deadline=None)
@given(positions())
def test_the_legal_moves_are_all_moves_that_are_not_refused(position: Position) -> None:
    everywhere = range(-2, len(position.columns) + 2)
    candidates = [
        Move(card, source, target, count)
        for card in position.deck.cards()
        for source in everywhere
        for target in everywhere
        for count in (0, 1, 2)
    ]
    allowed = [m for m in candidates if why_illegal(position, m) is None]
    assert sorted(allowed) == sorted(legal_moves(position))


@settings(deadline=None)
@given(positions(), st.lists(st.integers(0, 1000), max_size=10))
def test_replay_makes_the_moves_one_by_one(position: Position, choices: list[int]) -> None:
    played, here = [], position
    for choice in choices:
        legal = legal_moves(here)
        if legal:
            played.append(legal[choice % len(legal)])
            here = apply(here, played[-1])
            here.check()
    assert replay(position, played) == here


def test_replay_judges_the_position_first() -> None:
    with pytest.raises(InputError, match="51 cards of 52: KS is missing"):
        replay(Position((tuple(range(51)),)), [])


def test_a_deal_played_to_the_end_is_won() -> None:
    position = parse_position("AC 2S AS 3H\nAD 2D 2H AH\n3D 3C 2C 3S\n")
    played = winning_moves(position)
    assert played is not None
    assert replay(position, played).won
    assert not replay(position, played[:-1]).won
    with pytest.raises(IllegalMove, match=f"move {len(played) + 1}, "):
        replay(position, [*played, played[-1]])


# --- against the twins ---------------------------------------------------------------------------------


@pytest.mark.parametrize("line", (DATA / "perft.txt").read_text().splitlines())
def test_perft_of_known_positions(line: str) -> None:
    name, depth, count = line.split()
    assert perft(parse_position((DATA / f"{name}.txt").read_text()), int(depth)) == int(count)


@settings(deadline=None)
@given(positions(), st.integers(0, 4))
def test_perft_equals_its_twin(position: Position, depth: int) -> None:
    assert perft(position, depth) == perft_twin.perft(format_position(position), depth)


def test_perft_golden_counts_come_from_the_twin() -> None:
    for line in (DATA / "perft.txt").read_text().splitlines():
        name, depth, count = line.split()
        if int(depth) <= 3:
            assert perft_twin.perft((DATA / f"{name}.txt").read_text(), int(depth)) == int(count)


@pytest.mark.parametrize(
    ("board", "winnable"),
    [
        ("AC 2S AS 3H\nAD 2D 2H AH\n3D 3C 2C 3S\n", True),
        ("AC 2S AS 3C\nAD 2D 2H AH\n3D 3H 2C 3S\n", False),
        ("3S 2S AS AD\n3H 2D 2H AH\n3D 3C 2C AC\n", True),  # Solvitaire's own test positions
        ("AS 2S 2D 3S\nAD AH 2H 3H\nAC 2C 3C 3D\n", False),
    ],
)
def test_published_verdicts(board: str, winnable: bool) -> None:
    position = parse_position(board)
    assert (winning_moves(position) is not None) == winnable
    assert brute_force.winnable(position.columns, position.foundations, 3, 4) == winnable


def test_brute_force_agrees_with_a_search_by_the_referee() -> None:
    rng = random.Random(20)
    verdicts = []
    for number in range(300):
        deck = Deck(rng.choice((3, 4)), rng.choice((2, 3, 4)))
        cards = list(deck.cards())
        rng.shuffle(cards)
        columns = tuple(tuple(cards[c :: deck.ranks]) for c in range(deck.ranks))
        position = Position(columns, (0,) * deck.suits, deck)
        for _ in range(number % 4):  # also from the middle of a game
            legal = legal_moves(position)
            if legal:
                position = apply(position, rng.choice(legal))
        verdict = brute_force.winnable(position.columns, position.foundations, deck.ranks, deck.suits)
        assert verdict == (winning_moves(position) is not None)
        verdicts.append(verdict)
    assert 50 < sum(verdicts) < 250


def test_brute_force_can_give_up() -> None:
    position = parse_position((DATA / "pysolfc_64.txt").read_text())  # unwinnable, with very many states
    assert brute_force.decide(position.columns, position.foundations, 13, 4, most_states=1000) is None
    position = parse_position("AS 2S 2D 3S\nAD AH 2H 3H\nAC 2C 3C 3D\n")
    assert brute_force.decide(position.columns, position.foundations, 3, 4, most_states=1000) is False

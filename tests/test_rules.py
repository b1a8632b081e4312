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
from solvers.foundations import Foundations
from solvers.games import BAKERS_DOZEN, GAMES, Building, Groups, Spaces, TableauRules
from solvers.positions import FOUNDATION, Move, Position
from tests.reference import brute_force, perft_twin, small_games

DATA = Path(__file__).parent / "data"
FAMILY = [game for game in GAMES.values() if isinstance(game, TableauRules)]
# Twos that can go onto threes, an ace that can go up or onto a two, and an empty column.
SMALL = parse_position("AC 2D\n3C 3H\n2H 3D\nAD AH\n2C\n:\n")


def moves(text: str) -> list[Move]:
    return parse_moves(text.replace(", ", "\n"))


@st.composite
def games(draw: st.DrawFn) -> TableauRules:
    """A game of the catalogue, or any rules that go together."""
    if draw(st.booleans()):
        return draw(st.sampled_from(FAMILY))
    foundations = draw(st.sampled_from(Foundations))
    certain = foundations in (Foundations.IN_SUIT, Foundations.DIAL)
    return TableauRules(
        name="drawn",
        title="drawn",
        sentence="drawn",
        source="drawn",
        building=draw(st.sampled_from(Building)),
        spaces=draw(st.sampled_from(Spaces)),
        groups=draw(st.sampled_from(Groups)),
        foundations=foundations,
        worrying_back=certain and draw(st.booleans()),
        columns=8 if foundations is Foundations.DIAL else 13,
        column_cards=5 if foundations is Foundations.DIAL else 4,
    )


@st.composite
def positions(
    draw: st.DrawFn, drawn_games: st.SearchStrategy[TableauRules] | None = None
) -> tuple[Position, TableauRules]:
    """A position reached by random play in a random deal of a small deck, and its rules."""
    rules = draw(drawn_games or games())
    suits = {Foundations.DIAL: [4], Foundations.ALTERNATE_COLOURS: [2, 4]}.get(
        rules.foundations, [1, 2, 3, 4]
    )
    ranks = st.integers(5, 6) if rules.foundations is Foundations.DIAL else st.integers(2, 5)
    deck = Deck(draw(ranks), draw(st.sampled_from(suits)))
    chance = random.Random(draw(st.integers(0, 10**9)))
    position = small_games.small_deal(rules, deck, draw(st.integers(1, 6)), chance)
    return small_games.played_on(position, rules, draw(st.integers(0, 20)), chance), rules


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
def test_the_legal_moves_are_all_moves_that_are_not_refused(drawn: tuple[Position, TableauRules]) -> None:
    position, rules = drawn
    everywhere = range(-2, len(position.columns) + 2)
    candidates = [
        Move(card, source, target, count)
        for card in position.deck.cards()
        for source in everywhere
        for target in everywhere
        for count in range(-1, 4)
    ]
    allowed = [move for move in candidates if why_illegal(position, move, rules) is None]
    legal = legal_moves(position, rules)
    assert sorted(allowed) == sorted(move for move in legal if move.count < 4)
    assert all(why_illegal(position, move, rules) is None for move in legal)


@settings(deadline=None)
@given(positions(), st.lists(st.integers(0, 1000), max_size=10))
def test_replay_makes_the_moves_one_by_one(drawn: tuple[Position, TableauRules], choices: list[int]) -> None:
    position, rules = drawn
    played, here = [], position
    for choice in choices:
        legal = legal_moves(here, rules)
        if legal:
            played.append(legal[choice % len(legal)])
            here = apply(here, played[-1], rules)
            here.check()
    assert replay(position, played, rules) == here


def test_replay_judges_the_position_first() -> None:
    with pytest.raises(InputError, match="51 cards of 52: KS is missing"):
        replay(Position((tuple(range(51)),)), [])


def test_a_deal_played_to_the_end_is_won() -> None:
    position = parse_position("AC 2S AS 3H\nAD 2D 2H AH\n3D 3C 2C 3S\n")
    played = small_games.winning_moves(position, BAKERS_DOZEN)
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
def test_perft_equals_its_twin(drawn: tuple[Position, TableauRules], depth: int) -> None:
    position, rules = drawn
    while depth > 2 and len(legal_moves(position, rules)) > 12:
        depth -= 1
    deck = position.deck
    assert perft(position, depth, rules) == perft_twin.perft(
        format_position(position), depth, small_games.plain(rules), deck.ranks, "CDHS"[: deck.suits]
    )


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
    assert (small_games.winning_moves(position, BAKERS_DOZEN) is not None) == winnable
    assert brute_force.winnable(position.columns, position.foundations, 3, 4) == winnable


def test_brute_force_agrees_with_a_search_by_the_referee() -> None:
    chance = random.Random(20)
    verdicts = []
    for number in range(300):
        deck = Deck(chance.choice((3, 4)), chance.choice((2, 3, 4)))
        position = small_games.small_deal(BAKERS_DOZEN, deck, chance.choice((2, 3, 4)), chance)
        position = small_games.played_on(position, BAKERS_DOZEN, number % 4, chance)
        verdict = brute_force.winnable(position.columns, position.foundations, deck.ranks, deck.suits)
        assert verdict == (small_games.winning_moves(position, BAKERS_DOZEN) is not None)
        verdicts.append(verdict)
    assert 50 < sum(verdicts) < 250


def test_brute_force_can_give_up() -> None:
    position = parse_position((DATA / "pysolfc_64.txt").read_text())  # unwinnable, with very many states
    assert brute_force.decide(position.columns, position.foundations, 13, 4, most_states=1000) is None
    position = parse_position("AS 2S 2D 3S\nAD AH 2H 3H\nAC 2C 3C 3D\n")
    assert brute_force.decide(position.columns, position.foundations, 3, 4, most_states=1000) is False

"""Difficulty: random plays against exact chances and brute force, levels, and deals found by level."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache

import pytest

from solvers.bakers_dozen import difficulty
from solvers.bakers_dozen.difficulty import (
    Difficulty,
    Level,
    count_wins,
    find_winnable,
    fresh_deals,
    rate_difficulty,
)
from solvers.bakers_dozen.players import Player, play_position
from solvers.bakers_dozen.rules import apply, legal_moves, replay
from solvers.bakers_dozen.solve import Limits, solve
from solvers.cards import Deck, rank_of, suit_of
from solvers.cli import main
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.formats import parse_moves, parse_position
from solvers.games import GAMES
from solvers.outcome import Outcome
from solvers.positions import FOUNDATION, Move, Position
from tests.reference import brute_force
from tests.test_players import small_deal

BAKERS_DOZEN = GAMES["bakers-dozen"]


def shifts_to_any(position: Position, card: int) -> list[tuple[Position, Fraction]]:
    """Where the top card of the column of `card` may be shifted, each place as likely as any other."""
    source = next(number for number, column in enumerate(position.columns) if card in column)
    moves = [move for move in legal_moves(position) if move.source == source and move.target != FOUNDATION]
    return [(apply(position, move), Fraction(1, len(moves))) for move in moves]


def bared(position: Position, card: int) -> list[tuple[Position, Fraction]]:
    """Positions with the cards on `card` shifted away, and their chances; none if they cannot be."""
    column = next(column for column in position.columns if card in column)
    if column[-1] == card:
        return [(position, Fraction(1))]
    if rank_of(column[-2]) != rank_of(column[-1]) + 1:
        return []
    return [
        (after, chance * more)
        for between, chance in shifts_to_any(position, card)
        for after, more in bared(between, card)
    ]


@cache
def chance_of_a_win(position: Position) -> Fraction:
    """Exact probability that lifts and digs at random win, by the sentences of `random_play`."""
    if position.won:
        return Fraction(1)
    lifts, digs = [], []
    for column in position.columns:
        for place, card in enumerate(column):
            ready = bared(position, card)
            if not ready:
                continue
            if rank_of(card) == position.foundations[suit_of(card)] + 1:
                lifts.append((card, ready))
            loose = place > 0 and rank_of(column[place - 1]) == rank_of(card) + 1
            if place > 0 and not loose and shifts_to_any(ready[0][0], card):
                digs.append((card, ready))
    safe = [lift for lift in lifts if rank_of(lift[0]) <= min(position.foundations) + 2]
    if safe:
        # Which of several is taken first is settled, but makes no difference.
        lifts, digs = safe[:1], []
    total = Fraction(0)
    for card, ready in lifts:
        for before, chance in ready:
            source = next(number for number, column in enumerate(before.columns) if card in column)
            total += chance * chance_of_a_win(apply(before, Move(card, source, FOUNDATION)))
    for card, ready in digs:
        for before, chance in ready:
            total += chance * sum(
                more * chance_of_a_win(after) for after, more in shifts_to_any(before, card)
            )
    return total / (len(lifts) + len(digs)) if lifts or digs else Fraction(0)


def test_random_plays_win_as_often_as_they_should() -> None:
    plays, in_between, squares = 20_000, 0, 0.0
    for seed in range(100):
        position = small_deal(Deck(4, 4), seed, 4)
        chance = chance_of_a_win(position)
        wins = count_wins(position, f"chance {seed}", plays)
        if chance in (0, 1):
            assert wins == chance * plays
        else:
            in_between += 1
            squares += float((wins - chance * plays) ** 2 / (plays * chance * (1 - chance)))
    assert in_between > 20
    assert 0.4 * in_between < squares < 2 * in_between


def test_random_plays_find_whatever_can_be_won() -> None:
    lost = 0
    for seed in range(120):
        position = small_deal(Deck(5, 4), seed, 5)
        winnable = brute_force.winnable(position.columns, position.foundations, 5, 4)
        assert (count_wins(position, f"find {seed}", 3_000) > 0) == winnable
        lost += not winnable
    assert 0 < lost < 60


@pytest.mark.interpreted
def test_random_plays_by_hand() -> None:
    # One dig, of one card to one place, and then everything goes up.
    assert count_wins(Position(((0, 4),), (0,), Deck(2, 1)), "no way", 20) == 0
    assert count_wins(Position(((4, 0),), (0,), Deck(2, 1)), "at once", 20) == 20
    # 3C may be dug onto 4C, and that alone frees the ace.
    assert count_wins(Position(((4, 0, 8), (12,)), (0,), Deck(4, 1)), "dig", 20) == 20


def test_no_random_play_wins_what_cannot_be_won() -> None:
    assert count_wins(load_deal("bakers-dozen", "pysolfc:64").position, "pysolfc:64") == 0


def test_rating_is_that_of_its_parts_and_of_the_name_alone() -> None:
    position = load_deal("bakers-dozen", "random:7/2").position
    rating = rate_difficulty(position, "random:7/2")
    assert rating == rate_difficulty(position, "random:7/2")
    assert rating.random_wins == count_wins(position, "random:7/2")
    assert (
        rating.looked_at == play_position(position, Player(budget=difficulty.BUDGET), "random:7/2").looked_at
    )
    assert str(rating) == (
        f"easy: {rating.random_wins} of 1,000 random plays win;"
        f" a player who takes moves back wins after {rating.looked_at:,} positions"
    )
    assert "does not win within 100,000 positions" in str(Difficulty(3, None))


@pytest.mark.parametrize(
    ("wins", "level"),
    [(0, "hard"), (14, "hard"), (15, "medium"), (59, "medium"), (60, "easy"), (1000, "easy")],
)
def test_levels(wins: int, level: str) -> None:
    assert Difficulty(wins, None).level == level


@pytest.mark.parametrize("level", list(Level))
def test_deal_found_is_the_first_of_its_level(level: Level) -> None:
    sources = [f"random:21/{index}" for index in range(60)]
    found = find_winnable(BAKERS_DOZEN, sources, level=level)
    assert found is not None
    assert found.difficulty is not None
    assert found.difficulty.level is level
    assert replay(found.deal.position, found.result.moves).won
    for source in sources[: sources.index(found.deal.source)]:
        position = load_deal("bakers-dozen", source).position
        assert (
            rate_difficulty(position, source).level is not level
            or solve(position).outcome is not Outcome.WINNABLE
        )


def test_deals_that_are_lost_or_undecided_are_passed_over() -> None:
    passed: list[int] = []
    sources = ["pysolfc:64", "pysolfc:65"]
    found = find_winnable(BAKERS_DOZEN, sources, progress=passed.append)
    assert found is not None
    assert found.deal.source == "pysolfc:65"
    assert passed == [0, 1]
    assert find_winnable(BAKERS_DOZEN, sources, limits=Limits(states=1)) is None
    other = find_winnable(GAMES["good-measure"], ["pysolfc:1", "pysolfc:2", "pysolfc:3"])
    assert other is not None
    assert other.difficulty is None


def test_fresh_deals_are_others_each_time() -> None:
    assert next(fresh_deals()).startswith("random:")
    assert len({next(fresh_deals()) for _ in range(20)}) == 20


def test_command_prints_a_board_with_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "bakers-dozen", "random:7/0-99", "--winnable", "--difficulty", "easy"]) == 0
    out = capsys.readouterr().out
    first, second, *_ = out.splitlines()
    assert first.startswith("# bakers-dozen random:7/2, winnable: ")
    assert second.startswith("# easy: ")
    assert parse_position(out) == load_deal("bakers-dozen", "random:7/2").position


def test_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "deal",
        "bakers-dozen",
        "pysolfc:60-69",
        "--winnable",
        "--difficulty",
        "hard",
        "--format",
        "json",
    ]
    assert main(words) == 0
    out = capsys.readouterr().out
    fields = json.loads(out)
    position = load_deal("bakers-dozen", fields["source"]).position
    assert parse_position(out) == position
    assert replay(position, parse_moves(out)).won
    assert (fields["outcome"], fields["kings"], fields["difficulty"]["level"]) == ("winnable", "swap", "hard")
    assert fields["difficulty"]["random_wins"] < difficulty.HARD_BELOW
    assert fields["difficulty"]["random_plays"] == 1000


@pytest.mark.parametrize("output", ["svg", "solvitaire"])
def test_other_formats_have_the_proof_on_standard_error(
    output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", "bakers-dozen", "pysolfc:24", "--winnable", "--format", output]) == 0
    out, err = capsys.readouterr()
    assert "winnable" not in out
    assert err.startswith("bakers-dozen pysolfc:24, winnable: ")


def test_command_deals_anew_without_a_source(capsys: pytest.CaptureFixture[str]) -> None:
    deals = set()
    for _ in range(2):
        assert main(["deal", "bakers-dozen", "--winnable"]) == 0
        out = capsys.readouterr().out
        source = out.split(",")[0].split()[-1]
        assert parse_position(out) == load_deal("bakers-dozen", source).position
        deals.add(source)
    assert len(deals) == 2


def test_no_such_deal_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "bakers-dozen", "pysolfc:64", "--winnable"]) == 1
    assert main(["deal", "bakers-dozen", "random:7/2", "--winnable", "--difficulty", "hard"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "no deal of pysolfc:64 is known to be winnable",
        "no hard deal of random:7/2 is known to be winnable",
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("deal bakers-dozen --winnable --difficulty fiendish", "unknown difficulty 'fiendish'"),
        ("deal bakers-dozen pysolfc:1 --difficulty easy", "--difficulty goes with --winnable"),
        ("deal good-measure --winnable --difficulty easy", "levels are known for bakers-dozen only"),
        ("deal clock --winnable", "clock is not of the Baker's Dozen family"),
        ("deal bakers-dozen board.txt --winnable", "not a range of deals"),
        ("deal bakers-dozen", "Missing argument 'SOURCE'"),
    ],
)
def test_bad_usage_is_one_line(line: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert says in err


def test_levels_are_for_bakers_dozen() -> None:
    with pytest.raises(InputError, match="good-measure"):
        find_winnable(GAMES["good-measure"], ["pysolfc:1"], level=Level.EASY)

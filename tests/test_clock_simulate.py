"""Simulation against the plain rules, game by game, and against theory, over whole distributions."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from solvers.cards import Deck
from solvers.clock.policies import GAMES, Variant
from solvers.clock.regenerate import regenerate
from solvers.clock.simulate import SimulationResult, simulate
from solvers.errors import InputError

SMALL_DECKS = [Deck(2, 4), Deck(3, 2), Deck(5, 3), Deck(13, 1)]
SHUFFLES = ["riffle:0", "riffle:3,start=gathered,deal=bottom", "overhand:2,start=gathered-won"]


def assert_fits(counts: Sequence[int], expected: Sequence[Fraction]) -> None:
    """Chi-square over a whole distribution; cells expected less than five times are taken together."""
    games = sum(counts)
    assert sum(expected) == 1
    cells = [(count, float(p * games)) for count, p in zip(counts, expected, strict=True)]
    assert all(count == 0 for count, mean in cells if mean == 0)
    rare = [cell for cell in cells if cell[1] < 5]
    common = [cell for cell in cells if cell[1] >= 5]
    if sum(mean for _, mean in rare) >= 5:
        common.append((sum(count for count, _ in rare), sum(mean for _, mean in rare)))
        rare = []
    observed = np.array([count for count, _ in common])
    means = np.array([mean for _, mean in common])
    if len(common) == 1:  # all games end alike, and all did
        return
    statistic = ((observed - means) ** 2 / means).sum()
    assert 1e-6 < stats.chi2.sf(statistic, len(common) - 1 + bool(rare)) < 1 - 1e-6


def histogram(values: Sequence[int], size: int) -> tuple[int, ...]:
    return tuple(int(count) for count in np.bincount(values, minlength=size))


VARIANTS = [variant for variants in GAMES.values() for variant in variants]


@pytest.mark.interpreted
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_kernel_plays_the_games_that_can_be_made_again(variant: Variant) -> None:
    check_games(variant, Deck(), 15, seed=0)
    check_games(variant, Deck(4, 3), 40, seed=0)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_kernel_plays_thousands_of_games_that_can_be_made_again(variant: Variant) -> None:
    check_games(variant, Deck(), 2000, seed=2**64 - 1)
    for deck in SMALL_DECKS:
        if deck.suits > variant.king_removed:
            check_games(variant, deck, 500, seed=3)


@pytest.mark.parametrize("shuffle", SHUFFLES)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_kernel_plays_shuffled_decks_that_can_be_made_again(variant: Variant, shuffle: str) -> None:
    check_games(variant, Deck(), 200, seed=1, shuffle=shuffle)
    check_games(variant, Deck(4, 3), 300, seed=1, shuffle=shuffle)


def check_games(variant: Variant, deck: Deck, games: int, seed: int, shuffle: str = "uniform") -> None:
    game, policy = variant.game, variant.policy
    result = simulate(game, games, seed, policy=policy, shuffle=shuffle, deck=deck, workers=1)
    playouts = [
        regenerate(game, seed, index, policy=policy, shuffle=shuffle, deck=deck).playout
        for index in range(games)
    ]
    assert result.games == games
    assert result.wins == sum(playout.won for playout in playouts)
    assert result.cards_left == histogram([p.cards_left for p in playouts], len(result.cards_left))
    assert result.complete_hours == histogram([p.complete_hours for p in playouts], deck.ranks)


def test_each_single_game_is_the_one_made_again() -> None:
    # A histogram could hide two games that changed places: take the games one by one, as differences.
    before = simulate("clock", 0, 5)
    for index in range(300):
        after = simulate("clock", index + 1, 5, workers=1)
        left = regenerate("clock", 5, index).playout.cards_left
        assert np.flatnonzero(np.subtract(after.cards_left, before.cards_left)).tolist() == [left]
        before = after


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_simulation_fits_theory(variant: Variant) -> None:
    for deck in (Deck(), Deck(5, 3)):
        result = simulate(variant.game, 500_000, 11, policy=variant.policy, deck=deck)
        assert result.theory is not None
        assert result.theory.cards_left is not None
        assert_fits(result.cards_left, result.theory.cards_left)
        if result.theory.complete_hours is not None:
            assert_fits(result.complete_hours, result.theory.complete_hours)
        assert result.z is not None
        assert abs(result.z) < 4.5


def test_deals_made_again_are_uniform_card_by_place() -> None:
    # Also over the places that were never looked at, whose cards are drawn last.
    games = 20_000
    deals = np.array([sum(regenerate("clock", 2, index).piles, ()) for index in range(games)])
    counts = np.array([np.bincount(deals[:, place], minlength=52) for place in range(52)])
    statistic = ((counts - games / 52) ** 2 / (games / 52)).sum() * 51 / 52
    assert 1e-6 < stats.chi2.sf(statistic, 51 * 51) < 1 - 1e-6


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    alone = simulate("clock", 300_000, 42, workers=1)
    several = simulate("clock", 300_000, 42, workers=workers)
    assert (several.wins, several.cards_left) == (alone.wins, alone.cards_left)
    assert several.complete_hours == alone.complete_hours


def test_seeds_differ() -> None:
    assert simulate("clock", 1000, 1).cards_left != simulate("clock", 1000, 2).cards_left


def test_progress_is_reported_up_to_the_end() -> None:
    seen: list[int] = []
    simulate("clock", 200_000, 1, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 200_000


@pytest.mark.skipif(os.name == "nt", reason="no pthread_kill")
def test_interrupt_keeps_a_beginning_of_the_games() -> None:
    simulate("clock", 1, 9)  # compiled before the clock runs
    games = 10**12
    timer = threading.Timer(0.7, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    result = simulate("clock", games, 9)
    timer.join()
    assert result.interrupted
    assert 0 < result.games < games
    assert result.seconds < 5
    assert result.cards_left == simulate("clock", result.games, 9).cards_left


def outcome(wins: int, games: int) -> SimulationResult:
    return SimulationResult("clock", None, "uniform", 0, games, wins, (), (), None, 0.0)


@pytest.mark.interpreted
def test_interval_is_wilsons_and_stays_within_0_and_1() -> None:
    assert outcome(38, 38).ci95[1] == 1.0
    assert outcome(0, 38).ci95[0] == 0.0
    assert outcome(0, 0).ci95 == (0.0, 1.0)
    assert math.isnan(outcome(0, 0).rate)
    low, high = outcome(7, 100).ci95
    # Roots of (p - 0.07)^2 = z^2 p (1 - p) / 100.
    z = stats.norm.ppf(0.975)
    roots = np.roots([1 + z**2 / 100, -(0.14 + z**2 / 100), 0.07**2])
    assert (low, high) == pytest.approx(sorted(roots))


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": -1}, "-1"),
        ({"games": 10, "workers": 0}, "workers"),
        ({"games": 10, "seed": -5}, "-5"),
        ({"games": 10, "policy": "best"}, "'best'"),
        ({"games": 10, "shuffle": "faro"}, "'faro'"),
    ],
)
def test_bad_input_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate("clock", **arguments)

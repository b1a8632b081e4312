"""Exact distributions against complete enumeration of small decks, as fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from solvers.cards import Deck
from solvers.clock.policies import GAMES, Variant
from solvers.clock.theory import exact, last_of
from solvers.clock.watch_theory import bottoms_seen_win_probability
from solvers.errors import InputError
from tests.reference.clock_enumeration import best_watch_rates, distributions

SMALL_DECKS = [Deck(1, 2), Deck(2, 4), Deck(3, 2), Deck(3, 3), Deck(4, 2), Deck(6, 1)]
VARIANTS = [variant for variants in GAMES.values() for variant in variants]


@pytest.mark.parametrize("deck", SMALL_DECKS, ids=str)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_theory_equals_full_enumeration(variant: Variant, deck: Deck) -> None:
    if (variant.king_removed and deck.suits < 2) or (variant.short_hour and deck.ranks < 2):
        with pytest.raises(InputError, match="at least two"):
            exact(variant.game, variant.policy, deck=deck)
        return
    theory = exact(variant.game, variant.policy, deck=deck)
    win_probability, cards_left, complete_hours = distributions(variant, deck)
    assert theory.win_probability == win_probability
    assert theory.cards_left == cards_left
    if theory.complete_hours is not None:
        assert theory.complete_hours == complete_hours


@pytest.mark.parametrize("deck", [Deck(3, 3), Deck(4, 2), Deck(2, 4), Deck(6, 1)], ids=str)
def test_no_policy_of_watch_that_does_not_peek_beats_bottom_largest(deck: Deck) -> None:
    best, best_with_all_known = best_watch_rates(deck)
    assert exact("watch", "bottom-largest", deck=deck).win_probability == best
    assert bottoms_seen_win_probability(deck, last_of(deck.suits, deck.size)) == best_with_all_known


def test_bottom_largest_is_the_best_of_the_named_policies() -> None:
    rates = {v.policy: exact("watch", v.policy).win_probability for v in GAMES["watch"]}
    assert max(rates, key=lambda policy: rates[policy]) == "bottom-largest"
    assert rates["bottom-random-pile"] == rates["bottom-clockwise"]
    assert rates["top-random-pile"] == rates["top-clockwise"]
    harmonic = sum(Fraction(1, k) for k in range(1, 13))
    assert rates["bottom-random-pile"] == (1 + harmonic) / 13


def test_standard_deck() -> None:
    theory = exact("clock")
    assert theory.win_probability == Fraction(1, 13)
    assert theory.cards_turned is not None
    assert theory.cards_turned == tuple(Fraction(comb(n - 1, 3) if n else 0, comb(52, 4)) for n in range(53))
    # The last of k places among n is at k (n + 1) / (k + 1) on average.
    assert theory.mean_cards_left == 52 - Fraction(4 * 53, 5)
    # Its variance is that of the k-th order statistic: k (n + 1) (n - k) / ((k + 1)^2 (k + 2)).
    assert theory.variance_cards_left == Fraction(4 * 53 * 48, 5**2 * 6)
    assert theory.complete_hours == (Fraction(1, 13),) * 13


@pytest.mark.parametrize(("marked", "cards"), [(1, 1), (1, 5), (3, 7), (4, 52)])
def test_last_of_is_a_distribution(marked: int, cards: int) -> None:
    assert sum(last_of(marked, cards)) == 1
    assert last_of(marked, cards)[0] == Fraction(marked, cards)


def test_unknown_names_are_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"'cluck'.*clock"):
        exact("cluck")
    with pytest.raises(InputError, match="'best'"):
        exact("clock", "best")

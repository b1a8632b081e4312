"""Exact distributions against complete enumeration of small decks, as fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from solvers.cards import Deck
from solvers.clock.theory import exact, last_of
from solvers.errors import InputError
from tests.reference.clock_enumeration import all_playouts, distribution, wins_by_bottom_cards

SMALL_DECKS = [Deck(1, 3), Deck(2, 1), Deck(2, 4), Deck(3, 2), Deck(3, 3), Deck(4, 2), Deck(6, 1), Deck(3, 4)]


@pytest.mark.parametrize("deck", SMALL_DECKS, ids=str)
def test_clock_equals_full_enumeration(deck: Deck) -> None:
    playouts = list(all_playouts(deck))
    theory = exact("clock", deck=deck)
    assert theory.cards_left == distribution((p.cards_left for p in playouts), deck.size + 1)
    assert theory.complete_hours == distribution((p.complete_hours for p in playouts), deck.ranks)
    assert theory.win_probability == Fraction(sum(p.won for p in playouts), len(playouts))


@pytest.mark.parametrize("deck", SMALL_DECKS, ids=str)
def test_only_the_bottom_cards_matter(deck: Deck) -> None:
    assert wins_by_bottom_cards(deck) == exact("clock", deck=deck).win_probability


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

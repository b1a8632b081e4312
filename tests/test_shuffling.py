"""The random stream and the shuffles, each against a slow twin and against its own distribution."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from solvers.cards import Deck
from solvers.errors import InputError
from solvers.shuffling import shuffled_deck, stream_key, word
from tests.reference import clock_stream

# Below this, a test of a correct shuffle would fail once in a million runs; seeds are fixed, so it never
# fails by chance at all.
SMALLEST_P = 1e-6


@pytest.mark.interpreted
def test_words_are_those_of_splitmix64() -> None:
    # First outputs of the reference implementation for the state 1234567.
    known = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    with np.errstate(over="ignore"):
        assert [int(word(np.uint64(1234567), np.uint64(c))) for c in range(1, 6)] == known


@pytest.mark.interpreted
def test_batch_of_draws_is_exactly_uniform() -> None:
    # All 2^12 words of a generator of 12 bits: every value is met equally often, or the word is rejected.
    for ranges in (4 * 3 * 2, 5 * 4 * 3, 7 * 6, 100):
        values: Counter[int | str] = Counter()
        for bits in range(2**10):
            stream = iter([bits << 2])
            try:
                values[clock_stream.uniform_below(ranges, stream, bits=10, word_bits=12)] += 1
            except StopIteration:  # rejected
                values["rejected"] += 1
        assert values.pop("rejected", 0) == 2**10 % ranges
        assert set(values) == set(range(ranges))
        assert set(values.values()) == {2**10 // ranges}


@pytest.mark.interpreted
@pytest.mark.parametrize("deck", [Deck(), Deck(13, 3), Deck(5, 4), Deck(3, 2), Deck(1, 1)], ids=str)
def test_uniform_shuffle_equals_its_slow_twin(deck: Deck) -> None:
    for seed, index in product((0, 1, 2**64 - 1), (0, 1, 12345, 2**59)):
        twin = clock_stream.shuffled(list(deck.cards()), seed, 16 * index)
        assert list(shuffled_deck(deck, seed, index)) == twin


def test_each_card_is_equally_often_in_each_place() -> None:
    games = 40_000
    decks = np.array([shuffled_deck(Deck(), 3, index) for index in range(games)])
    counts = np.array([np.bincount(decks[:, place], minlength=52) for place in range(52)])
    expected = games / 52
    # Rows and columns of the table have fixed sums, which takes 2 * 52 - 1 degrees of freedom.
    statistic = ((counts - expected) ** 2 / expected).sum() * 51 / 52
    assert SMALLEST_P < stats.chi2.sf(statistic, 51 * 51) < 1 - SMALLEST_P


def test_each_order_of_a_small_deck_is_equally_likely() -> None:
    deck = Deck(5, 1)
    counts = Counter(shuffled_deck(deck, 11, index) for index in range(60_000))
    assert set(counts) == set(permutations(deck.cards()))
    assert SMALLEST_P < stats.chisquare(list(counts.values())).pvalue < 1 - SMALLEST_P


def test_neighbouring_games_and_seeds_are_unrelated() -> None:
    # Whether the first card of one game and of the next are paired at random, and so for the next seed.
    for pairs in (
        [(shuffled_deck(Deck(), 5, i)[0], shuffled_deck(Deck(), 5, i + 1)[0]) for i in range(0, 40_000, 2)],
        [(shuffled_deck(Deck(), s, 0)[0], shuffled_deck(Deck(), s + 1, 0)[0]) for s in range(0, 40_000, 2)],
    ):
        table = np.zeros((52, 52))
        np.add.at(table, tuple(np.array(pairs).T), 1)
        assert SMALLEST_P < stats.chi2_contingency(table).pvalue < 1 - SMALLEST_P


@pytest.mark.interpreted
@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seed_out_of_range_is_named(seed: int) -> None:
    with pytest.raises(InputError, match=str(seed)):
        stream_key(seed)


@pytest.mark.interpreted
def test_index_out_of_range_is_named() -> None:
    with pytest.raises(InputError, match="-1"):
        shuffled_deck(Deck(), 1, -1)

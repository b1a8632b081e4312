"""The random stream and the shuffles, each against a slow twin and against its own distribution."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from solvers.cards import Deck, format_card
from solvers.errors import InputError
from solvers.shuffling import Shuffle, shuffled_deck
from solvers.shuffling_kernel import shuffle_from_start
from solvers.streams import stream_key, word
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


def shuffled_from_start(shuffle: Shuffle, deck: Deck, seed: int, counter: int) -> tuple[int, ...]:
    plan = shuffle.plan(deck.cards(), seed)
    cards = plan.start.copy()
    with np.errstate(over="ignore"):
        shuffle_from_start(cards, np.empty_like(cards), plan, np.uint64(counter))
    return tuple(int(card) for card in cards)


@pytest.mark.interpreted
@pytest.mark.parametrize("deck", [Deck(), Deck(11, 2), Deck(1, 1)], ids=str)
@pytest.mark.parametrize("times", [0, 1, 5])
@pytest.mark.parametrize("from_bottom", [False, True])
def test_riffles_and_overhand_equal_their_slow_twins(deck: Deck, times: int, from_bottom: bool) -> None:
    for manner, twin in (("riffle", clock_stream.riffles), ("overhand", clock_stream.overhands)):
        shuffle = Shuffle.parse(f"{manner}:{times},deal={'bottom' if from_bottom else 'top'}")
        expected = twin(list(shuffle.starting_order(deck.cards())), times, clock_stream.words(9, 1000))
        if from_bottom:
            expected.reverse()
        assert list(shuffled_from_start(shuffle, deck, 9, 1000)) == expected


@pytest.mark.parametrize("manner", ["riffle", "overhand"])
def test_one_shuffle_has_the_distribution_of_all_its_cuts(manner: str) -> None:
    deck, games = Deck(5, 1), 60_000
    start = list(deck.cards())
    exact: defaultdict[tuple[int, ...], float] = defaultdict(float)
    if manner == "riffle":
        for bits in product((0, 1), repeat=5):
            exact[tuple(clock_stream.riffled(start, list(bits)))] += 2.0**-5
    else:
        for cuts in product((False, True), repeat=4):
            exact[tuple(clock_stream.cut_overhand(start, list(cuts)))] += 0.2 ** sum(cuts) * 0.8 ** (
                4 - sum(cuts)
            )
    # One riffle leaves at most two rising sequences: of 120 orders, 2^5 - 5 can come.
    assert len(exact) == (27 if manner == "riffle" else 16)
    words = " ".join(["AC", "2C", "3C", "4C", "5C"])
    shuffle = Shuffle.parse(f"{manner}:1,start={words}")
    counts = Counter(shuffled_from_start(shuffle, deck, 4, 8 * index) for index in range(games))
    assert set(counts) <= set(exact)
    orders = list(exact)
    statistic = stats.chisquare([counts[o] for o in orders], [exact[o] * games for o in orders])
    assert SMALLEST_P < statistic.pvalue < 1 - SMALLEST_P


@pytest.mark.interpreted
def test_starting_orders() -> None:
    deck = Deck(3, 4).cards()

    def order(text: str) -> str:
        return " ".join(format_card(card) for card in Shuffle.parse(text).starting_order(deck))

    assert order("riffle:1") == "AH 2H 3H AC 2C 3C 3D 2D AD 3S 2S AS"
    assert order("riffle:1,start=new-deck") == order("riffle:1")
    assert order("overhand:1,start=gathered-won") == "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S"
    mine = "3S AC AD AH AS 2C 2D 2H 2S 3C 3D 3H"
    assert order(f"riffle:1,start={mine}") == mine


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "text",
    ["uniform", "riffle:7", "overhand:0", "riffle:1000,start=gathered,deal=bottom", "riffle:2,start=AC 2C"],
)
def test_shuffles_are_printed_as_they_are_read(text: str) -> None:
    assert str(Shuffle.parse(text)) == text
    assert Shuffle.parse(str(Shuffle.parse(text))) == Shuffle.parse(text)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("faro:1", "'faro'"),
        ("uniform:3", "'uniform:3'"),
        ("uniform,start=gathered", "no options"),
        ("riffle", "riffle:7"),
        ("riffle:-1", "'riffle:-1'"),
        ("riffle:²", "riffle:7"),
        ("riffle:1001", "1001"),
        ("riffle:99999999999999999999", "1000"),
        ("riffle:1,start=box", "'box'"),
        ("riffle:1,deal=left", "'deal=left'"),
        ("riffle:1,start=AC ZZ", "ZZ"),
    ],
)
def test_bad_shuffles_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Shuffle.parse(text)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("start", "message"),
    [("AC AC AD", "AC is in .* more than once"), ("AC AD 3C", "3C"), ("AC AD", "2C 2D missing")],
)
def test_a_starting_order_of_other_cards_is_named(start: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Shuffle.parse(f"riffle:1,start={start}").starting_order(Deck(2, 2).cards())


@pytest.mark.interpreted
def test_words_set_aside_are_enough() -> None:
    for times in (0, 1, 7, 100, 1000):
        shuffle = Shuffle.parse(f"overhand:{times}")
        assert shuffle.stride >= 16 + 3 * times
        assert shuffle.stride * shuffle.largest_index <= 2**63


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

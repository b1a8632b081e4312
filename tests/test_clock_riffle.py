"""Decks in a known order: exact rates against enumeration of all cuts, and the kernel against both."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import sqrt

import pytest

from solvers.cards import Deck
from solvers.clock.policies import GAMES, Variant, find_variant
from solvers.clock.regenerate import regenerate
from solvers.clock.riffle_theory import riffle_win_probability
from solvers.clock.rules import Playout, deal_piles, every_playout, play, play_clock
from solvers.clock.simulate import simulate
from solvers.clock.theory import NotKnown, exact
from solvers.errors import InputError
from solvers.shuffling import Shuffle
from tests.reference.clock_enumeration import all_deals, cards_of, leads_to_centre, rank_orders
from tests.reference.clock_stream import cut_overhand, draws, riffled, uniform_below, words

STARTS = ["new-deck", "gathered-won"]
ENDS = ["top", "bottom"]
BOTTOMS_DECIDE = [
    find_variant("clock"),
    find_variant("clock-no-king"),
    find_variant("clock-face-up", "all-played"),
]


def by_all_riffles(variant: Variant, deck: Deck, shuffle: Shuffle) -> Fraction:
    """Share of all sequences of bits, one a card and riffle, after which the plain rules win."""
    start = list(shuffle.starting_order(variant.cards(deck)))
    won = total = 0
    for bits in product(product((0, 1), repeat=len(start)), repeat=shuffle.times):
        cards = start
        for one in bits:
            cards = riffled(cards, list(one))
        piles = deal_piles(cards[::-1] if shuffle.from_bottom else cards, variant.order(deck))
        total += 1
        won += play(variant, piles, lambda n: n - 1).won
    return Fraction(won, total)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("variant", BOTTOMS_DECIDE, ids=str)
@pytest.mark.parametrize(
    ("deck", "times"), [(Deck(3, 4), 1), (Deck(5, 2), 1), (Deck(3, 2), 2), (Deck(2, 3), 2), (Deck(2, 2), 3)]
)
def test_riffles_equal_full_enumeration(
    variant: Variant, deck: Deck, times: int, start: str, end: str
) -> None:
    shuffle = Shuffle.parse(f"riffle:{times},start={start},deal={end}")
    theory = exact(variant.game, variant.policy, shuffle=shuffle, deck=deck)
    assert theory.win_probability == by_all_riffles(variant, deck, shuffle)
    assert theory.shuffle == str(shuffle)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("deck", [Deck(), Deck(4, 2)], ids=str)
def test_simulation_fits_one_riffle(deck: Deck, start: str, end: str) -> None:
    result = simulate("clock", 300_000, 8, shuffle=f"riffle:1,start={start},deal={end}", deck=deck)
    assert result.z is not None
    assert abs(result.z) < 4.5


@pytest.mark.parametrize("deck", [Deck(3, 3), Deck(4, 2), Deck(5, 1)], ids=str)
def test_only_the_bottom_cards_decide(deck: Deck) -> None:
    # Deal by deal, which is more than that as many are won.
    for piles in all_deals(find_variant("clock"), deck):
        assert play_clock(piles).won == leads_to_centre(piles)


def average(variant: Variant, piles: Sequence[tuple[int, ...]]) -> Fraction:
    return sum((chance for chance, playout in every_playout(variant, piles) if playout.won), Fraction(0))


@pytest.mark.parametrize("variant", [variant for variants in GAMES.values() for variant in variants], ids=str)
def test_a_deck_not_shuffled_is_played_as_it_is(variant: Variant) -> None:
    deck = Deck(3, 2)
    cards = variant.cards(deck)
    for order in list(permutations(cards))[::20]:
        for end in ENDS:
            shuffle = Shuffle.parse(f"overhand:0,deal={end}")
            shuffle = Shuffle(shuffle.manner, 0, order, shuffle.from_bottom)
            piles = deal_piles(order[::-1] if end == "bottom" else order, variant.order(deck))
            theory = exact(variant.game, variant.policy, shuffle=shuffle, deck=deck)
            assert theory.win_probability == average(variant, piles)
            result = simulate(variant.game, 400, 1, policy=variant.policy, shuffle=shuffle, deck=deck)
            assert result.z is not None
            assert abs(result.z) < 4.5
            assert sum(theory.cards_left or ()) == 1


def test_decks_not_shuffled_always_lose() -> None:
    # As sold, or as gathered, some hour gets a card of its own rank at the bottom.
    for start, end in product(STARTS, ENDS):
        assert exact("clock", shuffle=f"riffle:0,start={start},deal={end}").win_probability == 0


@pytest.mark.parametrize("deck", [Deck(3, 2), Deck(5, 1), Deck(2, 4)], ids=str)
def test_no_order_always_wins_after_a_riffle(deck: Deck) -> None:
    # Cut above an ace and drop it last: it lies at the bottom of its own hour.
    always_lost = []
    for order in rank_orders([deck.suits] * deck.ranks):
        rate = riffle_win_probability(cards_of(order), deck.ranks, 1)
        assert rate < 1
        if rate == 0:
            always_lost.append(order)
    # One riffle may leave an order without a single way to win.
    assert always_lost == ([(1, 4, 3, 2, 5)] if deck == Deck(5, 1) else [])


@pytest.mark.parametrize("manner", ["riffle:2", "overhand:3"])
def test_gathered_decks_have_the_distribution_of_all_games_before(manner: str) -> None:
    # Every deal of a small deck, played, gathered by hand, shuffled in every way, and played again.
    deck = Deck(2, 2)
    variant = find_variant("clock")
    chance_of_a_win = 0.0
    deals = list(all_deals(variant, deck))
    for piles in deals:
        face_down = play_clock(piles).face_down
        start: list[int] = []
        for pile, count in enumerate(face_down):
            start += reversed(piles[pile][:count])
            start += [0 if pile == 0 else 4] * sum(
                card >> 2 == pile for other, left in enumerate(face_down) for card in piles[other][left:]
            )
        chance_of_a_win += chance_after(manner, start, variant, deck) / len(deals)
    games = 400_000
    result = simulate("clock", games, 12, shuffle=f"{manner},start=gathered", deck=deck)
    assert result.theory is None
    error = sqrt(chance_of_a_win * (1 - chance_of_a_win) / games)
    assert abs(result.rate - chance_of_a_win) < 4.5 * error


def chance_after(manner: str, start: list[int], variant: Variant, deck: Deck) -> float:
    name, times = manner.split(":")
    orders = {tuple(start): 1.0}
    for _ in range(int(times)):
        after: dict[tuple[int, ...], float] = {}
        for order, chance in orders.items():
            if name == "riffle":
                ways = [(riffled(list(order), list(bits)), 1 / 16) for bits in product((0, 1), repeat=4)]
            else:
                ways = [
                    (cut_overhand(list(order), list(cuts)), 0.2 ** sum(cuts) * 0.8 ** (3 - sum(cuts)))
                    for cuts in product((False, True), repeat=3)
                ]
            for cards, weight in ways:
                after[tuple(cards)] = after.get(tuple(cards), 0.0) + chance * weight
        orders = after
    return sum(
        chance for order, chance in orders.items() if play_clock(deal_piles(order, variant.order(deck))).won
    )


def test_what_is_not_known_is_said() -> None:
    for game, shuffle in (("watch", "riffle:1"), ("clock", "riffle:3"), ("clock", "riffle:1,start=gathered")):
        with pytest.raises(NotKnown, match=shuffle):
            exact(game, shuffle=shuffle)
    assert exact("open-clock", "any-card", shuffle="overhand:5").win_probability == 1
    with pytest.raises(InputError, match="faro"):
        exact("clock", shuffle="faro")


def test_progress_counts_the_choices_of_sizes() -> None:
    seen: list[int] = []
    riffle_win_probability((0, 1, 4, 5), 2, 2, progress=seen.append)
    assert seen == list(range(1, 36))  # C(7, 3)


def gathered_by_hand(piles: Sequence[Sequence[int]], playout: Playout) -> list[int]:
    """Pile by pile: what was not turned, from the top, and then the pile's own cards that were, by suit."""
    left = [pile[:count] for pile, count in zip(piles, playout.face_down, strict=True)]
    not_turned = {card for pile in left for card in pile}
    deck: list[int] = []
    for number, pile in enumerate(left):
        deck += reversed(pile)
        deck += sorted({card for other in piles for card in other if card >> 2 == number} - not_turned)
    return deck


@pytest.mark.parametrize("variant", [variant for variants in GAMES.values() for variant in variants], ids=str)
def test_a_game_is_gathered_as_by_hand(variant: Variant) -> None:
    shuffle = Shuffle.parse("riffle:0,start=gathered")
    for deck, index in product((Deck(), Deck(4, 3)), range(20)):
        stream = words(seed=77, counter=shuffle.stride * index)
        cards = list(variant.cards(deck))
        for place, digit in enumerate(draws(len(cards), stream)):
            cards[place], cards[place + digit] = cards[place + digit], cards[place]
        before = deal_piles(cards, variant.order(deck))
        playout = play(variant, before, partial(uniform_below, stream=stream))
        gathered = gathered_by_hand(before, playout)
        game = regenerate(variant.game, 77, index, policy=variant.policy, shuffle=shuffle, deck=deck)
        assert game.piles == deal_piles(gathered, variant.order(deck))

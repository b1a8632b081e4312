"""Whole small decks of Clock, played deal by deal: exact distributions by counting, without theory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from solvers.cards import Deck, card_code, rank_of
from solvers.clock.policies import Variant, find_variant
from solvers.clock.rules import deal_piles, every_playout, play_clock, play_watch

T = TypeVar("T")


def rank_orders(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All orders of a deck with ``counts[r]`` cards of rank r + 1, cards of a rank not told apart."""
    places = range(sum(counts))

    def fill(rank: int, free: tuple[int, ...], order: list[int]) -> Iterator[tuple[int, ...]]:
        if rank == len(counts):
            yield tuple(order)
            return
        for chosen in combinations(free, counts[rank]):
            for place in chosen:
                order[place] = rank + 1
            yield from fill(rank + 1, tuple(p for p in free if p not in chosen), order)

    return fill(0, tuple(places), [0] * len(places))


def cards_of(ranks: Sequence[int]) -> tuple[int, ...]:
    """Card codes for an order of ranks, the suits given out in the order clubs, diamonds, ..."""
    seen: Counter[int] = Counter()
    cards = []
    for rank in ranks:
        cards.append(card_code(rank, seen[rank]))
        seen[rank] += 1
    return tuple(cards)


def always(value: T) -> Callable[[object], T]:
    """Return a player who answers every question alike."""
    return lambda _: value


def all_deals(variant: Variant, deck: Deck) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every deal of a deck; deals told apart by ranks alone, so all equally likely."""
    counts = Counter(map(rank_of, variant.cards(deck)))
    for order in rank_orders([counts[rank] for rank in range(1, deck.ranks + 1)]):
        yield deal_piles(cards_of(order), variant.order(deck))


def distributions(
    variant: Variant, deck: Deck
) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Chance of a win, distributions of the cards left and of the complete hours, by playing every deal."""
    won = Fraction(0)
    cards_left = [Fraction(0)] * (len(variant.cards(deck)) + 1)
    complete_hours = [Fraction(0)] * deck.ranks
    deals = 0
    for piles in all_deals(variant, deck):
        deals += 1
        for chance, playout in every_playout(variant, piles):
            won += chance * playout.won
            cards_left[playout.cards_left] += chance
            complete_hours[playout.complete_hours] += chance
    return won / deals, tuple(p / deals for p in cards_left), tuple(p / deals for p in complete_hours)


def best_watch_rates(deck: Deck) -> tuple[Fraction, Fraction]:
    """Chance of a win at Watch for the best policy that knows the cards turned, and for one that knows all.

    For each history of cards turned, the King is put in each place in turn, in each deal with this history.
    """
    wins: dict[tuple[int, ...], Counter[tuple[int, int]]] = {}
    with_all_known = total = 0
    for piles in all_deals(find_variant("clock"), deck):
        total += 1
        clock = play_clock(piles)
        history = tuple(map(rank_of, clock.turned))
        places = [(pile, level) for pile, count in enumerate(clock.face_down) for level in range(count)]
        won = {place: play_watch(piles, always(place)).won for place in places} or {(0, 0): True}
        wins.setdefault(history, Counter()).update(won)
        with_all_known += any(won.values())
    best = sum(max(counts.values()) for counts in wins.values())
    return Fraction(best, total), Fraction(with_all_known, total)


def leads_to_centre(piles: Sequence[Sequence[int]]) -> bool:
    """Whether the hours' bottom cards, read as arrows to their piles, all lead to the centre."""
    arrows = [rank_of(pile[0]) - 1 for pile in piles]
    centre = len(piles) - 1
    reached = list(range(centre))
    for _ in piles:
        reached = [pile if pile == centre else arrows[pile] for pile in reached]
    return all(pile == centre for pile in reached)

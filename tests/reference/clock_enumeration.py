"""Whole small decks of Clock, played deal by deal: exact distributions by counting, without theory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from solvers.cards import Deck, card_code, rank_of
from solvers.clock.policies import Variant, find_variant
from solvers.clock.rules import Playout, deal_piles, play, play_clock, play_watch

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


def all_playouts(variant: Variant, piles: Sequence[Sequence[int]]) -> Iterator[tuple[Fraction, Playout]]:
    """Playouts of a deal, one for each random choice, with the probability of that choice."""
    asked: list[int] = []

    def first_choice(n: int) -> int:
        asked.append(n)
        return 0

    first = play(variant, piles, first_choice)
    choices = asked[0] if asked else 1
    assert len(asked) <= 1
    yield Fraction(1, choices), first
    for number in range(1, choices):
        yield Fraction(1, choices), play(variant, piles, always(number))


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
        for chance, playout in all_playouts(variant, piles):
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


def wins_by_bottom_cards(deck: Deck) -> Fraction:
    """Share of deals whose hours' bottom cards, read as arrows to piles, all lead to the centre."""
    centre = deck.ranks - 1

    def leads_to_centre(pile: int, bottoms: Sequence[int]) -> bool:
        for _ in range(deck.ranks):
            if pile == centre:
                return True
            pile = bottoms[pile] - 1
        return False

    won = total = 0
    for order in rank_orders([deck.suits] * deck.ranks):
        bottoms = order[: deck.ranks]
        total += 1
        won += all(leads_to_centre(pile, bottoms) for pile in range(centre))
    return Fraction(won, total)

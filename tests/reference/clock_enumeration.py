"""Whole small decks of Clock, played deal by deal: exact distributions by counting, without theory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from solvers.cards import Deck, card_code
from solvers.clock.rules import Playout, deal_piles, play_clock


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


def distribution(values: Iterator[int], size: int) -> tuple[Fraction, ...]:
    """Share of each value from 0 to ``size - 1``."""
    counts = Counter(values)
    total = sum(counts.values())
    assert set(counts) <= set(range(size))
    return tuple(Fraction(counts[value], total) for value in range(size))


def all_playouts(
    deck: Deck, play: Callable[[Sequence[tuple[int, ...]]], Playout] = play_clock
) -> Iterator[Playout]:
    """Playouts of every deal of a deck; each deal told apart by ranks alone, so all equally likely."""
    for order in rank_orders([deck.suits] * deck.ranks):
        yield play(deal_piles(cards_of(order), deck.ranks))


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

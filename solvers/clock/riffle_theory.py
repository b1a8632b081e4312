"""Clock with a deck in a known order, or riffled once or twice from there, exactly.

*Only the bottom cards matter.* Draw an arrow from each hour to the pile of its bottom card. A deal of
Clock is won if and only if the arrows lead from every hour to the centre. Proof. Suppose that the play
stops with some hours F not all turned. Their bottom cards are face down. A face-down card is no King, and
its rank r has called pile r less often than that pile has cards, so r is in F too: arrows from F stay
in F. Suppose that all cards are turned. When the bottom card of an hour is turned, the pile that it calls
still has a card to turn, unless it is the last King: so that pile is the centre, or its own bottom
card is turned later, and arrows, which lead to later and later hours, end at the centre. The order
of the deck played no part; it is enough that each pile has as many cards as there are of its rank.

In a deck dealt round the hours, the first cards are the bottom cards of the hours. So a riffled deck is
judged by its first twelve cards.

*Riffles multiply.* k riffles in a row are one shuffle with a = 2^k packets: give each place of the new deck
a digit from 0 to a - 1, all a^n sequences equally likely; the places with digit d take packet d in its
order, and a packet is as large as its digit is frequent (D. Bayer and P. Diaconis, "Trailing the dovetail
shuffle to its lair", Annals of Applied Probability 2:2, 1992). The first twelve cards follow from the
first twelve digits and the sizes of the packets. If b_d cards are left in packet d, the other digits can
be chosen in (n - 12)! / (b_0! b_1! ...) ways. So the number of winning sequences is the sum of these
over all sizes and all first digits that win.

*Certainty.* A deck that is not riffled always wins or always loses. After a riffle no order always wins: cut
just above an ace and drop it last, and it lies on its own hour. An order that always loses after a riffle
is possible, A 4 3 2 5 in a deck of one suit is one, but the orders that decks come in are none.

To deal from the bottom of a riffled deck is to deal from the top of the deck riffled upside down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb, factorial

import numpy as np

from solvers.cards import Deck, rank_of
from solvers.clock.policies import RunOut, Variant, Win
from solvers.clock.riffle_kernel import count_winning_starts
from solvers.clock.rules import deal_piles, every_playout
from solvers.clock.theory import ExactResult, NotKnown
from solvers.shuffling import GATHERED, Manner, Shuffle

__all__ = ["exact_from_start", "riffle_win_probability"]

# Ways to go through in about a second: the standard deck has 2e5 after one riffle and 4e11 after two.
_MOST_WAYS = 10**8
_MOST_TOTALS = 10**7


def exact_from_start(variant: Variant, deck: Deck, shuffle: Shuffle) -> ExactResult:
    """Return what is known exactly of a game with a deck that was not shuffled uniformly.

    Parameters
    ----------
    variant : Variant
    deck : Deck
    shuffle : Shuffle

    Returns
    -------
    ExactResult

    Raises
    ------
    NotKnown
        If nothing is, or if it would take long; then `riffle_win_probability` may still find it.
    """
    cards = variant.cards(deck)
    order = shuffle.starting_order(cards)
    always = variant.win is Win.ALWAYS or variant.run_out in (RunOut.NEXT_PILE, RunOut.CHOOSE_ANY)
    if shuffle.start != GATHERED:
        if shuffle.times == 0:
            return _exact_unshuffled(variant, deck, shuffle, order)
        quick = shuffle.manner is Manner.RIFFLE and _is_quick(len(cards), deck.ranks, shuffle.times)
        if quick and _bottoms_decide(variant):
            win_probability = riffle_win_probability(
                order, deck.ranks, shuffle.times, from_bottom=shuffle.from_bottom
            )
            return _result(variant, cards, shuffle, win_probability)
    if always:
        return _result(variant, cards, shuffle, Fraction(1))
    raise NotKnown(f"no exact value of {variant} is known, or quickly found, for {shuffle}")


def riffle_win_probability(
    order: Sequence[int],
    piles: int,
    riffles: int,
    *,
    from_bottom: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Fraction:
    """Chance to win Clock with a deck riffled from a given order.

    For 52 cards this takes a moment after one riffle and up to an hour after two. After three there are
    3e8 choices of packet sizes with 7e10 ways to begin each: out of reach.

    Parameters
    ----------
    order : sequence of int
        Card codes before the first riffle, top card first. Each pile is dealt as many cards as there are of
        its rank.
    piles : int
        Number of piles, the centre last.
    riffles : int
    from_bottom : bool, optional
        Deal from the bottom of the riffled deck.
    progress : callable, optional
        Called with the number of choices of packet sizes done, of C(n + 2^k - 1, n) after k riffles.

    Returns
    -------
    Fraction
    """
    packets, hours, cards = 1 << riffles, piles - 1, len(order)
    if hours == 0:
        return Fraction(1)
    ranks = [rank_of(card) for card in (reversed(order) if from_bottom else order)]
    deck = np.array(ranks, dtype=np.uint64) - np.uint64(1)
    base = cards - hours + 1
    totals = np.zeros(base ** (packets - 1), dtype=np.int64)
    for done, sizes in enumerate(_compositions(cards, packets), start=1):
        with np.errstate(over="ignore"):  # heeded only where the kernel is not compiled
            count_winning_starts(deck, np.array(sizes, dtype=np.uint64), hours, totals)
        if progress is not None:
            progress(done)
    winning = 0
    for index in np.flatnonzero(totals):
        rest = int(index)
        left = []
        for _ in range(packets - 1):
            rest, digit = divmod(rest, base)
            left.append(digit)
        left.append(cards - hours - sum(left))
        ways = factorial(cards - hours)
        for digit in left:
            ways //= factorial(digit)
        winning += int(totals[index]) * ways
    return Fraction(winning, packets**cards)


def _bottoms_decide(variant: Variant) -> bool:
    """Whether each pile has as many cards as there are of its rank, and the play is that of Clock."""
    return variant.run_out is RunOut.STOP and variant.win is Win.ALL_TURNED and not variant.short_hour


def _is_quick(cards: int, piles: int, riffles: int) -> bool:
    """Whether `riffle_win_probability` takes about a second and little memory."""
    if riffles > 4:
        return False
    packets, hours = 1 << riffles, piles - 1
    ways = comb(cards + packets - 1, packets - 1) * packets**hours
    return ways <= _MOST_WAYS and (cards - hours + 1) ** (packets - 1) <= _MOST_TOTALS


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write `total` as an ordered sum of `parts` numbers from 0 up."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _exact_unshuffled(variant: Variant, deck: Deck, shuffle: Shuffle, order: tuple[int, ...]) -> ExactResult:
    """A deck in a known order has one playout, or one for each random choice of the policy."""
    piles = deal_piles(order[::-1] if shuffle.from_bottom else order, variant.order(deck))
    playouts = list(every_playout(variant, piles))
    cards_left = [Fraction(0)] * (len(order) + 1)
    for chance, playout in playouts:
        cards_left[playout.cards_left] += chance
    win_probability = sum((chance for chance, playout in playouts if playout.won), Fraction(0))
    return _result(variant, order, shuffle, win_probability, tuple(cards_left))


def _result(
    variant: Variant,
    cards: Sequence[int],
    shuffle: Shuffle,
    win_probability: Fraction,
    cards_left: tuple[Fraction, ...] | None = None,
) -> ExactResult:
    return ExactResult(
        variant.game, variant.policy, len(cards), win_probability, cards_left, shuffle=str(shuffle)
    )

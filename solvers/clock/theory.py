"""Clock known exactly: probabilities as fractions, each with its proof.

*Deferred decisions.* In a uniformly random deal, the card turned next is uniform among the cards not seen
yet, whatever has been seen, because which place is looked at next depends on cards already seen alone.
So the cards turned, in their order, are the beginning of a uniformly random order of the whole
deck. Where the play stops depends on that order alone: at the last King. Everything about basic Clock
follows from this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING

from solvers.cards import Deck
from solvers.clock.policies import RunOut, Variant, Win, find_variant
from solvers.clock.watch_theory import product_of_polynomials, watch_cards_left
from solvers.errors import InputError

if TYPE_CHECKING:
    from solvers.shuffling import Shuffle

__all__ = ["ExactResult", "NotKnown", "exact", "last_of", "untouched"]

STANDARD_DECK = Deck()


@dataclass(frozen=True, slots=True)
class ExactResult:
    """What is known exactly of a game.

    Parameters
    ----------
    game : str
    policy : str or None
    cards : int
        Number of cards dealt.
    win_probability : Fraction
        Probability that a random deal is won.
    cards_left : tuple of Fraction or None
        Entry i is the probability that i cards are left at the end, for i from 0 to `cards`.
    complete_hours : tuple of Fraction or None
        Entry i is the probability that i hour piles have no card left at the end.
    shuffle : str
        How the deck is shuffled.
    """

    game: str
    policy: str | None
    cards: int
    win_probability: Fraction
    cards_left: tuple[Fraction, ...] | None = None
    complete_hours: tuple[Fraction, ...] | None = None
    shuffle: str = "uniform"

    @property
    def loss_probability(self) -> Fraction:
        """Probability that a random deal is not won."""
        return 1 - self.win_probability

    @property
    def cards_turned(self) -> tuple[Fraction, ...] | None:
        """Entry i is the probability that i cards are turned, for i from 0 to `cards`."""
        return None if self.cards_left is None else self.cards_left[::-1]

    @property
    def mean_cards_left(self) -> Fraction | None:
        """Expected number of cards left."""
        return None if self.cards_left is None else _moment(self.cards_left, 1)

    @property
    def variance_cards_left(self) -> Fraction | None:
        """Variance of the number of cards left, and of the number turned."""
        if self.cards_left is None:
            return None
        return _moment(self.cards_left, 2) - _moment(self.cards_left, 1) ** 2


def _moment(distribution: tuple[Fraction, ...], power: int) -> Fraction:
    return sum((p * value**power for value, p in enumerate(distribution)), Fraction(0))


class NotKnown(InputError):  # noqa: N818  # the name says what it is
    """No exact value is known of what was asked for."""


def exact(
    game: str,
    policy: str | None = None,
    *,
    shuffle: str | Shuffle = "uniform",
    deck: Deck = STANDARD_DECK,
) -> ExactResult:
    """Return what is known exactly of a game of the Clock family.

    Parameters
    ----------
    game : str
        Name of the game.
    policy : str, optional
        Name of the policy; the game's default if not given.
    shuffle : str or Shuffle, optional
        How the deck is shuffled, as `Shuffle.parse` reads it. Besides ``uniform``: a deck not shuffled at
        all, ``riffle:0``, and for games that the bottom cards decide a few riffles.
    deck : Deck, optional
        The deck; of 13 ranks and 4 suits if not given.

    Returns
    -------
    ExactResult

    Raises
    ------
    NotKnown
        If no exact value is known.
    InputError
        If the game, the policy or the shuffle is unknown.
    """
    variant = find_variant(game, policy)
    if str(shuffle) != "uniform":
        # Here, since shuffles bring Numba with them, which takes a second to import.
        from solvers.clock.riffle_theory import exact_from_start
        from solvers.shuffling import Shuffle

        manner = Shuffle.parse(shuffle) if isinstance(shuffle, str) else shuffle
        return exact_from_start(variant, deck, manner)
    if variant.run_out is RunOut.EXCHANGE:
        return _watch(variant, deck)
    if variant.run_out >= RunOut.CHOOSE:
        return _open(variant, deck)
    if variant.king_removed:
        return _no_king(variant, deck)
    return _face_up(variant, deck) if variant.win is not Win.ALL_TURNED else _clock(variant, deck)


def last_of(marked: int, cards: int) -> tuple[Fraction, ...]:
    """Distribution of the number of cards after the last marked one, in a random order.

    Of the C(n, k) sets of places for k marked cards among n, equally likely, those whose last is the one with
    l cards after it leave k-1 of the n-l-1 places before to choose: the probability is
    C(n-l-1, k-1) / C(n, k).

    Parameters
    ----------
    marked : int
        Number of marked cards, at least 1.
    cards : int
        Number of all cards.

    Returns
    -------
    tuple of Fraction
        Entry l is the probability of l cards after the last marked one, for l from 0 to `cards`.
    """
    ways = comb(cards, marked)
    after = (comb(cards - left - 1, marked - 1) if left < cards else 0 for left in range(cards + 1))
    return tuple(Fraction(count, ways) for count in after)


def _clock(variant: Variant, deck: Deck) -> ExactResult:
    """Basic Clock.

    *Cards left.* The play stops at the last King of a uniformly random order: `last_of` with the Kings
    marked. For the standard deck, n cards are turned with probability C(n-1, 3) / C(52, 4), and the deal is
    won if the last card of the order is a King: 4/52 = 1/13; for any deck, 1 in the number of ranks.

    *Complete hours.* Hour r is complete at the end if and only if all cards of rank r come before the last
    King. Let L(r) be the place of the last card of rank r in the order. To exchange ranks changes no
    order's probability, so the L(r) are in each order of size with the same probability, and L(King) is
    equally likely to be the smallest, the second smallest, ... of them: the number of complete hours is
    uniform on 0 .. hours.
    """
    cards_left = last_of(deck.suits, deck.size)
    return ExactResult(
        game=variant.game,
        policy=variant.policy,
        cards=deck.size,
        win_probability=cards_left[0],
        cards_left=cards_left,
        complete_hours=(Fraction(1, deck.ranks),) * deck.ranks,
    )


def untouched(left: int, hours: int, height: int, others: int = 0) -> tuple[Fraction, ...]:
    """Distribution of the number of hours without any of the cards left.

    The cards left are a uniformly random set among ``hours * height + others``. C(hours, e) times the
    coefficient of z^left in ((1+z)^height - 1)^(hours - e) (1+z)^others sets leave exactly e hours out;
    the power of the difference is expanded.

    Parameters
    ----------
    left : int
        Cards left.
    hours, height : int
        Hours, and cards of each hour's rank.
    others : int, optional
        Cards of no such rank.

    Returns
    -------
    tuple of Fraction
        Entry e is the probability of e hours without a card, for e from 0 to `hours`.
    """
    ways = []
    for e in range(hours + 1):
        touched = hours - e
        ways.append(
            comb(hours, e)
            * sum(
                (-1) ** j * comb(touched, j) * comb((touched - j) * height + others, left)
                for j in range(touched + 1)
            )
        )
    return tuple(Fraction(way, comb(hours * height + others, left)) for way in ways)


def _no_king(variant: Variant, deck: Deck) -> ExactResult:
    """Clock with one King removed; S suits, H hours.

    By deferred decisions the order of the cards turned is again the beginning of a uniformly random order of
    all cards, here one less. What remains is to find where in it the play stops.

    *last-king.* The centre has S - 1 cards, as many as there are Kings: the play stops at the last King.
    Hours are complete if the set of cards left, uniformly random among the hours' cards, has none of theirs.

    *The last hour short.* It has S - 1 cards and is called by S; the centre has S and is called by the
    start and S - 1 Kings. So only the last card of the last hour's rank calls in vain.

    ``short-hour-stop``: the play stops at the last card of that rank. The centre has as many cards left
    as there are Kings left.

    ``short-hour-next``: a card is turned from another hour, which is then one short itself, and so on:
    the play goes on as long as any hour has a card. When a card that is no King finds all hours empty,
    the cards left, say j, are in the centre. The start and the S - 1 - x Kings turned, x being those
    left, have taken S - x cards from the centre, so x = j: all cards left are Kings. Conversely the play
    stops when only Kings are left and the last card turned was none. So the number left is the length of
    the run of Kings that ends the order: C(n-j-1, S-1-j) / C(n, S-1) for j cards, and all hours are complete.

    ``short-hour-next-or-centre``: the play goes on until no card is face down; every deal is won.

    ``short-hour-centre``: the last card of the last hour's rank takes a card from the centre, which makes the
    centre one short, so that the last King calls in vain, unless that King came before; then the
    last card of that rank calls both in vain. The play stops at the last of these 2 S - 1 cards.
    """
    cards, hours, suits = len(variant.cards(deck)), deck.ranks - 1, deck.suits
    if not variant.short_hour:
        cards_left = last_of(suits - 1, cards)
        complete = _mix(cards_left, lambda left: untouched(left, hours, suits))
    elif variant.run_out is RunOut.STOP:
        cards_left = last_of(suits, cards)
        # The short hour is complete, and counted apart.
        complete = (Fraction(0), *_mix(cards_left, lambda left: untouched(left, hours - 1, suits, suits - 1)))
    elif variant.run_out is RunOut.CENTRE:
        cards_left = last_of(2 * suits - 1, cards)
        complete = (Fraction(0), *_mix(cards_left, lambda left: untouched(left, hours - 1, suits)))
    else:
        kings = suits - 1
        runs = [comb(cards - j - 1, kings - j) if j <= kings else 0 for j in range(cards + 1)]
        if variant.run_out is RunOut.NEXT_PILE:
            runs = [sum(runs)] + [0] * cards
        cards_left = tuple(Fraction(count, comb(cards, kings)) for count in runs)
        complete = (Fraction(0),) * hours + (Fraction(1),)
    return ExactResult(variant.game, variant.policy, cards, cards_left[0], cards_left, complete)


def _mix(
    weights: tuple[Fraction, ...], distribution: Callable[[int], tuple[Fraction, ...]]
) -> tuple[Fraction, ...]:
    """Mixture of the distributions of 0, 1, 2, ... with these weights."""
    parts = [[weight * p for p in distribution(value)] for value, weight in enumerate(weights) if weight]
    return tuple(sum(column, Fraction(0)) for column in zip(*parts, strict=True))


def _face_up(variant: Variant, deck: Deck) -> ExactResult:
    """Clock with the hours face up: played as Clock, with the same cards left, but won otherwise.

    ``none-face-down``: only the centre's cards are ever face down, and the last King has turned them all:
    every deal is won.

    ``all-at-home``: given that m cards are left, they are a uniformly random set of the hours' cards in a
    uniformly random order in their places, n_r of them on hour r, as many as there are of rank r. They
    all lie at home in the product of the n_r! of the m! orders. With x to mark the cards, the sum over
    all sets is a coefficient: of x^m in (sum over n of C(S, n) n! x^n)^H, divided by m! C(H S, m).
    """
    cards_left = last_of(deck.suits, deck.size)
    if variant.win is Win.ALWAYS:
        win_probability = Fraction(1)
    else:
        hours, suits = deck.ranks - 1, deck.suits
        one_hour = [comb(suits, n) * factorial(n) for n in range(suits + 1)]
        at_home = [1]
        for _ in range(hours):
            at_home = product_of_polynomials(at_home, one_hour)
        win_probability = sum(
            (
                chance * Fraction(at_home[m], factorial(m) * comb(hours * suits, m))
                for m, chance in enumerate(cards_left)
                if chance
            ),
            Fraction(0),
        )
    return replace(_clock(variant, deck), win_probability=win_probability)


def _open(variant: Variant, deck: Deck) -> ExactResult:
    """Open Clock: how many piles can be reached from the centre decides (`solvers.clock.open_clock`).

    Let c_k be the number of orders of k piles and their k S cards in which every pile can be reached. In
    an order of R piles let k be reached, the centre among them: there are C(R-1, k-1) choices for them, c_k
    orders of their cards, and (S (R-k))! orders of the others, whatever they are. Summed over k this
    gives all (R S)! orders, which yields c_1, c_2, ... one after another, and each term over the sum is
    the probability that k piles are reached. Then S (R-k) cards are left.

    ``any-card``: with any card to choose from, the player is never stuck and always wins.
    """
    ranks, suits = deck.ranks, deck.suits
    connected: list[int] = []
    for size in range(1, ranks + 1):
        part = sum(
            comb(size - 1, k - 1) * c * factorial(suits * (size - k))
            for k, c in enumerate(connected, start=1)
        )
        connected.append(factorial(suits * size) - part)
    cards_left = [Fraction(0)] * (deck.size + 1)
    complete = [Fraction(0)] * ranks
    for k, c in enumerate(connected, start=1):
        ways = comb(ranks - 1, k - 1) * c * factorial(suits * (ranks - k))
        if variant.run_out is RunOut.CHOOSE_ANY:
            k = ranks
        cards_left[suits * (ranks - k)] += Fraction(ways, factorial(deck.size))
        complete[k - 1] += Fraction(ways, factorial(deck.size))
    return ExactResult(
        variant.game, variant.policy, deck.size, cards_left[0], tuple(cards_left), tuple(complete)
    )


def _watch(variant: Variant, deck: Deck) -> ExactResult:
    """Watch: see `solvers.clock.watch_theory`."""
    cards_left = watch_cards_left(variant, deck, last_of(deck.suits, deck.size))
    return ExactResult(variant.game, variant.policy, deck.size, cards_left[0], cards_left)

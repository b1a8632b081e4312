"""Clock known exactly: probabilities as fractions, each with its proof.

*Deferred decisions.* In a uniformly random deal, the card turned next is uniform among the cards not seen
yet, whatever has been seen, because which place is looked at next depends on cards already seen alone.
So the cards turned, in their order, are the beginning of a uniformly random order of the whole
deck. Where the play stops depends on that order alone: at the last King. Everything about basic Clock
follows from this.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from solvers.cards import Deck
from solvers.clock.policies import RunOut, Variant, find_variant
from solvers.clock.watch_theory import watch_cards_left

__all__ = ["ExactResult", "exact", "last_of"]

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
        Probability that a uniformly random deal is won.
    cards_left : tuple of Fraction or None
        Entry i is the probability that i cards are left at the end, for i from 0 to `cards`.
    complete_hours : tuple of Fraction or None
        Entry i is the probability that i hour piles are complete at the end.
    """

    game: str
    policy: str | None
    cards: int
    win_probability: Fraction
    cards_left: tuple[Fraction, ...] | None = None
    complete_hours: tuple[Fraction, ...] | None = None

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


def exact(game: str, policy: str | None = None, *, deck: Deck = STANDARD_DECK) -> ExactResult:
    """Return what is known exactly of a game of the Clock family.

    Parameters
    ----------
    game : str
        Name of the game.
    policy : str, optional
        Name of the policy; the game's default if not given.
    deck : Deck, optional
        The deck; of 13 ranks and 4 suits if not given.

    Returns
    -------
    ExactResult

    Raises
    ------
    InputError
        If the game or the policy is unknown.
    """
    variant = find_variant(game, policy)
    if variant.run_out is RunOut.EXCHANGE:
        return _watch(variant, deck)
    return _clock(variant, deck)


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


def _watch(variant: Variant, deck: Deck) -> ExactResult:
    """Watch: see `solvers.clock.watch_theory`."""
    cards_left = watch_cards_left(variant, deck, last_of(deck.suits, deck.size))
    return ExactResult(variant.game, variant.policy, deck.size, cards_left[0], cards_left)

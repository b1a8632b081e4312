"""Watch known exactly, for every policy.

*What the player sees.* Let the fourth King come with m > 0 cards face down, n_r of them on hour r. Each card
of rank r that was turned called pile r once, so n_r is also the number of cards of rank r not seen. Given
the cards seen, the m unseen cards lie in the m places in each order with the same probability, and the set
of them is a uniformly random set of m cards that are no Kings (`solvers.clock.theory`): the numbers n_r have
a probability proportional to the product of the C(S, n_r), S being the number of suits.

*What follows the exchange.* Let the King go to the pile of rank r, on top of d cards, and let a = n_r -
d. The card taken from there is uniform among the m unseen cards, and so is each card turned after it
among those left: the cards played from then on are the beginning of a uniformly random order of the m
cards, in which n_r are of rank r. Each of these calls pile r, where a - 1 cards lie on the King: the a-th
of them turns the King, and the game ends. If that a-th card of rank r is number t of the order, t places
have been emptied, one of them by the King, and m - t cards are left. For a given t, C(t-1, a-1) C(m-t,
n_r - a) of the C(m, n_r) sets of places for the cards of rank r have their a-th place at t::

    P(m - t cards left) = C(t-1, a-1) C(m-t, n_r-a) / C(m, n_r)

*Theorem 1.* The game is won with probability n_r / m if the King goes to the bottom of pile r, and never if
it goes anywhere else. Proof: t = m needs C(0, n_r - a) > 0, hence a = n_r, which is d = 0; then the
probability is C(m-1, n_r-1) / C(m, n_r) = n_r / m.

*Theorem 2.* No policy that does not peek wins more often than ``bottom-largest``. Proof: when it chooses,
a policy knows the cards seen and nothing of the order of the others. Whatever it has seen, and whether or
not it throws a coin, it wins with a mean of the chances of the places it may choose, by theorem 1 at most
the largest n_r / m, which is what ``bottom-largest`` has in every such case.

*Theorem 3.* ``bottom-clockwise`` is as good as ``bottom-random-pile``, and ``top-clockwise`` as
``top-random-pile``. Proof: to exchange hours changes no probability, so the first pile with a face-down card
has n cards as often as a random one of them has.

*The default.* The rules speak of a face-down card and of no choice, so the default policy is
``random-card``, which favours no place.

*Two closed forms.* ``random-card`` wins with probability 1 / m, since it finds the bottom of pile r with
probability 1 / m and then wins with n_r / m, and these add up to m / m^2. ``bottom-random-pile`` wins with
1 / k if k piles have face-down cards, the mean of the n_r / m over them; and k is uniform on 0 .. 12
(`solvers.clock.theory`), so in all it wins with (1 + 1 + 1/2 + 1/3 + ... + 1/12) / 13 = 113741/360360.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial, perm

from solvers.cards import Deck
from solvers.clock.policies import PileChoice, Variant

__all__ = ["bottoms_seen_win_probability", "product_of_polynomials", "watch_cards_left"]

Profile = tuple[int, ...]
"""Entry i is the number of hour piles with i + 1 face-down cards."""


def watch_cards_left(variant: Variant, deck: Deck, clock: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Distribution of the cards left at the end of a game of Watch; entry 0 is the chance of a win.

    Parameters
    ----------
    variant : Variant
        A policy of Watch.
    deck : Deck
    clock : tuple of Fraction
        Distribution of the cards left when the fourth King comes.

    Returns
    -------
    tuple of Fraction
        Entry i is the probability that i cards are left, for i from 0 to the size of the deck.
    """
    left = [Fraction(0)] * len(clock)
    left[0] = clock[0]
    # Probability of m cards at the fourth King, the King going to a pile of n, there to be turned by call a.
    exchanges: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for m, profile, chance in _profiles(deck, clock):
        for n, a, choice in _places(variant, profile):
            exchanges[m, n, a] += chance * choice
    for (m, n, a), chance in exchanges.items():
        for t in range(a, m + 1):
            left[m - t] += chance * Fraction(comb(t - 1, a - 1) * comb(m - t, n - a), comb(m, n))
    return tuple(left)


def _profiles(deck: Deck, clock: tuple[Fraction, ...]) -> Iterator[tuple[int, Profile, Fraction]]:
    """Face-down cards at the fourth King, at least one, as m, profile and probability."""
    hours, suits = deck.ranks - 1, deck.suits

    def profiles(height: int, piles: int) -> Iterator[Profile]:
        if height == 0:
            yield ()
            return
        for count in range(piles + 1):
            for lower in profiles(height - 1, piles - count):
                yield (*lower, count)

    for profile in profiles(suits, hours):
        m = sum(height * count for height, count in enumerate(profile, start=1))
        if m == 0:
            continue
        ways = factorial(hours) // factorial(hours - sum(profile))
        for height, count in enumerate(profile, start=1):
            ways = ways // factorial(count) * comb(suits, height) ** count
        yield m, profile, clock[m] * Fraction(ways, comb(hours * suits, m))


def _places(variant: Variant, profile: Profile) -> Iterator[tuple[int, int, Fraction]]:
    """Where a policy puts the King: cards of the pile, the call that turns the King, probability."""
    heights = {height: count for height, count in enumerate(profile, start=1) if count}
    if variant.choice is PileChoice.BY_CARD:
        m = sum(height * count for height, count in heights.items())
        for height, count in heights.items():
            for call in range(1, height + 1):
                yield height, call, Fraction(count, m)
        return
    if variant.choice is PileChoice.LARGEST:
        chosen = {max(heights): Fraction(1)}
    elif variant.choice is PileChoice.SMALLEST:
        chosen = {min(heights): Fraction(1)}
    else:  # a random pile or, by theorem 3, the first clockwise
        piles = sum(heights.values())
        chosen = {height: Fraction(count, piles) for height, count in heights.items()}
    for height, chance in chosen.items():
        yield height, height if variant.bottom else 1, chance


def bottoms_seen_win_probability(deck: Deck, clock: tuple[Fraction, ...]) -> Fraction:
    """Return the chance of a win for a player who looks under all piles before choosing.

    No policy can win more often. The King at the bottom of pile r wins if and only if the arrows from the
    other piles that have face-down cards to the ranks of their bottom cards all lead to r. With the arrow
    of r itself, that is so for some r if and only if the arrows join all these piles to one cycle: then
    each r of the cycle will do.

    Let C be c piles with n cards in all. The bottoms of C form a given cycle with probability
    (product of the n_r) / (m (m-1) ... (m-c+1)), and there are (c-1)! cycles. Then C is a single pile
    with n - c cards left in it, among m - c, and by theorem 1 (with the cards of C for those of rank r) the
    other piles all lead to it with probability (n-c) / (m-c), or 1 if there are none. Sums over all n_r
    of the product, with their probabilities, are coefficients of polynomials.

    Parameters
    ----------
    deck : Deck
    clock : tuple of Fraction
        Distribution of the cards left when the fourth King comes.
    """
    hours, suits = deck.ranks - 1, deck.suits
    on_cycle = [comb(suits, height) * height for height in range(suits + 1)]
    total = clock[0]
    cycles = [1]  # coefficients of the power c of `on_cycle`
    for c in range(1, hours + 1):
        cycles = product_of_polynomials(cycles, on_cycle)
        others = hours - c
        for n, weight in enumerate(cycles):
            for rest in range(others * suits + 1):
                m = n + rest
                if weight == 0 or clock[m] == 0:
                    continue
                lead = Fraction(n - c, m - c) if rest else Fraction(1)
                ways = comb(hours, c) * weight * comb(others * suits, rest) * factorial(c - 1)
                total += clock[m] * lead * Fraction(ways, perm(m, c) * comb(hours * suits, m))
    return total


def product_of_polynomials(a: list[int], b: list[int]) -> list[int]:
    """Coefficients of the product of two polynomials."""
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product

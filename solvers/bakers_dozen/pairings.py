"""Sets of pairings of frozen cards with their supports, as bit masks over permutations.

A pairing says which cards of rank r + 1 the frozen cards of rank r lie on: an injective map from
a set Z of suits to suits. It is written as the set of all permutations of the four suits that agree with it
on Z (what they do to the other suits is arbitrary), and a *set* of pairings as the union: a mask of
24 bits, bit ``i`` for ``PERMUTATIONS[i]``. Such a mask is *closed* for Z: with a permutation it holds all
that agree with it on Z. In this form

* keeping the pairings with some property is a bitwise "and" with a constant of this module;
* letting more cards freeze needs nothing but that "and", since a mask closed for Z is closed for
  every larger set, and a permutation cannot send two cards to one support;
* forgetting cards that are frozen no longer is `close_for` the smaller set.

Nothing frozen at all is the mask ``EVERY``.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from solvers.compilation import njit

PERMUTATIONS = tuple(permutations(range(4)))
EVERY = (1 << 24) - 1


def _mask(holds: list[bool]) -> int:
    return sum(1 << index for index, value in enumerate(holds) if value)


def _image(permutation: tuple[int, ...], suits: int) -> int:
    return sum(1 << permutation[suit] for suit in range(4) if suits >> suit & 1)


SENDS = np.array(
    [
        [_mask([bool(targets >> p[suit] & 1) for p in PERMUTATIONS]) for targets in range(16)]
        for suit in range(4)
    ],
    dtype=np.int64,
)
"""``SENDS[s, T]``: the permutations that send suit s into the set T."""

MEETS = np.array(
    [
        [
            [_mask([_image(p, suits) & within == part for p in PERMUTATIONS]) for part in range(16)]
            for within in range(16)
        ]
        for suits in range(16)
    ],
    dtype=np.int64,
)
"""``MEETS[Z, F, X]``: the permutations whose image of Z meets F in exactly X."""


@njit
def close_for(mask: int, suits: int) -> int:
    """The smallest mask closed for `suits` that holds `mask`: forget all but these cards' supports."""
    first, second, third = -1, -1, -1
    for suit in range(4):
        if suits >> suit & 1:
            if first < 0:
                first = suit
            elif second < 0:
                second = suit
            else:
                third = suit
    if mask == 0 or third >= 0:
        # Three values of a permutation fix the fourth.
        return mask
    if first < 0:
        return EVERY
    closed = 0
    for target in range(4):
        group = SENDS[first, 1 << target]
        if not mask & group:
            continue
        if second < 0:
            closed |= group
            continue
        for other in range(4):
            pair = group & SENDS[second, 1 << other]
            if mask & pair:
                closed |= pair
    return closed

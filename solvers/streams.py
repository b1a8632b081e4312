"""One stream of random words a seed, in which every game has its place.

Every random choice of a simulated game is read from one sequence of 64-bit words, SplitMix64
(G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
with the mixing constants of its reference code). Word ``c`` of seed ``s`` is a function of ``(s, c)``::

    word(key, c) = mix(key + c * 0x9E3779B97F4A7C15)        key = stream_key(s)

so nothing is carried from one game to the next. Game number ``i`` of a simulation reads the words
``i * stride``, ``i * stride + 1`` and so on, where `stride` is more than a game can need
(`solvers.shuffling.Shuffle.stride`). Hence game ``(seed, i)`` can be made again alone, whatever the number
of threads that played the rest.

*Quality.* The words of a simulation are a subsequence of one SplitMix64 sequence, which passes
BigCrush, and no word is used twice in it: two games of one simulation never share a word. Two seeds start
at two places of the same cycle of 2^64 words; with 10^10 games of 16 words each the chance that their
stretches meet at all is about 2 * 1.6e11 / 2^64, less than 2e-8.

*No bias.* A choice among n is never taken modulo n. Draws without replacement are made in batches:
58 bits of a word are read as a fraction x, and the batch of draws among n, n-1, ..., e+1 is the
integer part of x * P / 2^58 with P = n * (n-1) * ... * (e+1), written in the mixed radix of those
numbers. Each of the P values stands for 2^58 // P of the fractions, or for one more; the surplus
ones, those for which x * P mod 2^58 is less than 2^58 mod P, are rejected (D. Lemire, "Fast random
integer generation in an interval", ACM TOMACS 29:1, 2019, here with a product of ranges). So every
draw of a batch is exactly uniform and independent of the others, as far as the words are. A fraction
of 58 bits times n <= 52 fits in 64 bits, so the digits come out one after another by a
multiplication and a shift.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.cards import MAX_RANKS, MAX_SUITS
from solvers.compilation import njit
from solvers.errors import InputError

__all__ = [
    "BATCH_AFTER",
    "BATCH_PRODUCT",
    "BATCH_SURPLUS",
    "FRACTION_BITS",
    "FRACTION_MASK",
    "draw_batch",
    "draw_below",
    "named_key",
    "stream_key",
    "word",
]

FRACTION_BITS = np.uint64(58)
FRACTION_MASK = np.uint64((1 << 58) - 1)
_UNUSED_BITS = np.uint64(64 - 58)
_UNIT = np.uint64(1 << 58)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
_ONE = np.uint64(1)

_MAX_CARDS = MAX_RANKS * MAX_SUITS
# At most this product of ranges in a batch: less than 2^51 / 2^58, or 1 in 128, of the words is rejected.
_LARGEST_PRODUCT = 1 << 51


def _batches() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """For a batch that begins with n cards: the number of cards after it, P, and 2^58 mod P."""
    after = np.zeros(_MAX_CARDS + 1, dtype=np.uint64)
    product = np.ones(_MAX_CARDS + 1, dtype=np.uint64)
    surplus = np.zeros(_MAX_CARDS + 1, dtype=np.uint64)
    for n in range(1, _MAX_CARDS + 1):
        ranges, left = 1, n
        while left and ranges * left <= _LARGEST_PRODUCT:
            ranges *= left
            left -= 1
        after[n], product[n], surplus[n] = left, ranges, (1 << 58) % ranges
    return after, product, surplus


BATCH_AFTER, BATCH_PRODUCT, BATCH_SURPLUS = _batches()


def stream_key(seed: int) -> np.uint64:
    """Key of the words of `seed`.

    Parameters
    ----------
    seed : int
        0 to 2^64 - 1.

    Returns
    -------
    numpy.uint64
        A one-to-one function of the seed that sends neighbouring seeds far apart.

    Raises
    ------
    InputError
        If the seed is out of range.
    """
    if not 0 <= seed < 1 << 64:
        raise InputError(f"a seed is a whole number from 0 to 2^64 - 1, not {seed}")
    with np.errstate(over="ignore"):
        return np.uint64(word(np.uint64(seed), _ONE))


def named_key(name: str) -> np.uint64:
    """Key of a text's own stream: that of the seed in the first 64 bits of its SHA-256 digest."""
    return stream_key(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big"))


@njit
def word(key: Any, counter: Any) -> Any:
    """Word number `counter` of the stream of `key`, as uint64."""
    z = np.uint64(key) + np.uint64(counter) * _GAMMA
    z = (z ^ (z >> _SHIFT_1)) * _MIX_1
    z = (z ^ (z >> _SHIFT_2)) * _MIX_2
    return z ^ (z >> _SHIFT_3)


@njit
def draw_batch(key: Any, counter: Any, product: Any, surplus: Any) -> Any:
    """Read a fraction from which draws with this product of ranges can be taken.

    Parameters
    ----------
    key, counter : uint64
        The first word to try.
    product, surplus : uint64
        P, and 2^58 mod P.

    Returns
    -------
    fraction, counter : uint64
        The fraction, in units of 2^-58, and the first word not read.
    """
    # From Python they come as signed, and signed with unsigned would be added up in floating point.
    counter = np.uint64(counter)
    while True:
        fraction = word(key, counter) >> _UNUSED_BITS
        counter += _ONE
        if (fraction * product) & FRACTION_MASK >= surplus:
            return fraction, counter


@njit
def draw_below(key: Any, counter: Any, n: Any) -> Any:
    """Draw a number below `n`, each equally likely, with a word of its own.

    Returns
    -------
    number, counter : uint64
        The number, and the first word not read.
    """
    n = np.uint64(n)
    fraction, counter = draw_batch(key, counter, n, _UNIT % n)
    return (fraction * n) >> FRACTION_BITS, counter

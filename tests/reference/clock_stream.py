"""Slow twin of the random stream of `solvers.shuffling`: Python integers, one draw at a time."""

from __future__ import annotations

from collections.abc import Iterator

LARGEST_PRODUCT = 2**51


def mix(z: int) -> int:
    """Finaliser of SplitMix64."""
    z %= 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def words(seed: int, counter: int) -> Iterator[int]:
    """Words of `seed` from number `counter` on."""
    gamma = 0x9E3779B97F4A7C15
    key = mix(seed + gamma)
    while True:
        yield mix(key + counter * gamma)
        counter += 1


def uniform_below(ranges: int, stream: Iterator[int], bits: int = 58, word_bits: int = 64) -> int:
    """Whole number below `ranges`, or the digits of a batch when `ranges` is their product."""
    unit = 1 << bits
    while True:
        fraction = next(stream) >> (word_bits - bits)
        value, rest = divmod(fraction * ranges, unit)
        if rest >= unit % ranges:
            return value


def draws(n: int, stream: Iterator[int]) -> Iterator[int]:
    """One number below n, one below n-1, ..., one below 1, batched as the stream's layout says."""
    while n:
        batch = [n]
        product = n
        while batch[-1] > 1 and product * (batch[-1] - 1) <= LARGEST_PRODUCT:
            batch.append(batch[-1] - 1)
            product *= batch[-1]
        value = uniform_below(product, stream)
        for size in batch:
            product //= size
            digit, value = divmod(value, product)
            yield digit
        n -= len(batch)


def shuffled(cards: list[int], seed: int, counter: int) -> list[int]:
    """Uniform order of `cards`: each card in turn changes places with one at or after its place."""
    cards = list(cards)
    for place, digit in enumerate(draws(len(cards), words(seed, counter))):
        cards[place], cards[place + digit] = cards[place + digit], cards[place]
    return cards


def riffled(cards: list[int], bits: list[int]) -> list[int]:
    """One riffle: a 0 takes the next card of the top packet, which has as many cards as there are 0s."""
    cut = bits.count(0)
    packets = {0: iter(cards[:cut]), 1: iter(cards[cut:])}
    return [next(packets[bit]) for bit in bits]


def riffles(cards: list[int], times: int, stream: Iterator[int]) -> list[int]:
    """Riffle again and again, each time with the low bits of a word."""
    for _ in range(times):
        bits = next(stream)
        cards = riffled(cards, [bits >> place & 1 for place in range(len(cards))])
    return cards


def cut_overhand(cards: list[int], cuts: list[bool]) -> list[int]:
    """One overhand shuffle: ``cuts[i]`` tells whether the deck is cut after card i."""
    packets: list[list[int]] = [[]]
    for card, cut in zip(cards, [*cuts, False], strict=True):
        packets[-1].append(card)
        if cut:
            packets.append([])
    return [card for packet in reversed(packets) for card in packet]


def overhands(cards: list[int], times: int, stream: Iterator[int]) -> list[int]:
    """Shuffle overhand again and again, with 21 gaps a word, each cut with probability 1/5."""
    for _ in range(times):
        cuts: list[bool] = []
        while len(cuts) < len(cards) - 1:
            value = uniform_below(5**21, stream)
            digits = [value // 5 ** (20 - place) % 5 for place in range(21)]
            cuts += [digit == 0 for digit in digits]
        cards = cut_overhand(cards, cuts[: len(cards) - 1])
    return cards

"""A simulated game made again, as a whole deal and its playout, from its seed and index.

The kernel decides which card lies where when it is turned. Here the same draws are made in the same order
for a playout by the plain rules, and the places never looked at are filled last, pile by pile from
the top. So the deal returned, played by the rules, is the game that the kernel played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from solvers.cards import Deck
from solvers.clock.policies import find_variant
from solvers.clock.rules import Playout, play_clock
from solvers.errors import InputError
from solvers.shuffling import (
    BATCH_AFTER,
    BATCH_PRODUCT,
    BATCH_SURPLUS,
    FRACTION_BITS,
    draw_batch,
    stream_key,
    words_per_game,
)

__all__ = ["MAX_INDEX", "Game", "regenerate"]

STANDARD_DECK = Deck()
MAX_INDEX = (1 << 59) - 1
"""Highest index of a game: above it, the words of its stream would be those of another game."""


@dataclass(frozen=True, slots=True)
class Game:
    """A simulated game.

    Parameters
    ----------
    piles : tuple of tuple of int
        The deal: card codes of each pile, bottom first, the centre last.
    playout : Playout
        How it was played.
    """

    piles: tuple[tuple[int, ...], ...]
    playout: Playout


class _UndecidedPile:
    """A pile whose cards are drawn when they are looked at."""

    def __init__(self, height: int, draw: Callable[[], int]) -> None:
        self._cards: list[int | None] = [None] * height
        self._draw = draw

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, level: int) -> int:
        card = self._cards[level]
        if card is None:
            card = self._cards[level] = self._draw()
        return card


def regenerate(
    game: str, seed: int, index: int, *, policy: str | None = None, deck: Deck = STANDARD_DECK
) -> Game:
    """Make game number `index` of ``simulate(game, ..., seed, ...)`` again.

    Parameters
    ----------
    game : str
        Name of the game.
    seed, index : int
        Seed of the simulation, and number of the game in it, from 0.
    policy : str, optional
        Name of the policy; the game's default if not given.
    deck : Deck, optional
        The deck; of 13 ranks and 4 suits if not given.

    Returns
    -------
    Game

    Raises
    ------
    InputError
        If the game, the policy, the seed or the index is not one.
    """
    find_variant(game, policy)
    if not 0 <= index <= MAX_INDEX:
        raise InputError(f"the index of a game is a whole number from 0 to {MAX_INDEX}, not {index}")
    draw = _draws(list(deck.cards()), seed, index).__next__
    piles = [_UndecidedPile(deck.suits, draw) for _ in range(deck.ranks)]
    playout = play_clock(piles)
    dealt = tuple(tuple(pile[level] for level in reversed(range(len(pile))))[::-1] for pile in piles)
    return Game(dealt, playout)


def _draws(unseen: list[int], seed: int, index: int) -> Iterator[int]:
    """Cards of `unseen` in the order in which the kernel draws them in this game."""
    key, counter = stream_key(seed), np.uint64(index * words_per_game())
    batch_end = len(unseen)
    fraction = 0
    while unseen:
        n = len(unseen)
        if n == batch_end:
            with np.errstate(over="ignore"):
                word, counter = draw_batch(key, counter, BATCH_PRODUCT[n], BATCH_SURPLUS[n])
            fraction, batch_end = int(word), int(BATCH_AFTER[n])
        chosen, fraction = divmod(fraction * n, 1 << int(FRACTION_BITS))
        card, unseen[chosen] = unseen[chosen], unseen[-1]
        unseen.pop()
        yield card

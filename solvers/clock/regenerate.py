"""A simulated game made again, as a whole deal and its playout, from its seed and index.

The kernel decides which card lies where when it is turned. Here the same draws are made in the same order
for a playout by the plain rules, and the places never looked at are filled last, pile by pile from
the top. So the deal returned, played by the rules, is the game that the kernel played.

A deck that was not shuffled uniformly is made whole by the kernels, and then dealt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers.cards import Deck
from solvers.clock.game_kernel import Layout
from solvers.clock.kernel import deal
from solvers.clock.policies import RunOut, Variant, find_variant
from solvers.clock.rules import Playout, deal_piles, play
from solvers.errors import InputError
from solvers.shuffling import Manner, Shuffle
from solvers.streams import (
    BATCH_AFTER,
    BATCH_PRODUCT,
    BATCH_SURPLUS,
    FRACTION_BITS,
    draw_batch,
    draw_below,
    stream_key,
)

__all__ = ["Game", "layout_of", "regenerate"]

STANDARD_DECK = Deck()


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


def regenerate(
    game: str,
    seed: int,
    index: int,
    *,
    policy: str | None = None,
    shuffle: str | Shuffle = "uniform",
    deck: Deck = STANDARD_DECK,
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
    shuffle : str or Shuffle, optional
        How the deck is shuffled, as `Shuffle.parse` reads it.
    deck : Deck, optional
        The deck; of 13 ranks and 4 suits if not given.

    Returns
    -------
    Game

    Raises
    ------
    InputError
        If the game, the policy, the shuffle, the seed or the index is not one.
    """
    variant = find_variant(game, policy)
    manner = shuffle if isinstance(shuffle, Shuffle) else Shuffle.parse(shuffle)
    if not 0 <= index <= manner.largest_index:
        raise InputError(
            f"the index of a game is a whole number from 0 to {manner.largest_index}, not {index}"
        )
    draws = _Draws(variant.cards(deck), seed, index * manner.stride)
    if manner.manner is not Manner.UNIFORM or variant.run_out >= RunOut.CHOOSE:
        cards = draws.deal(variant, deck, manner)
        piles = deal_piles(cards, variant.order(deck))
        return Game(piles, play(variant, piles, draws.below))
    heights = map(len, deal_piles(variant.cards(deck), variant.order(deck)))
    undecided = [_UndecidedPile(height, draws.card) for height in heights]
    playout = play(variant, undecided, draws.below)
    return Game(tuple(pile.decided() for pile in undecided), playout)


def layout_of(variant: Variant, deck: Deck) -> Layout:
    """Return a variant's layout, for the kernels."""
    cards, order = variant.cards(deck), variant.order(deck)
    heights = [len(pile) for pile in deal_piles(cards, order)]
    turns = np.empty(len(order), dtype=np.uint8)
    turns[list(order)] = range(len(order))
    return Layout(
        cards=np.array(cards, dtype=np.uint8),
        face_down=np.uint64(sum(height << (4 * pile) for pile, height in enumerate(heights))),
        centre=np.uint64(4 * (deck.ranks - 1)),
        turns=turns,
        run_out=int(variant.run_out),
        choice=int(variant.choice),
        win=int(variant.win),
        bottom=variant.bottom,
    )


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

    def decided(self) -> tuple[int, ...]:
        """All cards of the pile, those not looked at yet drawn from the top."""
        return tuple(reversed([self[level] for level in reversed(range(len(self)))]))


class _Draws:
    """The random draws of one game, as the kernel makes them."""

    def __init__(self, cards: tuple[int, ...], seed: int, counter: int) -> None:
        self._unseen = list(cards)
        self._seed, self._key, self._counter = seed, stream_key(seed), np.uint64(counter)
        self._batch_end, self._fraction = len(cards), 0

    def card(self) -> int:
        """Draw a card among those not seen."""
        n = len(self._unseen)
        if n == self._batch_end:
            with np.errstate(over="ignore"):
                fraction, counter = draw_batch(self._key, self._counter, BATCH_PRODUCT[n], BATCH_SURPLUS[n])
            self._fraction, self._counter = int(fraction), np.uint64(counter)
            self._batch_end = int(BATCH_AFTER[n])
        chosen, self._fraction = divmod(self._fraction * n, 1 << int(FRACTION_BITS))
        card, self._unseen[chosen] = self._unseen[chosen], self._unseen[-1]
        self._unseen.pop()
        return card

    def below(self, n: int) -> int:
        """Draw a number below `n`."""
        with np.errstate(over="ignore"):
            number, counter = draw_below(self._key, self._counter, np.uint64(n))
        self._counter = np.uint64(counter)
        return int(number)

    def deal(self, variant: Variant, deck: Deck, shuffle: Shuffle) -> tuple[int, ...]:
        """Shuffle the whole deck: its cards in the order of the deal."""
        layout = layout_of(variant, deck)
        cards: NDArray[np.uint8] = np.empty_like(layout.cards)
        plan = shuffle.plan(variant.cards(deck), self._seed)
        with np.errstate(over="ignore"):
            self._counter = np.uint64(deal(cards, np.empty_like(cards), layout, plan, self._counter))
        return tuple(int(card) for card in cards)

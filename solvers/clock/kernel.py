"""The kernel that plays batches of games of the Clock family."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.clock.game_kernel import NIBBLE, PILE_OF_CARD, count_piles, place_dealt, play, play_open, turn
from solvers.clock.policies import RunOut, Win
from solvers.compilation import njit
from solvers.shuffling_kernel import Manner, fisher_yates, shuffle_from_start

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit
def gather(cards: Any, layout: Any, face_down: Any, deck: Any) -> None:
    """Gather the piles after a game as `solvers.shuffling.Shuffle` says.

    Parameters
    ----------
    cards : ndarray of uint8, shape (n,)
        The cards in the order in which they were dealt.
    layout : Layout
    face_down : uint64
        Cards of each pile left face down, packed.
    deck : ndarray of uint8, shape (n,)
        Changed in place: the deck, top card first.
    """
    seen = _ZERO  # bit c: card c was left face down
    for number in range(layout.turns.shape[0]):
        pile = np.uint64(4 * number)
        for level in range(np.int64((face_down >> pile) & NIBBLE)):
            seen |= _ONE << np.uint64(cards[place_dealt(layout, pile, np.uint64(level))])
    place = 0
    for number in range(layout.turns.shape[0]):
        pile = np.uint64(4 * number)
        for level in range(np.int64((face_down >> pile) & NIBBLE) - 1, -1, -1):
            deck[place] = cards[place_dealt(layout, pile, np.uint64(level))]
            place += 1
        for card in layout.cards:
            if np.uint64(card) & PILE_OF_CARD == pile and not (seen >> np.uint64(card)) & _ONE:
                deck[place] = card
                place += 1


@njit
def deal(cards: Any, spare: Any, layout: Any, plan: Any, counter: Any) -> Any:
    """Shuffle a whole deck by the plan.

    Parameters
    ----------
    cards, spare : ndarray of uint8, shape (n,)
        Changed in place: the cards in the order of the deal, and room for as many.
    layout : Layout
    plan : DeckPlan
    counter : uint64
        The first word to read.

    Returns
    -------
    uint64
        The first word not read.
    """
    for place in range(cards.shape[0]):
        cards[place] = plan.start[place]
    if plan.manner == Manner.UNIFORM:
        return fisher_yates(cards, plan.key, counter)
    if plan.gathered:
        counter = fisher_yates(cards, plan.key, counter)
        if layout.run_out >= RunOut.CHOOSE:
            face_down, _ = play_open(cards, layout)
        else:
            face_down, _, _, counter = play(cards, False, layout, plan.key, counter)
        gather(cards, layout, face_down, spare)
        for place in range(cards.shape[0]):
            cards[place] = spare[place]
    return shuffle_from_start(cards, spare, plan, counter)


@njit(nogil=True)
def play_batch(layout: Any, plan: Any, first: int, games: int, cards_left: Any, complete_hours: Any) -> Any:
    """Play the games `first` to ``first + games - 1`` and add up how they ended.

    Parameters
    ----------
    layout : Layout
    plan : DeckPlan
    first, games : int
    cards_left : ndarray of int64, shape (n + 1,)
        Changed in place: entry i grows by the number of games that ended with i cards left.
    complete_hours : ndarray of int64, shape (piles,)
        Changed in place: entry i grows by the number of games with i hour piles that have no card left.

    Returns
    -------
    int
        Number of games won.
    """
    cards, spare = np.empty_like(layout.cards), np.empty_like(layout.cards)
    hours = np.uint64(complete_hours.shape[0] - 1)
    hours_only = (_ONE << layout.centre) - _ONE
    choosing = layout.run_out >= RunOut.CHOOSE
    # What `play` does in these games is `turn` and no more, and this is a third faster.
    simple = layout.run_out == RunOut.STOP and layout.win != Win.ALL_AT_HOME
    size = np.uint64(cards.shape[0])
    wins = 0
    for index in range(first, first + games):
        counter = np.uint64(index) * plan.stride
        if choosing:
            counter = deal(cards, spare, layout, plan, counter)
            face_down, left = play_open(cards, layout)
            won = left == _ZERO
        elif plan.manner == Manner.UNIFORM:
            for place in range(layout.cards.shape[0]):  # faster than a slice, as compiled
                cards[place] = layout.cards[place]
            if simple:
                draws = size, size, _ZERO, counter, plan.key
                face_down, _, draws = turn(cards, layout.face_down, layout.centre, draws)
                left = draws[0]
                won = left == _ZERO or layout.win == Win.ALWAYS
            else:
                face_down, left, won, counter = play(cards, True, layout, plan.key, counter)
        else:
            counter = deal(cards, spare, layout, plan, counter)
            face_down, left, won, counter = play(cards, False, layout, plan.key, counter)
        wins += won
        cards_left[left] += 1
        complete_hours[hours - count_piles(face_down & hours_only)] += 1
    return wins

"""Open Clock, also called Sundial: all cards face up, and the player chooses.

From the pile called, the centre to begin with, the player takes any card not played yet and puts it under
the pile of its rank, which is called next. Draw an arrow for each card, from the pile in which it was
dealt to the pile of its rank. A play is a walk along these arrows that begins at the centre and uses none
twice. A deal is won when the walk uses them all.

Each pile has as many arrows from it as to it: its cards, and the cards of its rank. So a walk can only stop
at the centre, and such a graph has a round trip along all its arrows if and only if it is connected
(L. Euler, 1736; for arrows I. J. Good, 1946). If it is not connected, no walk leaves the part that the
centre is in, and that part has a round trip of its own. Hence:

* a deal can be won if and only if every pile can be reached from the centre;
* otherwise the most that can be played are the cards of the piles that can be reached.

The round trip is found as C. Hierholzer (1873) did: walk until stuck, which is at the start, and insert a
round trip wherever an arrow is left over. On a stack this takes two steps for each arrow.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from solvers.bakers_dozen.rules import IllegalMove
from solvers.cards import format_card, rank_of
from solvers.errors import InputError
from solvers.outcome import Outcome, SolveResult
from solvers.positions import Move, Position
from solvers.wording import counted

__all__ = ["longest_play", "replay_open_clock", "solve_open_clock"]


def longest_play(piles: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return an order in which as many cards as possible are played.

    Parameters
    ----------
    piles : sequence of sequence of int
        Card codes of each pile, the centre last; as many cards in a pile as there are of its rank.

    Returns
    -------
    tuple of int
        The cards in the order in which they are played: all that lie on piles that can be reached.
    """
    unplayed = [list(pile) for pile in piles]
    trip: list[int] = []
    # The walk under way: each card with the pile it has called.
    walk: list[tuple[int | None, int]] = [(None, len(piles) - 1)]
    while walk:
        card, called = walk[-1]
        if unplayed[called]:
            following = unplayed[called].pop()
            walk.append((following, rank_of(following) - 1))
        else:
            # Stuck: what comes after this card is complete.
            walk.pop()
            if card is not None:
                trip.append(card)
    return tuple(reversed(trip))


def solve_open_clock(position: Position) -> SolveResult:
    """Decide a deal of open Clock.

    Parameters
    ----------
    position : Position
        A column for each pile, the centre last, each with as many cards as the deck has suits.

    Returns
    -------
    SolveResult
        If it can be won, each move puts a card from the pile it was dealt to under the pile of its
        rank. If not, the reason names the piles that cannot be reached. `states` is the number of cards
        played.

    Raises
    ------
    InputError
        If the position is not a whole deal.
    """
    start = time.perf_counter()
    _check_deal(position)
    order = longest_play(position.columns)
    pile_of = {card: number for number, pile in enumerate(position.columns) for card in pile}
    seconds = time.perf_counter() - start
    if len(order) == position.deck.size:
        moves = tuple(Move(card, pile_of[card], rank_of(card) - 1) for card in order)
        replay_open_clock(position, moves)
        words = "The piles can all be reached from the centre, so one round trip plays every card."
        return SolveResult(Outcome.WINNABLE, "", moves, len(order), seconds, (words,))
    closed = sorted(set(pile_of.values()) - {pile_of[card] for card in order})
    names = ("pile " if len(closed) == 1 else "piles ") + ", ".join(str(number + 1) for number in closed)
    cards = sorted(card for number in closed for card in position.columns[number])
    return SolveResult(
        Outcome.UNWINNABLE,
        f"no play from the centre reaches {names}",
        states=len(order),
        seconds=seconds,
        explanation=(
            f"From the centre {counted(len(order), 'card')} can be played,"
            " and each calls a pile of their own again.",
            f"The cards on {names} are {' '.join(map(format_card, cards))}: all that could call there.",
        ),
    )


def replay_open_clock(position: Position, moves: Iterable[Move]) -> int:
    """Judge a list of moves of open Clock, knowing nothing of where it comes from.

    Parameters
    ----------
    position : Position
        The deal.
    moves : iterable of Move

    Returns
    -------
    int
        Number of cards not played; 0 if the deal is won.

    Raises
    ------
    IllegalMove
        Naming the first move that the rules forbid, and why.
    """
    unplayed = [set(pile) for pile in position.columns]
    called = len(unplayed) - 1
    for number, (card, source, target, count) in enumerate(moves, start=1):
        fault = None
        if count != 1:
            fault = "one card is played at a time"
        elif source != called:
            fault = f"pile {called + 1} is called"
        elif card not in unplayed[called]:
            fault = f"{format_card(card)} is not on pile {called + 1}, or was played before"
        elif target != rank_of(card) - 1:
            fault = f"{format_card(card)} goes to pile {rank_of(card)}"
        if fault is not None:
            raise IllegalMove(f"move {number}: {fault}")
        unplayed[called].remove(card)
        called = target
    return sum(map(len, unplayed))


def _check_deal(position: Position) -> None:
    position.check()
    deck = position.deck
    if len(position.columns) != deck.ranks:
        raise InputError(f"open Clock has {deck.ranks} piles, not {len(position.columns)}")
    for number, pile in enumerate(position.columns, start=1):
        if len(pile) != deck.suits:
            raise InputError(
                f"pile {number} has {counted(len(pile), 'card')}: a deal has {deck.suits} in each pile"
            )

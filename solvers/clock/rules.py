"""Clock and its variants, one deal at a time, to be read beside the rules.

*Deal.* One pile for each rank, as many cards in each as there are suits, all face down: twelve hour
piles in a circle and the centre, which is the Kings' pile. Cards go round the hours 1 to 12 and then to
the centre, one each, until all are dealt, so the first cards dealt lie at the bottom.

*Play.* Turn the top card of the centre. Put the card turned face up under the pile of its rank (an ace
is one o'clock, a Queen twelve, a King the centre) and turn the top card of that pile; and so on.

*End.* The play stops when the pile under which a card has gone has no face-down card left. Each of the
four cards of rank r calls pile r once, and the centre is called once more, at the start: so the pile that
is called in vain is always the centre, by the fourth King. The deal is won if no card is face down then.

*Watch.* The fourth King changes places with a face-down card: the King lies face down in its place,
and that card is played on. The game ends when that King is turned again.

*One King removed.* Cards are dealt as before, so that the centre has three cards, and the third King ends
the play. Or they are dealt to the centre first, so that twelve o'clock has three: then the fourth Queen
finds her pile run out, and `RunOut` says what is done.

*Hours face up.* The hours lie face up and the centre face down; nothing can be chosen, so the play is the
same, and only what is called a win differs (`Win`).

*Open Clock.* All cards lie face up, and the player chooses which card of the pile called goes next.

A deck may have fewer ranks and suits: the highest rank takes the Kings' part. Piles are numbered from 0 in
code, the centre last; a pile is written bottom card first.

Sources: Wikipedia, "Clock (card game)"; D. Parlett, "The Penguin Book of Patience", 1980.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from solvers.cards import rank_of
from solvers.clock.open_clock import longest_play
from solvers.clock.policies import PileChoice, RunOut, Variant, Win


class Pile(Protocol):
    """What a playout needs of a pile: how many cards it has, and the card at a level, the bottom being 0."""

    def __len__(self) -> int: ...

    def __getitem__(self, level: int, /) -> int: ...


Choose = Callable[[Sequence[int]], tuple[int, int]]
"""Given the numbers of face-down cards, the pile and the level of one of them."""


@dataclass(frozen=True, slots=True)
class Playout:
    """What happened in one deal.

    Parameters
    ----------
    turned : tuple of int
        Cards in the order in which they were turned, or played if they lie face up.
    face_down : tuple of int
        Number of cards on each pile that were not turned when the play stopped, the centre last.
    won : bool
    exchange : tuple of int or None
        Watch: the pile and the level where the fourth King was put, if it was.
    """

    turned: tuple[int, ...]
    face_down: tuple[int, ...]
    won: bool
    exchange: tuple[int, int] | None = None

    @property
    def cards_left(self) -> int:
        """Number of cards not turned at the end."""
        return sum(self.face_down)

    @property
    def complete_hours(self) -> int:
        """Number of hour piles all of whose cards were turned."""
        return self.face_down[:-1].count(0)


def deal_piles(cards: Sequence[int], order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Deal cards one at a time round the piles.

    Parameters
    ----------
    cards : sequence of int
        Card codes, the first card dealt first.
    order : sequence of int
        Piles in the order in which each round goes to them.

    Returns
    -------
    tuple of tuple of int
        Cards of each pile, bottom first.
    """
    piles: list[tuple[int, ...]] = [()] * len(order)
    for place, pile in enumerate(order):
        piles[pile] = tuple(cards[place :: len(order)])
    return tuple(piles)


def redeal(piles: Sequence[Sequence[int]], order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Take up cards in the order in which they were dealt round the piles, and deal them in another order.

    Parameters
    ----------
    piles : sequence of sequence of int
        Cards of each pile, bottom first, dealt in rounds from the first pile to the last.
    order : sequence of int
        Piles in the order in which each round goes to them now.

    Returns
    -------
    tuple of tuple of int
        Cards of each pile, bottom first.
    """
    rounds = max(map(len, piles))
    cards = [pile[level] for level in range(rounds) for pile in piles if level < len(pile)]
    return deal_piles(cards, order)


def play(variant: Variant, piles: Sequence[Pile], random_below: Callable[[int], int]) -> Playout:
    """Play a deal of any game of the family to its end.

    Parameters
    ----------
    variant : Variant
    piles : sequence of Pile
        Cards of each pile, bottom first, the centre last. A deal as `deal_piles` gives it will do.
    random_below : callable
        For policies that choose at random: ``random_below(n)`` is a number below n, each equally likely.

    Returns
    -------
    Playout
    """
    if variant.run_out is RunOut.STOP:
        playout = play_clock(piles)
    elif variant.run_out is RunOut.EXCHANGE:
        playout = play_watch(piles, lambda face_down: choose_place(variant, face_down, random_below))
    elif variant.run_out in (RunOut.NEXT_HOUR, RunOut.NEXT_PILE, RunOut.CENTRE):
        playout = play_short_hour(piles, variant.run_out)
    else:
        playout = play_open(piles, any_card=variant.run_out is RunOut.CHOOSE_ANY)
    if variant.win is Win.ALL_AT_HOME:
        return replace(playout, won=all_at_home(piles, playout.face_down))
    return replace(playout, won=True) if variant.win is Win.ALWAYS else playout


def every_playout(variant: Variant, piles: Sequence[Pile]) -> Iterator[tuple[Fraction, Playout]]:
    """Play a deal once for each random choice of the policy, which chooses at random once at most.

    Yields
    ------
    probability : Fraction
    playout : Playout
    """
    choices, chosen = 1, 0

    def random_below(n: int) -> int:
        nonlocal choices
        choices = n
        return chosen

    while chosen < choices:
        playout = play(variant, piles, random_below)
        yield Fraction(1, choices), playout
        chosen += 1


def play_clock(piles: Sequence[Pile]) -> Playout:
    """Play until a pile is called in vain; there is nothing to choose."""
    face_down = [len(pile) for pile in piles]
    turned: list[int] = []
    called = len(piles) - 1
    while face_down[called]:
        face_down[called] -= 1
        card = piles[called][face_down[called]]
        turned.append(card)
        called = rank_of(card) - 1
    return Playout(tuple(turned), tuple(face_down), won=not any(face_down))


def play_watch(piles: Sequence[Pile], choose: Choose) -> Playout:
    """Play as Clock; then once more with the fourth King in the place that `choose` names."""
    clock = play_clock(piles)
    if clock.won:
        return clock
    turned, face_down = list(clock.turned), list(clock.face_down)
    king, king_place = turned[-1], choose(clock.face_down)
    place = king_place
    while True:
        card = piles[place[0]][place[1]]
        turned.append(card)
        called = rank_of(card) - 1
        face_down[called] -= 1
        place = called, face_down[called]
        if place == king_place:
            turned.append(king)
            return Playout(tuple(turned), tuple(face_down), not any(face_down), exchange=king_place)


def choose_place(
    variant: Variant, face_down: Sequence[int], random_below: Callable[[int], int]
) -> tuple[int, int]:
    """Pile and level of the card that changes places with the King of Watch, by the variant's policy."""
    waiting = [pile for pile, count in enumerate(face_down) if count]
    if variant.choice is PileChoice.BY_CARD:
        places = [(pile, level) for pile in waiting for level in range(face_down[pile])]
        return places[random_below(len(places))]
    if variant.choice is PileChoice.RANDOM:
        pile = waiting[random_below(len(waiting))]
    elif variant.choice is PileChoice.LARGEST:
        pile = max(waiting, key=lambda pile: face_down[pile])  # the first of several
    elif variant.choice is PileChoice.SMALLEST:
        pile = min(waiting, key=lambda pile: face_down[pile])
    else:
        pile = waiting[0]
    return pile, 0 if variant.bottom else face_down[pile] - 1


def play_short_hour(piles: Sequence[Pile], run_out: RunOut) -> Playout:
    """Play on when a pile is called in vain: with the next hour, or with the centre."""
    face_down = [len(pile) for pile in piles]
    turned: list[int] = []
    centre = len(piles) - 1
    called = centre
    while True:
        if not face_down[called]:
            clockwise = [(called + step) % centre for step in range(1, centre + 1)]
            instead = {
                RunOut.NEXT_HOUR: clockwise,
                RunOut.NEXT_PILE: [*clockwise, centre],
                RunOut.CENTRE: [centre],
            }[run_out]
            waiting = [pile for pile in instead if face_down[pile]]
            if not waiting:
                return Playout(tuple(turned), tuple(face_down), won=not any(face_down))
            called = waiting[0]
        face_down[called] -= 1
        card = piles[called][face_down[called]]
        turned.append(card)
        called = rank_of(card) - 1


def play_open(piles: Sequence[Pile], any_card: bool) -> Playout:
    """Play as many cards of a deal that lies open as can be played."""
    cards = [[pile[level] for level in range(len(pile))] for pile in piles]
    # With any card to choose from, nothing holds the player back.
    order = tuple(card for pile in cards for card in pile) if any_card else longest_play(cards)
    face_down = tuple(len(set(pile) - set(order)) for pile in cards)
    return Playout(order, face_down, won=not any(face_down))


def all_at_home(piles: Sequence[Pile], face_down: Sequence[int]) -> bool:
    """Whether each card that was not turned lies on the pile of its own rank, top cards looked at first."""
    return all(
        rank_of(piles[pile][level]) - 1 == pile
        for pile, count in enumerate(face_down)
        for level in reversed(range(count))
    )

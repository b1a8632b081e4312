"""Clock, one deal at a time, to be read beside the rules.

*Deal.* One pile for each rank, as many cards in each as there are suits, all face down: twelve hour
piles in a circle and the centre, which is the Kings' pile. Cards go round the hours 1 to 12 and then to
the centre, one each, until all are dealt, so the first cards dealt lie at the bottom.

*Play.* Turn the top card of the centre. Put the card turned face up under the pile of its rank (an ace
is one o'clock, a Queen twelve, a King the centre) and turn the top card of that pile; and so on.

*End.* The play stops when the pile under which a card has gone has no face-down card left. Each of the
four cards of rank r calls pile r once, and the centre is called once more, at the start: so the pile that
is called in vain is always the centre, by the fourth King. The deal is won if no card is face down then.

A deck may have fewer ranks and suits: the highest rank takes the Kings' part. Piles are numbered from 0 in
code, the centre last; a pile is written bottom card first.

Sources: Wikipedia, "Clock (card game)"; D. Parlett, "The Penguin Book of Patience", 1980.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from solvers.cards import rank_of


class Pile(Protocol):
    """What a playout needs of a pile: how many cards it has, and the card at a level, the bottom being 0."""

    def __len__(self) -> int: ...

    def __getitem__(self, level: int, /) -> int: ...


@dataclass(frozen=True, slots=True)
class Playout:
    """What happened in one deal.

    Parameters
    ----------
    turned : tuple of int
        Cards in the order in which they were turned.
    face_down : tuple of int
        Number of cards face down on each pile when the play stopped, the centre last.
    """

    turned: tuple[int, ...]
    face_down: tuple[int, ...]

    @property
    def cards_left(self) -> int:
        """Number of cards face down at the end."""
        return sum(self.face_down)

    @property
    def won(self) -> bool:
        """Whether every card was turned."""
        return self.cards_left == 0

    @property
    def complete_hours(self) -> int:
        """Number of hour piles that have all their own cards and no other."""
        return self.face_down[:-1].count(0)


def deal_piles(cards: Sequence[int], piles: int) -> tuple[tuple[int, ...], ...]:
    """Deal cards one at a time round the piles.

    Parameters
    ----------
    cards : sequence of int
        Card codes, the first card dealt first.
    piles : int
        Number of piles, the centre last.

    Returns
    -------
    tuple of tuple of int
        Cards of each pile, bottom first.
    """
    return tuple(tuple(cards[pile::piles]) for pile in range(piles))


def play_clock(piles: Sequence[Pile]) -> Playout:
    """Play a deal of Clock to its end; there is nothing to choose.

    Parameters
    ----------
    piles : sequence of Pile
        Cards of each pile, bottom first, the centre last. A deal as `deal_piles` gives it will do.

    Returns
    -------
    Playout
    """
    face_down = [len(pile) for pile in piles]
    turned = []
    called = len(piles) - 1
    while face_down[called]:
        face_down[called] -= 1
        card = piles[called][face_down[called]]
        turned.append(card)
        called = rank_of(card) - 1
    return Playout(tuple(turned), tuple(face_down))

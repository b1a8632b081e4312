"""A game on the table as pictures need it: piles of cards, and moves as steps from pile to pile.

Here it is settled what lies where; `solvers.view.svg` and the page of `solvers.view.replay` only draw it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from solvers.cards import rank_of, suit_of
from solvers.errors import InputError
from solvers.foundations import Foundations, cards_in_order, kinds_of_cards
from solvers.games import Family
from solvers.positions import FOUNDATION
from solvers.view.suits import RANK_LABELS, SUIT_NAMES, SUIT_SYMBOLS, rank_label, spoken_name

if TYPE_CHECKING:
    from solvers.deals import Deal
    from solvers.positions import Move, Position

__all__ = ["Pile", "Step", "clock_piles", "column_piles", "foundation_piles", "play"]


@dataclass(slots=True)
class Pile:
    """A place for cards.

    Parameters
    ----------
    name : str
        As it is read aloud.
    label : str
        As it is written above the place; empty if nothing is.
    cards : list of int
        Card codes, bottom first.
    fanned : bool
        Whether all cards show, or the top one only.
    suit : int or None
        Drawn on the place while it is empty.
    """

    name: str
    label: str
    cards: list[int]
    fanned: bool = True
    suit: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """Cards, bottom first, that leave one pile, known by its number, for the top of another.

    `says` is the move as it is read aloud, `short` as it stands in a list.
    """

    cards: tuple[int, ...]
    source: int
    target: int
    says: str
    short: str


def column_piles(position: Position) -> list[Pile]:
    """Columns, numbered from 1."""
    return [
        Pile(f"column {number}", str(number), list(cards))
        for number, cards in enumerate(position.columns, start=1)
    ]


def clock_piles(position: Position) -> list[Pile]:
    """Piles of a deal of the Clock family by their hours, the centre last."""
    *hours, centre = position.columns
    piles = [Pile(f"pile {hour}", str(hour), list(cards)) for hour, cards in enumerate(hours, start=1)]
    return [*piles, Pile("the centre", "centre", list(centre))]


def foundation_piles(position: Position) -> list[Pile]:
    """Foundations in their order, with the cards on them."""
    piles = []
    for index, cards in enumerate(map(list, position.foundation_piles())):
        if position.foundation_rule is Foundations.DIAL:
            hour = rank_of(cards_in_order(position.foundation_rule, index, position.deck)[-1])
            piles.append(Pile(f"the foundation of {hour} o'clock", f"{hour} h", cards, fanned=False))
        else:
            piles.append(Pile(f"the foundation of {SUIT_NAMES[index]}", "", cards, fanned=False, suit=index))
    return piles


def play(deal: Deal, moves: Iterable[Move]) -> tuple[list[Pile], list[Step]]:
    """Lay out a deal and follow its moves.

    Parameters
    ----------
    deal : Deal
    moves : iterable of Move
        As a solver gives them. They are followed here, not judged.

    Returns
    -------
    piles : list of Pile
        Before the first move: places to which cards go out of play, then columns.
    steps : list of Step

    Raises
    ------
    InputError
        If a move takes a card from where it does not lie, as one of another deal does.
    """
    position = deal.position
    clock = deal.game.family is Family.CLOCK
    goals = _homes(position) if clock else foundation_piles(position)
    piles = [*goals, *(clock_piles(position) if clock else column_piles(position))]
    start = [replace(pile, cards=list(pile.cards)) for pile in piles]
    steps = []
    for number, move in enumerate(moves, start=1):
        try:
            source = len(goals) + move.source if move.source != FOUNDATION else _goal_under(goals, move.card)
            if clock:
                target = rank_of(move.card) - 1
            elif move.target != FOUNDATION:
                target = len(goals) + move.target
            else:
                target = _goal_for(position, goals, move.card)
            steps.append(_step(piles, source, target, move, anywhere=clock))
        except (LookupError, ValueError):
            raise InputError(f"move {number}, {move}: the cards of this deal do not lie so") from None
    return start, steps


def _homes(position: Position) -> list[Pile]:
    """Where cards of a clock go when they have been played: under the pile of their rank."""
    *hours, king = range(1, position.deck.ranks + 1)
    return [
        *(Pile(f"hour {hour}", RANK_LABELS[hour - 1], [], fanned=False) for hour in hours),
        Pile("the centre", RANK_LABELS[king - 1], [], fanned=False),
    ]


def _goal_under(goals: list[Pile], card: int) -> int:
    """Index of the foundation that has this card on top."""
    return [goal.cards[-1:] for goal in goals].index([card])


def _goal_for(position: Position, goals: list[Pile], card: int) -> int:
    """Index of the first foundation on which a card fits."""
    kinds = kinds_of_cards(position.foundation_rule)
    for index, goal in enumerate(goals):
        following = cards_in_order(position.foundation_rule, index, position.deck)[len(goal.cards) :][:1]
        if following and kinds[following[0]] == kinds[card]:
            return index
    raise LookupError


def _step(piles: list[Pile], source: int, target: int, move: Move, *, anywhere: bool) -> Step:
    """Make a move on the piles; cards come from the top of theirs, or from anywhere in it."""
    from_pile, to_pile = piles[source], piles[target]
    place = from_pile.cards.index(move.card)
    taken = from_pile.cards[place : place + move.count]
    if len(taken) != move.count or not (anywhere or from_pile.cards[-1] == taken[-1]):
        raise LookupError
    del from_pile.cards[place : place + move.count]
    says = f"{', '.join(map(spoken_name, taken))} from {from_pile.name} to {to_pile.name}"
    if to_pile.fanned:
        says += f", onto the {spoken_name(to_pile.cards[-1])}" if to_pile.cards else ", which is empty"
    to_pile.cards += taken
    more = f" +{move.count - 1}" if move.count > 1 else ""
    card = rank_label(move.card) + SUIT_SYMBOLS[suit_of(move.card)]
    return Step(tuple(taken), source, target, says, f"{card}{more} {_short(from_pile)} → {_short(to_pile)}")


def _short(pile: Pile) -> str:
    return pile.label or "up"

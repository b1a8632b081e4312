"""How difficult a deal of Baker's Dozen is, for a person.

Two numbers, each a function of the deal and its name:

* how many of 1,000 *random plays* win: plays by somebody who makes lifts and digs at random, but finds
  whatever shifts they take (`solvers.bakers_dozen.random_play`). It tells how forgiving the deal is;
* how many *positions* the player who takes moves back looks at until he wins
  (`solvers.bakers_dozen.players`). It tells how long somebody may be at it who plays by the tips.

The level goes by the first. Its limits are near the thirds of the deals that can be won: of 3,988 winnable
among ``random:1/0`` to ``random:1/3999``, 35.6 % are hard, 31.1 % medium and 33.4 % easy; in 6.9 % no random
play won. Over 300 of these deals the two numbers go against each other as they should, with a rank
correlation (Spearman) of -0.49.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from solvers.bakers_dozen.player_kernel import Board
from solvers.bakers_dozen.players import Player, boards_of, play_position
from solvers.bakers_dozen.random_play import count_random_wins
from solvers.bakers_dozen.solve import Limits, solve
from solvers.deals import Deal, load_deal
from solvers.errors import InputError
from solvers.games import BAKERS_DOZEN, Kings, Rules, TableauRules
from solvers.outcome import Outcome, SolveResult
from solvers.positions import Position
from solvers.sources import DealRange, SourceKind
from solvers.streams import named_key

__all__ = [
    "RANDOM_PLAYS",
    "Difficulty",
    "FoundDeal",
    "Level",
    "find_winnable",
    "fresh_deals",
    "rate_difficulty",
]

RANDOM_PLAYS = 1_000
EASY_FROM = 60
"""Random plays of 1,000 that win an easy deal, at least."""
HARD_BELOW = 15
"""A deal is hard if fewer of them win."""
BUDGET = 100_000
"""Positions that the player who takes moves back looks at."""


class Level(StrEnum):
    """How difficult a deal is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How difficult a deal is.

    Parameters
    ----------
    random_wins : int
        How many of `RANDOM_PLAYS` random plays win.
    looked_at : int or None
        Positions that the player who takes moves back looks at until he wins; None if he gives up.
    """

    random_wins: int
    looked_at: int | None

    @property
    def level(self) -> Level:
        """The level, by the random plays."""
        if self.random_wins >= EASY_FROM:
            return Level.EASY
        return Level.HARD if self.random_wins < HARD_BELOW else Level.MEDIUM

    def __str__(self) -> str:
        after = f"wins after {self.looked_at:,}" if self.looked_at else f"does not win within {BUDGET:,}"
        return (
            f"{self.level}: {self.random_wins} of {RANDOM_PLAYS:,} random plays win;"
            f" a player who takes moves back {after} positions"
        )


def rate_difficulty(position: Position, name: str) -> Difficulty:
    """Say how difficult a position of Baker's Dozen is.

    Parameters
    ----------
    position : Position
    name : str
        What chance is drawn from: any text, such as the deal's source.

    Returns
    -------
    Difficulty

    Raises
    ------
    InputError
        If the position is not one of its deck.
    """
    wins = count_wins(position, name)
    tried = play_position(position, Player(budget=BUDGET), name)
    return Difficulty(wins, tried.looked_at if tried.won else None)


def count_wins(position: Position, name: str, plays: int = RANDOM_PLAYS) -> int:
    """Count the wins in so many random plays.

    Raises
    ------
    InputError
        If the position is not one of its deck.
    """
    board = Board(*(array[0] for array in boards_of([position])))
    with np.errstate(over="ignore"):
        return int(count_random_wins(board, plays, named_key(name)))


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """A deal that can be won.

    Parameters
    ----------
    deal : Deal
    result : SolveResult
        The proof: moves that win it, checked by the referee.
    difficulty : Difficulty or None
        None in games other than Baker's Dozen.
    """

    deal: Deal
    result: SolveResult
    difficulty: Difficulty | None


def find_winnable(
    game: Rules,
    sources: Iterable[str],
    *,
    level: Level | None = None,
    kings: Kings | str | None = None,
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> FoundDeal | None:
    """Find the first deal that can be won, and is of a level.

    Parameters
    ----------
    game : Rules
    sources : iterable of str
        Looked at in order.
    level : Level, optional
        Any, if not given. Baker's Dozen only.
    kings : {"slide", "swap", "as-dealt"}, optional
        How Kings are moved.
    limits : Limits, optional
        A deal that is not decided within them is passed over.
    progress : callable, optional
        Called with the number of deals passed over so far.

    Returns
    -------
    FoundDeal or None
        None if there is no such deal.

    Raises
    ------
    InputError
        If the game is not of the Baker's Dozen family, or a level is asked for in another than Baker's Dozen.
    """
    if not isinstance(game, TableauRules):
        raise InputError(
            f"{game.name} is not of the Baker's Dozen family: see patience exact for its chances"
        )
    if level is not None and game != BAKERS_DOZEN:
        raise InputError(f"levels are known for {BAKERS_DOZEN.name} only, not for {game.name}")
    for number, source in enumerate(sources):
        if progress is not None:
            progress(number)
        deal = load_deal(game, source, kings)
        if level is not None and Difficulty(count_wins(deal.position, deal.source), None).level is not level:
            continue
        result = solve(deal.position, limits, rules=game)
        if result.outcome is Outcome.WINNABLE:
            rated = game == BAKERS_DOZEN
            return FoundDeal(deal, result, rate_difficulty(deal.position, deal.source) if rated else None)
    return None


def fresh_deals() -> Iterator[str]:
    """Sources of deals that nobody has seen: ours, of a seed drawn by the system."""
    return iter(DealRange(SourceKind.RANDOM, 0, 2**32, secrets.randbelow(2**32)))

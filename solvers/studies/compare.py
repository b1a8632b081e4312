"""Compare games on the same deals: which is easier, by how much, and whether that could be chance.

Games with layouts of the same shape are given the same layout, card by card: Kings are moved (or not) for
all of them as for the first. Others are given the same shuffled deck, each dealt in its own way.

Some games are *at least as free* as others: whatever may be done in the one may be done in the other. A
layout that is won in the less free game is then won in the other, and a study in which it is not
shows that one of two verdicts is wrong. So each comparison is also a test of the solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.solve import Limits
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.foundations import Foundations
from solvers.games import Building, Groups, Kings, Rules, Spaces, TableauRules, find_game
from solvers.outcome import Outcome
from solvers.sources import DealRange, parse_range
from solvers.studies.proportion import Interval, mcnemar_test, paired_difference
from solvers.studies.verdicts import DealStudy, plan_study, read_study

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "GamesCompared",
    "Inclusion",
    "Paired",
    "at_least_as_free",
    "compare_studies",
    "pair_up",
    "plan_games",
]

Wins = NDArray[np.bool_]

_MORE_FREEDOM: tuple[tuple[Any, Any], ...] = (
    (Building.SAME_SUIT, Building.ANY_SUIT),
    (Building.RED_BLACK, Building.ANY_SUIT),
    (Groups.ONE_CARD, Groups.SEQUENCE),
    (Foundations.IN_SUIT, Foundations.ANY_SUIT),
    (Foundations.ALTERNATE_COLOURS, Foundations.ANY_SUIT),
    (False, True),  # whether cards may come back from the foundations
)
"""Pairs of rules of which the second allows whatever the first does."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Two games, or players, on the same deals.

    Parameters
    ----------
    both, only_first, only_second, neither : int
        Deals certainly won by both, by one of them, by none.
    undecided : int
        The other deals.
    p_value : float
        Exact McNemar test that neither wins more often; the largest that the undecided deals allow.
    difference : Interval
        95 % interval of the first share minus the second, undecided deals at their worst for either end.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    undecided: int
    p_value: float
    difference: Interval


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A game that is at least as free as another, and what was found of it.

    Parameters
    ----------
    harder, easier : str
        Names of the games.
    deals : int
        Deals won in the harder one.
    violations : tuple of str
        Those of them that are unwinnable in the easier one. There can be none, if the solvers are right.
    """

    harder: str
    easier: str
    deals: int
    violations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GamesCompared:
    """What a comparison found.

    Parameters
    ----------
    pairs : dict
        `Paired` by the names of the two games.
    inclusions : tuple of Inclusion
        Of games that were given the same layouts.
    """

    pairs: dict[tuple[str, str], Paired]
    inclusions: tuple[Inclusion, ...]


def at_least_as_free(harder: Rules, easier: Rules) -> bool:
    """Whether everything that may be done in one game may be done in the other, on the same layout.

    In the Clock family: a deal won in Clock needs no exchange, so it is won in Watch by whatever policy; and
    its play is one that the player of open Clock may choose.
    """
    if isinstance(harder, TableauRules) and isinstance(easier, TableauRules):
        if not same_layout(harder, easier):
            return False
        names = ("building", "groups", "foundations", "worrying_back")
        options = [(getattr(harder, name), getattr(easier, name)) for name in names]
        freer = all(one == other or (one, other) in _MORE_FREEDOM for one, other in options)
        return freer and _fills_spaces_with(harder) <= _fills_spaces_with(easier)
    return (harder.name, easier.name) in (("clock", "watch"), ("clock", "open-clock"))


def _fills_spaces_with(game: TableauRules) -> set[str]:
    """What may go to an empty column."""
    fillers = {
        Spaces.NEVER: set[str](),
        Spaces.KINGS: {"King", "sequence from a King"},
        Spaces.SINGLE_CARD: {"King", "card"},
        Spaces.ANY: {"King", "card", "sequence from a King", "sequence"},
    }[game.spaces]
    return {one for one in fillers if game.groups is Groups.SEQUENCE or "sequence" not in one}


def same_layout(one: Rules, other: Rules) -> bool:
    """Whether a deck dealt by either gives the same columns and foundations, until Kings move."""

    def shape(game: Rules) -> tuple[Any, ...]:
        own = (game.aces_out, game.foundations is Foundations.DIAL) if isinstance(game, TableauRules) else ()
        return (game.family, game.columns, game.column_cards, *own)

    return shape(one) == shape(other)


def pair_up(first: tuple[Wins, Wins], second: tuple[Wins, Wins]) -> Paired:
    """Compare two games, or players, on the same deals.

    Parameters
    ----------
    first, second : pair of ndarray of bool, shape (deals,)
        Whether each deal is certainly won, and whether it may be.
    """
    (sure_1, may_1), (sure_2, may_2) = first, second
    only_first, only_second = sure_1 & ~may_2, sure_2 & ~may_1
    both, neither = sure_1 & sure_2, ~may_1 & ~may_2
    return Paired(
        both=_count(both),
        only_first=_count(only_first),
        only_second=_count(only_second),
        neither=_count(neither),
        undecided=_count(~(both | only_first | only_second | neither)),
        p_value=mcnemar_test(
            _count(only_first),
            _count(only_second),
            _count(may_1 & ~sure_2 & ~only_first),
            _count(may_2 & ~sure_1 & ~only_second),
        ),
        difference=Interval(_difference(sure_1, may_2).low, _difference(may_1, sure_2).high),
    )


def plan_games(
    games: Sequence[str],
    deals: DealRange | str,
    *,
    kings: Kings | str | None = None,
    limits: Limits | None = None,
) -> list[DealStudy]:
    """Plan studies of several games on the same deals.

    Parameters
    ----------
    games : sequence of str
        At least two.
    deals : DealRange or str
    kings : {"slide", "swap", "as-dealt"}, optional
        How Kings are moved. By default, as in the first game if all layouts have the same shape, else in
        each game as its own deals have it.
    limits : Limits, optional

    Returns
    -------
    list of DealStudy

    Raises
    ------
    InputError
        If there are fewer than two games, one of them twice, or any of it does not exist.
    """
    chosen = parse_range(deals) if isinstance(deals, str) else deals
    rules = [find_game(game) for game in games]
    names = [game.name for game in rules]
    if len(names) < 2:
        raise InputError("a comparison takes at least two games")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is to be compared with itself")
    if kings is None and all(same_layout(rules[0], game) for game in rules):
        kings = load_deal(rules[0], chosen[0]).kings
    return [plan_study(game, chosen, kings=kings, limits=limits) for game in rules]


def compare_studies(plans: Sequence[DealStudy], directories: Sequence[Path]) -> GamesCompared:
    """Compare the finished studies of several games, of the same deals.

    Parameters
    ----------
    plans : sequence of DealStudy
    directories : sequence of Path
        Where each of them was run.

    Raises
    ------
    InputError
        If a study is not there, or is of other deals.
    """
    frames = [read_study(directory) for directory in directories]
    for frame, plan in zip(frames, plans, strict=True):
        if len(frame) != len(plan.deals) or list(frame["source"].iloc[[0, -1]]) != [
            plan.deals[0],
            plan.deals[-1],
        ]:
            raise InputError(f"the study of {plan.game.name} is not of all of {plan.deals}")
    wins = {plan.game.name: _wins(frame) for plan, frame in zip(plans, frames, strict=True)}
    pairs = {(one, other): pair_up(wins[one], wins[other]) for one, other in combinations(wins, 2)}
    inclusions = []
    for harder, easier in permutations(plans, 2):
        if harder.kings != easier.kings or not at_least_as_free(harder.game, easier.game):
            continue
        won = wins[harder.game.name][0]
        impossible = np.flatnonzero(won & ~wins[easier.game.name][1])
        inclusions.append(
            Inclusion(
                harder.game.name,
                easier.game.name,
                _count(won),
                tuple(harder.deals[int(index)] for index in impossible),
            )
        )
    return GamesCompared(pairs, tuple(inclusions))


def _wins(frame: pd.DataFrame) -> tuple[Wins, Wins]:
    outcome = frame["outcome"].to_numpy()
    return np.asarray(outcome == str(Outcome.WINNABLE)), np.asarray(outcome != str(Outcome.UNWINNABLE))


def _difference(first: Wins, second: Wins) -> Interval:
    return paired_difference(
        _count(first & second), _count(first & ~second), _count(~first & second), _count(~first & ~second)
    )


def _count(wins: Wins) -> int:
    return int(np.count_nonzero(wins))

"""Decide one deal of any game: the one place where studies meet the solvers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from solvers.bakers_dozen.solve import Limits, solve
from solvers.clock.policies import find_variant
from solvers.clock.rules import play, redeal
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.games import Rules, TableauRules
from solvers.outcome import Limit, Outcome, SolveResult
from solvers.streams import draw_below, named_key
from solvers.wording import counted

if TYPE_CHECKING:
    from solvers.games import Kings

__all__ = ["check_game", "judge"]


def check_game(game: Rules, policy: str | None) -> str | None:
    """Return the name of the policy by which a game's deals are judged, if it has policies.

    Raises
    ------
    InputError
        If there is no such policy.
    """
    if not isinstance(game, TableauRules):
        return find_variant(game.name, policy).policy
    if policy is not None:
        raise InputError(f"{game.name} is decided for the best of play: it takes no policy")
    return None


def judge(game: Rules, source: str, kings: Kings | None, limits: Limits, policy: str | None) -> SolveResult:
    """Decide a deal, or play it where there is nothing to decide.

    Parameters
    ----------
    game : Rules
    source : str
        As `solvers.deals.load_deal` reads it.
    kings : Kings or None
        How Kings are moved to the bottom; None for the default of the source.
    limits : Limits
        When to give up.
    policy : str or None
        Clock family: by which policy it is played.

    Returns
    -------
    SolveResult
        In the Clock family a deal is *winnable* if its play, by that policy, wins it. The states are the
        cards turned, and the reason for a loss is the number of cards left.
    """
    position = load_deal(game, source, kings).position
    if isinstance(game, TableauRules):
        result = solve(position, limits, rules=game)
        if result.reason == Limit.INTERRUPTED:
            raise KeyboardInterrupt
        return result
    started = time.perf_counter()
    variant = find_variant(game.name, policy)
    # As dealt here, the centre is a card short; where an hour is to be, the same cards are dealt so.
    piles = redeal(position.columns, variant.order(position.deck)) if variant.short_hour else position.columns
    playout = play(variant, piles, _Chance(source).below)
    seconds = time.perf_counter() - started
    if playout.won:
        return SolveResult(Outcome.WINNABLE, states=len(playout.turned), seconds=seconds)
    reason = f"{counted(playout.cards_left, 'card')} left"
    return SolveResult(Outcome.UNWINNABLE, reason, states=len(playout.turned), seconds=seconds)


class _Chance:
    """What a policy that chooses at random draws: a function of the deal's source alone."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._counter = np.uint64(0)

    def below(self, n: int) -> int:
        """Draw a number below `n`, each equally likely."""
        with np.errstate(over="ignore"):
            number, counter = draw_below(named_key(self._source), self._counter, np.uint64(n))
        self._counter = np.uint64(counter)
        return int(number)

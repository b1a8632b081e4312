"""Decide a position of Baker's Dozen or one of its relatives: the public entry to the searches.

A verdict *winnable* is given only with a move list that the referee (`rules`) has accepted,
*unwinnable* only when a search was exhausted of which every pruning is argued where it is made.
Anything else is *undecided*, with the limit that was met.

Which search decides a game follows from its rules: the exact one of `quotient` where its argument holds,
else `walk`, over real moves.
"""

from __future__ import annotations

from collections.abc import Callable

from solvers.bakers_dozen.limits import Limits, Watch
from solvers.bakers_dozen.quotient import Quotient
from solvers.bakers_dozen.rules import replay
from solvers.bakers_dozen.walk import Walker
from solvers.foundations import Foundations
from solvers.games import BAKERS_DOZEN, Groups, Spaces, TableauRules
from solvers.outcome import Outcome, SolveResult
from solvers.positions import Position

__all__ = ["Limits", "solve"]


def solve(
    position: Position,
    limits: Limits | None = None,
    *,
    rules: TableauRules = BAKERS_DOZEN,
    progress: Callable[[int], None] | None = None,
) -> SolveResult:
    """Decide whether a position can be won, and how.

    Parameters
    ----------
    position : Position
        Any position of the game, from the start or later. It is checked.
    limits : Limits, optional
    rules : TableauRules
        The game.
    progress : callable, optional
        Called several times a second with the number of states visited so far.

    Returns
    -------
    SolveResult
        Its `states` are the same for the same position, game and limits on states and memory.

    Raises
    ------
    InputError
        If the position is not one of the game and its deck, or has too many columns.
    """
    replay(position, (), rules)  # the referee checks the position
    watch = Watch(limits or Limits(), progress)
    run = (Quotient if quotient_applies(rules) else Walker)(position, rules, watch)
    result = run.run()
    if result.outcome is Outcome.WINNABLE and not replay(position, result.moves, rules).won:
        raise AssertionError(f"the moves found for this position do not win it:\n{position}")
    return result


def quotient_applies(rules: TableauRules) -> bool:
    """Whether the rules are those for which `quotient` is argued."""
    return (
        rules.spaces in (Spaces.NEVER, Spaces.KINGS)
        and rules.groups is Groups.ONE_CARD
        and rules.foundations is not Foundations.DIAL
        and not rules.worrying_back
    )

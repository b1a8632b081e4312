"""What is known exactly of the Clock family, as pandas tables; pandas is imported when one is made."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from solvers.cards import Deck
from solvers.clock.policies import GAMES
from solvers.clock.theory import ExactResult, exact

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["complete_hours_table", "exact_table", "turned_table"]

STANDARD_DECK = Deck()


def exact_table(deck: Deck = STANDARD_DECK) -> pd.DataFrame:
    """Return one row for each game and policy.

    Parameters
    ----------
    deck : Deck, optional

    Returns
    -------
    pandas.DataFrame
        Columns ``game``, ``policy`` (empty if there is only one), ``cards``, ``win_probability`` (a
        `Fraction`) and as floats ``win``, ``loss``, ``mean_left``, ``deviation_left`` (standard deviation)
        and ``mean_complete_hours`` (not a number where it is not known).
    """
    import pandas as pd

    rows = []
    for variants in GAMES.values():
        for variant in variants:
            result = exact(variant.game, variant.policy, deck=deck)
            mean, variance = result.mean_cards_left, result.variance_cards_left
            hours = result.complete_hours
            rows.append(
                {
                    "game": variant.game,
                    "policy": variant.policy or "",
                    "cards": result.cards,
                    "win_probability": result.win_probability,
                    "win": float(result.win_probability),
                    "loss": float(result.loss_probability),
                    "mean_left": float("nan") if mean is None else float(mean),
                    "deviation_left": float("nan") if variance is None else sqrt(variance),
                    "mean_complete_hours": float("nan") if hours is None else float(_mean(hours)),
                }
            )
    return pd.DataFrame(rows)


def turned_table(result: ExactResult) -> pd.DataFrame:
    """Return the distribution of the cards left and turned.

    Parameters
    ----------
    result : ExactResult
        With a known distribution of the cards left.

    Returns
    -------
    pandas.DataFrame
        Columns ``left``, ``turned``, ``probability`` (a `Fraction`), ``p`` (the same as a float) and
        ``at_most`` (the chance that so many are left or fewer).

    Raises
    ------
    ValueError
        If the distribution is not known.
    """
    if result.cards_left is None:
        raise ValueError(f"the distribution of the cards left at {result.game} is not known")
    table = _distribution(result.cards_left, "left")
    table.insert(1, "turned", result.cards - table["left"])
    return table


def complete_hours_table(result: ExactResult) -> pd.DataFrame:
    """Return the distribution of the complete hour piles.

    Parameters
    ----------
    result : ExactResult
        With a known distribution of the complete hours.

    Returns
    -------
    pandas.DataFrame
        Columns ``complete_hours``, ``probability`` (a `Fraction`), ``p`` and ``at_most``.

    Raises
    ------
    ValueError
        If the distribution is not known.
    """
    if result.complete_hours is None:
        raise ValueError(f"the distribution of complete hours at {result.game} is not known")
    return _distribution(result.complete_hours, "complete_hours")


def _distribution(probabilities: tuple[Fraction, ...], name: str) -> pd.DataFrame:
    import pandas as pd

    table = pd.DataFrame({name: range(len(probabilities)), "probability": probabilities})
    table["p"] = [float(p) for p in probabilities]
    sums = [sum(probabilities[: value + 1], Fraction(0)) for value in range(len(probabilities))]
    table["at_most"] = [float(p) for p in sums]
    return table


def _mean(probabilities: tuple[Fraction, ...]) -> Fraction:
    return sum((value * p for value, p in enumerate(probabilities)), Fraction(0))

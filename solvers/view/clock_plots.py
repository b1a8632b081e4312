"""Figures of the Clock family; matplotlib is imported when one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from solvers.clock.theory import ExactResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from solvers.clock.simulate import SimulationResult

__all__ = ["plot_cards_left", "plot_complete_hours", "plot_win_rates"]


def plot_cards_left(
    known: ExactResult, simulated: SimulationResult | None = None, axes: Axes | None = None
) -> Axes:
    """Draw the distribution of the cards left at the end, and simulated shares over it.

    Parameters
    ----------
    known : ExactResult
        With a known distribution of the cards left.
    simulated : SimulationResult, optional
        Of the same game, with at least one game.
    axes : matplotlib.axes.Axes, optional
        Where to draw; new ones if not given.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the distribution is not known.
    """
    counts = None if simulated is None else simulated.cards_left
    return _plot_distribution(known, known.cards_left, counts, "cards left", axes)


def plot_complete_hours(
    known: ExactResult, simulated: SimulationResult | None = None, axes: Axes | None = None
) -> Axes:
    """Draw the distribution of the complete hours; parameters and result as for `plot_cards_left`."""
    counts = None if simulated is None else simulated.complete_hours
    return _plot_distribution(known, known.complete_hours, counts, "complete hours", axes)


def plot_win_rates(results: Sequence[ExactResult], axes: Axes | None = None) -> Axes:
    """Draw a bar for each result, its length the chance of a win, the first at the top."""
    axes = axes or _new_axes()
    names = [result.policy or result.game for result in results]
    rates = [float(result.win_probability) for result in results]
    bars = axes.barh(names, rates, color="0.6")
    axes.bar_label(bars, [f"{rate:.4f}" for rate in rates], padding=3)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.1 * max(rates))
    axes.set_xlabel("chance of a win")
    return axes


def _plot_distribution(
    known: ExactResult,
    probabilities: Sequence[Fraction] | None,
    counts: Sequence[int] | None,
    label: str,
    axes: Axes | None,
) -> Axes:
    if probabilities is None:
        raise ValueError(f"the distribution of {label} at {known.game} is not known")
    axes = axes or _new_axes()
    values = range(len(probabilities))
    axes.bar(values, [float(p) for p in probabilities], color="0.8", label="exact")
    if counts is not None:
        games = sum(counts)
        axes.plot(values, [count / games for count in counts], "k.", markersize=4, label=f"{games:,} games")
        axes.legend(frameon=False)
    axes.set_xlabel(label)
    axes.set_ylabel("probability")
    axes.set_title(known.game if known.policy is None else f"{known.game}, {known.policy}")
    return axes


def _new_axes() -> Axes:
    from matplotlib.figure import Figure

    # Not pyplot: it keeps every figure alive, and wants a display in some settings.
    return Figure(layout="constrained").add_subplot()

"""Figures of the Clock family, exact values and simulated ones together.

As in `solvers.view.plots`, each function returns a matplotlib figure, and matplotlib is imported when one is
drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from solvers.clock.theory import ExactResult
from solvers.view.plots import BLUE, GREY, RED, ROW_HEIGHT, new_figure, percent, print_style
from solvers.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from solvers.clock.simulate import SimulationResult

__all__ = ["plot_cards_left", "plot_complete_hours", "plot_win_rates"]


def plot_cards_left(known: ExactResult, simulated: SimulationResult | None = None) -> Figure:
    """Draw the distribution of the cards left at the end, and simulated shares with their distances.

    Parameters
    ----------
    known : ExactResult
        With a known distribution of the cards left.
    simulated : SimulationResult, optional
        Of the same game, with at least one game.

    Returns
    -------
    matplotlib.figure.Figure
        Below the distribution, for each number of cards, the distance between the share simulated and the
        exact probability in standard errors.

    Raises
    ------
    ValueError
        If the distribution is not known.
    """
    counts = None if simulated is None else simulated.cards_left
    return _plot_distribution(known, known.cards_left, counts, "cards left")


def plot_complete_hours(known: ExactResult, simulated: SimulationResult | None = None) -> Figure:
    """Draw the distribution of the complete hours; parameters and result as for `plot_cards_left`."""
    counts = None if simulated is None else simulated.complete_hours
    return _plot_distribution(known, known.complete_hours, counts, "complete hours")


def plot_win_rates(results: Sequence[ExactResult]) -> Figure:
    """Draw a row for each result, from top to bottom, with the exact chance of a win.

    Parameters
    ----------
    results : sequence of ExactResult
        At least one.

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = [
        result.game if result.policy is None else f"{result.game}, {result.policy}" for result in results
    ]
    rates = [float(result.win_probability) for result in results]
    rows = range(len(names))
    with print_style():
        axes = new_figure(0.6 + ROW_HEIGHT * len(names)).add_subplot()
        axes.hlines(rows, 0, rates, color="0.8", linewidth=1)
        axes.plot(rates, rows, "o", color=BLUE, markersize=4)
        for row, rate in zip(rows, rates, strict=True):
            axes.annotate(
                percent(rate), (1, row), xycoords=("axes fraction", "data"), xytext=(6, 0),
                textcoords="offset points", va="center", color=GREY,
            )  # fmt: skip
        axes.set_yticks(rows, names)
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlim(0, 1.04 * max(rates))
        axes.xaxis.set_major_formatter(percent)
        axes.set_xlabel("chance of a win")
    return axes.figure


def _plot_distribution(
    known: ExactResult, probabilities: Sequence[Fraction] | None, counts: Sequence[int] | None, label: str
) -> Figure:
    if probabilities is None:
        raise ValueError(f"the distribution of {label} at {known.game} is not known")
    exact = [float(p) for p in probabilities]
    with print_style():
        figure = new_figure(3.0 if counts is None else 4.2)
        if counts is None:
            above = below = figure.add_subplot()
        else:
            above, below = figure.subplots(2, sharex=True, height_ratios=(3, 1))
            _draw_distances(below, exact, counts)
        above.bar(range(len(exact)), exact, color="0.8", label="exact")
        if counts is not None:
            games = sum(counts)
            shares = [count / games for count in counts]
            above.plot(range(len(exact)), shares, ".", color=BLUE, markersize=4, label=counted(games, "game"))
            above.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0.2)
        above.yaxis.set_major_formatter(percent)
        above.set_ylabel("probability")
        above.set_title(known.game if known.policy is None else f"{known.game}, {known.policy}")
        below.set_xlabel(label)
    return figure


def _draw_distances(axes: Axes, exact: Sequence[float], counts: Sequence[int]) -> None:
    """Draw how far counts are from what is expected; what cannot happen, or must, has no standard error."""
    games = sum(counts)
    distances = {
        value: (count - games * p) / sqrt(games * p * (1 - p))
        for value, (count, p) in enumerate(zip(counts, exact, strict=True))
        if 0 < p < 1
    }
    axes.axhspan(-2, 2, color="0.93", zorder=0)
    axes.axhline(0, color=GREY, linewidth=0.7)
    axes.vlines(distances.keys(), 0, distances.values(), color=BLUE, linewidth=1)
    off = {value: distance for value, distance in distances.items() if abs(distance) > 4}
    axes.plot(off.keys(), off.values(), "x", color=RED)
    reach = max(3.0, *map(abs, distances.values())) * 1.1
    axes.set_ylim(-reach, reach)
    axes.set_ylabel("standard\nerrors")

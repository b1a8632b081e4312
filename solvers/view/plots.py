"""Figures for print: shares with their intervals, differences, and win rate against effort.

Every function takes plain sequences or columns of a pandas table and returns a matplotlib figure, which
Jupyter shows and ``figure.savefig("name.pdf")`` keeps. matplotlib is imported when a figure is drawn.

The colours are those of M. Okabe and K. Ito, "Color Universal Design", 2008, which stay apart for eyes of any
kind and in grey; markers and lines differ as well. A share is always drawn with its interval: a dot is
what was counted, the line is where the true share may lie. Deals that stayed undecided make the dot
a bar, from all of them lost to all of them won.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from solvers.errors import InputError
from solvers.studies.proportion import Interval, share_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Claim",
    "Curve",
    "new_figure",
    "percent",
    "plot_differences",
    "plot_effort",
    "plot_shares",
    "print_style",
]

BLUE, ORANGE, GREEN, RED, PURPLE = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7"
GREY = "#595959"
_SERIES = tuple(zip((BLUE, RED, GREEN, PURPLE, ORANGE), "osD^v", ("-", "--", "-.", ":", "-"), strict=True))
ROW_HEIGHT = 0.24
"""Inches for a row with a label."""
_MARGIN_OF_AXIS = 0.06


class Claim(NamedTuple):
    """A share that somebody claims, drawn as a band."""

    low: float
    high: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Wins of one player at growing effort.

    Parameters
    ----------
    label : str
    effort : sequence of float
        Positive, in any order.
    won, deals : sequence of int
        As many: deals won and deals played at each effort.
    """

    label: str
    effort: Sequence[float]
    won: Sequence[int]
    deals: Sequence[int]


@contextmanager
def print_style() -> Iterator[None]:
    """Inside the block, matplotlib draws as all figures of this package: small type, thin lines, no frame."""
    import matplotlib as mpl

    with mpl.rc_context(
        {
            "axes.axisbelow": True,
            "axes.linewidth": 0.7,
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.titlelocation": "left",
            "axes.titlesize": 10,
            "figure.dpi": 96,
            "font.size": 9,
            "grid.color": "0.9",
            "grid.linewidth": 0.6,
            "legend.frameon": False,
            "pdf.fonttype": 42,  # letters stay letters
            "svg.fonttype": "none",
            "svg.hashsalt": "patience-lab",  # the same drawing is the same file
            "xtick.major.width": 0.7,
            "ytick.major.width": 0.7,
        }
    ):
        yield


def new_figure(height: float) -> Figure:
    """Return an empty figure as wide as the text of a sheet of A4, 160 mm; `height` is in inches."""
    from matplotlib.figure import Figure

    # Not pyplot: it keeps every figure alive, and wants a display in some settings.
    return Figure(figsize=(6.3, height), layout="constrained")


def plot_shares(
    labels: Sequence[str],
    won: Sequence[int],
    deals: Sequence[int],
    undecided: Sequence[int] | None = None,
    *,
    claim: Claim | None = None,
    nines: bool = False,
    axis: str = "share of deals that can be won",
) -> Figure:
    """Draw a row for each label: share won, its 95 % interval, and both in figures at the right.

    Parameters
    ----------
    labels : sequence of str
        From top to bottom.
    won, deals : sequence of int
        Deals won, and all deals.
    undecided : sequence of int, optional
        How many of the deals are undecided; none if not given.
    claim : Claim, optional
    nines : bool
        Space the axis by what is *not* won, in powers of ten, so that 90, 99 and 99.9 % stand equally far
        apart. 100 %, which would be infinitely far, has its place at the right end.
    axis : str
        What the share is a share of.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If the sequences differ in length, are empty, or a row has no deals or impossible numbers.
    """
    unknown = [0] * len(labels) if undecided is None else list(map(int, undecided))
    _check_lengths(labels=labels, won=won, deals=deals, undecided=unknown)
    rows = []
    for label, wins, trials, open_deals in zip(labels, map(int, won), map(int, deals), unknown, strict=True):
        if not trials:
            raise InputError(f"{label}: there are no deals to take a share of")
        counted = Interval(wins / trials, (wins + open_deals) / trials)
        rows.append(_Row(label, counted, share_interval(wins, trials, open_deals)))
    with print_style():
        axes = _rows_axes(rows)
        if claim is not None:
            axes.axvspan(claim.low, claim.high, color=ORANGE, alpha=0.25, linewidth=0, label=claim.label)
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
        _draw_rows(axes, rows, [_share_text(row) for row in rows])
        ends = [end for row in rows for end in row.interval] + ([claim.low, claim.high] if claim else [])
        if nines:
            _space_by_nines(axes, ends)
            axes.set_xlabel(f"{axis}, %")
        else:
            low, high = _with_margin(min(ends), max(ends))
            # A dot at 0 or 1 is shown whole, but the axis does not promise shares beyond.
            axes.set_xlim(max(-0.02 * (high - low), low), min(1 + 0.02 * (high - low), high))
            axes.locator_params(axis="x", nbins=4, steps=[1, 2, 2.5, 5, 10])
            axes.xaxis.set_major_formatter(percent)
            axes.set_xlabel(axis)
    return axes.figure


def plot_differences(
    labels: Sequence[str],
    differences: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    at_most: Sequence[float] | None = None,
    axis: str = "difference in deals won",
) -> Figure:
    """Draw a row for each difference of two shares with its interval, and a line where there is none.

    Parameters
    ----------
    labels : sequence of str
        From top to bottom.
    differences, lows, highs : sequence of float
        Each difference, between -1 and 1, and the ends of its interval
        (`solvers.studies.proportion.paired_difference`).
    at_most : sequence of float, optional
        Where undecided deals leave the differences open, what they are at most; `differences` is then what
        they are at least.
    axis : str
        What is compared.

    Returns
    -------
    matplotlib.figure.Figure
        Its axis is in percentage points.

    Raises
    ------
    InputError
        If the sequences differ in length or are empty.
    """
    most = differences if at_most is None else at_most
    _check_lengths(labels=labels, differences=differences, at_most=most, lows=lows, highs=highs)
    rows = [
        _Row(label, Interval(100 * least, 100 * greatest), Interval(100 * low, 100 * high))
        for label, least, greatest, low, high in zip(labels, differences, most, lows, highs, strict=True)
    ]
    with print_style():
        axes = _rows_axes(rows)
        axes.axvline(0, color=GREY, linewidth=0.8)
        _draw_rows(axes, rows, [_difference_text(row) for row in rows])
        ends = [end for row in rows for end in row.interval]
        axes.set_xlim(*_with_margin(min(0.0, *ends), max(0.0, *ends)))
        axes.set_xlabel(f"{axis} (percentage points)")
    return axes.figure


def plot_effort(
    curves: Sequence[Curve],
    *,
    claim: Claim | None = None,
    ceiling: Interval | None = None,
    effort: str = "states looked at",
) -> Figure:
    """Draw the win rate of each player against effort, on a logarithmic axis, with 95 % intervals.

    Parameters
    ----------
    curves : sequence of Curve
    claim : Claim, optional
    ceiling : Interval, optional
        Where the share of deals that anybody could win lies.
    effort : str
        Name of the effort and its unit.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If there is no curve, or one has no point, an effort that is not positive, or impossible numbers.
    """
    _check_lengths(curves=curves)
    if len(curves) > len(_SERIES):
        raise InputError(f"{len(curves)} curves in one figure cannot be told apart; at most {len(_SERIES)}")
    with print_style():
        axes = new_figure(3.9).add_subplot()
        for curve, (colour, marker, line) in zip(curves, _SERIES, strict=False):
            _draw_curve(axes, curve, color=colour, marker=marker, linestyle=line)
        if claim is not None:
            band = {"color": ORANGE, "alpha": 0.25, "linewidth": 0, "zorder": 0}
            axes.axhspan(claim.low, claim.high, label=claim.label, **band)
        if ceiling is not None:
            text = f"can be won: {ceiling.percent(1)}"
            axes.axhspan(*ceiling, color=GREY, alpha=0.3, linewidth=1, zorder=0, label=text)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.12g}")
        axes.yaxis.set_major_formatter(percent)
        axes.grid(axis="y")
        axes.set_xlabel(effort)
        axes.set_ylabel("deals won")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return axes.figure


class _Row(NamedTuple):
    """A label, what was counted (a point, or a bar between two), and the interval round it."""

    label: str
    counted: Interval
    interval: Interval


def _rows_axes(rows: Sequence[_Row]) -> Axes:
    axes = new_figure(0.75 + ROW_HEIGHT * len(rows)).add_subplot()
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    return axes


def _draw_rows(axes: Axes, rows: Sequence[_Row], texts: Sequence[str]) -> None:
    places = range(len(rows))
    axes.hlines(places, *zip(*(row.interval for row in rows), strict=True), color=BLUE, linewidth=1.2)
    axes.hlines(places, *zip(*(row.counted for row in rows), strict=True), color=BLUE, linewidth=4)
    # At both ends, so that a bar of one deal in a million is seen as well; mostly they are one.
    for end in zip(*(row.counted for row in rows), strict=True):
        axes.plot(end, places, "o", color=BLUE, markersize=4)
    for place, text in enumerate(texts):
        axes.annotate(
            text, (1, place), xycoords=("axes fraction", "data"), xytext=(6, 0), textcoords="offset points",
            va="center", color=GREY,
        )  # fmt: skip


def _space_by_nines(axes: Axes, ends: Sequence[float]) -> None:
    """Space the axis of shares by the powers of ten of what is not won."""
    import numpy as np

    # A tenth of the least that is not won, wherever that is sure to be something, stands for nothing.
    nearest = max((end for end in ends if end < 1), default=0.9)
    last = 1 - (1 - nearest) / 10
    axes.set_xscale(
        "function",
        functions=(lambda share: -np.log10(1 - np.minimum(share, last)), lambda nines: 1 - 10.0**-nines),
    )
    first = min(*ends, 0.9)
    axes.set_xlim(first, last)
    ticks = [tick for tick in (0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999) if first <= tick <= nearest]
    axes.set_xticks([*ticks, last], [*(f"{100 * tick:g}" for tick in ticks), "100"])
    for dots in axes.lines:
        dots.set_clip_on(False)


def _draw_curve(axes: Axes, curve: Curve, **style: Any) -> None:
    _check_lengths(effort=curve.effort, won=curve.won, deals=curve.deals)
    if min(curve.effort) <= 0:
        raise InputError(f"{curve.label}: effort on a logarithmic axis is positive, not {min(curve.effort)}")
    if min(curve.deals) <= 0:
        raise InputError(f"{curve.label}: there are no deals to take a share of")
    points = sorted(zip(map(float, curve.effort), map(int, curve.won), map(int, curve.deals), strict=True))
    effort = [point[0] for point in points]
    intervals = [share_interval(wins, deals) for _, wins, deals in points]
    lows, highs = zip(*intervals, strict=True)
    if len(points) == 1:
        axes.vlines(effort, lows, highs, color=style["color"], linewidth=1)
    else:
        axes.fill_between(effort, lows, highs, color=style["color"], alpha=0.2, linewidth=0)
    shares = [wins / deals for _, wins, deals in points]
    axes.plot(effort, shares, markersize=4, linewidth=1.2, label=curve.label, **style)


def _share_text(row: _Row) -> str:
    # Two figures of the interval's width, but one decimal of a per cent at least and four at most.
    width = 100 * (row.interval.high - row.interval.low)
    decimals = min(max(1, 1 + math.ceil(-math.log10(width))), 4)
    if row.counted.low != row.counted.high:
        return row.interval.percent(decimals)
    return f"{100 * row.counted.low:.{decimals}f} %  ({row.interval.percent(decimals)})"


def _difference_text(row: _Row) -> str:
    least, greatest = row.counted
    return f"{least:+.2f}" if least == greatest else f"{least:+.2f} to {greatest:+.2f}"


def _with_margin(low: float, high: float) -> tuple[float, float]:
    margin = (high - low) * _MARGIN_OF_AXIS or 0.01
    return low - margin, high + margin


def percent(share: float, _place: int = 0) -> str:
    """Write a share at an axis."""
    return f"{100 * share:.6g} %"


def _check_lengths(**columns: Sequence[Any]) -> None:
    lengths: Mapping[str, int] = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise InputError(f"columns of unequal length: {', '.join(f'{n} {k}' for n, k in lengths.items())}")
    if not next(iter(lengths.values())):
        raise InputError(f"nothing to draw: {next(iter(lengths))} is empty")

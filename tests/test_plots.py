"""Figures show the numbers they were given, with the intervals that belong to them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest

from solvers.errors import InputError
from solvers.studies.proportion import Interval, share_interval

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

from solvers.view import plots
from solvers.view.plots import Claim, Curve, plot_differences, plot_effort, plot_shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS, WON, DEALS, OPEN = ["a", "b", "c"], [70, 0, 100], [100, 100, 110], [0, 0, 5]
CLAIM = Claim(0.75, 0.8, "claimed")


def axes_of(figure: Figure) -> Axes:
    (axes,) = figure.axes
    return axes


def segments(axes: Axes, which: int) -> list[tuple[float, float, float]]:
    """Row, low and high end of the lines of one set: 0 the intervals, 1 what was counted."""
    lines = axes.collections[which].get_segments()
    return [(float(start[1]), float(start[0]), float(end[0])) for start, end in lines]


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_shares_are_drawn_with_their_intervals() -> None:
    axes = axes_of(plot_shares(LABELS, WON, DEALS, OPEN))
    intervals = [share_interval(*row) for row in zip(WON, DEALS, OPEN, strict=True)]
    assert segments(axes, 0) == [(row, *interval) for row, interval in enumerate(intervals)]
    assert segments(axes, 1) == [(0, 0.7, 0.7), (1, 0, 0), (2, 100 / 110, 105 / 110)]
    ends = [list(zip(dots.get_xdata(), dots.get_ydata(), strict=True)) for dots in axes.lines]
    assert ends == [[(0.7, 0), (0, 1), (100 / 110, 2)], [(0.7, 0), (0, 1), (105 / 110, 2)]]
    assert [label.get_text() for label in axes.get_yticklabels()] == LABELS
    top, bottom = axes.get_ylim()[::-1]
    assert top < 0 < 2 < bottom, "first at the top"
    left, right = axes.get_xlim()
    assert left <= 0 < max(interval.high for interval in intervals) <= right
    assert texts(axes)[0] == "70.0 %  (60.4 % to 78.2 %)"
    assert texts(axes)[2].startswith("84."), "what is not known has no single figure"


def test_narrow_interval_is_written_with_more_decimals() -> None:
    axes = axes_of(plot_shares(["a"], [9_986_239], [9_999_985]))
    assert texts(axes) == ["99.8625 %  (99.8602 % to 99.8649 %)"]


def test_columns_of_a_table_will_do() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    table = pandas.DataFrame({"game": LABELS, "won": WON, "deals": DEALS, "undecided": OPEN}, index=[9, 8, 7])
    axes = axes_of(plot_shares(table["game"], table["won"], table["deals"], table["undecided"]))
    assert segments(axes, 0) == segments(axes_of(plot_shares(LABELS, WON, DEALS, OPEN)), 0)
    assert texts(axes) == texts(axes_of(plot_shares(LABELS, WON, DEALS, OPEN)))


def test_claim_is_a_band_in_sight() -> None:
    axes = axes_of(plot_shares(["a"], [5], [1000], claim=CLAIM))
    (band,) = axes.patches
    box = band.get_extents().transformed(axes.transData.inverted())
    assert (box.x0, box.x1) == pytest.approx((0.75, 0.8))
    assert axes.get_xlim()[0] <= 0.005 <= 0.8 <= axes.get_xlim()[1]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["claimed"]


def test_axis_of_nines_spaces_by_what_is_not_won() -> None:
    axes = axes_of(plot_shares(["a", "b", "c"], [900, 990, 1000], [1000] * 3, nines=True))
    at = axes.transData.transform
    ninety, ninety_nine, last, everything = (
        at((share, 0))[0] for share in (0.9, 0.99, axes.get_xlim()[1], 1.0)
    )
    assert everything == pytest.approx(last), "100 % is at the right end"
    nines = -np.log10(1 - axes.get_xlim()[1])
    assert (last - ninety) / (ninety_nine - ninety) == pytest.approx(nines - 1)
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == ["90", "99", "100"]
    assert axes.get_xlabel().endswith(", %")
    assert texts(axes)[2].startswith("100.0")


def test_differences_are_in_points_and_show_zero() -> None:
    axes = axes_of(plot_differences(["x", "y"], [0.125, 0.25], [0.0625, 0.125], [0.25, 0.5]))
    assert segments(axes, 0) == [(0, 6.25, 25), (1, 12.5, 50)]
    zero, dots, _ = axes.lines
    assert list(zero.get_xdata()) == [0, 0]
    assert list(dots.get_xdata()) == [12.5, 25]
    assert texts(axes) == ["+12.50", "+25.00"]
    axes = axes_of(plot_differences(["x"], [0.125], [0.0625], [0.5], at_most=[0.25]))
    assert segments(axes, 1) == [(0, 12.5, 25)]
    assert texts(axes) == ["+12.50 to +25.00"]
    assert axes.get_xlim()[0] < 0
    assert "percentage points" in axes.get_xlabel()


def test_effort_is_sorted_and_drawn_with_intervals() -> None:
    curve = Curve("search", [100, 1, 10], [80, 20, 50], [100, 100, 100])
    axes = axes_of(plot_effort([curve], claim=CLAIM, ceiling=Interval(np.float64(0.86), np.float64(0.87))))
    (line,) = axes.lines
    assert list(line.get_xdata()) == [1, 10, 100]
    assert list(line.get_ydata()) == [0.2, 0.5, 0.8]
    edge = axes.collections[0].get_paths()[0].vertices
    assert edge[:, 1].min() == pytest.approx(share_interval(20, 100).low)
    assert edge[:, 1].max() == pytest.approx(share_interval(80, 100).high)
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["search", "claimed", "can be won: 86.0 % to 87.0 %"]
    assert axes.get_xscale() == "log"
    assert axes.xaxis.get_major_formatter()(1_000_000, 0) == "1,000,000"
    assert axes.get_ylim()[0] == 0


def test_single_effort_has_its_interval_too() -> None:
    axes = axes_of(plot_effort([Curve("greedy", [600], [25], [100])]))
    (line,) = axes.collections[0].get_segments()
    assert [tuple(end) for end in line] == [(600, end) for end in share_interval(25, 100)]


def test_curves_differ_in_more_than_colour() -> None:
    curves = [Curve(str(number), [1, 2], [1, 2], [9, 9]) for number in range(5)]
    lines = axes_of(plot_effort(curves)).lines
    assert len({line.get_color() for line in lines}) == 5
    assert len({line.get_marker() for line in lines}) == 5


FIGURES: dict[str, Callable[[], Figure]] = {
    "shares": lambda: plot_shares(LABELS, WON, DEALS, OPEN, claim=CLAIM),
    "differences": lambda: plot_differences(["x"], [0.1], [0.0], [0.2]),
    "effort": lambda: plot_effort([Curve("search", [1, 10], [1, 2], [9, 9])], claim=CLAIM),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figure_can_be_printed_and_names_its_axes(name: str) -> None:
    figure = FIGURES[name]()
    axes = axes_of(figure)
    assert axes.get_xlabel()
    assert axes.get_ylabel() or axes.get_yticklabels()
    for kind, start in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")):
        file = BytesIO()
        figure.savefig(file, format=kind)
        assert file.getvalue().startswith(start)
    # Nothing lies outside the sheet. Drawn by now, so the layout is final.
    width, height = figure.get_size_inches()
    box = figure.get_tightbbox()
    assert box.x0 >= -0.01
    assert box.y0 >= -0.01
    assert box.x1 <= width + 0.01
    assert box.y1 <= height + 0.01


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot_shares([], [], []), "nothing to draw: labels is empty"),
        (lambda: plot_shares(["a"], [1, 2], [3]), "length: labels 1, won 2, deals 1, undecided 1"),
        (lambda: plot_shares(["a"], [0], [0]), "a: there are no deals"),
        (lambda: plot_shares(["a"], [5], [4]), "5"),
        (lambda: plot_differences(["a"], [0.1], [0.0], []), "unequal length"),
        (lambda: plot_effort([]), "nothing to draw: curves is empty"),
        (lambda: plot_effort([Curve("x", [0], [1], [2])]), "x: effort .* is positive, not 0"),
        (lambda: plot_effort([Curve("x", [1], [0], [0])]), "x: there are no deals"),
        (lambda: plot_effort([Curve("x", [1], [1], [2])] * 6), "6 curves .* at most 5"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(draw: Callable[[], Figure], message: str) -> None:
    with pytest.raises(InputError, match=message):
        draw()


def test_no_window_and_no_figure_kept() -> None:
    script = (
        "import sys; from solvers.view.plots import plot_shares; assert 'matplotlib' not in sys.modules;"
        "plot_shares(['a'], [1], [2]); print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_style_is_left_behind() -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    FIGURES["shares"]()
    with plots.print_style():
        assert dict(mpl.rcParams) != before
    assert dict(mpl.rcParams) == before

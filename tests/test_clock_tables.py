"""Tables and figures of exact results, where the packages for them are installed."""

from __future__ import annotations

import io
import subprocess
import sys
from fractions import Fraction

import pytest
from scipy import stats

from solvers.clock.fit import chi_square
from solvers.clock.policies import GAMES
from solvers.clock.simulate import simulate
from solvers.clock.theory import exact

VARIANTS = [variant for variants in GAMES.values() for variant in variants]


def test_exact_table_has_a_row_for_each_game_and_policy() -> None:
    pytest.importorskip("pandas")
    from solvers.clock.tables import exact_table

    table = exact_table().set_index(["game", "policy"])
    assert list(table.index) == [(variant.game, variant.policy or "") for variant in VARIANTS]
    clock = table.loc["clock", ""]
    assert clock["win_probability"] == Fraction(1, 13)
    assert clock["mean_left"] == pytest.approx(9.6)
    assert clock["mean_complete_hours"] == pytest.approx(6)
    assert clock["deviation_left"] == pytest.approx((4 * 53 * 48 / 150) ** 0.5)
    assert table.loc["open-clock", "best"]["loss"] == pytest.approx(4.812134761829688e-05, rel=1e-12)


def test_distribution_tables() -> None:
    pytest.importorskip("pandas")
    from solvers.clock.tables import complete_hours_table, turned_table

    table = turned_table(exact("clock"))
    assert (table["left"] + table["turned"] == 52).all()
    assert sum(table["probability"]) == 1
    assert table["at_most"].iloc[-1] == 1.0
    assert table["p"].sum() == pytest.approx(1)
    assert list(complete_hours_table(exact("clock"))["probability"]) == [Fraction(1, 13)] * 13
    with pytest.raises(ValueError, match="watch"):
        complete_hours_table(exact("watch"))
    with pytest.raises(ValueError, match="clock"):
        turned_table(exact("clock", shuffle="riffle:1"))


def test_figures_show_what_they_are_given() -> None:
    pytest.importorskip("matplotlib")
    from solvers.view.clock_plots import plot_cards_left, plot_complete_hours, plot_win_rates

    known, simulated = exact("clock"), simulate("clock", 1000, 1)
    assert known.cards_left is not None
    exact_shares = [float(p) for p in known.cards_left]
    figure = plot_cards_left(known, simulated)
    above, below = figure.axes
    assert [bar.get_height() for bar in above.patches] == exact_shares
    assert list(above.lines[0].get_ydata()) == [count / 1000 for count in simulated.cards_left]
    ends = {line[1][0]: line[1][1] for line in below.collections[0].get_segments()}
    # 49 to 51 cards left cannot be, and have no standard error.
    assert ends == pytest.approx(
        {
            left: (count - 1000 * p) / (1000 * p * (1 - p)) ** 0.5
            for left, (count, p) in enumerate(zip(simulated.cards_left, exact_shares, strict=True))
            if p
        }
    )
    assert len(plot_cards_left(known).axes) == 1
    assert len(plot_complete_hours(known).axes[0].patches) == 13
    policies = [exact("watch", policy.policy) for policy in GAMES["watch"]]
    (rates,) = plot_win_rates(policies).axes
    assert list(rates.lines[0].get_xdata()) == [float(result.win_probability) for result in policies]
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    assert picture.getvalue().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="complete hours"):
        plot_complete_hours(exact("watch"))


def test_theory_needs_neither_pandas_nor_matplotlib_nor_numba() -> None:
    program = "import sys; from solvers.clock.theory import exact; exact('watch'); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"pandas", "matplotlib", "numba", "scipy", "numpy"} & set(run.stdout.split())


def test_chi_square_equals_scipys_where_all_cells_are_large() -> None:
    thirds = [Fraction(1, 3)] * 3
    fit = chi_square([30, 40, 50], thirds)
    expected = stats.chisquare([30, 40, 50])
    assert fit.degrees == 2
    assert (fit.statistic, fit.p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_chi_square_of_rare_and_impossible_values() -> None:
    assert chi_square([100, 1], [Fraction(1), Fraction(0)]).p_value == 0.0
    assert chi_square([100, 0], [Fraction(1), Fraction(0)]).p_value == 1.0
    # 96, 2 and 2 are expected: the last two are taken together, and with the first, since only 4 are.
    rare = [Fraction(96, 100), Fraction(2, 100), Fraction(2, 100)]
    assert chi_square([90, 5, 5], rare).degrees == 0
    assert chi_square([900, 50, 50], rare).degrees == 2

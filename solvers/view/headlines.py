"""The two headline figures, drawn from results that are kept.

Usage: ``python -m solvers.view.headlines [RESULTS]``

Reads, in the folder RESULTS (``results`` unless given), the table of the family and the study of players,
and writes ``family/figures/winnable.svg`` and ``players/figures/effort.svg`` beside them; what is not there
is left out. The same results give the same files, byte for byte.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.errors import InputError
from solvers.formats.files import explained
from solvers.games import GAMES
from solvers.outcome import Outcome
from solvers.studies.players import CLAIMS, effort_curve, player_table
from solvers.studies.proportion import share_interval
from solvers.studies.store import needed
from solvers.studies.verdicts import read_study
from solvers.view.plots import Claim, Curve, plot_effort, plot_shares, print_style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["effort_figure", "family_figure", "write_headlines"]

CAREFUL_PLAY = Claim(*CLAIMS, "claimed: 75 to 80 %")
_POINTS = 25
_OTHERS = ("greedy-no-tips", "greedy", "look-2", "look-3")


def family_figure(table: pd.DataFrame) -> Figure:
    """Draw the share of winnable deals of each game, the largest at the top.

    Parameters
    ----------
    table : pandas.DataFrame
        With columns `game` (name), `winnable`, `unwinnable` and `undecided`, as `solvers.studies.family`
        writes it.

    Returns
    -------
    matplotlib.figure.Figure
    """
    deals = table[["winnable", "unwinnable", "undecided"]].sum(axis=1)
    table = table.assign(deals=deals, share=table["winnable"] / deals).sort_values("share", ascending=False)
    titles = [GAMES[name].title for name in table["game"]]
    return plot_shares(titles, table["winnable"], table["deals"], table["undecided"], nines=True)


def effort_figure(frame: pd.DataFrame) -> Figure:
    """Draw what players win against the positions they look at, the claim, and what can be won at all.

    Parameters
    ----------
    frame : pandas.DataFrame
        A study of players, as `solvers.studies.verdicts.read_study` reads it.

    Returns
    -------
    matplotlib.figure.Figure
        A curve for the player who takes moves back, and a point for each of some who do not.
    """
    curve = effort_curve(frame, points=_POINTS)
    curve = curve[curve["won"] > 0]  # he wins nothing before he has weighed as many moves as a game takes
    players = player_table(frame).set_index("player")
    points = [
        Curve(name, [players.at[name, "looked"]], [players.at[name, "won"]], [len(frame)]) for name in _OTHERS
    ]
    winnable, undecided = (
        int((frame["outcome"] == one).sum()) for one in (Outcome.WINNABLE, Outcome.UNDECIDED)
    )
    return plot_effort(
        [Curve("takes moves back", curve["looked"], curve["won"], [len(frame)] * len(curve)), *points],
        claim=CAREFUL_PLAY,
        ceiling=share_interval(winnable, len(frame), undecided),
        effort="positions looked at",
    )


def write_headlines(results: Path) -> list[Path]:
    """Draw the figures whose results are there, and return their files.

    Raises
    ------
    InputError
        If neither is, a package is not installed, or a file cannot be written.
    """
    needed("pandas", "notebooks")
    needed("matplotlib", "notebooks")
    import pandas as pd

    family, players = results / "family" / "table.csv", results / "players"
    drawn = []
    if family.exists():
        drawn.append((family.parent / "figures" / "winnable.svg", family_figure(pd.read_csv(family))))
    if (players / "summary.json").exists():
        drawn.append((players / "figures" / "effort.svg", effort_figure(read_study(players))))
    if not drawn:
        raise InputError(f"{results}: neither family/table.csv nor a study in players is there")
    for path, figure in drawn:
        with explained(path), print_style():
            path.parent.mkdir(exist_ok=True)
            figure.savefig(path, metadata={"Date": None})
    return [path for path, _ in drawn]


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(description="Draw the two headline figures.")
    parser.add_argument("results", type=Path, nargs="?", default=Path("results"), metavar="RESULTS")
    results = parser.parse_args().results
    try:
        drawn = write_headlines(results)
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    for path in drawn:
        print(path)


if __name__ == "__main__":
    main()

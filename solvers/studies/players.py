"""How often players win Baker's Dozen, against what effort, and against what can be won at all.

Every player plays the same deals, so that two of them can be compared pair by pair. The curve of wins against
effort comes from one player who takes moves back: what he does until he has looked at N positions does not
depend on how many more he would look at. So a deal counts as won at effort N if it was won before that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.bakers_dozen.players import ALL_TIPS, Player, Tip, play_all, tip_name
from solvers.bakers_dozen.solve import Limits
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.formats.files import explained
from solvers.games import BAKERS_DOZEN
from solvers.outcome import Outcome
from solvers.sources import DealRange, parse_range
from solvers.studies.compare import pair_up
from solvers.studies.judge import judge
from solvers.studies.plan import Columns
from solvers.studies.proportion import share_interval
from solvers.studies.store import needed
from solvers.studies.verdicts import CI_DECIMALS, read_study

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "CLAIMS",
    "PlayerStudy",
    "effort_curve",
    "effort_needed",
    "plan_players",
    "player_table",
    "tip_table",
]

CLAIMS = (0.75, 0.80)
"""The shares of which it is asked at what effort they are reached: won "75 to 80 %" with careful play."""
BUDGET = 2_000_000
"""Enough for the interval of the effort at which 80 % lie to have an upper end, over 2,000 deals."""
TIP_BUDGET = 100_000
"""Positions looked at by players who take moves back and lack a tip."""
FORESIGHT = (2, 3)
_BLOCK = 20
_TAKES_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class PlayerStudy:
    """The plan: which deals, and the effort of the player who takes moves back. `plan_players` makes one.

    Parameters
    ----------
    deals : DealRange
    budget : int
        Positions that he looks at.
    block : int
        Deals in a block.
    """

    deals: DealRange
    budget: int
    block: int

    @property
    def kind(self) -> str:
        """``players``."""
        return "players"

    @property
    def code(self) -> str:
        """The module that decides."""
        return __name__

    def players(self) -> dict[str, Player]:
        """Who plays, by name."""
        without_one = [ALL_TIPS & ~tip for tip in Tip]
        listed = [Player(foresight=0)]
        listed += [Player(Tip(tips)) for tips in range(ALL_TIPS + 1)]
        listed += [
            Player(tips, moves) for moves in FORESIGHT for tips in (ALL_TIPS, ALL_TIPS & ~Tip.FOUNDATIONS)
        ]
        listed += [Player(budget=self.budget)]
        listed += [Player(tips, budget=min(TIP_BUDGET, self.budget)) for tips in without_one]
        return {str(player): player for player in listed}

    def parameters(self) -> dict[str, Any]:
        """All that the rows depend on."""
        return {"game": BAKERS_DOZEN.name, "range": str(self.deals), "budget": self.budget}

    def command(self, out: str) -> list[str]:
        """Words of the command that runs this study."""
        effort = [] if self.budget == BUDGET else ["--budget", str(self.budget)]
        return ["patience", "players", str(self.deals), "--out", out, *effort]

    def fields(self) -> dict[str, tuple[str, str]]:
        """Arrow type and meaning of each column, by name."""
        fields = {
            "source": ("string", "the deal, as patience deal takes it"),
            "outcome": ("string", f"what can be done at all: {', '.join(Outcome)}"),
        }
        for name in self.players():
            fields[f"{name} won"] = ("bool", f"whether {name} wins")
            fields[f"{name} looked"] = ("int64", f"positions that {name} looks at")
        return fields

    def decide(self, sources: Sequence[str]) -> Columns:
        """Let everybody play deals, a row each."""
        columns: Columns = {
            "source": list(sources),
            "outcome": [str(judge(BAKERS_DOZEN, source, None, Limits(), None).outcome) for source in sources],
        }
        positions = [load_deal(BAKERS_DOZEN, source).position for source in sources]
        for name, player in self.players().items():
            won, looked = play_all(positions, player, sources)
            columns[f"{name} won"] = won.tolist()
            columns[f"{name} looked"] = looked.tolist()
        return columns

    def tally(self, columns: Columns) -> Counter[str]:
        """Count the wins of each player, and the deals that can be won."""
        wins = Counter({name: sum(columns[f"{name} won"]) for name in self.players()})
        return wins + Counter(columns["outcome"])

    def running(self, tally: Counter[str]) -> str:
        """Interval of the share won by the player who takes moves back."""
        return f"won by taking back {share_interval(tally[_TAKES_BACK], _deals(tally)).percent()}"

    def summary(self, tally: Counter[str]) -> dict[str, Any]:
        """Sum up: what each player wins, and what can be won."""
        deals = _deals(tally)
        won = {name: tally[name] for name in self.players()}
        ceiling = share_interval(tally[Outcome.WINNABLE], deals, tally[Outcome.UNDECIDED])
        return {
            "game": BAKERS_DOZEN.name,
            "range": str(self.deals),
            "deals": deals,
            "winnable": tally[Outcome.WINNABLE],
            "undecided": tally[Outcome.UNDECIDED],
            "ceiling95": list(ceiling.outward(CI_DECIMALS)),
            "players": {
                name: {"won": wins, "ci95": list(share_interval(wins, deals).outward(CI_DECIMALS))}
                for name, wins in won.items()
            },
        }


def _deals(tally: Counter[str]) -> int:
    return sum(tally[outcome] for outcome in Outcome)


def plan_players(deals: DealRange | str, *, budget: int = BUDGET, block: int | None = None) -> PlayerStudy:
    """Plan a study of players on the same deals of Baker's Dozen.

    Parameters
    ----------
    deals : DealRange or str
        As `solvers.sources.parse_range` reads it.
    budget : int, optional
        Positions looked at by the player who takes moves back.
    block : int, optional
        Deals in a block, where the usual number does not fit.

    Returns
    -------
    PlayerStudy
        To be handed to `solvers.studies.run.run_study`; `solvers.studies.verdicts.read_study` reads it back.

    Raises
    ------
    InputError
        If the range is none, or a number is out of range.
    """
    chosen = parse_range(deals) if isinstance(deals, str) else deals
    if budget < 1 or (block is not None and block < 1):
        raise InputError("a player looks at one position at least, and a block has at least one deal")
    return PlayerStudy(chosen, budget, block or _BLOCK)


def player_table(frame: pd.DataFrame) -> pd.DataFrame:
    """What each player wins, and at what effort.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `read_study` reads a study of players.

    Returns
    -------
    pandas.DataFrame
        A row a player, the exact ceiling last: `player`, `won`, `deals`, `share`, `low`, `high` (95 %),
        `looked` (positions looked at, on average; none for the ceiling).
    """
    pd = needed("pandas", "studies")
    rows = []
    for name in _names(frame):
        won = int(frame[f"{name} won"].sum())
        rows.append((name, won, share_interval(won, len(frame)), float(frame[f"{name} looked"].mean())))
    won, undecided = (int((frame["outcome"] == one).sum()) for one in (Outcome.WINNABLE, Outcome.UNDECIDED))
    rows.append(("exact ceiling", won, share_interval(won, len(frame), undecided), np.nan))
    return pd.DataFrame(
        [
            (name, won, len(frame), won / len(frame), interval.low, interval.high, looked)
            for name, won, interval, looked in rows
        ],
        columns=["player", "won", "deals", "share", "low", "high", "looked"],
    )


def effort_curve(frame: pd.DataFrame, points: int = 61) -> pd.DataFrame:
    """Share of deals won by the player who takes moves back, against his effort.

    Parameters
    ----------
    frame : pandas.DataFrame
    points : int, optional
        Efforts, evenly spaced in the logarithm from 10 positions to the most that were looked at.

    Returns
    -------
    pandas.DataFrame
        `looked` (positions looked at before he gives up), `won`, `share`, `low`, `high` (95 %).
    """
    pd = needed("pandas", "studies")
    efforts = _winning_efforts(frame)
    most = float(frame[f"{_TAKES_BACK} looked"].max())
    budgets = np.unique(np.geomspace(10, max(most, 11), points).round().astype(np.int64))
    won = np.searchsorted(efforts, budgets, side="left")
    intervals = [share_interval(int(wins), len(frame)) for wins in won]
    return pd.DataFrame(
        {
            "looked": budgets,
            "won": won,
            "share": won / len(frame),
            "low": [interval.low for interval in intervals],
            "high": [interval.high for interval in intervals],
        }
    )


def effort_needed(frame: pd.DataFrame, share: float) -> tuple[int | None, int | None, int | None]:
    """Effort at which the player who takes moves back wins a share of all deals.

    Parameters
    ----------
    frame : pandas.DataFrame
    share : float
        0 to 1.

    Returns
    -------
    low, effort, high : int or None
        The least number of positions at which the deals won are that share, and those at which the upper and
        the lower end of the 95 % interval are; None where the study's effort does not suffice.
    """
    efforts, deals = _winning_efforts(frame), len(frame)

    def least(reached: Callable[[int], bool]) -> int | None:
        # The share and both ends of its interval grow with the wins: seek the first number that will do.
        wins = bisect_left(range(len(efforts) + 1), True, key=reached)
        if wins > len(efforts):
            return None
        return int(efforts[wins - 1]) + 1 if wins else 0

    return (
        least(lambda won: share_interval(won, deals).high >= share),
        least(lambda won: won >= share * deals),
        least(lambda won: share_interval(won, deals).low >= share),
    )


def tip_table(frame: pd.DataFrame) -> pd.DataFrame:
    """What each tip is worth, on the same deals.

    Returns
    -------
    pandas.DataFrame
        A row for a tip and a pair of players who differ in it alone: `tip`, `with_tip`, `without_tip` (their
        names), `only_with`, `only_without` (deals that one of them wins), `difference` of the shares, `low`,
        `high` (95 %), `p_value` (McNemar, exact). Both players look at the same number of positions at most.
    """
    pd = needed("pandas", "studies")
    rows = []
    for tip in Tip:
        name, only = tip_name(tip), str(Player(tip))
        pairs = [
            ("greedy", f"greedy-no-{name}"),
            (only, "greedy-no-tips"),
            (_TAKES_BACK, f"{_TAKES_BACK}-no-{name}"),
        ]
        if tip is Tip.FOUNDATIONS:
            pairs += [(f"look-{moves}", f"look-{moves}-no-{name}") for moves in FORESIGHT]
        for with_tip, without in pairs:
            first, second = _wins_at(frame, with_tip), _wins_at(frame, without)
            pair = pair_up((first, first), (second, second))
            difference = (pair.only_first - pair.only_second) / len(frame)
            counts = (pair.only_first, pair.only_second)
            rows.append((name, with_tip, without, *counts, difference, *pair.difference, pair.p_value))
    columns = [
        "tip",
        "with_tip",
        "without_tip",
        "only_with",
        "only_without",
        "difference",
        "low",
        "high",
        "p_value",
    ]
    return pd.DataFrame(rows, columns=columns)


def write_tables(directory: Path | str) -> None:
    """Write the tables of a finished study of players beside it: players.csv, effort.csv, tips.csv.

    Raises
    ------
    InputError
        If there is no such study, or they cannot be written.
    """
    place = Path(directory)
    frame = read_study(place)
    for name, table in (
        ("players", player_table(frame)),
        ("effort", effort_curve(frame)),
        ("tips", tip_table(frame)),
    ):
        path = place / f"{name}.csv"
        with explained(path):
            table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")


def _names(frame: pd.DataFrame) -> list[str]:
    return [column.removesuffix(" won") for column in frame.columns if column.endswith(" won")]


def _wins_at(frame: pd.DataFrame, player: str) -> Any:
    """Which deals a player wins; by `TIP_BUDGET` positions, if he takes moves back."""
    won = frame[f"{player} won"]
    if player == _TAKES_BACK:
        won = won & (frame[f"{player} looked"] < TIP_BUDGET)
    return won.to_numpy()


def _winning_efforts(frame: pd.DataFrame) -> Any:
    """Positions looked at in the deals that the player who takes moves back won, sorted."""
    return np.sort(frame.loc[frame[f"{_TAKES_BACK} won"], f"{_TAKES_BACK} looked"].to_numpy())

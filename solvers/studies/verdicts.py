"""The verdict on every deal of a range, for any game: ``patience study``.

No time limit: with one, which deals stay undecided would depend on the machine and on what else it does.
Limits on states and memory make every column but `seconds` a function of the plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.bakers_dozen.solve import Limits
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.games import GAMES, Family, Kings, Rules, find_game
from solvers.outcome import Outcome
from solvers.sources import DealRange, parse_range
from solvers.studies.judge import check_game, judge
from solvers.studies.plan import Columns
from solvers.studies.proportion import share_interval
from solvers.studies.store import needed, read_rows

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DealStudy", "plan_study", "read_study"]

BLOCKS = {Family.CLOCK: 5_000, Family.BAKERS_DOZEN: 50}
"""Deals in a block: a fraction of a second's work, or a minute's in the slowest games."""
CI_DECIMALS = 8


@dataclass(frozen=True, slots=True)
class DealStudy:
    """The plan: which game, which deals, and when to give one up. `plan_study` makes one.

    Parameters
    ----------
    game : Rules
    deals : DealRange
    kings : Kings or None
        How Kings are moved to the bottom.
    policy : str or None
        Clock family: by which policy it is played.
    limits : Limits
        On states and memory, for each deal.
    block : int
        Deals in a block: what each worker loses at most when the study is killed.
    """

    game: Rules
    deals: DealRange
    kings: Kings | None
    policy: str | None
    limits: Limits
    block: int

    @property
    def kind(self) -> str:
        """``deals``."""
        return "deals"

    @property
    def code(self) -> str:
        """The module that decides."""
        return judge.__module__

    def parameters(self) -> dict[str, Any]:
        """All that the rows depend on."""
        return {
            "game": self.game.name,
            "rules": _settings(self.game),
            "range": str(self.deals),
            "kings": self.kings and str(self.kings),
            "policy": self.policy,
            "max_states": self.limits.states,
            "max_megabytes": self.limits.megabytes,
        }

    def command(self, out: str) -> list[str]:
        """Words of the command that runs this study."""
        game = self.game.name if self.game.name in GAMES else self.game.source  # the file of its rules
        words = ["patience", "study", game, str(self.deals), "--out", out]
        if self.kings is not None:
            words += ["--kings", str(self.kings)]
        if self.policy is not None:
            words += ["--policy", self.policy]
        if self.limits.states != Limits().states:
            words += ["--max-states", str(self.limits.states)]
        if self.limits.megabytes != Limits().megabytes:
            words += ["--max-megabytes", str(self.limits.megabytes)]
        return words

    def fields(self) -> dict[str, tuple[str, str]]:
        """Arrow type and meaning of each column, by name."""
        return {
            "source": ("string", "the deal, as patience deal takes it"),
            "outcome": ("string", ", ".join(Outcome)),
            "reason": ("string", "undecided: the limit; unwinnable: what was exhausted, or the cards left"),
            "states": ("int64", "states the search visited, or cards turned in the Clock family"),
            "moves": ("int32", "moves of the solution, 0 without one"),
            "seconds": ("float32", "time it took; the one column that no second run repeats"),
        }

    def decide(self, sources: Sequence[str]) -> Columns:
        """Decide deals, a row each."""
        columns: Columns = {name: [] for name in self.fields()}
        for source in sources:
            result = judge(self.game, source, self.kings, self.limits, self.policy)
            row = (
                source,
                str(result.outcome),
                result.reason,
                result.states,
                len(result.moves),
                result.seconds,
            )
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
        return columns

    def tally(self, columns: Columns) -> Counter[str]:
        """Count the outcomes."""
        return Counter(columns["outcome"])

    def running(self, tally: Counter[str]) -> str:
        """Interval of the share that can be won, from the deals so far."""
        interval = share_interval(tally[Outcome.WINNABLE], tally.total(), tally[Outcome.UNDECIDED])
        return f"winnable {interval.percent()}"

    def summary(self, tally: Counter[str]) -> dict[str, Any]:
        """Sum up: how many of each outcome, and the share that can be won."""
        won, undecided, deals = tally[Outcome.WINNABLE], tally[Outcome.UNDECIDED], tally.total()
        return {
            "game": self.game.name,
            "range": str(self.deals),
            "deals": deals,
            "winnable": won,
            "unwinnable": tally[Outcome.UNWINNABLE],
            "undecided": undecided,
            "rate_low": won / deals if deals else 0.0,
            "rate_high": (won + undecided) / deals if deals else 1.0,
            "ci95": list(share_interval(won, deals, undecided).outward(CI_DECIMALS)),
        }


def plan_study(
    game: Rules | str,
    deals: DealRange | str,
    *,
    kings: Kings | str | None = None,
    policy: str | None = None,
    limits: Limits | None = None,
    block: int | None = None,
) -> DealStudy:
    """Plan a study of the deals of a range.

    Parameters
    ----------
    game : Rules or str
        Or its name, or a file of rules.
    deals : DealRange or str
        As `solvers.sources.parse_range` reads it: ``pysolfc:1-1000``, ``random:7/0-999999``.
    kings : {"slide", "swap", "as-dealt"}, optional
        How Kings are moved; by default as the source of the deals has it.
    policy : str, optional
        Clock family: by which policy it is played; the game's default if not given.
    limits : Limits, optional
        On states and memory, for each deal.
    block : int, optional
        Deals in a block, where the usual number does not fit.

    Returns
    -------
    DealStudy
        To be handed to `solvers.studies.run.run_study`.

    Raises
    ------
    InputError
        If any of these does not exist, or there is a time limit.
    """
    rules = find_game(game) if isinstance(game, str) else game
    chosen = parse_range(deals) if isinstance(deals, str) else deals
    if limits is not None and limits.seconds is not None:
        raise InputError("a study takes no time limit: what it finds would depend on the machine")
    if block is not None and block < 1:
        raise InputError(f"a block has at least one deal, not {block}")
    return DealStudy(
        rules,
        chosen,
        # Settled here, so that the manifest says which it was.
        load_deal(rules, chosen[0], kings).kings,
        check_game(rules, policy),
        limits or Limits(),
        block or BLOCKS[rules.family],
    )


def _settings(game: Rules) -> dict[str, Any]:
    """The rules of a game, without its texts."""
    texts = ("name", "title", "family", "sentence", "source", "also_called", "namesakes")
    settled = ("kings", "numbered_kings")  # the study's own settings say what becomes of Kings
    settings: dict[str, Any] = {}
    for field in fields(game):
        value = getattr(game, field.name)
        if field.name not in (*texts, *settled):
            # As it comes back from JSON, so that a study taken up again finds its own rules.
            settings[field.name] = (
                str(value) if isinstance(value, str) else list(value) if isinstance(value, tuple) else value
            )
    return settings


def read_study(directory: Path | str) -> pd.DataFrame:
    """Read a study back.

    Parameters
    ----------
    directory : path
        Of a study, finished or not.

    Returns
    -------
    pandas.DataFrame
        A row a deal (that is finished), in order. Texts are categories, but for `source`; `outcome` has
        all three, whichever occur.

    Raises
    ------
    InputError
        If there is no study, or it is damaged.
    """
    needed("pandas", "studies")
    import pandas as pd

    frame = read_rows(Path(directory)).to_pandas()
    for name in frame.columns[1:]:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            known = [str(outcome) for outcome in Outcome] if name == "outcome" else None
            frame[name] = pd.Categorical(frame[name], categories=known)
    return frame

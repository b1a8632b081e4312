"""What is said of both families, and what is so: one row a claim, every verdict computed from the figures.

A claim in words can be read in more than one way. Each way is a `Reading`: a figure with its interval, a
test, and whether the claim holds by it; the verdict of a row follows from its readings. The claims about
Clock are those of `solvers.clock.claims`. The others are judged in `dozen_claims` and `relatives_claims`, by
studies of the same shuffled decks of Baker's Dozen and its relatives, and by players who play some of those.

Each interval and each p-value stands for itself. There are some dozens of them, so that one or two in a table
are to be expected off by chance.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.bakers_dozen.solve import Limits
from solvers.clock.claims import Claim, clock_claims
from solvers.errors import InputError
from solvers.games import BAKERS_DOZEN, GAMES, Kings
from solvers.sources import DealRange, SourceKind
from solvers.studies.dozen_claims import (
    careful_play,
    layouts_of,
    low_cards,
    queens_and_kings,
    solution_or_not,
    tips,
)
from solvers.studies.players import plan_players
from solvers.studies.readings import VERDICTS, Row, wins_of
from solvers.studies.relatives_claims import (
    HOUSE_RULES,
    SPANISH,
    closely_related,
    considerably,
    much_harder,
)
from solvers.studies.run import run_study
from solvers.studies.verdicts import plan_study, read_study

if TYPE_CHECKING:
    import pandas as pd

    from solvers.studies.plan import Plan

__all__ = ["DEFAULT", "FULL", "QUICK", "SEED", "STUDIES", "Samples", "all_claims"]

Run = Callable[["Plan", str], dict[str, Any]]
"""Runs a study in a directory and returns its summary, as `run_study` does."""

SEED = 2026
_GAMES = (BAKERS_DOZEN.name, "good-measure", *SPANISH, *HOUSE_RULES)
STUDIES = len(_GAMES) + 2
"""Studies that `all_claims` runs: of these games, of Kings as dealt, and of players."""


@dataclass(frozen=True, slots=True)
class Samples:
    """How much is played.

    Parameters
    ----------
    deals : int
        Of each game of the Baker's Dozen family.
    states : int
        After which the search gives a deal up.
    played : int
        The first deals of Baker's Dozen, which players play.
    budget : int
        Positions that the player looks at who takes moves back.
    clock_games : int
        For each figure of Clock that is not known exactly.
    """

    deals: int
    states: int
    played: int
    budget: int
    clock_games: int

    def __post_init__(self) -> None:
        if min(asdict(self).values()) < 1 or self.played > self.deals:
            raise InputError(
                "claims take one deal, game and position at least, and play no more than is dealt"
            )


QUICK = Samples(deals=500, states=100_000, played=200, budget=10_000, clock_games=400_000)
DEFAULT = Samples(deals=2_000, states=1_000_000, played=300, budget=2_000_000, clock_games=1_000_000)
FULL = Samples(
    deals=20_000,
    states=Limits().states,
    played=2_000,
    budget=2_000_000,
    clock_games=10_000_000,
)


def all_claims(
    samples: Samples,
    *,
    seed: int = SEED,
    run: Run = run_study,
    progress: Callable[[int], None] | None = None,
) -> tuple[Row, ...]:
    """Judge all claims about both families.

    Parameters
    ----------
    samples : Samples
    seed : int, optional
        The decks are ``random:SEED/0`` onwards.
    run : callable, optional
        Runs each study: `run_study`, or what also shows its progress.
    progress : callable, optional
        Called with the number of Clock games played.

    Returns
    -------
    tuple of Row

    Raises
    ------
    KeyboardInterrupt
        If a study was interrupted.
    """
    clock = tuple(_clock_row(claim) for claim in clock_claims(samples.clock_games, seed, progress=progress))

    deals, played = (
        DealRange(SourceKind.RANDOM, 0, number - 1, seed) for number in (samples.deals, samples.played)
    )
    limits = Limits(states=samples.states)
    with tempfile.TemporaryDirectory(prefix="patience-") as place:

        def study(plan: Plan, name: str) -> pd.DataFrame:
            directory = str(Path(place) / name)
            if run(plan, directory)["interrupted"]:
                raise KeyboardInterrupt
            return read_study(directory)

        wins = {game: wins_of(study(plan_study(game, deals, limits=limits), game)) for game in _GAMES}
        kings_stay = plan_study(BAKERS_DOZEN, deals, kings=Kings.AS_DEALT, limits=limits)
        as_dealt = study(kings_stay, "as-dealt")
        players = study(plan_players(played, budget=samples.budget), "players")
    return (
        *clock,
        careful_play(wins[BAKERS_DOZEN.name], players, samples.budget),
        solution_or_not(wins),
        *tips(players, samples.budget),
        low_cards(players, samples.budget),
        *queens_and_kings(layouts_of(as_dealt["source"]), wins_of(as_dealt)),
        closely_related(wins),
        much_harder(wins),
        considerably(wins),
    )


def _clock_row(claim: Claim) -> Row:
    """The claim as `solvers.clock.claims` judged it."""
    game = next((name for name in _CLOCK_GAMES if claim.name.startswith(_CLOCK_GAMES[name])), "clock")
    return Row(
        claim.name,
        claim.statement,
        "descriptions of Clock patience",
        GAMES[game].sentence,
        "; ".join(map(str, claim.figures)),
        claim.test,
        VERDICTS[claim.verdict],
        claim.reason,
    )


_CLOCK_GAMES = {"watch": "watch", "clock-no-king": "no-king", "clock-face-up": "face-up"}
"""Games that claims are about, and how the names of these claims begin."""

"""What is said of both families, and what is so: one row a claim, every verdict computed from the figures.

A claim in words can be read in more than one way. Each way is a `Reading`: a figure with its interval, a
test, and whether the claim holds by it; the verdict of a row follows from its readings. The claims about
Clock are those of `solvers.clock.claims`. The others are judged here, by studies of the same shuffled decks
of Baker's Dozen and its relatives, and by players who play some of those.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.bakers_dozen.players import Tip, tip_name
from solvers.cards import rank_of, suit_of
from solvers.clock.claims import Claim, clock_claims
from solvers.clock.claims import Verdict as ClockVerdict
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.games import BAKERS_DOZEN, GAMES, Kings, TableauRules
from solvers.sources import DealRange, SourceKind
from solvers.studies.compare import pair_up
from solvers.studies.players import CLAIMS, effort_needed, plan_players, player_table, tip_table
from solvers.studies.proportion import Interval, binomial_test, share_interval
from solvers.studies.readings import (
    CLOSE,
    MUCH,
    Reading,
    Row,
    Verdict,
    Wins,
    always_lost,
    costs,
    count,
    exceeds,
    in_band,
    in_points,
    is_worth,
    more_often_lost,
    paired_reading,
    share_of,
    verdict_of,
    wins_of,
)
from solvers.studies.run import run_study
from solvers.studies.verdicts import plan_study, read_study
from solvers.wording import counted

if TYPE_CHECKING:
    import pandas as pd

    from solvers.studies.plan import Plan

__all__ = ["DEFAULT", "FULL", "QUICK", "SEED", "Samples", "all_claims"]

Run = Callable[["Plan", str], dict[str, Any]]
"""Runs a study in a directory and returns its summary, as `run_study` does."""

SEED = 2026
_AS_DEALT = "bakers-dozen, Kings as dealt"
_SPANISH = tuple(name for name in GAMES if name.startswith("spanish-patience"))
_HOUSE_RULES = ("bakers-dozen-fill", "bakers-dozen-group", "bakers-dozen-easy")
_QUEEN, _KING = 12, 13


@dataclass(frozen=True, slots=True)
class Samples:
    """How much is played.

    Parameters
    ----------
    deals : int
        Of each game of the Baker's Dozen family.
    played : int
        The first of those deals, which players play.
    budget : int
        Positions that the player looks at who takes moves back.
    clock_games : int
        For each figure of Clock that is not known exactly.
    """

    deals: int
    played: int
    budget: int
    clock_games: int

    def __post_init__(self) -> None:
        if min(asdict(self).values()) < 1 or self.played > self.deals:
            raise InputError(
                "claims take one deal, game and position at least, and play no more than is dealt"
            )


QUICK = Samples(deals=1_000, played=300, budget=20_000, clock_games=1_000_000)
DEFAULT = Samples(deals=2_000, played=300, budget=200_000, clock_games=1_000_000)
FULL = Samples(deals=20_000, played=2_000, budget=1_000_000, clock_games=10_000_000)


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
    deals = DealRange(SourceKind.RANDOM, 0, samples.deals - 1, seed)
    with tempfile.TemporaryDirectory(prefix="patience-") as place:

        def study(plan: Plan, name: str) -> pd.DataFrame:
            directory = str(Path(place) / name)
            if run(plan, directory)["interrupted"]:
                raise KeyboardInterrupt
            return read_study(directory)

        games = (BAKERS_DOZEN.name, "good-measure", *_SPANISH, *_HOUSE_RULES)
        frames = {game: study(plan_study(game, deals), game) for game in games}
        frames[_AS_DEALT] = study(plan_study(BAKERS_DOZEN, deals, kings=Kings.AS_DEALT), "as-dealt")
        played = DealRange(SourceKind.RANDOM, 0, samples.played - 1, seed)
        players = study(plan_players(played, budget=samples.budget), "players")
    wins = {game: wins_of(frame) for game, frame in frames.items()}
    return (
        *clock,
        _careful_play(wins[BAKERS_DOZEN.name], players, samples.budget),
        _solution_or_not(wins),
        *(_tip(players, *tip) for tip in _TIPS),
        *_queens_and_kings(deals, wins[_AS_DEALT]),
        _closely_related(wins),
        _much_harder(wins),
        _considerably(wins),
    )


def _clock_row(claim: Claim) -> Row:
    """The claim as `solvers.clock.claims` judged it."""
    game = next((name for name in _CLOCK_GAMES if claim.name.startswith(_CLOCK_GAMES[name])), "clock")
    verdicts = {
        ClockVerdict.TRUE: Verdict.CONFIRMED,
        ClockVerdict.FALSE: Verdict.REFUTED,
        ClockVerdict.DEPENDS: Verdict.DEPENDS,
    }
    simulated = any(figure.games is not None for figure in claim.figures)
    test = (
        "simulated games against 1/13, of which 4 standard errors" if simulated else "exact chances compared"
    )
    if claim.name == "weak-shuffle-lowers":
        test = "simulated and exact shares compared with 1/13"
    return Row(
        claim.name,
        claim.statement,
        "descriptions of Clock patience",
        GAMES[game].sentence,
        "; ".join(map(str, claim.figures)),
        test,
        verdicts[claim.verdict],
        claim.reason,
    )


_CLOCK_GAMES = {"watch": "watch", "clock-no-king": "no-king", "clock-face-up": "face-up"}
"""Games that claims are about, and how the names of these claims begin."""


def _row(
    name: str, claim: str, readings: Sequence[Reading], why: str, rule: str = BAKERS_DOZEN.sentence
) -> Row:
    return Row(
        name,
        claim,
        "descriptions of Baker's Dozen and advice to its players",
        rule,
        "; ".join(f"{reading.name}: {reading.value}" for reading in readings),
        "; ".join(dict.fromkeys(reading.test for reading in readings)),
        verdict_of(readings),
        why,
    )


def _careful_play(wins: tuple[Wins, Wins], players: pd.DataFrame, budget: int) -> Row:
    low, high = CLAIMS
    band = f"{low:.0%} to {high:.0%}"
    sure, may = (count(part) for part in wins)
    deals = len(wins[0])
    p_value = max(binomial_test(won, deals, claim) for won in (sure, may) for claim in CLAIMS)
    best = share_interval(sure, deals, may - sure)
    table = player_table(players).set_index("player")
    readings = [
        Reading(
            "best play, all cards known",
            f"{sure:,} of {deals:,} winnable, {best.percent()}",
            f"95 % interval (Wilson) against {band}; exact binomial test, p = {p_value:.2g}",
            in_band(best, low, high),
        )
    ]
    for player in ("greedy", "take-back"):
        share = Interval(*table.loc[player, ["low", "high"]])
        label = "the tips, nothing taken back"
        if player == "take-back":
            label = f"the tips, moves taken back over {budget:,} positions"
        readings.append(
            Reading(label, f"{share.percent()} won", f"interval against {band}", in_band(share, low, high))
        )
    efforts = [effort_needed(players, share)[1] for share in CLAIMS]
    said = "; ".join(
        f"{share:.0%} at {effort:,} positions" if effort is not None else f"{share:.0%} is not reached"
        for share, effort in zip(CLAIMS, efforts, strict=True)
    )
    return _row(
        "won-75-to-80",
        "Baker's Dozen is won 75 to 80 % of the time with careful play.",
        readings,
        f"{best.percent()} of the deals can be won; how many a player wins depends on the effort: {said}.",
    )


def _solution_or_not(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    undecided = sum(count(may & ~sure) for sure, may in wins.values())
    deals = sum(len(sure) for sure, _ in wins.values())
    own = wins[BAKERS_DOZEN.name]
    reading = Reading(
        "every deal is decided",
        f"{deals - undecided:,} of {deals:,} deals of the family, {count(own[1] & ~own[0]):,} of"
        f" {len(own[0]):,} of Baker's Dozen itself undecided",
        "a move list that the referee accepts, or an exhausted search",
        True if not undecided else None,
    )
    return _row(
        "solution-or-not",
        "A deal either has a solution or not.",
        [reading],
        f"All cards are known and nothing is left to chance: of Baker's Dozen,"
        f" {counted(count(own[0]), 'deal')} with a solution and {count(~own[1]):,} without.",
    )


_TIPS = (
    (Tip.ACES_AND_TWOS, "free-aces-then-twos", "Free the aces, then the twos."),
    (Tip.KEEP_COLUMNS, "avoid-emptying", "Avoid emptying columns."),
    (Tip.LOW_CARDS, "low-cards-near-kings", "Low cards near a King are the hardest."),
)


def _tip(players: pd.DataFrame, tip: Tip, name: str, claim: str) -> Row:
    table = tip_table(players)
    rows = table[table["tip"] == tip_name(tip)].to_dict("records")
    readings = [
        Reading(
            f"{row['with_tip']} against {row['without_tip']}",
            in_points(Interval(row["low"], row["high"])),
            f"on {len(players):,} deals with the tip against without, McNemar exact: {row['with_tip']}"
            f" p = {row['p_value']:.2g}",
            is_worth(Interval(row["low"], row["high"])),
        )
        for row in rows
    ]
    worth = ", ".join(f"{100 * row['difference']:+.1f} for {row['with_tip']}" for row in rows)
    rule = f"A tip holds if players who heed it win more deals. {BAKERS_DOZEN.sentence}"
    return _row(name, claim, readings, f"Points of the share won that the tip adds: {worth}.", rule)


def _queens_and_kings(deals: DealRange, wins: tuple[Wins, Wins]) -> tuple[Row, Row]:
    layouts = [load_deal(BAKERS_DOZEN, source, Kings.AS_DEALT).position.columns for source in deals]
    king_above = np.array([_lies_on(columns, _KING, _QUEEN) for columns in layouts])
    own_above = np.array([_lies_on(columns, _KING, _QUEEN, same_suit=True) for columns in layouts])
    queen_above = np.array([_lies_on(columns, _QUEEN, _KING) for columns in layouts])
    rule = f"Kings stay as dealt, where they can lie on Queens at all. {BAKERS_DOZEN.sentence}"
    blocked = more_often_lost("a King on a Queen costs deals", king_above, ~king_above, wins, costs)

    def costs_none(more: Interval) -> bool | None:
        cost = costs(more)
        return None if cost is None else not cost

    fine = more_often_lost("a Queen on a King costs no deals", queen_above, ~queen_above, wins, costs_none)
    always = [
        always_lost(f"a King on {whose} Queen loses the deal", group, wins)
        for whose, group in (("any", king_above), ("his own", own_above))
    ]
    return (
        _row(
            "queen-on-king",
            "A Queen on a King is fine.",
            [fine],
            f"Lost with one and without: {fine.value}.",
            rule,
        ),
        _row(
            "king-on-queen",
            "A King on a Queen is a block.",
            [*always, blocked],
            f"Lost with one and without: {blocked.value}; on the Queen of his own suit: {always[1].value}.",
            rule,
        ),
    )


def _lies_on(columns: Any, upper: int, lower: int, *, same_suit: bool = False) -> bool:
    return any(
        rank_of(over) == upper
        and rank_of(under) == lower
        and (not same_suit or suit_of(over) == suit_of(under))
        for column in columns
        for under, over in pairwise(column)
    )


def _closely_related(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    other = GAMES["good-measure"]
    assert isinstance(other, TableauRules)
    about = {"name", "title", "sentence", "source"}
    differs = [
        field.name
        for field in fields(BAKERS_DOZEN)
        if field.name not in about and getattr(BAKERS_DOZEN, field.name) != getattr(other, field.name)
    ]
    play = set(differs) - {"columns", "column_cards", "aces_out"}
    pair = pair_up(wins[other.name], wins[BAKERS_DOZEN.name])
    readings = [
        Reading(
            "the same rules of play",
            f"the rules differ in {', '.join(differs) or 'nothing'}",
            "rules compared, all but the layout",
            not play,
        ),
        Reading(
            "won about as often",
            f"{share_of(wins[other.name])}, {in_points(pair.difference)}",
            f"same decks, paired, within {100 * CLOSE:.0f} point; McNemar exact, p = {pair.p_value:.2g}",
            in_band(pair.difference, -CLOSE, CLOSE),
        ),
    ]
    why = (
        f"It is played {'by the same rules' if not play else 'by other rules'} from another layout, and won"
        f" in {share_of(wins[other.name])} of the deals against {share_of(wins[BAKERS_DOZEN.name])}."
    )
    return _row("good-measure-related", "Good Measure is closely related.", readings, why, other.sentence)


def _much_harder(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    own = wins[BAKERS_DOZEN.name]
    pairs = {game: pair_up(own, wins[game]) for game in _SPANISH}
    readings = [
        paired_reading(game, pair, wins[game], exceeds(pair.difference, MUCH)) for game, pair in pairs.items()
    ]
    shares = ", ".join(f"{game} {share_of(wins[game])}" for game in _SPANISH)
    rule = " Or: ".join(GAMES[game].sentence for game in _SPANISH)
    why = f"Baker's Dozen can be won in {share_of(own)} of the deals, and: {shares}."
    return _row("spanish-much-harder", "Spanish Patience is much harder.", readings, why, rule)


def _considerably(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    own = wins[BAKERS_DOZEN.name]
    readings = []
    for game in _HOUSE_RULES:
        pair = pair_up(wins[game], own)
        readings.append(paired_reading(game, pair, wins[game], exceeds(pair.difference, MUCH)))
        lost = count(~own[1])
        rescued = share_interval(pair.only_first, lost, count(~own[1] & wins[game][1] & ~wins[game][0]))
        value = f"{pair.only_first:,} of {lost:,} ({rescued.percent()}) made winnable"
        test = "95 % interval (Wilson) of lost deals against one half"
        readings.append(Reading(f"{game}, of the deals that were lost", value, test, exceeds(rescued, 0.5)))
    why = (
        f"Without them only {count(~own[1]):,} of {counted(len(own[1]), 'deal')} cannot be won, so that no"
        " rule could add many; of those, the rules win "
        + ", ".join(f"{pair_up(wins[game], own).only_first:,} ({game})" for game in _HOUSE_RULES)
        + "."
    )
    rule = " Or: ".join(GAMES[game].sentence for game in _HOUSE_RULES)
    return _row("easy-considerably", "The easy house rules raise the rate considerably.", readings, why, rule)

"""What is said of Baker's Dozen and of how to play it, judged by decided deals and by players."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from solvers.bakers_dozen.players import Tip, tip_name
from solvers.cards import MAX_RANKS, rank_of, suit_of
from solvers.deals import load_deal
from solvers.games import BAKERS_DOZEN, Kings
from solvers.studies.players import CLAIMS, TIP_BUDGET, effort_needed, player_table, tip_table
from solvers.studies.proportion import Interval, binomial_test, share_interval
from solvers.studies.readings import (
    CLOSE,
    Reading,
    Row,
    Wins,
    always_lost,
    bakers_dozen_row,
    costs,
    count,
    in_band,
    in_points,
    is_worth,
    more_often_lost,
    p_text,
    points,
    share_of,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "careful_play",
    "layouts_of",
    "lies_on",
    "low_cards",
    "queens_and_kings",
    "solution_or_not",
    "tips",
]

Columns = Sequence[Sequence[int]]

_TIPS = (
    (Tip.ACES_AND_TWOS, "free-aces-then-twos", "Free the aces, then the twos."),
    (Tip.KEEP_COLUMNS, "avoid-emptying", "Avoid emptying columns."),
)
_LOW = frozenset({1, 2})
"""Low cards are those of the tip "free the aces, then the twos"."""
_QUEEN, _KING = frozenset({MAX_RANKS - 1}), frozenset({MAX_RANKS})


def careful_play(wins: tuple[Wins, Wins], players: pd.DataFrame, budget: int) -> Row:
    """Judge that Baker's Dozen is won 75 to 80 % of the time with careful play.

    Parameters
    ----------
    wins : pair of ndarray of bool
        Deals of Baker's Dozen that are certainly won, and that may be.
    players : pandas.DataFrame
        A study of players.
    budget : int
        Positions that its player looks at who takes moves back.
    """
    low, high = CLAIMS
    band = f"{_percent(low)} to {_percent(high)}"
    sure, may = (count(part) for part in wins)
    deals = len(wins[0])
    best = share_interval(sure, deals, may - sure)
    test = f"95 % interval (Wilson) against {band}; p by the exact binomial test against the nearer end"
    table = player_table(players).set_index("player")
    shares = {who: Interval(*table.loc[who, ["low", "high"]]) for who in ("greedy", "take-back")}
    won = {
        who: f"{table.loc[who, 'won']:,} of {len(players):,} won ({shares[who].percent()})" for who in shares
    }
    efforts = {share: effort_needed(players, share) for share in CLAIMS}
    # What he wins grows with his effort from next to nothing. So it is in the band at some effort if it
    # gets to its lower edge, for which there must be no doubt; the upper says where it leaves the band.
    passes = efforts[low][2] is not None and efforts[high][1] is not None
    within = "; ".join(f"{_percent(share)} {_effort(effort, budget)}" for share, effort in efforts.items())
    readings = [
        Reading(
            "best play, all cards known",
            f"{sure:,} of {deals:,} can be won ({best.percent()}), {_nearer_end(deals, sure, may)}",
            test,
            in_band(best, low, high),
        ),
        Reading(
            "the tips, nothing taken back",
            f"{won['greedy']}, {_nearer_end(len(players), int(table.loc['greedy', 'won']))}",
            test,
            in_band(shares["greedy"], low, high),
        ),
        Reading(
            "the tips, moves taken back, effort to suit",
            f"{within}; {won['take-back']} with {budget:,} positions",
            f"efforts found for {_percent(low)}, with all of its 95 % interval, and for {_percent(high)}",
            True if passes else None,
        ),
    ]
    return bakers_dozen_row(
        "won-75-to-80",
        "Baker's Dozen is won 75 to 80 % of the time with careful play.",
        readings,
        f"Of the deals {best.percent()} can be won, and the tips alone win {shares['greedy'].percent()}."
        f" Who takes moves back wins what his effort allows, counted in positions looked at: {within}.",
    )


def _nearer_end(deals: int, *wins: int) -> str:
    return p_text(max(binomial_test(won, deals, claim) for won in wins for claim in CLAIMS))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _effort(effort: tuple[int | None, int | None, int | None], budget: int) -> str:
    low, least, high = effort
    if least is None:
        return f"is not reached with {budget:,}"
    to = "or more" if high is None else f"to {high:,}"
    return f"is reached at {least:,} ({low:,} {to})"


def solution_or_not(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    """Judge that a deal either has a solution or not.

    It needs no sample: one of the two is so of each deal, decided or not. A deal found to be both would show
    that what decides them is wrong.
    """
    undecided, deals, both = (
        sum(count(part) for part in parts)
        for parts in (
            [may & ~sure for sure, may in wins.values()],
            [np.ones_like(sure) for sure, _ in wins.values()],
            [sure & ~may for sure, may in wins.values()],
        )
    )
    sure, may = wins[BAKERS_DOZEN.name]
    reading = Reading(
        "exactly one of the two, for each deal",
        f"Baker's Dozen: {count(sure):,} deals with a solution, {count(~may):,} without,"
        f" {count(may & ~sure):,} left undecided by the search; with its relatives {undecided:,} of {deals:,}"
        " left undecided",
        "argument, and no deal found to be both: a solution is a list of moves that the referee accepts,"
        " and there is none if the search is exhausted",
        not both,
    )
    return bakers_dozen_row(
        "solution-or-not",
        "A deal either has a solution or not.",
        [reading],
        "One player sees all cards, nothing is left to chance, and the positions are finitely many: some list"
        " of moves wins a deal, or none does. Where the search gives up, it is not known which.",
    )


def tips(players: pd.DataFrame, budget: int) -> tuple[Row, ...]:
    """Judge tips by whether players who heed them win more deals, a row each.

    Parameters
    ----------
    players : pandas.DataFrame
    budget : int
        As for `careful_play`.
    """
    return tuple(_tip(players, budget, *tip) for tip in _TIPS)


def _tip(players: pd.DataFrame, budget: int, tip: Tip, name: str, claim: str) -> Row:
    table = tip_table(players)
    effort = f"moves taken back, {min(TIP_BUDGET, budget):,} positions"
    whom = {"greedy": "all other tips heeded", "take-back": f"all other tips heeded, {effort}"}
    readings, gains = [], []
    for row in table[table["tip"] == tip_name(tip)].to_dict("records"):
        who = whom.get(row["with_tip"], "no other tip heeded")
        gain = Interval(row["low"], row["high"])
        gains.append(f"{100 * row['difference']:+.1f} ({who})")
        readings.append(
            Reading(
                who,
                f"{in_points(gain)}, {p_text(row['p_value'])}",
                f"{len(players):,} deals played with the tip and without: 95 % interval of the difference"
                f" (Newcombe) against 0 and {points(CLOSE)}; p by McNemar's exact test",
                is_worth(gain, row["p_value"]),
            )
        )
    rule = f"A tip is good if players who heed it win more deals. {BAKERS_DOZEN.sentence}"
    why = f"Points that the tip adds to the share of deals won: {', '.join(gains)}."
    return bakers_dozen_row(name, claim, readings, why, rule)


def low_cards(players: pd.DataFrame, budget: int) -> Row:
    """Judge that low cards near a King are the hardest, by deals with such cards and deals with others.

    Kings lie at the bottom, so that the low card nearest to one lies directly on it. If it is hard to get
    at, deals with such a card are lost more often than those without. If it is the hardest, they are also
    lost more often than those in which a low card is itself at the bottom. (Whether it pays not to bury low
    cards is another question: what a tip is worth, not which deals are hard.)

    Parameters
    ----------
    players : pandas.DataFrame
    budget : int
        As for `careful_play`.
    """
    layouts = [load_deal(BAKERS_DOZEN, source).position.columns for source in players["source"]]
    on_king = np.array([lies_on(columns, _LOW, _KING) for columns in layouts])
    lowest = np.array([any(rank_of(column[0]) in _LOW for column in columns) for columns in layouts])
    groups = {
        "a low card on a King, against none": (on_king, ~on_king),
        "a low card on a King, against one at the bottom of a column": (on_king & ~lowest, lowest & ~on_king),
    }
    readings = []
    for column, who in (
        ("greedy", "the tips, nothing taken back"),
        ("take-back", f"the tips, moves taken back over {budget:,} positions"),
    ):
        won = players[f"{column} won"].to_numpy()
        readings += [
            more_often_lost(f"{what} ({who})", *group, (won, won), costs) for what, group in groups.items()
        ]
    held = [reading.holds for reading in readings]
    said = {True: "more often", False: "not more often", None: "not settled"}
    why = (
        "How often deals with an ace or two directly on a King are lost, against those without:"
        f" {said[held[0]]} if nothing is taken back, {said[held[2]]} if moves are; against those with an ace"
        f" or two at the bottom of a column instead: {said[held[1]]}, {said[held[3]]}."
    )
    rule = f"Low cards are aces and twos; hard is what costs deals. {BAKERS_DOZEN.sentence}"
    name, claim = "low-cards-near-kings", "Low cards near a King are the hardest."
    return bakers_dozen_row(name, claim, readings, why, rule)


def queens_and_kings(layouts: Sequence[Columns], wins: tuple[Wins, Wins]) -> tuple[Row, Row]:
    """Judge that a Queen on a King is fine, and that a King on a Queen is a block.

    Parameters
    ----------
    layouts : sequence of columns
        Kings as dealt.
    wins : pair of ndarray of bool
        Which of these deals are certainly won, and which may be, by the solver.
    """
    king_above, own_above, queen_above = (
        np.array(group)
        for group in (
            [lies_on(columns, _KING, _QUEEN) for columns in layouts],
            [lies_on(columns, _KING, _QUEEN, same_suit=True) for columns in layouts],
            [lies_on(columns, _QUEEN, _KING) for columns in layouts],
        )
    )
    rule = "As Baker's Dozen, but Kings stay as dealt: moved to the bottom, they lie on no Queen."
    blocked = more_often_lost("a King on a Queen costs deals", king_above, ~king_above, wins, costs)

    def costs_none(more: Interval, p_value: float) -> bool | None:
        cost = costs(more, p_value)
        return None if cost is None else not cost

    fine = more_often_lost("a Queen on a King costs no deals", queen_above, ~queen_above, wins, costs_none)
    always = [
        always_lost(f"a King on {whose} Queen always loses the deal", group, wins)
        for whose, group in (("any", king_above), ("his own", own_above))
    ]
    return (
        bakers_dozen_row(
            "queen-on-king",
            "A Queen on a King is fine.",
            [fine],
            f"Kings left as dealt, deals with a Queen on a King against deals without: {fine.value}.",
            rule,
        ),
        bakers_dozen_row(
            "king-on-queen",
            "A King on a Queen is a block.",
            [*always, blocked],
            "A King moves only to his foundation, so that one on the Queen of his own suit never does:"
            f" {always[1].value}. On any Queen: {always[0].value}. Of all deals with Kings left as dealt"
            f" {share_of((~wins[1], ~wins[0]))} are lost.",
            rule,
        ),
    )


def lies_on(
    columns: Columns, upper: frozenset[int], lower: frozenset[int], *, same_suit: bool = False
) -> bool:
    """Whether a card of one of the ranks `upper` lies directly on one of the ranks `lower`."""
    return any(
        rank_of(over) in upper
        and rank_of(under) in lower
        and (not same_suit or suit_of(over) == suit_of(under))
        for column in columns
        for under, over in pairwise(column)
    )


def layouts_of(sources: Sequence[str]) -> list[Columns]:
    """Return the columns of deals, Kings as dealt."""
    return [load_deal(BAKERS_DOZEN, source, Kings.AS_DEALT).position.columns for source in sources]

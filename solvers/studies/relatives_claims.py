"""What is said of the relatives of Baker's Dozen, judged by the same shuffled decks in each game."""

from __future__ import annotations

from dataclasses import fields

from solvers.games import BAKERS_DOZEN, GAMES, TableauRules
from solvers.studies.compare import pair_up
from solvers.studies.proportion import Interval, share_interval
from solvers.studies.readings import (
    CLOSE,
    MUCH,
    Reading,
    Row,
    Wins,
    bakers_dozen_row,
    count,
    exceeds,
    in_band,
    in_points,
    p_text,
    paired_reading,
    points,
    share_of,
)

__all__ = ["HOUSE_RULES", "SPANISH", "closely_related", "considerably", "much_harder", "rescued"]

SPANISH = tuple(name for name in GAMES if name.startswith("spanish-patience"))
"""Games that go by that name."""
HOUSE_RULES = ("bakers-dozen-fill", "bakers-dozen-group", "bakers-dozen-easy")

_LAYOUT = {
    "columns": "the number of columns",
    "column_cards": "the cards in a column",
    "aces_out": "the aces laid out first",
}


def closely_related(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    """Judge that Good Measure is closely related to Baker's Dozen.

    Parameters
    ----------
    wins : dict
        By name of the game: deals that are certainly won, and that may be.
    """
    other = GAMES["good-measure"]
    assert isinstance(other, TableauRules)
    about = {"name", "title", "sentence", "source", "also_called", "namesakes"}
    differs = [
        field.name
        for field in fields(BAKERS_DOZEN)
        if field.name not in about and getattr(BAKERS_DOZEN, field.name) != getattr(other, field.name)
    ]
    play = set(differs) - set(_LAYOUT)
    pair = pair_up(wins[other.name], wins[BAKERS_DOZEN.name])
    words = [_LAYOUT.get(name, name.replace("_", " ")) for name in differs]
    readings = [
        Reading(
            "the same rules of play",
            f"the rules differ in {', '.join(words) or 'nothing'}",
            "rules compared, all but the layout",
            not play,
        ),
        Reading(
            "won about as often",
            f"{share_of(wins[other.name])}, {in_points(pair.difference)}, {p_text(pair.p_value)}",
            f"95 % interval of the difference (Newcombe, same shuffled decks) within {points(CLOSE)};"
            " p by McNemar's exact test",
            in_band(pair.difference, -CLOSE, CLOSE),
        ),
    ]
    why = (
        f"It is played {'by the same rules' if not play else 'by other rules'} from another layout, and"
        f" {share_of(wins[other.name])} of its deals can be won, of Baker's Dozen's"
        f" {share_of(wins[BAKERS_DOZEN.name])}."
    )
    claim = "Good Measure is closely related."
    return bakers_dozen_row("good-measure-related", claim, readings, why, other.sentence)


def much_harder(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    """Judge that Spanish Patience is much harder than Baker's Dozen, in each game of that name.

    Parameters
    ----------
    wins : dict
        As for `closely_related`.
    """
    own = wins[BAKERS_DOZEN.name]
    pairs = {game: pair_up(own, wins[game]) for game in SPANISH}
    readings = [
        paired_reading(GAMES[game].title, pair, wins[game], exceeds(pair.difference, MUCH))
        for game, pair in pairs.items()
    ]
    shares = ", ".join(f"{GAMES[game].title} {share_of(wins[game])}" for game in SPANISH)
    why = f"Of the deals of Baker's Dozen {share_of(own)} can be won, and of the others: {shares}."
    claim = "Spanish Patience is much harder."
    return bakers_dozen_row("spanish-much-harder", claim, readings, why, _either(SPANISH))


def considerably(wins: dict[str, tuple[Wins, Wins]]) -> Row:
    """Judge that the easy house rules raise the rate considerably: of all deals, or of those else lost.

    Parameters
    ----------
    wins : dict
        As for `closely_related`.
    """
    own = wins[BAKERS_DOZEN.name]
    lost = count(~own[1])
    readings, won = [], []
    for game in HOUSE_RULES:
        title = GAMES[game].title
        pair = pair_up(wins[game], own)
        share = rescued(own, wins[game])
        won.append(f"{pair.only_first:,} ({title})")
        readings += [
            paired_reading(f"{title}, of all deals", pair, wins[game], exceeds(pair.difference, MUCH)),
            Reading(
                f"{title}, of the deals else lost",
                f"{pair.only_first:,} of {lost:,} ({share.percent()}) can then be won",
                "95 % interval (Wilson) of the deals else lost against one half",
                exceeds(share, 0.5),
            ),
        ]
    why = (
        f"Without them {lost:,} of {len(own[1]):,} deals are known to be lost, and no rule could add more to"
        f" the rate; of those, the rules win {', '.join(won)}."
    )
    claim = "The easy house rules raise the rate considerably."
    return bakers_dozen_row("easy-considerably", claim, readings, why, _either(HOUSE_RULES))


def rescued(own: tuple[Wins, Wins], other: tuple[Wins, Wins]) -> Interval:
    """95 % interval of the share, of the deals lost in one game, that is won in another.

    A deal undecided in the first may belong to them or not, and one undecided in the other may be won.
    """
    lost, unknown = ~own[1], own[1] & ~own[0]
    (sure, may) = other
    least = share_interval(count(lost & sure), count(lost | (unknown & ~sure)))
    with_all = lost | (unknown & may)
    return Interval(least.low, share_interval(count(with_all & may), count(with_all)).high)


def _either(games: tuple[str, ...]) -> str:
    return " Or: ".join(f"{GAMES[game].title}: {GAMES[game].sentence}" for game in games)

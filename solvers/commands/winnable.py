"""``patience deal --winnable``: a deal that can be won, with its proof, and as difficult as is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from solvers.commands.shared import ExitCode, SlowProgress, compilation_announced, note
from solvers.errors import InputError, quote

if TYPE_CHECKING:
    from solvers.bakers_dozen.difficulty import FoundDeal
    from solvers.games import Rules

MOST_STATES = 2_000_000
"""A deal that takes more states to decide is passed over: there are others."""


def choose_winnable(game: Rules, source: str | None, kings: str | None, difficulty: str | None) -> FoundDeal:
    """The first deal of a range, or of fresh ones, that can be won and is as difficult as is wanted."""
    from solvers.bakers_dozen.difficulty import Level, find_winnable, fresh_deals
    from solvers.bakers_dozen.solve import Limits
    from solvers.sources import parse_range

    if difficulty is not None and difficulty not in list(Level):
        raise InputError(f"unknown difficulty {quote(difficulty)} ({', '.join(Level)})")
    level = None if difficulty is None else Level(difficulty)
    deals = None if source is None else parse_range(source)
    with compilation_announced(), SlowProgress("deals tried", len(deals) if deals else None) as bar:
        found = find_winnable(
            game, deals or fresh_deals(), level=level, kings=kings, limits=Limits(MOST_STATES), progress=bar
        )
    if found is None:
        wanted = "deal" if level is None else f"{level} deal"
        note(f"no {wanted} of {source} is known to be winnable")
        raise typer.Exit(ExitCode.NOT_WON)
    return found


def winnable_lines(found: FoundDeal) -> list[str]:
    """What is known of the deal, in words."""
    proof = f"winnable: {len(found.result.moves)} moves win it, checked against the rules"
    lines = [f"{found.deal.game.name} {found.deal.source}, {proof}"]
    return lines if found.difficulty is None else [*lines, str(found.difficulty)]


def winnable_fields(found: FoundDeal) -> dict[str, Any]:
    """What is known of the deal, as fields that are read back as a position."""
    from solvers.bakers_dozen.difficulty import RANDOM_PLAYS
    from solvers.formats import move_fields, position_fields

    fields: dict[str, Any] = {
        "game": found.deal.game.name,
        "source": found.deal.source,
        "kings": found.deal.kings and str(found.deal.kings),
        "outcome": str(found.result.outcome),
        "moves": [move_fields(move) for move in found.result.moves],
        **position_fields(found.deal.position),
    }
    if found.difficulty is not None:
        fields["difficulty"] = {
            "level": str(found.difficulty.level),
            "random_plays": RANDOM_PLAYS,
            "random_wins": found.difficulty.random_wins,
            "looked_at": found.difficulty.looked_at,
        }
    return fields

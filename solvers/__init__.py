"""Patience Lab: Clock and Baker's Dozen, simulated, solved and known exactly.

The public names can be had from here. Each is imported when it is first asked for, so that naming one does
not load Numba for another.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.bakers_dozen.difficulty import find_winnable, rate_difficulty
    from solvers.bakers_dozen.players import Player, Tip, play_position
    from solvers.bakers_dozen.rules import IllegalMove, apply, legal_moves, replay
    from solvers.bakers_dozen.solve import Limits, solve
    from solvers.cards import Deck, format_card, parse_card
    from solvers.clock.simulate import SimulationResult, simulate
    from solvers.clock.theory import ExactResult, exact
    from solvers.deals import Deal, load_deal
    from solvers.errors import InputError
    from solvers.formats import format_moves, format_position, parse_moves, parse_position
    from solvers.games import GAMES, Rules, TableauRules, find_game, load_rules, search_games
    from solvers.outcome import Limit, Outcome, SolveResult
    from solvers.positions import Move, Position
    from solvers.sources import parse_range
    from solvers.studies.compare import compare_studies, plan_games
    from solvers.studies.players import effort_curve, effort_needed, plan_players, player_table, tip_table
    from solvers.studies.proportion import binomial_test, mcnemar_test, share_interval, trials_needed
    from solvers.studies.run import run_study
    from solvers.studies.verdicts import plan_study, read_study
    from solvers.studies.workers import Workers, dask_cluster
    from solvers.view.replay import Replay

__all__ = [
    "GAMES",
    "Deal",
    "Deck",
    "ExactResult",
    "IllegalMove",
    "InputError",
    "Limit",
    "Limits",
    "Move",
    "Outcome",
    "Player",
    "Position",
    "Replay",
    "Rules",
    "SimulationResult",
    "SolveResult",
    "TableauRules",
    "Tip",
    "Workers",
    "apply",
    "binomial_test",
    "compare_studies",
    "dask_cluster",
    "effort_curve",
    "effort_needed",
    "exact",
    "find_game",
    "find_winnable",
    "format_card",
    "format_moves",
    "format_position",
    "legal_moves",
    "load_deal",
    "load_rules",
    "mcnemar_test",
    "parse_card",
    "parse_moves",
    "parse_position",
    "parse_range",
    "plan_games",
    "plan_players",
    "plan_study",
    "play_position",
    "player_table",
    "rate_difficulty",
    "read_study",
    "replay",
    "run_study",
    "search_games",
    "share_interval",
    "simulate",
    "solve",
    "tip_table",
    "trials_needed",
]

_HOMES = {
    "solvers.bakers_dozen.difficulty": ("find_winnable", "rate_difficulty"),
    "solvers.bakers_dozen.players": ("Player", "Tip", "play_position"),
    "solvers.bakers_dozen.rules": ("IllegalMove", "apply", "legal_moves", "replay"),
    "solvers.bakers_dozen.solve": ("Limits", "solve"),
    "solvers.cards": ("Deck", "format_card", "parse_card"),
    "solvers.clock.simulate": ("SimulationResult", "simulate"),
    "solvers.clock.theory": ("ExactResult", "exact"),
    "solvers.deals": ("Deal", "load_deal"),
    "solvers.errors": ("InputError",),
    "solvers.formats": ("format_moves", "format_position", "parse_moves", "parse_position"),
    "solvers.games": ("GAMES", "Rules", "TableauRules", "find_game", "load_rules", "search_games"),
    "solvers.outcome": ("Limit", "Outcome", "SolveResult"),
    "solvers.positions": ("Move", "Position"),
    "solvers.sources": ("parse_range",),
    "solvers.studies.compare": ("compare_studies", "plan_games"),
    "solvers.studies.players": ("effort_curve", "effort_needed", "plan_players", "player_table", "tip_table"),
    "solvers.studies.proportion": ("binomial_test", "mcnemar_test", "share_interval", "trials_needed"),
    "solvers.studies.run": ("run_study",),
    "solvers.studies.verdicts": ("plan_study", "read_study"),
    "solvers.studies.workers": ("Workers", "dask_cluster"),
    "solvers.view.replay": ("Replay",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

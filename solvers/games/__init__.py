"""What there is to play: every game as a value, and rules that a user wrote down.

A game is data: its layout, what is done with Kings before play, what may be moved where, its rules in
a sentence and where they are written down. Code that plays, solves or simulates looks here and nowhere else.
"""

from __future__ import annotations

from solvers.foundations import Foundations
from solvers.games.catalogue import GAMES, find_game, search_games
from solvers.games.clock_family import OPEN_CLOCK
from solvers.games.rules_file import load_rules
from solvers.games.tableau_family import BAKERS_DOZEN
from solvers.games.values import Building, ClockRules, Family, Groups, Kings, Rules, Spaces, TableauRules

__all__ = [
    "BAKERS_DOZEN",
    "GAMES",
    "OPEN_CLOCK",
    "Building",
    "ClockRules",
    "Family",
    "Foundations",
    "Groups",
    "Kings",
    "Rules",
    "Spaces",
    "TableauRules",
    "find_game",
    "load_rules",
    "search_games",
]

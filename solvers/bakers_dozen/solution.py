"""A list of moves as the search has it, as the moves that a person makes."""

from __future__ import annotations

import numpy as np

from solvers.bakers_dozen import masks, tableau
from solvers.bakers_dozen.layout import board_of
from solvers.positions import FOUNDATION, Move, Position


def shortest_form(
    position: Position, tables: tableau.RuleTables, listed: tableau.MoveList
) -> tuple[Move, ...]:
    """Take needless moves out of a complete list (`tableau.shorten`) and name the columns.

    Parameters
    ----------
    position : Position
        Where the list starts.
    tables : RuleTables
    listed : MoveList
        Changed in place.
    """
    tableau.shorten(tables, board_of(position), board_of(position), board_of(position), listed)
    named = np.empty((int(listed.length[0]), 4), dtype=np.int64)
    tableau.real_moves(board_of(position), listed, named)
    named[named == masks.NOTHING] = FOUNDATION
    return tuple(map(Move._make, named.tolist()))

"""Players of Baker's Dozen who play as a person might, without an exhaustive search.

"Won 75 to 80 % of the time with careful play" is a claim about people. Here are players to measure it by:

``random``     makes any legal move
``greedy``     heeds the four tips of the rules, and takes the move they like best
``look-K``     judges by the tips too, but K moves in a row
``take-back``  plays by the tips, and takes moves back when stuck, until his budget of positions is used up

The tips (what can go up goes up; free the aces, then the twos; do not empty columns; low cards under high
ones are the hardest) are heeded in the order of `Tip`, each before all that follow. Any can be switched off.

All choices among equals are drawn from a random stream that belongs to the deal's name, so that each play is
a function of player and deal. Effort is counted in positions looked at: one for each move that a player
weighs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen import player_kernel as kernel
from solvers.bakers_dozen.player_search import play_one
from solvers.bakers_dozen.rules import replay
from solvers.cards import Deck
from solvers.errors import InputError
from solvers.positions import FOUNDATION, Move, Position
from solvers.streams import named_key

__all__ = ["ALL_TIPS", "Play", "Player", "Tip", "boards_of", "play_all", "play_position", "tip_name"]

PATIENCE_FORWARD = 20
"""Shifts in a row of a player who takes nothing back."""
PATIENCE_TAKING_BACK = 1
"""Shifts in a row of one who takes moves back: without any he wins few deals, and with more he gets lost."""


class Tip(IntFlag):
    """A tip of the rules; `solvers.bakers_dozen.player_kernel.worth` says how each is followed."""

    FOUNDATIONS = kernel.FOUNDATIONS
    ACES_AND_TWOS = kernel.ACES_AND_TWOS
    KEEP_COLUMNS = kernel.KEEP_COLUMNS
    LOW_CARDS = kernel.LOW_CARDS


def tip_name(tip: Tip) -> str:
    """Name of one tip, as it stands in the names of players."""
    return (tip.name or "").lower().replace("_", "-")


ALL_TIPS = Tip.FOUNDATIONS | Tip.ACES_AND_TWOS | Tip.KEEP_COLUMNS | Tip.LOW_CARDS


@dataclass(frozen=True, slots=True)
class Player:
    """How somebody plays.

    Parameters
    ----------
    tips : Tip
        Those he heeds.
    foresight : int
        Moves in a row that he judges together, 1 to 6; 0 for a player who makes any legal move.
    budget : int
        For a player who takes moves back: positions that he looks at before he gives up. 0: he does not.
    shifts : int, optional
        Moves in a row that he makes although they could be undone at once.

    Raises
    ------
    InputError
        If a number is out of range, or a player with foresight is to take moves back.
    """

    tips: Tip = ALL_TIPS
    foresight: int = 1
    budget: int = 0
    shifts: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.foresight <= kernel.MOST_FORESIGHT:
            raise InputError(f"a player looks 0 to {kernel.MOST_FORESIGHT} moves ahead, not {self.foresight}")
        if self.budget < 0:
            raise InputError(f"a player cannot look at {self.budget} positions")
        if self.budget and self.foresight != 1:
            raise InputError("a player who takes moves back weighs them one by one")
        if self.shifts is not None and self.shifts < 0:
            raise InputError(f"a player cannot make {self.shifts} moves in a row")

    @property
    def habits(self) -> kernel.Habits:
        """The same for the kernel."""
        usual = PATIENCE_TAKING_BACK if self.budget else PATIENCE_FORWARD
        return kernel.Habits(
            int(self.tips), self.foresight, usual if self.shifts is None else self.shifts, self.budget
        )

    def __str__(self) -> str:
        if self.foresight == 0:
            return "random"
        name = "greedy" if self.foresight == 1 else f"look-{self.foresight}"
        if self.budget:
            name = "take-back"
        heeded = [tip_name(tip) for tip in Tip if tip in self.tips]
        missing = [tip_name(tip) for tip in Tip if tip not in self.tips]
        if not heeded:
            return f"{name}-no-tips"
        if len(missing) > 1:
            return f"{name}-only-{'+'.join(heeded)}"
        return f"{name}-no-{missing[0]}" if missing else name


@dataclass(frozen=True, slots=True)
class Play:
    """One deal, played.

    Parameters
    ----------
    won : bool
    moves : tuple of Move
        Those made, but for those taken back.
    looked_at : int
        Positions looked at.
    """

    won: bool
    moves: tuple[Move, ...]
    looked_at: int


def play_position(position: Position, player: Player, name: str) -> Play:
    """Play a position.

    Parameters
    ----------
    position : Position
        Of Baker's Dozen, from the start or later.
    player : Player
    name : str
        What the random choices are drawn from: any text, such as the deal's source.

    Returns
    -------
    Play

    Raises
    ------
    InputError
        If the position is not one of its deck.
    """
    board = kernel.Board(*(array[0] for array in boards_of([position])))
    played = np.empty((_most_moves(player), 2), dtype=np.int64)
    looked = np.zeros(1, dtype=np.int64)
    length = _play(board, player, name, played, looked)
    columns = [list(column) for column in position.columns]
    moves = []
    for source, target in played[:length].tolist():
        card = columns[source].pop()
        if target != kernel.UP:
            columns[target].append(card)
        moves.append(Move(card, source, FOUNDATION if target == kernel.UP else target))
    return Play(not board.heights.any(), tuple(moves), int(looked[0]))


def play_all(
    positions: Sequence[Position], player: Player, names: Sequence[str]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Play many positions of the same number of columns; each is played as `play_position` plays it.

    Returns
    -------
    won : ndarray of bool, shape (positions,)
    looked_at : ndarray of int64, shape (positions,)
        Positions looked at.

    Raises
    ------
    InputError
        If a position is not one of its deck.
    """
    boards = boards_of(positions)
    won = np.empty(len(positions), dtype=np.bool_)
    looked = np.zeros(len(positions), dtype=np.int64)
    played = np.empty((_most_moves(player), 2), dtype=np.int64)
    for index, name in enumerate(names):
        board = kernel.Board(*(array[index] for array in boards))
        _play(board, player, name, played, looked[index : index + 1])
        won[index] = not board.heights.any()
    return won, looked


def _play(
    board: kernel.Board, player: Player, name: str, played: NDArray[np.int64], looked: NDArray[np.int64]
) -> int:
    """Play a deal, and return the number of moves; board, moves and positions looked at change in place.

    One deal a call of the kernel, not many: Ctrl-C is heeded between calls only.
    """
    with np.errstate(over="ignore"):
        kernel.set_mark(board)
        return int(play_one(board, player.habits, named_key(name), played, looked))


def boards_of(positions: Sequence[Position]) -> kernel.Board:
    """Boards for the kernels, with one more axis in front in each of their arrays; the marks are not set.

    Raises
    ------
    InputError
        If a position is not one of its deck, or has too many columns.
    """
    width = max((len(position.columns) for position in positions), default=1)
    boards = kernel.Board(
        np.zeros((len(positions), width, kernel.COLUMN_ROOM), dtype=np.int64),
        np.zeros((len(positions), width), dtype=np.int64),
        np.zeros((len(positions), 4), dtype=np.int64),
        np.zeros((len(positions), 1), dtype=np.uint64),
    )
    for index, position in enumerate(positions):
        replay(position, ())  # the referee checks it
        if len(position.columns) > kernel.MOST_COLUMNS:
            raise InputError(
                f"a player plays at most {kernel.MOST_COLUMNS} columns, not {len(position.columns)}"
            )
        for number, column in enumerate(position.columns):
            boards.columns[index, number, : len(column)] = column
            boards.heights[index, number] = len(column)
        boards.foundations[index, : len(position.foundations)] = position.foundations
    return boards


def _most_moves(player: Player) -> int:
    """Moves that a play cannot exceed: each card is lifted once and dug once, shifts before each."""
    return (2 * Deck().size + 1) * (player.habits.shifts + 1) + 1

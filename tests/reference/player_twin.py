"""The players once more, slowly: by the referee's moves, on whole positions.

Only the random stream is shared with the kernels, so that the same choices are made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.bakers_dozen.players import Player, Tip
from solvers.bakers_dozen.rules import apply, legal_moves
from solvers.cards import rank_of
from solvers.positions import FOUNDATION, Move, Position
from solvers.streams import draw_below, named_key

WIN = 1_000_000_000


class Draws:
    """Numbers from a text's own stream."""

    def __init__(self, name: str) -> None:
        self.key, self.counter = named_key(name), np.uint64(0)

    def below(self, n: int) -> int:
        with np.errstate(over="ignore"):
            number, counter = draw_below(self.key, self.counter, np.uint64(n))
        self.counter = np.uint64(counter)
        return int(number)


def same(position: Position) -> Any:
    """What makes a position the same as another: the order of the columns does not matter."""
    return frozenset(position.columns), position.foundations


def is_shift(position: Position, move: Move) -> bool:
    column = position.columns[move.source]
    return move.target != FOUNDATION and len(column) > 1 and rank_of(column[-2]) == rank_of(column[-1]) + 1


def buried(cards: tuple[int, ...], card: int, tips: Tip) -> int:
    total = 0
    for low in cards:
        if Tip.ACES_AND_TWOS in tips and rank_of(low) <= 2:
            total += 10_000
        if Tip.LOW_CARDS in tips and rank_of(low) < rank_of(card):
            total += 14 - rank_of(low)
    return total


def worth(position: Position, move: Move, tips: Tip) -> int:
    rest = position.columns[move.source][:-1]
    total = buried(rest, move.card, tips)
    if move.target == FOUNDATION:
        return total + (1_000_000 if Tip.FOUNDATIONS in tips else 0)
    if not rest and Tip.KEEP_COLUMNS in tips:
        total -= 1_000
    return total - buried(position.columns[move.target], move.card, tips)


def best_line(position: Position, tips: Tip, depth: int, looked: list[int]) -> int:
    if position.won:
        return WIN
    best = -WIN
    for move in legal_moves(position):
        looked[0] += 1
        after = worth(position, move, tips)
        if depth > 1:
            deeper = best_line(apply(position, move), tips, depth - 1, looked)
            if deeper == -WIN:
                continue
            after = WIN if deeper == WIN else after + deeper
        best = max(best, after)
    return best


def play_forward(position: Position, player: Player, name: str) -> tuple[Position, list[Move], int]:
    draws, looked = Draws(name), [0]
    seen: list[Any] = []
    shifts = 0
    moves: list[Move] = []
    while True:
        seen.append(same(position))
        values: dict[Move, int] = {}
        for move in legal_moves(position):
            shifting = is_shift(position, move)
            if shifting and shifts == player.habits.shifts:
                continue
            if player.foresight == 0:
                values[move] = 0
                continue
            looked[0] += 1
            after = apply(position, move)
            if shifting and same(after) in seen:
                continue
            values[move] = worth(position, move, player.tips)
            if player.foresight > 1:
                values[move] += best_line(after, player.tips, player.foresight - 1, looked)
        if not values:
            return position, moves, looked[0]
        best = [move for move, value in values.items() if value == max(values.values())]
        move = best[draws.below(len(best))]
        shifts = shifts + 1 if is_shift(position, move) else 0
        if shifts == 0:
            seen.clear()
        position = apply(position, move)
        moves.append(move)


def play_taking_back(position: Position, player: Player, name: str) -> tuple[Position, list[Move], int]:
    draws, looked = Draws(name), 0
    known: set[Any] = set()
    line: list[tuple[Position, int, list[Move]]] = []
    moves: list[Move] = []
    shifts = 0
    entering = True
    while not position.won and looked < player.budget:
        if entering:
            known.add(same(position))
            draws.counter = np.uint64(len(known) * 64)
            legal = [
                move
                for move in legal_moves(position)
                if not (is_shift(position, move) and shifts == player.habits.shifts)
            ]
            keys = {move: worth(position, move, player.tips) * 1024 + draws.below(1024) for move in legal}
            looked += len(legal)
            line.append((position, shifts, sorted(legal, key=lambda move: -keys[move])))
            entering = False
        position, shifts, waiting = line[-1]
        if not waiting:
            line.pop()
            if not line:
                break
            moves.pop()
            continue
        move = waiting.pop(0)
        after = apply(position, move)
        if same(after) in known:
            continue
        moves.append(move)
        shifts = shifts + 1 if is_shift(position, move) else 0
        position = after
        entering = True
    return position, moves, looked


def play(position: Position, player: Player, name: str) -> tuple[bool, list[Move], int]:
    """Whether it is won, the moves, and the number of positions looked at."""
    way = play_taking_back if player.budget else play_forward
    end, moves, looked = way(position, player, name)
    return end.won, moves, looked

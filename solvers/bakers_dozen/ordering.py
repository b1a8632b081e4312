"""The order in which moves are tried, for every search: noise, and a sort that inserts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.table import next_random
from solvers.compilation import njit

IntArray = NDArray[np.int64]


@njit
def draw_noise(scores: IntArray, count: int, noise: int, random: int) -> int:
    """Fill `count` scores with numbers below `noise`, or 0 without it; return the stream's next state."""
    for index in range(count):
        scores[index] = 0
        if noise:
            random = next_random(random)
            scores[index] = random % noise
    return random


@njit
def insert(moves: IntArray, scores: IntArray, index: int, score: int) -> None:
    """Move what stands at `index` down among the sorted ones before it, by its score, lowest first."""
    move = moves[index]
    place = index
    while place > 0 and scores[place - 1] > score:
        moves[place], scores[place] = moves[place - 1], scores[place - 1]
        place -= 1
    moves[place], scores[place] = move, score

"""Hash tables for the search: open addressing in flat int64 arrays.

No entry can be mistaken for another: each holds its whole key, not a hash of it. A search never
asks whether two hashes are equal, only whether two keys are.

Element 0 of each table counts its entries; the slots follow. A table is never filled beyond
three quarters (`has_room`, `has_room_for_states`); the caller moves it to a larger one (`grow_...`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compilation import njit

IntArray = NDArray[np.int64]

_LOW = 0x7FFFFFFF
_FOR_LOW = 0x9E3779B1
_FOR_HIGH = 0x5BD1E995
_STEP = 0x1E3779B97F4A7C15


@njit
def scatter(word: int) -> int:
    """Mix the bits of a word from 0 to 2**63 - 1 into another one; only speed depends on how well.

    No product overflows: 31 bits by 32, and 32 bits by 31. LLVM may assume that signed numbers never do, and
    then gives what the compilation happens to make of it, not the same on every machine.
    """
    for _ in range(2):
        word = (word & _LOW) * _FOR_LOW ^ (word >> 31) * _FOR_HIGH
        word ^= word >> 29
    return word


@njit
def next_random(state: int) -> int:
    """The state after this one of a stream of numbers from 0 to 2**63 - 1, for noise."""
    return scatter((state >> 1) + _STEP)


def new_counts_table(slots: int) -> IntArray:
    """Empty table of layer-1 verdicts with `slots` slots (a power of two), one word each."""
    return np.zeros(slots + 1, dtype=np.int64)


@njit
def has_room(table: IntArray) -> bool:
    """Whether a one-word table takes another entry."""
    return 4 * table[0] < 3 * (table.size - 1)


@njit
def counts_table_find(table: IntArray, key: int) -> int:
    """Verdict stored for a key (below 2**60), 0 if none."""
    mask = table.size - 2
    slot = scatter(key) & mask
    while True:
        word = table[1 + slot]
        if word == 0:
            return 0
        if word >> 2 == key:
            return word & 3
        slot = (slot + 1) & mask


@njit
def counts_table_insert(table: IntArray, key: int, verdict: int) -> None:
    """Store a verdict (1 to 3) unless the key has one."""
    mask = table.size - 2
    slot = scatter(key) & mask
    while True:
        word = table[1 + slot]
        if word == 0:
            table[1 + slot] = key << 2 | verdict
            table[0] += 1
            return
        if word >> 2 == key:
            return
        slot = (slot + 1) & mask


@njit
def grow_counts_table(table: IntArray, larger: IntArray) -> None:
    """Copy every entry of `table` into the empty table `larger`."""
    for slot in range(1, table.size):
        if table[slot] != 0:
            counts_table_insert(larger, table[slot] >> 2, table[slot] & 3)


def new_states_table(slots: int) -> IntArray:
    """Empty set of layer-2 states with `slots` slots (a power of two), two words each."""
    return np.zeros(2 * slots + 1, dtype=np.int64)


@njit
def has_room_for_states(table: IntArray) -> bool:
    """Whether a two-word table takes another entry."""
    return 8 * table[0] < 3 * (table.size - 1)


@njit
def states_table_has(table: IntArray, first: int, second: int) -> bool:
    """Whether the set holds the key of these two words (both non-negative)."""
    mask = (table.size - 1) // 2 - 1
    slot = scatter(first ^ scatter(second)) & mask
    while True:
        word = table[1 + 2 * slot]
        if word == 0:
            return False
        if word == first + 1 and table[2 + 2 * slot] == second:
            return True
        slot = (slot + 1) & mask


@njit
def states_table_insert(table: IntArray, first: int, second: int) -> None:
    """Add the key of these two words unless it is there."""
    mask = (table.size - 1) // 2 - 1
    slot = scatter(first ^ scatter(second)) & mask
    while True:
        word = table[1 + 2 * slot]
        if word == 0:
            table[1 + 2 * slot] = first + 1
            table[2 + 2 * slot] = second
            table[0] += 1
            return
        if word == first + 1 and table[2 + 2 * slot] == second:
            return
        slot = (slot + 1) & mask


@njit
def grow_states_table(table: IntArray, larger: IntArray) -> None:
    """Copy every entry of `table` into the empty table `larger`."""
    for slot in range(1, table.size, 2):
        if table[slot] != 0:
            states_table_insert(larger, table[slot] - 1, table[slot + 1])


MOST_VECTORS = 1 << 24
"""Numbers of vectors stay below this."""


class PairingsTable(NamedTuple):
    """Numbers for vectors of pairing masks, given in the order in which they are met.

    A number stands for exactly one vector, so a key that holds the number is as exact as one that
    holds the vector; and it is 24 bits where the vector is 288 (`MOST_VECTORS`).
    """

    slots: IntArray  # (1 + slots,): element 0 counts the vectors; a slot is a number + 1, or 0
    vectors: IntArray  # (room, 6): two masks of 24 bits a word


def new_pairings_table(slots: int) -> PairingsTable:
    """Empty table with `slots` slots (a power of two)."""
    return PairingsTable(np.zeros(slots + 1, dtype=np.int64), np.empty((slots, 6), dtype=np.int64))


@njit
def has_room_for_pairings(table: PairingsTable) -> bool:
    """Whether the table takes another vector."""
    return has_room(table.slots)


@njit
def _vector_number(table: PairingsTable, words: IntArray) -> int:
    mixed = 0
    for word in words:
        mixed = scatter(mixed ^ word)
    mask = table.slots.size - 2
    slot = mixed & mask
    while True:
        number = table.slots[1 + slot] - 1
        if number < 0:
            number = table.slots[0]
            table.slots[0] += 1
            table.slots[1 + slot] = number + 1
            table.vectors[number] = words
            return number
        same = True
        for place in range(6):
            if table.vectors[number, place] != words[place]:
                same = False
                break
        if same:
            return number
        slot = (slot + 1) & mask


@njit
def pairings_id(table: PairingsTable, masks: IntArray, tag: int) -> int:
    """Number of a vector of 12 pairing masks and a tag of 12 bits; a new one if it was not met before."""
    words = np.empty(6, dtype=np.int64)
    for place in range(6):
        words[place] = masks[2 * place] | masks[2 * place + 1] << 24
    words[0] |= tag << 48
    return _vector_number(table, words)


@njit
def grow_pairings_table(table: PairingsTable, larger: PairingsTable) -> None:
    """Copy every vector of `table` into the empty table `larger`, with its number."""
    for number in range(table.slots[0]):
        _vector_number(larger, table.vectors[number])


SETS_SLOTS = 1 << 20
"""Slots of a table of sets. It never grows, since a set's number is its slot."""


def new_sets_table(slots: int = SETS_SLOTS) -> IntArray:
    """Empty table of sets (masks below 2**62), one word a slot; element 0 counts them."""
    return np.zeros(slots + 1, dtype=np.int64)


@njit
def set_number(table: IntArray, mask: int) -> int:
    """Number of a set, the same each time, below the number of slots; a new one if it was not met before."""
    last = table.size - 2
    slot = scatter(mask) & last
    while True:
        word = table[1 + slot]
        if word == mask + 1:
            return slot
        if word == 0:
            table[1 + slot] = mask + 1
            table[0] += 1
            return slot
        slot = (slot + 1) & last

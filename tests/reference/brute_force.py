"""Baker's Dozen decided by trying everything, for decks small enough.

Written from the rules text alone: no import from the package, a move generator of its own. A card is
``4 * (rank - 1) + suit``, ranks from 1. A state is nothing but the set of columns: a card that is in no
column is on its foundation, and since empty columns are never filled and columns have no order, a
state is kept as the sorted tuple of the columns that are not empty.

Every state that play can reach is looked at once; nothing is pruned and no move is preferred
except that moves to a foundation are tried first, which changes the order of the search and not its
result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

Columns = tuple[bytes, ...]


def canonical(columns: Sequence[Sequence[int]]) -> Columns:
    """Columns as a value that does not depend on their order."""
    return tuple(sorted(bytes(column) for column in columns if column))


def successors(columns: Columns, heights: tuple[int, ...]) -> Iterator[tuple[Columns, tuple[int, ...]]]:
    """Every state one move away, moves to a foundation last."""
    raised = []
    for source, column in enumerate(columns):
        card = column[-1]
        rank, suit = card // 4 + 1, card % 4
        without = column[:-1]
        rest = columns[:source] + columns[source + 1 :]
        if heights[suit] == rank - 1:
            up = (*heights[:suit], rank, *heights[suit + 1 :])
            raised.append((tuple(sorted((*rest, without))) if without else rest, up))
        for target, other in enumerate(rest):
            if other[-1] // 4 + 1 == rank + 1:
                moved = [*rest[:target], other + column[-1:], *rest[target + 1 :]]
                if without:
                    moved.append(without)
                moved.sort()
                yield tuple(moved), heights
    yield from raised


def winnable(columns: Sequence[Sequence[int]], foundations: Sequence[int], ranks: int, suits: int) -> bool:
    """Whether the position can be won.

    `columns` are written bottom card first; `foundations` are the heights by suit. All other
    cards of `ranks` times `suits` must be in the columns. Up to 6 ranks of 4 suits take milliseconds on
    average and about a second at worst; of 7 ranks some lost deals have millions of states.
    """
    verdict = decide(columns, foundations, ranks, suits)
    assert verdict is not None
    return verdict


def decide(
    columns: Sequence[Sequence[int]],
    foundations: Sequence[int],
    ranks: int,
    suits: int,
    most_states: float = math.inf,
) -> bool | None:
    """Whether the position can be won, or None if that takes more than `most_states` states to see."""
    heights = tuple(foundations)
    expected = sorted(4 * rank + suit for suit in range(suits) for rank in range(heights[suit], ranks))
    assert sorted(card for column in columns for card in column) == expected
    assert len(heights) == suits
    start = canonical(columns)
    seen = {start}
    stack = [(start, heights)]
    while stack:
        state, heights = stack.pop()
        if not state:
            return True
        if len(seen) > most_states:
            return None
        for after in successors(state, heights):
            if after[0] not in seen:
                seen.add(after[0])
                stack.append(after)
    return False

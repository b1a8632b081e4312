"""Games of the Baker's Dozen family decided by trying everything, for decks small enough.

Written from the rules texts alone: no import from the package, a move generator of its own. A card is
``4 * (rank - 1) + suit``, ranks from 1, suits clubs, diamonds, hearts, spades. A state is the columns that
are not empty, as a sorted tuple (columns have no order), and the heights of the foundations. How many columns
are empty follows from how many there were at first.

Every state that play can reach is looked at once; nothing is pruned, and where a card fits on several
foundations each of them is tried. Moves that can be taken back make the states a graph with cycles; the set
of states seen takes care of that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Columns = tuple[bytes, ...]
Heights = tuple[int, ...]
State = tuple[Columns, Heights]


@dataclass(frozen=True)
class Game:
    """Rules, in the words of `solvers.games`; by default those of Baker's Dozen."""

    building: str = "any-suit"
    spaces: str = "never"
    groups: str = "one-card"
    foundations: str = "in-suit"
    worrying_back: bool = False


BAKERS_DOZEN = Game()
RED = {1, 2}
DIAL_SUITS = [3, 2, 0, 1]  # the dial begins 2S 3H 4C 5D 6S ...


def canonical(columns: Sequence[Sequence[int]]) -> Columns:
    """Columns as a value that does not depend on their order."""
    return tuple(sorted(bytes(column) for column in columns if column))


class Moves:
    """The moves of a game.

    Parameters
    ----------
    game : Game
    ranks : int
        Cards in a suit.
    columns : int
        Number of columns, empty ones included.
    """

    def __init__(self, game: Game, ranks: int, columns: int) -> None:
        self.game = game
        self.ranks = ranks
        self.columns = columns
        # For each card those that it may lie on.
        self.supports = [
            {4 * (rank + 1) + lower for lower in range(4) if self._suits_fit(upper, lower)}
            for rank in range(ranks)
            for upper in range(4)
        ]

    def _suits_fit(self, upper: int, lower: int) -> bool:
        if self.game.building == "red-black":
            return (upper in RED) != (lower in RED)
        return self.game.building == "any-suit" or upper == lower

    def successors(self, columns: Columns, heights: Heights) -> Iterator[State]:
        """Every state one move away, moves to a foundation last."""
        space = len(columns) < self.columns
        for card, lower in self.coming_back(heights) if self.game.worrying_back else ():
            for after in self.put(columns, bytes([card]), space):
                yield tuple(sorted(after)), lower
        raised = []
        for source, column in enumerate(columns):
            rest = columns[:source] + columns[source + 1 :]
            for moving, left in self.parts(column):
                for after in self.put(rest, moving, space):
                    if left:
                        after.append(left)
                    after.sort()
                    yield tuple(after), heights
            card, left = column[-1], column[:-1]
            for index in range(len(heights)):
                if self.next_on(index, heights[index], card):
                    up = (*heights[:index], heights[index] + 1, *heights[index + 1 :])
                    raised.append((tuple(sorted((*rest, left))) if left else rest, up))
        yield from raised

    def parts(self, column: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Cards that may leave a column together, and what is left."""
        yield column[-1:], column[:-1]
        if self.game.groups == "sequence":
            for start in range(len(column) - 2, -1, -1):
                if column[start] not in self.supports[column[start + 1]]:
                    return
                yield column[start:], column[:start]

    def put(self, columns: Columns, cards: bytes, space: bool) -> Iterator[list[bytes]]:
        """Columns after the cards were put onto one of them, or to an empty one."""
        supports = self.supports[cards[0]]
        for target, column in enumerate(columns):
            if column[-1] in supports:
                yield [*columns[:target], column + cards, *columns[target + 1 :]]
        if space and self.may_fill(cards):
            yield [*columns, cards]

    def may_fill(self, cards: bytes) -> bool:
        """Whether the cards may go to an empty column."""
        return {
            "never": False,
            "kings": cards[0] // 4 + 1 == self.ranks,
            "single-card": len(cards) == 1,
            "any": True,
        }[self.game.spaces]

    def top_of_dial(self, index: int, height: int) -> tuple[int, int]:
        """Rank and suit of the top card of a foundation that begins with rank index + 2."""
        return (index + 2 + height - 2) % self.ranks + 1, DIAL_SUITS[index % 4]

    def next_on(self, index: int, height: int, card: int) -> bool:
        """Whether a foundation of that height takes the card."""
        rank, suit = card // 4 + 1, card % 4
        if self.game.foundations == "dial":
            # What begins the next foundation of the suit is in no column, so that this one ends before it.
            top_rank, top_suit = self.top_of_dial(index, height)
            return suit == top_suit and rank == top_rank % self.ranks + 1
        if rank != height + 1:
            return False
        if rank == 1 or self.game.foundations == "in-suit":
            return suit == index
        if self.game.foundations == "any-suit":
            return True
        same_colour = (suit in RED) == (index in RED)
        return same_colour == (rank % 2 == 1)

    def coming_back(self, heights: Heights) -> Iterator[tuple[int, Heights]]:
        """Cards that may leave their foundations, and the heights without them."""
        assert self.game.foundations in ("in-suit", "dial")
        for index, height in enumerate(heights):
            lower = (*heights[:index], height - 1, *heights[index + 1 :])
            if self.game.foundations == "dial" and height > 1:
                rank, suit = self.top_of_dial(index, height)
                yield 4 * (rank - 1) + suit, lower
            elif self.game.foundations == "in-suit" and height > 0:
                yield 4 * (height - 1) + index, lower


def winnable(
    columns: Sequence[Sequence[int]],
    foundations: Sequence[int],
    ranks: int,
    suits: int,
    game: Game = BAKERS_DOZEN,
) -> bool:
    """Whether the position can be won.

    `columns` are written bottom card first, empty ones included; `foundations` are heights. All other cards
    of `ranks` times `suits` must be in the columns. Of Baker's Dozen up to 6 ranks of 4 suits take
    milliseconds on average and about a second at worst; of 7 ranks some lost deals have millions of states.
    """
    verdict = decide(columns, foundations, ranks, suits, game=game)
    assert verdict is not None
    return verdict


def decide(
    columns: Sequence[Sequence[int]],
    foundations: Sequence[int],
    ranks: int,
    suits: int,
    most_states: float = math.inf,
    game: Game = BAKERS_DOZEN,
) -> bool | None:
    """Whether the position can be won, or None if that takes more than `most_states` states to see."""
    heights = tuple(foundations)
    cards = [card for column in columns for card in column]
    deck = {4 * rank + suit for suit in range(suits) for rank in range(ranks)}
    assert len(set(cards)) == len(cards) == len(deck) - sum(heights)
    assert set(cards) <= deck
    if game.foundations == "in-suit":
        assert not any(4 * rank + suit in cards for suit in range(suits) for rank in range(heights[suit]))
    assert len(heights) == (ranks - 1 if game.foundations == "dial" else suits)
    moves = Moves(game, ranks, len(columns))
    start = canonical(columns), heights
    seen = {start}
    stack = [start]
    while stack:
        state = stack.pop()
        if not state[0]:
            return True
        if len(seen) > most_states:
            return None
        for after in moves.successors(*state):
            if after not in seen:
                seen.add(after)
                stack.append(after)
    return False

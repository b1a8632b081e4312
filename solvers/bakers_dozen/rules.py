"""The referee of Baker's Dozen: the rules in plain Python, to be read beside the rules text.

1. The top card of a column may go onto the top card of another column that is exactly one rank higher, of
   whatever suit (`may_lie_on`). A King therefore goes onto no card.
2. The top card of a column may go to the foundation of its suit, which is built from the ace up
   to the King (`may_go_up`).
3. One card moves at a time.
4. A column that has run empty stays empty.
5. A card on a foundation stays there.
6. The deal is won when every card is on its foundation.

Each rule that can be broken is stated once, and `legal_moves`, `apply` and `replay` all go by these
statements. Nothing here is shared with the solver except card codes, `Position` and `Move`, so a move list
that `replay` accepts has been judged by somebody else than the one who found it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvers.cards import SUIT_LETTERS, format_card, rank_of, suit_of
from solvers.errors import InputError
from solvers.positions import FOUNDATION, Move, Position


class IllegalMove(InputError):  # noqa: N818  # the name says what it is
    """A move that the rules forbid. The message says which move and why."""


def may_lie_on(card: int, support: int) -> bool:
    """Whether `card` may be put onto `support`: one rank lower, whatever the suits."""
    return rank_of(support) == rank_of(card) + 1


def may_go_up(card: int, foundations: Sequence[int]) -> bool:
    """Whether `card` is the next one of its foundation. `foundations` holds their heights by suit."""
    return rank_of(card) == foundations[suit_of(card)] + 1


def legal_moves(position: Position) -> list[Move]:
    """Return every legal move: column by column, to the foundation first.

    Parameters
    ----------
    position : Position

    Returns
    -------
    list of Move
        Empty when the deal is won or stuck.
    """
    moves = []
    for source, column in enumerate(position.columns):
        if not column:
            continue
        card = column[-1]
        if may_go_up(card, position.foundations):
            moves.append(Move(card, source, FOUNDATION))
        for target, other in enumerate(position.columns):
            if other and target != source and may_lie_on(card, other[-1]):
                moves.append(Move(card, source, target))
    return moves


def why_illegal(columns: Sequence[Sequence[int]], foundations: Sequence[int], move: Move) -> str | None:
    """Return what the rules have against `move`, or None if it is legal."""
    card, source, target, count = move
    if count != 1:
        return "one card moves at a time"
    if source == FOUNDATION:
        return "a card on a foundation stays there"
    if not 0 <= source < len(columns):
        return f"there is no column {source + 1}, only {len(columns)}"
    if not columns[source]:
        return f"column {source + 1} is empty"
    if columns[source][-1] != card:
        return f"the top card of column {source + 1} is {format_card(columns[source][-1])}"
    if target == FOUNDATION:
        if may_go_up(card, foundations):
            return None
        return f"the foundation of {SUIT_LETTERS[suit_of(card)]} is {foundations[suit_of(card)]} high"
    if not 0 <= target < len(columns):
        return f"there is no column {target + 1}, only {len(columns)}"
    if target == source:
        return "that is the column it is in"
    if not columns[target]:
        return f"column {target + 1} is empty and stays empty"
    if may_lie_on(card, columns[target][-1]):
        return None
    return f"the top card of column {target + 1} is {format_card(columns[target][-1])}"


def apply(position: Position, move: Move) -> Position:
    """Make one move.

    Raises
    ------
    IllegalMove
        If the rules forbid it.
    """
    columns, foundations = [list(column) for column in position.columns], list(position.foundations)
    reason = why_illegal(columns, foundations, move)
    if reason is not None:
        raise IllegalMove(f"{move}: {reason}")
    _make(columns, foundations, move)
    return Position(tuple(map(tuple, columns)), tuple(foundations), position.deck)


def replay(position: Position, moves: Iterable[Move]) -> Position:
    """Make a list of moves, each of them judged, from a position that is checked first.

    Parameters
    ----------
    position : Position
    moves : iterable of Move

    Returns
    -------
    Position
        After the last move. Whether the deal is won is its `won`.

    Raises
    ------
    IllegalMove
        At the first illegal move, with its number (from 1).
    InputError
        If the position is not one of its deck.
    """
    position.check()
    columns, foundations = [list(column) for column in position.columns], list(position.foundations)
    for number, move in enumerate(moves, start=1):
        reason = why_illegal(columns, foundations, move)
        if reason is not None:
            raise IllegalMove(f"move {number}, {move}: {reason}")
        _make(columns, foundations, move)
    return Position(tuple(map(tuple, columns)), tuple(foundations), position.deck)


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` legal moves, a check of the move generator.

    Sequences that end earlier, won or stuck, do not count.
    """
    moves = legal_moves(position)
    if depth <= 1:
        return len(moves) if depth == 1 else 1
    return sum(perft(apply(position, move), depth - 1) for move in moves)


def _make(columns: list[list[int]], foundations: list[int], move: Move) -> None:
    """Make a legal move in place."""
    card = columns[move.source].pop()
    if move.target == FOUNDATION:
        foundations[suit_of(card)] += 1
    else:
        columns[move.target].append(card)

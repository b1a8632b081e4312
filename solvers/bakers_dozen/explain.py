"""A verdict in words: the plan of a winnable deal, or why a deal cannot be won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from solvers.bakers_dozen.ahead import is_hopeless, reach
from solvers.bakers_dozen.counts import LIFT
from solvers.bakers_dozen.state import Layout
from solvers.cards import format_card
from solvers.positions import FOUNDATION, Move, Position
from solvers.wording import counted


def plan(position: Position, steps: Iterable[int]) -> tuple[str, ...]:
    """Sentences for a path of lifts and digs.

    Parameters
    ----------
    position : Position
        Where it starts.
    steps : iterable of int
        Moves as the search codes them: a card to dig, or ``LIFT`` + a card.

    Returns
    -------
    tuple of str
        One a dig, one for each run of lifts.
    """
    place = {card: (number, column) for number, column in enumerate(position.columns, 1) for card in column}
    moves = list(steps)
    digs = sum(move < LIFT for move in moves)
    sentences = [
        f"The plan has {counted(len(moves) - digs, 'lift')} and {counted(digs, 'dig')};"
        " the other moves only rearrange cards between them."
    ]
    for lifts, group in groupby(moves, key=lambda move: move >= LIFT):
        if lifts:
            sentences.append("Lift " + ", ".join(format_card(move - LIFT) for move in group) + ".")
            continue
        for move in group:
            number, column = place[move]
            below = column[column.index(move) - 1]
            sentences.append(f"Dig {format_card(move)} out of column {number}, off {format_card(below)}.")
    return tuple(sentences)


def plan_of_moves(position: Position, moves: Iterable[Move], supports: Sequence[int]) -> tuple[str, ...]:
    """Sentences for moves of real cards: the lifts and digs among them, as `plan` has them.

    `supports` has, for each card, the mask of those that it may be put on.
    """
    columns = [list(column) for column in position.columns]
    # A card that has not moved since it was dealt lies under no card that has.
    undisturbed = [len(column) for column in columns]
    steps = []
    for move in moves:
        if move.source == FOUNDATION:
            columns[move.target].append(move.card)
            continue
        column = columns[move.source]
        place = len(column) - move.count
        if move.target == FOUNDATION:
            steps.append(LIFT + move.card)
        elif 0 < place < undisturbed[move.source] and not supports[move.card] >> column[place - 1] & 1:
            steps.append(move.card)
        undisturbed[move.source] = min(undisturbed[move.source], place)
        if move.target != FOUNDATION:
            columns[move.target] += column[place:]
        del column[place:]
    return plan(position, steps)


def real_moves(states: int) -> tuple[str, ...]:
    """Sentences for a deal that the search over real moves has exhausted."""
    return (
        "It cannot be won: every position that the rules allow was looked at, leaving out only what is"
        f" certainly no better, {states:,} in all.",
    )


def counts_alone(layout: Layout, start: tuple[int, ...], states: int) -> tuple[str, ...]:
    """Sentences for a deal that layer 1 refutes. `start`: masks and numbers as in `layout_of`."""
    accessible, free, up, spaces, _ = start
    if not is_hopeless(layout, accessible, free, up, spaces):
        return (
            "Counting alone shows that it cannot be won: how many cards of each rank can be reached,"
            " and how many of the next lower rank lie on them.",
            f"All that the counts allow was searched, {counted(states, 'state')}, and nothing leads to"
            " the end.",
        )
    up, reached = reach(layout, accessible, free, up, spaces, True)
    never = [
        format_card(card) for card in range(4 * layout.ranks) if (layout.deck & ~up & ~reached) >> card & 1
    ]
    most = f"no more than {counted(up.bit_count(), 'card')}" if up else "no card"
    return (
        "It cannot be won even if no card that can be built on were ever used up.",
        f"Even then {most} would get to the foundations,"
        f" and these would never be reached: {' '.join(never) or 'none'}.",
    )


def frozen_cards(layer_one: int, layer_two: int, counts_settled: bool, ranks: str = "") -> tuple[str, ...]:
    """Sentences for a deal that layer 2 refutes, with the states of each layer.

    `counts_settled` says whether layer 1 is known not to refute it.
    """
    followed = f" (of ranks {ranks} only, which is enough)" if ranks else ""
    return (
        "The counts of cards alone do not refute it; which card lies on which does."
        if counts_settled
        else "Which card lies on which refutes it; whether the counts of cards alone would was left open.",
        f"Following the cards that are frozen, with nowhere to go{followed}, everything was"
        f" searched, {counted(layer_two, 'state')}, with the help of {counted(layer_one, 'state')} of the"
        " counts, and nothing leads to the end.",
    )

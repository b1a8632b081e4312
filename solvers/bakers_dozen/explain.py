"""A verdict in words: the plan of a winnable deal, or why a deal cannot be won."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from solvers.bakers_dozen.counts import BARED, LIFT, LOOSENED, Layout, is_hopeless, ranks_with_open
from solvers.bakers_dozen.masks import EACH_RANK, any_by_rank, bit_index, ever_up
from solvers.cards import RANK_LETTERS, format_card
from solvers.positions import Position


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
        f"The plan has {len(moves) - digs} lifts and {digs} digs;"
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


def counts_alone(layout: Layout, start: tuple[int, ...], states: int) -> tuple[str, ...]:
    """Sentences for a deal that layer 1 refutes. `start`: masks and numbers as in `layout_of`."""
    accessible, free, up, spaces, _ = start
    if not is_hopeless(layout, accessible, free, up, spaces):
        return (
            "Counting alone shows that it cannot be won: how many cards of each rank can be reached,"
            " and how many of the next lower rank lie on them.",
            f"All {states:,} states that the counts allow were searched, and none leads to the end.",
        )
    tops, buried = _as_far_as_it_goes(layout, accessible, free, up)
    heights = " ".join(
        f"{suit}-{RANK_LETTERS[top - 1] if top else 0}" for suit, top in zip("CDHS", tops, strict=True)
    )
    return (
        "It cannot be won even if no card that can be built on were ever used up.",
        f"Even then the foundations would not get beyond {heights},",
        f"and these cards would never be reached: {' '.join(map(format_card, buried))}.",
    )


def frozen_cards(layer_one: int, layer_two: int, ranks: str = "") -> tuple[str, ...]:
    """Sentences for a deal that layer 2 refutes, with the states of each layer."""
    followed = f" (of ranks {ranks} only, which is enough)" if ranks else ""
    return (
        "The counts of cards alone do not refute it; which card lies on which does.",
        f"Following the cards that are frozen, with nowhere to go{followed}, all {layer_two:,} states were"
        f" searched, with the help of {layer_one:,} states of the counts, and none leads to the end.",
    )


def _as_far_as_it_goes(layout: Layout, accessible: int, free: int, up: int) -> tuple[list[int], list[int]]:
    """Heights of the foundations and cards never reached, if open supports never wear out.

    The same game as in `is_hopeless`, played to its end whether or not that is in doubt.
    """
    ever_open = ranks_with_open(accessible, free)
    anchors = accessible & ~free
    while True:
        lifts = ever_up(layout.rules, up) & accessible & ever_open * 15
        digs = anchors & ~layout.bottoms & (ever_open & (ever_open >> 4)) * 15
        if not lifts | digs:
            break
        up |= lifts
        ever_open |= any_by_rank(lifts & free) << 4
        moved = (lifts | digs) & anchors
        anchors &= ~moved
        accessible &= ~lifts
        while moved:
            bit = moved & -moved
            moved ^= bit
            card = bit_index(bit)
            bared, loosened = int(layout.cards[BARED, card]), int(layout.cards[LOOSENED, card])
            accessible |= bared
            free |= loosened
            anchors |= bared & ~loosened
            ever_open |= ranks_with_open(bared, loosened)
    tops = [(up & EACH_RANK << suit).bit_count() for suit in range(4)]
    left = layout.deck & ~up & ~accessible
    return tops, [card for card in range(4 * layout.ranks) if left >> card & 1]

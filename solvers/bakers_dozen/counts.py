"""Layer 1 of the search: the game as counts of cards, which forgets what lies on what.

In Baker's Dozen a card may move to any card one rank higher, whatever the suit, and may move back.
Two kinds of move cannot be taken back:

* a **lift** puts a card on its foundation;
* a **dig** moves a card that still lies where it was dealt, on a card that is not one rank higher.

Everything else is rearrangement. For each column, take the dealt cards that have not been
disturbed and drop cards from the top while the last two are in sequence: what is left ends in the
column's **anchor**, with the **buried** cards under it. Cards above the anchors are **free**; each
lies on some card one rank higher, its **support**. **Accessible** means anchor or free::

    dealt       KC 9H 8S 3D 2C          depth 4: KC 9H 8S buried, 3D the anchor,
                                        2C free: it lies on its dealt support 3D

    after digging 3D (2C first)         depth 2: KC buried, 9H the anchor; 8S is free too, since
                                        it lies on the 9H it could have been moved to

``open[r]`` is the number of accessible cards of rank r with nothing on them. A free card of rank
r - 1 covers exactly one accessible card of rank r, and nothing else may lie on one, so

    open[r] = (accessible cards of rank r) - (free cards of rank r - 1)

whichever way the free cards are arranged.

Why counts can prove a deal unwinnable
--------------------------------------
Take any play of the real game and look only at its lifts and digs. Before a lift of a card of rank
r, that card has nothing on it, so ``open[r] >= 1``. Before a dig of an anchor of rank r, the anchor has
nothing on it and neither has the card of rank r + 1 it moves to, so ``open[r] >= 1`` and ``open[r + 1]
>= 1``. So each play of the real game is a path in the graph searched here, whose states are (depth
of each column, height of each foundation) and whose moves are the lifts and digs that the counts
allow. If no path reaches the end, the deal is unwinnable. The converse does not hold: see
`solvers.bakers_dozen.frozen`.

What is left out, and why nothing is lost
-----------------------------------------
* *Moving the last card of a column* (an anchor of depth 1) is not a dig. A space is never filled, and
  the card is accessible where it lies. Any play that moves it is followed, move for move, by one that
  leaves it there: the support it would have covered stays open, which forbids nothing.
* *Safe lifts are made at once.* Let h be the height of the lowest foundation. An accessible card that
  is next on its foundation, of rank at most h + 2, goes up before anything else (lowest rank first).
  Cards of rank up to h are all up; so a card of rank h + 1 has nothing on it and is next, and once
  those are up one of rank h + 2 has nothing on it either. Any winning play can be changed to begin
  with such a lift: let it go on as before, but where it moves a card y onto the lifted card c,
  lift y instead. The rank of y is at most h + 1, so y is next on its foundation, and no card
  that is not up could ever lie on y.
* *Kings wait.* If every King that has anything under it has only Kings under it, no King goes up before
  it is safe. Lifting a King uncovers at most another King, which was not needed as a support (the one
  above it, uncovered, served as well), and so opens nothing that was not open before.

* *Some digs are free*, as far as the counts go. Suppose that for each suit whose card of rank r may
  still need a place (it is not up and not at the bottom of a column) the card of rank r + 1 of that
  suit is *settled*: accessible, and free or at the bottom of its column (or a King), so that it
  need not be dug. Then a dig of a card of rank r costs nothing, and may be made at once. It uses up
  one of ``open[r + 1]``; but there are always more supports than cards that need them. For the
  cards of rank r that need a place are, suit by suit, no more than the settled supports, also
  later, since a card of rank r + 1 goes up after that of its own suit below it. When one of rank r
  + 1 is to be lifted its suit needs no place any more, and when one that is not settled is to be
  dug it is itself an extra support: either way ``open[r + 1] >= 1``.

  Where foundations are not built in suit, all cards of rank r + 1 that are not up must be settled. There
  are never more cards of that rank up than of rank r, so again no fewer supports than cards that need
  them; and one more than that when a card of rank r + 1 may go up.

Other rules
-----------
* *Building red on black or in suit*: a card needs a support of the right colour or suit, so the counts
  go by class (`solvers.bakers_dozen.masks`): the cards of a rank and colour, or one card. Wherever
  this docstring says rank r + 1 it is then the class that cards of this class of rank r may lie on, and
  all that is said holds as it stands, with two exceptions. A King that waits must lie on Kings of his
  own class only, since he uncovers another support otherwise. And no dig is free: suit by suit,
  cards of a rank and colour have no supports of their own.
* *Foundations in alternate colours or any suit*: only which cards may go up next changes
  (`solvers.bakers_dozen.masks`); the key holds the number of the set of cards that are up.
* *Spaces that take any card*: a card at the bottom of a column lies where it could be moved to, in a
  space, and is free. A free card lies on one of the next rank or in a space, so of rank r at least
  (free cards of rank r) - (accessible cards of rank r + 1) lie in spaces. With the spaces left after
  that for all ranks, a lift or dig can do without one open support each. Here the counts go by rank
  whatever the building, which allows more than the rules do.
* *Spaces that take Kings*: only a King at the bottom is free there; any other last card can be dug, which
  makes a space. Digging a King takes one.
* *Sequences that move as one*: a dig does not need an uncovered card, since what lies on it comes along.
* *Worrying back*: a card that is up may come back, so it still counts as accessible; and since it takes
  no room where it is, lifting it never hurts and is done at once. (That it takes a place when it does
  come back is left out.)

Each says at most what the rules allow, so a deal that the counts refute is lost; and each lift or dig of
a real play is a path here as before. Kings wait, and digs are free, only where spaces are never filled.

Where the look ahead (`solvers.bakers_dozen.ahead`) refutes a state, nothing under it is searched. The
graph has no cycles, since each move lowers a depth or raises a height, so a depth-first search
with a set of the states that failed visits each once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.bakers_dozen.ahead import is_hopeless
from solvers.bakers_dozen.masks import (
    BY_RANK,
    EACH_RANK,
    IN_SUIT,
    KINGS,
    NEVER,
    any_by_rank,
    bit_index,
    class_below,
    count_by_rank,
    next_up,
    open_classes,
    safe_ups,
)
from solvers.bakers_dozen.ordering import draw_noise, insert
from solvers.bakers_dozen.state import (
    ACCESSIBLE,
    BARED,
    BELOW,
    DEALT_SUPPORT,
    EMPTIED,
    FOUNDATIONS,
    FREE,
    KEY,
    KEY_DROP,
    LOOSENED,
    SPACES,
    Layout,
    States,
)
from solvers.bakers_dozen.table import counts_table_find, counts_table_insert, has_room, set_number
from solvers.compilation import njit

LIFT = 64
"""A move is the code of the card dug, or ``LIFT`` + the code of the card lifted."""
MOST_MOVES = 56
"""Room for the moves of one state: each card once, and a lift a suit."""

UNKNOWN, DEAD, ALIVE = 0, 1, 2

IntArray = NDArray[np.int64]


@njit
def spare_spaces(layout: Layout, accessible: int, free: int, spaces: int) -> int:
    """Spaces left when every free card that finds no support has gone into one."""
    kings = free >> (4 * layout.ranks - 4)
    spare = spaces - count_by_rank(kings)
    if layout.rules.spaces == KINGS:
        return spare
    balance = count_by_rank(accessible) + 4 * EACH_RANK - (count_by_rank(free) << 4)
    short = ~(balance >> 2 | balance >> 3) & EACH_RANK & layout.deck
    while short:
        bit = short & -short
        short ^= bit
        spare -= 4 - (balance // bit & 15)
    return spare


@njit
def _lifts_and_digs_with_spaces(layout: Layout, accessible: int, free: int, spaces: int) -> tuple[int, int]:
    classes = layout.rules.classes
    uncovered = open_classes(classes, accessible, free)
    sequences = layout.rules.sequences
    for_kings = layout.rules.spaces == KINGS
    spare = spare_spaces(layout, accessible, free, spaces)
    if for_kings and spare > 0:
        uncovered |= 15 << (4 * layout.ranks)
    below = class_below(classes, uncovered)
    to_dig = below if sequences else uncovered & below
    if not for_kings and spare > 0:
        to_dig = layout.deck if sequences or spare > 1 else uncovered | below
        uncovered = layout.deck
    return uncovered, accessible & ~free & to_dig


@njit(inline="always")
def lifts_and_digs(layout: Layout, accessible: int, free: int, spaces: int) -> tuple[int, int]:
    """Masks of the cards that may be lifted, and of the anchors that may be dug, as far as the counts go."""
    if layout.rules.spaces != NEVER:
        return _lifts_and_digs_with_spaces(layout, accessible, free, spaces)
    classes = layout.rules.classes
    uncovered = open_classes(classes, accessible, free)
    digs = accessible & ~free & ~layout.bottoms & class_below(classes, uncovered)
    return uncovered, digs if layout.rules.sequences else digs & uncovered


@njit
def safe_lift(layout: Layout, states: States, level: int) -> int:
    """Bit of the card to be lifted at once, lowest rank first, or 0."""
    safe = safe_ups(layout.rules, states[level, FOUNDATIONS], states[level, ACCESSIBLE])
    return safe & -safe


@njit
def list_moves(layout: Layout, states: States, level: int, moves: IntArray) -> int:
    """Fill `moves` with the moves the counts allow; return how many. A safe lift stands alone."""
    safe = safe_lift(layout, states, level)
    if safe:
        moves[0] = LIFT + bit_index(safe)
        return 1
    accessible = states[level, ACCESSIBLE]
    may_lift, digs = lifts_and_digs(layout, accessible, states[level, FREE], states[level, SPACES])
    up = states[level, FOUNDATIONS]
    lifts = next_up(layout.rules, up) & accessible & may_lift
    if layout.kings_wait:
        lifts &= (1 << (4 * layout.ranks - 4)) - 1
    if layout.rules.worrying_back:
        digs = 0 if lifts else digs & ~up  # cards that are up are accessible, too
        lifts &= -lifts
    count = 0
    while lifts:
        bit = lifts & -lifts
        lifts ^= bit
        moves[count] = LIFT + bit_index(bit)
        count += 1
    while digs:
        bit = digs & -digs
        digs ^= bit
        moves[count] = bit_index(bit)
        count += 1
    return count


@njit
def play(layout: Layout, states: States, level: int, move: int) -> int:
    """Fill row ``level + 1`` with the state after `move`; return the card moved."""
    card = move & 63
    bit = 1 << card
    accessible, free, up = states[level, ACCESSIBLE], states[level, FREE], states[level, FOUNDATIONS]
    spaces, key = states[level, SPACES], states[level, KEY]
    if not free & bit:
        accessible |= layout.cards[BARED, card]
        free |= layout.cards[LOOSENED, card]
        key -= layout.cards[KEY_DROP, card]
        spaces += layout.cards[EMPTIED, card]
    if move >= LIFT:
        if not layout.rules.worrying_back:
            accessible &= ~bit
        free &= ~bit
        up |= bit
        if layout.rules.foundations == IN_SUIT:
            key += layout.key_rise[card & 3]
        else:
            key = key % layout.up_weight + layout.up_weight * set_number(layout.up_sets, up)
    else:
        free |= bit
    states[level + 1, ACCESSIBLE] = accessible
    states[level + 1, FREE] = free
    states[level + 1, FOUNDATIONS] = up
    states[level + 1, SPACES] = spaces
    states[level + 1, KEY] = key
    return card


@njit
def free_dig(layout: Layout, states: States, level: int) -> int:
    """Bit of a card whose dig costs nothing as far as the counts go, or 0."""
    rules = layout.rules
    if rules.classes is not BY_RANK or rules.spaces != NEVER or rules.sequences or rules.worrying_back:
        return 0
    accessible, free = states[level, ACCESSIBLE], states[level, FREE]
    _, digs = lifts_and_digs(layout, accessible, free, 0)
    if not digs:
        return 0
    up = states[level, FOUNDATIONS]
    settled = accessible & (free | layout.bottoms | 15 << (4 * layout.ranks - 4))
    if rules.foundations == IN_SUIT:
        blocked = any_by_rank(layout.deck & ~(up | layout.bottoms) & ~(settled >> 4))
    else:
        blocked = any_by_rank(layout.deck & ~up & ~settled) >> 4
    digs &= ~(blocked * 15)
    return digs & -digs


@njit
def is_won(layout: Layout, states: States, level: int) -> bool:
    """Whether every foundation is complete."""
    return bool(states[level, FOUNDATIONS] == layout.deck)


@njit
def order_moves(
    layout: Layout, states: States, level: int, moves: IntArray, scores: IntArray, count: int
) -> None:
    """Sort `moves` so that the most promising comes first; `scores` arrives holding noise to add.

    Lifts first. Then digs: first the column under whose anchor lies the card that is nearest to its
    foundation, then the one that bares the lower rank.
    """
    upcoming = next_up(layout.rules, states[level, FOUNDATIONS])
    for index in range(count):
        move = moves[index]
        score = scores[index]
        if move < LIFT:
            wanted = upcoming
            distance = 1
            while distance < 16 and not layout.cards[BELOW, move] & wanted:
                wanted = wanted << 4 & layout.deck
                distance += 1
            score += 64 * distance + 4 * (layout.cards[DEALT_SUPPORT, move] >> 2)
        insert(moves, scores, index, score)


class CountsSearch(NamedTuple):
    """Workspace of the layer-1 search: its own stack, so that layer 2 can ask at any state."""

    states: States
    moves: IntArray  # (levels, MOST_MOVES)
    scores: IntArray  # (MOST_MOVES,)
    listed: IntArray  # (levels,), number of moves listed
    next: IntArray  # (levels,), index of the next move to try
    random: IntArray  # (2,): state of the noise added to the scores, and what it stays below


@njit
def counts_verdict(
    layout: Layout, search: CountsSearch, states: States, level: int, table: IntArray, tally: IntArray
) -> int:
    """Whether the end can be reached from a state as far as the counts go.

    Parameters
    ----------
    states, level
        The state asked about.
    table : ndarray of int64
        States already judged; what is found here is added. ``table[0]`` counts the entries.
    tally : ndarray of int64
        ``tally[0]``: states that may still be visited, lowered in place; ``tally[1]``: states visited.

    Returns
    -------
    int
        ``DEAD``, ``ALIVE``, or ``UNKNOWN`` when a table is full or the allowance used up.
    """
    known = counts_table_find(table, states[level, KEY])
    if known != UNKNOWN:
        return known
    own = search.states
    own[0, ACCESSIBLE] = states[level, ACCESSIBLE]
    own[0, FREE] = states[level, FREE]
    own[0, FOUNDATIONS] = states[level, FOUNDATIONS]
    own[0, SPACES] = states[level, SPACES]
    own[0, KEY] = states[level, KEY]
    here = 0
    entering = True
    while here >= 0:
        if entering:
            known = counts_table_find(table, own[here, KEY])
            if known == ALIVE or is_won(layout, own, here):
                # Every state on the way here is alive, too.
                for row in range(here + 1):
                    if has_room(table):
                        counts_table_insert(table, own[row, KEY], ALIVE)
                return ALIVE
            entering = False
            if known == DEAD:
                here -= 1
                continue
            if tally[0] <= 0 or not has_room(table) or not has_room(layout.up_sets):
                return UNKNOWN
            tally[0] -= 1
            tally[1] += 1
            search.next[here] = 0
            moves = search.moves[here]
            if is_hopeless(
                layout, own[here, ACCESSIBLE], own[here, FREE], own[here, FOUNDATIONS], own[here, SPACES]
            ):
                count = 0
            else:
                count = list_moves(layout, own, here, moves)
                if count > 1:
                    dig = free_dig(layout, own, here)
                    if dig:
                        moves[0] = bit_index(dig)
                        count = 1
                    else:
                        search.random[0] = draw_noise(
                            search.scores, count, search.random[1], search.random[0]
                        )
                        order_moves(layout, own, here, moves, search.scores, count)
            search.listed[here] = count
        if search.next[here] < search.listed[here]:
            move = search.moves[here, search.next[here]]
            search.next[here] += 1
            play(layout, own, here, move)
            here += 1
            entering = True
        else:
            counts_table_insert(table, own[here, KEY], DEAD)
            here -= 1
    return DEAD

"""Cards and rules as bit masks: what the kernels of every search share.

A mask is an integer with bit ``card code`` set for each card; the four cards of a rank are four bits
side by side. "By rank" means a number in each of those groups of four.

A **class** is a set of cards that serve the same cards as a support: the four of a rank where columns are
built regardless of suit, the two of a rank and colour in red and black, one card in suit. The cards that
may lie on those of a class are a class, too, of the rank below.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compilation import njit

IntArray = NDArray[np.int64]
Classes = int | None

IN_SUIT, ALTERNATE_COLOURS, ANY_SUIT, DIAL = range(4)
NEVER, KINGS, SINGLE_CARD, ANY = range(4)
BY_RANK: None = None
BY_COLOUR, BY_CARD = range(2)
"""What a class is. Ranks are no number but a type, for which Numba compiles the kernels apart: to ask at
every mask of a state cost the usual case 8 %."""

NOTHING = -1
"""No card."""

EACH_RANK = 0x1111111111111
"""The lowest bit of each rank."""
_ONES = 0x5555555555555
_TWOS = 0x3333333333333
_RED, _BLACK = 0b0110, 0b1001

# 2 is a primitive root of 67, so the powers of two up to 2**62 differ modulo 67.
_BIT_INDEX = np.zeros(67, dtype=np.int64)
for _index in range(62):
    _BIT_INDEX[(1 << _index) % 67] = _index


class RuleCodes(NamedTuple):
    """The rules of a game for a deck, as numbers."""

    classes: Classes
    foundations: int
    spaces: int
    sequences: bool  # whether they move as one
    worrying_back: bool
    deck: int  # mask of all cards of these ranks; those of absent suits count as up
    ranks: int


@njit
def bit_index(bit: int) -> int:
    """Number of the one bit that is set, below 62."""
    return int(_BIT_INDEX[bit % 67])


@njit
def count_by_rank(mask: int) -> int:
    """Number of cards of each rank in a mask, four bits a rank (rank 1 lowest)."""
    pairs = mask - ((mask >> 1) & _ONES)
    return (pairs & _TWOS) + ((pairs >> 2) & _TWOS)


@njit
def any_by_rank(nibbles: int) -> int:
    """Lowest bit of each rank whose four bits are not all 0."""
    return (nibbles | (nibbles >> 1) | (nibbles >> 2) | (nibbles >> 3)) & EACH_RANK


@njit
def other_colour(mask: int) -> int:
    """Exchange the suits of a mask for those of the other colour: clubs and diamonds, hearts and spades."""
    return (mask & _ONES) << 1 | (mask >> 1 & _ONES)


@njit
def _class_cards_otherwise(classes: Classes, mask: int) -> int:
    """Return `class_cards` where a class is not a rank."""
    if classes == BY_CARD:
        return mask
    red = (mask >> 1 | mask >> 2) & EACH_RANK
    black = (mask | mask >> 3) & EACH_RANK
    return red * _RED | black * _BLACK


# Inlined by Numba itself, here and below: the usual case costs less than a call.
@njit(inline="always")
def class_cards(classes: Classes, mask: int) -> int:
    """Mask of all cards of the classes that have a card in the mask."""
    if classes is BY_RANK:
        return any_by_rank(mask) * 15
    return _class_cards_otherwise(classes, mask)


@njit(inline="always")
def class_below(classes: Classes, mask: int) -> int:
    """Mask of the cards that may lie on those of a mask of whole classes.

    The four bits beyond the King stand for spaces, which take Kings.
    """
    return other_colour(mask >> 4) if classes == BY_COLOUR else mask >> 4


@njit(inline="always")
def class_above(classes: Classes, mask: int) -> int:
    """Mask of the cards on which those of a mask of whole classes may lie; beyond the King, spaces."""
    return other_colour(mask) << 4 if classes == BY_COLOUR else mask << 4


@njit
def support_suits(classes: Classes, suit: int) -> int:
    """Suits, as four bits, of the cards on which one of a suit may lie."""
    if classes is BY_RANK:
        return 15
    if classes == BY_CARD:
        return 1 << suit
    return _RED if _BLACK >> suit & 1 else _BLACK


@njit
def _open_classes_otherwise(classes: Classes, accessible: int, free: int) -> int:
    """Return `open_classes` where a class is not a rank."""
    if classes == BY_CARD:
        return accessible & ~(free << 4)
    covers = other_colour(free) << 4
    one, both = accessible | accessible >> 3, accessible & accessible >> 3
    black = (one & ~(covers | covers >> 3) | both & ~(covers & covers >> 3)) & EACH_RANK
    one, both = accessible >> 1 | accessible >> 2, accessible >> 1 & accessible >> 2
    red = (one & ~(covers >> 1 | covers >> 2) | both & ~(covers >> 1 & covers >> 2)) & EACH_RANK
    return red * _RED | black * _BLACK


@njit(inline="always")
def open_classes(classes: Classes, accessible: int, free: int) -> int:
    """Mask of all cards of the classes that have more accessible cards than there are free cards on them."""
    if classes is BY_RANK:
        # Accessible cards less the free ones of the rank below, plus 7: bit 3 is set above 7.
        balance = count_by_rank(accessible) + 7 * EACH_RANK - (count_by_rank(free) << 4)
        return (balance >> 3 & EACH_RANK) * 15
    return _open_classes_otherwise(classes, accessible, free)


@njit
def _next_up_otherwise(rules: RuleCodes, up: int) -> int:
    """Return `next_up` where foundations are not built in suit."""
    if rules.foundations == ANY_SUIT:
        # Where the rank below has more cards up, bit 3 of 7 + (more) - (fewer) is set.
        counts = count_by_rank(up)
        more = (7 * EACH_RANK + (counts << 4) - counts) >> 3 & EACH_RANK
        return (more * 15 | 15) & ~up & rules.deck
    red_one = (up >> 1 | up >> 2) & EACH_RANK
    red_both = (up >> 1 & up >> 2) & EACH_RANK
    black_one = (up | up >> 3) & EACH_RANK
    black_both = (up & up >> 3) & EACH_RANK
    red = (black_one << 4 & ~red_one) | (black_both << 4 & ~red_both)
    black = (red_one << 4 & ~black_one) | (red_both << 4 & ~black_both)
    return (red * _RED | black * _BLACK | 15) & ~up & rules.deck


# Inlined by Numba itself: handing the rules to a function costs more than the usual case does.
@njit(inline="always")
def next_up(rules: RuleCodes, up: int) -> int:
    """Mask of the cards that may go to a foundation, given those that are up.

    In suit: the next of each suit. Built in alternate colours there are, for each rank and colour, as
    many places as foundations whose top is of the rank below and the other colour: the cards up of
    that rank and colour, less those of this one already put on them. In any suit likewise, without
    the colour.
    """
    if rules.foundations == IN_SUIT:
        return (up << 4 | 15) & ~up & rules.deck
    return _next_up_otherwise(rules, up)


@njit
def _ever_up_otherwise(rules: RuleCodes, up: int) -> int:
    if rules.foundations == ANY_SUIT:
        fit = any_by_rank(up) << 4
        return (fit * 15 | 15) & ~up & rules.deck
    red = ((up | up >> 3) & EACH_RANK) << 4
    black = ((up >> 1 | up >> 2) & EACH_RANK) << 4
    return (red * _RED | black * _BLACK | 15) & ~up & rules.deck


@njit(inline="always")
def ever_up(rules: RuleCodes, up: int) -> int:
    """Mask of the cards that may go to a foundation at some time, if those of `up` are up at some time.

    In suit that is `next_up`. Where several cards fit, one that goes up keeps out another in reality; a
    look ahead cannot know which, so here it does not: one card of the rank below, of the right
    colour, is enough for all of them.
    """
    if rules.foundations == IN_SUIT:
        return (up << 4 | 15) & ~up & rules.deck
    return _ever_up_otherwise(rules, up)


@njit
def safe_ups(rules: RuleCodes, up: int, bare: int) -> int:
    """Mask of the cards of `bare` that can go up at once without loss.

    Let all cards of rank up to h be up. A card of rank h + 1 is next on a foundation, and nothing
    that is not up can come to lie on it: it is no use below. Which of two foundations of one height
    takes it, or which of two cards that fit goes first, makes no difference: all of them get there.
    Rank h + 2 is safe too, if there is a place for every card of its kind that is not up (always in
    suit; in alternate colours once both cards of rank h + 1 of the other colour are up): it
    takes nobody's place, and the only cards that could lie on it are of rank h + 1, which can go up
    instead. On the dial ranks do not go up in order, and nothing is safe.
    """
    if rules.foundations == DIAL:
        return 0
    lowest = bit_index(~up & (up + 1)) >> 2
    safe = next_up(rules, up) & bare & ((1 << (4 * lowest + 8)) - 1)
    if rules.foundations != IN_SUIT:
        placed = (1 << (4 * lowest + 4)) - 1
        if rules.foundations == ALTERNATE_COLOURS:
            black_both = (up & up >> 3) & EACH_RANK
            red_both = (up >> 1 & up >> 2) & EACH_RANK
            placed |= (black_both << 4) * _RED | (red_both << 4) * _BLACK
        safe &= placed
    return safe

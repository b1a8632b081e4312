"""A look ahead in layer 1: what could be had if supports never wore out.

`is_hopeless` asks whether the end could be reached if a support, once open, stayed open for ever. It
lifts and digs whatever is possible then, until nothing changes. Any path of the counts could be
followed in that easier game, so where even this falls short of the end the state is dead, and nothing
under it need be searched. A King dealt on the very cards his own Queens wait for is seen here, at once,
and so are Kings that wait for each other in a ring because of the cards under them.
"""

from __future__ import annotations

from solvers.bakers_dozen.masks import KINGS, class_above, class_below, class_cards, ever_up, open_classes
from solvers.bakers_dozen.state import Layout, bare_under
from solvers.compilation import njit


@njit
def reach(
    layout: Layout, accessible: int, free: int, up: int, spaces: int, to_the_end: bool
) -> tuple[int, int]:
    """What could go up and be bared if no support, once open, were ever used up.

    Returns
    -------
    up : int
        Mask of the cards that get to the foundations. All of them as soon as nothing can stop that any
        more, unless `to_the_end` asks for the second mask as well.
    accessible : int
        Mask of the cards that are accessible then, or up.
    """
    rules = layout.rules
    classes = rules.classes
    ever_open = open_classes(classes, accessible, free)
    if spaces:
        ever_open |= 15 << (4 * layout.ranks)
    anchors = accessible & ~free & ~up
    # A King with other cards under him is dug into a space, or has to go up first.
    enough = layout.deck if layout.kings_wait else layout.deck | 15 << (4 * layout.ranks)
    while to_the_end or ever_open & enough != enough:
        lifts = ever_up(rules, up) & accessible & ever_open
        digs = anchors & ~layout.bottoms & class_below(classes, ever_open)
        if not rules.sequences:
            digs &= ever_open
        if not (lifts | digs):
            return up, accessible
        up |= lifts
        # The support of a free card that goes up is uncovered.
        ever_open |= class_above(classes, class_cards(classes, lifts & free))
        if rules.worrying_back:
            ever_open |= class_cards(classes, lifts)
        moved = (lifts | digs) & anchors
        accessible, free, anchors, ever_open = bare_under(layout, moved, accessible, free, anchors, ever_open)
    return layout.deck, accessible


@njit
def is_hopeless(layout: Layout, accessible: int, free: int, up: int, spaces: int) -> bool:
    """Whether the end is out of reach even if no support, once open, were ever used up."""
    if layout.rules.spaces > KINGS:
        return False
    return reach(layout, accessible, free, up, spaces, False)[0] != layout.deck

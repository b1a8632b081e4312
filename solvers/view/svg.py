"""Cards laid out on a table, as SVG: a row of columns with the foundations above, or a clock dial.

A picture is one self-contained element: no style sheet, no identifiers, no fonts but the reader's own, so
that several can stand on one page. Its title names it and its description is the position as text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from solvers.cards import format_card, suit_of
from solvers.games import Family
from solvers.view.suits import FACE, FOUR_COLOURS, SUIT_PATHS, TWO_COLOURS, rank_label
from solvers.view.table import Pile, clock_piles, column_piles, foundation_piles

if TYPE_CHECKING:
    from solvers.deals import Deal
    from solvers.positions import Position

__all__ = ["deal_svg", "position_svg"]

# Lengths are in user units; a picture is as many pixels wide unless the page says otherwise.
CARD_WIDTH, CARD_HEIGHT = 60, 84
STRIP = 25
"""What shows of a card under another one."""
GAP = 10
LABEL_HEIGHT = 20
MARGIN = 14
DIAL_RADIUS = 350
"""Hours three and four stand a radius times cos 60 degrees apart: more than a pile of four and its label."""

_TABLE, _EDGE, _INK = "#edf0ea", "#7b8378", "#4c5349"
_FONT = 'font-family="Verdana, DejaVu Sans, Arial, sans-serif"'


def position_svg(position: Position, title: str = "Position", *, four_colours: bool = True) -> str:
    """Draw columns side by side, bottom card first, numbered from 1, with the foundations above.

    Parameters
    ----------
    position : Position
    title : str
        What a screen reader calls the picture.
    four_colours : bool
        Each suit in a colour of its own, or red and black.

    Returns
    -------
    str
        An ``svg`` element.
    """
    colours = FOUR_COLOURS if four_colours else TWO_COLOURS
    foundations, columns = foundation_piles(position), column_piles(position)
    step = CARD_WIDTH + GAP
    top = MARGIN + (LABEL_HEIGHT if any(pile.label for pile in foundations) else 0)
    parts = [_pile(pile, MARGIN + number * step, top, colours) for number, pile in enumerate(foundations)]
    top += CARD_HEIGHT + GAP + LABEL_HEIGHT
    parts += [_pile(pile, MARGIN + number * step, top, colours) for number, pile in enumerate(columns)]
    width = 2 * MARGIN + max(len(foundations), len(columns)) * step - GAP
    height = top + max(map(_height, columns), default=0) + MARGIN
    return _picture(width, height, title, str(position), parts)


def deal_svg(deal: Deal, *, four_colours: bool = True) -> str:
    """Draw a deal as its game lays it out: the Clock family on a dial, other games in columns.

    Parameters
    ----------
    deal : Deal
    four_colours : bool
        Each suit in a colour of its own, or red and black.

    Returns
    -------
    str
        An ``svg`` element.
    """
    title = f"{deal.game.title}, {deal.source}"
    if deal.game.family is not Family.CLOCK:
        return position_svg(deal.position, title, four_colours=four_colours)
    return _dial_svg(deal.position, title, FOUR_COLOURS if four_colours else TWO_COLOURS)


def _dial_svg(position: Position, title: str, colours: Sequence[str]) -> str:
    """Draw piles round a dial, the last one in its centre, bottom card first.

    Cards lie face up and fanned here, whatever the game: a picture shows what was dealt.
    """
    piles = clock_piles(position)
    hours = len(piles) - 1
    middle = MARGIN + DIAL_RADIUS
    parts = []
    for hour, pile in enumerate(piles[:-1], start=1):
        angle = math.tau * hour / hours
        x, y = round(middle + DIAL_RADIUS * math.sin(angle)), round(middle - DIAL_RADIUS * math.cos(angle))
        parts.append(_pile(pile, x, y + LABEL_HEIGHT, colours))
    parts.append(_pile(piles[-1], middle, middle + LABEL_HEIGHT, colours))
    width = 2 * middle + CARD_WIDTH
    height = 2 * middle + LABEL_HEIGHT + max(map(_height, piles))
    text = "".join(f"{pile.label}: {' '.join(map(format_card, pile.cards))}\n" for pile in piles)
    return _picture(width, height, title, text, parts)


def _picture(width: int, height: int, title: str, text: str, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}"'
        f' style="max-width:100%;height:auto">\n<title>{escape(title)}</title>\n'
        f'<desc>{escape(text)}</desc>\n<rect width="{width}" height="{height}" rx="12" fill="{_TABLE}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _height(pile: Pile) -> int:
    return CARD_HEIGHT + STRIP * max(len(pile.cards) - 1, 0)


def _pile(pile: Pile, x: int, y: int, colours: Sequence[str]) -> str:
    """Draw a pile with its label above; `y` is where its first card begins."""
    parts = [_label(pile.label, x, y - LABEL_HEIGHT)] if pile.label else []
    if not pile.cards:
        parts.append(_slot(x, y, pile.suit))
    elif pile.fanned:
        last = len(pile.cards) - 1
        parts += [
            _card(card, x, y + STRIP * place, colours, covered=place < last)
            for place, card in enumerate(pile.cards)
        ]
    else:
        parts.append(_card(pile.cards[-1], x, y, colours))
    return "\n".join(parts)


def _card(card: int, x: int, y: int, colours: Sequence[str], *, covered: bool = False) -> str:
    """Rank and suit in the strip that shows in any case; a large suit under it where nothing covers it."""
    path, label = SUIT_PATHS[suit_of(card)], rank_label(card)
    large = f'<path transform="translate({CARD_WIDTH // 2},{STRIP + 30}) scale(.34)" d="{path}"/>'
    return (
        f'<g transform="translate({x},{y})" fill="{colours[suit_of(card)]}">'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" fill="{FACE}" stroke="{_EDGE}"/>'
        f'<text x="6" y="19" {_FONT} font-size="18" font-weight="bold">{label}</text>'
        f'<path transform="translate({CARD_WIDTH - 15},13) scale(.16)" d="{path}"/>'
        + ("" if covered else large)
        + "</g>"
    )


def _slot(x: int, y: int, suit: int | None) -> str:
    """Draw an empty place, with the suit that belongs there."""
    mark = (
        ""
        if suit is None
        else f'<path transform="translate({x + CARD_WIDTH // 2},{y + CARD_HEIGHT // 2}) scale(.34)"'
        f' d="{SUIT_PATHS[suit]}" fill="{_EDGE}" opacity=".45"/>'
    )
    return (
        f'<rect x="{x}" y="{y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" fill="none"'
        f' stroke="{_EDGE}" stroke-dasharray="5 4"/>{mark}'
    )


def _label(text: str, x: int, y: int) -> str:
    return (
        f'<text x="{x + CARD_WIDTH // 2}" y="{y + 14}" {_FONT} font-size="13" text-anchor="middle"'
        f' fill="{_INK}">{text}</text>'
    )

"""Boards as text, the way PySolFC and Freecell Solver write them.

One column a line, bottom card first::

    # from the middle of a game
    Foundations: H-3 C-2 D-A S-0
    : KC 3S AS 4D
    :
    KD 10D 8♠

Read:

* cards as in `solvers.cards.parse_card`, set apart by blanks, tabs or commas;
* ``Foundations:`` or ``Founds:``, with heights (``H-6``, ``D-10``, ``C-K``, ``S-0``) or just the top
  cards (``6H 10D KC``); a suit that is not named has nothing on its foundation. Built in alternate colours
  or in any suit, a foundation goes by the suit of its ace, and only heights will do (``H-6``); on the dial
  of Grandfather's Clock only top cards (``5S 3H 6C``), and what is not named is as at the start;
* ``#`` and what follows it on a line is a comment; line ends of any kind;
* a colon at the start of a column, as Freecell Solver writes it;
* ``Freecells:``, ``FC:`` and ``Talon:`` lines as long as they are empty: the games here have none.

Empty columns: a line with nothing but a colon is an empty column. PySolFC writes an empty line
instead, and people put empty lines between things to set them apart. So an empty line *between two
columns* counts as an empty column when there is no colon anywhere, the deck is whole (52 cards)
and the columns are then not more than the game's. In all other cases it means nothing. Where
spaces are never filled this changes the numbers of the columns and nothing else.

Written: two letters a card, the foundations line only if a card is on one, ``:`` for an empty column.
"""

from __future__ import annotations

import re

from solvers.cards import MAX_RANKS, Deck, parse_card, parse_rank, parse_suit, rank_of
from solvers.errors import InputError, quote
from solvers.formats.assembly import NamedFoundations, assemble
from solvers.foundations import Foundations
from solvers.positions import Position, place_in_column

_LINE_END = re.compile(r"\r\n|\r|\n")
_SEPARATOR = re.compile(r"[\s,]+")
_HEADING = re.compile(r"\s*([A-Za-z][A-Za-z ]*?)\s*:(.*)", re.DOTALL)
_FOUNDATION_HEADINGS = {"foundations", "foundation", "founds", "found"}
_CELL_HEADINGS = {"freecells", "freecell", "fc", "cells", "talon", "stock", "waste", "reserve"}
_HEIGHT = re.compile(r"[0-9]{1,2}", re.ASCII)


def format_board(position: Position) -> str:
    """Write a position as board text."""
    return str(position)


def parse_board(text: str, deck: Deck | None, columns: int, rule: Foundations) -> Position:
    """Read board text; see `solvers.formats.parse_position`.

    Raises
    ------
    InputError
        With the line, the column and the card.
    """
    cards: list[list[int]] = []
    lines: list[int] = []  # the number of the line on which each column stands
    empty_lines: list[int] = []
    foundations: NamedFoundations | None = None
    colons = False
    for number, line in enumerate(_LINE_END.split(text), start=1):
        content, comment, _ = line.partition("#")
        content = content.strip()
        if not content:
            if not comment:
                empty_lines.append(number)
            continue
        heading = _HEADING.fullmatch(content)
        if heading:
            name, rest = heading[1].lower(), _words(heading[2])
            if name in _FOUNDATION_HEADINGS:
                if foundations is not None:
                    raise InputError(f"line {number}: a second foundations line")
                foundations = _parse_foundations(rest, rule, number)
            elif name not in _CELL_HEADINGS:
                raise InputError(f"line {number}: {quote(heading[1] + ':')} is not known here")
            elif any(word != "-" for word in rest):
                held = next(word for word in rest if word != "-")
                raise InputError(f"line {number}: {heading[1]} holds {quote(held)}, but this game has none")
            continue
        colons |= content.startswith(":")
        cards.append(_parse_column(content.removeprefix(":"), number, len(cards), columns))
        lines.append(number)
    if not colons:
        cards, lines = _with_empty_columns(cards, lines, empty_lines, columns)

    def place(column: int, index: int) -> str:
        return f"line {lines[column]}, {place_in_column(column, index)}"

    return assemble(cards, foundations or NamedFoundations(rule), deck, place)


def _words(text: str) -> list[str]:
    return [word for word in _SEPARATOR.split(text) if word]


def _parse_column(text: str, line: int, column: int, columns: int) -> list[int]:
    cards = []
    for index, word in enumerate(_words(text)):
        try:
            cards.append(parse_card(word))
        except InputError as error:
            raise InputError(f"line {line}, {place_in_column(column, index)}: {error}") from None
    if column >= columns:
        first = f" ({' '.join(_words(text)[:4])})" if cards else ""
        raise InputError(f"line {line}, column {column + 1}: one column too many{first}, at most {columns}")
    return cards


def _parse_foundations(words: list[str], rule: Foundations, line: int) -> NamedFoundations:
    foundations = NamedFoundations(rule, where=f"line {line}, foundations")
    for word in words:
        if word == "-":
            continue
        suit_text, dash, height_text = word.partition("-")
        try:
            if not dash:
                foundations.add_top(parse_card(word))
            elif rule is Foundations.DIAL:
                raise InputError("the top card is wanted, as in 5S")
            elif _HEIGHT.fullmatch(height_text):
                foundations.add(parse_suit(suit_text), int(height_text))
            else:
                foundations.add(parse_suit(suit_text), parse_rank(height_text))
        except InputError as error:
            raise InputError(f"line {line}, foundation {quote(word)}: {error}") from None
    return foundations


def _with_empty_columns(
    cards: list[list[int]], lines: list[int], empty_lines: list[int], columns: int
) -> tuple[list[list[int]], list[int]]:
    """Put in the empty columns that PySolFC writes as empty lines; the module says when they count."""
    between = [line for line in empty_lines if lines and lines[0] < line < lines[-1]]
    whole = any(rank_of(card) == MAX_RANKS for column in cards for card in column)
    if not between or not whole or len(cards) + len(between) > columns:
        return cards, lines
    numbered = sorted([*zip(lines, cards, strict=True), *((line, []) for line in between)])
    return [column for _, column in numbered], [line for line, _ in numbered]

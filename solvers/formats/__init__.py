"""Positions and move lists as text: every form that is read or written, in pairs.

======================  ==========================================================================
board text              as PySolFC and Freecell Solver write it (`solvers.formats.board_text`)
our JSON                what ``patience solve --json`` prints (`solvers.formats.documents`)
Solvitaire's JSON       its input and its own export (`solvers.formats.documents`)
move lists              one move a line, or JSON (`solvers.formats.moves`)
======================  ==========================================================================

Whatever is printed here can be read back. Input that cannot be read raises `InputError` with one
line that names the place; nothing is completed, corrected or left out silently.
"""

from __future__ import annotations

from collections.abc import Callable

from solvers.cards import Deck
from solvers.errors import InputError, quote
from solvers.formats.board_text import format_board, parse_board
from solvers.formats.documents import format_json, format_solvitaire, parse_document, position_fields
from solvers.formats.files import read_text
from solvers.formats.moves import format_moves, move_fields, parse_moves
from solvers.foundations import Foundations
from solvers.positions import MOST_COLUMNS, Position

__all__ = [
    "FORMATS",
    "format_moves",
    "format_position",
    "move_fields",
    "parse_moves",
    "parse_position",
    "position_fields",
    "read_text",
]

FORMATS: dict[str, Callable[[Position], str]] = {
    "text": format_board,
    "json": format_json,
    "solvitaire": format_solvitaire,
}
"""What `format_position` writes, by name."""


def parse_position(
    text: str,
    deck: Deck | None = None,
    columns: int = MOST_COLUMNS,
    foundations: Foundations | str = Foundations.IN_SUIT,
) -> Position:
    """Read a position in any of the forms above; which one it is shows from the text.

    Parameters
    ----------
    text : str
        The whole file. A byte-order mark and any kind of line end are accepted.
    deck : Deck, optional
        The deck it must hold. By default the smallest deck that has every card and every foundation
        named in the text, and *all* cards of that deck must be there: a board that lacks a
        card is an error that names it, not a smaller deck.
    columns : int
        Columns of the game; a board with more is an error.
    foundations : Foundations or str
        How the game builds its foundations: ``in-suit``, ``alternate-colours``, ``any-suit`` or ``dial``.

    Raises
    ------
    InputError
        With the line, the column and the card.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise InputError("empty: a position was expected")
    if foundations not in list(Foundations):
        raise InputError(f"unknown foundations {quote(foundations)} ({', '.join(Foundations)})")
    if text.lstrip()[0] in "{[":
        return parse_document(text, deck, columns, Foundations(foundations))
    return parse_board(text, deck, columns, Foundations(foundations))


def format_position(position: Position, format: str = "text") -> str:
    """Write a position in one of `FORMATS`, with a final newline.

    Raises
    ------
    InputError
        If there is no such format.
    """
    if format not in FORMATS:
        raise InputError(f"unknown format {quote(format)} ({', '.join(FORMATS)})")
    return FORMATS[format](position)

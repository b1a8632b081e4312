"""Move lists: one move a line, or the JSON that ``patience solve --json`` prints.

Lines: the card, the column it leaves and the column it goes to, either of which may be the word
``foundation``; a fourth word is the number of cards when a sequence moves as one. Columns count from 1.
Empty lines mean nothing, and ``#`` begins a comment::

    7S 3 9
    AH 4 foundation   # the first ace

JSON: a list of ``{"card": "7S", "from": 3, "to": 9}``, or any object with such a list under ``moves``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from solvers.cards import format_card, parse_card
from solvers.errors import InputError, quote
from solvers.formats.documents import load_json
from solvers.positions import FOUNDATION, Move

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_FOUNDATION_WORD = "foundation"


def move_fields(move: Move) -> dict[str, Any]:
    """Return a move as it stands in our JSON; ``count`` is there when more than one card moves."""
    fields: dict[str, Any] = {
        "card": format_card(move.card),
        "from": _place_name(move.source),
        "to": _place_name(move.target),
    }
    if move.count != 1:
        fields["count"] = move.count
    return fields


def format_moves(moves: Iterable[Move]) -> str:
    """Write one move a line."""
    return "".join(" ".join(map(str, move_fields(move).values())) + "\n" for move in moves)


def parse_moves(text: str) -> list[Move]:
    """Read a move list, as lines or as JSON. Whether the moves are legal is for the referee to say.

    Raises
    ------
    InputError
        With the line, or the number of the move in JSON, and what is wrong there.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):
        return _parse_json(text)
    moves = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        words = line.partition("#")[0].split()
        if words:
            try:
                moves.append(_parse_words(words))
            except InputError as error:
                raise InputError(f"line {number}: {error}") from None
    return moves


def _parse_words(words: list[str]) -> Move:
    if not 3 <= len(words) <= 4:
        raise InputError(
            f"{quote(' '.join(words))} is not a move: card, column and target are wanted, as in 7S 3 9"
        )
    numbers = [int(word) if _NUMBER.fullmatch(word) else word for word in words[1:]]
    return _move(words[0], *numbers)


def _parse_json(text: str) -> list[Move]:
    document = load_json(text)
    listed = document.get("moves") if isinstance(document, dict) else document
    if not isinstance(listed, list):
        raise InputError("JSON, but neither a list of moves nor an object with one under 'moves'")
    moves = []
    for number, fields in enumerate(listed, start=1):
        try:
            if not isinstance(fields, dict):
                raise InputError(f"{quote(json.dumps(fields))} is not a move")
            for name in ("card", "from", "to"):
                if name not in fields:
                    raise InputError(f"the move has no {name!r}")
            moves.append(_move(fields["card"], fields["from"], fields["to"], fields.get("count", 1)))
        except InputError as error:
            raise InputError(f"move {number}: {error}") from None
    return moves


def _move(card: Any, source: Any, target: Any, count: Any = 1) -> Move:
    """Make a move of values of any type, as they came from the input."""
    if not isinstance(card, str):
        raise InputError(f'{quote(json.dumps(card))} is not a card: text is wanted, as in "TH"')
    return Move(
        parse_card(card),
        _place(source),
        _place(target),
        _positive(count, "number of cards"),
    )


def _place_name(place: int) -> str | int:
    return _FOUNDATION_WORD if place == FOUNDATION else place + 1


def _place(value: Any) -> int:
    if isinstance(value, str) and value.lower() == _FOUNDATION_WORD:
        return FOUNDATION
    return _positive(value, "column or foundation") - 1


def _positive(value: Any, what: str) -> int:
    if type(value) is not int or value < 1:
        shown = value if isinstance(value, str) else json.dumps(value)
        raise InputError(f"{quote(shown)} is not a {what}")
    return value

"""Positions as JSON: our own and Solvitaire's.

Ours is part of what ``patience solve --json`` prints, and that whole object can be read back::

    {"columns": [["KC", "3S"], [], ["KD", "TD"]], "foundations": {"C": 2, "D": 1, "H": 3, "S": 0}}

`foundations` gives the height of each, on the dial of Grandfather's Clock by the card it begins with; what is
left out is as at the start.

Solvitaire's (its ``deal_parser.cpp`` and ``json_helper.cpp``) names the columns ``tableau piles``. As its
input, ``foundations`` is one list of all cards that are on foundations; in its export it is a list
of piles, and an empty pile of any kind appears as ``""``. Both are read, in either object, and so
are just the top cards where foundations are built in suit. The first form is written, foundation by
foundation, with all cards and ``10`` for the ten, since that is what Solvitaire reads.
"""

from __future__ import annotations

import difflib
import json
from typing import Any

from solvers.cards import Deck, format_card, parse_card, parse_suit
from solvers.errors import InputError, quote
from solvers.formats.assembly import NamedFoundations, assemble, dial_index
from solvers.foundations import Foundations, foundation_name
from solvers.positions import Position, place_in_column

_OUR_COLUMNS, _SOLVITAIRE_COLUMNS, _FOUNDATIONS = "columns", "tableau piles", "foundations"
_SOLVITAIRE_OTHERS = ("reserve", "cells", "stock", "waste", "hole", "sequences", "accordion")


def position_fields(position: Position) -> dict[str, Any]:
    """Return ``columns`` and ``foundations`` as they stand in our JSON."""
    return {
        _OUR_COLUMNS: [[format_card(card) for card in column] for column in position.columns],
        _FOUNDATIONS: {
            foundation_name(position.foundation_rule, index): height
            for index, height in enumerate(position.foundations)
        },
    }


def format_json(position: Position) -> str:
    """Write a position as our JSON, one column a line."""
    fields = position_fields(position)
    return _format_object(
        {_OUR_COLUMNS: _format_piles(fields[_OUR_COLUMNS]), _FOUNDATIONS: json.dumps(fields[_FOUNDATIONS])}
    )


def format_solvitaire(position: Position) -> str:
    """Write a position as Solvitaire's input."""
    piles = [[_solvitaire_card(card) for card in column] for column in position.columns]
    raised = [_solvitaire_card(card) for pile in position.foundation_piles() for card in pile]
    fields = {_SOLVITAIRE_COLUMNS: _format_piles(piles)}
    if raised:
        fields[_FOUNDATIONS] = json.dumps(raised)
    return _format_object(fields)


def parse_document(text: str, deck: Deck | None, columns: int, rule: Foundations) -> Position:
    """Read either kind of JSON; see `solvers.formats.parse_position`.

    Raises
    ------
    InputError
        With the column and the card, or the line where the text is not JSON at all.
    """
    document = load_json(text)
    if not isinstance(document, dict):
        raise InputError(f"JSON, but not an object with '{_OUR_COLUMNS}' or '{_SOLVITAIRE_COLUMNS}'")
    names = [name for name in (_OUR_COLUMNS, _SOLVITAIRE_COLUMNS) if name in document]
    if not names:
        raise InputError(f"JSON has neither '{_OUR_COLUMNS}' nor Solvitaire's '{_SOLVITAIRE_COLUMNS}'")
    if len(names) == 2:
        raise InputError(f"JSON has both '{_OUR_COLUMNS}' and Solvitaire's '{_SOLVITAIRE_COLUMNS}'")
    for name in document:
        close = difflib.get_close_matches(name, [names[0], _FOUNDATIONS], n=1, cutoff=0.8)
        if close and close[0] != name:
            raise InputError(f"unknown field {quote(name)}; did you mean {close[0]!r}?")
    for name in _SOLVITAIRE_OTHERS:
        if document.get(name):
            raise InputError(f"{name!r} holds cards, but this game has none")
    piles = document[names[0]]
    if not isinstance(piles, list):
        raise InputError(f"'{names[0]}' is not a list of columns")
    if len(piles) > columns:
        raise InputError(f"column {columns + 1}: one column too many, at most {columns}")
    cards = [_parse_pile(pile, column) for column, pile in enumerate(piles)]
    return assemble(cards, _parse_foundations(document.get(_FOUNDATIONS, {}), rule), deck)


def load_json(text: str) -> Any:
    """Read JSON; a syntax error, a name given twice or hopeless nesting raises InputError."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_unique_names)
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}: not JSON: {error.msg} at character {error.colno}") from None
    except RecursionError:
        raise InputError("not JSON of a position or a move list: nested too deeply") from None
    except InputError:
        raise
    except ValueError:  # an integer of thousands of digits
        raise InputError("not JSON of a position or a move list: a number is too long") from None


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise InputError(f"JSON field {quote(name)} is given twice")
        fields[name] = value
    return fields


def _parse_pile(pile: Any, column: int) -> list[int]:
    if pile == "":  # an empty pile in Solvitaire's export
        return []
    if not isinstance(pile, list):
        raise InputError(f"column {column + 1} is not a list of cards")
    cards = []
    for index, card in enumerate(pile):
        try:
            cards.append(_parse_json_card(card))
        except InputError as error:
            raise InputError(f"{place_in_column(column, index)}: {error}") from None
    return cards


def _parse_json_card(card: Any) -> int:
    if not isinstance(card, str):
        raise InputError(f'{quote(json.dumps(card))} is not a card: text is wanted, as in "TH"')
    return parse_card(card)


def _parse_foundations(value: Any, rule: Foundations) -> NamedFoundations:
    foundations = NamedFoundations(rule)
    try:
        if isinstance(value, dict):
            for name, height in value.items():
                if type(height) is not int:
                    raise InputError(f"{quote(json.dumps(height))} is not the height of {quote(name)}")
                dial = rule is Foundations.DIAL
                foundations.add(dial_index(parse_card(name)) if dial else parse_suit(name), height)
        elif isinstance(value, list):
            piles = [pile if isinstance(pile, list) else [pile] for pile in value if pile != ""]
            foundations.add_cards([_parse_json_card(card) for pile in piles for card in pile])
        else:
            raise InputError("an object of heights or a list of cards is wanted")
    except InputError as error:
        raise InputError(f"foundations: {error}") from None
    return foundations


def _solvitaire_card(card: int) -> str:
    return format_card(card).replace("T", "10")


def _format_piles(piles: list[list[str]]) -> str:
    return "[\n" + ",\n".join("    " + json.dumps(pile) for pile in piles) + "\n  ]"


def _format_object(fields: dict[str, str]) -> str:
    return "{\n" + ",\n".join(f'  "{name}": {value}' for name, value in fields.items()) + "\n}\n"

"""Rules that a user wrote down, as JSON.

One object; what it does not say is as in Baker's Dozen::

    {
      "name": "kings-by-colour",
      "kings": "as-dealt",
      "building": "red-black",
      "spaces": "kings",
      "groups": "sequence",
      "worrying_back": true
    }

The keys are the parameters of `solvers.games.TableauRules`, the values those of its enumerations. The name is
the file's unless it is given, and none of the catalogue's. It is made of letters, digits, hyphens and
underscores, since a comparison of games names a folder after each.
"""

from __future__ import annotations

import difflib
import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Any

from solvers.errors import InputError, quote
from solvers.formats.documents import load_json
from solvers.formats.files import read_text, shown
from solvers.foundations import Foundations
from solvers.games.catalogue import GAMES
from solvers.games.values import Building, Groups, Kings, Spaces, TableauRules

_TEXTS = ("name", "title", "sentence", "source")
_NUMBERS = ("columns", "column_cards", "aces_out")
_CHOICES: dict[str, type[StrEnum]] = {
    "kings": Kings,
    "numbered_kings": Kings,
    "building": Building,
    "spaces": Spaces,
    "groups": Groups,
    "foundations": Foundations,
}
_SWITCHES = ("worrying_back",)
_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_NAME_IS = "up to 60 letters from A to Z, digits, hyphens and underscores"
_KEYS = (*_TEXTS, *_NUMBERS, *_CHOICES, *_SWITCHES)


def load_rules(path: str) -> TableauRules:
    """Read the rules of a game of the Baker's Dozen family from a file.

    Parameters
    ----------
    path : str

    Raises
    ------
    InputError
        Naming the file, the line and the key: if it cannot be read, has a key or a value that is not known,
        or its rules do not go together.
    """
    text = read_text(path)
    try:
        document = load_json(text)
        if not isinstance(document, dict):
            raise InputError("JSON, but not an object of rules")
        values: dict[str, Any] = {}
        for key, value in document.items():
            try:
                values[key] = _value(key, value)
            except InputError as error:
                raise InputError(f"line {_line_of(key, text)}: {error}") from None
        if "name" not in values:
            values["name"] = Path(path).stem
            if not _NAME.fullmatch(values["name"]):
                raise InputError(f'no "name" is given, and that of the file is not {_NAME_IS}')
        if values["name"] in GAMES:
            raise InputError(f"{values['name']} is a game of the catalogue; give these rules another name")
        values.setdefault("title", values["name"])
        values.setdefault("sentence", f"The rules of the file {Path(path).name}.")
        values.setdefault("source", path)
        return TableauRules(**values)
    except InputError as error:
        raise InputError(f"{shown(path)}: {error}") from None


def _value(key: str, value: Any) -> Any:
    """Check one value and return it as the dataclass has it."""
    if key not in _KEYS:
        close = difflib.get_close_matches(key, _KEYS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(_KEYS)}"
        raise InputError(f"unknown key {quote(key)}; {hint}")
    given = quote(value if isinstance(value, str) else json.dumps(value))
    if key in _CHOICES:
        if not isinstance(value, str) or value not in list(_CHOICES[key]):
            raise InputError(f"{key} is one of {', '.join(_CHOICES[key])}, not {given}")
        return _CHOICES[key](value)
    kinds = {str: "text", int: "a whole number", bool: "true or false"}
    kind = str if key in _TEXTS else int if key in _NUMBERS else bool
    if type(value) is not kind:
        raise InputError(f"{key} is {kinds[kind]}, not {given}")
    if isinstance(value, str) and not (value.strip() and value.isprintable()):
        raise InputError(f"{key} is some text on one line, not {given}")
    if key == "name" and isinstance(value, str) and not _NAME.fullmatch(value):
        raise InputError(f"name is {_NAME_IS}, not {given}")
    return value


def _line_of(key: str, text: str) -> int:
    """Line on which a key stands."""
    place = re.search(re.escape(json.dumps(key)) + r"\s*:", text)
    return text.count("\n", 0, place.start() if place else 0) + 1

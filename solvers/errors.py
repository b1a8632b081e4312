"""Errors that a user can mend."""

from __future__ import annotations

_QUOTED_AT_MOST = 24


class InputError(ValueError):
    """Something the user gave is wrong. The message is one line that says what and where."""


def quote(text: str) -> str:
    """Show a piece of input in a message: quoted, without line breaks, shortened when it is long."""
    return repr(text if len(text) <= _QUOTED_AT_MOST else text[: _QUOTED_AT_MOST - 1] + "…")

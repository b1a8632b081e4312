"""Errors that a user can mend."""

from __future__ import annotations


class InputError(ValueError):
    """Something the user gave is wrong. The message is one line that says what and where."""

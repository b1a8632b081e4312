"""Text files as people have them."""

from __future__ import annotations

import codecs
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from solvers.errors import InputError, quote

STANDARD_INPUT = "-"
_MOST_BYTES = 10_000_000
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def shown(name: str) -> str:
    """Name a file in a message, on one line."""
    if name == STANDARD_INPUT:
        return "standard input"
    return name if name and name.isprintable() else quote(name)


@contextlib.contextmanager
def explained(path: Path, fault: str = "cannot be written") -> Iterator[None]:
    """Turn the system's errors about a file into one line.

    Raises
    ------
    InputError
        Instead of an OSError.
    """
    try:
        yield
    except OSError as error:
        raise InputError(f"{shown(str(path))}: {fault} ({error.strerror or error})") from None


def read_text(name: str) -> str:
    """Read a text file, or standard input for ``-``.

    UTF-8 with or without a byte-order mark, and UTF-16 with one (as a Windows shell writes it).

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read, or is not text.
    """
    try:
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise ValueError("it is closed")
            data = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{shown(name)}: no such file") from None
    except (OSError, ValueError) as error:  # ValueError also: a null character in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{shown(name)}: cannot be read ({reason})") from None
    if len(data) > _MOST_BYTES:
        raise InputError(f"{shown(name)}: more than {_MOST_BYTES} bytes is no position and no move list")
    try:
        return data.decode("utf-16" if data.startswith(_WIDE_MARKS) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{shown(name)}: not text: byte {error.start + 1} is not UTF-8") from None

"""Words for what people read, in messages and results alike."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts, with an s unless it is one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

"""Names of deals that have a number: ``pysolfc:24``, ``ms:617``, ``random:7/3``, and ranges of them.

What deal a name stands for is in `solvers.deals`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from solvers.errors import InputError, quote


class SourceKind(StrEnum):
    """Where a deal with a number comes from."""

    PYSOLFC = "pysolfc"
    MICROSOFT = "ms"
    RANDOM = "random"


# PySolFC's largest seed; Microsoft's generator as Freecell Pro extended it, to 33 bits; and the largest
# index of `solvers.shuffling`.
_NUMBERS = {
    SourceKind.PYSOLFC: (1, 10**20),
    SourceKind.MICROSOFT: (1, 2**33 - 1),
    SourceKind.RANDOM: (0, 2**59),
}
_LARGEST_SEED = 2**64 - 1
_MOST_DEALS = 2**63 - 1  # len() can say no more
_NUMBER = "[0-9]{1,25}"
_SEED = re.compile(_NUMBER)
_ONE_OR_RANGE = re.compile(f"({_NUMBER})(?:-({_NUMBER}))?")


@dataclass(frozen=True, slots=True)
class DealRange:
    """The sources from ``pysolfc:first`` to ``pysolfc:last``, both included, made as they are asked for.

    Parameters
    ----------
    kind : SourceKind
    first, last : int
    seed : int
        For `SourceKind.RANDOM`.
    """

    kind: SourceKind
    first: int
    last: int
    seed: int = 0

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __getitem__(self, index: int) -> str:
        return self._source(range(self.first, self.last + 1)[index])

    def __iter__(self) -> Iterator[str]:
        return map(self._source, range(self.first, self.last + 1))

    def __str__(self) -> str:
        return self._source(self.first) + (f"-{self.last}" if self.last != self.first else "")

    def _source(self, number: int) -> str:
        return (
            f"{self.kind}:{self.seed}/{number}" if self.kind is SourceKind.RANDOM else f"{self.kind}:{number}"
        )


def parse_range(text: str) -> DealRange:
    """Read a range of deals: ``pysolfc:1-1000``, ``random:7/0-999999``, or a single number of either.

    Raises
    ------
    InputError
        If it is none, or a number is out of range.
    """
    numbered = parse_numbers(text)
    if numbered is None:
        raise InputError(f"{quote(text)} is not a range of deals, as pysolfc:1-1000 or random:7/0-999999 is")
    return numbered


def parse_numbers(source: str) -> DealRange | None:
    """Read the numbers of a source or a range; None if it is a file.

    Raises
    ------
    InputError
        If it is meant to be numbers, and one is wrong.
    """
    name, colon, rest = source.partition(":")
    if not colon or name not in list(SourceKind):
        return None
    kind, seed = SourceKind(name), 0
    if kind is SourceKind.RANDOM:
        seed_text, _, rest = rest.partition("/")
        seed = int(seed_text) if _SEED.fullmatch(seed_text) else -1
        if not 0 <= seed <= _LARGEST_SEED:
            raise InputError(
                f"{quote(source)}: a seed, 0 to 2^64 - 1, and an index are wanted, as in random:7/0"
            )
    low, high = _NUMBERS[kind]
    numbers = _ONE_OR_RANGE.fullmatch(rest)
    first = int(numbers[1]) if numbers else -1
    last = int(numbers[2] or first) if numbers else -1
    if not low <= first <= high or not low <= last <= high:
        what = "indices" if kind is SourceKind.RANDOM else "deal numbers"
        raise InputError(f"{quote(source)}: {what} of {name} are {low} to {high}")
    if not first <= last:
        raise InputError(f"{quote(source)}: the range ends before it begins")
    if last - first >= _MOST_DEALS:
        raise InputError(f"{quote(source)}: more deals than anybody can ask for")
    return DealRange(kind, first, last, seed)

"""Deals and where they come from.

==================  ===============================================================================
``pysolfc:24``      PySolFC's deal of that number for the game
``ms:617``          Microsoft's deal of that number, dealt to the game's layout as PySolFC does
``random:7/3``      our own: deal 3 of seed 7, the same everywhere and for ever
a file, or ``-``    a position as text or JSON, from the start of a game or from the middle
==================  ===============================================================================

Numbered deals are shuffled by `pysol_cards`, which reproduces both programs' generators. PySolFC's
numbers 1 to 32000 are Microsoft's. PySolFC deals from the end of its shuffled list, except where it
moves Kings first: that step turns the list over (``_shuffleHook`` in its ``bakersdozen.py``).

Our own deals are `solvers.shuffling.shuffled_deck`: a function of seed and index alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.cards import MAX_RANKS, Deck, card_code, rank_of
from solvers.errors import InputError, quote
from solvers.formats import parse_position, read_text
from solvers.formats.files import STANDARD_INPUT, shown
from solvers.games import Family, Kings, Rules, find_game
from solvers.positions import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Columns = tuple[tuple[int, ...], ...]


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
# pysol_cards numbers cards by suit (clubs, spades, hearts, diamonds) and then from ace to King.
_PYSOLFC_DECK = tuple(card_code(rank, suit) for suit in (0, 3, 2, 1) for rank in range(1, MAX_RANKS + 1))


@dataclass(frozen=True, slots=True)
class Deal:
    """A position to play from, and how to get it again.

    Parameters
    ----------
    game : Rules
    source : str
        As given to `load_deal`, numbers in their plain form.
    position : Position
    kings : Kings or None
        How Kings were moved to the bottom; None: they were left where they stood.
    """

    game: Rules
    source: str
    position: Position
    kings: Kings | None

    def _repr_svg_(self) -> str:
        """Picture for Jupyter."""
        from solvers.view.svg import deal_svg

        return deal_svg(self)


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


def load_deal(game: Rules | str, source: str, kings: Kings | str | None = None) -> Deal:
    """Return the deal that a source names.

    Parameters
    ----------
    game : Rules or str
    source : str
        One of the forms at the top of this module.
    kings : {"slide", "swap"}, optional
        How Kings go to the bottom of their columns. By default PySolFC's and Microsoft's numbers use
        ``swap``, as PySolFC does; our own deals use the game's rule, ``slide`` for Baker's Dozen; and a
        position from a file stays as it is. A game that leaves Kings where they fall takes neither.

    Raises
    ------
    InputError
        If there is no such game or deal, or the file does not hold a position of the game.
    """
    rules = game if isinstance(game, Rules) else find_game(game)
    if kings is not None and kings not in list(Kings):
        raise InputError(f"unknown way to move Kings {quote(kings)} ({', '.join(Kings)})")
    if kings is not None and rules.kings is None:
        raise InputError(f"in {rules.title} Kings stay where they fall: {kings} has no meaning")
    manner = None if kings is None else Kings(kings)

    numbered = _parse_numbers(source)
    if numbered is None:
        position = _read_position(rules, source)
        if manner is not None and any(position.foundations):
            raise InputError(
                f"{shown(source)}: Kings move before play begins, but cards are on the foundations"
            )
    else:
        if len(numbered) != 1:
            raise InputError(f"{source}: a range of {len(numbered)} deals, where one is wanted")
        source = numbered[0]
        manner = manner or (
            Kings.SWAP if rules.kings and numbered.kind is not SourceKind.RANDOM else rules.kings
        )
        position = Position(_deal_out(_shuffle(rules, numbered), rules.columns))
    if manner is not None:
        columns = move_kings(position.columns, manner, position.deck.ranks)
        position = Position(columns, position.foundations, position.deck)
    return Deal(rules, source, position, manner)


def parse_range(text: str) -> DealRange:
    """Read a range of deals: ``pysolfc:1-1000``, ``random:7/0-999999``, or a single number of either.

    Raises
    ------
    InputError
        If it is none, or a number is out of range.
    """
    numbered = _parse_numbers(text)
    if numbered is None:
        raise InputError(f"{quote(text)} is not a range of deals, as pysolfc:1-1000 or random:7/0-999999 is")
    return numbered


def move_kings(columns: Columns, manner: Kings, king: int = MAX_RANKS) -> Columns:
    """Move Kings to the bottom of their columns.

    Parameters
    ----------
    columns : tuple of tuple of int
    manner : Kings
        ``2C 3D KH 4S`` slides to ``KH 2C 3D 4S`` and swaps to ``KH 3D 2C 4S``.
    king : int
        The highest rank of the deck.
    """
    if manner is Kings.SLIDE:
        return tuple(tuple(sorted(column, key=lambda card: rank_of(card) != king)) for column in columns)
    swapped = []
    for column in columns:
        cards = list(column)
        for place, card in enumerate(column):
            below = [lower for lower in range(place) if rank_of(cards[lower]) != king]
            if rank_of(card) == king and below:
                cards[place], cards[below[0]] = cards[below[0]], card
        swapped.append(tuple(cards))
    return tuple(swapped)


def random_columns(game: Rules | str, seed: int, start: int, count: int) -> NDArray[np.uint8]:
    """Return many of our own deals at once, for studies.

    Parameters
    ----------
    game : Rules or str
    seed, start, count : int
        Deals ``random:seed/start`` to ``random:seed/(start + count - 1)``.

    Returns
    -------
    ndarray of uint8, shape (count, columns, cards in a column)
        Card codes, bottom first, Kings moved by the game's rule: the same as `load_deal` gives.

    Raises
    ------
    InputError
        If the game, the seed or an index does not exist.
    """
    import numpy as np

    from solvers.shuffling import shuffled_decks

    rules = game if isinstance(game, Rules) else find_game(game)
    decks = shuffled_decks(Deck(), seed, start, count)
    columns = decks.reshape(count, rules.column_cards, rules.columns).transpose(0, 2, 1)
    if rules.kings is not None:
        order = np.argsort(columns >> 2 != MAX_RANKS - 1, axis=2, kind="stable")
        columns = np.take_along_axis(columns, order, axis=2)
    return np.ascontiguousarray(columns)


def _parse_numbers(source: str) -> DealRange | None:
    """Read the numbers of a source or a range; None if it is a file."""
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


def _shuffle(rules: Rules, numbered: DealRange) -> Sequence[int]:
    """Return the whole deck in the order in which it is dealt."""
    if numbered.kind is SourceKind.RANDOM:
        from solvers.shuffling import shuffled_deck

        return shuffled_deck(Deck(), numbered.seed, numbered.first)
    from pysol_cards.random import shuffle
    from pysol_cards.random_base import RandomBase

    which = RandomBase.DEALS_MS if numbered.kind is SourceKind.MICROSOFT else RandomBase.DEALS_PYSOLFC
    cards: list[int] = shuffle(list(_PYSOLFC_DECK), numbered.first, which)
    return cards if rules.kings else cards[::-1]


def _deal_out(cards: Sequence[int], columns: int) -> Columns:
    return tuple(tuple(cards[column::columns]) for column in range(columns))


def _read_position(rules: Rules, source: str) -> Position:
    try:
        exists = source == STANDARD_INPUT or Path(source).exists()
    except OSError:  # a name too long, a folder that may not be looked into
        exists = True  # read_text says what is wrong
    if not exists:
        raise InputError(f"{quote(source)}: no such file, and not pysolfc:N, ms:N or random:SEED/INDEX")
    text = read_text(source)
    try:
        position = parse_position(text, columns=rules.columns)
        if rules.family is Family.CLOCK:
            _check_layout(rules, position)
    except InputError as error:
        raise InputError(f"{shown(source)}: {error}") from None
    return position


def _check_layout(rules: Rules, position: Position) -> None:
    """Refuse anything but a whole deal from the start."""
    lengths = [len(column) for column in position.columns]
    if lengths != [rules.column_cards] * rules.columns:
        raise InputError(
            f"{rules.title} begins with {rules.columns} piles of {rules.column_cards}, not {lengths}"
        )

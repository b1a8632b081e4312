"""Deals and where they come from.

==================  ===============================================================================
``pysolfc:24``      PySolFC's deal of that number for the game
``ms:617``          Microsoft's deal of that number, dealt to the game's layout as PySolFC does
``random:7/3``      our own: deal 3 of seed 7, the same everywhere and for ever
a file, or ``-``    a position as text or JSON, from the start of a game or from the middle
==================  ===============================================================================

Numbered deals are shuffled by `pysol_cards`, which reproduces both programs' generators. PySolFC's
numbers 1 to 32000 are Microsoft's. PySolFC deals from the end of its shuffled list, except where it
moves Kings first: that step turns the list over (``_shuffleHook`` in its ``bakersdozen.py``). It moves Kings
as if the whole deck were dealt and takes out the last aces only then (Good Measure), after which cards
that followed them come to lie elsewhere: in 1.8 % of the deals a King is not at the bottom.

Our own deals are `solvers.shuffling.shuffled_deck`: a function of seed and index alone, and the same for all
games of one layout until Kings move. Cards that begin on foundations are taken out before the rest is dealt.
Where some aces do, it is always those of the first suits, so that every layout of the rest is equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.cards import MAX_RANKS, MAX_SUITS, Deck, card_code, rank_of, suit_of
from solvers.errors import InputError, quote
from solvers.formats import parse_position, read_text
from solvers.formats.files import STANDARD_INPUT, shown
from solvers.foundations import Foundations, begins_dial, first_heights
from solvers.games import ClockRules, Kings, Rules, Spaces, TableauRules, find_game
from solvers.positions import Position
from solvers.sources import DealRange, SourceKind, parse_numbers
from solvers.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Columns = tuple[tuple[int, ...], ...]


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
        What was done with Kings; None in the Clock family, where nothing can be.
    """

    game: Rules
    source: str
    position: Position
    kings: Kings | None

    def _repr_svg_(self) -> str:
        """Picture for Jupyter."""
        from solvers.view.svg import deal_svg

        return deal_svg(self)


def load_deal(game: Rules | str, source: str, kings: Kings | str | None = None) -> Deal:
    """Return the deal that a source names.

    Parameters
    ----------
    game : Rules or str
    source : str
        One of the forms at the top of this module.
    kings : {"slide", "swap", "as-dealt"}, optional
        What is done with Kings. By default PySolFC's and Microsoft's numbers use what PySolFC does, ``swap``
        for Baker's Dozen; our own deals use the game's rule, ``slide`` for Baker's Dozen; and a position
        from a file stays as it is. The Clock family takes none of these.

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

    numbered = parse_numbers(source)
    if numbered is None:
        position = _read_position(rules, source)
        if isinstance(rules, TableauRules):
            manner = manner or Kings.AS_DEALT
            if manner is not Kings.AS_DEALT and _has_begun(rules, position):
                raise InputError(
                    f"{shown(source)}: Kings move before play begins, but cards are on the foundations"
                )
            columns = move_kings(position.columns, manner, position.deck.ranks)
            position = replace(position, columns=columns)
        return Deal(rules, source, position, manner)
    if len(numbered) != 1:
        raise InputError(f"{source}: a range of {len(numbered)} deals, where one is wanted")
    cards = _shuffle(rules, numbered)
    if not isinstance(rules, TableauRules):
        removed = rules.removed if isinstance(rules, ClockRules) else ()
        dealt = [card for card in cards if card not in removed]
        return Deal(rules, numbered[0], Position(_deal_out(dealt, rules.columns)), None)
    if numbered.kind is SourceKind.RANDOM:
        manner = manner or rules.kings
        position = _own_layout(rules, cards, manner)
    else:
        manner = manner or rules.numbered_kings
        position = _pysolfc_layout(rules, cards, manner)
    return Deal(rules, numbered[0], position, manner)


def move_kings(columns: Columns, manner: Kings, king: int = MAX_RANKS) -> Columns:
    """Move Kings to the bottom of their columns, or leave them.

    Parameters
    ----------
    columns : tuple of tuple of int
    manner : Kings
        ``2C 3D KH 4S`` slides to ``KH 2C 3D 4S`` and swaps to ``KH 3D 2C 4S``.
    king : int
        The highest rank of the deck.
    """
    if manner is Kings.AS_DEALT:
        return columns
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
    if isinstance(rules, ClockRules) and rules.removed:
        raise InputError(f"the piles of {rules.title} are not all as high, as columns of an array are")
    decks = shuffled_decks(Deck(), seed, start, count)
    if isinstance(rules, TableauRules):
        decks = decks[~np.isin(decks, _cards_out(rules))]
    columns = decks.reshape(count, rules.column_cards, rules.columns).transpose(0, 2, 1)
    if rules.kings is Kings.SLIDE:
        order = np.argsort(columns >> 2 != MAX_RANKS - 1, axis=2, kind="stable")
        columns = np.take_along_axis(columns, order, axis=2)
    elif rules.kings is Kings.SWAP:
        columns = columns.copy()
        kings_below = np.zeros(columns.shape[:2], dtype=np.int64)
        for place in range(rules.column_cards):
            # Kings met so far fill the places from the bottom, so the next one goes just above them.
            deals, piles = np.nonzero(columns[:, :, place] >> 2 == MAX_RANKS - 1)
            lower = kings_below[deals, piles]
            king = columns[deals, piles, place]
            columns[deals, piles, place] = columns[deals, piles, lower]
            columns[deals, piles, lower] = king
            kings_below[deals, piles] += 1
    return np.ascontiguousarray(columns)


def _shuffle(rules: Rules, numbered: DealRange) -> Sequence[int]:
    """Return the whole deck in the order in which it is dealt."""
    if numbered.kind is SourceKind.RANDOM:
        from solvers.shuffling import shuffled_deck

        return shuffled_deck(Deck(), numbered.seed, numbered.first)
    from pysol_cards.random import shuffle
    from pysol_cards.random_base import RandomBase

    which = RandomBase.DEALS_MS if numbered.kind is SourceKind.MICROSOFT else RandomBase.DEALS_PYSOLFC
    cards: list[int] = shuffle(list(_PYSOLFC_DECK), numbered.first, which)
    turned_over = isinstance(rules, TableauRules) and rules.numbered_kings is Kings.SWAP
    return cards if turned_over else cards[::-1]


def _own_layout(rules: TableauRules, cards: Sequence[int], kings: Kings) -> Position:
    """Take out what begins on foundations, deal the rest, move Kings."""
    out = _cards_out(rules)
    columns = _deal_out([card for card in cards if card not in out], rules.columns)
    return _start(rules, move_kings(columns, kings), out)


def _pysolfc_layout(rules: TableauRules, cards: Sequence[int], kings: Kings) -> Position:
    """Do the same in PySolFC's order: swap Kings, take out the last aces to be dealt, deal the rest.

    Kings that slide, which PySolFC has not, do so last.
    """
    if kings is Kings.SWAP:
        cards = _gather(move_kings(_deal_out(cards, rules.columns), kings))
        kings = Kings.AS_DEALT
    out = _cards_out(rules)
    if rules.aces_out:
        out = tuple([card for card in cards if rank_of(card) == 1][-rules.aces_out :])
    columns = _deal_out([card for card in cards if card not in out], rules.columns)
    return _start(rules, move_kings(columns, kings), out)


def _cards_out(rules: TableauRules) -> tuple[int, ...]:
    """Cards that our own deals of a game have on foundations from the start."""
    if rules.foundations is Foundations.DIAL:
        return tuple(filter(begins_dial, Deck().cards()))
    return tuple(card_code(1, suit) for suit in range(rules.aces_out))


def _start(rules: TableauRules, columns: Columns, out: tuple[int, ...]) -> Position:
    heights = first_heights(rules.foundations, Deck())
    if rules.foundations is not Foundations.DIAL:
        suits_out = [suit_of(card) for card in out]
        heights = tuple(int(suit in suits_out) for suit in range(MAX_SUITS))
    return Position(columns, heights, Deck(), rules.foundations)


def _has_begun(rules: TableauRules, position: Position) -> bool:
    """Whether more cards are on the foundations than at the start."""
    at_first = sum(first_heights(rules.foundations, position.deck)) + rules.aces_out
    return sum(position.foundations) > at_first


def _deal_out(cards: Sequence[int], columns: int) -> Columns:
    return tuple(tuple(cards[column::columns]) for column in range(columns))


def _gather(columns: Columns) -> list[int]:
    """Undo `_deal_out`: list the cards row by row."""
    return [card for row in zip_longest(*columns) for card in row if card is not None]


def _read_position(rules: Rules, source: str) -> Position:
    try:
        exists = source == STANDARD_INPUT or (source != "" and Path(source).exists())
    except OSError:  # a name too long, a folder that may not be looked into
        exists = True  # read_text says what is wrong
    if not exists:
        raise InputError(f"{quote(source)}: no such file, and not pysolfc:N, ms:N or random:SEED/INDEX")
    text = read_text(source)
    try:
        if isinstance(rules, TableauRules):
            position = parse_position(text, columns=rules.columns, foundations=rules.foundations)
            _check_spaces(rules, position)
        else:
            position = parse_position(text, columns=rules.columns)
            _check_layout(rules, position)
    except InputError as error:
        raise InputError(f"{shown(source)}: {error}") from None
    return position


def _check_spaces(rules: TableauRules, position: Position) -> None:
    """Refuse a whole deck in too few columns where it matters how many are empty."""
    columns = len(position.columns)
    if rules.spaces is not Spaces.NEVER and position.deck == Deck() and columns < rules.columns:
        raise InputError(
            f"{counted(columns, 'column')}, but {rules.title} has {rules.columns};"
            " an empty column is written as ':' or, in JSON, as []"
        )


def _check_layout(rules: Rules, position: Position) -> None:
    """Refuse anything but a whole deal from the start."""
    lengths = [len(column) for column in position.columns]
    if lengths != [rules.column_cards] * rules.columns:
        raise InputError(
            f"{rules.title} begins with {rules.columns} piles of {rules.column_cards}, not {lengths}"
        )

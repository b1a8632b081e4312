"""Cards as small integers, and their names as people write them.

A card code is ``4 * (rank - 1) + suit`` with ranks 1 (ace) to 13 (king) and suits 0 to 3 in the
order clubs, diamonds, hearts, spades::

    AC = 0   AD = 1   AH = 2   AS = 3   2C = 4   ...   KS = 51

A smaller deck uses the lower ranks and the first suits of the same codes, so a code means the
same card whatever the deck.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvers.errors import InputError, quote

SUIT_LETTERS = "CDHS"
RANK_LETTERS = "A23456789TJQK"
MAX_RANKS = 13
MAX_SUITS = 4

# Written out one by one: str.upper() would also make an S of "ſ" and a K of the Kelvin sign.
_SUITS = {
    "C": 0, "D": 1, "H": 2, "S": 3,
    "c": 0, "d": 1, "h": 2, "s": 3,
    "♣": 0, "♦": 1, "♥": 2, "♠": 3,  # filled
    "♧": 0, "♢": 1, "♡": 2, "♤": 3,  # outlined
}  # fmt: skip
_RANKS = (
    {letter: rank for rank, letter in enumerate(RANK_LETTERS, start=1)}
    | {letter.lower(): rank for rank, letter in enumerate(RANK_LETTERS, start=1)}
    | {"10": 10}
)
# U+FE0E and U+FE0F ask for text or emoji style of the symbol before them; they carry no meaning.
_STYLE_SELECTORS = str.maketrans("", "", "\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True)
class Deck:
    """The deck of a game: `ranks` cards in each of `suits` suits.

    Parameters
    ----------
    ranks : int
        Cards in a suit, 1 to 13.
    suits : int
        Suits, 1 to 4.

    Raises
    ------
    InputError
        If either is out of range.
    """

    ranks: int = MAX_RANKS
    suits: int = MAX_SUITS

    def __post_init__(self) -> None:
        if not 1 <= self.ranks <= MAX_RANKS:
            raise InputError(f"a deck has 1 to {MAX_RANKS} ranks, not {self.ranks}")
        if not 1 <= self.suits <= MAX_SUITS:
            raise InputError(f"a deck has 1 to {MAX_SUITS} suits, not {self.suits}")

    @property
    def size(self) -> int:
        """Number of cards."""
        return self.ranks * self.suits

    def cards(self) -> tuple[int, ...]:
        """All codes, by rank and then by suit."""
        return tuple(4 * rank + suit for rank in range(self.ranks) for suit in range(self.suits))

    def __contains__(self, card: int) -> bool:
        return 1 <= rank_of(card) <= self.ranks and suit_of(card) < self.suits


def card_code(rank: int, suit: int) -> int:
    """Code of the card of `rank` (1 to 13) and `suit` (0 to 3)."""
    return 4 * (rank - 1) + suit


def rank_of(card: int) -> int:
    """Rank of a card code, 1 (ace) to 13 (king)."""
    return (card >> 2) + 1


def suit_of(card: int) -> int:
    """Suit of a card code: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def format_card(card: int) -> str:
    """Write a card as two letters, the ten as ``T``: ``format_card(36) == "TC"``."""
    return RANK_LETTERS[card >> 2] + SUIT_LETTERS[card & 3]


def parse_suit(text: str) -> int:
    """Read a suit: a letter of either case, or a symbol.

    Raises
    ------
    InputError
        Naming what is not a suit.
    """
    suit = _SUITS.get(text.translate(_STYLE_SELECTORS))
    if suit is None:
        raise InputError(f"unknown suit {quote(text)} (C, D, H, S or ♣ ♦ ♥ ♠)")
    return suit


def parse_rank(text: str) -> int:
    """Read a rank, 1 (ace) to 13 (king): ``A``, ``2`` to ``9``, ``T`` or ``10``, ``J``, ``Q``, ``K``.

    Raises
    ------
    InputError
        Naming what is not a rank; ``1`` is none, since it may be half of a 10.
    """
    rank = _RANKS.get(text)
    if rank is None:
        raise InputError(f"unknown rank {quote(text)} (A, 2 to 9, T or 10, J, Q, K)")
    return rank


def parse_card(text: str) -> int:
    """Read a card: ``TH``, ``10H``, ``th``, ``T♥`` or ``10♥️``.

    Raises
    ------
    InputError
        Naming the rank or the suit that is not one.
    """
    word = text.translate(_STYLE_SELECTORS)
    if len(word) < 2:
        raise InputError(f"{quote(text)} is not a card: a rank and a suit are wanted, as in TH or 10H")
    try:
        return card_code(parse_rank(word[:-1]), parse_suit(word[-1]))
    except InputError as error:
        raise InputError(f"{quote(text)} is not a card: {error}") from None

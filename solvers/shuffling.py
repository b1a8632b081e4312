"""Shuffled decks: uniformly, by riffles, or overhand, as a function of seed and index.

*Uniform.* Every order of the deck is equally likely (R. Durstenfeld, "Algorithm 235: Random permutation",
Communications of the ACM 7:7, 1964).

*Riffle*, as E. Gilbert, C. Shannon and J. Reeds describe it: cut off the top c cards with probability
C(n, c) / 2^n, and drop cards from the two packets, each time from a packet with probability
proportional to its size. Equivalently (D. Bayer and P. Diaconis, "Trailing the dovetail shuffle to its
lair", Annals of Applied Probability 2:2, 1992): throw a fair coin for each place of the new deck; the
places with tails take the top packet in its order, those with heads the bottom packet, and the number of
tails is the cut. So a riffle of n cards is n random bits.

*Overhand*, as R. Pemantle describes it ("Randomization time for the overhand shuffle", Journal of
Theoretical Probability 2:1, 1989): each of the n-1 gaps between neighbours is a cut with a fixed
probability, independently, and the packets so made change their order end for end while each keeps its
own order. The probability is 1/5 here, which makes packets of five cards on average.

Decks are written with the top card first. Where a starting order is shuffled, the deck may then be dealt
from the top or from the bottom; for a uniform shuffle neither makes a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers.cards import Deck, format_card, parse_card, rank_of, suit_of
from solvers.errors import InputError, quote
from solvers.shuffling_kernel import DeckPlan, Manner, fisher_yates, shuffle_rows
from solvers.streams import stream_key

__all__ = [
    "GATHERED",
    "GATHERED_WON",
    "MAX_TIMES",
    "NEW_DECK",
    "Manner",
    "Shuffle",
    "new_deck_order",
    "shuffled_deck",
    "shuffled_decks",
]

MAX_TIMES = 1000
"""Most riffles or overhand shuffles in a row."""
NEW_DECK, GATHERED_WON, GATHERED = "new-deck", "gathered-won", "gathered"
_STARTS = (NEW_DECK, GATHERED_WON, GATHERED)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """How a deck comes to be in the order in which it is dealt.

    Parameters
    ----------
    manner : Manner
    times : int
        Riffles or overhand shuffles in a row.
    start : str or tuple of int
        What is riffled or shuffled overhand, the top card first. ``new-deck``: as decks are sold
        (`new_deck_order`). ``gathered-won``: the piles of a game of Clock that was won, gathered from one
        o'clock round to twelve and then the centre, each under the one before: four aces, four twos, ...,
        four Kings. ``gathered``: the piles of a game that was dealt uniformly and played to its end,
        gathered in the same way; in each pile first the cards still face down, from the top, and then
        the pile's own cards by suit. Or the cards of any order.
    from_bottom : bool
        Deal from the bottom of the shuffled deck, that is, the last card first.

    Raises
    ------
    InputError
        If there is no such start, or `times` is out of range.
    """

    manner: Manner = Manner.UNIFORM
    times: int = 0
    start: str | tuple[int, ...] = NEW_DECK
    from_bottom: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.times <= MAX_TIMES:
            raise InputError(f"a deck is shuffled 0 to {MAX_TIMES} times, not {self.times}")
        if isinstance(self.start, str) and self.start not in _STARTS:
            raise InputError(
                f"unknown starting order {quote(self.start)}: {', '.join(_STARTS)}, or all cards"
            )

    @classmethod
    def parse(cls, text: str) -> Shuffle:
        """Read ``uniform``, ``riffle:7``, ``overhand:3``, or with a start and an end to deal from.

        ``riffle:7,start=gathered,deal=bottom`` riffles a gathered deck seven times and deals from the
        bottom; a start may be all cards of the deck, top card first, with blanks between.

        Raises
        ------
        InputError
            Naming the part that cannot be read.
        """
        first, *options = text.split(",")
        name, colon, times_text = first.partition(":")
        manners = {manner.name.lower(): manner for manner in Manner}
        if name not in manners:
            raise InputError(f"unknown shuffle {quote(name)}: uniform, riffle:K or overhand:K")
        if manners[name] is Manner.UNIFORM:
            if colon or options:
                raise InputError(f"a uniform shuffle takes no number and no options, as in {quote(text)}")
            return cls()
        if not (times_text.isascii() and times_text.isdigit()):
            raise InputError(f"{name} wants its number of times, as in {name}:7, not {quote(first)}")
        start: str | tuple[int, ...] = NEW_DECK
        from_bottom = False
        for option in options:
            key, _, value = option.partition("=")
            if key == "start":
                start = value if value in _STARTS or " " not in value else _parse_cards(value)
            elif key == "deal" and value in ("top", "bottom"):
                from_bottom = value == "bottom"
            else:
                raise InputError(
                    f"unknown option {quote(option)} of a shuffle: start=ORDER, deal=top or deal=bottom"
                )
        return cls(manners[name], int(times_text[:9]), start, from_bottom)

    def __str__(self) -> str:
        if self.manner is Manner.UNIFORM:
            return "uniform"
        words = [f"{self.manner.name.lower()}:{self.times}"]
        if self.start != NEW_DECK:
            start = self.start if isinstance(self.start, str) else " ".join(map(format_card, self.start))
            words.append(f"start={start}")
        if self.from_bottom:
            words.append("deal=bottom")
        return ",".join(words)

    @property
    def stride(self) -> int:
        """Words of the stream set aside for a game.

        A uniform shuffle reads 5 words, and now and then one more for one rejected; a riffle reads 1 and an
        overhand shuffle 3. A game may need a few more for its own. That more are wanted than
        there are has a chance far below 1e-20, and would only make a game share a word with the next.
        """
        return 16 if self.times == 0 else 1 << (16 + 4 * self.times - 1).bit_length()

    @property
    def largest_index(self) -> int:
        """Highest index of a deal or a game: beyond it, the stream would come round to its beginning."""
        return (1 << 63) // self.stride

    def starting_order(self, cards: Sequence[int]) -> tuple[int, ...]:
        """Order of `cards` before they are shuffled, top card first; by code if the start does not matter.

        Raises
        ------
        InputError
            If the start is an order of other cards.
        """
        if self.manner is Manner.UNIFORM or self.start in (GATHERED, GATHERED_WON):
            return tuple(sorted(cards))
        if isinstance(self.start, str):
            return new_deck_order(cards)
        for card in self.start:
            if card not in cards:
                raise InputError(f"{format_card(card)} of the starting order is not in this deck")
            if self.start.count(card) > 1:
                raise InputError(f"{format_card(card)} is in the starting order more than once")
        missing = [format_card(card) for card in cards if card not in self.start]
        if missing:
            raise InputError(f"{' '.join(missing[:5])} missing in the starting order, {len(missing)} in all")
        return self.start

    def plan(self, cards: Sequence[int], seed: int) -> DeckPlan:
        """Return the same for a kernel."""
        return DeckPlan(
            key=stream_key(seed),
            stride=np.uint64(self.stride),
            manner=int(self.manner),
            times=self.times,
            start=np.array(self.starting_order(cards), dtype=np.uint8),
            gathered=self.manner is not Manner.UNIFORM and self.start == GATHERED,
            from_bottom=self.from_bottom,
        )


def new_deck_order(cards: Sequence[int]) -> tuple[int, ...]:
    """Put cards in the order of a new deck, the top card first.

    Hearts and clubs from ace to King, then diamonds and spades from King to ace: decks of the United States
    Playing Card Company lie so in their box, jokers apart, face down from the top
    (https://ambitiouswithcards.com/new-deck-order/ lists them from the face).
    """
    clubs, diamonds, hearts, spades = range(4)
    suits = (hearts, clubs, diamonds, spades)

    def place(card: int) -> tuple[int, int]:
        suit, rank = suit_of(card), rank_of(card)
        return suits.index(suit), rank if suit in (hearts, clubs) else -rank

    return tuple(sorted(cards, key=place))


def _parse_cards(text: str) -> tuple[int, ...]:
    return tuple(parse_card(card) for card in text.split())


def shuffled_deck(deck: Deck, seed: int, index: int) -> tuple[int, ...]:
    """Cards of `deck` in the random order that belongs to `(seed, index)`.

    Parameters
    ----------
    deck : Deck
        Which cards there are.
    seed : int
        0 to 2^64 - 1.
    index : int
        Number of the deal, from 0; at most 2^59.

    Returns
    -------
    tuple of int
        Card codes, each order exactly as likely as any other; the first is the first card dealt.

    Raises
    ------
    InputError
        If the seed or the index is out of range.
    """
    if not 0 <= index <= Shuffle().largest_index:
        raise InputError(f"the index of a deal is a whole number from 0 to 2^59, not {index}")
    cards = np.array(deck.cards(), dtype=np.uint8)
    with np.errstate(over="ignore"):
        fisher_yates(cards, stream_key(seed), np.uint64(index) * np.uint64(Shuffle().stride))
    return tuple(int(card) for card in cards)


def shuffled_decks(deck: Deck, seed: int, start: int, count: int) -> NDArray[np.uint8]:
    """Many decks at once, each as `shuffled_deck` gives it.

    Parameters
    ----------
    deck : Deck
        Which cards there are.
    seed : int
        0 to 2^64 - 1.
    start, count : int
        Indices `start` to ``start + count - 1``, within 0 to 2^59.

    Returns
    -------
    ndarray of uint8, shape (count, cards)
        Card codes; each row begins with the first card dealt.

    Raises
    ------
    InputError
        If the seed or an index is out of range.
    """
    if count < 0 or start < 0 or start + count - 1 > Shuffle().largest_index:
        raise InputError(f"indices of deals are whole numbers from 0 to 2^59, not {start} and {count} more")
    decks = np.empty((count, deck.size), dtype=np.uint8)
    decks[:] = deck.cards()
    with np.errstate(over="ignore"):
        stride = np.uint64(Shuffle().stride)
        shuffle_rows(decks, stream_key(seed), np.uint64(start) * stride, stride)
    return decks

"""What foundations are and which card each of them takes next.

A foundation is known by its index, and by its height, the number of cards on it:

==================  =====================================================================================
in-suit             one a suit, from the ace up to the King
alternate-colours   one a suit, named by the suit of its ace; red and black cards take turns, and where two
                    cards fit, either may go up
any-suit            one a suit, named by the suit of its ace; after that any card one rank higher fits
dial                the hours of Grandfather's Clock (`dial_sequences`)
==================  =====================================================================================

Heights are enough to tell what lies where. Built in alternate colours or in any suit, two foundations of one
height that go on with the same cards are interchangeable, and which of the cards that fit went up is seen
from those that are left in the tableau.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from solvers.cards import MAX_SUITS, SUIT_LETTERS, Deck, card_code, format_card, rank_of, suit_of
from solvers.errors import InputError
from solvers.wording import counted


class Foundations(StrEnum):
    """How foundations are built."""

    IN_SUIT = "in-suit"
    ALTERNATE_COLOURS = "alternate-colours"
    ANY_SUIT = "any-suit"
    DIAL = "dial"


DIAL_SUITS = (3, 2, 0, 1)
"""Suits of the cards that the dial begins with, from the two up, four by four."""


def is_red(card: int) -> bool:
    """Whether a card, or a suit, is red: diamonds or hearts."""
    return suit_of(card) in (1, 2)


def begins_dial(card: int) -> bool:
    """Whether a card is one of those that the dial begins with: 2S 3H 4C 5D 6S 7H 8C 9D TS JH QC KD."""
    return rank_of(card) >= 2 and suit_of(card) == DIAL_SUITS[(rank_of(card) - 2) % MAX_SUITS]


@lru_cache(maxsize=64)
def dial_sequences(deck: Deck) -> tuple[tuple[int, ...], ...]:
    """Return the cards of each foundation of the dial, in the order in which they go up.

    One foundation begins with each rank from the two to the King, the suits in the order of `DIAL_SUITS`.
    It goes up in suit, from the King on to the ace, as far as the next card of its suit that begins another.
    Of the whole deck these are twelve: the one that begins with the two of spades lies at five o'clock, the
    others follow round the dial, and each ends with the card that shows its hour. A smaller deck has a
    smaller dial.

    Parameters
    ----------
    deck : Deck
        Of four suits and at least five ranks, so that every suit begins a foundation.

    Returns
    -------
    tuple of tuple of int
        Card codes. Together these are all cards of the deck.

    Raises
    ------
    InputError
        If the deck is too small.
    """
    if deck.suits < MAX_SUITS or deck.ranks <= MAX_SUITS:
        raise InputError(
            "the dial needs 4 suits and at least 5 ranks,"
            f" not {counted(deck.suits, 'suit')} and {counted(deck.ranks, 'rank')}"
        )
    sequences = []
    for first in range(2, deck.ranks + 1):
        cards = [card_code(first, DIAL_SUITS[(first - 2) % MAX_SUITS])]
        while True:
            following = card_code(rank_of(cards[-1]) % deck.ranks + 1, suit_of(cards[0]))
            if begins_dial(following):
                break
            cards.append(following)
        sequences.append(tuple(cards))
    return tuple(sequences)


def first_heights(rule: Foundations, deck: Deck) -> tuple[int, ...]:
    """Heights before the first card is played: nothing on any, but the dial begins with a card on each."""
    return (1,) * len(dial_sequences(deck)) if rule is Foundations.DIAL else (0,) * deck.suits


def foundation_name(rule: Foundations, index: int) -> str:
    """Name a foundation in a message and in JSON: by its suit, in the dial by the card it begins with."""
    if rule is Foundations.DIAL:
        return format_card(card_code(index + 2, DIAL_SUITS[index % MAX_SUITS]))
    return SUIT_LETTERS[index]


@lru_cache(maxsize=256)
def cards_in_order(rule: Foundations, index: int, deck: Deck) -> tuple[int, ...]:
    """Return cards that foundation `index` can hold, in the order in which they go up.

    In suit and in the dial there are no others. Where several cards fit at one height, one stands for
    all of the same kind (`kinds_of_cards`).
    """
    if rule is Foundations.DIAL:
        return dial_sequences(deck)[index]
    if rule is Foundations.ALTERNATE_COLOURS:
        # Codes of suits differ in their last bit where colours do: clubs and diamonds, hearts and spades.
        return tuple(card_code(rank, index ^ (rank - 1) & 1) for rank in range(1, deck.ranks + 1))
    return tuple(card_code(rank, index) for rank in range(1, deck.ranks + 1))


@lru_cache(maxsize=len(Foundations))
def kinds_of_cards(rule: Foundations) -> tuple[int, ...]:
    """Return a number for each card code; two cards have the same one if they fit on the same foundations."""

    def kind(card: int) -> int:
        if rank_of(card) == 1 or rule in (Foundations.IN_SUIT, Foundations.DIAL):
            return card
        return card_code(rank_of(card), int(rule is Foundations.ALTERNATE_COLOURS and is_red(card)))

    return tuple(map(kind, Deck().cards()))

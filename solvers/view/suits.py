"""How suits look and how cards are called: shared by all pictures.

Four colours by default, because red and green eyes differ: clubs green, diamonds blue, hearts
red, spades black, as four-colour packs have them. The tones were chosen so that each has a contrast of at
least 4.5 to 1 on a white card (WCAG 2.1, success criterion 1.4.3) and so that any two stay apart for
eyes that lack one kind of cone; the tests measure both. The shape always tells the suit as well.
"""

from __future__ import annotations

from solvers.cards import rank_of, suit_of

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SYMBOLS = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")
"""As characters; the selector asks for plain text, where a telephone would put a coloured picture."""
RANK_NAMES = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
)  # fmt: skip

RANK_LABELS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

FOUR_COLOURS = ("#007d5a", "#2456c4", "#c23b00", "#0b0b0b")
TWO_COLOURS = ("#0b0b0b", "#c23b00", "#c23b00", "#0b0b0b")
FACE = "#ffffff"

SUIT_PATHS = (
    # A stem under three discs, each drawn as two half circles.
    "M-22,-22a22,22 0 1,1 44,0a22,22 0 1,1 -44,0zM-47,12a22,22 0 1,1 44,0a22,22 0 1,1 -44,0z"
    "M3,12a22,22 0 1,1 44,0a22,22 0 1,1 -44,0zM-8,-10h16v20q2,26 14,34h-44q12,-8 14,-34z",
    "M0,-48Q14,-20 36,0Q14,20 0,48Q-14,20 -36,0Q-14,-20 0,-48z",
    "M0,46C-64,2 -50,-44 -23,-44C-9,-44 -1,-34 0,-24C1,-34 9,-44 23,-44C50,-44 64,2 0,46z",
    "M0,-48C10,-22 46,-8 46,16C46,36 18,38 5,22C6,34 12,42 20,46H-20C-12,42 -6,34 -5,22"
    "C-18,38 -46,36 -46,16C-46,-8 -10,-22 0,-48z",
)
"""Outline of each suit about the origin, 100 units high and wide at most."""


def rank_label(card: int) -> str:
    """Rank as printed on a card, the ten as ``10``."""
    return RANK_LABELS[rank_of(card) - 1]


def spoken_name(card: int) -> str:
    """Name of a card as it is read aloud: ``king of clubs``."""
    return f"{RANK_NAMES[rank_of(card) - 1]} of {SUIT_NAMES[suit_of(card)]}"

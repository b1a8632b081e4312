"""Clock and its relatives."""

from __future__ import annotations

from solvers.cards import MAX_RANKS, MAX_SUITS, card_code
from solvers.games.values import ClockRules, Family

OPEN_CLOCK = "open-clock"
"""The one game of the family in which the player chooses."""

CLOCK_FAMILY = (
    ClockRules(
        name="clock",
        title="Clock",
        family=Family.CLOCK,
        sentence=(
            "Thirteen face-down piles of four: the hours one to twelve, and the Kings' pile in the centre."
            " Turn the top card of the centre; put every turned card under the pile of its rank and turn"
            " that pile's top card. The fourth King ends the deal, won if no card is face down then."
        ),
        source="Wikipedia, 'Clock (card game)'; PySolFC, game 737 'Clock'",
        also_called=(
            "Clock Patience",
            "Clock Solitaire",
            "Clocktime",
            "Four of a Kind",
            "Hidden Cards",
            "Klockan",
            "Relógio",
            "Travellers",
            "Zegar",
        ),
        namesakes=(
            (
                "Big Ben",
                "a relative of Grandfather's Clock with two decks and a stock, also called The Clock",
            ),
            (
                "Die Uhr",
                "cards come from a stock and are built on the hours in alternate colours; also called German"
                " Clock or The Clock",
            ),
            ("Simple Addition clock", "a relative of Block Eleven, in which cards that add up are covered"),
            ("Grandfather's Clock", "columns are built down and a dial of foundations up"),
        ),
    ),
    ClockRules(
        name="watch",
        title="Watch",
        family=Family.CLOCK,
        sentence=(
            "As Clock, but the fourth King changes places with a face-down card, which is played on; the deal"
            " ends when that King is turned again. A policy says which card is taken."
        ),
        source="Wikipedia, 'Clock (card game)', variant",
    ),
    ClockRules(
        name="clock-no-king",
        title="Clock without a King",
        family=Family.CLOCK,
        sentence=(
            "As Clock, with the King of spades taken out and three cards in the centre: the third King ends"
            " the deal. Other policies have three cards at twelve o'clock, and say what is done when they"
            " have run out."
        ),
        source="house rule; its readings are those of solvers.clock.policies",
        removed=(card_code(MAX_RANKS, MAX_SUITS - 1),),
    ),
    ClockRules(
        name="clock-face-up",
        title="Clock with the hours face up",
        family=Family.CLOCK,
        sentence=(
            "As Clock, with the hour piles face up and the centre face down. A policy says what counts as"
            " a win: no face-down card left, all cards played, or every card on its own pile."
        ),
        source="house rule; its readings are those of solvers.clock.policies",
    ),
    ClockRules(
        name=OPEN_CLOCK,
        title="Open Clock",
        family=Family.CLOCK,
        sentence=(
            "As Clock, with all cards face up: the player chooses which card of the pile called is played"
            " next. The deal is won if all cards are played."
        ),
        source="house rule; its readings are those of solvers.clock.policies",
        also_called=("Sundial",),
    ),
)

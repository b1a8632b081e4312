"""Clock and its relatives."""

from __future__ import annotations

from solvers.games.values import Family, Rules

CLOCK_FAMILY = (
    Rules(
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
)

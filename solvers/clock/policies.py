"""The games of the Clock family and their policies, as data that every part of the package reads.

A *policy* is what a player does where the rules leave a choice, or which reading of the rules is
played where the sources differ. The first policy of a game is its default. A game that leaves nothing
open has one entry, without a name.

A game is its layout, what happens when a called pile has run out (`RunOut`), and when it is won
(`Win`). Nothing here needs Numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from solvers.cards import Deck, card_code
from solvers.errors import InputError

__all__ = ["GAMES", "PileChoice", "RunOut", "Variant", "Win", "find_variant", "policy_names"]


class RunOut(IntEnum):
    """What happens when a card calls a pile that has no face-down card."""

    STOP = 0
    """The play ends."""
    EXCHANGE = 1
    """The first time, the card changes places with one that is face down; then the play ends."""
    NEXT_HOUR = 2
    """The top card of the next hour pile clockwise that has one is turned; without any, the play ends."""
    NEXT_PILE = 3
    """The same, and the centre counts as the pile after the last hour that has one."""
    CENTRE = 4
    """The top card of the centre is turned; if there is none, the play ends."""
    CHOOSE = 5
    """Nothing: the player chooses the next card of the pile called, and stops when there is none."""
    CHOOSE_ANY = 6
    """Nothing: the player chooses the next card among all."""


class PileChoice(IntEnum):
    """From which pile a card is taken for the King of Watch."""

    BY_CARD = 0
    """A card is chosen, each face-down card equally likely, and with it its pile."""
    RANDOM = 1
    """Each pile with a face-down card is equally likely."""
    LARGEST = 2
    """The pile with most face-down cards; of several, the first clockwise from one o'clock."""
    SMALLEST = 3
    """The pile with fewest face-down cards but one at least; of several, the first clockwise."""
    CLOCKWISE = 4
    """The first clockwise from one o'clock that has a face-down card."""


class Win(IntEnum):
    """When a deal is won."""

    ALL_TURNED = 0
    """When every card has been turned, or played if the cards lie face up."""
    ALL_AT_HOME = 1
    """When every card lies on its own pile, played or not."""
    ALWAYS = 2
    """At the end of the play."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A game together with one of its policies.

    Parameters
    ----------
    game : str
        Name of the game, as on the command line.
    policy : str or None
        Name of the policy; None if the game has only this one.
    description : str
        The policy in a sentence.
    run_out : RunOut
    choice : PileChoice
        For `RunOut.EXCHANGE`.
    bottom : bool
        For `RunOut.EXCHANGE`: take the lowest card of the pile chosen, not its top card.
    win : Win
    king_removed : bool
        One King, that of the last suit, is not in the deck.
    short_hour : bool
        Cards are dealt to the centre first and then to the hours, so that the missing card is missing in the
        last hour and not in the centre.
    """

    game: str
    policy: str | None
    description: str
    run_out: RunOut = RunOut.STOP
    choice: PileChoice = PileChoice.BY_CARD
    bottom: bool = False
    win: Win = Win.ALL_TURNED
    king_removed: bool = False
    short_hour: bool = False

    def __str__(self) -> str:
        return self.game if self.policy is None else f"{self.game} {self.policy}"

    def cards(self, deck: Deck) -> tuple[int, ...]:
        """Cards that are dealt from `deck`, in order of their codes.

        Raises
        ------
        InputError
            If a King is to be removed and there is only one, or if the hour to be short does not exist.
        """
        if not self.king_removed:
            return deck.cards()
        if deck.suits < 2:
            raise InputError(f"{self.game} needs a deck of at least two suits: no King would be left")
        if self.short_hour and deck.ranks < 2:
            raise InputError(f"{self} needs a deck of at least two ranks: an hour is to be short")
        last_king = card_code(deck.ranks, deck.suits - 1)
        return tuple(card for card in deck.cards() if card != last_king)

    def order(self, deck: Deck) -> Sequence[int]:
        """Piles in the order in which each round of the deal goes to them."""
        piles = range(deck.ranks)
        return (piles[-1], *piles[:-1]) if self.short_hour else piles


def _watch(policy: str, choice: PileChoice, bottom: bool, place: str) -> Variant:
    description = f"the fourth King changes places with {place}"
    return Variant("watch", policy, description, RunOut.EXCHANGE, choice, bottom)


def _no_king(policy: str, run_out: RunOut, description: str, *, short_hour: bool = True) -> Variant:
    return Variant("clock-no-king", policy, description, run_out, king_removed=True, short_hour=short_hour)


def _face_up(policy: str, win: Win, description: str) -> Variant:
    return Variant("clock-face-up", policy, description, win=win)


_VARIANTS = (
    Variant("clock", None, "nothing is left to choose"),
    # The rules of Watch say no more than "a face-down card", so the default favours none.
    _watch("random-card", PileChoice.BY_CARD, False, "a face-down card, each equally likely"),
    _watch("top-random-pile", PileChoice.RANDOM, False, "the top card of a random pile"),
    _watch("bottom-random-pile", PileChoice.RANDOM, True, "the lowest face-down card of a random pile"),
    _watch("bottom-largest", PileChoice.LARGEST, True, "the lowest card of the pile with most face down"),
    _watch("bottom-smallest", PileChoice.SMALLEST, True, "the lowest card of the pile with fewest face down"),
    _watch(
        "bottom-clockwise", PileChoice.CLOCKWISE, True, "the lowest card of the first pile from one o'clock"
    ),
    _watch("top-clockwise", PileChoice.CLOCKWISE, False, "the top card of the first pile from one o'clock"),
    _watch("top-largest", PileChoice.LARGEST, False, "the top card of the pile with most face down"),
    _watch("top-smallest", PileChoice.SMALLEST, False, "the top card of the pile with fewest face down"),
    # Cards are dealt to the centre last, so it is the pile that a card is missing from.
    _no_king(
        "last-king", RunOut.STOP, "the centre has three cards; the third King ends it", short_hour=False
    ),
    _no_king(
        "short-hour-stop", RunOut.STOP, "twelve o'clock has three cards; it ends when called a fourth time"
    ),
    _no_king("short-hour-next", RunOut.NEXT_HOUR, "as before, but the next hour clockwise is turned instead"),
    _no_king("short-hour-next-or-centre", RunOut.NEXT_PILE, "as before, and the centre when no hour is left"),
    _no_king("short-hour-centre", RunOut.CENTRE, "as before, but the centre's top card is turned instead"),
    # The rule of Clock, that it is lost if a face-down card is left, taken at its word.
    _face_up(
        "none-face-down", Win.ALWAYS, "won if no card is face down at the end: only the centre's ever are"
    ),
    _face_up("all-played", Win.ALL_TURNED, "won if all cards were played"),
    _face_up("all-at-home", Win.ALL_AT_HOME, "won if every card lies on its own pile, played or not"),
    Variant("open-clock", "best", "the player chooses the next card of the pile called", RunOut.CHOOSE),
    Variant("open-clock", "any-card", "the player may choose the next card anywhere", RunOut.CHOOSE_ANY),
)

GAMES: dict[str, tuple[Variant, ...]] = {}
"""Variants of each game, the default policy first."""
for _variant in _VARIANTS:
    GAMES[_variant.game] = (*GAMES.get(_variant.game, ()), _variant)


def policy_names(game: str) -> tuple[str, ...]:
    """Names of the policies of `game`, the default first; none if the game leaves nothing open."""
    return tuple(variant.policy for variant in GAMES[game] if variant.policy is not None)


def find_variant(game: str, policy: str | None = None) -> Variant:
    """Return the variant of these names; without a policy, the game's default.

    Raises
    ------
    InputError
        If there is none, with the names there are.
    """
    if game not in GAMES:
        raise InputError(f"unknown game {game!r} of the Clock family: {', '.join(GAMES)}")
    for variant in GAMES[game]:
        if policy is None or policy == variant.policy:
            return variant
    names = policy_names(game)
    if not names:
        raise InputError(f"{game} leaves nothing to choose, so it has no policy {policy!r}")
    raise InputError(f"unknown policy {policy!r} of {game}: {', '.join(names)}")

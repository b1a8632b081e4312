"""What is said of Clock and its variants, and what is so.

Each claim is judged by figures: chances of a win, exact where they are known, simulated with their interval
where they are not. What a verdict rests on is computed when it is asked for. A simulated chance is higher or
lower than another if it is 4 standard errors away: some are compared, and none should be so by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import sqrt

from solvers.cards import Deck
from solvers.clock.policies import GAMES, policy_names
from solvers.clock.simulate import simulate
from solvers.clock.theory import exact, last_of
from solvers.clock.watch_theory import bottoms_seen_win_probability

__all__ = ["SIMULATIONS", "Claim", "Figure", "Verdict", "clock_claims", "sum_up"]

SIMULATIONS = 9
"""Figures that `clock_claims` simulates."""

_CLOCK = Fraction(1, 13)
_UNIFORM = "clock, shuffled uniformly"
_VISIBLY = Fraction(1, 100)
"""Who plays a few hundred games may see a difference of 1 point, and none that is smaller."""
_ALMOST_CERTAIN = Fraction(95, 100)
_ENOUGH = Fraction(2, 1000)
"""A shuffle is good enough if the chance stays within 0.2 points: thousands of games do not show that."""
_SHUFFLES = "shuffles are named as by patience simulate --shuffle"


class Verdict(StrEnum):
    """What is so."""

    TRUE = "true"
    FALSE = "false"
    DEPENDS = "depends"
    """So under one reading, or from one starting order, and not under another."""
    OPEN = "open"
    """Not settled by so few games."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chance of a win.

    Parameters
    ----------
    of : str
        Of what.
    value : Fraction or float
        A fraction if it is exact, else the share of simulated games.
    interval : tuple of float or None
        The 95 % interval of a simulated share.
    games : int or None
        How many games were simulated.
    """

    of: str
    value: Fraction | float
    interval: tuple[float, float] | None = None
    games: int | None = None

    def __str__(self) -> str:
        if self.interval is None:
            # The fractions of some variants fill a line.
            text = str(self.value)
            return f"{self.of}: {f'{text} = ' if len(text) < 40 else ''}{100 * float(self.value):.6g} %"
        low, high = self.interval
        interval = f"95 % interval {100 * low:.3f} % to {100 * high:.3f} %"
        return f"{self.of}: {100 * float(self.value):.3f} %, {interval} ({self.games:,} games)"

    def differs_from(self, value: Fraction) -> bool:
        """Whether an exact figure is another, or a simulated one is more than 4 standard errors away."""
        if self.games is None:
            return self.value != value
        error = sqrt(value * (1 - value) / self.games)
        return abs(float(self.value - value)) > 4 * error

    def is_lower_than(self, value: Fraction) -> bool | None:
        """Whether it is lower; None if so few games do not tell."""
        return self.value < value if self.differs_from(value) or self.games is None else None

    def is_near(self, value: Fraction, margin: Fraction) -> bool | None:
        """Whether it does not differ, its interval within a margin; None if so few games do not tell."""
        if self.differs_from(value):
            return False
        low, high = self.interval or (self.value, self.value)
        return True if value - margin <= low and high <= value + margin else None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim and its verdict.

    Parameters
    ----------
    name : str
        A short name, stable.
    statement : str
        What is said.
    verdict : Verdict
    figures : tuple of Figure
        What the verdict rests on.
    test : str
        How it follows from them.
    reason : str
        The verdict in a sentence or two.
    """

    name: str
    statement: str
    verdict: Verdict
    figures: tuple[Figure, ...]
    test: str
    reason: str


def sum_up(held: Sequence[bool | None]) -> Verdict:
    """Sum up whether a claim holds by each figure, or each way to read it; None is not settled."""
    if {True, False} <= set(held):
        return Verdict.DEPENDS
    if None in held:
        return Verdict.OPEN
    return Verdict.TRUE if all(held) else Verdict.FALSE


def clock_claims(
    games: int = 1_000_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[Claim, ...]:
    """Judge the claims about Clock.

    Parameters
    ----------
    games : int, optional
        How many games to simulate for each figure that is not known exactly.
    seed : int, optional
    workers : int, optional
        As for `simulate`.
    progress : callable, optional
        Called now and then with the number of games played so far, of `SIMULATIONS` times `games`.

    Returns
    -------
    tuple of Claim
    """
    played = 0

    def simulated(shuffle: str) -> Figure:
        nonlocal played
        before = played
        result = simulate(
            "clock",
            games,
            seed,
            shuffle=shuffle,
            workers=workers,
            progress=None if progress is None else lambda done: progress(before + done),
        )
        if result.interrupted:
            raise KeyboardInterrupt
        played += games
        return Figure(f"clock, {shuffle}", result.rate, result.ci95, games)

    return (
        *_basic_claims(),
        _watch_claim(),
        _no_king_claim(),
        _face_up_claim(),
        _weak_shuffle_claim(simulated),
        seven_riffles_claim(simulated),
    )


def _exact_figure(game: str, policy: str | None = None) -> Figure:
    return Figure(f"{game}, {policy}" if policy else game, exact(game, policy).win_probability)


def _basic_claims() -> tuple[Claim, ...]:
    clock = _exact_figure("clock")
    right = sum_up([clock.value == _CLOCK])
    return (
        Claim(
            "clock-about-1-in-13",
            "Clock is won about once in 13 deals.",
            right,
            (clock,),
            "exact chance compared with 1/13",
            "It is won exactly so often.",
        ),
        Claim(
            "clock-exactly-1-in-13",
            "The chance to win Clock is exactly 1 in 13.",
            right,
            (clock,),
            "exact chance compared with 1/13",
            "The cards turned are a random order of the deck, won if its last card is one of the four Kings.",
        ),
        Claim(
            "clock-no-skill",
            "No skill can change the share of Clock deals that are won.",
            sum_up([not policy_names("clock")]),
            (clock,),
            "rules looked through for a choice",
            "The rules leave no choice. Nor would one help: the next card is a random one of those unseen,"
            " from whichever pile it is turned.",
        ),
    )


def _watch_claim() -> Claim:
    figures = tuple(_exact_figure("watch", variant.policy) for variant in GAMES["watch"])
    deck = Deck()
    bound = bottoms_seen_win_probability(deck, last_of(deck.suits, deck.size))
    times = [float(figure.value / _CLOCK) for figure in figures]
    return Claim(
        "watch-slightly",
        "Watch raises the share of won deals slightly.",
        sum_up([1 < raised < 2 for raised in times]),
        (_exact_figure("clock"), *figures, Figure("watch, looking under all piles", bound)),
        "exact chances: a chance that is doubled is not raised slightly",
        f"The policies win {min(times):.1f} to {max(times):.1f} times as often as Clock,"
        " by which card they take.",
    )


def _no_king_claim() -> Claim:
    figures = tuple(_exact_figure("clock-no-king", variant.policy) for variant in GAMES["clock-no-king"])
    risen = [figure.value >= _CLOCK + _VISIBLY for figure in figures]
    return Claim(
        "no-king-visibly",
        "To remove a King makes the share of won deals rise visibly.",
        sum_up(risen),
        (_exact_figure("clock"), *figures),
        f"exact chances: visible is a rise by {float(100 * _VISIBLY):.0f} point",
        "With three Kings and three cards in the centre it falls to 3 in 51. It rises only if an hour is"
        " short instead; how much depends on what is done when that hour has run out.",
    )


def _face_up_claim() -> Claim:
    figures = tuple(_exact_figure("clock-face-up", variant.policy) for variant in GAMES["clock-face-up"])
    open_clock = _exact_figure("open-clock")
    nearly_certain = [figure.value >= _ALMOST_CERTAIN for figure in figures]
    return Claim(
        "face-up-almost-certain",
        "With the hours face up a win is almost certain.",
        sum_up(nearly_certain),
        (*figures, open_clock),
        f"exact chances: almost certain is {float(100 * _ALMOST_CERTAIN):.0f} % or more",
        "If a loss means a face-down card, a win is certain: only the centre's cards are face down, and the"
        " Kings turn them all. If all cards must be played, nothing has changed. It is almost certain if the"
        " player may choose among face-up cards, which is another game.",
    )


def _weak_shuffle_claim(simulated: Callable[[str], Figure]) -> Claim:
    figures = []
    for end in ("top", "bottom"):
        shuffle = f"riffle:1,start=gathered-won,deal={end}"
        figures.append(Figure(f"clock, {shuffle}", exact("clock", shuffle=shuffle).win_probability))
        figures += [simulated(f"{name},start=gathered-won,deal={end}") for name in ("riffle:3", "overhand:3")]
    lower = [figure.is_lower_than(_CLOCK) for figure in figures]
    return Claim(
        "weak-shuffle-lowers",
        "A weak shuffle, with the Kings together, lowers the share of won deals.",
        sum_up(lower),
        (Figure(_UNIFORM, _CLOCK), *figures),
        f"exact chances and simulated shares against 1/13, these by 4 standard errors; {_SHUFFLES}",
        "Kings together at the end that is dealt last lie on top of the piles, and hardly a deal is won;"
        " at the end that is dealt first they lie at the bottoms, and more deals are won than should be."
        " Riffles leave the ends where they are, and each overhand shuffle exchanges them.",
    )


def seven_riffles_claim(simulated: Callable[[str], Figure]) -> Claim:
    """Judge the claim by games from several starting orders; ``simulated(shuffle)`` plays them."""
    figures = [
        simulated(f"riffle:7,start={start},deal={end}")
        for start, end in (
            ("new-deck", "top"),
            ("gathered-won", "top"),
            ("gathered-won", "bottom"),
            ("gathered", "top"),
            ("gathered", "bottom"),
        )
    ]
    enough = [figure.is_near(_CLOCK, _ENOUGH) for figure in figures]
    return Claim(
        "seven-riffles",
        "Seven riffles are enough.",
        sum_up(enough),
        (Figure(_UNIFORM, _CLOCK), *figures),
        f"simulated shares: not enough if 4 standard errors from 1/13, enough if the 95 % interval is within"
        f" {float(100 * _ENOUGH):.1f} points of it; {_SHUFFLES}",
        "After seven riffles a gathered deck still shows which end its Kings were at: dealt from the top it"
        " wins too rarely, from the bottom too often. With a new deck no such difference shows.",
    )

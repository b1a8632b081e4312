"""Simulate games of the Clock family by the million."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from solvers.cards import Deck
from solvers.clock.fit import Fit, chi_square
from solvers.clock.kernel import play_batch
from solvers.clock.policies import Variant, find_variant
from solvers.clock.regenerate import layout_of
from solvers.clock.theory import ExactResult, NotKnown, exact
from solvers.compilation import working_time
from solvers.errors import InputError
from solvers.processors import processors
from solvers.shuffling import Shuffle

__all__ = ["SimulationResult", "simulate"]

STANDARD_DECK = Deck()
# A kernel runs this long before it returns to Python, where an interrupt can take effect.
_SECONDS_A_CHUNK = 0.2
_FIRST_CHUNK = 256
# How often the main thread looks at its workers and reports progress.
_SECONDS_A_LOOK = 0.1


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """Outcome of a simulation.

    Parameters
    ----------
    game : str
    policy : str or None
    shuffle : str
    seed : int
    games : int
        Games played, those with the indices 0 to ``games - 1``; fewer than were asked for if `interrupted`.
    wins : int
    cards_left : tuple of int
        Entry i is the number of games that ended with i cards left.
    complete_hours : tuple of int
        Entry i is the number of games that ended with i complete hour piles.
    theory : ExactResult or None
        What is known exactly, if it is.
    seconds : float
        Wall time of the simulation, compilation included.
    interrupted : bool
        Whether Ctrl-C ended it early.
    """

    game: str
    policy: str | None
    shuffle: str
    seed: int
    games: int
    wins: int
    cards_left: tuple[int, ...]
    complete_hours: tuple[int, ...]
    theory: ExactResult | None
    seconds: float
    interrupted: bool = False

    @property
    def rate(self) -> float:
        """Share of games won; not a number if none was played."""
        return self.wins / self.games if self.games else math.nan

    @property
    def ci95(self) -> tuple[float, float]:
        """Wilson interval of the rate at 95 %, within [0, 1]; all of it if no game was played."""
        from solvers.studies.proportion import share_interval

        return share_interval(self.wins, self.games)

    @property
    def exact(self) -> Fraction | None:
        """Exact probability of a win, if it is known."""
        return None if self.theory is None else self.theory.win_probability

    @property
    def z(self) -> float | None:
        """Standard errors between the wins and their exact expectation; None without either.

        Where the exact probability is 0 or 1, a single game that went the other way makes it infinite.
        """
        if self.exact is None or not self.games:
            return None
        surplus = self.wins - self.games * self.exact
        variance = float(self.games * self.exact * (1 - self.exact))
        if variance == 0.0:
            return math.copysign(math.inf, surplus) if surplus else 0.0
        return float(surplus) / math.sqrt(variance)

    @property
    def fit(self) -> Fit | None:
        """Chi-square test of the cards left against their exact distribution; None without either."""
        if self.theory is None or self.theory.cards_left is None or not self.games:
            return None
        return chi_square(self.cards_left, self.theory.cards_left)


@dataclass(slots=True)
class _Tally:
    """Counts that the workers add to, and the games not handed out yet."""

    games: int
    cards_left: NDArray[np.int64]
    complete_hours: NDArray[np.int64]
    handed_out: int = 0
    played: int = 0
    wins: int = 0
    stop: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, wanted: int) -> tuple[int, int]:
        """Hand out the next games: the first and their number, 0 if there are none left or `stop` is set."""
        with self.lock:
            first = self.handed_out
            count = 0 if self.stop else min(wanted, self.games - first)
            self.handed_out += count
            return first, count

    def add(
        self, count: int, wins: int, cards_left: NDArray[np.int64], complete_hours: NDArray[np.int64]
    ) -> None:
        """Add the counts of games that were handed out."""
        with self.lock:
            self.played += count
            self.wins += wins
            self.cards_left += cards_left
            self.complete_hours += complete_hours


def simulate(
    game: str,
    games: int,
    seed: int = 0,
    *,
    policy: str | None = None,
    shuffle: str | Shuffle = "uniform",
    deck: Deck = STANDARD_DECK,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> SimulationResult:
    """Play `games` random deals of a game of the Clock family.

    Game number i depends on `seed` and i alone, so neither the number of workers nor an interruption
    changes a game; `solvers.clock.regenerate` makes any of them again.

    Parameters
    ----------
    game : str
        Name of the game.
    games : int
        How many to play.
    seed : int, optional
        0 to 2^64 - 1.
    policy : str, optional
        Name of the policy; the game's default if not given.
    shuffle : str or Shuffle, optional
        How the deck is shuffled, as `Shuffle.parse` reads it: ``uniform``, ``riffle:7``, ``overhand:3``.
    deck : Deck, optional
        The deck; of 13 ranks and 4 suits if not given.
    workers : int, optional
        Threads; as many as this process may use processors if not given.
    progress : callable, optional
        Called now and then, from this thread, with the number of games played so far.

    Returns
    -------
    SimulationResult
        After Ctrl-C, of the games finished by then, which are again the games 0, 1, 2, ...

    Raises
    ------
    InputError
        If the game, the policy or the shuffle is unknown, or a number is out of range.
    """
    variant = find_variant(game, policy)
    manner = shuffle if isinstance(shuffle, Shuffle) else Shuffle.parse(shuffle)
    if not 0 <= games <= manner.largest_index:
        raise InputError(f"the number of games is at least 0 and at most {manner.largest_index}, not {games}")
    if workers is not None and workers < 1:
        raise InputError(f"the number of workers is at least 1, not {workers}")
    layout = layout_of(variant, deck)
    plan = manner.plan(variant.cards(deck), seed)
    cards, piles = len(layout.cards), len(layout.turns)
    tally = _Tally(games, np.zeros(cards + 1, dtype=np.int64), np.zeros(piles, dtype=np.int64))

    def work() -> None:
        chunk = _FIRST_CHUNK
        while True:
            first, count = tally.take(chunk)
            if not count:
                return
            cards_left = np.zeros_like(tally.cards_left)
            complete_hours = np.zeros_like(tally.complete_hours)
            start = time.perf_counter()
            with np.errstate(over="ignore"):  # heeded only where the kernel is not compiled
                wins = play_batch(layout, plan, first, count, cards_left, complete_hours)
            tally.add(count, int(wins), cards_left, complete_hours)
            # At most four times as many at once, since the first call may have been spent on compiling.
            seconds = max(time.perf_counter() - start, 1e-6)
            chunk = max(1, min(4 * chunk, int(count * _SECONDS_A_CHUNK / seconds)))

    start = working_time()
    interrupted = _run(work, workers or processors(), tally, progress)
    return SimulationResult(
        game=variant.game,
        policy=variant.policy,
        shuffle=str(manner),
        seed=seed,
        games=tally.played,
        wins=tally.wins,
        cards_left=tuple(int(count) for count in tally.cards_left),
        complete_hours=tuple(int(count) for count in tally.complete_hours),
        theory=_theory(variant, deck, manner),
        seconds=working_time() - start,
        interrupted=interrupted,
    )


def _run(
    work: Callable[[], None], workers: int, tally: _Tally, progress: Callable[[int], None] | None
) -> bool:
    """Let `workers` threads work until all games are played; return whether Ctrl-C ended it before.

    The kernels run without the interpreter's lock, so threads are as fast as processes and share their
    counts. The main thread only waits, so that Ctrl-C reaches it: then no more games are handed
    out, and those under way, a fraction of a second, are finished and counted. What was handed out is a
    beginning of all games, so what is counted is too.
    """
    interrupted = False
    with ThreadPoolExecutor(workers, thread_name_prefix="clock") as pool:
        futures = [pool.submit(work) for _ in range(workers)]
        try:
            while wait(futures, timeout=_SECONDS_A_LOOK).not_done:
                if progress is not None:
                    progress(tally.played)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            tally.stop = True
    for future in futures:
        future.result()
    if progress is not None:
        progress(tally.played)
    return interrupted


def _theory(variant: Variant, deck: Deck, shuffle: Shuffle) -> ExactResult | None:
    try:
        return exact(variant.game, variant.policy, shuffle=shuffle, deck=deck)
    except NotKnown:
        return None

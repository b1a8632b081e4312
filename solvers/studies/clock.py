"""The tables of ``results/clock``: every game and policy by the hundred million, and every shuffle.

Usage: ``python -m solvers.studies.clock [--games N] [--shuffled-games N] [--two-riffles] [--out DIR]``

Writes, into DIR:

``variants.csv``
    A row for each game and policy: simulated and exact rate, their distance in standard errors, and a
    chi-square test of the whole distribution of the cards left.
``cards_left.csv``
    The distributions: counts and exact probabilities.
``shuffles.csv``
    Clock after 0 to 10 riffles or overhand shuffles, by the starting order and the end dealt from.
``manifest.json``
    What made them: command, numbers of games and seed, program, machine, libraries, times.
"""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from solvers.cards import Deck, rank_of
from solvers.clock.policies import GAMES
from solvers.clock.riffle_theory import riffle_win_probability
from solvers.clock.simulate import SimulationResult, simulate
from solvers.shuffling import GATHERED, GATHERED_WON, NEW_DECK, Manner, Shuffle
from solvers.studies import provenance

__all__ = ["shuffle_rows", "variant_rows", "write_study"]

_CLOCK = Fraction(1, 13)
_STARTS = (NEW_DECK, GATHERED_WON, GATHERED)
_MOST_SHUFFLES = 10
_LIBRARIES = ("numpy", "numba", "scipy")


def variant_rows(games: int, seed: int = 0, workers: int | None = None) -> Iterator[SimulationResult]:
    """Simulate each game and policy, each with the next seed, so that no two play the same games."""
    variants = [variant for variants in GAMES.values() for variant in variants]
    for number, variant in enumerate(variants, start=seed):
        yield simulate(variant.game, games, number, policy=variant.policy, workers=workers)


def shuffle_rows(games: int, seed: int = 0, workers: int | None = None) -> Iterator[SimulationResult]:
    """Simulate Clock after 0 to 10 shuffles of each kind, from each starting order and end."""
    ways = product((Manner.RIFFLE, Manner.OVERHAND), _STARTS, (False, True), range(_MOST_SHUFFLES + 1))
    for number, (manner, start, from_bottom, times) in enumerate(ways, start=seed):
        shuffle = Shuffle(manner, times, start, from_bottom)
        yield simulate("clock", games, number, shuffle=shuffle, workers=workers)


def write_study(
    out: Path, games: int, shuffled_games: int, *, two_riffles: bool = False, seed: int = 0
) -> None:
    """Play everything and write the tables.

    Parameters
    ----------
    out : Path
        Directory, made if it is not there.
    games, shuffled_games : int
        Games for each policy, and for each shuffle.
    two_riffles : bool, optional
        Also count all ways of two riffles, which takes an hour or so.
    seed : int, optional
        Of the first row of each table; each row has the next.
    """
    out.mkdir(parents=True, exist_ok=True)
    parameters = {
        "games": games,
        "shuffled_games": shuffled_games,
        "two_riffles": two_riffles,
        "seed": seed,
    }
    # Before the work: what a long study rests on is what there was when it began.
    manifest = provenance.origin("solvers.studies.clock", _command(out, parameters), parameters, _LIBRARIES)
    start = time.perf_counter()
    variants = []
    for result in variant_rows(games, seed):
        print(f"{result.game} {result.policy or ''}: z = {result.z:+.2f}", file=sys.stderr, flush=True)
        variants.append(result)
    _write_csv(out / "variants.csv", map(_variant_fields, variants))
    _write_csv(out / "cards_left.csv", (row for result in variants for row in _cards_left_fields(result)))
    known = _two_riffles() if two_riffles else {}
    shuffles = []
    for result in shuffle_rows(shuffled_games, seed):
        print(f"{result.shuffle}: {result.rate:.6f}", file=sys.stderr, flush=True)
        shuffles.append(_shuffle_fields(result, known.get(result.shuffle, result.exact)))
    _write_csv(out / "shuffles.csv", shuffles)
    manifest |= {"end": provenance.now(), "seconds": round(time.perf_counter() - start)}
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _command(out: Path, parameters: dict[str, Any]) -> str:
    """Command line by which the study is made again."""
    words = ["python", "-m", "solvers.studies.clock"]
    for name, value in (parameters | {"out": out}).items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not False:
            words += [option, str(value)]
    return shlex.join(words)


def _two_riffles() -> dict[str, Fraction]:
    """Exact rates after two riffles from the fixed starting orders, by shuffle."""
    known: dict[str, Fraction] = {}
    found: dict[tuple[int, ...], Fraction] = {}  # a new deck shows the same ranks from both ends
    for start, from_bottom in product((NEW_DECK, GATHERED_WON), (False, True)):
        shuffle = Shuffle(Manner.RIFFLE, 2, start, from_bottom)
        order = shuffle.starting_order(Deck().cards())
        ranks = tuple(rank_of(card) for card in (reversed(order) if from_bottom else order))
        if ranks not in found:
            print(f"{shuffle}: counting all ways", file=sys.stderr, flush=True)
            found[ranks] = riffle_win_probability(order, 13, 2, from_bottom=from_bottom)
        known[str(shuffle)] = found[ranks]
    return known


def _variant_fields(result: SimulationResult) -> dict[str, Any]:
    fit = result.fit
    assert fit is not None
    return {
        "game": result.game,
        "policy": result.policy or "",
        **_rate_fields(result, result.exact),
        "z": _number(result.z),
        "chi_square": _number(fit.statistic),
        "degrees": fit.degrees,
        "p_value": _number(fit.p_value),
        "games_per_second": round(result.games / result.seconds),
    }


def _cards_left_fields(result: SimulationResult) -> Iterator[dict[str, Any]]:
    assert result.theory is not None
    assert result.theory.cards_left is not None
    for left, (count, chance) in enumerate(zip(result.cards_left, result.theory.cards_left, strict=True)):
        if count or chance:
            yield {
                "game": result.game,
                "policy": result.policy or "",
                "left": left,
                "games": count,
                "probability": str(chance),
                "p": _number(float(chance)),
            }


def _shuffle_fields(result: SimulationResult, known: Fraction | None) -> dict[str, Any]:
    standard_error = float(_CLOCK * (1 - _CLOCK) / result.games) ** 0.5
    return {
        "shuffle": result.shuffle,
        **_rate_fields(result, known),
        # How far from what a uniform shuffle gives, in its standard errors.
        "z_uniform": _number((result.rate - float(_CLOCK)) / standard_error),
    }


def _rate_fields(result: SimulationResult, known: Fraction | None) -> dict[str, Any]:
    low, high = result.ci95
    return {
        "seed": result.seed,
        "games": result.games,
        "wins": result.wins,
        "rate": _number(result.rate),
        "low": _number(low),
        "high": _number(high),
        "exact": "" if known is None else str(known),
        "exact_float": "" if known is None else _number(float(known)),
    }


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"


def _write_csv(path: Path, rows: Any) -> None:
    table = list(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def main() -> None:
    """Read the command line and write the tables."""
    parser = argparse.ArgumentParser(description="Write the tables of results/clock.")
    parser.add_argument("--games", type=int, default=100_000_000)
    parser.add_argument("--shuffled-games", type=int, default=4_000_000)
    parser.add_argument("--two-riffles", action="store_true", help="count all ways of two riffles: an hour")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("results/clock"))
    given = parser.parse_args()
    write_study(given.out, given.games, given.shuffled_games, two_riffles=given.two_riffles, seed=given.seed)


if __name__ == "__main__":
    main()

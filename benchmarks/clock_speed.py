"""How fast the Clock kernel plays, beside a plain C++ program, on one core.

Usage: ``python benchmarks/clock_speed.py [GAMES]``

Compiles ``clock_plain.cpp`` with ``g++ -O2``, then runs it and the kernel turn by turn, so that whatever else
the machine does falls on both, and prints the median rates.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from solvers.clock.policies import GAMES, Variant
from solvers.clock.simulate import simulate

ROUNDS = 5


def run_plain(program: Path, games: int, seed: int) -> float:
    """Play `games` games in C++ and return games a second."""
    command = [str(program), str(games), str(seed)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    played, _, seconds = output.split()
    return int(played) / float(seconds)


def run_kernel(variant: Variant, games: int, seed: int) -> float:
    """Play `games` games with the kernel in one thread and return games a second."""
    return games / simulate(variant.game, games, seed, policy=variant.policy, workers=1).seconds


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    variants = [variant for variants in GAMES.values() for variant in variants]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "clock_plain"
        source = Path(__file__).with_name("clock_plain.cpp")
        subprocess.run(["g++", "-O2", "-o", program, source], check=True)
        for variant in variants:
            run_kernel(variant, 1000, 0)  # compile
        plain: list[float] = []
        kernel: dict[Variant, list[float]] = {variant: [] for variant in variants}
        for seed in range(ROUNDS):
            plain.append(run_plain(program, games, seed))
            for variant in variants:
                kernel[variant].append(run_kernel(variant, games, seed))
    base = statistics.median(plain)
    print(f"{'C++ -O2, full shuffle':40} {base / 1e6:6.2f} million games a second")
    for variant, rates in kernel.items():
        rate = statistics.median(rates)
        print(f"{variant!s:40} {rate / 1e6:6.2f} million games a second, {rate / base:5.2f} times C++")


if __name__ == "__main__":
    main()

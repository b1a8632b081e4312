"""Time the exact solver of Baker's Dozen on fixed deals, and show its signature.

    python benchmarks/bakers_dozen.py                 PySolFC deals 1 to 1000
    python benchmarks/bakers_dozen.py --deals 1-10000
    python benchmarks/bakers_dozen.py --record        also add a line to history.csv

The *signature* is the number of states visited over all deals. It does not depend on the machine:
a change of it means that the search has changed, and is to be explained where the change is made
(`tests/test_signature.py` holds the one for deals 1 to 200). Times are those of this process on
one core, after warm-up, with dealing and the referee's replay of every solution included; machines
differ and drift, so compare lines of one run or of one machine only.
"""

from __future__ import annotations

import argparse
import csv
import platform
import resource
import subprocess
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from solvers.bakers_dozen.solve import solve
from solvers.deals import load_deal
from solvers.outcome import Outcome, SolveResult

HISTORY = Path(__file__).parent / "history.csv"


def commit() -> str:
    """Short name of the commit checked out, with a plus sign if files differ from it."""
    run = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"],
        capture_output=True,
        text=True,
        cwd=HISTORY.parent,
        check=False,
    )
    return run.stdout.strip() or "unknown"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", default="1-1000", help="range of PySolFC numbers (default 1-1000)")
    parser.add_argument("--record", action="store_true", help="add a line to history.csv")
    arguments = parser.parse_args()
    first, last = map(int, arguments.deals.split("-"))
    for number in (24, 64, 417, 929):  # compile every kernel, and let the processor warm up
        solve(load_deal("bakers-dozen", f"pysolfc:{number}").position)
    started = time.perf_counter()
    results: list[SolveResult] = [
        solve(load_deal("bakers-dozen", f"pysolfc:{number}").position) for number in range(first, last + 1)
    ]
    seconds = time.perf_counter() - started
    outcomes = Counter(result.outcome for result in results)
    milliseconds = np.array([result.seconds for result in results]) * 1e3
    row = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "deals": arguments.deals,
        **{str(outcome): outcomes[outcome] for outcome in Outcome},
        "signature": sum(result.states for result in results),
        "seconds": round(seconds, 2),
        "mean_ms": round(float(milliseconds.mean()), 3),
        "median_ms": round(float(np.median(milliseconds)), 3),
        "p99_ms": round(float(np.quantile(milliseconds, 0.99)), 2),
        "max_ms": round(float(milliseconds.max()), 1),
        "peak_MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    for name, value in row.items():
        print(f"{name:12} {value}")
    if arguments.record:
        new = not HISTORY.exists()
        with HISTORY.open("a", newline="") as file:
            writer = csv.DictWriter(file, row)
            if new:
                writer.writeheader()
            writer.writerow(row)


if __name__ == "__main__":
    main()

"""The table of the Baker's Dozen family: how often each game can be won, and what it took to decide it.

``python -m solvers.studies.family --out results/family`` runs one study a game, each in a process of its
own so that its memory can be told, and writes ``table.csv`` and ``table.md`` beside them. Studies that are
there already are kept. Kernels are compiled before a study begins, so that its memory is not the compiler's.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from solvers.games import GAMES, Family
from solvers.sources import parse_range
from solvers.studies.proportion import Interval
from solvers.studies.store import read_rows

MEMORY = "memory.json"
"""Peak resident memory of each study in megabytes, as the operating system accounts for it."""
_WARMING_UP = 100
"""Deals that are decided beforehand: some kernels are not called for before a deal is hard enough."""
_HEAD = {
    "game": "Game",
    "winnable": "Winnable",
    "unwinnable": "Unwinnable",
    "undecided": "Undecided",
    "share": "Share",
    "mean_ms": "Mean, ms",
    "p99_ms": "99 %, ms",
    "max_s": "Longest, s",
    "mean_states": "States",
    "memory_MB": "Memory, MB",
}


def row(directory: Path, memory: float | None) -> dict[str, Any]:
    """Return the row of one finished study."""
    summary = json.loads((directory / "summary.json").read_text())
    frame = read_rows(directory).to_pandas()
    low, high = summary["ci95"]
    seconds = frame["seconds"].astype("float64")  # kept in 32 bits, which round to other decimals
    return {
        "game": summary["game"],
        "range": summary["range"],
        "winnable": summary["winnable"],
        "unwinnable": summary["unwinnable"],
        "undecided": summary["undecided"],
        "ci95_low": low,
        "ci95_high": high,
        "mean_ms": round(seconds.mean() * 1e3, 2),
        "median_ms": round(seconds.median() * 1e3, 2),
        "p99_ms": round(seconds.quantile(0.99) * 1e3, 1),
        "max_s": round(seconds.max(), 2),
        "mean_states": round(frame["states"].mean()),
        "memory_MB": memory,
    }


def markdown(table: pd.DataFrame) -> str:
    """Return the table as Markdown, shares as their 95 % intervals, rounded outward."""
    intervals = map(Interval, table["ci95_low"], table["ci95_high"])
    shown = table.assign(share=[interval.percent() for interval in intervals])
    lines = ["| " + " | ".join(_HEAD.values()) + " |", "|---" * len(_HEAD) + "|"]
    lines += [
        "| " + " | ".join(str(value) for value in values) + " |" for values in shown[list(_HEAD)].values
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is missing and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--deals", default="random:2026/0-1999", metavar="RANGE")
    parser.add_argument("--max-states", type=int, default=5_000_000, metavar="N")
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default every game of the family")
    arguments = parser.parse_args()
    names = [game.name for game in GAMES.values() if game.family is Family.BAKERS_DOZEN]
    arguments.out.mkdir(parents=True, exist_ok=True)
    memory_file = arguments.out / MEMORY
    memory = json.loads(memory_file.read_text()) if memory_file.exists() else {}
    rows = []
    for name in arguments.games or names:
        directory = arguments.out / name
        if not (directory / "summary.json").exists():
            study = [sys.executable, "-m", "solvers", "study", name, "--workers", "1"]
            study += ["--max-states", str(arguments.max_states)]
            deals = parse_range(arguments.deals)
            with tempfile.TemporaryDirectory(prefix="patience-") as place:
                few = replace(deals, last=min(deals.last, deals.first + _WARMING_UP - 1))
                # Should it fail, the study itself will, and say so.
                subprocess.run([*study, str(few), "--out", place], stdout=subprocess.DEVNULL, check=False)
            study += [str(deals), "--out", str(directory)]
            process = subprocess.Popen(study, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)  # wait4 has told us what it cannot ask
            if status:
                sys.exit(f"the study of {name} ended with exit code {process.returncode}")
            memory[name] = round(usage.ru_maxrss / 1024)
            memory_file.write_text(json.dumps(memory, indent=2) + "\n")
        rows.append(row(directory, memory.get(name)))
    table = pd.DataFrame(rows)
    table.to_csv(arguments.out / "table.csv", index=False, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
    (arguments.out / "table.md").write_text(markdown(table))
    print(markdown(table), end="")


if __name__ == "__main__":
    main()

"""``patience claims``: what is said of both families, judged."""

from __future__ import annotations

import contextlib
import shlex
from dataclasses import asdict
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.commands.shared import Json, SlowProgress, compilation_announced, print_json
from solvers.commands.studies import run_shown
from solvers.errors import InputError

if TYPE_CHECKING:
    from solvers.studies.plan import Plan


def claims(
    quick: Annotated[
        bool, typer.Option("--quick", help="Small samples: a minute on two processors, compilation included.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Large samples: 20,000 deals of each game.")] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="Write claims.md, .csv, .json and manifest.json there."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Judge what is said of Clock, Baker's Dozen and their relatives, a verdict a claim.

    Every verdict is computed from fresh figures; what they do not settle is left open. Without --quick or
    --full, 2,000 deals of each game: about four minutes on two processors. Ctrl-C ends it without a result.
    """
    if quick and full:
        raise InputError("--quick or --full, not both")
    from solvers.clock.claims import SIMULATIONS
    from solvers.processors import processors
    from solvers.studies.claim_files import open_directory, origin, write_claims
    from solvers.studies.claims import DEFAULT, FULL, QUICK, SEED, STUDIES, all_claims
    from solvers.studies.workers import Workers

    samples = QUICK if quick else FULL if full else DEFAULT
    directory = None if out is None else open_directory(out)
    words = ["patience", "claims", *(["--quick"] if quick else ["--full"] if full else [])]
    words += [] if out is None else ["--out", out]
    manifest = origin(shlex.join(words), asdict(samples) | {"seed": SEED})
    number = count(1)
    with Workers(processors()).kept() as workers, compilation_announced(), contextlib.ExitStack() as stack:
        bar = stack.enter_context(SlowProgress("games of Clock", SIMULATIONS * samples.clock_games))

        def show(done: int) -> None:
            bar(done)
            if done >= SIMULATIONS * samples.clock_games:
                stack.close()  # each study shows its own progress

        def run(plan: Plan, directory: str) -> dict[str, Any]:
            return run_shown(plan, directory, workers, f"study {next(number)} of {STUDIES}, ")

        rows = all_claims(samples, run=run, progress=show)
    # Printed first: should the files not be written after all, nothing is lost.
    if as_json:
        print_json({"parameters": manifest["parameters"], "claims": [asdict(row) for row in rows]})
    else:
        for row in rows:
            print(f"{row.claim}\n  {row.verdict}: {row.why}")
    if directory is not None:
        write_claims(directory, rows, manifest)
        if not as_json:
            print(f"claims.md, claims.csv, claims.json and manifest.json in {out}")

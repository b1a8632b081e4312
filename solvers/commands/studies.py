"""``patience study``: every deal of a range, by many workers, kept as it goes."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.commands.shared import (
    ExitCode,
    Game,
    Json,
    KingsOption,
    SlowProgress,
    compilation_announced,
    note,
    print_json,
)
from solvers.errors import InputError

if TYPE_CHECKING:
    from solvers.bakers_dozen.solve import Limits
    from solvers.studies.plan import Plan, Progress
    from solvers.studies.workers import Workers

NOTE_SECONDS = 30.0
"""Where there is no terminal for a bar, how far it is is said this often."""

Deals = Annotated[
    str, typer.Argument(metavar="RANGE", help="Which deals: pysolfc:1-1000, ms:1-1000 or random:7/0-999.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, help="Processes to use; by default one a processor."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Use a Dask cluster instead: its scheduler's address."),
]
MaxStates = Annotated[
    int | None, typer.Option("--max-states", metavar="N", min=1, help="Give a deal up after N states.")
]
MaxMegabytes = Annotated[
    int | None,
    typer.Option("--max-megabytes", metavar="MB", min=1, help="Give a deal up when its tables fill that."),
]


def study(
    game: Game,
    deals: Deals,
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Directory of the study.")],
    kings: KingsOption = None,
    policy: Annotated[
        str | None, typer.Option("--policy", metavar="NAME", help="Clock family: how the player chooses.")
    ] = None,
    max_states: MaxStates = None,
    max_megabytes: MaxMegabytes = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    as_json: Json = False,
) -> None:
    """Decide every deal of a range, and keep each finished block at once.

    After a crash, a power cut or Ctrl-C (exit code 130), the same command goes on where it was. The rows do
    not depend on the workers.
    """
    from solvers.studies.verdicts import plan_study

    plan = plan_study(
        game, deals, kings=kings, policy=policy, limits=limits_for_study(max_states, max_megabytes)
    )
    with workers_at(workers, cluster) as who:
        summary = run_shown(plan, out, who)
    if as_json:
        print_json(summary)
    else:
        _print_summary(summary, out)
    if summary["interrupted"]:
        raise typer.Exit(ExitCode.INTERRUPTED)


def limits_for_study(max_states: int | None, max_megabytes: int | None) -> Limits:
    """The limits of a study, the usual ones where none is given."""
    from solvers.bakers_dozen.solve import Limits

    limits = Limits()
    return replace(limits, states=max_states or limits.states, megabytes=max_megabytes or limits.megabytes)


@contextlib.contextmanager
def workers_at(number: int | None, cluster: str | None) -> Iterator[Workers]:
    """The workers that the command line asks for."""
    from solvers.processors import processors
    from solvers.studies.workers import Workers, dask_cluster

    if cluster is None:
        yield Workers(number or processors())
    elif number is not None:
        raise InputError("--workers or --cluster, not both: a cluster has its own workers")
    else:
        with dask_cluster(cluster) as workers:
            yield workers


def run_shown(plan: Plan, out: str, workers: Workers) -> dict[str, Any]:
    """Run a study, and show on standard error how far it is."""
    from solvers.studies.run import run_study

    title = f"{len(plan.deals):,} deals"
    said = time.monotonic()
    with compilation_announced(), SlowProgress(title, len(plan.deals)) as bar:

        def show(progress: Progress) -> None:
            nonlocal said
            detail = f"{progress.rate:,.4g}/s  {plan.running(progress.tally)}"
            bar(progress.done, detail)
            if not sys.stderr.isatty() and time.monotonic() - said >= NOTE_SECONDS:
                said = time.monotonic()
                left = progress.seconds_left
                ending = "" if left is None else f", {left:,.0f} s left"
                note(f"{progress.done:,} of {title}, {detail}{ending}")

        summary = run_study(plan, out, workers, show)
    if summary["interrupted"]:
        done = f"{summary['deals']:,} of {len(plan.deals):,} deals are kept"
        note(f"interrupted; {done}, and the same command goes on from there")
    return summary


def _print_summary(summary: dict[str, Any], out: str) -> None:
    from solvers.studies.proportion import Interval

    counts = ", ".join(f"{summary[name]:,} {name}" for name in ("winnable", "unwinnable", "undecided"))
    print(f"{summary['game']} {summary['range']}: {summary['deals']:,} deals, {counts}")
    low, high = summary["rate_low"], summary["rate_high"]
    share = f"{low:.4%}" if low == high else f"{low:.4%} to {high:.4%}"
    print(f"winnable: {share}, 95 % interval {Interval(*summary['ci95']).percent(4)}")
    print(f"{summary['seconds']:.1f} s by {summary['workers']} workers; rows and manifest in {out}")

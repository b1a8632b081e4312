"""``patience study`` and ``patience compare``: every deal of a range, by many workers, kept as it goes."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.commands.shared import (
    ExitCode,
    Game,
    Json,
    KingsOption,
    SlowProgress,
    compilation_announced,
    load_statistics,
    note,
    on_terminal,
    print_json,
)
from solvers.errors import InputError
from solvers.wording import counted

if TYPE_CHECKING:
    from solvers.bakers_dozen.solve import Limits
    from solvers.studies.compare import GamesCompared
    from solvers.studies.plan import Plan, Progress
    from solvers.studies.verdicts import DealStudy
    from solvers.studies.workers import Workers

INTERRUPTED = "interrupted; what is finished is kept, and the same command goes on from there"
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
        note(INTERRUPTED)
        raise typer.Exit(ExitCode.INTERRUPTED)


def compare(
    games: Annotated[
        list[str], typer.Argument(metavar="GAME GAME [GAME ...]", help="Games; see patience games.")
    ],
    deals: Annotated[
        str, typer.Option("--deals", metavar="RANGE", help="Which deals, as for patience study.")
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="DIR", help="Keep the study of each game there, in a folder of its own."
        ),
    ] = None,
    kings: KingsOption = None,
    max_states: MaxStates = None,
    max_megabytes: MaxMegabytes = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    as_json: Json = False,
) -> None:
    """Compare games on the same deals, pair by pair, by McNemar's exact test.

    Games whose layouts have the same shape are given the same layouts, Kings as in the first. Where one game
    allows all that another does, it is checked that it wins all that the other wins: exit code 1 if not.
    """
    from solvers.studies.compare import compare_studies, plan_games

    plans = plan_games(games, deals, kings=kings, limits=limits_for_study(max_states, max_megabytes))
    with contextlib.ExitStack() as stack:
        who = stack.enter_context(workers_at(workers, cluster))
        place = Path(out or stack.enter_context(tempfile.TemporaryDirectory(prefix="patience-")))
        directories = [place / plan.game.name for plan in plans]
        summaries = []
        for plan, directory in zip(plans, directories, strict=True):
            summary = run_shown(plan, str(directory), who)
            if summary.pop("interrupted"):
                note(INTERRUPTED if out else "interrupted; without --out nothing is kept")
                raise typer.Exit(ExitCode.INTERRUPTED)
            summaries.append(summary)
        compared = compare_studies(plans, directories)
    if as_json:
        print_json(_comparison_fields(plans, summaries, compared))
    else:
        _print_comparison(summaries, compared)
    violated = [inclusion for inclusion in compared.inclusions if inclusion.violations]
    for inclusion in violated:
        where = f"{inclusion.harder} and not in {inclusion.easier}, which allows all that it does"
        note(f"{inclusion.violations[0]} is won in {where}: one of the verdicts is wrong")
    if violated:
        raise typer.Exit(ExitCode.NOT_WON)


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


def run_shown(plan: Plan, out: str, workers: Workers, place: str = "") -> dict[str, Any]:
    """Run a study, and show on standard error how far it is, and its place among several."""
    from solvers.studies.run import run_study

    title = counted(len(plan.deals), "deal")
    said = time.monotonic()
    with compilation_announced(), SlowProgress(place + title, len(plan.deals)) as bar:

        def show(progress: Progress) -> None:
            nonlocal said
            load_statistics()  # the workers start meanwhile
            detail = f"{progress.rate:,.4g}/s  {plan.running(progress.tally)}"
            bar(progress.done, detail)
            if not on_terminal() and time.monotonic() - said >= NOTE_SECONDS:
                said = time.monotonic()
                left = progress.seconds_left
                ending = "" if left is None else f", {left:,.0f} s left"
                note(f"{place}{progress.done:,} of {title}, {detail}{ending}")

        return run_study(plan, out, workers, show)


def _print_summary(summary: dict[str, Any], out: str) -> None:
    from solvers.studies.proportion import Interval

    counts = ", ".join(f"{summary[name]:,} {name}" for name in ("winnable", "unwinnable", "undecided"))
    print(f"{summary['game']} {summary['range']}: {counted(summary['deals'], 'deal')}, {counts}")
    low, high = summary["rate_low"], summary["rate_high"]
    share = f"{100 * low:.4f} %" if low == high else Interval(low, high).percent(4)
    print(f"winnable: {share}, 95 % interval {Interval(*summary['ci95']).percent(4)}")
    workers = counted(summary["workers"], "worker")
    print(f"{summary['seconds']:.1f} s by {workers}; rows and manifest in {out}")


def _comparison_fields(
    plans: list[DealStudy], summaries: list[dict[str, Any]], compared: GamesCompared
) -> dict[str, Any]:
    return {
        "range": str(plans[0].deals),
        "deals": len(plans[0].deals),
        "games": [
            summary | {"kings": plan.kings and str(plan.kings)}
            for plan, summary in zip(plans, summaries, strict=True)
        ],
        "pairs": [
            {
                "first": first,
                "second": second,
                "both": pair.both,
                "only_first": pair.only_first,
                "only_second": pair.only_second,
                "neither": pair.neither,
                "undecided": pair.undecided,
                "difference95": list(pair.difference),
                "p_value": pair.p_value,
            }
            for (first, second), pair in compared.pairs.items()
        ],
        "inclusions": [
            {
                "harder": inclusion.harder,
                "easier": inclusion.easier,
                "deals": inclusion.deals,
                "violations": list(inclusion.violations),
            }
            for inclusion in compared.inclusions
        ],
    }


def _print_comparison(summaries: list[dict[str, Any]], compared: GamesCompared) -> None:
    from solvers.studies.proportion import Interval

    width = max(len(summary["game"]) for summary in summaries)
    print(f"{summaries[0]['range']}: {counted(summaries[0]['deals'], 'deal')}")
    print(f"{'game':{width}}  {'winnable':>10}  {'undecided':>9}  95 % interval")
    for summary in summaries:
        interval = Interval(*summary["ci95"]).percent(3)
        print(
            f"{summary['game']:{width}}  {summary['winnable']:>10,}  {summary['undecided']:>9,}  {interval}"
        )
    both = 2 * width + 4
    print(f"\n{'first against second':{both}}  {'only first':>10}  {'only second':>11}  {'p':>9}  difference")
    for (first, second), pair in compared.pairs.items():
        names = f"{first} / {second}"
        low, high = pair.difference
        print(
            f"{names:{both}}  {pair.only_first:>10,}  {pair.only_second:>11,}  {pair.p_value:>9.2g}"
            f"  {100 * low:+.3f} to {100 * high:+.3f} points"
        )
    for inclusion in compared.inclusions:
        kept = "all" if not inclusion.violations else f"all but {len(inclusion.violations):,}"
        print(f"{kept} of the {inclusion.deals:,} won in {inclusion.harder} are won in {inclusion.easier}")

"""``patience players``: how often players win Baker's Dozen, and at what effort."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from solvers.commands.shared import ExitCode, Json, note, print_json
from solvers.commands.studies import (
    INTERRUPTED,
    ClusterOption,
    Deals,
    WorkersOption,
    run_shown,
    workers_at,
)
from solvers.wording import counted


def players(
    deals: Deals,
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Directory of the study.")],
    budget: Annotated[
        int | None,
        typer.Option("--budget", metavar="N", min=1, help="Positions looked at by who takes moves back."),
    ] = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    as_json: Json = False,
) -> None:
    """Let players of several kinds play the same deals of Baker's Dozen.

    The directory gets a row a deal, and three tables: players.csv, effort.csv (the share won against the
    positions looked at) and tips.csv (what each tip of the rules is worth). It is resumed as a study is.
    """
    from solvers.studies.players import BUDGET, CLAIMS, effort_needed, plan_players, write_tables
    from solvers.studies.verdicts import read_study

    plan = plan_players(deals, budget=budget or BUDGET)
    with workers_at(workers, cluster) as who:
        summary = run_shown(plan, out, who)
    if not summary["interrupted"]:
        write_tables(out)
        frame = read_study(out)
        summary["effort"] = {f"{share:.0%}": list(effort_needed(frame, share)) for share in CLAIMS}
    if as_json:
        print_json(summary)
    else:
        _print_summary(summary)
    if summary["interrupted"]:
        note(INTERRUPTED)
        raise typer.Exit(ExitCode.INTERRUPTED)


def _print_summary(summary: dict[str, Any]) -> None:
    from solvers.studies.proportion import Interval

    deals = summary["deals"]
    print(f"{summary['game']} {summary['range']}: {counted(deals, 'deal')}")
    lines = {name: (one["won"], one["ci95"]) for name, one in summary["players"].items()}
    lines["exact ceiling"] = (summary["winnable"], summary["ceiling95"])
    width = max(map(len, lines))
    for name, (won, interval) in lines.items():
        print(
            f"{name:{width}}  {won:>8,}  {100 * won / max(1, deals):6.2f} %  {Interval(*interval).percent()}"
        )
    for share, (low, effort, high) in summary.get("effort", {}).items():
        low, effort, high = ("more" if one is None else f"{one:,}" for one in (low, effort, high))
        named = share.replace("%", " %")
        print(f"{named} won by taking back: {effort} positions looked at, 95 % interval {low} to {high}")

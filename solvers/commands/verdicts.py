"""``patience solve`` and ``patience verify``: whether a deal can be won, and whether moves win it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.cards import Deck
from solvers.commands.shared import (
    ExitCode,
    Game,
    Json,
    KingsOption,
    SlowProgress,
    Source,
    compilation_announced,
    note,
    print_json,
)
from solvers.errors import InputError
from solvers.games import OPEN_CLOCK, Rules, TableauRules
from solvers.wording import counted

if TYPE_CHECKING:
    from solvers.deals import Deal
    from solvers.outcome import SolveResult


def solve(
    game: Game,
    source: Source,
    kings: KingsOption = None,
    max_states: Annotated[
        int | None, typer.Option("--max-states", metavar="N", min=1, help="Give up after N states.")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit", metavar="SECONDS", min=0, help="Give up after that long, compilation not counted."
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say how it is won, or why it cannot be.")
    ] = False,
    replay: Annotated[
        str | None,
        typer.Option(
            "--replay", metavar="FILE.html", help="Write a page that shows the deal and plays the moves."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Decide whether a deal can be won, and how.

    Prints the verdict and, for a deal that can be won, moves that win it, checked against the rules.
    Exit code: 0 winnable, 1 unwinnable, 3 undecided because a limit was met, 130 interrupted.
    """
    from solvers.deals import load_deal
    from solvers.outcome import Limit, Outcome

    rules = _rules_to_decide(game)
    if rules.name == OPEN_CLOCK and not (max_states is None and time_limit is None):
        raise InputError(f"{OPEN_CLOCK} is decided at once: --max-states and --time-limit have no meaning")
    deal = load_deal(rules, source, kings)
    deck = deal.position.deck
    if deck != Deck():
        ranks, suits = counted(deck.ranks, "rank"), counted(deck.suits, "suit")
        note(f"a small deck: {counted(deck.size, 'card')}, {ranks} in {suits}")
    with compilation_announced():
        result = _solve(deal, max_states, time_limit)
    fault = None if replay is None else _write_page(deal, result, replay)
    if as_json:
        print_json(_result_fields(deal, result, explain))
    else:
        _print_result(result, explain)
    if fault is not None:  # only now: a page that cannot be written does not lose the verdict
        raise fault
    if result.reason == Limit.INTERRUPTED:
        raise typer.Exit(ExitCode.INTERRUPTED)
    codes = {
        Outcome.WINNABLE: ExitCode.DONE,
        Outcome.UNWINNABLE: ExitCode.NOT_WON,
        Outcome.UNDECIDED: ExitCode.UNDECIDED,
    }
    raise typer.Exit(codes[result.outcome])


def _write_page(deal: Deal, result: SolveResult, path: str) -> InputError | None:
    """Write the replay page, before anything is printed: who reads that may stop early, as ``head`` does."""
    from solvers.view.replay import Replay

    try:
        Replay(deal, result).write(path)
    except InputError as error:
        return error
    return None


def verify(
    game: Game,
    source: Source,
    moves_file: Annotated[
        str,
        typer.Argument(
            metavar="MOVES_FILE",
            help="What solve --json printed, or one move a line: card, column, target column or foundation.",
        ),
    ],
    kings: KingsOption = None,
) -> None:
    """Check a list of moves against the rules of the game.

    Exit code: 0 legal and complete, 1 illegal or incomplete.
    """
    from solvers.bakers_dozen.rules import IllegalMove, replay
    from solvers.clock.open_clock import replay_open_clock
    from solvers.deals import load_deal
    from solvers.formats import parse_moves, read_text
    from solvers.formats.files import STANDARD_INPUT, shown

    if source == moves_file == STANDARD_INPUT:
        raise InputError("the deal and the moves cannot both come from standard input")
    rules = _rules_to_decide(game)
    deal = load_deal(rules, source, kings)
    text = read_text(moves_file)
    try:
        moves = parse_moves(text)
    except InputError as error:
        raise InputError(f"{shown(moves_file)}: {error}") from None
    try:
        if isinstance(rules, TableauRules):
            end = replay(deal.position, moves, rules)
            left, done = end.deck.size - sum(end.foundations), "up"
        else:
            left, done = replay_open_clock(deal.position, moves), "played"
    except IllegalMove as error:
        print(f"illegal: {error}")
        raise typer.Exit(ExitCode.NOT_WON) from None
    if left:
        size = deal.position.deck.size
        print(f"incomplete: {counted(len(moves), 'legal move')}, {size - left} of {size} cards {done}")
        raise typer.Exit(ExitCode.NOT_WON)
    print(f"legal and complete: {counted(len(moves), 'move')}")


def _rules_to_decide(game: str) -> Rules:
    from solvers.games import find_game

    rules = find_game(game)
    if not isinstance(rules, TableauRules) and rules.name != OPEN_CLOCK:
        raise InputError(
            f"{rules.name} leaves the player no choice; see patience simulate and patience exact"
        )
    return rules


def _solve(deal: Deal, max_states: int | None, time_limit: float | None) -> SolveResult:
    from solvers.bakers_dozen.solve import Limits, solve
    from solvers.compilation import working_time
    from solvers.outcome import Limit, Outcome, SolveResult

    if deal.game.name == OPEN_CLOCK:
        from solvers.clock.open_clock import solve_open_clock

        return solve_open_clock(deal.position)
    assert isinstance(deal.game, TableauRules)  # _rules_to_decide has seen to that
    limits = Limits(seconds=time_limit)
    if max_states is not None:
        limits = replace(limits, states=max_states)
    start = working_time()
    with SlowProgress(f"searching, at most {counted(limits.states, 'state')}", limits.states) as progress:
        try:
            return solve(deal.position, limits, rules=deal.game, progress=progress)
        except KeyboardInterrupt:
            return SolveResult(
                Outcome.UNDECIDED,
                Limit.INTERRUPTED,
                states=progress.done,
                seconds=working_time() - start,
            )


def _result_fields(deal: Deal, result: SolveResult, explain: bool) -> dict[str, Any]:
    from solvers.formats import move_fields, position_fields

    fields: dict[str, Any] = {
        "game": deal.game.name,
        "source": deal.source,
        "outcome": str(result.outcome),
        "reason": str(result.reason),
        "moves": [move_fields(move) for move in result.moves],
        "states": result.states,
        "seconds": round(result.seconds, 6),
        **position_fields(deal.position),
    }
    if explain:
        fields["explanation"] = list(result.explanation)
    return fields


def _print_result(result: SolveResult, explain: bool) -> None:
    from solvers.outcome import Outcome

    won = result.outcome is Outcome.WINNABLE
    what = f"in {counted(len(result.moves), 'move')}" if won else f"({result.reason})"
    print(f"{result.outcome} {what}: {result.cost}")
    if explain:
        print(*result.explanation, sep="\n")
    width = len(str(len(result.moves)))
    for number, move in enumerate(result.moves, start=1):
        print(f"{number:{width}}. {move}")

"""``patience simulate`` and ``patience exact``: the Clock family by the million, and known exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.commands.shared import (
    ExitCode,
    Game,
    Json,
    SlowProgress,
    compilation_announced,
    load_statistics,
    note,
    print_json,
)
from solvers.errors import InputError
from solvers.games import Family, find_game
from solvers.wording import counted

if TYPE_CHECKING:
    from solvers.clock.simulate import SimulationResult
    from solvers.clock.theory import ExactResult

Policy = Annotated[
    str | None,
    typer.Option("--policy", metavar="NAME", help="How the player chooses, in a game that leaves a choice."),
]


def simulate(
    game: Game,
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games to play.")],
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Game i is a function of the seed and i alone.")
    ] = 0,
    policy: Policy = None,
    shuffle: Annotated[
        str,
        typer.Option(
            "--shuffle",
            metavar="uniform|riffle:K|overhand:K",
            help="How the deck is shuffled, K times. After a comma: start=new-deck, gathered-won or gathered,"
            " the order it is shuffled from, and deal=top or bottom, the end it is dealt from.",
        ),
    ] = "uniform",
    as_json: Json = False,
) -> None:
    """Play random deals of a Clock game and count the wins.

    Ctrl-C ends it early with the result of the games finished by then; the exit code is 130.
    """
    name = _clock_game(game)
    from solvers.clock.simulate import simulate as play

    with compilation_announced(), SlowProgress(f"{counted(games, 'game')} of {name}", games) as bar:

        def progress(done: int) -> None:
            load_statistics()  # the threads play meanwhile
            bar(done)

        result = play(name, games, seed, policy=policy, shuffle=shuffle, progress=progress)
    if result.interrupted:
        note(f"interrupted after {result.games:,} of {counted(games, 'game')}")
    if as_json:
        print_json(_simulation_fields(result))
    elif result.games:
        _print_simulation(result)
    if result.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def exact(game: Game, policy: Policy = None, as_json: Json = False) -> None:
    """Print what is known exactly of a Clock game."""
    name = _clock_game(game)
    from solvers.clock.theory import exact as known

    result = known(name, policy)
    if as_json:
        print_json(_exact_fields(result))
    else:
        _print_exact(result)


def _clock_game(name: str) -> str:
    game = find_game(name)
    if game.family is not Family.CLOCK:
        raise InputError(f"{game.name} is not of the Clock family; see patience solve")
    return game.name


def _simulation_fields(result: SimulationResult) -> dict[str, Any]:
    z = result.z
    return {
        "game": result.game,
        "games": result.games,
        "seed": result.seed,
        "policy": result.policy,
        "shuffle": result.shuffle,
        "wins": result.wins,
        # JSON has neither "not a number" nor infinity.
        "rate": result.rate if result.games else None,
        "ci95": list(result.ci95),
        "exact": None if result.exact is None else str(result.exact),
        "z": z if z is not None and math.isfinite(z) else None,
        "cards_left": list(result.cards_left),
        "seconds": round(result.seconds, 6),
        "interrupted": result.interrupted,
    }


def _print_simulation(result: SimulationResult) -> None:
    low, high = result.ci95
    mean = sum(left * games for left, games in enumerate(result.cards_left)) / result.games
    shuffled = "" if result.shuffle == "uniform" else f", shuffle {result.shuffle}"
    games = counted(result.games, "game")
    print(f"{_title(result)}: {games}, seed {result.seed}{shuffled}, {result.seconds:.2f} s")
    print(f"won {result.wins:,}: {result.rate:.4%}, 95 % interval {low:.4%} to {high:.4%}")
    if result.exact is not None:
        print(f"exact {result.exact}: {float(result.exact):.4%}, z = {result.z:+.2f}")
    print(f"cards left: {mean:.3f} on average")


def _exact_fields(result: ExactResult) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "game": result.game,
        "policy": result.policy,
        "win_probability": str(result.win_probability),
        "win_probability_float": float(result.win_probability),
        # Not to be had from the float above where hardly a deal is lost.
        "loss_probability_float": float(1 - result.win_probability),
    }
    if result.cards_left is not None:
        fields["cards_left"] = [str(probability) for probability in result.cards_left]
    return fields


def _print_exact(result: ExactResult) -> None:
    won, lost = result.win_probability, 1 - result.win_probability
    print(f"{_title(result)}: won with probability {won} = {float(won):.15g}")
    print(f"lost with probability {lost} = {float(lost):.15g}")
    if result.cards_left is None or result.mean_cards_left is None or result.variance_cards_left is None:
        return
    mean, deviation = result.mean_cards_left, math.sqrt(result.variance_cards_left)
    print(f"cards left: mean {mean} = {float(mean):.6g}, standard deviation {deviation:.6g}")
    possible = [(left, chance) for left, chance in enumerate(result.cards_left) if chance]
    width = max(len(str(chance)) for _, chance in possible)
    for left, chance in possible:
        print(f"{left:4}  {chance!s:>{width}}  {float(chance):.6f}")


def _title(result: SimulationResult | ExactResult) -> str:
    return f"{result.game} ({result.policy})" if result.policy else result.game

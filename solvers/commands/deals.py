"""``patience games`` and ``patience deal``: what there is to play."""

from __future__ import annotations

import shutil
import textwrap
from typing import Annotated, Any

import typer

from solvers.commands.shared import SOURCE_FORMS, Game, Json, KingsOption, note, print_json
from solvers.commands.winnable import choose_winnable, winnable_fields, winnable_lines
from solvers.errors import InputError, quote
from solvers.games import GAMES, Rules, TableauRules, find_game, search_games

_SVG = "svg"  # a picture cannot be read back, so it is none of the formats of a position


def games(
    search: Annotated[
        str | None, typer.Option("--search", metavar="WORDS", help="Only games with all these words.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games, with their rules and sources."""
    found = list(GAMES.values()) if search is None else search_games(search)
    if as_json:
        print_json({"games": [_game_fields(game) for game in found]})
        return
    if not found:
        raise InputError(f"no game has {quote(search or '')} in its names or rules; patience games lists all")
    width = shutil.get_terminal_size().columns
    for game in found:
        typer.secho(game.name, bold=True)
        names = ", ".join((game.title, *game.also_called))
        for line in (names, game.sentence, f"Source: {game.source}"):
            print(textwrap.fill(line, width, initial_indent="    ", subsequent_indent="    "))
        for name, difference in game.namesakes:
            line = f"Not to be confused with {name}: {difference}."
            print(textwrap.fill(line, width, initial_indent="    ", subsequent_indent="    "))


def _game_fields(game: Rules) -> dict[str, Any]:
    fields = {
        "name": game.name,
        "title": game.title,
        "also_called": list(game.also_called),
        "namesakes": dict(game.namesakes),
        "family": str(game.family),
        "rules": game.sentence,
        "source": game.source,
        "columns": game.columns,
        "column_cards": game.column_cards,
        "kings": game.kings and str(game.kings),
    }
    if isinstance(game, TableauRules):
        fields |= {
            "numbered_kings": str(game.numbered_kings),
            "aces_out": game.aces_out,
            "building": str(game.building),
            "spaces": str(game.spaces),
            "groups": str(game.groups),
            "foundations": str(game.foundations),
            "worrying_back": game.worrying_back,
        }
    return fields


def deal(
    game: Game,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help=f"{SOURCE_FORMS} With --winnable a range to choose from; new deals if none.",
        ),
    ] = None,
    kings: KingsOption = None,
    output: Annotated[
        str, typer.Option("--format", metavar="text|json|solvitaire|svg", help="How to print it.")
    ] = "text",
    winnable: Annotated[
        bool, typer.Option("--winnable", help="Choose a deal that can be won, and print how that is known.")
    ] = False,
    difficulty: Annotated[
        str | None,
        typer.Option(
            "--difficulty", metavar="easy|medium|hard", help="With --winnable: how difficult it is."
        ),
    ] = None,
) -> None:
    """Print a deal, each column with its bottom card first.

    With --winnable the exit code is 1 if no deal of the range will do.
    """
    from solvers.deals import load_deal
    from solvers.formats import FORMATS, format_position

    if output not in (*FORMATS, _SVG):
        raise InputError(f"unknown format {quote(output)} ({', '.join((*FORMATS, _SVG))})")
    status: list[str] = []
    if winnable:
        found = choose_winnable(find_game(game), source, kings, difficulty)
        if output == "json":
            print_json(winnable_fields(found))
            return
        deal, status = found.deal, winnable_lines(found)
    elif difficulty is not None:
        raise InputError("--difficulty goes with --winnable")
    elif source is None:
        raise InputError("Missing argument 'SOURCE'; see patience deal --help")
    else:
        deal = load_deal(game, source, kings)
    for line in status:
        # Comments of a board; the other formats have none.
        print(f"# {line}") if output == "text" else note(line)
    if output == _SVG:
        from solvers.view.svg import deal_svg

        print(deal_svg(deal), end="")
    else:
        print(format_position(deal.position, output), end="")

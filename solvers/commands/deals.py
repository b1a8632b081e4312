"""``patience games`` and ``patience deal``: what there is to play."""

from __future__ import annotations

import shutil
import textwrap
from typing import Annotated, Any

import typer

from solvers.commands.shared import Game, Json, KingsOption, Source, print_json
from solvers.errors import InputError, quote
from solvers.games import GAMES, Rules, TableauRules, search_games

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
    source: Source,
    kings: KingsOption = None,
    output: Annotated[
        str, typer.Option("--format", metavar="text|json|solvitaire|svg", help="How to print it.")
    ] = "text",
) -> None:
    """Print a deal, each column with its bottom card first."""
    from solvers.deals import load_deal
    from solvers.formats import FORMATS, format_position

    if output not in (*FORMATS, _SVG):
        raise InputError(f"unknown format {quote(output)} ({', '.join((*FORMATS, _SVG))})")
    deal = load_deal(game, source, kings)
    if output == _SVG:
        from solvers.view.svg import deal_svg

        print(deal_svg(deal), end="")
    else:
        print(format_position(deal.position, output), end="")

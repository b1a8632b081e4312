"""Every game that works today, by name."""

from __future__ import annotations

import difflib
import re
import unicodedata
from pathlib import Path

from solvers.errors import InputError, quote
from solvers.games.clock_family import CLOCK_FAMILY
from solvers.games.tableau_family import TABLEAU_FAMILY
from solvers.games.values import Rules

RULES_FILE_ENDING = ".json"
"""How the name of a file of rules ends, which sets it apart from the name of a game."""

GAMES: dict[str, Rules] = {game.name: game for game in (*CLOCK_FAMILY, *TABLEAU_FAMILY)}
"""Every game by name, in the order in which they are listed."""


def find_game(name: str) -> Rules:
    """Return the game of that name; capitals, blanks and apostrophes do not matter.

    Parameters
    ----------
    name : str
        Its name, its title, or one of its other names; or a file of rules (`load_rules`), whose name ends in
        ``.json``.

    Raises
    ------
    InputError
        If there is none, with the nearest name or, failing that, all names.
    """
    if name.lower().endswith(RULES_FILE_ENDING):
        from solvers.games.rules_file import load_rules

        return load_rules(name)
    if Path(name).name != name:
        raise InputError(
            f"unknown game {quote(name)}; the name of a file of rules ends in {RULES_FILE_ENDING}"
        )
    wanted = _plain(name)
    names = {
        _plain(known): game for game in GAMES.values() for known in (game.name, game.title, *game.also_called)
    }
    if wanted in names:
        return names[wanted]
    for game in GAMES.values():
        for other, difference in game.namesakes:
            if _plain(other) == wanted:
                raise InputError(
                    f"{other} is another game than {game.name} and not played here: {difference}"
                )
    close = difflib.get_close_matches(wanted, names, n=1)
    hint = f"did you mean {names[close[0]].name}?" if close else f"there are {', '.join(GAMES)}"
    raise InputError(f"unknown game {quote(name)}; {hint}")


def search_games(words: str) -> list[Rules]:
    """Return the games in whose names or rules each of the words occurs, in the order of `GAMES`.

    A name that another game shares finds the game that says so.
    """
    wanted = _plain(words).split("-")
    return [game for game in GAMES.values() if all(word in _words_of(game) for word in wanted)]


def _words_of(game: Rules) -> str:
    """What a search looks through: the names of the game and of those it is not, and its rules."""
    others = (name for name, _ in game.namesakes)
    return _plain(" ".join((game.name, game.title, game.sentence, *game.also_called, *others)))


def _plain(text: str) -> str:
    """Lower case without accents and apostrophes, words joined by hyphens."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"['’]", "", letters.casefold())).strip("-")

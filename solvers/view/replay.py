"""A page that shows a deal and plays its solution: one file that needs nothing else, and no network.

The page's markup, style and script lie in ``templates``. What a game is like is settled here: the script is
told piles of cards, and steps that each take cards from one pile and put them onto another.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.cards import Deck
from solvers.errors import InputError
from solvers.formats.files import shown
from solvers.outcome import Limit, Outcome
from solvers.view.suits import (
    FACE,
    FOUR_COLOURS,
    RANK_LABELS,
    SUIT_NAMES,
    SUIT_PATHS,
    TWO_COLOURS,
    spoken_name,
)
from solvers.view.table import Pile, Step, play
from solvers.wording import counted

if TYPE_CHECKING:
    from solvers.deals import Deal
    from solvers.outcome import SolveResult

__all__ = ["Replay"]

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_LIMITS = {
    Limit.STATES: "the search reached its limit on states",
    Limit.TIME: "the search reached its limit on time",
    Limit.MEMORY: "the search reached its limit on memory",
    Limit.INTERRUPTED: "the search was interrupted",
}
_EXHAUSTED = {
    "counts": "too few cards can be got at, whichever way it is played",
    "frozen cards": "whichever way it is played, cards are stuck that have nowhere to go",
    "real moves": "every way of playing it that could help was followed, and none wins",
}
"""What the solvers say was exhausted, for somebody who plays; the explanation further down says more."""
_FRAME_HEIGHT = 760


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal with what the solver said of it, as a page.

    In Jupyter it is shown in a frame of its own.

    Parameters
    ----------
    deal : Deal
    result : SolveResult
        If it has no moves, the page shows the cards and says why.
    """

    deal: Deal
    result: SolveResult

    def html(self) -> str:
        """Write the page.

        Raises
        ------
        InputError
            If the moves do not take cards from where they lie, as those of another deal do not.
        """
        result = self.result
        piles, steps = play(self.deal, result.moves)
        return _fill(
            _template("replay.html"),
            title=escape(f"{self.deal.game.title}, {self.deal.source}: {result.outcome}"),
            game=escape(self.deal.game.title),
            source=escape(self.deal.source),
            outcome=str(result.outcome),
            verdict=escape(_verdict(result)),
            cost=result.cost,
            explanation=_explanation(result),
            moves="".join(_move_item(step) for step in steps),
            no_moves="" if steps else " hidden",
            colours=_colours(),
            style=_template("replay.css"),
            script=_template("replay.js"),
            data=_embedded(
                {
                    "piles": [_pile_fields(pile) for pile in piles],
                    "steps": [_step_fields(step) for step in steps],
                    "ending": "All cards are in their places: won.",
                    "suits": SUIT_PATHS,
                    "ranks": RANK_LABELS,
                    "names": [spoken_name(card) for card in Deck().cards()],
                }
            ),
        )

    def write(self, file: str | Path) -> None:
        """Write the page to a file.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        page = self.html()
        try:
            # A file's name may hold what is no character.
            Path(file).write_text(page, encoding="utf-8", errors="replace")
        except (OSError, ValueError) as error:  # ValueError: a null character in the name
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InputError(f"{shown(str(file))}: cannot be written ({reason})") from None

    def _repr_html_(self) -> str:
        """Frame for Jupyter."""
        return (
            f'<iframe srcdoc="{escape(self.html())}" title="{escape(self.deal.game.title)}, replay"'
            f' style="width:100%;height:{_FRAME_HEIGHT}px;border:0"></iframe>'
        )


def _pile_fields(pile: Pile) -> dict[str, Any]:
    return {
        "name": pile.name,
        "label": pile.label,
        "cards": pile.cards,
        "fanned": pile.fanned,
        "suit": pile.suit,
    }


def _step_fields(step: Step) -> dict[str, Any]:
    return {"cards": step.cards, "from": step.source, "to": step.target, "says": step.says}


def _verdict(result: SolveResult) -> str:
    if result.outcome is Outcome.WINNABLE:
        return f"Winnable in {counted(len(result.moves), 'move')}"
    if result.outcome is Outcome.UNWINNABLE:
        return f"Unwinnable: {_lost_because(result.reason)}"
    return f"Undecided: {_LIMITS[Limit(result.reason)]}"


def _lost_because(reason: str) -> str:
    """Say for a player why a deal is lost; a reason that is a sentence already is left as it is."""
    for exhausted, sentence in _EXHAUSTED.items():
        if reason.startswith(exhausted) and reason.endswith(" exhausted"):
            return sentence
    return reason


def _explanation(result: SolveResult) -> str:
    """Sentences for a person, as a section of its own; nothing if there are none."""
    if not result.explanation:
        return ""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in result.explanation)
    return f'<section>\n<h2>Explanation</h2>\n<ul class="explanation">{items}</ul>\n</section>'


def _move_item(step: Step) -> str:
    return f'<li><button type="button" aria-label="{escape(step.says)}">{escape(step.short)}</button></li>'


def _colours() -> str:
    """Suit colours as properties for the style."""
    colours = dict(zip(SUIT_NAMES, FOUR_COLOURS, strict=True))
    colours |= {"black": TWO_COLOURS[0], "red": TWO_COLOURS[1], "face": FACE}
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _embedded(data: Any) -> str:
    """Write JSON for a script element: no character in it can end the element, or begin another."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _template(name: str) -> str:
    return (files("solvers.view") / "templates" / name).read_text(encoding="utf-8")


def _fill(template: str, **values: str) -> str:
    """Put values where the template names them; what they contain is left as it is."""
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)

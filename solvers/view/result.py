"""A solver's verdict as a piece of HTML, for Jupyter."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from solvers.cards import suit_of
from solvers.positions import FOUNDATION
from solvers.view.suits import SUIT_SYMBOLS, rank_label
from solvers.wording import counted

if TYPE_CHECKING:
    from solvers.outcome import SolveResult
    from solvers.positions import Move

__all__ = ["result_html"]


def result_html(result: SolveResult) -> str:
    """Write the verdict and what it cost, then the explanation and the moves, both folded away.

    Parameters
    ----------
    result : SolveResult

    Returns
    -------
    str
        A ``div`` element that takes colours and fonts from the page.
    """
    reason = f" ({escape(str(result.reason))})" if result.reason else ""
    parts = [f"<p><strong>{result.outcome}</strong>{reason}: {result.cost}</p>"]
    if result.explanation:
        sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in result.explanation)
        parts.append(f"<details><summary>Explanation</summary><ul>{sentences}</ul></details>")
    if result.moves:
        moves = "".join(f"<li>{_move_html(move)}</li>" for move in result.moves)
        style = 'style="columns:11em;margin:.5em 0"'
        title = counted(len(result.moves), "move")
        parts.append(f"<details><summary>{title}</summary><ol {style}>{moves}</ol></details>")
    return "<div>\n" + "\n".join(parts) + "\n</div>\n"


def _move_html(move: Move) -> str:
    """Write a move in short: card, and the columns it leaves and goes to, or ``up`` for a foundation."""
    more = f" and {move.count - 1} more" if move.count > 1 else ""
    places = ("up" if place == FOUNDATION else str(place + 1) for place in (move.source, move.target))
    return f"{rank_label(move.card)}{SUIT_SYMBOLS[suit_of(move.card)]}{more} {' → '.join(places)}"

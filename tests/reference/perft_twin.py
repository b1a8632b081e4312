"""Move sequences of Baker's Dozen counted a second way: moves are made and taken back on linked cards.

No import from the package. A card is written ``(rank, suit letter)``; `below` says what each card lies
on (another card, or None for the bottom of a column) and `tops` holds the cards with nothing on
them. Columns have no numbers here, so this counts moves between cards, which is the same as
counting moves between columns as long as no empty column may be filled.
"""

from __future__ import annotations

Card = tuple[int, str]
RANKS = {letter: rank for rank, letter in enumerate("A23456789TJQK", start=1)}


def read(board: str) -> tuple[dict[Card, Card | None], set[Card], dict[str, int]]:
    """Read ``KD 8H AC`` columns, one a line, with an optional line ``Foundations: C-2 D-0``."""
    below: dict[Card, Card | None] = {}
    tops = set()
    heights = dict.fromkeys("CDHS", 0)
    for line in board.splitlines():
        if line.startswith("Foundations:"):
            for word in line.split()[1:]:
                heights[word[0]] = RANKS.get(word[2], 0)
            continue
        card: Card | None = None
        for word in line.split():
            if word != ":":
                on, card = card, (RANKS[word[0]], word[1])
                below[card] = on
        if card is not None:
            tops.add(card)
    return below, tops, heights


def count(below: dict[Card, Card | None], tops: set[Card], heights: dict[str, int], depth: int) -> int:
    """Sequences of exactly `depth` moves; everything is put back before it returns."""
    if depth == 0:
        return 1
    total = 0
    for card in sorted(tops):
        rank, suit = card
        onto = [other for other in sorted(tops) if other[0] - 1 == rank]
        on = below[card]
        tops.remove(card)
        if on is not None:
            tops.add(on)
        if heights[suit] + 1 == rank:
            heights[suit] += 1
            total += count(below, tops, heights, depth - 1)
            heights[suit] -= 1
        for other in onto:
            # Putting a card back where it lies is no move: `other` was a top card, so it is not `on`.
            tops.remove(other)
            tops.add(card)
            below[card] = other
            total += count(below, tops, heights, depth - 1)
            below[card] = on
            tops.remove(card)
            tops.add(other)
        if on is not None:
            tops.remove(on)
        tops.add(card)
    return total


def perft(board: str, depth: int) -> int:
    """Number of move sequences of length `depth` from a board as text."""
    return count(*read(board), depth)

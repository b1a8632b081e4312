"""Move sequences of the Baker's Dozen family counted a second way, on linked cards that are put back again.

No import from the package. A card is ``(rank, suit letter)``; `below` says what each card of the tableau lies
on (another card, or None for the bottom of a column), `tops` holds the cards with nothing on them, `spaces`
is the number of empty columns and `up` the set of cards on foundations, wherever they lie there.
"""

from __future__ import annotations

from tests.reference.brute_force import BAKERS_DOZEN, Game

Card = tuple[int, str]
RANKS = {letter: rank for rank, letter in enumerate("A23456789TJQK", start=1)}


class Table:
    """A board on which moves are made and taken back."""

    def __init__(self, board: str, game: Game, ranks: int, suits: str) -> None:
        self.game = game
        self.ranks = ranks
        self.below: dict[Card, Card | None] = {}
        self.tops: set[Card] = set()
        self.spaces = 0
        for line in board.splitlines():
            if line.startswith("Foundations:"):
                continue  # what is in no column is on a foundation
            card: Card | None = None
            for word in line.split():
                if word != ":":
                    on, card = card, (RANKS[word[0]], word[1])
                    self.below[card] = on
            if card is None:
                self.spaces += 1
            else:
                self.tops.add(card)
        deck = {(rank, suit) for rank in range(1, ranks + 1) for suit in suits}
        self.up = deck - set(self.below)

    def fits(self, card: Card, support: Card) -> bool:
        """Whether a card may be built on another."""
        if support[0] - 1 != card[0]:
            return False
        if self.game.building == "same-suit":
            return card[1] == support[1]
        return self.game.building == "any-suit" or red(card) != red(support)

    def neighbour(self, card: Card, step: int) -> Card:
        """Next card of the suit, up or down; on the dial King and ace are neighbours."""
        rank = card[0] + step
        return ((rank - 1) % self.ranks + 1 if self.game.foundations == "dial" else rank), card[1]

    def goes_up(self, card: Card) -> bool:
        """Whether some foundation takes the card."""
        rank = card[0]
        if self.game.foundations == "dial":
            return self.neighbour(card, -1) in self.up
        if rank == 1:
            return True
        if self.game.foundations == "in-suit":
            return self.neighbour(card, -1) in self.up
        # Each card of this rank that is up took the place of one below it that could have carried this one.
        alternate = self.game.foundations == "alternate-colours"
        carriers = [c for c in self.up if c[0] == rank - 1 and not (alternate and red(c) == red(card))]
        taken = [c for c in self.up if c[0] == rank and not (alternate and red(c) != red(card))]
        return len(carriers) > len(taken)

    def comes_back(self) -> list[Card]:
        """Cards that may leave their foundations: the next one is not up, or belongs to another."""
        dial = self.game.foundations == "dial"
        first = {(rank, "SHCD"[(rank - 2) % 4]) for rank in range(2, self.ranks + 1)} if dial else set()
        return [
            card
            for card in sorted(self.up - first)
            if self.neighbour(card, 1) not in self.up or self.neighbour(card, 1) in first
        ]

    def may_fill(self, lowest: Card, length: int) -> bool:
        """Whether cards may go to an empty column."""
        if self.game.spaces == "kings":
            return lowest[0] == self.ranks
        return self.game.spaces == "any" or (self.game.spaces == "single-card" and length == 1)

    def lay(self, top: Card, lowest: Card, on: Card | None) -> None:
        """Put a run of cards onto another card, or into an empty column."""
        if on is None:
            self.spaces -= 1
        else:
            self.tops.remove(on)
        self.below[lowest] = on
        self.tops.add(top)

    def lift(self, top: Card, lowest: Card) -> Card | None:
        """Take a run of cards away and return what it lay on."""
        on = self.below.pop(lowest)
        self.tops.remove(top)
        if on is None:
            self.spaces += 1
        else:
            self.tops.add(on)
        return on

    def count(self, depth: int) -> int:
        """Sequences of exactly `depth` moves; everything is put back before it returns."""
        if depth == 0:
            return 1
        total = 0
        for top in sorted(self.tops):
            if self.goes_up(top):
                on = self.lift(top, top)
                self.up.add(top)
                total += self.count(depth - 1)
                self.up.remove(top)
                self.lay(top, top, on)
            lowest, length = top, 1
            while True:
                on = self.lift(top, lowest)
                own = {on} if on is not None else set()
                total += self.count_from_hand(top, lowest, length, own, self.spaces - (on is None), depth)
                self.lay(top, lowest, on)
                if self.game.groups == "one-card" or on is None or not self.fits(lowest, on):
                    break
                lowest, length = on, length + 1
        if self.game.worrying_back:
            for card in self.comes_back():
                self.up.remove(card)
                total += self.count_from_hand(card, card, 1, set(), self.spaces, depth)
                self.up.add(card)
        return total

    def count_from_hand(
        self, top: Card, lowest: Card, length: int, own: set[Card], spaces: int, depth: int
    ) -> int:
        """Sequences that begin by laying down a run, not where it came from."""
        total = 0
        for target in sorted(self.tops - own):
            if self.fits(lowest, target):
                self.lay(top, lowest, target)
                total += self.count(depth - 1)
                self.lift(top, lowest)
        if spaces and self.may_fill(lowest, length):
            self.lay(top, lowest, None)
            total += spaces * self.count(depth - 1)
            self.lift(top, lowest)
        return total


def red(card: Card) -> bool:
    """Whether a card is a diamond or a heart."""
    return card[1] in "DH"


def perft(board: str, depth: int, game: Game = BAKERS_DOZEN, ranks: int = 13, suits: str = "CDHS") -> int:
    """Number of move sequences of length `depth` from a board as text."""
    return Table(board, game, ranks, suits).count(depth)

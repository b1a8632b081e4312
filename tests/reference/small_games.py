"""Small deals of every game of the Baker's Dozen family, for comparisons with brute force."""

from __future__ import annotations

import random

from solvers.bakers_dozen.rules import apply, legal_moves, replay
from solvers.bakers_dozen.solve import solve
from solvers.cards import Deck
from solvers.deals import move_kings
from solvers.foundations import Foundations, begins_dial, first_heights
from solvers.games import BAKERS_DOZEN, TableauRules
from solvers.outcome import Outcome, SolveResult
from solvers.positions import FOUNDATION, Move, Position
from tests.reference.brute_force import Game, decide


def plain(rules: TableauRules) -> Game:
    """The same rules for brute force."""
    return Game(
        building=str(rules.building),
        spaces=str(rules.spaces),
        groups=str(rules.groups),
        foundations=str(rules.foundations),
        worrying_back=rules.worrying_back,
    )


def compare(
    position: Position, rules: TableauRules = BAKERS_DOZEN, most_states: int = 20_000
) -> SolveResult | None:
    """Solve, and check verdict and moves against brute force and referee; None where brute force gave up."""
    expected = decide(
        position.columns,
        position.foundations,
        position.deck.ranks,
        position.deck.suits,
        most_states=most_states,
        game=plain(rules),
    )
    if expected is None:
        return None
    result = solve(position, rules=rules)
    assert result.outcome is (Outcome.WINNABLE if expected else Outcome.UNWINNABLE), f"{rules}\n{position}"
    if expected:
        assert replay(position, result.moves, rules).won
    return result


def shapes(rules: TableauRules) -> list[tuple[int, int]]:
    """Ranks and columns of small deals, some won and some lost, that brute force decides in milliseconds."""
    if rules.foundations is Foundations.DIAL:
        return [(5, 3), (5, 4), (6, 4)]
    return [(4, 3), (4, 4), (5, 4), (5, 5)]


def small_deal(rules: TableauRules, deck: Deck, columns: int, chance: random.Random) -> Position:
    """Deal a deck of any size as the game is dealt, its highest rank for the Kings, to so many columns."""
    heights = list(first_heights(rules.foundations, deck))
    cards = list(deck.cards())
    if rules.foundations is Foundations.DIAL:
        cards = [card for card in cards if not begins_dial(card)]
    for suit in range(min(rules.aces_out, deck.suits)):
        heights[suit] = 1
        cards.remove(suit)
    chance.shuffle(cards)
    dealt = tuple(tuple(cards[column::columns]) for column in range(columns))
    return Position(move_kings(dealt, rules.kings, deck.ranks), tuple(heights), deck, rules.foundations)


def played_on(position: Position, rules: TableauRules, moves: int, chance: random.Random) -> Position:
    """Make so many random legal moves, or as many as there are."""
    for _ in range(moves):
        legal = legal_moves(position, rules)
        if not legal:
            break
        position = apply(position, chance.choice(legal), rules)
    return position


def winning_moves(position: Position, rules: TableauRules) -> list[Move] | None:
    """A way to win by the referee's rules, if there is one: every position that can be reached is tried."""
    stack: list[tuple[Position, list[Move]]] = [(position, [])]
    seen = set()
    while stack:
        here, played = stack.pop()
        if here.won:
            return played
        # Moves to a foundation last, so that they are followed first.
        for move in sorted(legal_moves(here, rules), key=lambda move: move.target == FOUNDATION):
            after = apply(here, move, rules)
            arrangement = tuple(sorted(after.columns)), after.foundations
            if arrangement not in seen:
                seen.add(arrangement)
                stack.append((after, [*played, move]))
    return None

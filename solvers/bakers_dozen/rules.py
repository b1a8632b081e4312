"""The referee of Baker's Dozen and its relatives: rules in plain Python, to be read beside the text.

1. The top card of a column may go onto the top card of another column that is exactly one rank higher; the
   game says what their suits must be (`may_lie_on`). A King therefore goes onto no card.
2. A column that has run empty stays empty, or takes a King, or any card, as the game says (`may_fill_space`).
3. The top card of a column may go to a foundation that it continues (`may_go_up`).
4. One card moves at a time. Where the game moves sequences, any number of cards from the top of a column may
   go together onto a card or into a space, if they lie on each other as rule 1 has it (`is_sequence`).
5. A card on a foundation stays there. In a game with worrying back the top card of a foundation may go to a
   column under rules 1 and 2, unless the dial began with it.
6. The deal is won when every card is on its foundation.

Each rule that can be broken is stated once, and `legal_moves`, `apply` and `replay` all go by these
statements. Nothing here is shared with the solvers except cards, foundations, `Position` and `Move`, so a
move list that `replay` accepts has been judged by somebody else than the one who found it. The game is the
last argument of each function, Baker's Dozen itself if it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvers.cards import SUIT_LETTERS, Deck, format_card, rank_of, suit_of
from solvers.errors import InputError
from solvers.foundations import Foundations, cards_in_order, dial_sequences, first_heights, is_red
from solvers.games import BAKERS_DOZEN, Building, Groups, Spaces, TableauRules
from solvers.positions import FOUNDATION, Move, Position
from solvers.wording import counted


class IllegalMove(InputError):  # noqa: N818  # the name says what it is
    """A move that the rules forbid. The message says which move and why."""


def may_lie_on(card: int, support: int, rules: TableauRules = BAKERS_DOZEN) -> bool:
    """Whether `card` may be put onto `support`: one rank lower, and of a suit that the game builds."""
    if rank_of(support) != rank_of(card) + 1:
        return False
    if rules.building is Building.ANY_SUIT:
        return True
    if rules.building is Building.RED_BLACK:
        return is_red(card) != is_red(support)
    return suit_of(card) == suit_of(support)


def is_sequence(cards: Sequence[int], rules: TableauRules = BAKERS_DOZEN) -> bool:
    """Whether each of the cards, bottom first, may lie on the one before it."""
    return all(may_lie_on(cards[place], cards[place - 1], rules) for place in range(1, len(cards)))


def may_fill_space(card: int, count: int, deck: Deck, rules: TableauRules = BAKERS_DOZEN) -> bool:
    """Whether `count` cards, of which `card` is the lowest, may go to a column that has run empty."""
    if rules.spaces is Spaces.KINGS:
        return rank_of(card) == deck.ranks
    if rules.spaces is Spaces.SINGLE_CARD:
        return count == 1
    return rules.spaces is Spaces.ANY


def may_go_up(card: int, index: int, height: int, deck: Deck, rules: TableauRules = BAKERS_DOZEN) -> bool:
    """Whether `card` is the next one of foundation `index`, on which there are `height` cards."""
    if rules.foundations is Foundations.DIAL:
        return dial_sequences(deck)[index][height : height + 1] == (card,)
    if rank_of(card) != height + 1:
        return False
    if rules.foundations is Foundations.IN_SUIT or height == 0:  # foundations go by the suits of their aces
        return suit_of(card) == index
    if rules.foundations is Foundations.ALTERNATE_COLOURS:
        ace_is_red, on_ace_colour = is_red(index), height % 2 == 0
        return is_red(card) == (ace_is_red == on_ace_colour)
    return True


def legal_moves(position: Position, rules: TableauRules = BAKERS_DOZEN) -> list[Move]:
    """Return every legal move.

    They come column by column, to the foundation first, few cards before many; those from foundations last.

    Parameters
    ----------
    position : Position
    rules : TableauRules

    Returns
    -------
    list of Move
        Empty when the deal is stuck.
    """
    table = _Table(position, rules)
    moves = []
    for source, column in enumerate(table.columns):
        if column and table.foundation_for(column[-1]) is not None:
            moves.append(Move(column[-1], source, FOUNDATION))
        most = len(column) if rules.groups is Groups.SEQUENCE else min(1, len(column))
        for count in range(1, most + 1):
            if not is_sequence(column[-count:], rules):
                break
            card = column[-count]
            targets = (target for target in range(len(table.columns)) if target != source)
            moves += [
                Move(card, source, target, count)
                for target in targets
                if table.may_go_to(target, card, count)
            ]
    for card in table.may_come_back():
        targets = (target for target in range(len(table.columns)) if table.may_go_to(target, card, 1))
        moves += [Move(card, FOUNDATION, target) for target in targets]
    return moves


def why_illegal(position: Position, move: Move, rules: TableauRules = BAKERS_DOZEN) -> str | None:
    """Return what the rules have against `move`, or None if it is legal."""
    return _Table(position, rules).why_illegal(move)


def apply(position: Position, move: Move, rules: TableauRules = BAKERS_DOZEN) -> Position:
    """Make one move.

    Raises
    ------
    IllegalMove
        If the rules forbid it.
    """
    table = _Table(position, rules)
    reason = table.why_illegal(move)
    if reason is not None:
        raise IllegalMove(f"{move}: {reason}")
    table.make(move)
    return table.position()


def replay(position: Position, moves: Iterable[Move], rules: TableauRules = BAKERS_DOZEN) -> Position:
    """Make a list of moves, each of them judged, from a position that is checked first.

    Parameters
    ----------
    position : Position
    moves : iterable of Move
    rules : TableauRules

    Returns
    -------
    Position
        After the last move. Whether the deal is won is its `won`.

    Raises
    ------
    IllegalMove
        At the first illegal move, with its number (from 1).
    InputError
        If the position is not one of its deck, or has other foundations than the game.
    """
    position.check()
    table = _Table(position, rules)
    for number, move in enumerate(moves, start=1):
        reason = table.why_illegal(move)
        if reason is not None:
            raise IllegalMove(f"move {number}, {move}: {reason}")
        table.make(move)
    return table.position()


def perft(position: Position, depth: int, rules: TableauRules = BAKERS_DOZEN) -> int:
    """Count the sequences of `depth` legal moves, a check of the move generator.

    Sequences that end earlier, won or stuck, do not count.
    """
    moves = legal_moves(position, rules)
    if depth <= 1:
        return len(moves) if depth == 1 else 1
    return sum(perft(apply(position, move, rules), depth - 1, rules) for move in moves)


class _Table:
    """A position of a game on which moves are judged and made in place."""

    def __init__(self, position: Position, rules: TableauRules) -> None:
        if position.foundation_rule is not rules.foundations:
            raise InputError(
                f"the foundations of {rules.name} are built {rules.foundations},"
                f" those of the position {position.foundation_rule}"
            )
        self.columns = [list(column) for column in position.columns]
        self.foundations = list(position.foundations)
        self.deck = position.deck
        self.rules = rules

    def position(self) -> Position:
        """The position now."""
        columns = tuple(map(tuple, self.columns))
        return Position(columns, tuple(self.foundations), self.deck, self.rules.foundations)

    def foundation_for(self, card: int) -> int | None:
        """Return the foundation that `card` continues, or None.

        Where it may go to one of several, these are equally high and go on with the same cards, so that
        it does not matter which one takes it: that of its suit, else the first.
        """
        for index in (suit_of(card), *range(len(self.foundations))):
            if may_go_up(card, index, self.foundations[index], self.deck, self.rules):
                return index
        return None

    def may_go_to(self, target: int, card: int, count: int) -> bool:
        """Whether `count` cards, of which `card` is the lowest, may go to column `target`."""
        column = self.columns[target]
        if column:
            return may_lie_on(card, column[-1], self.rules)
        return may_fill_space(card, count, self.deck, self.rules)

    def may_come_back(self) -> list[int]:
        """Cards that may leave their foundations."""
        if not self.rules.worrying_back:
            return []
        least = first_heights(self.rules.foundations, self.deck)
        return [
            cards_in_order(self.rules.foundations, index, self.deck)[height - 1]
            for index, height in enumerate(self.foundations)
            if height > least[index]
        ]

    def why_illegal(self, move: Move) -> str | None:
        """Return what the rules have against `move`, or None."""
        card, source, target, count = move
        reason = self._why_not_taken(move)
        if reason is not None:
            return reason
        if target == FOUNDATION:
            if count != 1:
                return "one card at a time goes to the foundations"
            return None if self.foundation_for(card) is not None else self._why_not_up(card)
        if not 0 <= target < len(self.columns):
            return f"there is no column {target + 1}, only {len(self.columns)}"
        if target == source:
            return "that is the column it is in"
        if self.may_go_to(target, card, count):
            return None
        if self.columns[target]:
            return f"the top card of column {target + 1} is {format_card(self.columns[target][-1])}"
        takes = {
            Spaces.NEVER: "and stays empty",
            Spaces.KINGS: "and takes a King only",
            Spaces.SINGLE_CARD: "and takes one card only",
        }
        return f"column {target + 1} is empty {takes[self.rules.spaces]}"

    def _why_not_taken(self, move: Move) -> str | None:
        """What is against taking the cards from where they lie."""
        card, source, target, count = move
        if source == FOUNDATION:
            if not self.rules.worrying_back:
                return "a card on a foundation stays there"
            if target == FOUNDATION or count != 1:
                return "one card comes back from a foundation to a column"
            return None if card in self.may_come_back() else "no foundation can give back this card"
        if count != 1 and self.rules.groups is Groups.ONE_CARD:
            return "one card moves at a time"
        if not 0 <= source < len(self.columns):
            return f"there is no column {source + 1}, only {len(self.columns)}"
        column = self.columns[source]
        if not column:
            return f"column {source + 1} is empty"
        if not 1 <= count <= len(column):
            return f"column {source + 1} has {counted(len(column), 'card')}, not {count}"
        if column[-count] != card:
            which = "the top card" if count == 1 else f"card {count} from the top"
            return f"{which} of column {source + 1} is {format_card(column[-count])}"
        if count > 1 and not is_sequence(column[-count:], self.rules):
            return "these cards do not lie in sequence"
        return None

    def _why_not_up(self, card: int) -> str:
        """What to say of a card that no foundation takes."""
        if self.rules.foundations is Foundations.IN_SUIT:
            suit = suit_of(card)
            return f"the foundation of {SUIT_LETTERS[suit]} is {self.foundations[suit]} high"
        return "no foundation is up to it"

    def make(self, move: Move) -> None:
        """Make a legal move."""
        card, source, target, count = move
        if source == FOUNDATION:
            taken = [card]
            for index, height in enumerate(self.foundations):
                if cards_in_order(self.rules.foundations, index, self.deck)[height - 1 : height] == (card,):
                    self.foundations[index] -= 1
        else:
            taken = self.columns[source][-count:]
            del self.columns[source][-count:]
        if target == FOUNDATION:
            taker = self.foundation_for(card)
            assert taker is not None  # the move is legal
            self.foundations[taker] += 1
        else:
            self.columns[target] += taken

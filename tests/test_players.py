"""Players: their moves judged by the referee, their choices repeated by a slow twin, their limits."""

from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pytest

from solvers.bakers_dozen import player_kernel as kernel
from solvers.bakers_dozen.player_search import play_one
from solvers.bakers_dozen.players import ALL_TIPS, Player, Tip, play_all, play_position
from solvers.bakers_dozen.rules import legal_moves, replay
from solvers.bakers_dozen.solve import solve
from solvers.cards import Deck
from solvers.deals import load_deal, move_kings
from solvers.errors import InputError
from solvers.games import Kings
from solvers.outcome import Outcome
from solvers.positions import Position
from solvers.shuffling import shuffled_deck
from solvers.streams import named_key, stream_key
from tests.reference import brute_force, player_twin

PLAYERS = [
    Player(foresight=0),
    Player(Tip(0)),
    Player(),
    Player(ALL_TIPS & ~Tip.FOUNDATIONS, foresight=2),
    Player(foresight=3, shifts=2),
    Player(budget=300),
    Player(Tip.LOW_CARDS, budget=1_000, shifts=4),
]


def small_deal(deck: Deck, seed: int, columns: int) -> Position:
    cards = shuffled_deck(deck, seed, 0)
    return Position(
        move_kings(
            tuple(tuple(cards[column::columns]) for column in range(columns)), Kings.SLIDE, deck.ranks
        ),
        (0,) * deck.suits,
        deck,
    )


def check(position: Position, player: Player, name: str) -> bool:
    """Compare a play with the twin's and the referee's; return whether it was won."""
    found = play_position(position, player, name)
    assert (found.won, list(found.moves), found.looked_at) == player_twin.play(position, player, name)
    assert replay(position, found.moves).won == found.won
    return found.won


@pytest.mark.interpreted
@pytest.mark.parametrize("player", PLAYERS, ids=str)
def test_player_makes_the_twin_s_moves_on_small_decks(player: Player) -> None:
    wins = 0
    for seed in range(12):
        wins += check(small_deal(Deck(3, 4), seed, 4), player, f"small {seed}")
        wins += check(small_deal(Deck(4, 2), seed, 3), player, f"small {seed}")
    assert 0 < wins < 24


@pytest.mark.parametrize("player", PLAYERS, ids=str)
def test_player_makes_the_twin_s_moves(player: Player) -> None:
    for index in range(3 if player.foresight < 3 else 1):
        source = f"random:2/{index}"
        check(load_deal("bakers-dozen", source).position, player, source)


@pytest.mark.parametrize("number", [24, 238, 952])
def test_positions_from_mid_game_are_played(number: int) -> None:
    position = load_deal("bakers-dozen", f"pysolfc:{number}").position
    position = replay(position, play_position(position, Player(), "until then").moves[:25])
    assert sum(position.foundations) > 0
    check(position, Player(), "mid-game")
    check(position, Player(budget=500), "mid-game")


@pytest.mark.parametrize("player", PLAYERS, ids=str)
def test_many_deals_are_played_as_each_alone(player: Player) -> None:
    sources = [f"random:2/{index}" for index in range(12)]
    positions = [load_deal("bakers-dozen", source).position for source in sources]
    won, looked = play_all(positions, player, sources)
    alone = [
        play_position(position, player, source) for position, source in zip(positions, sources, strict=True)
    ]
    assert won.tolist() == [one.won for one in alone]
    assert looked.tolist() == [one.looked_at for one in alone]


def test_patient_player_who_takes_back_wins_whatever_can_be_won() -> None:
    player = Player(budget=10**9, shifts=100)
    wins = 0
    for seed in range(150):
        position = small_deal(Deck(5, 4), seed, 5)
        found = play_position(position, player, f"whole {seed}")
        assert found.won == brute_force.winnable(position.columns, position.foundations, 5, 4)
        wins += found.won
    assert 10 < wins < 140


def test_no_player_wins_what_cannot_be_won() -> None:
    sources = [f"random:5/{index}" for index in range(60)] + ["pysolfc:64"]
    positions = [load_deal("bakers-dozen", source).position for source in sources]
    possible = np.array([solve(position).outcome is Outcome.WINNABLE for position in positions])
    for player in (*PLAYERS, Player(budget=100_000)):
        won, _ = play_all(positions, player, sources)
        assert not (won & ~possible).any()
    assert 0.5 < won.mean() < 1


def test_more_effort_only_adds_wins() -> None:
    sources = [f"random:5/{index}" for index in range(100)]
    positions = [load_deal("bakers-dozen", source).position for source in sources]
    won, looked = play_all(positions, Player(budget=10_000), sources)
    for budget in (1, 100, 731, 3_000):
        less, less_looked = play_all(positions, Player(budget=budget), sources)
        assert (less == (won & (looked < budget))).all()
        assert (less_looked[less] == looked[less]).all()
        assert (less_looked[~less] < budget + kernel.MOST_MOVES).all()


def test_interrupt_waits_for_one_play_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [f"random:7/{index}" for index in range(5)]
    plays = 0

    def interrupted(*arguments: object) -> int:
        nonlocal plays
        plays += 1
        if plays == 2:
            signal.raise_signal(signal.SIGINT)
        return int(play_one(*arguments))

    monkeypatch.setattr("solvers.bakers_dozen.players.play_one", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play_all([load_deal("bakers-dozen", source).position for source in sources], Player(), sources)
    assert plays == 2


def test_random_player_makes_each_legal_move_as_often() -> None:
    position = load_deal("bakers-dozen", "pysolfc:24").position
    legal = legal_moves(position)
    first = [play_position(position, Player(foresight=0), f"try {index}").moves[0] for index in range(3_000)]
    expected = len(first) / len(legal)
    statistic = sum((first.count(move) - expected) ** 2 / expected for move in legal)
    assert len(legal) > 3
    assert statistic < 3 * len(legal) + 10


def test_plays_depend_on_the_name_alone() -> None:
    position = load_deal("bakers-dozen", "pysolfc:24").position
    assert play_position(position, Player(), "a") == play_position(position, Player(), "a")
    assert play_position(position, Player(), "a").moves != play_position(position, Player(), "b").moves


def test_key_of_a_name_is_that_of_its_digest() -> None:
    # printf '%s' random:7/0 | sha256sum | cut -c1-16
    assert named_key("random:7/0") == stream_key(0x0CC5F310BB1B6D13)
    assert named_key("") != named_key(" ")


def test_mark_stands_for_the_position() -> None:
    """Played on and taken back, a board has its mark again; and other positions have others."""
    position = load_deal("bakers-dozen", "pysolfc:24").position
    board = kernel.Board(
        np.zeros((13, kernel.COLUMN_ROOM), dtype=np.int64),
        np.full(13, 4, dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.zeros(1, dtype=np.uint64),
    )
    board.columns[:, :4] = position.columns
    with np.errstate(over="ignore"):
        kernel.set_mark(board)
        marks = {int(board.mark[0]): position}
        made = []
        for move in play_position(position, Player(foresight=0, shifts=60), "marks").moves:
            made.append((move, kernel.make(board, move.source, move.target)))
            position = replay(position, [move])
            known = marks.setdefault(int(board.mark[0]), position)
            assert player_twin.same(known) == player_twin.same(position)
        assert len(marks) == len({player_twin.same(one) for one in marks.values()})
        assert len(marks) > 30
        after = [array.copy() for array in board]
        kernel.set_mark(board)
        assert board.mark[0] == after[3][0]
        for move, card in reversed(made):
            kernel.take_back(board, move.source, move.target, card)
    assert int(board.mark[0]) == next(iter(marks))
    assert board.heights.tolist() == [4] * 13


def test_players_are_named_by_their_tips() -> None:
    assert [str(player) for player in PLAYERS] == [
        "random",
        "greedy-no-tips",
        "greedy",
        "look-2-no-foundations",
        "look-3",
        "take-back",
        "take-back-only-low-cards",
    ]
    assert len({str(Player(Tip(tips))) for tips in range(16)}) == 16


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"foresight": -1}, "0 to 6"),
        ({"foresight": 7}, "not 7"),
        ({"budget": -1}, "-1 positions"),
        ({"budget": 5, "foresight": 2}, "one by one"),
        ({"shifts": -1}, "-1 moves"),
    ],
)
def test_impossible_players_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Player(**settings)


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(InputError, match="missing"):
        play_position(Position(((0, 1),)), Player(), "no deal")
    with pytest.raises(InputError, match="at most 13 columns, not 52"):
        play_position(Position(tuple((card,) for card in range(52))), Player(), "no deal")

"""The plain rules of Clock on deals played by hand, and the games made again from seed and index."""

from __future__ import annotations

import pytest

from solvers.cards import Deck, parse_card
from solvers.clock.policies import find_variant
from solvers.clock.regenerate import regenerate
from solvers.clock.rules import choose_place, deal_piles, play, play_clock, play_watch, redeal
from solvers.errors import InputError

pytestmark = pytest.mark.interpreted


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_card(word) for word in text.split())


def test_cards_are_dealt_round_the_piles_from_the_bottom() -> None:
    dealt = deal_piles(cards("AC 2C 3C AD 2D 3D"), (0, 1, 2))
    assert dealt == (cards("AC AD"), cards("2C 2D"), cards("3C 3D"))


def test_cards_are_dealt_again_in_another_order_of_the_piles() -> None:
    dealt = deal_piles(cards("AC 2C 3C AD 2D"), (0, 1, 2))
    assert redeal(dealt, (2, 0, 1)) == (cards("2C 2D"), cards("3C"), cards("AC AD"))
    assert redeal(dealt, (0, 1, 2)) == dealt


def test_a_deal_won_by_hand() -> None:
    # Three ranks, two suits; threes are the Kings. Centre: AC, pile 1: 2C, pile 2: 3C, centre: AD,
    # pile 1: 2D, pile 2: 3D, and the centre is empty.
    playout = play_clock((cards("2D 2C"), cards("3D 3C"), cards("AD AC")))
    assert playout.turned == cards("AC 2C 3C AD 2D 3D")
    assert playout.face_down == (0, 0, 0)
    assert playout.won
    assert playout.complete_hours == 2


def test_a_deal_lost_by_hand() -> None:
    # The centre's cards are both Kings, so nothing else is turned but one card.
    playout = play_clock((cards("AC 2D"), cards("AD 2C"), cards("3C 3D")))
    assert playout.turned == cards("3D 3C")
    assert playout.face_down == (2, 2, 0)
    assert not playout.won
    assert playout.cards_left == 4
    assert playout.complete_hours == 0


def test_an_own_card_at_the_bottom_of_an_hour_is_never_turned() -> None:
    playout = play_clock((cards("AD 2C"), cards("3D 2D"), cards("3C AC")))
    assert playout.face_down[0] == 1
    assert not playout.won


@pytest.mark.parametrize("deck", [Deck(), Deck(13, 2), Deck(6, 3), Deck(1, 4)], ids=str)
def test_a_game_made_again_is_a_whole_deal_and_its_playout(deck: Deck) -> None:
    for index in range(20):
        game = regenerate("clock", 3, index, deck=deck)
        assert sorted(card for pile in game.piles for card in pile) == sorted(deck.cards())
        assert [len(pile) for pile in game.piles] == [deck.suits] * deck.ranks
        assert play_clock(game.piles) == game.playout


def test_watch_puts_the_fourth_king_in_a_place_and_plays_on() -> None:
    piles = cards("AC 2D"), cards("AD 2C"), cards("3C 3D")
    # At the fourth King (here the second three) all four hour cards are face down. The King goes to the
    # bottom of pile 1: the ace there calls 2D, 2D calls 2C, 2C calls AD, AD calls the King.
    playout = play_watch(piles, lambda face_down: (0, 0))
    assert playout.turned == cards("3D 3C AC 2D 2C AD 3C")
    assert playout.won
    assert playout.exchange == (0, 0)
    # On top of pile 1: the two there calls 2C, 2C calls AD, AD calls the King, and the ace is left.
    playout = play_watch(piles, lambda face_down: (0, 1))
    assert playout.turned == cards("3D 3C 2D 2C AD 3C")
    assert playout.face_down == (1, 0, 0)


@pytest.mark.parametrize(
    ("policy", "number", "place"),
    [
        ("random-card", 3, (1, 1)),
        ("top-random-pile", 1, (1, 2)),
        ("bottom-random-pile", 2, (3, 0)),
        ("bottom-largest", None, (1, 0)),
        ("top-largest", None, (1, 2)),
        ("bottom-smallest", None, (3, 0)),
        ("top-smallest", None, (3, 0)),
        ("bottom-clockwise", None, (0, 0)),
        ("top-clockwise", None, (0, 1)),
    ],
)
def test_policies_of_watch_take_the_card_that_they_say(
    policy: str, number: int | None, place: tuple[int, int]
) -> None:
    def random_below(n: int) -> int:
        assert number is not None
        assert 0 <= number < n
        return number

    assert choose_place(find_variant("watch", policy), (2, 3, 0, 1, 3, 0), random_below) == place


def no_choice(n: int) -> int:
    raise AssertionError(f"nothing is chosen at random, but one of {n} was asked for")


def test_the_third_king_ends_clock_without_a_king() -> None:
    variant = find_variant("clock-no-king")
    deck = Deck(3, 2)
    assert variant.cards(deck) == cards("AC AD 2C 2D 3C")
    piles = deal_piles(cards("AC 2C 3C AD 2D"), variant.order(deck))
    assert piles == (cards("AC AD"), cards("2C 2D"), cards("3C"))
    playout = play(variant, piles, no_choice)
    assert playout.turned == cards("3C")
    assert playout.face_down == (2, 2, 0)


@pytest.mark.parametrize(
    ("policy", "turned", "face_down"),
    [
        ("short-hour-stop", "2C 2D", (2, 0, 1)),
        # The second two finds hour 2 run out, so the ace on hour 1 is turned, which calls hour 1 again.
        ("short-hour-next", "2C 2D AC AD", (0, 0, 1)),
        ("short-hour-next-or-centre", "2C 2D AC AD 3C", (0, 0, 0)),
        ("short-hour-centre", "2C 2D 3C", (2, 0, 0)),
    ],
)
def test_rules_for_a_short_hour_that_has_run_out(
    policy: str, turned: str, face_down: tuple[int, ...]
) -> None:
    variant = find_variant("clock-no-king", policy)
    # The centre is dealt to first, so the second hour gets one card only.
    piles = deal_piles(cards("3C AD 2D 2C AC"), variant.order(Deck(3, 2)))
    assert piles == (cards("AD AC"), cards("2D"), cards("3C 2C"))
    playout = play(variant, piles, no_choice)
    assert playout.turned == cards(turned)
    assert playout.face_down == face_down
    assert playout.won == (face_down == (0, 0, 0))


def test_readings_of_a_win_with_the_hours_face_up() -> None:
    at_home = cards("AC AD"), cards("2C 2D"), cards("3C 3D")
    mixed = cards("AC 2D"), cards("AD 2C"), cards("3C 3D")
    for piles, wins in ((at_home, (True, False, True)), (mixed, (True, False, False))):
        policies = ("none-face-down", "all-played", "all-at-home")
        for policy, won in zip(policies, wins, strict=True):
            playout = play(find_variant("clock-face-up", policy), piles, no_choice)
            assert playout.cards_left == 4
            assert playout.won is won


def test_the_player_of_open_clock_chooses() -> None:
    piles = cards("3C 2D"), cards("2C 3D"), cards("AC AD")
    best = play(find_variant("open-clock"), piles, no_choice)
    assert sorted(best.turned) == sorted(cards("AC AD 2C 2D 3C 3D"))
    assert best.won
    closed = cards("3C 3D"), cards("2C 2D"), cards("AC AD")
    assert play(find_variant("open-clock"), closed, no_choice).face_down == (0, 2, 0)
    assert play(find_variant("open-clock", "any-card"), closed, no_choice).won


@pytest.mark.parametrize("index", [-1, 2**59 + 1])
def test_index_out_of_range_is_named(index: int) -> None:
    with pytest.raises(InputError, match=str(index)):
        regenerate("clock", 1, index)

from __future__ import annotations

import io
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase

from solvers.cards import Deck, format_card, parse_card, rank_of
from solvers.deals import load_deal, move_kings, random_columns
from solvers.errors import InputError
from solvers.formats import FORMATS, format_position, parse_position
from solvers.games import BAKERS_DOZEN, GAMES, Kings, Rules, TableauRules
from solvers.positions import Position
from solvers.shuffling import shuffled_deck
from solvers.sources import DealRange, SourceKind, parse_range

DATA = Path(__file__).parent / "data"


def complaint(game: str, source: str, kings: str | None = None) -> str:
    with pytest.raises(InputError) as error:
        load_deal(game, source, kings)
    return str(error.value)


# --- numbered deals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [24, 64, 238, 952, 10800])
def test_known_deals_of_pysolfc(number: int) -> None:
    deal = load_deal("bakers-dozen", f"pysolfc:{number}")
    assert format_position(deal.position) == (DATA / f"pysolfc_{number}.txt").read_text()
    assert (deal.game, deal.kings) == (GAMES["bakers-dozen"], Kings.SWAP)
    assert load_deal("bakers-dozen", f"ms:{number}").position == deal.position


def printed_by_pysol_cards(number: int, which: int) -> str:
    text: str = Game("bakers_dozen", number, which).calc_layout_string(CardRenderer(print_ts=True))
    return text


@pytest.mark.parametrize("number", [*range(1, 60), 31999, 32000, 32001, 10**10, 10**20])
def test_pysolfc_numbers_equal_the_layout_that_pysol_cards_prints(number: int) -> None:
    text = printed_by_pysol_cards(number, RandomBase.DEALS_PYSOLFC)
    assert format_position(load_deal("bakers-dozen", f"pysolfc:{number}").position) == text


@pytest.mark.parametrize("number", [1, 617, 32001, 2**31 - 1, 2**31, 2**32, 2**33 - 1])
def test_microsoft_numbers_equal_the_layout_that_pysol_cards_prints(number: int) -> None:
    text = printed_by_pysol_cards(number, RandomBase.DEALS_MS)
    assert format_position(load_deal("bakers-dozen", f"ms:{number}").position) == text


def family_of_pysolfc() -> list[tuple[str, str, str]]:
    """Game, source and board of each deal in the file."""
    deals = []
    for block in (DATA / "pysolfc_family.txt").read_text().split("\n\n"):
        heading, _, board = block.partition("\n")
        _, game, source = heading.split()
        deals.append((game, source, board.rstrip("\n") + "\n"))
    return deals


@pytest.mark.parametrize(("game", "source", "board"), family_of_pysolfc())
def test_deals_of_the_family_as_pysolfc_deals_them(game: str, source: str, board: str) -> None:
    deal = load_deal(game, source)
    assert format_position(deal.position) == board
    rules = deal.game
    assert isinstance(rules, TableauRules)
    assert deal.kings is rules.numbered_kings
    deal.position.check()


def kings_off_the_bottom(columns: tuple[tuple[int, ...], ...]) -> int:
    return sum(
        rank_of(card) == 13 and rank_of(below) != 13 for column in columns for below, card in pairwise(column)
    )


def test_good_measure_now_and_then_has_a_king_above_others() -> None:
    off = [
        number
        for number in range(1, 1001)
        if kings_off_the_bottom(load_deal("good-measure", f"pysolfc:{number}").position.columns)
    ]
    # 364 of the first 20,000.
    assert 5 <= len(off) <= 35
    assert off[0] == 2
    for source in ("pysolfc:2", "ms:2", *(f"random:1/{index}" for index in range(100))):
        slid = load_deal("good-measure", source, "slide").position
        assert sum(slid.foundations) == 2
        assert kings_off_the_bottom(slid.columns) == 0


def test_microsoft_deal_1_is_the_one_everybody_knows() -> None:
    # The first rows of FreeCell deal 1, which is dealt round its columns in the same order.
    rows = "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C"
    columns = load_deal("clock", "ms:1").position.columns
    assert " ".join(format_card(column[0]) for column in columns) == rows[: 13 * 3 - 1]
    assert " ".join(format_card(column[1]) for column in columns) == rows[13 * 3 :]


def test_numbers_are_written_plainly() -> None:
    assert load_deal("bakers-dozen", "pysolfc:0024").source == "pysolfc:24"
    assert load_deal("bakers-dozen", "random:07/003").source == "random:7/3"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("pysolfc:0", "'pysolfc:0': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:100000000000000000001", "deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:-3", "'pysolfc:-3': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:24x", "'pysolfc:24x': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:", "'pysolfc:': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:" + "9" * 5000, "deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:٣", "'pysolfc:٣': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("ms:0", "'ms:0': deal numbers of ms are 1 to 8589934591"),
        ("ms:8589934592", "'ms:8589934592': deal numbers of ms are 1 to 8589934591"),
        ("random:7", "'random:7': indices of random are 0 to 576460752303423488"),
        ("random:7/", "'random:7/': indices of random are 0 to 576460752303423488"),
        ("random:7/576460752303423489", "indices of random are 0 to 576460752303423488"),
        ("random:/1", "'random:/1': a seed, 0 to 2^64 - 1, and an index are wanted, as in random:7/0"),
        ("random:18446744073709551616/1", "a seed, 0 to 2^64 - 1, and an index are wanted"),
        ("random:-1/1", "'random:-1/1': a seed, 0 to 2^64 - 1, and an index are wanted, as in random:7/0"),
        ("pysolfc:1-2", "pysolfc:1-2: a range of 2 deals, where one is wanted"),
    ],
)
def test_numbers_out_of_range(source: str, message: str) -> None:
    said = complaint("bakers-dozen", source)
    assert said.endswith(message) or message in said
    assert len(said) < 200


# --- our own deals -------------------------------------------------------------------------------------


def test_our_own_deals_never_change() -> None:
    for board in (DATA / "random_deals.txt").read_text().split("\n\n"):
        source = board.splitlines()[0].removeprefix("# ")
        deal = load_deal("bakers-dozen", source)
        assert deal.position == parse_position(board)
        assert (deal.source, deal.kings) == (source, Kings.SLIDE)


def test_deals_differ_by_seed_and_by_index() -> None:
    sources = [f"random:{seed}/{index}" for seed in range(5) for index in range(5)]
    assert len({load_deal("clock", source).position for source in sources}) == 25


def test_games_of_one_layout_have_the_same_deals_but_for_kings() -> None:
    games = [game for game in GAMES.values() if isinstance(game, TableauRules) and game.columns == 13]
    assert len(games) >= 12
    for index in range(20):
        as_dealt = load_deal("spanish-patience-ii", f"random:5/{index}").position.columns
        assert as_dealt == load_deal("clock", f"random:5/{index}").position.columns
        for game in games:
            position = load_deal(game, f"random:5/{index}").position
            assert position.columns == move_kings(as_dealt, game.kings)
            assert load_deal(game, f"random:5/{index}", "as-dealt").position.columns == as_dealt


def test_the_other_layouts_deal_what_the_foundations_leave() -> None:
    for index in range(20):
        order = shuffled_deck(Deck(), 5, index)
        measure = load_deal("good-measure", f"random:5/{index}", "as-dealt").position
        assert measure.foundations == (1, 1, 0, 0)
        left = [card for card in order if card not in cards_of("AC AD")]
        assert measure.columns == tuple(tuple(left[column::10]) for column in range(10))
        clock = load_deal("grandfathers-clock", f"random:5/{index}").position
        left = [card for card in order if card not in cards_of("2S 3H 4C 5D 6S 7H 8C 9D TS JH QC KD")]
        assert clock.foundations == (1,) * 12
        assert clock.columns == tuple(tuple(left[column::8]) for column in range(8))


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "game",
    [game for game in GAMES.values() if game.name != "clock-no-king"]
    + [replace(BAKERS_DOZEN, kings=Kings.SWAP)],
)
def test_many_deals_at_once_are_the_same_deals(game: Rules) -> None:
    many = random_columns(game, 7, 1000, 50)
    assert many.shape == (50, game.columns, game.column_cards)
    assert many.dtype == np.uint8
    for number, columns in enumerate(many.tolist()):
        one = load_deal(game, f"random:7/{1000 + number}").position
        one.check()
        assert one.columns == tuple(map(tuple, columns))
    assert random_columns(game, 7, 0, 0).shape[0] == 0


def test_piles_of_different_heights_make_no_array() -> None:
    with pytest.raises(InputError, match="Clock without a King"):
        random_columns("clock-no-king", 7, 0, 1)
    columns = load_deal("clock-no-king", "random:7/0").position.columns
    assert [len(column) for column in columns] == [4] * 12 + [3]


def test_many_deals_out_of_range() -> None:
    for seed, start, count in [(-1, 0, 1), (2**64, 0, 1), (0, -1, 1), (0, 2**59, 2), (0, 0, -1)]:
        with pytest.raises(InputError):
            random_columns("bakers-dozen", seed, start, count)


# --- kings ---------------------------------------------------------------------------------------------


def cards_of(text: str) -> tuple[int, ...]:
    return tuple(map(parse_card, text.split()))


@pytest.mark.parametrize(
    ("column", "slid", "swapped"),
    [
        ("2C 3D KH 4S", "KH 2C 3D 4S", "KH 3D 2C 4S"),
        ("2C KD 3D KH", "KD KH 2C 3D", "KD KH 3D 2C"),
        ("KD 2C 3D KH", "KD KH 2C 3D", "KD KH 3D 2C"),
        ("2C KD KH KS", "KD KH KS 2C", "KD KH KS 2C"),
        ("KC KD KH KS", "KC KD KH KS", "KC KD KH KS"),
        ("2C 3D 4S 5H", "2C 3D 4S 5H", "2C 3D 4S 5H"),
    ],
)
def test_kings_slide_or_swap(column: str, slid: str, swapped: str) -> None:
    assert move_kings((cards_of(column), ()), Kings.SLIDE) == (cards_of(slid), ())
    assert move_kings((cards_of(column), ()), Kings.SWAP) == (cards_of(swapped), ())


def swapped_in_the_list(cards: list[int], columns: int) -> list[int]:
    """PySolFC's own way: over the list of cards as they will be dealt round the columns."""
    cards = list(cards)
    for place in [place for place, card in enumerate(cards) if rank_of(card) == 13]:
        for lower in range(place % columns, place, columns):
            if rank_of(cards[lower]) != 13:
                cards[place], cards[lower] = cards[lower], cards[place]
                break
    return cards


@given(st.permutations(range(52)), st.sampled_from([4, 10, 13]))
def test_kings_moved_by_column_or_in_the_list(cards: list[int], columns: int) -> None:
    def dealt(cards: list[int]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(cards[column::columns]) for column in range(columns))

    assert move_kings(dealt(cards), Kings.SWAP) == dealt(swapped_in_the_list(cards, columns))
    for before, after in zip(dealt(cards), move_kings(dealt(cards), Kings.SLIDE), strict=True):
        kings = sum(rank_of(card) == 13 for card in before)
        assert all(rank_of(card) == 13 for card in after[:kings])
        assert after[kings:] == tuple(card for card in before if rank_of(card) != 13)
        assert after[:kings] == tuple(card for card in before if rank_of(card) == 13)


def test_the_way_kings_move_can_be_chosen() -> None:
    natural = {"pysolfc:24": Kings.SWAP, "ms:24": Kings.SWAP, "random:7/1": Kings.SLIDE}
    for source, usual in natural.items():
        by_default = load_deal("bakers-dozen", source)
        chosen = {kings: load_deal("bakers-dozen", source, kings) for kings in ("slide", "swap")}
        assert by_default == chosen[usual]
        assert chosen["slide"].position != chosen["swap"].position
    assert complaint("bakers-dozen", "pysolfc:24", "jump") == (
        "unknown way to move Kings 'jump' (slide, swap, as-dealt)"
    )
    assert (
        complaint("clock", "pysolfc:24", "slide")
        == "in Clock Kings stay where they fall: slide has no meaning"
    )


# --- files ---------------------------------------------------------------------------------------------


def test_a_file_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    file.write_text("2C AC 3D\nKS QS JS\n".replace("KS QS JS", "AD 2D 3C"))
    deal = load_deal("bakers-dozen", str(file))
    assert deal.position == Position((cards_of("2C AC 3D"), cards_of("AD 2D 3C")), (0, 0), Deck(3, 2))
    assert (deal.source, deal.kings) == (str(file), Kings.AS_DEALT)
    # The highest rank of a small deck takes the Kings' part.
    assert load_deal("bakers-dozen", str(file), "slide").position.columns == (
        cards_of("3D 2C AC"),
        cards_of("3C AD 2D"),
    )


def test_a_position_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    board = (DATA / "midgame_24.txt").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(board)))
    deal = load_deal("bakers-dozen", "-")
    assert deal.position == parse_position(board.decode())
    assert deal.source == "-"


def test_a_small_deal_keeps_its_own_deck(tmp_path: Path) -> None:
    file = tmp_path / "tiny.txt"
    file.write_text("AC 2S AS 3H\nAD 2D 2H AH\n3D 3C 2C 3S\n")
    assert load_deal("bakers-dozen", str(file)).position.deck == Deck(3, 4)


def test_wrong_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    malformed = DATA / "malformed"
    for name, message in [
        ("51-cards.board", "51 cards of 52: 7D is missing"),
        ("14th-column.board", "line 14, column 14: one column too many (AS), at most 13"),
        ("empty.board", "empty: a position was expected"),
    ]:
        said = complaint("bakers-dozen", str(malformed / name))
        assert said.startswith(f"{malformed / name}: {message}")
    missing = "no such file, and not pysolfc:N, ms:N or random:SEED/INDEX"
    assert complaint("bakers-dozen", "pysol:24") == f"'pysol:24': {missing}"
    assert complaint("bakers-dozen", "24") == f"'24': {missing}"
    assert complaint("bakers-dozen", "KD 8H\n" * 100).endswith(": cannot be read (File name too long)")
    midgame = DATA / "midgame_24.txt"
    assert complaint("bakers-dozen", str(midgame), "slide") == (
        f"{midgame}: Kings move before play begins, but cards are on the foundations"
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"AC 1C")))
    assert complaint("bakers-dozen", "-").startswith("standard input: line 1, column 1, card 2: '1C' is not")


def test_positions_of_other_games(tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    for game in GAMES.values():
        if isinstance(game, TableauRules):
            dealt = load_deal(game, "random:3/1").position
            for name in FORMATS:
                file.write_text(format_position(dealt, name))
                assert load_deal(game, str(file)).position == dealt
                if game.kings is not Kings.AS_DEALT:
                    assert load_deal(game, str(file), game.kings).position == dealt
    file.write_text(format_position(load_deal("good-measure", "random:3/1", "as-dealt").position))
    dealt = load_deal("good-measure", "random:3/1").position
    assert load_deal("good-measure", str(file), "slide").position == dealt


def test_empty_columns_must_be_there_where_they_can_be_filled() -> None:
    file = str(DATA / "midgame_24.txt")
    board = (DATA / "midgame_24.txt").read_text()
    assert len(load_deal("bakers-dozen-fill", file).position.columns) == 13
    for text in (board.replace(":\n", ""), board.replace(":\n", "", 1)):
        missing = 13 - text.count("\n") + 1
        name = io.TextIOWrapper(io.BytesIO(text.encode()))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", name)
            assert complaint("bakers-dozen-fill", "-") == (
                f"standard input: {13 - missing} columns, but Baker's Dozen, spaces filled has 13; an empty"
                " column is written as ':' or, in JSON, as []"
            )
    assert len(load_deal("bakers-dozen", file).position.columns) == 13


def test_clock_takes_whole_deals_only() -> None:
    deal = load_deal("clock", str(DATA / "pysolfc_24.txt"))
    assert deal.position == parse_position((DATA / "pysolfc_24.txt").read_text())
    said = complaint("clock", str(DATA / "midgame_24.txt"))
    assert said.startswith(f"{DATA / 'midgame_24.txt'}: Clock begins with 13 piles of 4, not [5, 3, 4")


def test_an_unknown_game() -> None:
    assert complaint("clok", "pysolfc:24") == "unknown game 'clok'; did you mean clock?"


# --- ranges --------------------------------------------------------------------------------------------


def test_ranges_are_listed_in_order() -> None:
    assert list(parse_range("pysolfc:9-11")) == ["pysolfc:9", "pysolfc:10", "pysolfc:11"]
    assert list(parse_range("ms:617")) == ["ms:617"]
    assert list(parse_range("random:7/0-1")) == ["random:7/0", "random:7/1"]


def test_ranges_are_not_made_before_they_are_asked_for() -> None:
    deals = parse_range("random:7/0-576460752303423488")
    assert len(deals) == 2**59 + 1
    assert deals[0] == "random:7/0"
    assert deals[-1] == deals[2**59] == f"random:7/{2**59}"
    assert next(iter(deals)) == "random:7/0"
    with pytest.raises(IndexError):
        deals[2**59 + 1]


@given(
    st.sampled_from(SourceKind),
    st.integers(1, 2**33 - 1),
    st.integers(1, 2**33 - 1),
    st.integers(0, 2**64 - 1),
)
def test_ranges_read_back(kind: SourceKind, first: int, last: int, seed: int) -> None:
    deals = DealRange(kind, min(first, last), max(first, last), seed if kind is SourceKind.RANDOM else 0)
    assert parse_range(str(deals)) == deals
    assert len(deals) == abs(last - first) + 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pysolfc:0-5", "'pysolfc:0-5': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:5-4", "'pysolfc:5-4': the range ends before it begins"),
        ("pysolfc:1-", "'pysolfc:1-': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("pysolfc:1-2-3", "'pysolfc:1-2-3': deal numbers of pysolfc are 1 to 100000000000000000000"),
        ("ms:1-8589934592", "'ms:1-8589934592': deal numbers of ms are 1 to 8589934591"),
        ("pysolfc:1-100000000000000000000", "more deals than anybody can ask for"),
        ("deals.txt", "'deals.txt' is not a range of deals, as pysolfc:1-1000 or random:7/0-999999 is"),
        ("1-1000", "'1-1000' is not a range of deals, as pysolfc:1-1000 or random:7/0-999999 is"),
    ],
)
def test_wrong_ranges(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_range(text)
    assert message in str(error.value)

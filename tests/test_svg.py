"""Pictures of cards: well-formed, complete, readable for every kind of eye, and safe with any text."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from solvers.cards import Deck
from solvers.cli import main
from solvers.deals import Deal, load_deal
from solvers.games import GAMES
from solvers.outcome import Limit, Outcome, SolveResult
from solvers.positions import FOUNDATION, Move, Position
from solvers.view import suits
from solvers.view.svg import deal_svg, position_svg

SVG = "{http://www.w3.org/2000/svg}"
# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE TVCG 15:6, 2009, severity 1.0: what eyes without one kind of cone make of linear RGB.
EYES = {
    "all cones": np.eye(3),
    "no red cone": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green cone": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue cone": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def linear_rgb(colour: str) -> NDArray[np.float64]:
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of linear sRGB under D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(rgb, 0, 1) / to_xyz.sum(axis=1)
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2."""
    light, dark = sorted(
        (float(LUMINANCE @ linear_rgb(colour)) + 0.05 for colour in (one, other)), reverse=True
    )
    return light / dark


def read(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def cards_of(root: ElementTree.Element) -> list[tuple[str, str, str]]:
    """Rank, suit outline and colour of each card drawn."""
    cards = []
    for group in root.iter(f"{SVG}g"):
        outlines = {path.get("d", "") for path in group.iter(f"{SVG}path")}
        assert len(outlines) == 1, "the small mark and the large one are of one suit"
        cards.append((group.findtext(f"{SVG}text", ""), outlines.pop(), group.get("fill", "")))
    return cards


def drawn(
    cards: tuple[int, ...], colours: tuple[str, ...] = suits.FOUR_COLOURS
) -> list[tuple[str, str, str]]:
    return [(suits.rank_label(card), suits.SUIT_PATHS[card & 3], colours[card & 3]) for card in cards]


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_a_deal_is_drawn_once(game: str) -> None:
    deal = load_deal(game, "random:7/3")
    root = read(deal_svg(deal))
    cards = tuple(card for column in deal.position.columns for card in column)
    outside = Deck().size - len(cards) - sum(deal.position.foundations)
    assert outside == (game == "clock-no-king")
    assert set(drawn(cards)) <= set(cards_of(root)) <= set(drawn(Deck().cards()))
    assert len(cards_of(root)) == Deck().size - outside
    assert root.findtext(f"{SVG}title") == f"{deal.game.title}, random:7/3"
    assert deal._repr_svg_() == deal_svg(deal)


def test_mid_game_shows_tops_of_foundations_and_empty_places() -> None:
    deck = Deck(ranks=3, suits=4)
    position = Position(((8, 4), (), (9, 6, 10)), foundations=(1, 2, 1, 3), deck=deck)
    position.check()
    root = read(position_svg(position))
    assert cards_of(root) == drawn((0, 5, 2, 11, 8, 4, 9, 6, 10))
    dashed = [box for box in root.iter(f"{SVG}rect") if box.get("stroke-dasharray")]
    assert len(dashed) == 1, "the second column is the only empty place"
    assert root.findtext(f"{SVG}desc") == str(position)
    labels = [text.text for text in root.findall(f"{SVG}text")]
    assert labels == ["1", "2", "3"]
    assert position._repr_svg_() == position_svg(position)


def test_nothing_reaches_over_the_edge_or_into_another_pile() -> None:
    """A long column only lengthens the picture, and piles on the dial keep clear of each other."""
    long = Position((tuple(range(47, 3, -1)), (51, 50, 49, 48)), foundations=(1, 1, 1, 1))
    long.check()
    for svg in (position_svg(long), *(deal_svg(load_deal(game, "random:7/3")) for game in GAMES)):
        root = read(svg)
        width, height = (float(value) for value in root.get("viewBox", "").split()[2:])
        places = []
        for group in root.iter(f"{SVG}g"):
            numbers = re.findall(r"[0-9]+", group.get("transform", ""))
            x, y = map(int, numbers)
            assert 0 <= x <= width - 60
            assert 0 <= y <= height - 84
            places.append((x, y))
        strip = 25
        for (x, y), (u, v) in itertools.combinations(places, 2):
            overlap = abs(x - u) < 60 and abs(y - v) < 84
            assert not overlap or (x == u and (y - v) % strip == 0), "only cards of one column overlap"


def test_title_cannot_break_out() -> None:
    deal = load_deal("bakers-dozen", "pysolfc:24")
    odd = Deal(deal.game, '</title><script>alert("1")</script>&', deal.position, deal.kings)
    root = read(odd._repr_svg_())
    assert root.find(f".//{SVG}script") is None
    assert root.findtext(f"{SVG}title") == f"Baker's Dozen, {odd.source}"


def test_two_colours_are_red_and_black() -> None:
    deal = load_deal("bakers-dozen", "pysolfc:24")
    colours = {colour for _, _, colour in cards_of(read(deal_svg(deal, four_colours=False)))}
    assert colours == {suits.TWO_COLOURS[0], suits.TWO_COLOURS[1]}
    assert suits.TWO_COLOURS[0] == suits.TWO_COLOURS[3] != suits.TWO_COLOURS[1] == suits.TWO_COLOURS[2]


@pytest.mark.parametrize("colour", sorted({*suits.FOUR_COLOURS, *suits.TWO_COLOURS}))
def test_suits_stand_out_from_the_card(colour: str) -> None:
    assert contrast(colour, suits.FACE) >= 4.5


@pytest.mark.parametrize("eyes", EYES)
def test_any_two_suits_differ_for_any_eyes(eyes: str) -> None:
    """In units of the CIE 1976 colour difference, of which 2.3 are just noticeable."""
    seen = [lab(EYES[eyes] @ linear_rgb(colour)) for colour in suits.FOUR_COLOURS]
    assert min(float(np.linalg.norm(one - other)) for one, other in itertools.combinations(seen, 2)) > 15


def test_any_two_suits_differ_in_outline() -> None:
    assert len(set(suits.SUIT_PATHS)) == 4


def test_names_of_cards() -> None:
    assert [suits.rank_label(card) for card in (0, 36, 51)] == ["A", "10", "K"]
    assert [suits.spoken_name(card) for card in (0, 37, 50)] == [
        "ace of clubs",
        "ten of diamonds",
        "king of hearts",
    ]


def test_result_shows_verdict_and_moves() -> None:
    moves = (Move(3, 1, FOUNDATION), Move(36, 12, 0, 2), Move(3, FOUNDATION, 4))
    html = SolveResult(Outcome.WINNABLE, "", moves, 1234, 0.5, ("Lift <all> aces.",))._repr_html_()
    root = ElementTree.fromstring(html)
    assert "winnable: 1,234 states, 0.50 s" in "".join(root.itertext())
    assert [item.text for item in root.iter("li")] == [
        "Lift <all> aces.", "A♠\ufe0e 2 → up", "10♣\ufe0e and 1 more 13 → 1", "A♠\ufe0e up → 5",
    ]  # fmt: skip


def test_result_without_moves_says_why() -> None:
    html = SolveResult(Outcome.UNDECIDED, Limit.STATES, states=10)._repr_html_()
    assert (
        "".join(ElementTree.fromstring(html).itertext()).strip()
        == "undecided (state-limit): 10 states, 0.00 s"
    )


def test_command_prints_the_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "clock", "random:7/3", "--format", "svg"]) == 0
    assert capsys.readouterr().out == deal_svg(load_deal("clock", "random:7/3"))


def test_command_names_the_picture_among_the_formats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "clock", "random:7/3", "--format", "png"]) == 2
    assert capsys.readouterr().err == "patience: unknown format 'png' (text, json, solvitaire, svg)\n"

"""The replay page: what is in it, and that nothing can break out of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from solvers.bakers_dozen.rules import replay as follow
from solvers.bakers_dozen.solve import Limits, solve
from solvers.cards import rank_of
from solvers.cli import main
from solvers.clock.open_clock import solve_open_clock
from solvers.commands import verdicts
from solvers.deals import Deal, load_deal
from solvers.errors import InputError
from solvers.foundations import Foundations
from solvers.games import GAMES, TableauRules
from solvers.outcome import Limit, Outcome, SolveResult
from solvers.positions import FOUNDATION, Move, Position
from solvers.sources import parse_range
from solvers.view.replay import Replay
from solvers.view.table import foundation_piles, play

ODD_SOURCE = "</script><script>document.title='broken'</script>{{data}}&amp;\u2028 ☃.txt"


class Text(HTMLParser):
    """Text of the elements with a given id, and of each tag, as a browser would read them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.of_id: dict[str, str] = {}
        self.of_tag: dict[str, list[str]] = {}
        self.addresses: list[str] = []
        self._open: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        self.of_tag.setdefault(tag, []).append("")
        if tag not in ("meta", "link", "input", "br"):
            self._open.append((tag, fields.get("id") or ""))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag, name in self._open:
            self.of_tag[tag][-1] += data
            if name:
                self.of_id[name] = self.of_id.get(name, "") + data


def data_of(page: str) -> dict[str, Any]:
    fields = json.loads(Text(page).of_id["replay-data"])
    assert isinstance(fields, dict)
    return fields


def verdict_of(replay: Replay) -> str:
    (verdict,) = (text for text in Text(replay.html()).of_tag["p"] if text.startswith("Unwinnable"))
    return verdict


def follow_data(data: dict[str, Any]) -> list[list[int]]:
    """Make all steps as the page does."""
    piles = [list(pile["cards"]) for pile in data["piles"]]
    for step in data["steps"]:
        place = piles[step["from"]].index(step["cards"][0])
        assert piles[step["from"]][place : place + len(step["cards"])] == step["cards"]
        del piles[step["from"]][place : place + len(step["cards"])]
        piles[step["to"]] += step["cards"]
    return piles


def test_steps_lead_where_the_referee_ends(winnable: Replay) -> None:
    data = data_of(winnable.html())
    piles = follow_data(data)
    end = follow(winnable.deal.position, winnable.result.moves)
    assert end.won
    assert [len(pile) for pile in piles] == [*end.foundations, *map(len, end.columns)]
    assert piles[:4] == [[4 * rank + suit for rank in range(13)] for suit in range(4)]
    assert len(data["steps"]) == len(winnable.result.moves)


def test_every_move_is_in_the_text_without_a_script(winnable: Replay) -> None:
    text = Text(winnable.html())
    shown = [item.replace("\ufe0e", "") for item in text.of_tag["li"][-len(winnable.result.moves) :]]
    assert len(shown) == len(winnable.result.moves)
    first = winnable.result.moves[0]
    assert shown[0].endswith(f" {first.source + 1} → up")
    assert first.target == FOUNDATION
    assert f"Winnable in {len(winnable.result.moves)} moves" in " ".join(text.of_tag["p"])


def test_page_needs_nothing_else(winnable: Replay) -> None:
    page = winnable.html()
    assert "{{" not in page.replace("{{data}}", "")
    assert all(address.startswith("data:") for address in Text(page).addresses)
    assert "default-src 'none'" in page
    addresses = set(re.findall(r"https?://[^\"' ]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of SVG's elements, which nothing fetches"
    assert len(page) < 60_000


def test_any_source_is_plain_text() -> None:
    deal = load_deal("bakers-dozen", "pysolfc:64")
    odd = Deal(deal.game, ODD_SOURCE, deal.position, deal.kings)
    page = Replay(odd, SolveResult(Outcome.UNWINNABLE, "<b>&", explanation=("<script>",))).html()
    text = Text(page)
    assert len(text.of_tag["script"]) == 2
    assert len(text.of_tag["title"]) == 1
    assert text.of_tag["title"][0] == f"Baker's Dozen, {ODD_SOURCE}: unwinnable"
    assert ODD_SOURCE in text.of_tag["p"]
    assert "Unwinnable: <b>&" in text.of_tag["p"]
    assert data_of(page)["steps"] == []


@pytest.mark.parametrize("limit", Limit)
def test_undecided_says_which_limit(limit: Limit) -> None:
    deal = load_deal("bakers-dozen", "pysolfc:24")
    page = Replay(deal, SolveResult(Outcome.UNDECIDED, limit)).html()
    word = {"interrupted": "interrupted"}.get(
        limit, f"limit on {limit.removesuffix('-limit').replace('state', 'states')}"
    )
    assert any(text.startswith("Undecided: ") and text.endswith(word) for text in Text(page).of_tag["p"])


@pytest.mark.parametrize(
    ("game", "source", "reason", "words"),
    [
        ("bakers-dozen", "pysolfc:64", "counts exhausted", "too few cards can be got at"),
        ("bakers-dozen", "pysolfc:56676", "frozen cards exhausted", "cards are stuck"),
        ("castles-in-spain", "random:2026/5", "real moves exhausted", "every way of playing it"),
    ],
)
def test_lost_deal_says_why_in_words_of_a_player(game: str, source: str, reason: str, words: str) -> None:
    deal = load_deal(game, source)
    assert isinstance(deal.game, TableauRules)
    result = solve(deal.position, rules=deal.game)
    assert result.reason == reason
    assert words in verdict_of(Replay(deal, result))


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (
            "frozen cards of ranks 9 T J exhausted",
            "whichever way it is played, cards are stuck that have nowhere to go",
        ),
        ("no play from the centre reaches pile 2", "no play from the centre reaches pile 2"),
    ],
)
def test_reason_is_put_in_words_unless_it_is_a_sentence(reason: str, words: str) -> None:
    deal = load_deal("bakers-dozen", "pysolfc:64")
    assert verdict_of(Replay(deal, SolveResult(Outcome.UNWINNABLE, reason))) == f"Unwinnable: {words}"


def test_moves_of_another_deal_are_refused(winnable: Replay) -> None:
    other = load_deal("bakers-dozen", "pysolfc:25")
    with pytest.raises(InputError, match=r"^move \d+, .*: the cards of this deal do not lie so$"):
        Replay(other, winnable.result).html()


@pytest.mark.parametrize(
    "move",
    [
        Move(3, 0, FOUNDATION, 2),  # more cards than there are
        Move(48, 0, 1),  # a card that is covered
        Move(3, 9, FOUNDATION),  # no such column
        Move(3, 0, 9),
        Move(8, FOUNDATION, 0),  # not on a foundation
        Move(8, 1, FOUNDATION),  # does not fit there
    ],
)
def test_impossible_move_is_refused(move: Move) -> None:
    deal = load_deal("bakers-dozen", "pysolfc:24")
    small = Deal(deal.game, "small", Position(((48, 3), (4, 8)), (1, 0, 0, 0)), None)
    with pytest.raises(InputError, match=r"^move 1, "):
        play(small, [move])


def test_cards_come_back_and_sequences_move() -> None:
    deal = load_deal("bakers-dozen", "pysolfc:24")
    table = Deal(deal.game, "small", Position(((48, 47), (42,), ()), (2, 0, 0, 0)), None)
    moves = [Move(48, 0, 2, 2), Move(4, FOUNDATION, 0), Move(42, 1, 2), Move(4, 0, FOUNDATION)]
    piles, steps = play(table, moves)
    assert [pile.name for pile in piles[:1]] == ["the foundation of clubs"]
    assert [(step.cards, step.source, step.target) for step in steps] == [
        ((48, 47), 4, 6), ((4,), 0, 4), ((42,), 5, 6), ((4,), 4, 0),
    ]  # fmt: skip
    assert steps[0].says == "king of clubs, queen of spades from column 1 to column 3, which is empty"
    assert steps[0].short == "K♣\ufe0e +1 1 → 3"
    assert steps[2].says == "jack of hearts from column 2 to column 3, onto the queen of spades"
    assert steps[3].says == "two of clubs from column 1 to the foundation of clubs"


def test_foundations_show_the_cards_that_are_not_in_the_columns() -> None:
    """In alternate colours the two on the ace of clubs is red: diamonds is in a column, so it is hearts."""
    heights, columns = (2, 1, 1, 1), ((5, *range(8, 52)), (4, 7))
    position = Position(columns, heights, foundation_rule=Foundations.ALTERNATE_COLOURS)
    position.check()
    assert [pile.cards for pile in foundation_piles(position)] == [[0, 6], [1], [2], [3]]


def test_dial_names_hours() -> None:
    position = load_deal("grandfathers-clock", "random:7/0").position
    piles = foundation_piles(position)
    assert [pile.label for pile in piles] == [f"{hour} h" for hour in (*range(5, 13), *range(1, 5))]
    assert [rank_of(pile.cards[0]) for pile in piles] == list(range(2, 14))


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if isinstance(game, TableauRules)])
def test_solutions_of_every_game_end_with_all_cards_up(game: str) -> None:
    rules = GAMES[game]
    assert isinstance(rules, TableauRules)
    for source in parse_range("random:7/0-9"):
        deal = load_deal(rules, source)
        result = solve(deal.position, Limits(states=50_000), rules=rules)
        if result.outcome is Outcome.WINNABLE:
            break
    data = data_of(Replay(deal, result).html())
    piles = follow_data(data)
    goals = len(deal.position.foundations)
    if result.moves:
        assert sum(map(len, piles[:goals])) == 52
    else:
        assert game == "bakers-dozen-same-suit", "the one game that is seldom won"
        assert sorted(card for pile in piles for card in pile) == list(range(52))


def test_open_clock_plays_every_card_to_its_hour() -> None:
    deal = load_deal("open-clock", "random:1/1")
    piles = follow_data(data_of(Replay(deal, solve_open_clock(deal.position)).html()))
    assert [sorted(pile) for pile in piles[:13]] == [
        list(range(4 * rank, 4 * rank + 4)) for rank in range(13)
    ]
    assert not any(piles[13:])


def test_jupyter_frame_holds_the_page(winnable: Replay) -> None:
    frames: list[str | None] = []

    class Frame(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            frames.append(dict(attrs).get("srcdoc"))

    Frame().feed(winnable._repr_html_())
    assert frames == [winnable.html()]


def test_command_plays_open_clock_too(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert main(["solve", "open-clock", "random:1/1", "--replay", str(file)]) == 0
    assert not any(follow_data(data_of(file.read_text("utf-8")))[13:])


def test_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a page.html"
    assert main(["solve", "bakers-dozen", "pysolfc:64", "--replay", str(file)]) == 1
    assert "Unwinnable: " in file.read_text("utf-8")
    assert capsys.readouterr().out.startswith("unwinnable ")


def test_page_is_there_before_anything_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads what is printed may stop after a line, as ``head`` does, and end the program."""
    file = tmp_path / "page.html"
    there = []
    monkeypatch.setattr(verdicts, "_print_result", lambda *_: there.append(file.exists()))
    assert main(["solve", "bakers-dozen", "pysolfc:64", "--replay", str(file)]) == 1
    assert there == [True]


def test_source_that_is_no_text_can_be_written(tmp_path: Path, winnable: Replay) -> None:
    """Of a file whose name is no UTF-8, as Python reads it from the command line."""
    file = tmp_path / "page.html"
    replace(winnable, deal=replace(winnable.deal, source="deal\udcff.txt")).write(file)
    assert "deal?.txt" in file.read_text("utf-8")


def test_page_that_cannot_be_written_loses_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "no folder" / "page.html"
    assert main(["solve", "bakers-dozen", "pysolfc:64", "--replay", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("unwinnable ")
    assert err == f"patience: {file}: cannot be written (No such file or directory)\n"

"""The replay page: what is in it, in a browser where there is one, and that nothing can break out of it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from solvers.bakers_dozen.rules import replay as follow
from solvers.bakers_dozen.solve import Limits, solve
from solvers.cards import rank_of
from solvers.cli import main
from solvers.clock.open_clock import solve_open_clock
from solvers.deals import Deal, load_deal
from solvers.errors import InputError
from solvers.foundations import Foundations
from solvers.games import GAMES, TableauRules
from solvers.outcome import Limit, Outcome, SolveResult
from solvers.positions import FOUNDATION, Move, Position
from solvers.sources import parse_range
from solvers.view.replay import Replay
from solvers.view.table import foundation_piles, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1200, "height": 900}
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


@pytest.fixture(scope="module")
def winnable() -> Replay:
    deal = load_deal("bakers-dozen", "pysolfc:24")
    return Replay(deal, solve(deal.position))


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


# In a browser.


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed (on Debian: apt-get install chromium)")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
                "--disable-background-networking", "--disable-component-update",
            ],
        )  # fmt: skip
        yield browser
        browser.close()


class Shown:
    """A page in the browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def __call__(self, script: str) -> Any:
        return self.page.evaluate(script)

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    @property
    def spoken(self) -> list[str]:
        return self.page.locator("#spoken li").all_text_contents()

    def wait_for(self, condition: str) -> None:
        # Not Playwright's own, which evaluates text in the page: the page's policy forbids that.
        self(
            "new Promise(done => { const look = () => "
            f"({condition}) ? done() : requestAnimationFrame(look); look(); }})"
        )

    def places(self) -> dict[str, tuple[float, float]]:
        """Top left corner of each card from that of the table, once all have come to rest."""
        self("Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
        found = self(
            "(table => Object.fromEntries([...document.querySelectorAll('.card')].map(card => {"
            " const box = card.getBoundingClientRect();"
            " return [card.dataset.card, [box.x - table.x, box.y - table.y]]; })))"
            "(document.querySelector('#table').getBoundingClientRect())"
        )
        assert isinstance(found, dict)
        return {name: (round(x, 2), round(y, 2)) for name, (x, y) in found.items()}


class Open:
    """Opens pages, and fails the test at its end if one of them complained or asked for anything."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.complaints: list[str] = []

    def __call__(self, replay: Replay, size: dict[str, int] = DESK, **settings: Any) -> Shown:
        file = self.folder / "replay.html"
        replay.write(file)
        context = self.browser.new_context(viewport=size, **settings)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", lambda request: self._asked(request.url, file.as_uri()))
        page.goto(file.as_uri())
        return Shown(page)

    def _asked(self, address: str, allowed: str) -> None:
        if address != allowed and not address.startswith("data:"):
            self.complaints.append(f"request: {address}")


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    opened = Open(browser, tmp_path)
    yield opened
    for context in browser.contexts:
        context.close()
    assert opened.complaints == []


def won(shown: Shown) -> None:
    assert shown.spoken[:4] == [
        f"the foundation of {suit}: king of {suit}" for suit in ("clubs", "diamonds", "hearts", "spades")
    ]
    assert shown.spoken[4:] == [f"column {number}: empty" for number in range(1, 14)]
    assert shown.status.endswith("All cards are in their places: won.")


def test_step_back_and_jump(show: Open, winnable: Replay) -> None:
    shown, total = show(winnable), len(winnable.result.moves)
    start = shown.places()
    assert len(start) == 52
    assert shown.status == f"Start, {total} moves to come."
    assert shown.spoken[4] == "column 1: king of diamonds, eight of hearts, ace of clubs, ace of spades"
    shown.page.get_by_label("Step one move").click()
    _, steps = play(winnable.deal, winnable.result.moves)
    assert shown.status == f"Move 1 of {total}: {steps[0].says}."
    moved = {name for name, place in shown.places().items() if place != start[name]}
    assert moved == {steps[0].says.partition(" from ")[0]}, "nothing but the card of the move has moved"
    shown.page.get_by_label("Back one move").click()
    assert shown.places() == start
    shown.page.get_by_label("To the end").click()
    won(shown)
    assert shown("document.querySelector('#step').getAttribute('aria-disabled')") == "true"
    shown.page.get_by_label("Step one move").click(force=True)  # a disabled button does nothing
    won(shown)
    shown.page.locator("#moves button").nth(9).click()
    assert shown.status.startswith(f"Move 10 of {total}: ")
    assert shown("document.querySelectorAll('[aria-current]').length") == 1
    shown.page.get_by_label("Move", exact=True).fill("3")
    assert shown.status.startswith(f"Move 3 of {total}: ")
    shown.page.get_by_label("To the start").click()
    assert shown.places() == start


def test_every_position_is_the_referees(show: Open, winnable: Replay) -> None:
    shown = show(winnable)
    heights = []
    for number in range(len(winnable.result.moves) + 1):
        position = follow(winnable.deal.position, winnable.result.moves[:number])
        heights.append([len(column) for column in position.columns])
        spoken = [line.partition(": ")[2] for line in shown.spoken[4:]]
        assert [0 if line == "empty" else line.count(",") + 1 for line in spoken] == heights[-1]
        shown.page.keyboard.press("ArrowRight")
    for expected in reversed(heights):
        spoken = [line.partition(": ")[2] for line in shown.spoken[4:]]
        assert [0 if line == "empty" else line.count(",") + 1 for line in spoken] == expected
        shown.page.keyboard.press("ArrowLeft")


def test_keyboard(show: Open, winnable: Replay) -> None:
    shown, total = show(winnable), len(winnable.result.moves)
    press = shown.page.keyboard.press
    press("End")
    won(shown)
    press("ArrowLeft")
    assert shown.status.startswith(f"Move {total - 1} of {total}: ")
    press("Home")
    press("ArrowRight")
    press("ArrowRight")
    assert shown.status.startswith(f"Move 2 of {total}: ")
    assert shown("document.querySelector('#speed').value") == "1200"
    press("+")
    assert shown("document.querySelector('#speed').value") == "600"
    press("-")
    press("-")
    press("-")
    assert shown("document.querySelector('#speed').value") == "2400"
    press("Control+ArrowRight")
    assert shown.status.startswith(f"Move 2 of {total}: "), "the browser's own keys are left alone"
    # On the slider too, and space presses the button that has the focus, once.
    shown.page.locator("#slider").focus()
    press("ArrowRight")
    assert shown.status.startswith(f"Move 3 of {total}: ")
    shown.page.locator("#step").focus()
    press(" ")
    assert shown.status.startswith(f"Move 4 of {total}: ")


def test_plays_to_the_end_and_again(show: Open, winnable: Replay) -> None:
    shown, total = show(winnable), len(winnable.result.moves)
    shown.page.clock.install()
    shown.page.get_by_label("Speed").select_option("fast")
    shown.page.get_by_label("Play", exact=True).click()
    assert shown.page.locator("#play").get_attribute("aria-label") == "Pause"
    shown.page.clock.run_for(600 * 5)
    assert shown.status.startswith(f"Move 5 of {total}: ")
    shown.page.keyboard.press("Escape")
    shown.page.locator("h1").click()
    shown.page.keyboard.press(" ")
    shown.page.clock.run_for(600 * 5)
    assert shown.status.startswith(f"Move 5 of {total}: "), "paused"
    shown.page.keyboard.press(" ")
    shown.page.clock.run_for(600 * total)
    won(shown)
    assert shown.page.locator("#play").get_attribute("aria-label") == "Play"
    shown.page.keyboard.press(" ")
    shown.page.clock.run_for(400)
    assert shown.status.startswith(f"Move 1 of {total}: "), "from the start again"


@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 568}, {"width": 640, "height": 360}, DESK])
def test_fits_the_screen(show: Open, winnable: Replay, size: dict[str, int]) -> None:
    shown = show(winnable, size)
    for key in ("Home", "End"):
        shown.page.keyboard.press(key)
        assert shown("document.documentElement.scrollWidth") <= size["width"]
        table, card = (
            shown(f"document.querySelector('{name}').getBoundingClientRect().toJSON()")
            for name in ("#table", ".card")
        )
        assert table["left"] >= 0
        assert table["right"] <= size["width"]
        assert card["width"] >= 34, "large enough for a rank and a suit"
        for x, y in shown.places().values():
            assert 0 <= x <= table["width"] - card["width"]
            assert 0 <= y <= table["height"] - card["height"]
    # Fingers are about 44 CSS pixels wide (WCAG 2.1, success criterion 2.5.5).
    for box in shown(
        "[...document.querySelectorAll('.buttons button')].map(b => b.getBoundingClientRect().toJSON())"
    ):
        assert box["height"] >= 44
        assert box["width"] >= 44


def test_player_stays_above_the_cards(show: Open) -> None:
    """It sticks to the lower edge of a small screen, where cards may pass behind it."""
    deal = load_deal("grandfathers-clock", "random:7/0")
    rules = deal.game
    assert isinstance(rules, TableauRules)
    shown = show(Replay(deal, solve(deal.position, rules=rules)), PHONE)
    shown.page.keyboard.press("ArrowRight")
    lowest = max(y for _, y in shown.places().values())
    box = shown("document.querySelector('#player').getBoundingClientRect().toJSON()")
    assert lowest > box["top"], "there are cards behind"
    for x in range(20, 340, 20):
        at = f"document.elementFromPoint({x}, {(box['top'] + box['bottom']) / 2})"
        assert shown(f"{at}.closest('#player') !== null")


def test_turning_the_phone_lays_out_again(show: Open, winnable: Replay) -> None:
    shown = show(winnable, PHONE)
    upright = shown.places()
    shown.page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    shown.wait_for("document.querySelector('#board').clientWidth > 400")
    assert shown.places() != upright
    shown.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    shown.wait_for("document.querySelector('#board').clientWidth < 400")
    assert shown.places() == upright


def test_light_dark_and_suit_colours(show: Open, winnable: Replay) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    club = "getComputedStyle(document.querySelector('.card.suit-0')).color"
    light = show(winnable, color_scheme="light")(background)
    shown = show(winnable, color_scheme="dark")
    dark = shown(background)
    assert light != dark
    shown.page.get_by_label("Theme").select_option("light")
    assert shown(background) == light
    assert shown(club) == "rgb(0, 125, 90)"
    shown.page.get_by_label("A colour for each suit").uncheck()
    assert shown(club) == "rgb(11, 11, 11)"


def test_reduced_motion_is_respected(show: Open, winnable: Replay) -> None:
    shown = show(winnable, reduced_motion="reduce")
    shown.page.keyboard.press("ArrowRight")
    assert shown("document.getAnimations().length") == 0


def test_controls_have_names(show: Open, winnable: Replay) -> None:
    """As a screen reader finds them."""
    shown = show(winnable)
    for role, names in {
        "button": ["To the start", "Back one move", "Play", "Step one move", "To the end"],
        "slider": ["Move"],
        "combobox": ["Speed", "Theme"],
        "checkbox": ["A colour for each suit"],
        "region": ["Player", "Solution"],
        "list": ["Cards on the table"],
    }.items():
        for name in names:
            assert shown.page.get_by_role(role, name=name, exact=True).count() == 1, name  # type: ignore[arg-type]
    assert shown.page.get_by_role("status").get_attribute("aria-live") == "polite"
    assert shown("document.querySelector('#slider').getAttribute('aria-valuetext')").startswith("move 0 of ")


def test_deal_that_cannot_be_won_shows_its_cards_and_why(show: Open) -> None:
    deal = load_deal("bakers-dozen", "pysolfc:64")
    shown = show(Replay(deal, solve(deal.position)), PHONE)
    assert len(shown.places()) == 52
    assert not shown.page.locator("#player").is_visible()
    assert not shown.page.locator("#solution").is_visible()
    assert shown.page.locator(".verdict").inner_text().startswith("Unwinnable: ")
    assert shown.spoken[4] == "column 1: eight of hearts, ace of spades, jack of clubs, queen of diamonds"
    shown.page.keyboard.press("ArrowRight")


def test_undecided_deal_shows_its_cards_and_why(show: Open) -> None:
    deal = load_deal("bakers-dozen", "pysolfc:24")
    result = solve(deal.position, Limits(states=1))
    shown = show(Replay(deal, result))
    assert len(shown.places()) == 52
    assert shown.page.locator(".verdict").inner_text() == "Undecided: the search reached its limit on states"


def test_odd_source_is_shown_as_it_is(show: Open, winnable: Replay) -> None:
    shown = show(replace(winnable, deal=replace(winnable.deal, source=ODD_SOURCE)))
    assert shown.page.title().startswith("Baker's Dozen, </script>")
    assert shown.page.locator(".source").text_content() == ODD_SOURCE


def test_open_clock_in_the_browser(show: Open) -> None:
    deal = load_deal("open-clock", "random:1/1")
    shown = show(Replay(deal, solve_open_clock(deal.position)), PHONE)
    shown.page.keyboard.press("End")
    assert len(shown.places()) == 52
    assert all(line.endswith("empty") for line in shown.spoken[13:])
    assert shown("document.documentElement.scrollWidth") <= PHONE["width"]


def test_jupyter_frame_plays(browser: Browser, winnable: Replay) -> None:
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(winnable._repr_html_())
    frame = page.frame_locator("iframe")
    frame.get_by_label("To the end").click()
    assert frame.locator("#status").inner_text().endswith("won.")
    page.close()
    assert errors == []

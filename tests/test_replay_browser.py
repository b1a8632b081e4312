"""The replay page in a browser, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from solvers.bakers_dozen.rules import replay as follow
from solvers.bakers_dozen.solve import Limits, solve
from solvers.clock.open_clock import solve_open_clock
from solvers.deals import load_deal
from solvers.games import TableauRules
from solvers.view.replay import Replay
from solvers.view.table import play
from tests.test_replay import ODD_SOURCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1200, "height": 900}


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

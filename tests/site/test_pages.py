"""The built site in Chromium: boxes work, nothing is asked elsewhere, links lead somewhere, everybody can use it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.site.conftest import Site, Watched

PAGES = ("index.html", "units/00_start_here.html", "units/01_passcode_race.html")
LOOKS = ((1280, "light"), (380, "dark"))
ALL_LOOKS = ((1280, "light"), (1280, "dark"), (380, "light"), (380, "dark"))
FAULTY = ("serious", "critical")
# The theme's colours change over a moment; half way there is no contrast.
SETTLED = """() => new Promise(requestAnimationFrame).then(() =>
    Promise.all(document.getAnimations().map((one) => one.finished)))"""
# Closed folds are opened first: what is hidden is not looked at.
AXE = """async () => {
    document.querySelectorAll('details').forEach((fold) => { fold.open = true; });
    const found = await axe.run(document, {resultTypes: ['violations']});
    return found.violations.map((v) => [v.impact, v.id, v.nodes[0].html.slice(0, 200)]);
}"""
UNDESCRIBED = """() => [...document.querySelectorAll('img')].filter((image) =>
    !image.alt.trim() || /\\.(png|svg)$/.test(image.alt)).map((image) => image.outerHTML.slice(0, 100))"""
ENDLESS = "while True:\n    pass\n\n\n"  # before the explorer has begun
Opener = Callable[..., Watched]


# --- links


class Links(HTMLParser):
    """The links of a page, and what can be linked to on it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.places: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where a tag leads, and its own name."""
        for name, value in attrs:
            if name in ("href", "src") and value and not value.startswith("data:"):
                self.leads.append(value)
            elif name == "id" and value:
                self.places.add(value)


def broken_links(folder: Path) -> list[str]:
    """Return every link of the folder's pages that leads nowhere in it."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    wrong = []
    for path, links in pages.items():
        for link in links.leads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.is_file() or (target in pages and place not in pages[target].places):
                wrong.append(f"{path.relative_to(folder)} -> {link}")
    return wrong


def test_no_link_is_broken(site: Site) -> None:
    assert broken_links(site.folder) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html">b</a><a href="b.html#no">n</a><a href="c.html">c</a><p id="x">')
    (tmp_path / "b.html").write_text('<a href="a.html#x">x</a><a href="#y">y</a><img src="none.png">')
    assert broken_links(tmp_path) == ["a.html -> b.html#no", "a.html -> c.html", "b.html -> #y", "b.html -> none.png"]


# --- the boxes


def ready(box: Locator) -> None:
    """Wait until a box can be used."""
    box.scroll_into_view_if_needed()
    expect(box.locator(".ss-status")).to_contain_text("Python is ready")


def press(box: Locator, said: str | re.Pattern[str]) -> None:
    """Press the button and wait for what it says."""
    box.locator(".ss-every").click()
    expect(box.locator(".ss-status")).to_contain_text(said)


def replace(box: Locator, old: str, new: str) -> None:
    """Edit a box's program."""
    field = box.locator(".ss-shown")
    text = field.input_value()
    assert text.count(old) == 1, old
    field.fill(text.replace(old, new))


def test_the_first_box_breaks_and_proves_and_the_game_is_played(
    site: Site, open_page: Opener, record_property: Callable[[str, object], None]
) -> None:
    began = time.monotonic()
    watched = open_page(site, "index.html")
    box = watched.page.locator("[data-box=checker]")
    ready(box)
    press(box, "broken: 16 of 16 classes")
    record_property("seconds to the first verdict", round(time.monotonic() - began, 1))
    print(f"first verdict after {time.monotonic() - began:.1f} s")
    walk_by_keyboard(watched, box)
    repair(box)
    slip(box)
    stop(box)
    play(watched)
    assert (watched.elsewhere(), watched.complaints) == ([], [])


def walk_by_keyboard(watched: Watched, box: Locator) -> None:
    """Walk through the schedule of the first verdict."""
    walk, steps = box.locator(".ss-walk"), box.locator("[data-step]")
    expect(steps).to_have_count(10)
    walk.focus()
    watched.page.keyboard.press("ArrowRight")
    expect(walk.locator(".ss-said")).to_have_text(re.compile(r"^Step 1 of 10: mallory writes input_buffer 'guess'"))
    expect(steps.nth(1)).to_be_hidden()
    watched.page.keyboard.press("ArrowRight")
    expect(walk.locator(".ss-said")).to_contain_text("Step 2 of 10: alice writes input_buffer 's3cret'")
    watched.page.keyboard.press("End")
    expect(steps.nth(9)).to_be_visible()


def repair(box: Locator) -> None:
    """Put a lock around everything, and read that it is proved."""
    replace(box, "        self.result = False ", "        self.lock = threading.Lock()\n        self.result = False ")
    body = box.locator(".ss-shown").input_value().split("candidate):\n")[1]
    inside = "\n".join(f"    {line}" for line in body.splitlines())
    replace(box, body, f"        with self.lock:\n{inside}\n")
    press(box, "proved: 2 of 2 classes")
    expect(box.locator("svg")).to_have_count(0)


def slip(box: Locator) -> None:
    """Forget a colon: the line is named, and marked."""
    box.locator(".ss-reset").click()
    replace(box, "def check(self, candidate):", "def check(self, candidate)")
    press(box, "your_program.py, line 7: SyntaxError")
    chosen = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert box.locator(".ss-shown").evaluate(chosen) == "    def check(self, candidate)"


def stop(box: Locator) -> None:
    """A loop in a thread is found by the explorer; one around it is stopped, and a new Python goes on."""
    box.locator(".ss-reset").click()
    replace(box, "            pass", "            while True: pass")
    press(box, "no progress")
    box.locator(".ss-reset").click()
    replace(box, "class PasscodeChecker:", f"{ENDLESS}class PasscodeChecker:")
    box.locator(".ss-every").click()
    box.locator(".ss-stop").press("Enter")
    expect(box.locator(".ss-status")).to_have_text("stopped. A new Python starts.")
    box.locator(".ss-reset").click()
    press(box, "broken: 16 of 16 classes")


def play(watched: Watched) -> None:
    """Win the first level, and see the second and third begin."""
    game = watched.page.locator(".ss-play")
    game.scroll_into_view_if_needed()
    for count, name in enumerate(("anna", "ben", "ben", "anna"), 1):
        game.locator(f"[data-seat={name}]").click()
        expect(game).to_have_attribute("data-moves", str(count))
    expect(game.locator(".ss-status")).to_contain_text("You did it: Anna ordered tea, and she gets coffee")
    expect(game.locator(".ss-walk [data-step]")).to_have_count(4)
    game.locator(".ss-undo").click()
    expect(game).to_have_attribute("data-moves", "3")
    for name, first in (("wrong-in", "alice"), ("right-out", "mallory")):
        game.locator(".ss-level").select_option(name)
        expect(game).to_have_attribute("data-moves", "0")
        game.locator(f"[data-seat={first}]").click()
        expect(game.locator(".ss-shared")).to_contain_text(f"{first} wrote this")


@pytest.mark.exhaustive
def test_a_loop_without_an_end_is_stopped_by_itself(site: Site, open_page: Opener) -> None:
    watched = open_page(site, "units/00_start_here.html")
    watched.page.clock.install()
    watched.page.reload()
    box = watched.page.locator("[data-box=cafe]")
    box.scroll_into_view_if_needed()
    ready(box)
    replace(box, "class Cafe:", f"{ENDLESS}class Cafe:")
    box.locator(".ss-every").click()
    watched.page.clock.fast_forward(21_000)
    expect(box.locator(".ss-status")).to_contain_text("stopped after 20 seconds")


@pytest.mark.exhaustive
def test_every_box_of_the_course_answers_in_the_browser(whole: Site, open_page: Opener) -> None:
    seen = 0
    for unit in ("00_start_here", "01_passcode_race", "02_isolation_fixes"):
        watched = open_page(whole, f"units/{unit}.html")
        for box in watched.page.locator("[data-box]").all():
            ready(box)
            press(box, re.compile("^(broken|proved|deadlock): "))
            seen += 1
        assert (watched.elsewhere(), watched.complaints) == ([], [])
    assert seen == 10


def test_a_stored_schedule_is_walked_through_without_python(site: Site, open_page: Opener) -> None:
    watched = open_page(site, "units/00_start_here.html", 380)
    walk = watched.page.locator(".ss-walk").first
    walk.locator(".ss-on").click()
    expect(walk.locator(".ss-said")).to_contain_text("Step 1 of ")
    expect(walk.locator("[data-step]").nth(1)).to_be_hidden()
    walk.press("Home")
    walk.press("ArrowRight")
    expect(walk.locator(".ss-said")).to_contain_text("Step 2 of ")
    walk.locator(".ss-whole").click()
    expect(walk.locator("[data-step]").nth(1)).to_be_visible()
    assert (watched.elsewhere(), watched.complaints) == ([], [])


# --- for everybody


def faults(watched: Watched, axe: str, looks: Iterable[tuple[int, str]]) -> list[object]:
    """Return what a page does wrong: serious findings, undescribed pictures, overflow, complaints, requests."""
    page, found = watched.page, []
    page.evaluate(axe)
    for width, colours in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=colours)
        page.evaluate(SETTLED)
        found += [(width, colours, *finding) for finding in page.evaluate(AXE) if finding[0] in FAULTY]
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        found += [f"{wide} px too wide at {width}"] * (wide > 0)
    return [*found, *page.evaluate(UNDESCRIBED), *watched.complaints, *watched.elsewhere()]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_for_everybody(site: Site, open_page: Opener, axe: str, page: str) -> None:
    assert faults(open_page(site, page), axe, LOOKS) == []


def test_faults_are_found(site: Site, open_page: Opener, axe: str) -> None:
    watched = open_page(site, "run.html")
    watched.page.evaluate("""() => { document.querySelector('article').innerHTML +=
        '<img src="_static/icon.svg" alt="icon.svg"><p style="color:#ccc;background:#fff">pale</p>' +
        '<div style="width:3000px">.</div>';
        console.error('loud'); fetch('http://127.0.0.1:9/').catch(() => {}); }""")
    watched.page.wait_for_function("() => true")
    watched.page.add_style_tag(content="@media (prefers-color-scheme: dark) { h1 { color: #222 !important } }")
    found = str(faults(watched, axe, LOOKS))
    dark = "(380, 'dark', 'serious', 'color-contrast', '<h1>"
    for word in (dark, "color-contrast", "icon.svg", "error: loud", "http://127.0.0.1:9/", "px too wide"):
        assert word in found, word


@pytest.mark.exhaustive
def test_every_page_is_for_everybody(whole: Site, open_page: Opener, axe: str) -> None:
    pages = [path.relative_to(whole.folder).as_posix() for path in sorted(whole.folder.rglob("*.html"))]
    assert len(pages) > 25
    wrong = {}
    for page in pages:
        watched = open_page(whole, page)
        if found := faults(watched, axe, ALL_LOOKS):
            wrong[page] = found
        watched.page.close()
    assert wrong == {}


@pytest.mark.exhaustive
def test_no_link_of_the_whole_course_is_broken(whole: Site) -> None:
    assert broken_links(whole.folder) == []


def test_the_search_finds_a_word(site: Site, open_page: Opener) -> None:
    watched = open_page(site, "search.html?q=whiteboard")
    expect(watched.page.locator('#search-results a[href*="units/01_passcode_race.html"]').first).to_be_visible()
    assert (watched.elsewhere(), watched.complaints) == ([], [])

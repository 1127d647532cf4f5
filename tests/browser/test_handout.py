"""The learners' pages: each fits on one sheet of A4, shows its picture, and asks no address for anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from sharedstate import paths
from sharedstate.cli import cli

SHEET = re.compile(rb"/Type\s*/Page\b(?!s)")


def printed(chromium: object, page: Path) -> tuple[int, list[str], int]:
    """Return a page's number of sheets, the addresses that it asked for, and the width of its picture in pixels."""
    tab = chromium.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page.as_uri())
    wide = tab.evaluate("document.querySelector('figure img').naturalWidth")
    sheets = len(SHEET.findall(tab.pdf(prefer_css_page_size=True)))
    tab.close()
    return sheets, [url for url in asked if not url.startswith("data:")], wide


def handouts(folder: Path, *units: str) -> list[Path]:
    """Return the pages that the command has written."""
    done = CliRunner().invoke(cli, ["handout", *units, "--out", str(folder)])
    assert done.exit_code == 0, done.output
    return [Path(line) for line in done.output.splitlines()]


def test_a_handout_is_one_sheet(chromium: object, tmp_path: Path) -> None:
    [page] = handouts(tmp_path, "01")
    assert printed(chromium, page) == (1, [page.as_uri()], pytest.approx(860, abs=200))
    text = page.read_text(encoding="utf-8")
    assert "must be isolated" in text and "python run.py check 01" in text
    long = tmp_path / "long.html"  # and a page that is too long would be noticed
    long.write_text(text.replace("</table>", "</table>" + "<p>more</p>" * 60), encoding="utf-8")
    assert printed(chromium, long)[0] > 1


@pytest.mark.exhaustive
def test_every_handout_is_one_sheet(chromium: object, tmp_path: Path) -> None:
    pages = handouts(tmp_path)
    assert len(pages) == len(paths.units())
    assert [page.name for page in pages if printed(chromium, page)[0] != 1] == []


def test_an_unknown_unit_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["handout", "77", "--out", str(tmp_path)])
    assert done.exit_code != 0 and "No unit '77' here" in done.output

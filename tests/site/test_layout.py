"""What Sphinx is given: lessons with their links, schedules and boxes; and what the site is given beside it."""

from __future__ import annotations

import json
import urllib.request
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from sharedstate import paths
from sharedstate.cli import cli
from sharedstate.figures import interleaving
from sharedstate.game import level
from sharedstate.site.boxes import BOXES, boxes_of
from sharedstate.site.build import build
from sharedstate.site.layout import lay_out
from sharedstate.site.lesson import adapted, games, linked, output, page
from sharedstate.site.render import mathml
from sharedstate.site.vendored import archive
from tests.site.conftest import served

KNOWN = ("00_start_here", "01_passcode_race")


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("[next](01_passcode_race.ipynb)", "[next](01_passcode_race.ipynb)"),
        ("[next](02_isolation_fixes.ipynb)", "[next](../run.md)"),
        ("[lab](../labs/lab_01_passcode_race.ipynb)", "[lab](../run.md)"),
        ("[own](../my-labs/lab_01_passcode_race.ipynb)", "[own](../run.md)"),
        ('<a href="../notebooks/01_passcode_race.ipynb">', '<a href="01_passcode_race.html">'),
        ('<a href="../labs/lab_01_passcode_race.ipynb">', '<a href="../run.html">'),
        ("`01_passcode_race.ipynb` is a name", "`01_passcode_race.ipynb` is a name"),
    ],
)
def test_links_lead_to_pages(text: str, leads: str) -> None:
    assert linked(text, KNOWN) == leads


def test_a_link_that_code_has_made_names_the_page() -> None:
    data = {"text/markdown": ["[own](../my-labs/lab_01_passcode_race.ipynb)"], "text/plain": "own"}
    shown = output({"output_type": "execute_result", "data": data, "metadata": {}}, KNOWN)["data"]
    assert shown == {"text/markdown": "[own](../run.html)", "text/plain": "own"}


def test_a_schedule_comes_as_svg_with_its_title() -> None:
    figure = interleaving(level("coffee").play(["anna", "ben*", "anna*"]).trace, title="Anna < Ben")
    bundle = figure._repr_mimebundle_()
    assert bundle["text/html"].startswith("<img") and bundle["image/svg+xml"].count("data-step") == 4
    shown = output({"output_type": "display_data", "data": bundle, "metadata": {}}, KNOWN)["data"]
    assert shown["text/html"].startswith('<p class="ss-title"><b>Anna &lt; Ben</b></p><svg')
    assert "image/svg+xml" not in shown


def test_what_is_folded_in_the_notebook_is_folded_on_the_page() -> None:
    cell = {"cell_type": "code", "metadata": {"tags": ["core"], "jupyter": {"outputs_hidden": True}}, "outputs": []}
    assert adapted(cell, KNOWN)["metadata"]["tags"] == ["core", "hide-output"]
    assert cell["metadata"]["tags"] == ["core"]


def test_a_panel_of_the_game_is_followed_by_the_game() -> None:
    assert '<option value="coffee">Who drinks what?</option>' in games('from x import y\n\ngame_panel("coffee")')
    assert games("game_panel()").count("<option") == 3 and games("race_panel()") == ""


@pytest.mark.parametrize("unit", ["00_start_here", "01_passcode_race", "02_isolation_fixes"])
def test_each_box_stands_after_its_program(unit: str) -> None:
    cells = json.loads(page(paths.root(), unit, KNOWN))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    places = [next(k for k, text in enumerate(texts) if f'data-box="{box.name}"' in text) for box in boxes_of(unit)]
    assert places == sorted(places) and len(places) == len(boxes_of(unit)) > 0
    for place, box in zip(places, boxes_of(unit), strict=True):
        assert f"class {box.shown[-1]}" in texts[place - 1]
    assert len({cell["id"] for cell in cells}) == len(cells)


def test_every_box_belongs_to_a_unit() -> None:
    assert {box.unit for box in BOXES} <= set(paths.units()) and len({box.name for box in BOXES}) == len(BOXES)


def test_the_whole_course_is_laid_out(tmp_path: Path) -> None:
    units = [name for name, folder in paths.units().items() if (folder / "lesson.py").is_file()]
    lay_out(paths.root(), units, tmp_path / "source")
    front = (tmp_path / "source" / "index.md").read_text(encoding="utf-8")
    assert "%" not in front.replace("100%", "") and all(f"(units/{unit}.ipynb)" in front for unit in units)
    assert all((tmp_path / "source" / "units" / f"{unit}.ipynb").is_file() for unit in units)
    named = [line for line in front.splitlines() if line.startswith(("docs/", "api/", "units/", "teaching/"))]
    for name in named:
        assert any((tmp_path / "source" / f"{name}.{ending}").is_file() for ending in ("md", "rst", "ipynb")), name
    assert "docs/glossary" in named and "api/interleave" in named


def test_formulas_become_mathml() -> None:
    assert mathml(r"\tfrac14 \cdot \frac{a}{b}", block=True).startswith("<math")
    assert "<mfrac>" in mathml(r"\frac{a}{b}", block=False)


def test_the_archive_is_the_same_whenever_it_is_made_and_holds_what_runs(tmp_path: Path) -> None:
    source = Path(__file__).resolve().parents[2] / "src"
    archive(source, tmp_path / "a.zip")
    archive(source, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    names = set(zipfile.ZipFile(tmp_path / "a.zip").namelist())
    assert {"sharedstate/site/desk.py", "sharedstate/interleave/show/svg.py", "sharedstate/isolation/rooms.py"} <= names


# --- the command


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    result = CliRunner().invoke(cli, ["site", "00", "--out", str(tmp_path)])
    assert result.exit_code == 1 and "holds something else" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_unit_that_there_is_not_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No unit '77' here"):
        build(paths.root(), ("77",), tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("worker.mjs", "text/javascript"), ("pyodide.asm.wasm", "application/wasm"), ("index.html", "text/html"),
     ("page.js", "text/javascript"), ("parts.zip", "application/zip")],
)  # fmt: skip
def test_the_server_names_the_types_that_a_browser_wants(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_text("x")
    for site in served(tmp_path):
        with urllib.request.urlopen(site.url + name) as answer:
            assert answer.headers["Content-Type"].split(";")[0] == kind

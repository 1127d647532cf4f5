"""Stored outputs: readable without a kernel, and silent about the machine that made them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import jupytext
import nbformat.v4 as v4
import pytest

from sharedstate import paths
from sharedstate.authoring.execute import _stand_ins
from sharedstate.authoring.imports import reachable
from sharedstate.authoring.outputs import PANEL, WIDGET, plain, stable_text, tidy
from sharedstate.authoring.style import LESSON, Shape, bare_images, findings, shape, targets, untagged

NAMES = {"/home/ann/course/": "", "/home/ann/course": ".", "/home/ann": "~"}


def tidied(*outputs: object) -> list[object]:
    """The outputs of one cell after tidying."""
    cell = v4.new_code_cell("1", outputs=list(outputs), metadata={"execution": {"iopub.status.busy": "2024"}})
    book = tidy(v4.new_notebook(cells=[cell], metadata={"widgets": {"state": {}}}), NAMES)
    assert "widgets" not in book.metadata and "execution" not in cell.metadata
    return cell.outputs


def test_a_widget_leaves_its_text_and_drops_its_view() -> None:
    view = {WIDGET: {"model_id": "1"}, "text/plain": "IntSlider(value=8)", "text/html": "<p>8 threads</p>"}
    (found,) = tidied(v4.new_output("display_data", data=view))
    assert dict(found.data) == {"text/plain": PANEL, "text/html": "<p>8 threads</p>"}


def test_a_widget_with_words_of_its_own_keeps_them() -> None:
    view = {WIDGET: {"model_id": "1"}, "text/plain": "Threads: 8"}
    (found,) = tidied(v4.new_output("display_data", data=view))
    assert found.data["text/plain"] == "Threads: 8"


def test_text_that_only_looks_like_a_widget_is_kept() -> None:
    (found,) = tidied(v4.new_output("execute_result", data={"text/plain": "Point(x=1)"}))
    assert found.data["text/plain"] == "Point(x=1)"


@pytest.mark.parametrize(("before", "after"), [
    ("File /home/ann/course/src/a.py:3", "File src/a.py:3"),
    ("in /home/ann/course", "in ."),
    ("/home/ann/.cache", "~/.cache"),
    ("<Thing at 0x7f00deadbeef>", "<Thing at 0x…>"),
    ("0x10 stays", "0x10 stays"),
    ('File "/tmp/ipykernel_123/456.py", line 2', 'File "cell", line 2'),
    (r"C:\Temp\ipykernel_123\456.py:2", "cell:2"),
])
def test_paths_addresses_and_temporary_names_go(before: str, after: str) -> None:
    assert plain(before, NAMES) == after


def test_every_kind_of_output_is_cleaned() -> None:
    stream, error, result = tidied(
        v4.new_output("stream", text="/home/ann/course/x"),
        v4.new_output("error", ename="E", evalue="/home/ann/course/x", traceback=["/home/ann/course/x"]),
        v4.new_output("execute_result", data=dict.fromkeys(("text/html", "image/png"), "/home/ann/course/x")),
    )
    assert stream.text == error.evalue == error.traceback[0] == result.data["text/html"] == "x"
    assert result.data["image/png"] == "/home/ann/course/x"


def test_a_picture_inside_html_is_left_as_it_is() -> None:
    page = '<img alt="/home/ann/course/x" src="data:image/png;base64,AA/home/ann/course/0xabcdef/">'
    (found,) = tidied(v4.new_output("display_data", data={"text/html": page}))
    assert found.data["text/html"] == page.replace('"/home/ann/course/x"', '"x"')


def test_pieces_of_one_stream_are_joined() -> None:
    names = ("stdout", "stdout", "stderr", "stdout")
    pieces = [v4.new_output("stream", name=name, text=name[3]) for name in names]
    assert [(o.name, o.text) for o in tidied(*pieces)] == [("stdout", "oo"), ("stderr", "e"), ("stdout", "o")]


def test_the_text_of_a_stable_cell_is_what_a_reader_reads() -> None:
    cell = v4.new_code_cell("1", outputs=[
        v4.new_output("stream", text="proved\n"),
        v4.new_output("display_data", data={"text/markdown": "*so*", "text/html": "<i>", "image/png": "x"}),
        v4.new_output("error", ename="E", evalue="no", traceback=["File, line 3"]),
    ])
    assert stable_text(cell) == "proved\n*so*\nE: no"


def test_a_home_at_the_root_of_the_disk_replaces_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/"))
    names = _stand_ins(Path("/course"), Path("/tmp/x/my-labs"))
    assert plain("a/b and /course/c and /tmp/x/my-labs/d", names) == "a/b and c and my-labs/d"


# -- The texts of the course: a power of Python's in running text would be taken for bold.


SOURCES = sorted(path for folder in paths.units().values() for path in folder.glob("l*.py"))
NO_TEXT = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|<(code|pre)>.*?</\1>", re.DOTALL)
POWER = re.compile(r"[\w)]\*\*[\w(]")


def powers(text: str) -> list[str]:
    """Return each place of a Markdown text where two stars between letters or digits stand outside code."""
    plain = NO_TEXT.sub(" ", text)
    return [plain[max(0, found.start() - 10):found.end() + 10] for found in POWER.finditer(plain)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_power_stands_outside_backticks(path: Path) -> None:
    cells = jupytext.read(path).cells
    assert cells
    assert [place for cell in cells if cell.cell_type == "markdown" for place in powers(cell.source)] == []


@pytest.mark.parametrize(("text", "count"), [
    ("from 0 to 2**64, and 2**32 are not enough", 2), ("`2**64` and <code>2**32</code>, **bold**, **1**.", 0),
    ("```\n2**64\n```", 0), ("Master (below 2**(n))", 1)])
def test_powers_are_found_in_text_and_not_in_code(text: str, count: int) -> None:
    assert len(powers(text)) == count


# -- The import walk reaches what runs, and no more.


MODULES = {
    "__init__.py": "",
    "a/__init__.py": "from .one import f\n",
    "a/one.py": "def f():\n    from ..b import deep\n",
    "a/two.py": "",
    "b/__init__.py": "",
    "b/deep.py": "ARGS = ['-m', 'sharedstate.c.worker']\n",
    "c/__init__.py": "",
    "c/worker.py": "",
    "c/record.json": "{}",
    "lazy/__init__.py": "from importlib import import_module\ndef get(n):\n    import_module('.' + n)\n",
    "lazy/x.py": "",
    "named/__init__.py": "import importlib\nM = importlib.import_module('.y', __package__)\n",
    "named/y.py": "",
    "named/z.py": "",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that holds a package `sharedstate` of these modules."""
    for name, text in MODULES.items():
        path = tmp_path / "sharedstate" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def reached(source: str, home: Path) -> set[str]:
    """Return the reached files, relative to the package."""
    return {path.relative_to(home / "sharedstate").as_posix() for path in reachable(source, home)}


def test_lazy_imports_parents_and_child_processes_count(home: Path) -> None:
    found = reached("from sharedstate.a import f", home)
    assert found == {
        "__init__.py", "a/__init__.py", "a/one.py", "b/__init__.py", "b/deep.py",
        "c/__init__.py", "c/worker.py", "c/record.json",
    }


def test_an_import_by_a_computed_name_reaches_the_whole_package(home: Path) -> None:
    assert reached("import sharedstate.lazy", home) == {"__init__.py", "lazy/__init__.py", "lazy/x.py"}


def test_an_import_by_a_constant_name_reaches_that_module(home: Path) -> None:
    assert reached("import sharedstate.named", home) == {"__init__.py", "named/__init__.py", "named/y.py"}


def test_other_packages_are_left_alone(home: Path) -> None:
    assert reached("import json, numpy\nfrom os import path", home) == set()


# -- The measures of a lesson, each seen to fail on a lesson that misses its target.


GOOD = Shape(cells=40, words=1600, lines=(4,) * 40, figures=5, predictions=3, changes=3)


def image(**others: str) -> object:
    """A picture as an output."""
    return v4.new_output("display_data", data={"image/png": "", "text/plain": "<Figure>", **others})


def book(*cells: object) -> object:
    """A notebook of these cells."""
    return v4.new_notebook(cells=list(cells))


def code(source: str = "1", outputs: tuple[object, ...] = (), tags: tuple[str, ...] = ("core",)) -> object:
    """A code cell."""
    return v4.new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags)})


def test_a_good_lesson_has_no_findings() -> None:
    assert findings(GOOD, LESSON) == []


@pytest.mark.parametrize(("change", "word"), [
    ({"cells": 29}, "cells"), ({"cells": 61}, "cells"),
    ({"words": 1100}, "words"), ({"words": 2300, "lines": (4,) * 60}, "words"),
    ({"lines": (4,) * 20}, "words a line"), ({"lines": (4,) * 80}, "words a line"),
    ({"lines": (7,) * 40, "words": 2000}, "median"), ({"lines": (3,) * 36 + (17,) * 4}, "90 percent"),
    ({"lines": (4,) * 39 + (26,)}, "longest"),
    ({"figures": 3}, "figures"), ({"figures": 13}, "figures"),
    ({"columns": 106}, "105"), ({"predictions": 2}, "predictions"), ({"changes": 2}, "change one line"),
])
def test_each_target_missed_is_one_finding(change: dict[str, object], word: str) -> None:
    (found,) = findings(replace(GOOD, **change), LESSON)
    assert word in found


def test_units_have_their_own_targets() -> None:
    assert targets("01_passcode_race") == LESSON
    assert targets("00_start_here") != LESSON
    assert findings(Shape(200, 9, (99,), 0, 0, 0), targets("12_interview")) == []


def test_the_shape_is_what_stands_in_the_notebook() -> None:
    lesson = book(
        v4.new_markdown_cell("Now **change one line** of it."),
        code("predict('a')\n\n\nb = 1", (image(), v4.new_output("stream", text="predict("))),
    )
    assert shape(lesson) == Shape(cells=2, words=6, lines=(2,), figures=1, predictions=1, changes=1, columns=12)


def test_the_foot_counts_for_nothing() -> None:
    links = v4.new_markdown_cell("[change one line](x)", metadata={"tags": ["core", "navigation"]})
    assert shape(book(code(), links)) == shape(book(code()))


def test_a_picture_may_stand_inside_html() -> None:
    drawn = v4.new_output("display_data", data={"text/html": '<img alt="a" src="data:image/png;base64,AA">'})
    assert shape(book(code(outputs=(drawn,)))).figures == 1 and bare_images(book(code(outputs=(drawn,)))) == [1]


def test_a_cell_is_core_or_deeper() -> None:
    cells = (code(), code(tags=("deeper", "stable")), code(tags=()), code(tags=("core", "deeper")))
    assert untagged(book(*cells)) == [3, 4]


def test_a_picture_needs_a_line_of_text_below() -> None:
    caption = v4.new_output("display_data", data={"text/markdown": "*So it is.*"})
    text = v4.new_markdown_cell("*So it is.*")
    assert bare_images(book(code(outputs=(image(),)), text)) == []
    assert bare_images(book(code(outputs=(image(), caption)), code())) == []
    assert bare_images(book(code(outputs=(image(),)), code())) == [1]
    assert bare_images(book(code(outputs=(image(),)))) == [1]
    assert bare_images(book(code(outputs=(image(), image(), caption)), text)) == [1]
    assert bare_images(book(code(outputs=(caption, image())), v4.new_markdown_cell(" "))) == [1]

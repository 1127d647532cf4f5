"""Stored outputs: readable without a kernel, and silent about the machine that made them."""

from __future__ import annotations

from pathlib import Path

import nbformat.v4 as v4
import pytest

from sharedstate.authoring.execute import _stand_ins
from sharedstate.authoring.outputs import PANEL, WIDGET, plain, stable_text, tidy

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

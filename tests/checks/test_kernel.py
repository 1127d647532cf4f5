"""In a real kernel: bad answers end in a short message, and the kernel goes on as before."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

SETUP = """
import sys, threading
from pathlib import Path
sys.path.insert(0, HERE)
from sharedstate.checks import Registry, check
from fake_unit import build
fake = Registry(build(Path(UNIT)))
def settings(): return sys.getswitchinterval(), threading.gettrace(), sys.gettrace(), sys.stdout is OUT
OUT = sys.stdout
before = settings()
"""
LOOP = "def double(n):\n    while True: pass\ncheck('90.1', double, registry=fake)"
DEADLOCK = (
    "gate = threading.Semaphore(0)\ndef double(n):\n    gate.acquire()\n"
    "check('90.1', double, registry=fake)")
FLOOD = "def double(n):\n    print('x' * 2_000_000)\ncheck('90.1', double, registry=fake)"
RAISES = "def double(n):\n    return {}[n]\ncheck('90.1', double, registry=fake)"
TYPE = "check('90.1', 4, registry=fake)"
RIGHT = "check('90.1', lambda n: 2 * n, registry=fake)"
ALIVE = "settings() == before, 6 * 7"
PATCHED = "import sharedstate.checks\nsharedstate.checks.check = lambda *a, **k: print('SOLVED')"
FOOLED = "from sharedstate.checks import check\ncheck('90.1', 4)"
WATCH = "from sharedstate.workspace import where_am_i\nwhere_am_i()"
HIDES = "def check(self, candidate):\n    return True"
CELLS = (SETUP, LOOP, DEADLOCK, FLOOD, RAISES, TYPE, RIGHT, ALIVE, WATCH, HIDES, PATCHED, FOOLED)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> list:
    """Run the cells in one kernel; return their outputs."""
    unit = tmp_path_factory.mktemp("course") / "90_fake"
    here = f"HERE, UNIT = {str(Path(__file__).parent)!r}, {str(unit)!r}\n"
    cells = [nbformat.v4.new_code_cell(source) for source in (here + CELLS[0], *CELLS[1:])]
    book = nbformat.v4.new_notebook(cells=cells)
    env = {**os.environ, "SHAREDSTATE_MY_LABS": str(tmp_path_factory.mktemp("my-labs"))}
    NotebookClient(book, timeout=60, allow_errors=True, kernel_name="python3").execute(env=env)
    return [cell.outputs for cell in book.cells]


@pytest.mark.parametrize(("cell", "reason", "words"), [
    (1, "timeout", "was stopped at Cell [2], line 2: while True: pass"),
    (2, "stuck", "It waits at Cell [3], line 3: gate.acquire()"),
    (3, "too-much-output", "more than a megabyte"),
    (4, "exception", "KeyError: 2 at Cell [5], line 2: return {}[n]"),
    (5, "wrong-type", "should be a function"),
])
def test_bad_answers_end_in_a_message_and_the_notebook_goes_on(
    ran: list, cell: int, reason: str, words: str
) -> None:
    shown, = ran[cell]
    assert shown["output_type"] == "display_data" and 'data-ok="false"' in shown["data"]["text/html"]
    assert words in shown["data"]["text/plain"]
    assert reason in shown["data"]["text/html"]


def test_a_right_answer_is_shown_once(ran: list) -> None:
    assert [out["output_type"] for out in ran[6]] == ["display_data"]
    assert "SOLVED" in ran[6][0]["data"]["text/plain"]


def test_the_kernel_is_as_it_was(ran: list) -> None:
    assert ran[7][0]["data"]["text/plain"] == "(True, 42)"


def test_two_lines_fool_the_kernel(ran: list) -> None:
    assert ran[11][0]["text"].startswith("SOLVED\n")


def test_a_cell_that_hides_the_check_is_told_so(ran: list) -> None:
    assert ran[8] == []
    assert "Give yours another name" in ran[9][0]["text"]

"""A notebook judged: honest ones pass, and no trick played inside changes what the isolated path says."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import sharedstate.checks.extract as extract
from sharedstate.checks import Registry
from sharedstate.checks.extract import NotebookUnreadable
from sharedstate.checks.grader import Limits
from sharedstate.checks.notebook import NotebookReport, check_notebook

HERE = str(Path(__file__).parent)
GOOD = """
class Counter:
    def __init__(self):
        self.n = 0
    def add(self, k):
        self.n += k
"""
BAD = GOOD.replace("+=", "=")
SOLVED = ("double = lambda n: 2 * n", "order = ['alice', 'mallory']", GOOD)
WRONG = ("double = lambda n: n", "order = []", BAD)
PATCH_JUDGE = """
import fake_unit
for e in fake_unit.EXERCISES: type(e).judge = lambda self, case, value: self.right()
"""
PATCH_CHECK = "import sharedstate.checks\nsharedstate.checks.check = lambda *a, **k: print('SOLVED')\n"
PATCH_RUN = (
    "import fake_unit\nfake_unit.Double.run = lambda self, answer, case: 2 * case['n'] + 1\n"
    "fake_unit.Order.run = lambda self, answer, case: {'ok': True}\n")
FORGED = """b'{"nonce": "x", "value": "4"}\\n'"""
SCAN = f"""
import os
for fd in range(3, 40):
    try: os.write(fd, {FORGED})
    except OSError: pass
"""
SCAN_IN_ANSWER = f"""
import os
def double(n):
    for fd in range(3, 40):
        try: os.write(fd, {FORGED})
        except OSError: pass
    return 2 * n
"""
PIPE_FLOOD = SCAN.replace(FORGED, "b' ' * 9_000_000")
Write = Callable[..., Path]


def judged(fake: Registry, path: Path, isolated: bool = True, **limits: float) -> NotebookReport:
    chosen = Limits(**{"cell": 10.0, "total": 60.0, **limits})
    return check_notebook(path, isolated, seed=5, limits=chosen, registry=fake, extra_path=(HERE,))


def reasons(report: NotebookReport) -> dict[str, str]:
    return {e.id: e.reason for e in report.exercises}


@pytest.mark.parametrize("isolated", [False, True])
def test_a_solved_notebook_passes(fake: Registry, notebook: Write, isolated: bool) -> None:
    report = judged(fake, notebook(*SOLVED), isolated)
    assert report.ok and report.points == report.max_points == 4.0, str(report)
    assert json.loads(json.dumps(report.to_json()))["ok"] is True


@pytest.mark.parametrize("isolated", [False, True])
def test_a_wrong_notebook_loses_its_points_with_reasons(
    fake: Registry, notebook: Write, isolated: bool
) -> None:
    report = judged(fake, notebook(*WRONG), isolated)
    assert reasons(report) == {"90.1": "not-double", "90.2": "wrong-order", "90.3": "wrong-sum"}
    assert report.points == 0 and not report.ok


def test_an_untouched_and_an_incomplete_notebook(fake: Registry, notebook: Write) -> None:
    report = judged(fake, notebook("double = ...", "check('90.1', double)"))
    assert reasons(report) == {"90.1": "untouched", "90.2": "missing", "90.3": "missing"}


def test_magics_top_level_await_errors_and_the_labs_own_checks_do_not_stop_the_run(
    fake: Registry, notebook: Write
) -> None:
    cells = ("from sharedstate.checks import check", "%time 1", "!true",
             "import asyncio\nawait asyncio.sleep(0)", "1 / 0", "syntax error here",
             "check('90.1', None)", "input('?')", "raise SystemExit")
    report = judged(fake, notebook(*cells, *SOLVED))
    assert report.ok, str(report)
    assert any("ZeroDivisionError" in note for note in report.notes)


def test_patching_the_check_fools_the_kernel_and_not_the_grader(fake: Registry, notebook: Write) -> None:
    path = notebook(PATCH_CHECK + PATCH_JUDGE, *WRONG)
    assert judged(fake, path, isolated=False).ok, "the trick must work inside, or this test shows nothing"
    assert reasons(judged(fake, path)) == {"90.1": "not-double", "90.2": "wrong-order", "90.3": "wrong-sum"}


PATCH_JSON = """
import json
json.dumps = lambda *a, **k: '{"value": "4"}'
json.loads = lambda *a, **k: {}
"""


@pytest.mark.parametrize(("trick", "expected"), [
    (PATCH_RUN, {"not-double", "wrong-order", "wrong-sum"}),
    (PATCH_JSON, {"not-double", "wrong-order", "wrong-sum", "exception", "unusable"}),
    (SCAN, {"forged-reply", "wrong-sum"}),
    (PIPE_FLOOD, {"flood", "wrong-sum"}),
    ("import os\nos._exit(0)", {"not-double", "wrong-order", "wrong-sum"}),
])
def test_tricks_inside_earn_nothing_and_a_reason(
    fake: Registry, notebook: Write, trick: str, expected: set[str]
) -> None:
    report = judged(fake, notebook(trick, *WRONG))
    assert report.points == 0
    assert set(reasons(report).values()) <= expected, str(report)


@pytest.mark.parametrize(("answer", "reason"), [
    ("def double(n):\n    import os\n    os._exit(0)", "ended"),
    ("def double(n):\n    while True: pass", "timeout"),
    ("import threading\nlock = threading.Semaphore(0)\ndef double(n):\n    lock.acquire()", "stuck"),
    ("class E(int):\n    __eq__ = lambda a, b: True\ndouble = lambda n: E(5)", "not-double"),
    ("def double(n):\n    print('x' * 2_000_000)", "too-much-output"),
    ("def double(n):\n    x = []\n    for _ in range(100): x = [x]\n    return x", "not-plain"),
    (SCAN_IN_ANSWER, "forged-reply"),
])
def test_one_exercise_that_misbehaves_does_not_harm_the_others(
    fake: Registry, notebook: Write, answer: str, reason: str
) -> None:
    report = judged(fake, notebook(answer, *SOLVED[1:]))
    assert reasons(report) == {"90.1": reason, "90.2": "ok", "90.3": "ok"}, str(report)


def test_a_cell_that_never_ends_is_left_out(fake: Registry, notebook: Write) -> None:
    report = judged(fake, notebook("while True: pass", *SOLVED), cell=2.0)
    assert report.ok and any("No answer within 2 s" in note for note in report.notes)


@pytest.mark.parametrize("isolated", [True, False])
@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("while True: pass\ndouble = len", "No answer within 2 s"),
        ("double = 1 / 0", "It raised ZeroDivisionError"),
    ],
)
def test_an_answer_whose_cell_fails_is_told_so(
    fake: Registry, notebook: Write, cell: str, said: str, isolated: bool
) -> None:
    report = judged(fake, notebook(cell, *SOLVED[1:]), isolated, cell=2.0)
    assert report.exercises[0].reason == "missing"
    assert f"It should come from cell [1]: {said}" in report.exercises[0].message
    assert [e.ok for e in report.exercises[1:]] == [True, True]


def test_the_whole_has_a_limit(fake: Registry, notebook: Write) -> None:
    report = judged(fake, notebook("import time; time.sleep(60)", *SOLVED), total=1.0)
    assert set(reasons(report).values()) == {"timeout"}


def test_a_process_left_behind_by_a_notebook_is_killed(
    fake: Registry, notebook: Write, tmp_path: Path
) -> None:
    import psutil

    note = tmp_path / "pid"
    leave = ("import subprocess, sys\nfrom pathlib import Path\n"
             "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
             f"Path({str(note)!r}).write_text(str(p.pid))")
    assert judged(fake, notebook(leave, *SOLVED)).ok
    pid = int(note.read_text())
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize(("cell", "reason"), [
    ("import sharedstate\n" + GOOD.replace("+= k", "+= sharedstate.k"), "not-allowed"),
    ("import sharedstate\n" + GOOD + "print(sharedstate)\n", "ok"),
    (GOOD + "print(1)\nassert Counter().n == 0\nfor n in range(3):\n    Counter().add(n)\n", "ok"),
    (GOOD + "    def spy(self):\n        return self.add.__globals__\n", "not-allowed"),
    ("from threading import _sys\n" + GOOD.replace("+= k", "+= _sys.k"), "not-allowed"),
    ("def f(:\n", "syntax"),
])
def test_an_answer_judged_from_source_holds_nothing_that_reaches_behind_the_check(
    fake: Registry, notebook: Write, cell: str, reason: str
) -> None:
    report = judged(fake, notebook(*SOLVED[:2], (cell, "exercise:90.3")))
    assert reasons(report) == {"90.1": "ok", "90.2": "ok", "90.3": reason}


def test_controls_betray_a_source_that_bends_the_check(
    fake: Registry, notebook: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sharedstate.checks.grader as grader

    monkeypatch.setattr(grader, "require_allowed", lambda *given: None)
    patch = "    fake_unit.CountUp.run = lambda self, answer, case: sum(case['add'])"
    bend = f"import fake_unit\n{BAD}{patch}\n"  # in the class's body: a line beside it falls away
    report = judged(fake, notebook(*SOLVED[:2], (bend, "exercise:90.3")))
    assert reasons(report)["90.3"] == "tampered"


def test_a_cell_that_reaches_other_cells_cannot_help_itself(fake: Registry, notebook: Write) -> None:
    report = judged(fake, notebook(PATCH_JUDGE, *SOLVED[:2], BAD, "Counter.add = None"))
    assert reasons(report)["90.3"] in ("wrong-sum", "exception")  # the last cell belongs to the answer that it changes


@pytest.mark.parametrize(("text", "words"), [
    ("not json", "no valid JSON"),
    ("[" * 200_000, "nested too deeply"),
    ("{}", "no list of cells"),
    ('{"cells": [{"cell_type": "code", "source": "x = 1"}]}', "not a lab of this course"),
])
def test_files_that_are_no_notebook_are_refused_clearly(
    fake: Registry, tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "mine.ipynb"
    path.write_text(text)
    with pytest.raises(NotebookUnreadable, match=words):
        judged(fake, path)


def test_missing_and_huge_files_are_refused_before_they_are_read(
    fake: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotebookUnreadable, match="cannot be read"):
        judged(fake, tmp_path / "none.ipynb")
    path = tmp_path / "90.ipynb"
    with open(path, "wb") as out:
        out.truncate(extract.MAX_BYTES + 1)
    with pytest.raises(NotebookUnreadable, match="Clear its outputs"):
        judged(fake, path)


# -- In a real kernel: bad answers end in a short message, and the kernel goes on as before.


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
    (shown,) = ran[cell]
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

"""The build on a tiny course: what it writes, and every difference that the check must name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sharedstate.authoring import Executions, Problem, build
from sharedstate.authoring.documents import documents
from sharedstate.authoring.execute import Execution

NAMES = ("notebooks/77_tiny.ipynb", "labs/lab_77_tiny.ipynb", "solutions/solution_77_tiny.ipynb")


def run(home: Path, check: bool = False, executions: Executions | None = None) -> list[Problem]:
    """Build or check the tiny unit quietly."""
    return build(["77"], check, tell=lambda line: None, executions=executions)


def cells(home: Path, name: str) -> list[dict]:
    """Return a stored notebook's cells as plain dicts, sources joined."""
    found = json.loads((home / name).read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in found]


def edit(path: Path, before: str, after: str) -> None:
    """Replace text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


class Recorded(Executions):
    """Executions that counts, and answers a check with the outputs that were made for the build."""

    def __init__(self, home: Path, memory: dict[str, Execution] | None = None) -> None:
        super().__init__(home)
        self.memory = {} if memory is None else memory
        self.ran: list[str] = []

    def run(self, name: str, key: str, book: object) -> Execution:
        """Run a notebook once for each text of its cells, whatever else changed."""
        sources = json.dumps([cell.source for cell in book.cells])
        if sources not in self.memory:
            self.ran.append(name)
            self.memory[sources] = super().run(name, key, book)
        return self.memory[sources]


@pytest.fixture(scope="module")
def memory() -> dict[str, Execution]:
    """Executions of this module's tests, shared where a kernel would only repeat itself."""
    return {}


@pytest.fixture
def built(course: Path, memory: dict[str, Execution]) -> Path:
    """The tiny course, built."""
    assert run(course, executions=Recorded(course, memory)) == []
    return course


def test_lessons_and_solutions_carry_outputs_and_labs_none(built: Path) -> None:
    lesson, lab, solution = (cells(built, name) for name in NAMES)
    code = [cell for cell in lesson if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [1, 2, 3, 4]
    assert code[1]["outputs"][0]["text"] == ["hello\n"]
    assert code[1]["outputs"][1]["data"]["text/plain"] == ["'HELLO'"]
    assert all(not cell["outputs"] for cell in lab if cell["cell_type"] == "code")
    assert [cell["execution_count"] for cell in solution if cell["cell_type"] == "code"] == [1, 2]


def test_a_lab_holds_no_line_of_its_solution(built: Path) -> None:
    lab, solution = (cells(built, name) for name in NAMES[1:])
    assert "total = a + b" in solution[1]["source"] and "BEGIN" not in solution[1]["source"]
    assert lab[1]["source"] == 'def add(a, b):\n    """Return the sum."""\n    # your code here'
    assert "add(-1, 1)" in solution[2]["source"] and "add(-1, 1)" not in lab[2]["source"]
    assert "### " not in json.dumps(lab)


def test_stored_notebooks_name_no_machine_and_no_time(built: Path) -> None:
    for name in NAMES:
        text = (built / name).read_text(encoding="utf-8")
        assert str(built) not in text and "ipykernel_" not in text and "iopub" not in text
        stored = json.loads(text)
        assert stored["metadata"]["kernelspec"]["name"] == "python3"
        assert "version" not in stored["metadata"]["language_info"]


def test_two_builds_are_identical(course: Path) -> None:
    edit(course / "course/77_tiny/lesson.py", "time.perf_counter_ns()", "1")
    assert run(course) == []
    first = [(course / name).read_bytes() for name in NAMES]
    for name in NAMES:
        (course / name).unlink()
    assert run(course) == []
    assert [(course / name).read_bytes() for name in NAMES] == first


def test_a_second_build_executes_nothing(built: Path, memory: dict[str, Execution]) -> None:
    before = {name: (built / name).stat().st_mtime_ns for name in NAMES}
    again = Recorded(built, {})
    assert run(built, executions=again) == [] and again.ran == []
    assert {name: (built / name).stat().st_mtime_ns for name in NAMES} == before


def test_a_check_is_clean_and_writes_nothing(built: Path) -> None:
    before = [(built / name).read_bytes() for name in NAMES]
    assert run(built, check=True) == []
    assert [(built / name).read_bytes() for name in NAMES] == before


@pytest.mark.parametrize("name", NAMES)
def test_a_cell_touched_by_hand_is_named(built: Path, memory: dict[str, Execution], name: str) -> None:
    edit(built / name, "import board" if "notebooks" in name else "def add(a, b)", "pass")
    problems = run(built, check=True, executions=Recorded(built, memory))
    assert [p.path for p in problems] == [name]
    assert "cell 2" in problems[0].what and "source" in problems[0].what
    assert "python run.py build" in problems[0].remedy


def test_a_touched_id_is_named(built: Path, memory: dict[str, Execution]) -> None:
    edit(built / NAMES[1], cells(built, NAMES[1])[2]["id"], "abcdefabcdef")
    (problem,) = run(built, check=True, executions=Recorded(built, memory))
    assert "cell 3" in problem.what and "in id" in problem.what


def test_outputs_in_a_lab_are_refused(built: Path, memory: dict[str, Execution]) -> None:
    edit(built / NAMES[1], '"execution_count": null', '"execution_count": 1')
    (problem,) = run(built, check=True, executions=Recorded(built, memory))
    assert "outputs" in problem.what


@pytest.mark.parametrize(("touched", "old"), [
    ("src/sharedstate/board.py", NAMES[:1]), ("src/sharedstate/words.py", NAMES[:1]),
    ("requirements.lock", NAMES[::2]), ("course/77_tiny/exercises/1_add/check.py", NAMES[2:]),
    ("course/77_tiny/exercises/shared.py", NAMES[2:]), ("src/sharedstate/judged.py", NAMES[2:]),
])
def test_a_changed_module_check_or_lock_makes_the_hash_old(
    built: Path, memory: dict[str, Execution], touched: str, old: tuple[str, ...]
) -> None:
    edit(built / touched, "\n", "\n# changed\n")
    problems = run(built, check=True, executions=Recorded(built, memory))
    assert [p.path for p in problems] == [*old]
    assert all("older" in p.what for p in problems)


def test_a_module_that_is_not_imported_changes_nothing(built: Path, memory: dict[str, Execution]) -> None:
    edit(built / "src/sharedstate/unused.py", "0", "1")
    assert run(built, check=True, executions=Recorded(built, memory)) == []


def test_a_changed_stable_output_fails_and_a_measured_one_may_vary(
    built: Path, memory: dict[str, Execution]
) -> None:
    lesson = built / NAMES[0]
    number = cells(built, NAMES[0])[3]["outputs"][0]["data"]["text/plain"][0]
    edit(lesson, number, "12345")
    assert run(built, check=True, executions=Recorded(built, memory)) == []
    edit(lesson, "'HELLO'", "'HULLO'")
    (problem,) = run(built, check=True, executions=Recorded(built, memory))
    assert "cell 3" in problem.what and "stable" in problem.what and "HULLO" in problem.what


def test_a_cell_that_fails_is_a_problem_and_keeps_the_old_notebook(built: Path) -> None:
    before = (built / NAMES[0]).read_bytes()
    edit(built / "course/77_tiny/lesson.py", ', "raises-exception"', "")
    (problem,) = run(built)
    assert "cell 5" in problem.what and "ZeroDivisionError" in problem.what
    assert (built / NAMES[0]).read_bytes() == before


def test_broken_markers_are_a_problem(built: Path, memory: dict[str, Execution]) -> None:
    edit(built / "course/77_tiny/lab.py", "    ### END SOLUTION\n", "")
    problems = run(built, executions=Recorded(built, memory))
    assert problems[0].path == NAMES[1]
    assert "lab.py" in problems[0].what and "end solution" in problems[0].what


def test_a_lab_that_is_no_python_without_its_solution_is_a_problem(
    built: Path, memory: dict[str, Execution]
) -> None:
    edit(built / "course/77_tiny/lab.py", '    """Return the sum."""\n', "")
    (problem,) = [p for p in run(built, executions=Recorded(built, memory)) if "labs/" in p.path]
    assert "cell 2" in problem.what and "docstring" in problem.what


def test_a_built_notebook_without_source_is_reported(built: Path, memory: dict[str, Execution]) -> None:
    (built / "labs/78_gone.ipynb").write_text("{}", encoding="utf-8")
    (problem,) = run(built, check=True, executions=Recorded(built, memory))
    assert problem.path == "labs/78_gone.ipynb"


def test_a_damaged_notebook_is_a_problem_not_a_crash(built: Path, memory: dict[str, Execution]) -> None:
    (built / NAMES[0]).write_text("{ not json", encoding="utf-8")
    (problem,) = run(built, check=True, executions=Recorded(built, memory))
    assert "damaged" in problem.what


def test_chinese_sources_stand_beside_the_english_ones(course: Path) -> None:
    beside = course / "course/77_tiny/zh-CN/lesson.py"
    beside.parent.mkdir()
    beside.write_text("# %% [markdown]\n# 白板\n", encoding="utf-8")
    names = [document.name for document in documents(course, ["77_tiny"])]
    assert names == [*NAMES, "notebooks/zh-CN/77_tiny.ipynb"]


def test_an_unknown_unit_names_those_there_are(course: Path) -> None:
    with pytest.raises(ValueError, match="77_tiny"):
        build(["99"])


def test_labs_are_written_before_a_lesson_runs_which_may_copy_one(
    course: Path, memory: dict[str, Execution]
) -> None:
    told: list[str] = []
    build(["77"], tell=told.append, executions=Recorded(course, memory))
    assert told[0] == f"wrote {NAMES[1]}" and f"wrote {NAMES[0]}" in told[1:]

"""A room for each exercise: loaded alone and by path, under a stable name; and what holds in every one of them."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from sharedstate import paths
from sharedstate.checks import Case, Exercise, Registry, assess, where
from sharedstate.checks.shown import shown_class, shown_source
from sharedstate.interleave import Scenario

REGISTRY = Registry()
ALL = [one for unit in REGISTRY.units() for one in REGISTRY.exercises(unit)]
# These have nothing to draw: the same cases for every seed.
FEW = ("01.2", "01.6", "02.7", "03.7", "09.6", "10.4", "11.4", "12.2", "12.3", "12.5")
each = pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)


@each
def test_an_untouched_answer_is_called_untouched(one: Exercise) -> None:
    assert assess(one, ...).reason == "untouched"


@each
def test_cases_are_the_same_for_the_same_seed_and_vary_with_it(one: Exercise) -> None:
    assert one.cases(7) == one.cases(7)
    if one.id not in FEW:
        assert any(one.cases(7) != one.cases(seed) for seed in range(8, 12))
    assert any(case.visible for case in one.cases(7))
    assert all(Case.from_json(case.to_json()) == case for case in one.cases(7))


@each
def test_its_module_has_a_stable_name_and_a_source(one: Exercise) -> None:
    room = REGISTRY.room(one.id)
    assert type(one).__module__ == f"sharedstate_course.u{room.unit}.e{room.folder.name}"
    assert pickle.loads(pickle.dumps(type(one))) is type(one)
    assert inspect.getsource(type(one)) in (room.folder / "check.py").read_text(encoding="utf-8")
    assert REGISTRY.exercise(one.id) is one is Registry().exercise(one.id)


def test_asking_for_one_exercise_loads_one() -> None:
    code = ("import sys\nfrom sharedstate.checks import exercise\nexercise('03.4')\n"
            "print(*sorted(name for name in sys.modules if name.startswith('sharedstate_course.u')))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    unit = "sharedstate_course.u03"
    loaded = done.stdout.split()
    assert [name for name in loaded if name.startswith(f"{unit}.e")] == [f"{unit}.e4_fold"]
    assert all(name == unit or name.startswith(f"{unit}.") for name in loaded)  # beside it, what the unit's share


def test_a_check_is_the_courses_own_file_for_messages_and_like_a_learners_for_the_explorer() -> None:
    room = REGISTRY.room("02.2")
    assert not where.learner_file(str(room.folder / "check.py")) and where.learner_file(str(Path(__file__)))
    half = room.load().checkers["TwoLocks"]
    assert not where.learner_file(half.check.__code__.co_filename)
    never = Scenario(lambda: half("a"), {"ann": lambda c: c.check("a"), "ben": lambda c: c.check("b")},
                     never=lambda state, answers: answers["ben"])
    assert never.explore("dpor").verdict == "broken", "the explorer follows code that a check took from its lab"


# --- rooms that are not as they should be


def make(course: Path, check: str, lab: str = "") -> Registry:
    """A course with one unit of one exercise."""
    folder = course / "91_odd" / "exercises" / "1_only"
    folder.mkdir(parents=True)
    (folder / "check.py").write_text(check, encoding="utf-8")
    (course / "91_odd" / "lab.py").write_text(lab, encoding="utf-8")
    return Registry(course)


NAMED = "from sharedstate.checks import Exercise\nclass Only(Exercise):\n    id = 'ID'\n    answer = 'only'\n" \
        "    def cases(self, seed): return []\n    def run(self, answer, case): return answer\n" \
        "    def judge(self, case, value): return self.right()\n\nEXERCISE = Only()\n"


def test_a_room_is_named_by_its_folder(tmp_path: Path) -> None:
    registry = make(tmp_path / "one", NAMED.replace("ID", "91.1"))
    assert registry.units() == ("91",) and [room.id for room in registry.rooms("91_odd")] == ["91.1"]
    assert registry.exercise("91.1").answer == "only" and registry.exercises("92") == ()
    other = make(tmp_path / "two", NAMED.replace("ID", "91.1").replace("'only'", "'other'"))
    assert other.exercise("91.1").answer == "other", "another course's unit of the same number takes its place"


@pytest.mark.parametrize("check", ["x = 1\n", NAMED.replace("ID", "91.2"), NAMED.replace("Only()", "None")])
def test_a_check_without_its_exercise_is_refused(tmp_path: Path, check: str) -> None:
    with pytest.raises(ValueError, match=r"1_only/check\.py of unit 91 should end with EXERCISE"):
        make(tmp_path, check).exercise("91.1")


def test_a_check_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    registry = make(tmp_path, "1 / 0\n")
    for _ in "ab":
        with pytest.raises(ZeroDivisionError):
            registry.exercise("91.1")


LAB = '''# %% tags=["core", "setup"]
from threading import Lock, Thread
import nowhere.found

# %% [markdown]
# class Door:

# %%
%time 1

# %%
class Door:
    def __init__(self):
        self.lock = Lock()

    def open(self):
        return self.lock.locked()

Door().open()
limit = 3

# %% tags=["exercise:91.1"]
class Door:
    pass
'''


def test_a_class_is_taken_from_the_labs_cell_with_the_imports_that_it_needs(tmp_path: Path) -> None:
    check = str(make(tmp_path, "", LAB).rooms("91")[0].folder / "check.py")
    assert shown_source(check, "Door").startswith("class Door:\n    def __init__")
    assert shown_class(check, "Door")().open() is False
    later = shown_class(check, "Door", before="return self.lock.locked()", added="self.opened = True")
    door = later()
    assert door.open() is False and door.opened and "with a line more" in later.open.__code__.co_filename
    assert "self.opened = True" in inspect.getsource(later.open)


@pytest.mark.parametrize(("lab", "name", "before", "words"), [
    (LAB, "Window", "", "shows 0 definitions of Window"), (LAB + LAB, "Door", "", "shows 2 definitions of Door"),
    (LAB, "Door", "return 1", "0 lines read 'return 1'"), ("# %%\ndef door(): pass\n", "door", "", "is no class"),
])
def test_what_a_lab_does_not_show_is_named(tmp_path: Path, lab: str, name: str, before: str, words: str) -> None:
    check = str(make(tmp_path, "", lab).rooms("91")[0].folder / "check.py")
    with pytest.raises(ValueError, match=words):
        shown_class(check, name, before, "pass")


def test_course_is_the_checkouts_unless_it_is_shipped_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "sharedstate"
    package.mkdir(parents=True)
    monkeypatch.delenv("SHAREDSTATE_HOME", raising=False)
    assert paths.course() == paths.root() / "course"
    home = paths.root()
    monkeypatch.setattr(paths, "__file__", str(package / "paths.py"))
    monkeypatch.chdir(home)
    assert paths.course() == home / "course", "found around the working directory"
    (package / "course").mkdir()
    assert paths.course() == package / "course"
    monkeypatch.setenv("SHAREDSTATE_HOME", str(home))
    assert paths.course() == home / "course"

"""Every unit's answers on file: wrong ones rejected for their reason, right ones accepted, mutants killed.

And the audit itself: a check that is too lenient does not get past it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from sharedstate import paths
from sharedstate.authoring.style import lab_size
from sharedstate.checks import Case, Exercise, Registry, Verdict, audit
from sharedstate.checks.audit import SEEDS, Bank
from sharedstate.checks.bank import BankAnswer, right_answers, wrong_answers
from sharedstate.checks.mutants import mutants
from sharedstate.checks.registry import Room
from sharedstate.interleave import explore

LABS = [name for name, folder in paths.units().items() if (folder / "lab.py").exists()]
ROOMS = [room for unit in LABS for room in Registry().rooms(unit)]
FILES = {"check.py", "wrong.py", "right.py", "mutants.yml"}
each_exercise = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.id)
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def test_every_lab_has_as_many_exercises_as_it_may_numbered_in_order() -> None:
    for unit in LABS:
        numbers = [room.number for room in Registry().rooms(unit)]
        assert len(numbers) in lab_size(unit) and numbers == [*range(1, len(numbers) + 1)], unit


@each_exercise
def test_a_room_holds_a_check_two_banks_and_nothing_else(room: Room) -> None:
    found = {path.name for path in room.folder.iterdir()} - {"__pycache__"}
    assert FILES - {"mutants.yml"} <= found <= FILES
    assert all(set(entry) == {"mutant", "reason"} for entry in audit.equivalents(room.folder))


@each_exercise
def test_cases_are_a_function_of_the_seed(room: Room) -> None:
    assert audit.case_problems(room.load(), SEEDS) == []


@each_exercise
def test_wrong_answers_are_rejected_for_their_stated_reason(room: Room) -> None:
    assert audit.wrong_problems(audit.read_bank(room), SEEDS[:1]) == []


@each_exercise
def test_right_answers_and_the_solution_are_accepted(room: Room) -> None:
    assert audit.right_problems(audit.read_bank(room), SEEDS[:1]) == []


SEEDS_ADDED = (*SEEDS[1:], *range(100, 105))  # beside that of the default tier; more take longer than the tier may


@pytest.mark.exhaustive
@each_exercise
def test_no_verdict_depends_on_the_seed(room: Room) -> None:
    assert audit.seed_problems(audit.read_bank(room), SEEDS_ADDED) == []


@each_exercise
def test_every_mutant_of_the_solution_is_killed_or_explained(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "WITNESS_SECONDS", 0.05)  # mutants live on in most cases, and each is proved anew
    assert audit.mutant_problems(audit.read_bank(room), SEEDS[0]) == []


class Largest(Exercise):
    """A fake: the answer returns the largest number of a list."""

    id = "90.1"
    title = "Largest"
    answer = "largest"

    def cases(self, seed: int) -> list[Case]:
        """The visible example has its largest number last."""
        return [Case("sorted", {"of": [1, 2, 3]}, True), Case("first", {"of": [9, seed % 5, 4]}),
                Case("middle", {"of": [-4, -1, -2]}), Case("one", {"of": [7]})]

    def run(self, answer: object, case: Case) -> object:
        """Call it."""
        return answer(case["of"])

    def judge(self, case: Case, value: object) -> Verdict:
        """One reason for each way to be wrong."""
        right, numbers = max(case["of"]), case["of"]
        if type(value) is not int:
            return self.wrong("no-number", "No number.")
        if value == right:
            return self.right()
        known = {numbers[-1]: "only-the-last", len(numbers): "counts", 0: "starts-at-zero"}
        return self.wrong(known.get(value, "not-the-largest"), f"{value} is not the largest of {numbers}.")


class Lenient(Largest):
    """The same, looking at the visible example only."""

    def judge(self, case: Case, value: object) -> Verdict:
        """Forget all cases but one."""
        return super().judge(case, value) if case.visible else self.right()


def answer(reason: str, code: str, mechanism: str = "") -> BankAnswer:
    file = "wrong.py" if reason else "right.py"
    return BankAnswer(f"1_largest/{file}:{len(code)}", code, reason, True, "s", mechanism)


SOLUTION = """
def largest(numbers):
    best = numbers[0]
    for number in numbers[1:]:
        if number > best:
            best = number
    return best
"""
EQUAL = {"mutant": "compare Gt -> GtE in: if number > best:", "reason": "equal is equal"}
SLICES = tuple(
    {"mutant": text, "reason": "compares the first with itself"}
    for text in ("1 -> 0 in: for number in numbers[1:]:",))
HONEST = Bank(
    Largest(), "",
    (
        answer("only-the-last", "def largest(n): return n[-1]"),
        answer("counts", "def largest(n): return len(n)"),
        answer("starts-at-zero", "def largest(n): return max([0, *n])"),
        answer("not-the-largest", "def largest(n): return max(n) if n[0] < n[-1] else min(n) - 5"),
        answer("no-number", "def largest(n): return max(n) if len(n) == 3 else str(n)"),
    ),
    (answer("", "def largest(n): return max(n)", mechanism="max"),
     answer("", "def largest(n): return sorted(n)[-1]", mechanism="sort")),
    SOLUTION, (EQUAL, *SLICES))


def problems(bank: Bank) -> list[str]:
    seeds = (1, 2)
    found = audit.wrong_problems(bank, seeds) + audit.right_problems(bank, seeds)
    return found + audit.mutant_problems(bank, 1)


def test_an_honest_bank_passes_the_audit() -> None:
    assert problems(HONEST) == []


def test_a_lenient_check_does_not_get_past_the_audit() -> None:
    lenient = replace(HONEST, exercise=Lenient())
    assert any("ok, not only-the-last" in text for text in audit.wrong_problems(lenient, (1,)))
    assert any("accepted and not explained" in text for text in audit.mutant_problems(lenient, 1))


@pytest.mark.parametrize(("took", "seconds"), [(0.5, 3.5), (50.0, Largest.seconds)])
def test_a_mutant_gets_a_second_and_five_times_as_long_as_the_solution_took(
    monkeypatch: pytest.MonkeyPatch, took: float, seconds: float
) -> None:
    clock, given = iter((10.0, 10.0 + took)), list[float | None]()

    def judged(bank: Bank, *_: object, seconds: float | None = None) -> Verdict:
        given.append(seconds)
        return bank.exercise.right()

    monkeypatch.setattr(audit, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(audit, "judge_source", judged)
    assert len(audit.survivors(HONEST, 1)) == len(given) - 1
    assert given[0] is None and set(given[1:]) == {seconds}


def test_a_mutant_that_never_ends_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "SOON", 0.1)
    solution = SOLUTION.replace("return best", "while numbers:\n        numbers = []\n    return best")
    alive = [one.text for one in audit.survivors(replace(HONEST, solution=solution), 1)]
    assert any("numbers = []" in one.text for one in mutants(solution)) and not any("numbers = []" in t for t in alive)


def test_an_answer_that_never_ends_is_not_waited_for_as_a_learner_s_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "HANGING_SECONDS", 0.1)
    stuck = replace(answer("timeout", "def largest(n):\n    while True: pass"), visible=False)
    exercise = Largest()
    assert (audit.patience(exercise, stuck), audit.patience(exercise, HONEST.wrong[0])) == (0.1, exercise.seconds)
    assert not any("timeout" in text for text in audit.wrong_problems(replace(HONEST, wrong=(stuck,)), (1,)))


def test_a_strict_check_does_not_get_past_the_audit_either() -> None:
    strict = replace(HONEST, right=(answer("", "def largest(n): return n[0]", mechanism="x"), *HONEST.right))
    assert any("rejected" in text for text in audit.right_problems(strict, (1,)))


class ByChance(Largest):
    """A judge that looks at the first number of the list only: whether it is the largest hangs on the seed."""

    def cases(self, seed: int) -> list[Case]:
        """The first is largest for every third seed."""
        return [Case("sorted", {"of": [1, 2, 3]}, True), Case("first", {"of": [seed % 3, 1, 1]})]


def test_a_verdict_that_hangs_on_the_seed_is_found() -> None:
    first = replace(HONEST, exercise=ByChance(), wrong=(answer("only-the-last", "def largest(n): return n[2]"),))
    found = audit.seed_problems(first, range(6))
    assert len(found) == 4 and all("ok, not only-the-last" in text for text in found)
    assert audit.seed_problems(HONEST, range(6)) == []


@pytest.mark.parametrize(("change", "words"), [
    ({"wrong": HONEST.wrong[:4]}, "4 wrong answers"),
    ({"wrong": (*HONEST.wrong, answer("counts", "def largest(n): return n[-1]"))}, "not counts"),
    ({"wrong": tuple(replace(a, visible=False) for a in HONEST.wrong)}, "0 wrong"),
    ({"wrong": (replace(HONEST.wrong[0], visible=False), *HONEST.wrong[1:])}, "against its heading"),
    ({"wrong": (answer("exception", "1/0"), answer("exception", "x"), *HONEST.wrong)}, "2 wrong answers f"),
    ({"wrong": (HONEST.wrong[0],) * 5}, "1 different reasons"),
    ({"right": HONEST.right[:1]}, "1 different mechanisms"),
    ({"equivalent": ()}, "accepted and not explained"),
    ({"equivalent": ({**EQUAL, "reason": ""}, *SLICES)}, "accepted and not explained"),
    ({"equivalent": (EQUAL, *SLICES, {**EQUAL, "mutant": "gone"})}, "no survivor: gone"),
])
def test_each_rule_of_the_bank_is_kept(change: dict, words: str) -> None:
    found = problems(replace(HONEST, **change))
    assert any(words in text for text in found), found


@pytest.mark.parametrize(("heading", "words"), [
    ("too-low | visible: yes | takes the last", ""), ("too-low | visible: no | a | b", ""),
    ("too-low | visible: perhaps | takes the last", r"wrong\.py:3: the heading"),
    ("too-low | visible: yes", "the heading"), (" | visible: yes | takes the last", "the heading"), ("", "the heading"),
])
def test_a_wrong_answers_heading_says_reason_visibility_and_story(tmp_path: Path, heading: str, words: str) -> None:
    (tmp_path / "wrong.py").write_text(f'"""Answers."""\n\n# %% {heading}\nlargest = 1\n', encoding="utf-8")
    if words:
        with pytest.raises(ValueError, match=words):
            wrong_answers(tmp_path)
    else:
        found, = wrong_answers(tmp_path)
        assert (found.reason, found.source) == ("too-low", "largest = 1\n") and heading.endswith(found.story)


def test_a_right_answers_heading_says_its_mechanism(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text("# %% max\nlargest = max\n# %%\nlargest = min\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"right\.py:3: the heading"):
        right_answers(tmp_path)


def test_mutants_cover_the_mistakes_that_the_course_names() -> None:
    source = (
        'plan = ["a*2", "b"]\n'
        "def f(self, x):\n    with self.lock:\n        self.n = x\n        return self.n < 3\n")
    texts = "\n".join(m.text for m in mutants(source))
    for part in ("compare Lt -> LtE", "3 -> 4", "drop `self.n = x`", "unwrap `with self.lock:`",
                 "'a*2' -> 'a*3'", "move the first out of", "move the last out of",
                 "exchange elements 0 and 1", "drop element 1"):
        assert part in texts, part
    assert len({m.text for m in mutants(source)}) == len(mutants(source))

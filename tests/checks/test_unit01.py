"""Lab 01: every exercise's judge says the right thing about right and wrong answers."""

from __future__ import annotations

import ast

import pytest

from sharedstate import paths
from sharedstate.checks import Case, Registry, assess, exercise, exercises
from sharedstate.checks.scenarios import FEWEST, mallory_at
from sharedstate.checks.shown import shown_source

UNIT = paths.units()["01_passcode_race"]
VAULTS = exercise("01.1").checkers
TRUTH = Registry().room("01.2").module().TRUTH

JUNK = (None, True, 7, "yes", [], [1], ["a"] * 100, {}, {"answers": [True]}, [None, None], [[True], [False]])


@pytest.mark.parametrize("one", exercises("01"), ids=lambda one: one.id)
def test_cases_are_the_same_for_the_same_seed(one: object) -> None:
    assert one.cases(7) == one.cases(7)
    assert sum(case.visible for case in one.cases(7)) == 1
    assert all(Case.from_json(case.to_json()) == case for case in one.cases(7))


@pytest.mark.parametrize("number", ["01.1", "01.3", "01.4", "01.5"])
def test_hidden_cases_vary_with_the_seed(number: str) -> None:
    assert exercise(number).cases(1) != exercise(number).cases(2)


@pytest.mark.parametrize("one", exercises("01"), ids=lambda one: one.id)
@pytest.mark.parametrize("value", JUNK, ids=repr)
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        assert one.judge(case, value).ok is False


def test_a_huge_number_gets_a_message() -> None:
    assert assess(exercise("01.5"), lambda *sliders: 10**400, 0).reason == "off-by-scale"


@pytest.mark.parametrize("schedule", [["mallory*9"], ["alice*"] * 61, ["bob*"], ["alice **"], ["mallory*٣"]])
def test_words_that_cannot_be_played_are_named(schedule: list[str]) -> None:
    assert assess(exercise("01.1"), schedule, 0).reason == "bad-word"


def test_a_harness_without_threads_is_found_out_by_a_meeting() -> None:
    one = exercise("01.4")
    case = next(case for case in one.cases(0) if case["kind"] == "meet")
    seen = one.run(lambda check, candidates, threads: [check(c) for c in candidates], case)
    assert one.judge(case, seen).reason == "one-by-one"


def test_printing_in_a_worker_is_seen_and_in_the_caller_is_not() -> None:
    from threading import Thread

    def quiet(check: object, candidates: list[str], threads: int) -> list[bool]:
        print("measuring")
        return [check(c) for c in candidates]

    def loud(check: object, candidates: list[str], threads: int) -> list[bool]:
        worker = Thread(target=print, args=("measuring",))
        worker.start()
        worker.join()
        return [check(c) for c in candidates]

    one = exercise("01.4")
    case = one.cases(0)[0]
    assert one.judge(case, one.run(quiet, case)).ok
    assert one.judge(case, one.run(loud, case)).reason == "prints-in-threads"


def test_the_failing_schedule_is_shown_for_the_race() -> None:
    verdict = assess(exercise("01.1"), ["mallory", "alice*", "mallory*"], 0)
    assert verdict.reason == "still-refused"
    assert "candidate" in verdict.schedule


def test_two_switches_are_the_fewest() -> None:
    vault = mallory_at(next(iter(VAULTS.values())), "s3cret", "guess")
    minimal = vault.explore(strategy="preemptions", preemptions=2).minimal
    assert (minimal.preemptions, minimal.switches) == (1, FEWEST)


def lab_classes() -> dict[str, ast.ClassDef]:
    """Return the classes that the lab's cells define."""
    tree = ast.parse((UNIT / "lab.py").read_text(encoding="utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def test_the_class_that_is_judged_is_the_labs_and_a_day_later_it_has_a_line_more() -> None:
    lab, (vault, logged) = lab_classes()["VaultChecker"], (kind("a") for kind in VAULTS.values())
    check = str(Registry().room("01.1").folder / "check.py")
    assert ast.unparse(lab) == ast.unparse(ast.parse(shown_source(check, "VaultChecker")))
    assert vault.check("a") is logged.check("a") is True
    assert {**vars(vault), "last_seen": "a"} == vars(logged)


@pytest.mark.parametrize("name", TRUTH)
def test_the_listed_accesses_are_those_of_the_lab(name: str) -> None:
    """Run the lab's own method on an object that records every access."""
    log: list[str] = []

    class Recorder(type):
        def __getattribute__(cls, field: str) -> object:
            if not field.startswith("__") and field != "enter" and field != "issue":
                log.append(f"read {field}")
            return super().__getattribute__(field)

        def __setattr__(cls, field: str, value: object) -> None:
            log.append(f"write {field}")
            super().__setattr__(field, value)

    class Recorded(metaclass=Recorder):
        def __getattribute__(self, field: str) -> object:
            if field in ("total", "limit", "owner", "last"):
                log.append(f"read {field}")
            return object.__getattribute__(self, field)

        def __setattr__(self, field: str, value: object) -> None:
            log.append(f"write {field}")
            object.__setattr__(self, field, value)

    node = lab_classes()[name]
    node.bases = [ast.Name("Recorded", ast.Load())]
    scope: dict[str, object] = {"Recorded": Recorded}
    exec(compile(ast.fix_missing_locations(ast.Module([node], [])), "lab.py", "exec"), scope)
    instance = scope[name](3) if name == "Visits" else scope[name]()
    log.clear()
    (instance.issue if name == "Badge" else instance.enter)("ada")
    assert tuple(log) == TRUTH[name]

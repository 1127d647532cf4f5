"""Influence between threads: leak, lost, the schedule column, witnesses that replay, what is not claimed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sharedstate import influence
from sharedstate.influence import Influence, runs, witness
from sharedstate.interleave import Scenario

_spec = importlib.util.spec_from_file_location("influence_programs", Path(__file__).with_name("programs.py"))
programs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(programs)

CALLS = {"alice": lambda c, word: c.check(word), "mallory": lambda c, word: c.check(word)}
WORDS = {"alice": ["s3cret", "guess"], "mallory": ["s3cret", "guess"]}
ADDS = {"a": lambda counter, n: counter.add(n), "b": lambda counter, n: counter.add(n)}
AMOUNTS = {"a": [1, 2], "b": [1, 2]}


def new(cls: type) -> Callable[[], object]:
    """A setup with a checker of this class."""
    return lambda: cls("s3cret")


def study(cls: type, **more: object) -> Influence:
    """Two visitors at one checker."""
    return influence.threads(new(cls), CALLS, WORDS, **more)


def count(cls: type, **more: object) -> Influence:
    """Two threads that add to one counter, whose total is observed."""
    return influence.threads(cls, ADDS, AMOUNTS, observe=lambda counter: {"total": counter.total}, **more)


# --- the checker


def test_the_racy_checker_leaks_both_ways_and_by_the_schedule() -> None:
    found = study(programs.Racy)
    assert found.rows == ("alice", "mallory") and found.columns == ("alice", "mallory", "schedule")
    assert found.states == (("allowed", "leak", "leak"), ("leak", "allowed", "leak"))
    assert found.lost == () and not found.clean
    assert found.message == "4 leaks, first: mallory's input reaches alice's answer"


def test_the_witness_replays_on_generators_and_on_real_threads() -> None:
    found = study(programs.Racy)
    assert set(found.witnesses) == set(found.leaks)
    witness = found.witnesses["mallory", "alice"]
    assert witness.inputs[0] == {"alice": "s3cret", "mallory": "guess"}
    assert witness.inputs[1] == {"alice": "guess", "mallory": "guess"}
    assert len(witness.answers[0]) == 2 and len(witness.answers[1]) == 1
    assert witness.trace.answers["mallory"] is True and witness.trace.confirmed
    assert witness.trace.preemptions == 1 and witness.trace.token in witness.text
    for where in ("generators", "threads"):
        assert witness.replay(on=where).answers["mallory"] is True
    scenario = influence.room(new(programs.Racy), CALLS, witness.inputs[0])
    assert scenario.replay(witness.trace.token).answers["mallory"] is True


def test_the_answer_of_a_witness_is_out_of_reach_for_its_second_input() -> None:
    witness = study(programs.Racy).witnesses["mallory", "alice"]
    inputs = witness.inputs[1]
    room = influence.room(new(programs.Racy), CALLS, inputs, never=lambda _, said: said["mallory"])
    assert room.explore().verdict == "proved"


@pytest.mark.parametrize("column", ["alice", "mallory"])
def test_a_schedule_witness_differs_from_one_after_the_other(column: str) -> None:
    witness = study(programs.Racy).witnesses[column, "schedule"]
    assert witness.inputs[0] is witness.inputs[1] and witness.answers[0] != witness.answers[1]
    assert "as the order will have it" in witness.text and witness.replay().token == witness.trace.token


def test_a_checker_that_always_refuses_has_lost_the_influence_that_must_be() -> None:
    found = study(programs.Refusing)
    assert found.states == (("lost", "isolated", "isolated"), ("isolated", "lost", "isolated"))
    assert found.leaks == () and not found.clean
    assert found.message == "2 lost, first: alice's own input never reaches alice's answer"
    assert "alice is False whatever alice is given" in found.witnesses["alice", "alice"].text
    assert study(programs.Refusing, must=()).clean


FIXES = (programs.Locked, programs.Own, programs.PerThread)


@pytest.mark.parametrize("cls", FIXES, ids=lambda cls: cls.__name__)
def test_the_fixes_are_clean(cls: type) -> None:
    found = study(cls)
    assert found.states == (("allowed", "isolated", "isolated"), ("isolated", "allowed", "isolated"))
    assert found.clean and found.witnesses == {} and found.notes == ()
    assert found.message == "Clean: nothing leaks, nothing is lost, 4 of 6 cells isolated"


def test_an_observed_field_is_a_row() -> None:
    found = study(programs.Locked, observe=lambda checker: {"board": checker.input_buffer})
    assert found.rows == ("alice", "mallory", "board")
    assert found.leaks == (("board", "alice"), ("board", "mallory"), ("board", "schedule"))
    witness = found.witnesses["board", "alice"]
    assert dict(witness.replay().observed)["board"] == "s3cret"
    assert study(programs.Locked, observe=lambda c: {"board": c.input_buffer}, may=[("board", "*")]).clean
    assert study(programs.Locked, observe=lambda c: c.result).rows == ("alice", "mallory", "observed")


def three(cls: type) -> Influence:
    """Three visitors."""
    names = ("alice", "bob", "mallory")
    calls = dict.fromkeys(names, CALLS["alice"])
    return influence.threads(new(cls), calls, dict.fromkeys(names, WORDS["alice"]), seconds=120)


def test_three_visitors_at_a_locked_checker_are_isolated() -> None:
    found = three(programs.Locked)
    assert found.clean and len(found.cells("isolated")) == 9 and len(found.cells("allowed")) == 3


@pytest.mark.exhaustive
def test_three_visitors_at_a_racy_checker_all_reach_each_other() -> None:
    found = three(programs.Racy)
    assert len(found.leaks) == 9 and not found.unknown and not found.lost


# --- the counter


NEIGHBOURS = [("a", "b"), ("b", "a")]
TOTAL = [("total", "a"), ("total", "b")]


def test_a_lost_update_lives_in_the_schedule_column() -> None:
    found = count(programs.Counter, may=[*NEIGHBOURS, *TOTAL])
    assert found.leaks == (("a", "schedule"), ("b", "schedule"), ("total", "schedule"))
    witness = found.witnesses["total", "schedule"]
    assert witness.answers == (2, 1) and dict(witness.trace.observed)["total"] == 1


def test_with_the_schedule_allowed_the_matrix_no_longer_sees_a_lost_update() -> None:
    allowed = [*NEIGHBOURS, *TOTAL, ("*", "schedule")]
    assert count(programs.Counter, may=allowed).clean
    assert count(programs.LockedCounter, may=allowed).clean
    strict = count(programs.LockedCounter, may=[*NEIGHBOURS, *TOTAL])
    assert strict.leaks == (("a", "schedule"), ("b", "schedule"))
    assert strict.state("total", "schedule") == "isolated"


def test_serialisability_tells_a_lost_update_from_a_legal_order() -> None:
    threads = {"a": lambda counter: counter.add(1), "b": lambda counter: counter.add(1)}
    lost = influence.serialisable(programs.Counter, threads, observe=lambda counter: counter.total)
    legal = influence.serialisable(programs.LockedCounter, threads, observe=lambda counter: counter.total)
    assert lost.verdict == "not serialisable" and not lost and lost.trace.observed == 1
    assert lost.trace.preemptions == 1 and lost.trace.confirmed and lost.trace.token in lost.text
    assert lost.odd == {((1, 1), 1)}
    assert legal.ok and legal.outcomes == {((1, 2), 2), ((2, 1), 2)} == set(legal.serial.values())
    scenario = Scenario(programs.Counter, threads, observe=lambda counter: counter.total)
    assert scenario.replay(lost.trace.token).observed == 1
    assert influence.serialisable(scenario).verdict == "not serialisable"


# --- serialisability of the checkers, and where it is not decided


def visitors(cls: type) -> Scenario:
    """Alice is right, Mallory is not."""
    return Scenario(
        lambda: cls("s3cret"), {"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")}
    )


def test_serialisability_needs_no_predicate() -> None:
    found = influence.serialisable(visitors(programs.Racy))
    assert found.verdict == "not serialisable" and found.odd == {((True, True), None), ((False, False), None)}
    for cls in (programs.Locked, programs.Own, programs.PerThread):
        assert influence.serialisable(visitors(cls)).ok
    refusing = influence.serialisable(visitors(programs.Refusing))
    assert refusing.ok, "safe, and of no use: that is what influence is for"


def test_serialisability_is_not_claimed_when_the_exploration_ran_out() -> None:
    found = influence.serialisable(visitors(programs.Locked), executions=1)
    assert found.verdict == "not decided" and not found.ok and "ran out" in found.text


def test_a_deadlock_is_no_serial_outcome() -> None:
    threads = {"a": lambda s: s.work("left first"), "b": lambda s: s.work("right first")}
    found = influence.serialisable(programs.TwoLocks, threads)
    assert found.verdict == "not serialisable" and found.trace.verdict == "deadlock"
    assert "deadlock" in found.text


def test_a_call_that_must_wait_for_another_has_no_serial_order_of_its_own() -> None:
    class Box:
        def __init__(self) -> None:
            self.full = __import__("threading").Semaphore(0)
            self.value = 0

        def put(self) -> str:
            self.value = 7
            self.full.release()
            return "put"

        def get(self) -> int:
            self.full.acquire()
            return self.value

    found = influence.serialisable(Box, {"get": lambda box: box.get(), "put": lambda box: box.put()})
    assert found.ok and list(found.serial) == [("put", "get")]


@pytest.mark.parametrize("extra", [{}, {"threads": {"a": len}, "setup": "room"}])
def test_serialisable_takes_a_scenario_or_a_setup(extra: dict) -> None:
    room = visitors(programs.Racy)
    given = (room,) if extra.pop("setup", "") else (lambda: 1,)
    with pytest.raises(ValueError, match="Scenario"):
        influence.serialisable(*given, **extra)


# --- what is not claimed


def test_an_exploration_that_ran_out_never_claims_isolation() -> None:
    for cls in (programs.Racy, programs.Locked):
        found = study(cls, executions=1)
        assert not found.cells("isolated") and not found.lost and not found.clean
        assert all("ran out" in note for note in found.notes) and "not decided" in found.message
    assert study(programs.Locked, executions=1).unknown == tuple(
        (row, column) for row in ("alice", "mallory") for column in ("alice", "mallory", "schedule")
    )


def test_what_was_seen_before_it_ran_out_still_counts() -> None:
    found = study(programs.Racy, executions=10)
    assert found.leaks and found.unknown and set(found.leaks) <= set(study(programs.Racy).leaks)
    assert "isolated" not in {state for row in found.states for state in row}


def test_code_without_shared_accesses_is_lost_and_isolated() -> None:
    """Nothing is shared, so nobody influences anybody: not even themselves."""
    found = study(programs.Deaf)
    assert found.states == (("lost", "isolated", "isolated"), ("isolated", "lost", "isolated"))
    assert influence.serialisable(visitors(programs.Deaf)).ok


def test_a_dead_end_is_an_answer_of_every_row() -> None:
    calls = {"a": lambda s, order: s.work(order), "b": lambda s, order: s.work(order)}
    orders = {"a": ["left first"], "b": ["left first", "right first"]}
    found = influence.threads(programs.TwoLocks, calls, orders, must=())
    assert found.columns == ("b", "schedule")
    assert found.leaks == (("a", "b"), ("a", "schedule"), ("b", "b"), ("b", "schedule"))
    assert "no answer: deadlock" in found.witnesses["a", "b"].text
    assert found.witnesses["a", "b"].trace.verdict == "deadlock"


def test_at_a_dead_end_an_observed_field_has_no_answer() -> None:
    calls = {"a": lambda s, order: s.work(order), "b": lambda s, order: s.work(order)}
    values = {"a": "left first", "b": "right first"}
    scenario = influence.room(programs.TwoLocks, calls, values, lambda s: {"free": not s.left.locked()})
    answers = runs.seen(values, scenario.explore()).answers
    assert answers["free"] == {("bool", "True"), "(no answer: deadlock)"}


def test_a_witness_rests_on_the_choice_of_which_all_schedules_are_known() -> None:
    def known(n: int, answers: set[int], complete: bool) -> runs.Seen:
        return runs.Seen({"a": n}, {"a": frozenset(answers)}, complete, False, 1, ())

    program = witness.Program(programs.LockedCounter, {"a": lambda counter, n: counter.add(n)}, None)
    partly = [known(1, {1, 3}, True), known(2, {2}, False)]
    assert witness.of(partly, "a", "a", "leak", program).inputs == ({"a": 2}, {"a": 1})


def test_an_exception_is_an_answer() -> None:
    class Strict(programs.Racy):
        def check(self, candidate: str) -> bool:
            if candidate != self.correct:
                raise ValueError(candidate)
            return True

    found = study(Strict)
    assert found.clean and found.state("alice", "alice") == "allowed"


def test_true_is_not_one() -> None:
    class Odd:
        def __init__(self) -> None:
            self.table = {0: 1, 1: True, 2: 0.0}

        def look(self, key: int) -> object:
            return self.table[key]

    calls = {"a": lambda odd, key: odd.look(key), "b": lambda odd, key: odd.look(key)}
    assert influence.threads(Odd, calls, {"a": [0, 1], "b": [2]}).clean
    assert influence.threads(Odd, calls, {"a": [0, 1], "b": [2]}).state("b", "schedule") == "isolated"


# --- calls, inputs and declarations


def test_a_call_keeps_its_defaults_and_what_it_captured() -> None:
    offset = {"by": 1}

    def call(counter: object, n: int, twice: int = 2, *, extra: int = 0) -> int:
        return counter.add(n * twice + extra + offset["by"])

    found = influence.threads(programs.LockedCounter, {"a": call, "b": programs.LockedCounter.add}, AMOUNTS,
                              may=[("*", "*")])  # fmt: skip
    assert found.clean and {state for row in found.states for state in row} == {"allowed"}
    trace = influence.room(programs.LockedCounter, {"a": call}, {"a": 5}).play(["a*"])
    assert trace.answers == {"a": 11}


@pytest.mark.parametrize(
    ("change", "word"),
    [({"inputs": {"alice": ["x"]}}, "same threads"),
     ({"inputs": {**WORDS, "alice": "s3cret"}}, "list of values"),
     ({"inputs": {**WORDS, "alice": []}}, "list of values"), ({"may": [("bob", "alice")]}, "bob"),
     ({"must": [("alice", "bob")]}, "bob"), ({"calls": {**CALLS, "alice": lambda state: 1}}, "state, value"),
     ({"calls": {**CALLS, "alice": len}}, "state, value"), ({"calls": {**CALLS, "alice": 7}}, "state, value"),
     ({"calls": {}, "inputs": {}}, "same threads"),
     ({"observe": lambda state: {"alice": 1}}, "thread's name"),
     ({"calls": {"schedule": CALLS["alice"]}, "inputs": {"schedule": [1, 2]}}, "column"),
     ({"inputs": {"alice": range(20), "mallory": range(20)}}, "400 choices")],
)  # fmt: skip
def test_bad_input_is_refused_with_a_reason(change: dict, word: str) -> None:
    given = {"setup": lambda: programs.Racy("s3cret"), "calls": CALLS, "inputs": WORDS, **change}
    with pytest.raises(ValueError, match=word):
        influence.threads(**given)


def test_threads_and_serialisable_load_no_torch() -> None:
    code = (
        "import sys\nfrom sharedstate import influence\n"
        "influence.threads(dict, {'a': lambda d, v: d.setdefault('k', v)}, {'a': [1, 2]})\n"
        "print(sorted({'torch', 'numpy', 'matplotlib', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

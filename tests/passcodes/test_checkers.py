"""What the checkers answer alone, and what they answer when the interleaving is forced."""

from __future__ import annotations

import inspect
import sys
import threading

import pytest

from sharedstate.passcodes import (
    FREE_THREADED,
    RIGHT,
    WRONG,
    can_switch_between,
    count_forced,
    force_by_event,
    force_by_trace,
    gil_enabled,
    switch_points,
)
from sharedstate.passcodes.checkers import (
    CHECKERS,
    FIXED,
    RACY,
    WITH_GAP,
    CallChecker,
    FinaliserChecker,
    ImmutableChecker,
    LockChecker,
    NoSpinChecker,
    SpinChecker,
)
from sharedstate.passcodes.recorded import GAP_SWEEP, THREAD_SWEEP
from sharedstate.passcodes.seams import SeamMissed, decision_line
from sharedstate.switch_points import kind_of

ISOLATED = [name for name in FIXED if name != "lock"]


@pytest.mark.parametrize("name", CHECKERS)
def test_alone_every_checker_is_right(name: str) -> None:
    checker = CHECKERS[name]()
    assert [checker.check(c) for c in (RIGHT, WRONG, RIGHT, "")] == [True, False, True, False]


def test_event_seam_lets_the_wrong_passcode_in_every_time(exhaustive: bool) -> None:
    rounds = 1000 if exhaustive else 200
    assert count_forced(rounds).false_accepts == rounds


@pytest.mark.parametrize("name", RACY)
def test_every_racy_checker_fails_unmodified_when_its_thread_is_parked(name: str) -> None:
    count = count_forced(20, RACY[name], force_by_trace)
    assert (count.false_accepts, count.blocked) == (20, 0)


def test_the_right_passcode_is_refused_just_as_surely() -> None:
    forced = force_by_event(SpinChecker(), victim=RIGHT, intruder=WRONG)
    assert (forced.victim, forced.intruder) == (False, False)


@pytest.mark.parametrize("force", [force_by_event, force_by_trace])
@pytest.mark.parametrize("name", ISOLATED)
def test_isolated_versions_hold_under_the_same_seam(name: str, force) -> None:
    forced = [force(FIXED[name]()) for _ in range(20)]
    assert {(f.victim, f.intruder, f.blocked) for f in forced} == {(False, True, False)}


@pytest.mark.parametrize("force", [force_by_event, force_by_trace])
def test_a_lock_makes_the_second_thread_wait(force) -> None:
    forced = force(LockChecker(), patience=0.1)
    assert (forced.victim, forced.intruder, forced.blocked) == (False, True, True)


def test_a_lock_of_its_own_for_each_call_does_not_hold() -> None:
    class NewLockPerCall(LockChecker):
        def check(self, candidate, gap=()):
            self.lock = threading.Lock()
            return super().check(candidate, gap)

    assert force_by_event(NewLockPerCall()).victim is True


def test_a_checker_that_ignores_its_gap_is_reported() -> None:
    class Deaf(SpinChecker):
        def check(self, candidate, gap=()):
            return candidate == self.correct

    with pytest.raises(SeamMissed, match="gap argument"):
        force_by_event(Deaf())


def test_an_exception_in_the_victim_is_raised_here() -> None:
    class Broken(SpinChecker):
        def check(self, candidate, gap=()):
            raise LookupError("no passcode file")

    with pytest.raises(LookupError, match="no passcode file"):
        force_by_event(Broken())


def test_without_a_comparison_there_is_no_line_to_park_at() -> None:
    with pytest.raises(SeamMissed, match="give the line"):
        decision_line(lambda: None)


def test_nobody_can_write_to_the_immutable_checker() -> None:
    checker = ImmutableChecker()
    with pytest.raises(AttributeError, match="immutable"):
        checker.result = True


def test_with_gap_names_the_checkers_that_take_one() -> None:
    takes = {name for name, c in CHECKERS.items() if "gap" in inspect.signature(c.check).parameters}
    assert takes == set(WITH_GAP)


# -- Where this Python may switch: read from bytecode, for every version from 3.11 to 3.14.


def kinds(function, **options) -> list[str]:
    return [p.kind for p in switch_points(function, gil=True, **options)]


def lines(function) -> tuple[int, int]:
    """Line of the write to input_buffer, and of the look up."""
    first = function.__code__.co_firstlineno
    source = inspect.getsource(function).splitlines()
    write = next(i for i, s in enumerate(source) if "self.input_buffer =" in s)
    read = next(i for i, s in enumerate(source) if "==" in s)
    return first + write, first + read


def test_the_spin_loop_has_a_switch_point_in_the_gap_and_the_bare_version_none() -> None:
    assert kinds(SpinChecker.check) == ["entry", "loop"]
    assert kinds(NoSpinChecker.check) == ["entry"]
    assert can_switch_between(SpinChecker.check, *lines(SpinChecker.check), gil=True)
    assert not can_switch_between(NoSpinChecker.check, *lines(NoSpinChecker.check), gil=True)


def test_one_call_brings_a_switch_point_into_the_gap() -> None:
    assert kinds(CallChecker.check) == ["entry", "call"]
    assert can_switch_between(CallChecker.check, *lines(CallChecker.check), gil=True)


def test_a_write_that_drops_a_finalised_object_is_a_hidden_point() -> None:
    write, _ = lines(FinaliserChecker.check)
    hidden = [p for p in switch_points(FinaliserChecker.check, hidden=True, gil=True) if p.kind == "hidden"]
    assert ("STORE_ATTR", write) in {(p.opname, p.line) for p in hidden}
    assert "hidden" not in kinds(FinaliserChecker.check)


def test_a_call_on_the_line_of_the_write_is_not_in_the_gap() -> None:
    assert kinds(FinaliserChecker.check) == ["entry", "call"]
    assert not can_switch_between(FinaliserChecker.check, *lines(FinaliserChecker.check), gil=True)


def test_without_a_gil_every_line_is_open() -> None:
    assert {p.kind for p in switch_points(NoSpinChecker.check, gil=False)} == {"parallel"}
    assert can_switch_between(NoSpinChecker.check, *lines(NoSpinChecker.check), gil=False)


def test_a_point_shows_its_source_line() -> None:
    point = switch_points(CallChecker.check, gil=True)[1]
    assert (point.source, point.line) == ("_think()", lines(CallChecker.check)[0] + 1)


@pytest.mark.parametrize(
    "opname, arg, kind",
    [
        ("RESUME", 0, "entry"),
        ("RESUME", 1, "entry"),
        ("RESUME", 2, None),  # after `yield from`
        ("RESUME", 3, None),  # after `await`
        ("RESUME", 4, "entry"),  # 3.13 and later: depth bit set, at the function's start
        ("RESUME", 7, None),
        ("JUMP_BACKWARD", 5, "loop"),
        ("POP_JUMP_BACKWARD_IF_TRUE", 5, "loop"),  # 3.11
        ("JUMP_BACKWARD_NO_INTERRUPT", 5, None),
        ("JUMP_FORWARD", 5, None),
        ("CALL", 1, "call"),
        ("CALL_KW", 1, "call"),  # 3.13
        ("CALL_FUNCTION_EX", 1, "call"),
        ("CALL_INTRINSIC_1", 1, None),
        ("STORE_ATTR", 0, "hidden"),
        ("LOAD_CONST", 0, None),
    ],
)
def test_instructions_by_kind(opname: str, arg: int, kind: str | None) -> None:
    assert kind_of(opname, arg) == kind


def test_a_builtin_has_no_bytecode() -> None:
    with pytest.raises(TypeError, match="not a Python function"):
        switch_points(len)


def test_gil_enabled_agrees_with_the_interpreter() -> None:
    assert gil_enabled() is getattr(sys, "_is_gil_enabled", lambda: True)()


def test_recorded_numbers_say_what_they_are() -> None:
    assert [row.gil for row in FREE_THREADED] == [True, False, True, True, False]
    assert FREE_THREADED[1].per_100k[2] == (1411, 8080)
    assert all(low <= high for row in FREE_THREADED for low, high in row.per_100k.values())
    assert {row.date for row in FREE_THREADED} == {"recorded for this course"}
    assert [r.config.threads for r in THREAD_SWEEP] == [2, 4, 8, 16, 32, 64]
    assert [r.config.spin for r in GAP_SWEEP] == [125, 250, 500, 1000, 2000, 4000]

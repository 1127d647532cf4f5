"""Where this Python may switch: read from bytecode, for every version from 3.11 to 3.14."""

from __future__ import annotations

import inspect
import sys

import pytest

from sharedstate.passcodes import FREE_THREADED, can_switch_between, gil_enabled, switch_points
from sharedstate.passcodes.checkers import CallChecker, FinaliserChecker, NoSpinChecker, SpinChecker
from sharedstate.passcodes.recorded import GAP_SWEEP, THREAD_SWEEP
from sharedstate.switch_points import kind_of


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

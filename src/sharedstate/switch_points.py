"""Where may the running Python hand over to another thread? Read from the function's own bytecode.

With a GIL, CPython 3.10 and later looks for a hand-over request only on entry to a Python function, at a
backward jump, and after a call; never between two attribute accesses. An attribute access may still *hide*
a call (a property, or a `__del__` of the value it replaces): `hidden=True` lists those instructions too.
Without a GIL nothing has to be handed over: threads run at the same time, and every instruction is a point.
"""

from __future__ import annotations

import dis
import linecache
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass

# A RESUME after `yield from` or `await` (argument 2 or 3) does not look: what was awaited has looked.
LAST_LOOKING_RESUME = 1
CALLS = ("CALL", "PRECALL", "CALL_KW", "CALL_FUNCTION_EX", "CALL_FUNCTION", "CALL_METHOD")
HIDING = (
    "STORE_ATTR", "LOAD_ATTR", "LOAD_METHOD", "DELETE_ATTR", "STORE_SUBSCR", "BINARY_SUBSCR",
    "DELETE_SUBSCR", "BINARY_OP", "COMPARE_OP", "CONTAINS_OP", "STORE_FAST", "STORE_GLOBAL", "BEFORE_WITH",
    "FOR_ITER", "SEND",
)  # fmt: skip


@dataclass(frozen=True)
class SwitchPoint:
    """One instruction at which threads may switch. kind: entry, loop, call, hidden or parallel."""

    line: int
    opname: str
    offset: int
    source: str
    kind: str


def gil_enabled() -> bool:
    """Return True when this process runs with a global interpreter lock."""
    return getattr(sys, "_is_gil_enabled", lambda: True)()


def free_threaded_build() -> bool:
    """Return True when this Python was built to run without a GIL (it may still be switched on)."""
    return bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def kind_of(opname: str, arg: int | None) -> str | None:
    """Return the kind of switch point under a GIL of an instruction: "hidden" is a maybe, None is never."""
    if opname == "RESUME":
        return "entry" if (arg or 0) & 3 <= LAST_LOOKING_RESUME else None
    if "JUMP_BACKWARD" in opname:
        return None if opname.endswith("NO_INTERRUPT") else "loop"
    if opname in CALLS:
        return "call"
    return "hidden" if opname in HIDING else None


def switch_points(
    function: Callable[..., object], *, hidden: bool = False, gil: bool | None = None
) -> list[SwitchPoint]:
    """Return the function's switch points in bytecode order; functions that it calls have their own.

    A call is listed for what it may be: entering a Python function always looks, some C functions (`len`) do
    not. hidden: also list instructions that may run Python code of somebody's class. gil: True or False asks
    about that kind of interpreter, None about this process. Raises TypeError for an object without bytecode.
    """
    with_gil = gil_enabled() if gil is None else gil
    points: list[SwitchPoint] = []
    code = getattr(function, "__code__", None)
    if code is None:
        raise TypeError(f"{function!r} is not a Python function: it has no bytecode to read.")
    for i in dis.get_instructions(function):
        kind = kind_of(i.opname, i.arg) if with_gil else "parallel"
        line = i.positions.lineno if i.positions else None
        if line is None or kind is None or (kind == "hidden" and not hidden):
            continue
        if i.opname == "CALL" and points and points[-1].opname == "PRECALL":
            points.pop()  # Python 3.11 spells one call with two instructions.
        source = linecache.getline(code.co_filename, line).strip()
        points.append(SwitchPoint(line, i.opname, i.offset, source, kind))
    return points


def can_switch_between(
    function: Callable[..., object], first: int, last: int, *, gil: bool | None = None
) -> bool:
    """Say whether a switch may fall after line `first` and before line `last` (both excluded)."""
    with_gil = gil_enabled() if gil is None else gil
    if not with_gil:
        return True
    return any(first < p.line < last for p in switch_points(function, gil=True))

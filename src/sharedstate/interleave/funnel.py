"""How many interleavings a program has, level by level."""

from __future__ import annotations

import math
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Log = list[tuple]


@dataclass(frozen=True)
class Funnel:
    """How many interleavings there are at each level; None where it is not known.

    `bytecode`: of all executed instructions; `shared`: of the accesses to shared state; `conflicting`: of
    those that conflict with another thread's; `classes`: that differ in the order of a conflicting pair;
    `executions`: that were run.
    """

    bytecode: int | None
    shared: int | None
    conflicting: int | None
    classes: int | None
    executions: int


def multinomial(counts: Iterable[int]) -> int:
    """In how many orders threads with these numbers of steps can run."""
    total, result = 0, 1
    for count in counts:
        total += count
        result *= math.comb(total, count)
    return result


def merged(logs: list[Log]) -> list[Log]:
    """The logs with all fields of an object as one, where a call may have touched any of them."""
    whole = {key[0] for log in logs for _, key, _ in log if key[1] == "*"}
    if not whole:
        return logs
    return [[(t, (key[0], "*") if key[0] in whole else key, mode) for t, key, mode in log] for log in logs]


def conflicts(logs: list[Log]) -> set[tuple]:
    """The fields that one thread writes and another one reads or writes."""
    users: dict[tuple, set[int]] = {}
    writers: dict[tuple, set[int]] = {}
    for log in logs:
        for thread, key, mode in log:
            users.setdefault(key, set()).add(thread)
            if mode:
                writers.setdefault(key, set()).add(thread)
    return {key for key in writers if len(users[key]) > 1}


def signature(log: Log, fields: set[tuple]) -> tuple:
    """The same for two executions exactly if every conflicting pair came in the same order.

    Per field: the writes in order, and between them the reads as a set (their order does not matter).
    """
    numbers: Counter[int] = Counter()
    orders: dict[tuple, list[Any]] = {}
    for thread, key, mode in log:
        if key not in fields:
            continue
        numbers[thread] += 1
        event = (thread, numbers[thread])
        order = orders.setdefault(key, [set()])
        if mode:
            order += [event, set()]
        else:
            order[-1].add(event)
    frozen = {key: tuple(frozenset(e) if isinstance(e, set) else e for e in order) for key, order in orders.items()}
    return tuple(sorted(frozen.items(), key=lambda pair: repr(pair[0])))


def measure(
    logs: list[Log] | None, complete: bool, executions: int, instructions: list[int] | None, reduced: bool = False
) -> Funnel:
    """The funnel of a search; `instructions` are the bytecode instructions per thread, if they are known.

    After a `reduced` search the interleavings were not run: where every execution takes the same steps and no
    lock forbids an order they are computed; elsewhere they are not known.
    """
    bytecode = multinomial(instructions) if instructions else None
    if not logs:
        return Funnel(bytecode, None, None, None, executions)
    logs = merged(logs)
    fields = conflicts(logs)
    steps = Counter(t for t, _, _ in logs[0])
    clashing = Counter(t for t, key, _ in logs[0] if key in fields)
    if not complete:
        return Funnel(bytecode, multinomial(steps.values()), multinomial(clashing.values()), None, executions)
    classes = {signature(log, fields) for log in logs}
    if reduced:
        free = not any(key[1] == "lock" for key in fields)
        same = free and all(Counter(t for t, _, _ in log) == steps for log in logs)
        shared, conflicting = (multinomial(kind.values()) if same else None for kind in (steps, clashing))
        return Funnel(bytecode, shared, conflicting, len(classes), executions)
    orders = {tuple((t, key) for t, key, _ in log if key in fields) for log in logs}
    return Funnel(bytecode, executions, len(orders), len(classes), executions)


def instructions(
    setup: Callable[[], Any], bodies: dict[str, Callable[[Any], Any]], limit: int = 200_000
) -> list[int] | None:
    """How many bytecode instructions each thread runs when it runs alone, one after the other.

    None if a debugger owns tracing, or if a thread does not end within the limit. An instruction that is
    traced in the function's first run only counts from the second, so each thread runs twice.
    """
    if sys.gettrace() is not None:
        return None
    try:
        _count(setup, bodies, limit)
        return _count(setup, bodies, limit)
    except _TooMany:
        return None


class _TooMany(BaseException):
    """More instructions than are worth counting."""


def _count(setup: Callable[[], Any], bodies: dict[str, Callable[[Any], Any]], limit: int) -> list[int]:
    """One counted run of every thread."""
    state, counts = setup(), []
    own = _count.__code__
    for body in bodies.values():
        seen = [0]

        def trace(frame: types.FrameType, event: str, _: Any, seen: list[int] = seen) -> Any:
            if frame.f_code is own:
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            seen[0] += event == "opcode"
            if seen[0] > limit:
                raise _TooMany
            return trace

        sys.settrace(trace)
        try:
            body(state)
        except Exception:
            seen[0] += 0
        finally:
            sys.settrace(None)
        counts.append(seen[0])
    return counts

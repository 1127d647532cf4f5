"""An oracle that needs no predicate: every outcome must equal that of some serial order of the calls."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave import Scenario, Trace
from sharedstate.interleave.execution import freeze
from sharedstate.interleave.result import Result
from sharedstate.interleave.show.words import safe_repr

MOST_ORDERS = 720


@dataclass(frozen=True)
class Serialisable:
    """The answer of `serialisable`.

    `verdict` is "serialisable", "not serialisable" or "not decided"; `ok` is True for the first only.
    `serial` maps each serial order to its outcome (answers sorted by name, observed view), `outcomes` are all
    that were found, `odd` those of no serial order; `trace` is the smallest schedule with one of them.
    """

    verdict: str
    text: str
    outcomes: frozenset[tuple]
    serial: Mapping[tuple[str, ...], tuple]
    odd: frozenset[tuple] = frozenset()
    trace: Trace | None = None

    @property
    def ok(self) -> bool:
        """True if every outcome is that of some serial order, and all schedules were tried."""
        return self.verdict == "serialisable"

    def __bool__(self) -> bool:
        """As `ok`."""
        return self.ok

    def __str__(self) -> str:
        """The verdict and why."""
        return self.text

    __repr__ = __str__


def serialisable(
    setup: Callable[[], Any] | Scenario,
    threads: Mapping[str, Callable[[Any], Any]] | None = None,
    observe: Callable[[Any], Any] | None = None,
    executions: int = 100_000,
    seconds: float = 30.0,
) -> Serialisable:
    """Compare every outcome with those of the serial orders of the calls.

    Give a Scenario, or its `setup`, `threads` and `observe`. An outcome is the threads' answers and the
    observed view of the final state: without `observe`, a lost update that no answer shows is not seen. An
    order in which a call has to wait for another is not a serial one. Raises ValueError for a Scenario
    together with threads, for neither, and for more threads than their orders can be tried.
    """
    if isinstance(setup, Scenario) is (threads is not None):
        raise ValueError("give a Scenario alone, or setup and threads")
    if isinstance(setup, Scenario):
        engine = setup._engine
        setup, threads, observe = engine.setup, engine.bodies, observe or engine.questions.observe
    assert threads is not None  # one of the two was given
    if math.factorial(len(threads)) > MOST_ORDERS:
        raise ValueError(f"{len(threads)} threads have too many serial orders; at most 6 threads")
    room = Scenario(setup, threads, observe=observe)
    result, serial = room.explore("dpor", executions=executions, seconds=seconds), _serial(room)
    odd = result.outcomes - frozenset(serial.values())
    if odd and serial and result.verdict != "not deterministic":
        trace = _smallest(setup, threads, observe, odd, seconds)
        words = _odd_words(room.threads, odd, trace)
        return Serialisable("not serialisable", words, result.outcomes, serial, odd, trace)
    verdict, words = _judge(result, serial, "answers and observed state" if observe else "answers")
    return Serialisable(verdict, words, result.outcomes, serial)


def _judge(result: Result, serial: Mapping, view: str) -> tuple[str, str]:
    """The verdict where no outcome was odd."""
    partly = any(word in result.coverage for word in ("ran out", "stopped"))
    if not serial:
        return "not decided", "not decided: in no serial order do all calls end"
    if partly or result.verdict in ("ran out", "not deterministic", "not instrumented", "not proved"):
        return "not decided", f"not decided: {result.verdict}, {result.coverage}"
    return "serialisable", f"serialisable: {view} always equal those of some serial order ({result.coverage})"


def _serial(room: Scenario) -> dict[tuple[str, ...], tuple]:
    """The outcome of each serial order that ends."""
    found = {}
    for order in itertools.permutations(room.threads):
        trace = room.play([f"{name}*" for name in order])
        if trace.finished and _unbroken(trace.schedule):
            found[order] = outcome(trace)
    return found


def _unbroken(schedule: tuple[str, ...]) -> bool:
    """True if no call went on after another had begun."""
    turns = [name for name, _ in itertools.groupby(schedule)]
    return len(turns) == len(set(turns))


def outcome(trace: Trace) -> tuple:
    """The outcome of a finished trace, as `Result.outcomes` holds it."""
    return (tuple(freeze(trace.answers[name]) for name in sorted(trace.answers)), trace.observed)


def _smallest(setup: Any, threads: Any, observe: Any, odd: frozenset[tuple], seconds: float) -> Trace | None:
    """The schedule with the fewest preemptions that ends in one of the odd outcomes."""

    def never(state: Any, answers: Mapping[str, Any]) -> bool:
        view = None if observe is None else freeze(observe(state))
        return (tuple(freeze(answers[name]) for name in sorted(answers)), view) in odd

    asked = Scenario(setup, threads, never=never, observe=observe)
    return asked.explore(strategy="preemptions", preemptions=100, first=True, seconds=seconds).minimal


def _odd_words(names: tuple[str, ...], odd: frozenset[tuple], trace: Trace | None) -> str:
    """Say which outcome no serial order has."""
    if trace is not None and trace.finished:
        answers = ", ".join(f"{name} {safe_repr(trace.answers[name])}" for name in names)
        view = "" if trace.observed is None else f", observed {safe_repr(trace.observed)}"
        return f"not serialisable: no serial order gives {answers}{view}; schedule {trace.token}\n{trace}"
    example = min(odd, key=repr)
    return f"not serialisable: no serial order ends like this: {example}"

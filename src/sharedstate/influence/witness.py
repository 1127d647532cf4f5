"""Witnesses for threads: two choices of arguments, and the smallest schedule that tells them apart."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sharedstate.influence.matrix import Witness
from sharedstate.influence.runs import Seen, by_row, fields, key, plain, room, told
from sharedstate.influence.words import LEAK, LOST, SCHEDULE
from sharedstate.interleave import Scenario, Trace
from sharedstate.interleave.show.words import safe_repr

MOST_PREEMPTIONS, SECONDS = 100, 20.0


@dataclass(frozen=True)
class Program:
    """What `threads` was given, to run it once more."""

    setup: Callable[[], Any]
    calls: Mapping[str, Callable[[Any, Any], Any]]
    observe: Callable[[Any], Any] | None

    def room(self, values: Mapping[str, object], row: str, wanted: Callable[[object], bool]) -> Scenario:
        """The scenario in which the row's answer must never be one that is wanted."""

        def never(state: Any, answers: Mapping[str, Any]) -> bool:
            return wanted(self.answer(state, answers, row))

        return room(self.setup, self.calls, values, self.observe, never)

    def answer(self, state: Any, answers: Mapping[str, Any], row: str) -> object:
        """What the row gave at the end of a schedule."""
        if row in answers or self.observe is None:
            return key(answers.get(row))
        return key(fields(self.observe(state)).get(row))


def of(found: Sequence[Seen], row: str, column: str, state: str, program: Program) -> Witness | None:
    """The witness of a leak, or what was tried in vain for a lost cell; None for the other states."""
    if state == LEAK and column == SCHEDULE:
        return _by_schedule(next(one for one in found if len(one.of(row)) > 1), row, program)
    if state == LEAK:
        return _by_input(found, row, column, program)
    if state == LOST and column != SCHEDULE:
        return _in_vain(found, row, column)
    return None


def pairs(found: Sequence[Seen], column: str) -> list[tuple[Seen, Seen]]:
    """The choices that differ in the argument of one thread only, both ways round."""
    return [
        (a, b)
        for a in found
        for b in found
        if [name for name in a.values if a.values[name] is not b.values[name]] == [column]
    ]


def _by_input(found: Sequence[Seen], row: str, column: str, program: Program) -> Witness | None:
    """Two inputs of the column, and a schedule with an answer that only the first can bring about."""
    for a, b in pairs(found, column):
        only = sorted(a.of(row) - b.of(row), key=repr) if b.complete else []
        if not only:
            continue
        trace, replay = _schedule(program, a.values, row, functools.partial(operator.eq, only[0]))
        others = {name: value for name, value in a.values.items() if name != column}
        words = (
            f"leak {column} → {row}: {row} can be {plain(only[0])} with {told({column: a.values[column]})}, "
            f"never with {told({column: b.values[column]})}{_beside(others)}{_token(trace)}"
        )
        return Witness(row, column, words, (a.values, b.values), (a.of(row), b.of(row)), trace, replay=replay)
    return None


def _by_schedule(one: Seen, row: str, program: Program) -> Witness:
    """One choice of arguments, and a schedule whose answer is not that of one call after the other."""
    scenario = room(program.setup, program.calls, one.values, program.observe)
    serial = scenario.play([f"{name}*" for name in program.calls])
    first = _answer_of(serial, row) if serial.finished else min(one.of(row), key=repr)
    trace, replay = _schedule(program, one.values, row, functools.partial(operator.ne, first))
    other = _answer_of(trace, row) if trace is not None else next(a for a in one.of(row) if a != first)
    words = (
        f"leak schedule → {row}: with {told(one.values)}, {row} is {plain(first)} or {plain(other)}, "
        f"as the order will have it{_token(trace)}"
    )
    return Witness(row, SCHEDULE, words, (one.values, one.values), (first, other), trace, replay=replay)


def _in_vain(found: Sequence[Seen], row: str, column: str) -> Witness:
    """The inputs of the column that made no difference."""
    a, b = pairs(found, column)[0]
    answers = " or ".join(plain(answer) for answer in sorted(a.of(row), key=repr))
    tried = " and ".join(dict.fromkeys(safe_repr(one.values[column], 24) for one in found))
    words = f"lost {column} → {row}: {row} is {answers} whatever {column} is given ({tried} tried)"
    return Witness(row, column, words, (a.values, b.values), (a.of(row), b.of(row)))


def _schedule(
    program: Program, values: Mapping[str, object], row: str, wanted: Callable[[object], bool]
) -> tuple[Trace | None, Callable[..., Trace] | None]:
    """The schedule with the fewest preemptions that ends in a wanted answer, and how to run it again."""
    scenario = program.room(values, row, wanted)
    for plan in (
        {"strategy": "preemptions", "preemptions": MOST_PREEMPTIONS, "first": True}, {"strategy": "dpor"},
    ):  # fmt: skip
        trace = scenario.explore(seconds=SECONDS, **plan).minimal
        if trace is not None and wanted(_answer_of(trace, row)):
            return trace, functools.partial(scenario.replay, trace.token)
    return None, None


def _answer_of(trace: Trace, row: str) -> object:
    """What the row gave in a trace."""
    if not trace.finished:
        return f"(no answer: {trace.verdict})"
    names = sorted(trace.answers)
    return by_row(names, (tuple(trace.answers[name] for name in names), trace.observed)).get(row)


def _beside(others: Mapping[str, object]) -> str:
    """The arguments that stayed."""
    return f" ({told(others)})" if others else ""


def _token(trace: Trace | None) -> str:
    """The schedule's token."""
    return f"; schedule {trace.token}" if trace is not None else ""

"""The interleavings of one choice of arguments: which answers each row can get."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import freeze
from sharedstate.interleave.result import Result
from sharedstate.interleave.show.words import safe_repr

OBSERVED, ABSENT, DEAD = "observed", "(absent)", ""
UNDECIDED = ("ran out", "bounded", "not deterministic", "not instrumented", "not proved")


def room(
    setup: Callable[[], Any],
    calls: Mapping[str, Callable[[Any, Any], Any]],
    values: Mapping[str, object],
    observe: Callable[[Any], Any] | None = None,
    never: Callable[[Any, Mapping[str, Any]], Any] | None = None,
) -> Scenario:
    """The scenario in which each thread makes its call with its value: what `threads` explores.

    Raises ValueError for a call that does not take (state, value), and for a value that is missing.
    """
    missing = [name for name in calls if name not in values]
    if missing:
        raise ValueError(f"no value for {', '.join(missing)}")
    bodies = {name: bind(name, call, values[name]) for name, call in calls.items()}
    return Scenario(setup, bodies, never=never, observe=None if observe is None else _viewer(observe))


def _viewer(observe: Callable[[Any], Any]) -> Callable[[Any], dict[str, Any]]:
    """The observed fields by name."""
    return lambda state: fields(observe(state))


def fields(view: object) -> dict[str, Any]:
    """An observed view as named fields; a view that is no mapping is one field."""
    if not isinstance(view, Mapping):
        return {OBSERVED: view}
    return {str(name): value for name, value in view.items()}


@dataclass(frozen=True)
class Seen:
    """What one choice of arguments led to: by row, the set of answers over all schedules tried.

    `complete`: every schedule was tried. `bare`: no access to shared state was found, so that only one was.
    """

    values: Mapping[str, object]
    answers: Mapping[str, frozenset]
    complete: bool
    bare: bool
    executions: int
    notes: tuple[str, ...]

    def of(self, row: str) -> frozenset:
        """The answers that a row can get; ABSENT for a field that no schedule has."""
        return self.answers.get(row, frozenset({ABSENT}) if self.executions else frozenset())


def seen(values: Mapping[str, object], result: Result) -> Seen:
    """Sort the outcomes of an exploration by row."""
    outcomes = [by_row(sorted(values), outcome) for outcome in result.outcomes]
    names = {row for answers in outcomes for row in answers if row != DEAD}
    found: dict[str, set] = {name: set() for name in names}
    for answers in outcomes:
        for name in names:
            found[name].add(answers.get(name, answers.get(DEAD, ABSENT)))
    partly = any(word in result.coverage for word in ("ran out", "stopped"))
    complete = result.verdict not in UNDECIDED and not partly
    notes = () if complete else (f"with {told(values)}: {result.verdict}, {result.coverage}",)
    return Seen(
        values=values,
        answers={row: frozenset(answers) for row, answers in found.items()},
        complete=complete,
        bare=result.verdict == "not instrumented",
        executions=result.executions,
        notes=(*notes, *(f"assuming: {text}" for text in result.assumptions)),
    )


def by_row(names: list[str], outcome: tuple) -> dict[str, object]:
    """The answers of one outcome, by row; at a dead end every row is without one, and DEAD says why."""
    if isinstance(outcome[0], str):
        why = f"(no answer: {outcome[0]})"
        return dict.fromkeys([*names, DEAD], why)
    answers, view = outcome
    found = {name: key(value) for name, value in view or ()}
    taken = sorted(set(found) & set(names))
    if taken:
        raise ValueError(f"the observed field {taken[0]!r} has a thread's name: call it otherwise in observe")
    return found | {name: key(value) for name, value in zip(names, answers, strict=True)}


def key(value: object) -> object:
    """An answer to be compared: True is not 1, and a NaN is like another."""
    frozen = freeze(value)
    if isinstance(frozen, (bool, float)):
        return (type(frozen).__name__, repr(frozen))
    return frozen


def plain(answer: object) -> str:
    """An answer as it is told."""
    if isinstance(answer, tuple) and len(answer) == 2 and answer[0] in ("bool", "float"):
        return str(answer[1])
    if isinstance(answer, str) and answer.startswith("(") and answer.endswith(")"):
        return answer  # a dead end
    return safe_repr(answer)


def told(values: Mapping[str, object]) -> str:
    """Arguments in words."""
    return ", ".join(f"{name}={safe_repr(value, 24)}" for name, value in values.items())


# -- Give a call its argument in such a way that the explorer still reads the learner's own source.


POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def bind(name: str, call: Callable[[Any, Any], Any], value: object) -> Callable[[Any], Any]:
    """A function of the state alone that calls `call(state, value)`.

    A function is copied with the value as its second default, so that its source and what it captured stay
    visible; other callables get a partial. Raises ValueError for a call that does not take two arguments.
    """
    example = "lambda checker, word: checker.check(word)"
    wanted = ValueError(f"calls[{name!r}] must take (state, value), as in {example}")
    if not callable(call):
        raise wanted
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        raise wanted from None
    if len(parameters) < 2 or any(p.kind not in POSITIONAL for p in parameters[:2]):
        raise wanted
    if any(p.default is p.empty and p.kind in POSITIONAL for p in parameters[2:]):
        raise wanted
    if isinstance(call, types.FunctionType):
        return _copied(call, value)
    if parameters[1].kind is inspect.Parameter.POSITIONAL_ONLY:
        raise wanted
    return functools.partial(call, **{parameters[1].name: value})


def _copied(call: types.FunctionType, value: object) -> types.FunctionType:
    """The same function whose second argument is `value` unless given."""
    code = call.__code__
    later = (call.__defaults__ or ())[-(code.co_argcount - 2) :] if code.co_argcount > 2 else ()
    made = types.FunctionType(code, call.__globals__, call.__name__, (value, *later), call.__closure__)
    made.__kwdefaults__ = call.__kwdefaults__
    made.__qualname__, made.__module__ = call.__qualname__, call.__module__
    return made

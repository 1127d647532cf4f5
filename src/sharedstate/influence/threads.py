"""Influence between threads, over all interleavings: whose argument reaches whose answer.

Cell (i, j) is influence when two inputs of j, all else equal, give different sets of answers for i over all
interleavings. The column "schedule" is influence when i's answer varies although every argument stays.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sharedstate.influence import witness
from sharedstate.influence.matrix import Influence, classify, declared
from sharedstate.influence.runs import Seen, room, seen
from sharedstate.influence.words import SCHEDULE

MOST_CHOICES = 256
BLIND_TO = (
    "arguments that were not tried; what neither an answer nor an observed field shows; a switch inside one "
    "access or one call into C. A dead end counts as an answer of every row"
)


def threads(
    setup: Callable[[], Any],
    calls: Mapping[str, Callable[[Any, Any], Any]],
    inputs: Mapping[str, Sequence[object]],
    observe: Callable[[Any], Any] | None = None,
    may: object = (),
    must: object = None,
    executions: int = 100_000,
    seconds: float = 30.0,
) -> Influence:
    """Explore every choice of arguments, and say who influences whom.

    `calls` maps a thread's name to a function of (state, value), `inputs` the same name to the values to try
    (plain values; two or more make a column). Rows are the threads' answers and the fields of
    `observe(state)`, which gives a mapping or one value. `may` and `must` are pairs (row, column), "*" for
    all; without `must`, each thread's own argument must influence its own answer; `("*", "schedule")` in
    `may` allows what the order alone decides. `seconds` is for all choices together, `executions` for each.
    Where an exploration ran out, cells that are not proved either way are "unknown", never "isolated".

    Raises ValueError for names that do not fit, ScenarioError as `Scenario.explore` does.
    """
    _check(calls, inputs)
    found = list(_explore(setup, calls, inputs, observe, executions, seconds))
    rows = (*calls, *sorted({row for each in found for row in each.answers} - set(calls)))
    columns = (*(name for name in calls if len(inputs[name]) > 1), SCHEDULE)
    required = declared(
        [(name, name) for name in columns[:-1]] if must is None else must, rows, columns, "must"
    )
    permitted = declared(may, rows, columns, "may") | required
    states = {}
    for pair in itertools.product(rows, columns):
        reached = _influence(found, *pair, pair in permitted)
        states[pair] = classify(reached, pair in permitted, pair in required)
    return _matrix(found, rows, columns, states, witness.Program(setup, calls, observe))


def _matrix(
    found: Sequence[Seen],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    states: Mapping[tuple[str, str], str],
    program: witness.Program,
) -> Influence:
    """The matrix with its witnesses, and what qualifies it."""
    told = {pair: witness.of(found, *pair, state, program) for pair, state in states.items()}
    runs = sum(each.executions for each in found)
    return Influence(
        rows=rows,
        columns=columns,
        states=tuple(tuple(states[row, column] for column in columns) for row in rows),
        witnesses=MappingProxyType({pair: shown for pair, shown in told.items() if shown is not None}),
        method=f"every order that matters: {runs:,} executions for {len(found)} choices of arguments",
        blind_to=BLIND_TO,
        notes=tuple(dict.fromkeys(note for each in found for note in each.notes)),
        kind="threads",
    )


def _check(calls: Mapping[str, object], inputs: Mapping[str, Sequence[object]]) -> None:
    """Raise ValueError for names without inputs, inputs without a call, and too many choices."""
    if not calls or set(calls) != set(inputs):
        names = f"{sorted(calls)} and {sorted(inputs)}"
        raise ValueError(f"calls and inputs must name the same threads, not {names}")
    for name, values in inputs.items():
        if isinstance(values, str) or not isinstance(values, Sequence) or not values:
            raise ValueError(f"inputs[{name!r}] must be a list of values to try, such as ['s3cret', 'guess']")
    if SCHEDULE in calls:
        raise ValueError(f"no thread may be called {SCHEDULE!r}: it is the name of a column")
    choices = math.prod(len(values) for values in inputs.values())
    if choices > MOST_CHOICES:
        raise ValueError(f"{choices} choices of arguments, at most {MOST_CHOICES}: give fewer values")


def _explore(
    setup: Callable[[], Any],
    calls: Mapping[str, Callable[[Any, Any], Any]],
    inputs: Mapping[str, Sequence[object]],
    observe: Callable[[Any], Any] | None,
    executions: int,
    seconds: float,
) -> Iterator[Seen]:
    """Every choice of arguments with what came out; the time left is shared evenly by the choices left."""
    every = itertools.product(*(inputs[name] for name in calls))
    choices = [dict(zip(calls, values, strict=True)) for values in every]
    end = time.monotonic() + seconds
    for done, values in enumerate(choices):
        share = max((end - time.monotonic()) / (len(choices) - done), 1e-3)
        result = room(setup, calls, values, observe).explore("dpor", executions=executions, seconds=share)
        yield seen(values, result)


def _influence(found: Sequence[Seen], row: str, column: str, permitted: bool) -> bool | None:
    """True, False, or None where it could not be decided.

    Where nothing shared was seen at all, only a permitted or required influence is decided: isolation
    would be a claim about code that was perhaps not followed.
    """
    verdicts = [_varies(one, row) for one in found] if column == SCHEDULE else []
    verdicts += [_differ(a, b, row, permitted) for a, b in witness.pairs(found, column)]
    return True if True in verdicts else None if None in verdicts else False


def _varies(one: Seen, row: str) -> bool | None:
    """Does the answer vary with the schedule alone?"""
    return True if len(one.of(row)) > 1 else False if one.complete else None


def _differ(a: Seen, b: Seen, row: str, permitted: bool) -> bool | None:
    """Are the sets of answers different? A set that is not complete proves only what is in it."""
    a_whole, b_whole = (one.complete or (one.bare and permitted) for one in (a, b))
    ours, theirs = a.of(row), b.of(row)
    if (ours - theirs and b_whole) or (theirs - ours and a_whole):
        return True
    return False if a_whole and b_whole else None

"""From a failing case to a smallest one: delta debugging over whatever can be made smaller.

The search is greedy and deterministic: of the smaller cases, boldest first, the first that still fails is the next one,
until none fails. What remains is 1-minimal: no single candidate of it fails. No case is tried twice, and the number of
runs is bounded. Source: A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Case = TypeVar("Case", bound=Hashable)
Part = TypeVar("Part")
RUNS = 1000


class NotFailing(ValueError):
    """The case to begin with does not fail: there is nothing to make smaller."""


@dataclass(frozen=True)
class Shrunk(Generic[Case]):
    """`smallest` fails, and with `finished` nothing smaller does; `path` holds each case that was gone through."""

    smallest: Case
    path: tuple[Case, ...]
    runs: int
    finished: bool


def shrink(
    case: Case, fails: Callable[[Case], bool], smaller: Callable[[Case], Iterable[Case]], runs: int = RUNS
) -> Shrunk[Case]:
    """Make a failing case smaller until no candidate fails, or `runs` cases were tried.

    `fails(case)` must say the same each time it is asked. `smaller(case)` yields candidates, the boldest first; each
    must be smaller by some measure, or the search may not end before `runs`. Raises NotFailing, and ValueError for a
    number of runs below 1.
    """
    if runs < 1:
        raise ValueError(f"The number of runs must be 1 or more, not {runs}.")
    if not fails(case):
        raise NotFailing("This case does not fail: give one that does.")
    path, tried = [case], {case}
    while True:
        for candidate in smaller(path[-1]):
            if candidate in tried:
                continue
            if len(tried) >= runs:
                return Shrunk(path[-1], tuple(path), len(tried), False)
            tried.add(candidate)
            if fails(candidate):
                path.append(candidate)
                break
        else:
            return Shrunk(path[-1], tuple(path), len(tried), True)


def without(parts: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """Yield the parts without a piece: without each half, each quarter, …, each single one."""
    size = len(parts)
    while size > 1:
        size = -(-size // 2)
        for start in range(0, len(parts), size):
            yield (*parts[:start], *parts[start + size :])
    if len(parts) == 1:
        yield ()


def less(number: int, least: int = 1) -> Iterator[int]:
    """Yield smaller numbers: the least, then ever closer ones, number - 1 at last."""
    step = number - least
    while step > 0:
        yield number - step
        step //= 2


def fewer_calls(calls: Mapping[str, Sequence[Part]]) -> Iterator[tuple[tuple[str, tuple[Part, ...]], ...]]:
    """Yield smaller crowds of {thread: its calls}, as sorted pairs: fewer threads first, then fewer calls of each."""
    pairs = tuple((name, tuple(values)) for name, values in calls.items())
    for rest in without(pairs):
        if rest:
            yield rest
    for at, (name, values) in enumerate(pairs):
        for left in without(values):
            if left:
                yield (*pairs[:at], (name, left), *pairs[at + 1 :])

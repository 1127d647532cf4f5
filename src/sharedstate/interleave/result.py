"""What an exploration found, and what that says."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from sharedstate.interleave.trace import Trace

if TYPE_CHECKING:
    from sharedstate.interleave.classes import Classes
    from sharedstate.interleave.today import Today
    from sharedstate.interleave.witness import Report


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


@dataclass(frozen=True)
class Result:
    """The answer of `Scenario.explore`.

    `verdict` is the first that applies of broken, raised (an exception escaped a thread), deadlock, no progress, not
    deterministic, not instrumented, ran out, bounded, proved if (a call that was not followed could reach shared
    state: see `assumptions`), proved. "not proved": the second witness saw an outcome that the search did not.
    `outcomes` is a set of (answers sorted by thread name, observed view); a dead end is (why, who waits for what).
    `counts` says how many executions had each outcome.
    "proved" means: every interleaving of the accesses, each access and each call into C taken as one step.
    """

    verdict: str
    coverage: str
    executions: int
    outcomes: frozenset[tuple]
    assumptions: tuple[str, ...] = ()
    strategy: str = "all"
    counts: Mapping[tuple, int] = field(default_factory=lambda: MappingProxyType({}))
    threads: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    witness: Report | None = field(default=None, repr=False, compare=False)
    measure: Callable[[], Funnel] | None = field(default=None, repr=False, compare=False)
    tried: Callable[[int], Classes] | None = field(default=None, repr=False, compare=False)
    asked: Callable[[Trace], Today] | None = field(default=None, repr=False, compare=False)
    smallest: Callable[[], Trace | None] | None = field(default=None, repr=False, compare=False)

    @functools.cached_property
    def minimal(self) -> Trace | None:
        """The smallest failing schedule (or dead end): fewest preemptions, then fewest steps.

        Worked out when it is first asked for: shrunk, the pair to blame found by flipping it, confirmed on
        real threads. None where nothing fails.
        """
        return self.smallest() if self.smallest is not None else None

    @property
    def second(self) -> str:
        """What the second witness says, in one line; empty where it was not asked."""
        report = self.witness
        if report is None:
            return ""
        if not report.ran:
            return f"no second witness: {report.why}"
        if report.sighting is not None:
            return "the second witness saw what the search did not"
        return f"and {report.schedules:,} schedules of single bytecodes found nothing else"

    def funnel(self) -> Funnel:
        """The numbers of interleavings, from bytecode down to what was run."""
        return self.measure() if self.measure else Funnel(None, None, None, None, self.executions)

    def classes(self, limit: int = 20) -> Classes:
        """What was tried: the classes of schedules that differ, each with one trace, at most `limit` of them.

        Raises ValueError for a result without a search, or a limit that is not a positive number.
        """
        if self.tried is None or limit < 1:
            raise ValueError("classes(limit) wants a result of explore() and a limit from 1 up")
        return self.tried(limit)

    def today(self) -> Today | None:
        """Whether any failing schedule is possible on this interpreter; None where nothing fails.

        The smallest failing schedule may be impossible today while another one is not: this looks for it.
        """
        return self.asked(self.minimal) if self.asked is not None and self.minimal is not None else None

    def report(self, markdown: bool = False) -> str:
        """Everything that a person needs to understand this result, as a text fit to paste into an issue."""
        from sharedstate.interleave.report import report

        return report(self, markdown)

    def __str__(self) -> str:
        """Verdict and coverage in one line, then what qualifies them, then the smallest failing schedule."""
        lines = [f"{self.verdict}: {self.coverage}", *(f"  assuming: {text}" for text in self.assumptions)]
        lines += [f"  {text}" for text in (*self.notes, self.second) if text]
        if self.minimal is not None:
            lines += [_found(self.minimal)]
        return "\n".join(lines)

    __repr__ = __str__


def _found(trace: Trace) -> str:
    """One line about the smallest failing schedule."""
    real = f", confirmed on {trace.real}" if trace.confirmed else f", not confirmed on {trace.real}"
    rows = len(trace.schedule)
    return (
        f"  smallest schedule: {_count(trace.preemptions, 'preemption')}, {_count(trace.switches, 'switch')}, "
        f"{_count(rows, 'step')}{real}; token {trace.token}"
    ) + (f"\n  {trace.here}" if trace.here else "")


def _count(number: int, word: str) -> str:
    """A number with its word."""
    plural = word + ("es" if word.endswith("ch") else "s")
    return f"{number} {word if number == 1 else plural}"

"""What an exploration found, and what that says."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sharedstate.interleave.classes import Classes
from sharedstate.interleave.funnel import Funnel
from sharedstate.interleave.today import Today
from sharedstate.interleave.trace import Trace
from sharedstate.interleave.witness import Report
from sharedstate.wording import count


@dataclass(frozen=True)
class Result:
    """The answer of `Scenario.explore`.

    `verdict` is the first that applies of broken, raised, deadlock, no progress, not deterministic, not instrumented,
    ran out, bounded, proved if, not proved, proved. "raised": an exception escaped a thread; "proved if": a call that
    was not followed could reach shared state, see `assumptions`; "not proved": the second witness saw an outcome that
    the search did not. `outcomes` is a set of (answers sorted by thread name, observed
    view); a dead end is (why, who waits for what). `counts` says how many executions had each outcome.
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
    judged: Callable[[Trace], Today] | None = field(default=None, repr=False, compare=False)
    smallest: Callable[[], Trace | None] | None = field(default=None, repr=False, compare=False)
    told: Callable[[Result, bool], str] | None = field(default=None, repr=False, compare=False)

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

    @property
    def small_print(self) -> tuple[str, ...]:
        """The lines below the verdict: what it assumes, what is to be noted, what the second witness says."""
        assumed = (f"assuming: {text}" for text in self.assumptions)
        return tuple(f"  {text}" for text in (*assumed, *self.notes, self.second) if text)

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
        return self.judged(self.minimal) if self.judged is not None and self.minimal is not None else None

    def report(self, markdown: bool = False) -> str:
        """Everything that a person needs to understand this result, as a text fit to paste into an issue."""
        return self.told(self, markdown) if self.told is not None else str(self)

    def __str__(self) -> str:
        """Verdict and coverage in one line, then what qualifies them, then the smallest failing schedule."""
        lines = [f"{self.verdict}: {self.coverage}", *self.small_print]
        if self.minimal is not None:
            lines += [_found(self.minimal)]
        return "\n".join(lines)

    __repr__ = __str__


def _found(trace: Trace) -> str:
    """The smallest failing schedule, with its token on a line of its own: together they are too wide for a page."""
    real = f"confirmed on {trace.real}" if trace.confirmed else "".join(trace.notes) or f"not confirmed on {trace.real}"
    rows = len(trace.schedule)
    return (
        f"  smallest schedule: {count(trace.preemptions, 'preemption')}, {count(trace.switches, 'switch')}, "
        f"{count(rows, 'step')}, {real}\n  token {trace.token}"
    ) + (f"\n  {trace.here}" if trace.here else "")


"""Run one schedule to its end and say what came out."""

from __future__ import annotations

import enum
import fractions
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sharedstate.interleave.access import keys
from sharedstate.interleave.access.values import short
from sharedstate.interleave.run import Run

STEP_LIMIT = 20_000
ENDLESS = 1_000  # turns of while loops in a schedule that is cut short: somebody waits, or gets nowhere
CUT = "cut short"  # the status of a schedule that is longer than the explorer goes
VALUES = frozenset({str, int, float, bool, bytes, complex, type(None)})  # equal ones are the same answer
PLAIN = (str, int, float, bool, bytes, complex, type(None), frozenset, enum.Enum, fractions.Fraction)


class ScenarioError(ValueError):
    """A scenario that cannot be explored as it stands; the message says what to change."""


class SetupNotReset(ScenarioError):
    """The setup leaves something of the last schedule behind."""


@dataclass(frozen=True)
class Questions:
    """What is asked of every schedule: `never` at the end, `always` after every step, `observe` at the end.

    With `dead_end` a deadlock counts as a violation too: it is what a player looks for. With `exceptions_answer` an
    exception that escapes a thread is its answer like any other; else it is a failure.
    """

    never: Callable[[Any, Mapping[str, Any]], Any] | None = None
    always: Callable[[Any], Any] | None = None
    observe: Callable[[Any], Any] | None = None
    dead_end: bool = False
    exceptions_answer: bool = False


class Execution(NamedTuple):
    """One schedule and what came out; `length` counts the steps up to a violation of `always`."""

    schedule: bytes
    preemptions: int
    switches: int
    status: str
    violated: bool
    outcome: tuple
    length: int
    raised: str = ""

    @property
    def rank(self) -> tuple[int, int, int, bytes]:
        """Fewest preemptions, then fewest steps, then fewest switches, then the earliest switch."""
        return (self.preemptions, self.length, self.switches, self.schedule)


class Course:
    """A run under way: counts switches and preemptions, asks `always` after each step."""

    def __init__(self, run: Run, questions: Questions) -> None:
        self.run, self.questions = run, questions
        self.last = -1
        self.preemptions = self.switches = 0
        self.marks: list[tuple[bool, bool]] = []
        self.broken_at: tuple[int, int, int] | None = None
        if questions.always is not None:
            self._ask_always()

    def step(self, index: int, enabled: list[int]) -> None:
        """Take a step of one thread, which must be in `enabled`."""
        self.count(index, enabled)
        self.run.step(index)
        if self.questions.always is not None and self.broken_at is None:
            self._ask_always()

    def glide(self, choose: Callable[[list[int]], int], enabled: list[int], draw: Any = None) -> None:
        """Take steps as `choose(enabled)` says (or as drawn), for as long as nobody waits; -1 ends it."""
        run = self.run
        self.last, switches, preemptions = run.glide(choose, enabled, self.last, draw)
        self.switches += switches
        self.preemptions += preemptions
        if self.last >= 0:
            run.settle(run.threads[self.last])

    def count(self, index: int, enabled: list[int]) -> None:
        """Count what it takes that this thread moves next."""
        switch = index != self.last and self.last >= 0
        preempted = switch and self.last in enabled
        self.switches += switch
        self.preemptions += preempted
        if self.run.record:
            self.marks.append((switch, preempted))
        self.last = index

    def mark(self) -> Any:
        """Where this course is, for one that can be put back; None for a run of the code itself."""
        return None

    def run_out(self, limit: int = STEP_LIMIT) -> None:
        """Go on to the end with as few switches as possible."""
        while (enabled := self.run.enabled()) and len(self.run.schedule) < limit:
            self.step(self.last if self.last in enabled else enabled[0], enabled)

    def _ask_always(self) -> None:
        """Remember where `always` was violated first."""
        try:
            fine = self.questions.always(self.run.state)  # type: ignore[misc]
        except Exception as error:
            raise ScenarioError(f"always(state) raised {type(error).__name__}: {error}") from error
        if not fine:
            self.broken_at = (len(self.run.schedule), self.preemptions, self.switches)

    def status(self) -> str:
        """ "ok" when all have ended, else why nobody can move."""
        for thread in self.run.threads:
            if not thread.done and not thread.daemon:
                break
        else:
            return "ok"
        waiting = [t for t in self.run.threads if not t.done and not t.daemon]
        able = self.run.enabled()
        if able and not all(self.run.threads[index].loops > ENDLESS for index in able):
            return CUT  # somebody could still move: it is not the program that gets nowhere
        stuck = any(t.spinning >= 0 or t.reason or t.patient is not None for t in waiting)
        return "no progress" if stuck or able else "deadlock"

    def answers(self) -> dict[str, Any]:
        """The answers by name; a thread that raised has its exception there, one that waits has None."""
        return {t.name: t.answer for t in self.run.threads}

    def observed(self) -> Any:
        """The observed view, hashable."""
        if self.questions.observe is None:
            return None
        try:
            return freeze(self.questions.observe(self.run.state))
        except Exception as error:
            raise ScenarioError(f"observe(state) raised {type(error).__name__}: {error}") from error

    def violated(self, status: str) -> bool:
        """True if `always` failed on the way or `never` holds at the end."""
        if self.broken_at is not None:
            return True
        if status == "deadlock":
            return self.questions.dead_end
        if self.questions.never is None or status != "ok":
            return False
        try:
            return bool(self.questions.never(self.run.state, self.answers()))
        except Exception as error:
            raise ScenarioError(
                f"never(state, answers) raised {type(error).__name__}: {error}. "
                "Note that a thread that raised has its exception in answers."
            ) from error

    def finish(self) -> Execution:
        """What came out."""
        run = self.run
        if run.program.fragile:
            keys.judge(run)
        for thread in run.threads:
            if not thread.done or thread.raised:
                break
        else:
            if self.broken_at is None:
                violated, schedule = self.questions.never is not None and self.violated("ok"), bytes(run.schedule)
                return Execution(
                    schedule, self.preemptions, self.switches, "ok", violated, self._outcome("ok"), len(schedule)
                )
        status = self.status()
        violated = self.violated(status)
        length, preemptions, switches = self.broken_at or (len(self.run.schedule), self.preemptions, self.switches)
        schedule = bytes(self.run.schedule[:length])
        raised = self.raised()
        return Execution(schedule, preemptions, switches, status, violated, self._outcome(status), length, raised)

    def raised(self) -> str:
        """Which thread an exception has escaped from, in words; empty where exceptions are answers.

        SystemExit ends a thread in silence.
        """
        if self.questions.exceptions_answer:
            return ""
        for thread in self.run.threads:
            if thread.raised and not isinstance(thread.answer, SystemExit):
                return f"{thread.name} raised {type(thread.answer).__name__}"
        return ""

    def _outcome(self, status: str) -> tuple:
        """Answers sorted by name, and the observed view; or who waits for what."""
        if status != "ok":
            return (status, waiting(self.run))
        answers = []
        for thread in self.run.in_order():
            answer = thread.answer
            answers.append(answer if type(answer) in VALUES else freeze(answer))
        return (tuple(answers), self.observed() if self.questions.observe is not None else None)


def index_of(run: Run, name: str) -> int:
    """The number of a thread. Raises ScenarioError if none has this name (yet)."""
    for thread in run.threads:
        if thread.name == name:
            return thread.index
    raise ScenarioError(f"no thread is called {name!r}; there are {', '.join(t.name for t in run.threads)}")


def waiting(run: Run) -> tuple[tuple[str, str], ...]:
    """Who waits for what, sorted by name."""
    return tuple(sorted((t.name, blocked_reason(run, t)) for t in run.threads if not t.done and not t.daemon))


def blocked_reason(run: Run, thread: Any) -> str:
    """Why a thread cannot move, in words."""
    if thread.reason:
        return thread.reason
    if thread.lock is None:
        return f"waits for {thread.target}"
    owner = run.holder(thread.lock)
    return f"waits for {run.name_of(thread.lock)}" + (f", held by {owner}" if owner else "")


def freeze(value: Any) -> Any:
    """A hashable view of an answer that is equal for equal answers of different runs."""
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    if type(value) in (list, tuple):
        return tuple(freeze(v) for v in value)
    if type(value) is dict:
        return tuple(sorted(((freeze(k), freeze(v)) for k, v in value.items()), key=repr))
    if type(value) in (set, frozenset):
        return frozenset(freeze(v) for v in value)
    if isinstance(value, PLAIN) or type(value).__eq__ is not object.__eq__:
        try:
            hash(value)
        except Exception:  # not hashable, or a __hash__ of the learner's that fails
            return short(value)
        return value
    return short(value)

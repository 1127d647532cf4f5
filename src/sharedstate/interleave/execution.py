"""Run one schedule to its end and say what came out."""

from __future__ import annotations

import enum
import fractions
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sharedstate.interleave.access import keys
from sharedstate.interleave.access.memory import is_array
from sharedstate.interleave.access.values import short
from sharedstate.interleave.runs.protocol import Run

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

    def watch(self, run: Run) -> None:
        """Ask `always` now, and after each step to come."""
        run.inspect = self.inspect
        self.inspect(run)

    def inspect(self, run: Run) -> None:
        """Remember where `always` was violated first."""
        if run.broken_at is not None or self.always is None:
            return
        try:
            fine = self.always(run.state)
        except Exception as error:
            raise ScenarioError(f"always(state) raised {type(error).__name__}: {error}") from error
        if not fine:
            run.broken_at = (len(run.schedule), run.preemptions, run.switches)


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


def status_of(run: Run) -> str:
    """ "ok" when all have ended, else why nobody can move."""
    waiting = [t for t in run.threads if not t.done and not t.daemon]
    if not waiting:
        return "ok"
    able = run.enabled()
    if able and not all(run.threads[index].loops > ENDLESS for index in able):
        return CUT  # somebody could still move: it is not the program that gets nowhere
    stuck = any(t.spinning >= 0 or t.reason or t.patient is not None for t in waiting)
    return "no progress" if stuck or able else "deadlock"


def observed(run: Run, questions: Questions) -> Any:
    """The observed view, hashable."""
    if questions.observe is None:
        return None
    try:
        return freeze(questions.observe(run.state))
    except Exception as error:
        raise ScenarioError(f"observe(state) raised {type(error).__name__}: {error}") from error


def violated(run: Run, questions: Questions, status: str) -> bool:
    """True if `always` failed on the way or `never` holds at the end."""
    if run.broken_at is not None:
        return True
    if status == "deadlock":
        return questions.dead_end
    if questions.never is None or status != "ok":
        return False
    answers = {t.name: t.answer for t in run.threads}
    try:
        return bool(questions.never(run.state, answers))
    except Exception as error:
        raise ScenarioError(
            f"never(state, answers) raised {type(error).__name__}: {error}. "
            "Note that a thread that raised has its exception in answers."
        ) from error


def raised(run: Run, questions: Questions) -> str:
    """Which thread an exception has escaped from, in words; empty where exceptions are answers.

    SystemExit ends a thread in silence.
    """
    if questions.exceptions_answer:
        return ""
    for thread in run.threads:
        if thread.raised and not isinstance(thread.answer, SystemExit):
            return f"{thread.name} raised {type(thread.answer).__name__}"
    return ""


def outcome_of(run: Run, questions: Questions) -> tuple | None:
    """The outcome of a run in which all have ended and nothing was wrong; None for any other."""
    if run.program.fragile:
        return None
    for thread in run.threads:
        if not thread.done or thread.raised:
            return None
    if run.broken_at is not None or (questions.never is not None and violated(run, questions, "ok")):
        return None
    return _answers(run, questions)


def _answers(run: Run, questions: Questions) -> tuple:
    """The answers sorted by name, and the observed view."""
    answers = []
    for thread in run.in_order():
        answer = thread.answer
        answers.append(answer if type(answer) in VALUES else freeze(answer))
    return (tuple(answers), observed(run, questions) if questions.observe is not None else None)


def finish(run: Run, questions: Questions) -> Execution:
    """What came out of a run."""
    if run.program.fragile:
        keys.judge(run)
    status = status_of(run)
    bad = violated(run, questions, status)
    length, preemptions, switches = run.broken_at or (len(run.schedule), run.preemptions, run.switches)
    outcome = _answers(run, questions) if status == "ok" else (status, waiting(run))
    schedule = bytes(run.schedule[:length])
    return Execution(schedule, preemptions, switches, status, bad, outcome, length, raised(run, questions))


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


@dataclass(frozen=True, repr=False)
class ArrayAnswer:
    """A tensor or an array as an answer: those with equal numbers are the same one, whichever object holds them."""

    kind: str
    dtype: str
    numbers: str
    text: str = field(compare=False)

    def __repr__(self) -> str:
        return self.text


def _numbers(value: Any) -> str:
    try:
        return repr(value.tolist())
    except Exception:  # it holds none (torch's meta device)
        return short(value)


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
    if is_array(value):
        return ArrayAnswer(type(value).__name__, str(value.dtype), _numbers(value), " ".join(repr(value).split()))
    if isinstance(value, PLAIN) or type(value).__eq__ is not object.__eq__:
        try:
            hash(value)
        except Exception:  # not hashable, or a __hash__ of the learner's that fails
            return short(value)
        return value
    return short(value)

"""What an answer may be, and what it is worth: cases from a seed, a guarded run, plain data out, the judge."""

from __future__ import annotations

import inspect
import json
import math
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Real
from types import MappingProxyType
from typing import Any

from .among import LABEL, all_cases, judge_among, run_among
from .child import ChildFailed
from .guard import MEMORY_LIMIT, Outcome, run_guarded
from .outside import Asker
from .types import AnswerProblem, Case, Exercise, Verdict

MAX_DEPTH = 40
MAX_TEXT = 1_000_000
TEXT_LIMIT = 400
TEXT_SECONDS = 1.0

EXPECTS: Mapping[str, Callable[[object], bool]] = MappingProxyType({
    "a function": lambda a: callable(a) and not inspect.isclass(a),
    "a class": inspect.isclass,
    "a pair of functions": lambda a: isinstance(a, (list, tuple)),
    "a list": lambda a: isinstance(a, (list, tuple)),
    "a dict": lambda a: isinstance(a, dict),
})


def fresh_seed() -> int:
    """Return a seed that nobody knew before."""
    return secrets.randbits(32)


def assess(
    exercise: Exercise,
    answer: object,
    seed: int | None = None,
    visible_only: bool = False,
    seconds: float | None = None,
) -> Verdict:
    """Return the verdict on one answer, over all cases of the seed (or only the visible ones).

    seconds: wall limit of all cases together, the exercise's own unless given.

    The answer runs in a guarded thread; the judge sees plain data only. Whatever the answer does ends in a
    Verdict. Shows nothing and stores nothing.
    """
    if untouched(answer):
        said = f"`{exercise.answer}` is still empty: replace the `...` in the cell above."
        return exercise.wrong("untouched", said)
    every = all_cases(exercise, fresh_seed() if seed is None else seed)
    cases = [case for case in every if case.visible or not visible_only]
    try:
        require_expected(exercise, answer)
    except AnswerProblem as problem:
        return exercise.wrong(problem.reason, problem.message)
    limit = seconds or exercise.seconds
    return in_turn(exercise, cases, limit, lambda case, left: tried(exercise, answer, case, left))


def in_turn(
    exercise: Exercise, cases: list[Case], seconds: float, judged: Callable[[Case, float], Verdict]
) -> Verdict:
    """Judge case by case, on every path alike; return one verdict for all.

    judged: gets a case and the seconds left. The last case tried is one that leaves no points; the one among other
    calls has its own time, and is tried only where all others are right.
    """
    end = time.monotonic() + seconds
    verdicts: list[Verdict] = []
    for case in cases:
        if case.label == LABEL:
            if not all(verdict.ok for verdict in verdicts):
                break
            end = time.monotonic() + seconds
        verdict = judged(case, max(0.2, end - time.monotonic()))
        if not verdict.ok or case.label != LABEL:  # the last word on a right answer is the exercise's own
            verdicts.append(verdict)
        if not verdict.ok and not verdict.points and not exercise.shares:
            break
    return combine(exercise, verdicts)


def combine(exercise: Exercise, verdicts: list[Verdict]) -> Verdict:
    """Return one verdict for all cases: the first wrong one, with the fewest points; else the last one.

    A judge that says ok to no case at all has judged nothing: that is wrong too.
    """
    if not verdicts:
        return exercise.wrong("no-cases", "No case was tried, so nothing is known about this answer.")
    wrong = [v for v in verdicts if not v.ok]
    if not wrong:
        return replace(verdicts[-1], points=exercise.points)
    points = sum(v.points for v in verdicts) / len(verdicts) if exercise.shares else min(v.points for v in wrong)
    return replace(wrong[0], points=points)


def tried(exercise: Exercise, answer: object, case: Case, seconds: float) -> Verdict:
    """Run one case and judge the value, under one guard."""

    def run_and_judge() -> Verdict:
        value = json.loads(_ran(exercise, answer, case))
        try:
            return verdict_of(exercise, case, value)
        except Exception as error:
            return _unusable(exercise, type(error).__name__)

    outcome = run_guarded(run_and_judge, seconds)
    problem = in_case(case, problem_of(outcome, seconds, exercise.when_slow))
    if problem is not None:
        return exercise.wrong(problem.reason, problem.message)
    assert isinstance(outcome.value, Verdict)
    return outcome.value


def _ran(exercise: Exercise, answer: object, case: Case) -> str:
    """Return the value of one case as JSON text.

    The run gets a copy of the case, so that an answer that changes its inputs cannot change what is judged.
    """
    own = replace(case, inputs=json.loads(encode(dict(case.inputs))))
    return encode(run_among(exercise, answer, own) if case.label == LABEL else exercise.run(answer, own))


def run_case(
    exercise: Exercise, answer: object, case: Case, seconds: float
) -> tuple[str, AnswerProblem | None]:
    """Run one case under guard; return its value as JSON text, or the problem that prevented one."""
    outcome = run_guarded(lambda: _ran(exercise, answer, case), seconds)
    problem = in_case(case, problem_of(outcome, seconds, exercise.when_slow))
    return ("" if problem else str(outcome.value)), problem


def verdict_of(exercise: Exercise, case: Case, value: object) -> Verdict:
    """Judge one value, also that of the case among others."""
    return judge_among(exercise, case, value) if case.label == LABEL else exercise.judge(case, value)


def judge_value(exercise: Exercise, case: Case, value: object) -> Verdict:
    """Judge one value under guard: a value of an odd shape or size cannot crash or hang who judges."""
    outcome = run_guarded(lambda: verdict_of(exercise, case, value), exercise.seconds)
    if isinstance(outcome.value, Verdict):
        return outcome.value
    return _unusable(exercise, type(outcome.error).__name__ if outcome.error else outcome.state)


def judge_from_outside(
    exercise: Exercise, case: Case, asker: Callable[[], Asker], seconds: float
) -> Verdict:
    """Run one case here, on an answer in another process, and judge the value. Raises ChildFailed."""
    def tried() -> Verdict:
        return verdict_of(exercise, case, json.loads(_ran(exercise, asker().answer, case)))

    outcome = run_guarded(tried, seconds)
    if isinstance(outcome.error, ChildFailed):
        raise outcome.error
    problem = in_case(case, problem_of(outcome, seconds, exercise.when_slow))
    if problem is not None:
        return exercise.wrong(problem.reason, problem.message)
    assert isinstance(outcome.value, Verdict)
    return outcome.value


def _unusable(exercise: Exercise, kind: str) -> Verdict:
    return exercise.wrong("unusable", f"The answer is of a shape that the check cannot read ({kind}).")


# --- what an answer may be


def untouched(answer: object) -> bool:
    """True for the placeholder that a lab starts with (`...` or None)."""
    return answer is None or answer is ...


def require_expected(exercise: Exercise, answer: object) -> None:
    """Raise AnswerProblem("wrong-type") when the answer is not what the exercise asks for."""
    if exercise.expects and not EXPECTS[exercise.expects](answer):
        found = type(answer).__name__
        said = f"`{exercise.answer}` should be {exercise.expects}; it is of type {found}."
        said += " Give the class itself, without ()." if found == exercise.answer else ""
        raise AnswerProblem("wrong-type", said)


# --- what may leave a run


def encode(value: object) -> str:
    """Return plain data as JSON text; AnswerProblem when it is not plain or longer than MAX_TEXT."""
    try:
        text = json.dumps(plain(value), allow_nan=False)
    except ValueError as problem:  # an integer with more digits than Python prints
        raise AnswerProblem("not-plain", f"The answer cannot be written down: {problem}.") from None
    if len(text) > MAX_TEXT:
        raise AnswerProblem("not-plain", f"The answer is {len(text):,} characters long: too many.")
    return text


def plain(value: Any, depth: int = 0) -> object:
    """Return the value as JSON would carry it: sequences become lists, a library's single number becomes Python's.

    Raises AnswerProblem("not-plain") for anything else: NaN, sets, arrays, objects, too deep nesting.
    """
    if depth > MAX_DEPTH:
        raise AnswerProblem("not-plain", f"The answer is nested more than {MAX_DEPTH} levels deep.")
    value = _single(value)
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {str.__str__(key): plain(item, depth + 1) for key, item in value.items()}
    said = f"The answer gave {_name(value)}, which is not a plain value (number, text, list, dict)."
    raise AnswerProblem("not-plain", said + _remedy(type(value)))


def _single(value: Any) -> Any:
    """Return the number or text itself of a single value of numpy or torch, a Fraction, an enumeration's member."""
    if type(value).__module__.partition(".")[0] in ("numpy", "torch") and getattr(value, "ndim", None) == 0:
        return value.item()
    if type(value) in (bool, int, float, str):
        return value
    return next((own(value) for kind, own in PLAIN_OF if isinstance(value, kind)), value)


PLAIN_OF: tuple[tuple[type, Callable[[Any], object]], ...] = (
    (str, str.__str__), (int, int.__int__), (float, float.__float__), (Real, float),
)


def _remedy(kind: type) -> str:
    """What to do about arrays of other libraries; "" for the rest."""
    return " Its .tolist() gives plain numbers." if kind.__module__.partition(".")[0] in ("numpy", "torch") else ""


def _name(value: object) -> str:
    if type(value) is float:
        return f"the number {value}"
    if type(value) is dict:
        return "a dict with keys that are not texts"
    module = type(value).__module__
    kind = type(value).__qualname__ if module in ("builtins", "__main__") else f"{module}.{type(value).__qualname__}"
    return f"an object of type {kind}"


# --- what a learner reads of a run that did not end well


def in_case(case: Case, problem: AnswerProblem | None) -> AnswerProblem | None:
    """Return an exception's problem with the name of the case in which it was raised."""
    if problem is None or problem.reason != "exception":
        return problem
    return AnswerProblem(problem.reason, f"Case '{case.label}': {problem.message}")


def problem_of(outcome: Outcome, seconds: float, when_slow: str = "") -> AnswerProblem | None:
    """Return what went wrong in a guarded run, in words; None when nothing did.

    when_slow: the likely reason for a run that computes and does not come to its end.
    """
    at = f" at {outcome.line}" if outcome.line else ""
    if outcome.state == "flooded":
        said = "It printed more than a megabyte and was stopped. Print nothing here."
        return AnswerProblem("too-much-output", said)
    if outcome.state == "memory":
        most = f"{MEMORY_LIMIT / 2**30:.2g} GB"
        said = f"It took more than {most} of memory and was stopped{at}. Does a list grow without end?"
        return AnswerProblem("too-much-memory", said)
    if outcome.state == "stopped":
        why = when_slow or "Does a loop never end?"
        return AnswerProblem("timeout", f"It did not end within {seconds:.3g} s and was stopped{at}. {why}")
    if outcome.state == "stuck" and outcome.busy:
        said = (f"It did not end within {seconds:.3g} s{at}: it is still computing, and cannot be stopped there. It "
                f"goes on in the background; restart the kernel to be rid of it. {when_slow}")
        return AnswerProblem("timeout", said.rstrip())
    if outcome.state == "stuck":
        said = (f"It waits{at}, and nobody will ever wake it (a deadlock?). It stays behind in the "
                "background and does no harm; restart the kernel to be rid of it.")
        return AnswerProblem("stuck", said)
    if isinstance(outcome.error, AnswerProblem):
        return outcome.error
    return AnswerProblem("exception", exception_text(outcome.error, at)) if outcome.error else None


def exception_text(error: BaseException, at: str) -> str:
    """Return "It raised KeyError: 'x' at Cell [3], line 2: …", shortened; a hostile __str__ is survived."""
    told = run_guarded(lambda: str(error)[:TEXT_LIMIT], TEXT_SECONDS)  # it may be the learner's own __str__
    said = told.value if type(told.value) is str else "(no text)"
    name = type(error).__name__
    hint = " An answer must not leave Python." if isinstance(error, SystemExit) else ""
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        hint = " If a cell above defines it: after a restart of the kernel, run the cells above first."
    return f"It raised {name}: {said}{at}.{hint}"

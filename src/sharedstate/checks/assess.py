"""Judge one answer in this process: cases from a seed, a guarded run, the judge."""

from __future__ import annotations

import secrets
import time

from .answers import decode, encode, require_expected, untouched
from .guard import Outcome, run_guarded
from .types import AnswerProblem, Case, Exercise, Verdict, combine

TEXT_LIMIT = 400
TEXT_SECONDS = 1.0


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
    cases = exercise.cases(fresh_seed() if seed is None else seed)
    tried = [case for case in cases if case.visible or not visible_only]
    try:
        require_expected(exercise, answer)
    except AnswerProblem as problem:
        return exercise.wrong(problem.reason, problem.message)
    return combine(exercise, _verdicts(exercise, answer, tried, seconds or exercise.seconds))


def _verdicts(exercise: Exercise, answer: object, cases: list[Case], seconds: float) -> list[Verdict]:
    """Judge case by case; the last one tried is a run that did not end normally, or one that leaves no points."""
    end = time.monotonic() + seconds
    verdicts: list[Verdict] = []
    for case in cases:
        left = max(0.2, end - time.monotonic())
        text, problem = run_case(exercise, answer, case, left)
        if problem is not None:
            return [*verdicts, exercise.wrong(problem.reason, problem.message)]
        verdicts.append(judge_value(exercise, case, decode(text)))
        if not verdicts[-1].ok and not verdicts[-1].points:
            break
    return verdicts


def judge_value(exercise: Exercise, case: Case, value: object) -> Verdict:
    """Judge one value under guard: a value of an odd shape or size cannot crash or hang who judges."""
    outcome = run_guarded(lambda: exercise.judge(case, value), exercise.seconds)
    if outcome.state == "done":
        return outcome.value
    kind = type(outcome.error).__name__ if outcome.error else outcome.state
    return exercise.wrong("unusable", f"The answer is of a shape that the check cannot read ({kind}).")


def run_case(
    exercise: Exercise, answer: object, case: Case, seconds: float
) -> tuple[str, AnswerProblem | None]:
    """Run one case under guard; return its value as JSON text, or the problem that prevented one.

    The run gets a copy of the case, so that an answer that changes its inputs cannot change what is judged.
    """
    copy = Case.from_json(decode(encode(case.to_json())))
    outcome = run_guarded(lambda: encode(exercise.run(answer, copy)), seconds)
    problem = problem_of(outcome, seconds, exercise.when_slow)
    return ("" if problem else outcome.value), problem


def problem_of(outcome: Outcome, seconds: float, when_slow: str = "") -> AnswerProblem | None:
    """Return what went wrong in a guarded run, in words; None when nothing did.

    when_slow: the likely reason for a run that computes and does not come to its end.
    """
    at = f" at {outcome.line}" if outcome.line else ""
    if outcome.state == "flooded":
        said = "It printed more than a megabyte and was stopped. Print nothing here."
        return AnswerProblem("too-much-output", said)
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
    return f"It raised {name}: {said}{at}.{hint}"

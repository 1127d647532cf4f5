"""Is a check honest? Its exercise's wrong answers, right answers and mutants decide. (Needs PyYAML.)

`python -m sharedstate.checks.audit 01` prints what is amiss.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from .among import LABEL, OWN, all_cases
from .assess import assess, in_turn, require_expected, tried, untouched
from .bank import BankAnswer, load_answer, right_answers, setup_source, solution_source, wrong_answers
from .guard import run_guarded
from .mutants import Mutant, mutants
from .registry import Registry, Room
from .source_gate import require_allowed
from .types import AnswerProblem, Case, Exercise, Verdict

LEAST_WRONG, LEAST_VISIBLE, LEAST_REASONS, LEAST_RIGHT = 5, 3, 4, 2
LOAD_SECONDS = 4.0
SOON, SLOWER = 1.0, 5  # a mutant's seconds, and how many times the solution's it may take besides
HANGING, HANGING_SECONDS = ("timeout", "stuck"), 2.0  # an answer that never ends does not do so in less time, too
IMPORT_SECONDS = 120.0
SEEDS = (1, 2026, 777000)
AMONG_EVERY = 10  # seeds of which one is judged among other calls, too


@dataclass(frozen=True)
class Bank:
    """One exercise with everything that its folder and its lab hold about it."""

    exercise: Exercise
    setup: str
    wrong: tuple[BankAnswer, ...]
    right: tuple[BankAnswer, ...]
    solution: str
    equivalent: tuple[Mapping[str, str], ...]


def read_bank(room: Room) -> Bank:
    """Read an exercise's folder; ValueError when lab.py has no solution for it, or an answer's heading says too little.

    What the lab's setup imports is loaded here, with patience: under a short limit a slow import would be
    torn apart, and every answer after it judged wrong.
    """
    exercise, setup = room.load(), setup_source(room.unit_folder)
    run_guarded(lambda: load_answer("", f"imports of {room.id}", exercise.answer, setup), IMPORT_SECONDS)
    return Bank(
        exercise, setup, wrong_answers(room.folder), right_answers(room.folder),
        solution_source(room.unit_folder, exercise), equivalents(room.folder))


def equivalents(folder: Path) -> tuple[Mapping[str, str], ...]:
    """Return the entries {mutant, reason} of an exercise's mutants.yml; () without one."""
    listed = folder / "mutants.yml"
    return tuple(yaml.safe_load(listed.read_text(encoding="utf-8"))) if listed.exists() else ()


def judge_source(
    bank: Bank, name: str, source: str, seed: int, visible: bool = False, seconds: float | None = None
) -> Verdict:
    """Load a source as the lab would and assess its answer; one that cannot be loaded is an exception."""
    exercise = bank.exercise
    loaded = run_guarded(lambda: load_answer(source, name, exercise.answer, bank.setup), LOAD_SECONDS)
    if loaded.state != "done":
        return exercise.wrong("exception", f"{loaded.state}: {loaded.error!r}")
    return assess(exercise, loaded.value, seed, visible, seconds)


def patience(exercise: Exercise, answer: BankAnswer) -> float:
    """Return the seconds that an answer gets: the exercise's own, or few where its fault is that it never ends."""
    return min(HANGING_SECONDS, exercise.seconds) if answer.reason in HANGING else exercise.seconds


def wrong_problems(bank: Bank, seeds: Sequence[int]) -> list[str]:
    """Return what is amiss with the wrong answers: each rejected for its stated reason, by every seed."""
    found = [problem for answer in bank.wrong for problem in _wrong_problems(bank, answer, seeds)]
    reasons = Counter(answer.reason for answer in bank.wrong)
    passing = sum(answer.visible is True for answer in bank.wrong)
    rules = (
        (len(bank.wrong) < LEAST_WRONG, f"{len(bank.wrong)} wrong answers; at least {LEAST_WRONG}"),
        (passing < LEAST_VISIBLE, f"{passing} wrong ones pass the visible example; at least {LEAST_VISIBLE}"),
        (reasons["exception"] > 1, f"{reasons['exception']} wrong answers fail by an exception; at most one"),
        (len(reasons) < LEAST_REASONS, f"{len(reasons)} different reasons; at least {LEAST_REASONS}"),
    )
    return found + [f"{bank.exercise.id}: {text}" for broken, text in rules if broken]


def _wrong_problems(bank: Bank, answer: BankAnswer, seeds: Sequence[int]) -> list[str]:
    name, found = answer.place, []
    for seed in seeds:
        verdict = judge_source(bank, name, answer.source, seed, seconds=patience(bank.exercise, answer))
        if verdict.ok or verdict.reason != answer.reason:
            found.append(f"{name}, seed {seed}: {verdict.reason}, not {answer.reason} ({verdict.message})")
    seconds = bank.exercise.seconds if answer.visible else patience(bank.exercise, answer)
    shown = judge_source(bank, name, answer.source, seeds[0], visible=True, seconds=seconds)
    if shown.ok is not answer.visible:
        found.append(f"{name}: the visible example says {shown.reason}, against its heading")
    return found


def seed_problems(bank: Bank, seeds: Sequence[int]) -> list[str]:
    """Return the answers of the bank whose verdict is another one for some of many seeds.

    By the first seed an answer that never ends is waited for as long as a learner's is.

    What a seed leaves as it was for an earlier one is not run again: the verdict on a case is kept as long as its
    inputs are the same. Each seed's new cases run on an answer that was loaded anew. Answers that may only fail among
    other calls are asked so with every seed, the others with some of them.
    """
    drawn = [all_cases(bank.exercise, seed) for seed in seeds]
    found = []
    for answer in (*bank.wrong, *bank.right, BankAnswer("solution", bank.solution)):
        known: dict[str, Verdict] = {}
        for n, (seed, every) in enumerate(zip(seeds, drawn, strict=True)):
            often = answer.reason in OWN or n % AMONG_EVERY == 0
            cases = [case for case in every if often or case.label != LABEL]
            seconds = patience(bank.exercise, answer) if n else bank.exercise.seconds
            reason, wanted = _judged_anew(bank, answer, cases, known, seconds).reason, answer.reason or "ok"
            if reason != wanted:  # an answer may remember cases that were left out: then let it see all of them
                reason = judge_source(bank, answer.place, answer.source, seed).reason
            if reason != wanted:
                found.append(f"{answer.place}, seed {seed}: {reason}, not {wanted}")
    return found


def _judged_anew(
    bank: Bank, answer: BankAnswer, cases: list[Case], known: dict[str, Verdict], seconds: float
) -> Verdict:
    """Judge an answer by these cases, and note the verdict on each; those that are known already are not run."""
    exercise, loaded = bank.exercise, list[object]()

    def judged(case: Case, left: float) -> Verdict:
        told = json.dumps(case.to_json(), sort_keys=True)
        if told not in known:
            if not loaded:
                outcome = run_guarded(
                    lambda: load_answer(answer.source, answer.place, exercise.answer, bank.setup), LOAD_SECONDS)
                loaded.append(exercise.wrong("exception", repr(outcome.error)) if outcome.state != "done"
                              else _no_answer(exercise, outcome.value) or outcome.value)
            found = loaded[0]
            known[told] = found if isinstance(found, Verdict) else tried(exercise, found, case, left)
        return known[told]

    return in_turn(exercise, cases, seconds, judged)


def _no_answer(exercise: Exercise, answer: object) -> Verdict | None:
    """What is said of an answer before any case is tried; None where there is nothing to say."""
    if untouched(answer):
        return exercise.wrong("untouched", "")
    try:
        require_expected(exercise, answer)
    except AnswerProblem as problem:
        return exercise.wrong(problem.reason, problem.message)
    return None


def right_problems(bank: Bank, seeds: Sequence[int]) -> list[str]:
    """Return what is amiss with right answers and solution: accepted by every seed, different mechanisms."""
    named = [(a.place, a.source) for a in bank.right] + [("solution", bank.solution)]
    found = []
    for name, source in named:
        found += _gate_problems(bank, name, source)
        for seed in seeds:
            verdict = judge_source(bank, name, source, seed)
            if not verdict.ok or verdict.points != bank.exercise.points:
                found.append(f"{name}, seed {seed}: rejected, {verdict.reason} ({verdict.message})")
    mechanisms = {a.mechanism for a in bank.right}
    if len(mechanisms) < LEAST_RIGHT:
        found.append(f"{bank.exercise.id}: {len(mechanisms)} different mechanisms; at least {LEAST_RIGHT}")
    return found


def _gate_problems(bank: Bank, name: str, source: str) -> list[str]:
    """A right answer must be one that the grader may judge from source, where it does."""
    try:
        if bank.exercise.judge_source:
            require_allowed(bank.exercise, source, setup=bank.setup)
    except AnswerProblem as problem:
        return [f"{name}: {problem.message}"]
    return []


def survivors(bank: Bank, seed: int) -> list[Mutant]:
    """Return the mutants of the solution that the check accepts.

    Each gets a second, and five times as long as the solution just took: many never end, and none is that slow.
    """
    started = time.monotonic()
    judge_source(bank, "solution", bank.solution, seed)
    limit = min(SOON + SLOWER * (time.monotonic() - started), bank.exercise.seconds)
    every = mutants(bank.solution)
    return [m for m in every if judge_source(bank, f"mutant {m.text}", m.source, seed, seconds=limit).ok]


def mutant_problems(bank: Bank, seed: int) -> list[str]:
    """Return survivors that nobody explained, and explanations of mutants that do not survive (any more)."""
    alive = [m.text for m in survivors(bank, seed)]
    explained = [entry["mutant"] for entry in bank.equivalent if entry.get("reason")]
    unknown = [f"mutant accepted and not explained: {text}" for text in alive if text not in explained]
    stale = [f"explained, but no survivor: {text}" for text in explained if text not in alive]
    return [f"{bank.exercise.id}: {said}" for said in unknown + stale]


def case_problems(exercise: Exercise, seeds: Sequence[int]) -> list[str]:
    """Return what is amiss with the cases: the same for the same seed, one of them visible."""
    found = []
    for seed in seeds:
        cases = exercise.cases(seed)
        if cases != exercise.cases(seed):
            found.append(f"{exercise.id}: seed {seed} gives different cases when asked twice")
        if not any(case.visible for case in cases):
            found.append(f"{exercise.id}: seed {seed} has no visible case")
    return found


def main(argv: list[str]) -> int:
    """Audit the units named; 1 when anything is amiss."""
    problems: list[str] = []
    for unit in argv:
        for room in Registry().rooms(unit):
            bank = read_bank(room)
            problems += case_problems(bank.exercise, SEEDS) + wrong_problems(bank, SEEDS)
            problems += right_problems(bank, SEEDS) + mutant_problems(bank, SEEDS[0])
    print("\n".join(problems) or "nothing amiss")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

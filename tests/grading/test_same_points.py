"""What is solved in class is solved when graded: the lab's cell and the grader give the same points.

The lab's cell is what `check` does there: the gate of an exercise that is judged from its source, then `assess`.
A submission holds one answer of each exercise of a unit, out of the banks, and three seeds take turns: every answer
with every seed takes longer than the tier may.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import pytest

from sharedstate.checks import AnswerProblem, Registry, Verdict
from sharedstate.checks.audit import Bank, judge_source, read_bank
from sharedstate.checks.bank import BankAnswer, Cell, setup_source
from sharedstate.checks.grader import Grader, Limits
from sharedstate.checks.source_gate import require_allowed
from sharedstate.grading.boxes import strongest

SEEDS = (1, 2026, 777000)
UNITS = Registry().units()
MOST = 8  # submissions of a unit: all right answers, and the first wrong ones; all of unit 03's take over three minutes
LIMITS = Limits(cell=120.0, total=600.0)


def in_the_lab(bank: Bank, answer: BankAnswer, seed: int) -> Verdict:
    """Return what the lab's cell says of an answer."""
    try:
        if bank.exercise.judge_source:
            require_allowed(bank.exercise, answer.source, setup=bank.setup)
    except AnswerProblem as problem:
        return bank.exercise.wrong(problem.reason, problem.message)
    return judge_source(bank, answer.place, answer.source, seed)


def submissions(banks: list[Bank]) -> Iterator[list[tuple[Bank, BankAnswer]]]:
    """Yield one answer of each bank at a time, until all were there; a bank that has no more is left out."""
    answers = [[*bank.right, *bank.wrong] for bank in banks]
    for turn in range(max(map(len, answers))):
        yield [(bank, own[turn]) for bank, own in zip(banks, answers, strict=True) if turn < len(own)]


def differences(unit: str, most: int | None = None) -> list[str]:
    """Grade submissions of a unit, with the seeds in turn; return where lab and grader differ."""
    registry = Registry()
    banks, found = [read_bank(room) for room in registry.rooms(unit)], []
    setup = setup_source(registry.rooms(unit)[0].unit_folder)
    for turn, answers in enumerate(islice(submissions(banks), most)):
        seed = SEEDS[turn % len(SEEDS)]
        cells = [Cell(setup, ("setup",)), *(Cell(answer.source, ()) for _, answer in answers)]
        with closing(Grader(cells, registry, LIMITS, (), strongest())) as grader:
            for bank, answer in answers:
                lab, graded = in_the_lab(bank, answer, seed), grader.verdict(bank.exercise, seed, isolated=True)
                if (lab.ok, lab.points) != (graded.ok, graded.points):
                    found.append(f"{answer.place}, seed {seed}: {lab} in the lab, {graded} graded")
    return found


def test_a_submission_earns_the_same_as_in_the_lab() -> None:
    assert differences("08", 2) == []


def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Grader, "verdict", lambda self, exercise, seed, isolated: exercise.wrong("x", "x"))
    assert len(differences("08", 1)) == 6


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit", UNITS)
def test_answers_on_file_earn_the_same_as_in_the_lab(unit: str) -> None:
    assert differences(unit, MOST) == []

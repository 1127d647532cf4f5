"""How many submissions of real labs `grade` gets through in a minute, without torch and with it.

A submission is a whole lab with an answer for each exercise, right and wrong ones drawn from the course's own banks
with a seed; in a third of them everything is right. Graded as by `python run.py grade`: the strongest box that there
is, WORKERS at a time. plain_per_minute: labs without torch; torch_per_minute: labs with it. plain_seconds and
torch_seconds: the median of one submission, with its neighbours beside it; `spread`: half the distance between the
quartiles.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sharedstate.checks.audit import read_bank
from sharedstate.checks.bank import Cell, setup_source
from sharedstate.checks.registry import Registry
from sharedstate.commands.bench import half_range
from sharedstate.grading.batch import grade_all
from sharedstate.grading.boxes import strongest
from sharedstate.grading.submissions import Submission
from sharedstate.grading.work import Job

PLAIN, TORCH = ("01", "10"), ("05", "06")
COUNTS = (60, 24)
WORKERS = 2 * (os.cpu_count() or 2)
SEED = 16
HANGS = ("timeout", "stuck")  # these take all the time there is; one in a class is usual, one in each notebook is not


def submissions(units: Sequence[str], count: int) -> list[Submission]:
    """Return so many submissions of these units in turn; the same ones each time."""
    draw, made = random.Random(SEED), list[Submission]()
    registry = Registry()
    banks = {unit: [read_bank(room) for room in registry.rooms(unit)] for unit in units}
    setups = {unit: setup_source(registry.rooms(unit)[0].unit_folder) for unit in units}
    for number in range(count):
        unit = units[number % len(units)]
        cells = [Cell(setups[unit], ("setup",))]
        for bank in banks[unit]:
            wrong = [one for one in bank.wrong if one.reason not in HANGS]
            cells.append(Cell(draw.choice(bank.right if number % 3 == 0 else [*bank.right, *wrong]).source, ()))
        learner = f"learner {number:02}"
        made.append(Submission(learner, f"{learner}/{unit}.ipynb", unit, tuple(cells), str(number)))
    return made


def pace(units: Sequence[str], count: int) -> tuple[float, list[float], int]:
    """Grade submissions; return how many a minute, the seconds of each, and how many were all right."""
    jobs = [Job(one, SEED) for one in submissions(units, count)]
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        rows = grade_all(jobs, Path(folder), workers=WORKERS)
        taken = time.perf_counter() - began
    return 60 * len(rows) / taken, [float(row["seconds"]) for row in rows], sum(bool(row["ok"]) for row in rows)


def run(counts: tuple[int, int] = COUNTS) -> dict[str, Any]:
    """Return the figures."""
    figures: dict[str, Any] = {"isolation": strongest().key, "workers": WORKERS, "cores": os.cpu_count()}
    spread: dict[str, float] = {}
    for name, units, count in (("plain", PLAIN, counts[0]), ("torch", TORCH, counts[1])):
        figures[f"{name}_submissions"] = count
        figures[f"{name}_per_minute"], seconds, figures[f"{name}_all_right"] = pace(units, count)
        figures[f"{name}_seconds"] = statistics.median(seconds)
        spread[f"{name}_seconds"] = half_range(seconds)
    return {**figures, "spread": spread}


if __name__ == "__main__":
    print(run())

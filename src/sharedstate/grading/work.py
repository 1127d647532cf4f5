"""One submission graded: a job goes in, a row comes out, both plain data, so that any executor can carry them."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sharedstate.checks.bank import Cell
from sharedstate.checks.grader import Grader, Limits
from sharedstate.checks.notebook import report_of
from sharedstate.checks.registry import Registry
from sharedstate.grading.boxes import keyed
from sharedstate.grading.submissions import Submission

Row = dict[str, Any]
START = "import sys; sys.path.insert(0, sys.argv[1]); from sharedstate.grading.work import main; main()"
SLACK = 60.0  # seconds beyond a submission's own limit before its judge is ended
FAILED = "grader-failed"


@dataclass(frozen=True)
class Job:
    """A submission, the seed of its cases, its limits; course and path: for another course than this one.

    box: the key of a box that works on the machine where the job runs, if that is known.
    """

    submission: Submission
    seed: int
    limits: Limits = field(default_factory=lambda: Limits(cell=20.0, total=300.0, restarts=3))
    course: str = ""
    path: tuple[str, ...] = ()
    box: str = ""

    def to_json(self) -> str:
        """Return the job as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        """Build a job from what `to_json` gave."""
        data = json.loads(text)
        cells = tuple(Cell(cell["source"], tuple(cell["tags"])) for cell in data["submission"].pop("cells"))
        submission = Submission(**data["submission"], cells=cells)
        return cls(submission, data["seed"], Limits(**data["limits"]), data["course"], tuple(data["path"]), data["box"])


def row_of(submission: Submission, seed: int, reason: str, message: str) -> Row:
    """Return the row of a submission that earned nothing as a whole."""
    return {
        "learner": submission.learner, "notebook": submission.name, "unit": submission.unit, "points": 0.0,
        "max_points": 0.0, "ok": False, "reason": reason, "message": message, "exercises": [], "notes": [],
        "box": "", "seconds": 0.0, "seed": seed, "digest": submission.digest}


def grade_here(job: Job) -> Row:
    """Grade a submission; this process judges, and never runs its code. Whatever happens ends in a row."""
    one, begin = job.submission, time.monotonic()
    sys.path += [place for place in job.path if place not in sys.path]
    try:
        registry = Registry(Path(job.course)) if job.course else Registry()
        if one.problem:
            most = sum(each.points for each in registry.exercises(one.unit)) if one.unit else 0.0
            return {**row_of(one, job.seed, "unreadable", one.problem), "max_points": most}
        box = keyed(job.box)
        with closing(Grader([*one.cells], registry, job.limits, job.path, box)) as grader:
            report = report_of(grader, one.name, one.unit, True, job.seed)
    except Exception as problem:
        return row_of(one, job.seed, FAILED, f"The grader failed: {type(problem).__name__}: {problem}")
    wrong = [f"{each.id}: {each.reason}" for each in report.exercises if not each.ok]
    said = "Everything is right." if report.ok else "; ".join(wrong) or "This notebook holds no exercise."
    return {
        **row_of(one, job.seed, "ok" if report.ok else "not-all-right", said), "ok": report.ok,
        "points": report.points, "max_points": report.max_points, "notes": [*report.notes],
        "exercises": [asdict(each) for each in report.exercises],
        "box": box.described(), "seconds": time.monotonic() - begin}


def grade_apart(job: Job) -> Row:
    """Grade a submission with a judge in a process of its own: for threads, and for workers of other kinds."""
    package = str(Path(__file__).resolve().parents[2])
    command = [sys.executable, "-I", "-X", "utf8", "-c", START, package]
    try:
        done = subprocess.run(
            command, input=job.to_json().encode(), capture_output=True, timeout=job.limits.total + SLACK)
        row = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return row_of(job.submission, job.seed, FAILED, "The judge took too long and was ended.")
    except ValueError:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return row_of(job.submission, job.seed, FAILED, f"The judge ended without a verdict. {''.join(last)}".strip())
    return row


def main() -> None:
    """Grade the job on standard input; what is printed on the way goes to standard error."""
    job = Job.from_json(sys.stdin.read())
    with contextlib.redirect_stdout(sys.stderr):
        row = grade_here(job)
    print(json.dumps(row))

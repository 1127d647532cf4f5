"""`grade`: a folder of submitted labs, each in a box of its own, judged where its code never ran."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

import click

from sharedstate.commands.talk import friendly
from sharedstate.grading.batch import grade_all, seed_of
from sharedstate.grading.boxes import strongest
from sharedstate.grading.gradebook import write_scores
from sharedstate.grading.report import boxes, write_report
from sharedstate.grading.submissions import submissions
from sharedstate.grading.work import FAILED, Job, Row

DASK = "dask://"


@click.command("grade")
@click.argument("folder", metavar="SUBMISSIONS", type=click.Path(path_type=Path))
@click.option("--out", default="graded", show_default=True, metavar="DIR", type=click.Path(path_type=Path),
              help="Where grades and feedback go; a run that was broken off goes on from there.")
@click.option("--workers", default=os.cpu_count() or 2, show_default="cores", metavar="N", type=click.IntRange(1, 256),
              help="How many submissions run at once.")
@click.option("--executor", metavar=f"{DASK}HOST:PORT", help="Grade on the workers of a Dask scheduler.")
@click.option("--seed", metavar="N", type=click.IntRange(0), help="The seed of the cases; drawn, unless given.")
@click.option("--gradebook", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Write the points into nbgrader's gradebook, an SQLite file.")
@friendly
def command(
    folder: Path, out: Path, workers: int, executor: str | None, seed: int | None, gradebook: Path | None
) -> None:
    """Grade a folder of submitted labs; what a submission does cannot raise its grade."""
    found = submissions(folder)
    drawn = seed_of(out, seed)
    if executor is None:
        click.echo(f"{len(found)} submissions, seed {drawn}. Isolation: {strongest().described()}")
    began = time.monotonic()
    with (named_executor(executor) as engine,
          click.progressbar(length=len(found), label="Grading", file=sys.stderr) as bar):
        rows = grade_all([Job(one, drawn) for one in found], out, engine, workers, lambda row: bar.update(1))
    write_report(rows, out, drawn)
    click.echo(closing(rows, time.monotonic() - began))
    if executor is not None:
        click.echo("\n".join(f"Isolation: {said}" for said in boxes(rows)))
    click.echo(f"Written: {out / 'grades.csv'}, exercises.csv, grades.json, and a page for each learner in feedback/.")
    if gradebook is not None:
        click.echo(f"Written: {write_scores(rows, gradebook)} into {gradebook}.")
    if any(row["reason"] == FAILED for row in rows):
        raise click.ClickException("Some submissions could not be graded (reason grader-failed): run this once more.")


def closing(rows: list[Row], seconds: float) -> str:
    """Return the line that sums up a run."""
    full = sum(bool(row["ok"]) for row in rows)
    pace = f"{60 * len(rows) / seconds:.0f} a minute" if seconds > 0 else "at once"
    return f"{len(rows)} submissions in {seconds:.0f} s ({pace}); everything right in {full}."


@contextmanager
def named_executor(name: str | None) -> Iterator[Executor | None]:
    """Yield the executor of a name, None for this machine's own pool. ValueError for a name that is not known."""
    if name is None:
        yield None
        return
    if not name.startswith(DASK):
        raise ValueError(f"{name!r} is no executor that is known here: write {DASK}HOST:PORT.")
    from distributed import Client

    with Client(name.replace(DASK, "tcp://"), timeout=20) as client:
        yield client.get_executor()

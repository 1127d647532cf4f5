"""A folder of submissions through an executor: resumable, in order, and nothing that one does stops the rest."""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

from sharedstate.checks.assess import fresh_seed
from sharedstate.files import write_atomic
from sharedstate.grading.boxes import strongest
from sharedstate.grading.work import FAILED, Job, Row, grade_apart, grade_here

ROWS, SEED = "rows", "seed.json"
Told = Callable[[Row], None]


def seed_of(out: Path, seed: int | None) -> int:
    """Return the seed of a run and note it in the folder: the one given, the noted one, or one drawn now."""
    noted = out / SEED
    if seed is None and noted.is_file():
        seed = int(json.loads(noted.read_text(encoding="utf-8"))["seed"])
    seed = fresh_seed() if seed is None else seed
    write_atomic(noted, json.dumps({"seed": seed}))
    return seed


def grade_all(jobs: Sequence[Job], out: Path, executor: Executor | None = None, workers: int = 2,
              told: Told = lambda row: None) -> list[Row]:
    """Grade every job and return the rows in the jobs' order; each is stored in `out` as soon as it is there.

    A job whose row is stored already (the same file, the same seed) is not graded again. executor: any; without one a
    pool of processes on this machine. told: called for each row. A worker that dies loses nothing: its jobs are graded
    again, each with a judge of its own.
    """
    rows: dict[int, Row] = {}

    def done(number: int, row: Row) -> None:
        rows[number] = row
        if row["reason"] != FAILED:
            write_atomic(_place(out, jobs[number]), json.dumps(row, indent=1))
        told(row)

    for number, job in enumerate(jobs):
        if stored := _stored(out, job):
            rows[number] = stored
            told(stored)
    if executor is None:
        key = strongest().key
        jobs = [replace(job, box=job.box or key) for job in jobs]
    waiting = [number for number in range(len(jobs)) if number not in rows]
    with _pool(executor, workers) as (pool, work):
        _through(pool, work, jobs, waiting, done)
    left = [number for number in waiting if number not in rows]
    with ThreadPoolExecutor(workers) as threads:
        _through(threads, grade_apart, jobs, left, done)
    return [rows[number] for number in range(len(jobs))]


@contextlib.contextmanager
def _pool(executor: Executor | None, workers: int) -> Iterator[tuple[Executor, Callable[[Job], Row]]]:
    """Yield an executor and what it should call: another one's workers may run several jobs in one process."""
    if executor is not None:
        yield executor, grade_apart
    else:
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
            yield pool, grade_here


def _through(pool: Executor, work: Callable[[Job], Row], jobs: Sequence[Job], numbers: Sequence[int],
             done: Callable[[int, Row], None]) -> None:
    """Run jobs in an executor; those whose worker failed are left out."""
    futures: dict[Future[Row], int] = {}
    with contextlib.suppress(BrokenExecutor):
        for number in numbers:
            futures[pool.submit(work, jobs[number])] = number
    try:
        for future in as_completed(futures):
            if not future.cancelled() and future.exception() is None:
                done(futures[future], future.result())
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def _place(out: Path, job: Job) -> Path:
    name = hashlib.sha256(job.submission.name.encode(errors="surrogatepass")).hexdigest()
    return out / ROWS / f"{name[:20]}.json"


def _stored(out: Path, job: Job) -> Row | None:
    try:
        row = json.loads(_place(out, job).read_text(encoding="utf-8"))
        known = row["digest"], row["seed"], row["notebook"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return row if known == (job.submission.digest, job.seed, job.submission.name) and row["digest"] else None

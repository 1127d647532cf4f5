"""A folder through executors: the same rows in the same order, resumable, and nothing lost with a worker."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from sharedstate.commands.grade import DASK, named_executor
from sharedstate.grading import batch
from sharedstate.grading.batch import grade_all, seed_of
from sharedstate.grading.boxes import Limited, candidates, keyed, strongest, works
from sharedstate.grading.submissions import submissions
from sharedstate.grading.work import FAILED, Job, Row, grade_apart

from .conftest import put
from .hostile import TRICKS
from .test_hostile import SOLVED, WRONG, digests

Read = Callable[..., list[Job]]
VARIES = ("seconds",)


def plain(rows: list[Row]) -> list[Row]:
    """Return rows without what may differ from one run to the next."""
    return [{name: value for name, value in row.items() if name not in VARIES} for row in rows]


def small(folder: Path) -> Path:
    """Make a folder in all layouts: a plain file, a learner's folder, a folder below that, a broken file."""
    put(folder, "zoe.ipynb", *SOLVED)
    put(folder, "ann/90_fake.ipynb", *WRONG)
    put(folder, "bob/90_fake/90_fake.ipynb", SOLVED[0], *WRONG[1:])
    put(folder, "bob/.ipynb_checkpoints/90_fake-checkpoint.ipynb", *SOLVED)
    put(folder, "mia/90_fake.ipynb", *SOLVED).write_text("[" * 100_000, encoding="utf-8")
    (folder / "nobody").mkdir()
    return folder


def test_every_layout_is_read_and_named_by_learner(tmp_path: Path) -> None:
    found = submissions(small(tmp_path / "in"))
    assert [(one.learner, one.unit, bool(one.problem)) for one in found] == [
        ("ann", "90", False), ("bob", "90", False), ("mia", "90", True), ("nobody", "", True), ("zoe", "", True)]
    assert "not a lab of this course" in found[-1].problem, "a plain file is known by its calls of check, or its name"
    small(tmp_path / "course" / "submitted")
    assert [one.name for one in submissions(tmp_path / "course")] == [one.name for one in found]
    for bad in (tmp_path / "none", tmp_path / "in" / "nobody"):
        with pytest.raises(ValueError, match="no folder"):
            submissions(bad)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "in/ann/90_fake.ipynb", *SOLVED)
    (tmp_path / "in" / "eve").mkdir()
    (tmp_path / "in" / "eve" / "90_fake.ipynb").symlink_to(tmp_path / "in" / "ann" / "90_fake.ipynb")
    (tmp_path / "in" / "fay").symlink_to(tmp_path / "in" / "ann")
    (tmp_path / "in" / "gus").mkdir()
    (tmp_path / "in" / "gus" / "deep").symlink_to(tmp_path / "in" / "ann")
    told = {one.learner: one.problem[:14] for one in submissions(tmp_path / "in")}
    assert told == {"ann": "", "eve": "This is a link", "fay": "This is a link", "gus": "There is no no"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
def test_what_is_no_file_gets_a_row_and_nobody_waits_for_it(tmp_path: Path) -> None:
    (tmp_path / "ann" / "90_dir.ipynb").mkdir(parents=True)
    os.mkfifo(tmp_path / "ann" / "90_fake.ipynb")
    assert [(one.name, one.problem) for one in submissions(tmp_path)] == [
        ("ann/90_dir.ipynb", "This is no file."), ("ann/90_fake.ipynb", "This is no file.")]


class Idle(Executor):
    """An executor that must not be asked for anything."""

    def submit(self, *given: object, **named: object) -> Future:  # type: ignore[override]
        """Refuse."""
        raise AssertionError("this row is stored already")


def test_threads_and_processes_give_the_same_rows_and_a_second_run_goes_on(tmp_path: Path, jobs_of: Read) -> None:
    folder = small(tmp_path / "in")
    before, jobs = digests(folder), jobs_of(folder)
    told: list[Row] = []
    rows = grade_all(jobs, tmp_path / "out", workers=2, told=told.append)
    assert [row["points"] for row in rows] == [0, 2, 0, 0, 0] and len(told) == len(rows)
    assert [row["reason"] for row in rows] == ["not-all-right", "not-all-right", *["unreadable"] * 3]
    with ThreadPoolExecutor(2) as threads:
        assert plain(grade_all(jobs, tmp_path / "other", threads)) == plain(rows)
    assert digests(folder) == before
    again = grade_all([job for job in jobs if job.submission.digest], tmp_path / "out", Idle())
    assert again == [row for row in rows if row["digest"]], "the very rows, with their seconds"
    put(folder, "ann/90_fake.ipynb", *SOLVED)
    changed = grade_all(jobs_of(folder), tmp_path / "out")
    assert [row["points"] for row in changed] == [4, 2, 0, 0, 0], "a changed file is graded again"


def die(job: Job) -> Row:
    """End the worker at one job, do the work of the others."""
    if job.submission.learner == "bob":
        os._exit(1)
    return grade_apart(job)


def test_a_worker_that_dies_loses_nothing(tmp_path: Path, jobs_of: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = jobs_of(small(tmp_path / "in"))
    through = batch._through
    monkeypatch.setattr(batch, "_through", lambda pool, work, *rest: through(
        pool, die if isinstance(pool, ProcessPoolExecutor) else work, *rest))
    with ProcessPoolExecutor(1) as pool:
        rows = grade_all(jobs, tmp_path / "out", pool)
    assert [row["points"] for row in rows] == [0, 2, 0, 0, 0] and len(rows) == len(jobs)


def test_a_judge_that_fails_is_a_row_and_is_tried_again(
    tmp_path: Path, jobs_of: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    (job,) = [job for job in jobs_of(small(tmp_path / "in")) if job.submission.learner == "bob"]
    broken = Job(job.submission, job.seed, job.limits, str(tmp_path / "nowhere"), job.path)
    (row,) = grade_all([broken], tmp_path / "out", ThreadPoolExecutor(1))
    assert row["points"] == 0 and not row["ok"]
    monkeypatch.setattr("sharedstate.grading.work.START", "import os; os._exit(3)")
    row = grade_apart(job)
    assert row["reason"] == FAILED and "without a verdict" in row["message"]


def test_the_seed_is_drawn_once_for_a_folder(tmp_path: Path) -> None:
    drawn = seed_of(tmp_path, None)
    assert seed_of(tmp_path, None) == drawn == json.loads((tmp_path / "seed.json").read_text())["seed"]
    assert seed_of(tmp_path, 7) == seed_of(tmp_path, None) == 7


def test_the_box_says_what_it_holds_and_limits_alone_promise_nothing() -> None:
    box = strongest()
    assert box.key == keyed(box.key).key and keyed("unheard of").key == box.key
    assert [one.key for one in candidates()][-1] == "limits only" and works(candidates()[-1])
    assert "no protection against hostile code" in Limited(False).described()


# --- a class of sixty; the workers of a Dask cluster


RIGHT = ("double = lambda n: 2 * n", "def double(n):\n    return n + n", "double = (2).__mul__",
         "class Double:\n    def __call__(self, n):\n        return n << 1\ndouble = Double()",
         "import operator, functools\ndouble = functools.partial(operator.mul, 2)")
SLIPS = ("double = lambda n: n * n", "double = float", "def double(n):\n    print(2 * n)", "double = lambda: 4")


def sixty(folder: Path) -> dict[str, float]:
    """Make 60 submissions, and return the points of each: right in different ways, wrong, hostile."""
    tricks = [trick for name, trick in TRICKS.items() if "endless" not in name]
    kinds: list[tuple[tuple[str, ...], float]] = []
    for turn in range(20):
        kinds += [((RIGHT[turn % len(RIGHT)], *SOLVED[1:]), 4), ((SLIPS[turn % len(SLIPS)], *SOLVED[1:]), 2),
                  (tricks[turn % len(tricks)].cells(), 0)]
    for number, (cells, _) in enumerate(kinds):
        put(folder, f"learner {number:02}/90_fake.ipynb", *cells)
    return {f"learner {number:02}": points for number, (_, points) in enumerate(kinds)}


def points(rows: list[Row]) -> dict[str, float]:
    """Return the points by learner."""
    return {row["learner"]: row["points"] for row in rows}


@pytest.mark.exhaustive
def test_sixty_get_what_they_deserve_twice_with_two_seeds(tmp_path: Path, jobs_of: Read) -> None:
    wanted = sixty(tmp_path / "in")
    for seed in (11, 12):
        for turn in ("first", "second"):
            began = time.monotonic()
            rows = grade_all(jobs_of(tmp_path / "in", seed), tmp_path / f"{turn} {seed}", workers=2)
            print(f"{60 * len(rows) / (time.monotonic() - began):.0f} submissions a minute")
            assert points(rows) == wanted and [row["learner"] for row in rows] == sorted(wanted)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two Dask workers, each a process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as made:
        yield made


def few(folder: Path) -> Path:
    """Make a folder of eight submissions."""
    for number, cells in enumerate(islice([SOLVED, WRONG, (RIGHT[1], *WRONG[1:])] * 3, 8)):
        put(folder, f"learner {number}/90_fake.ipynb", *cells)
    put(folder, "learner 8/90_fake.ipynb").write_text("{", encoding="utf-8")
    return folder


@pytest.mark.exhaustive
def test_dask_gives_the_same_rows_in_the_same_order(tmp_path: Path, jobs_of: Read, cluster: Any) -> None:
    jobs = jobs_of(few(tmp_path / "in"))
    here = grade_all(jobs, tmp_path / "here", workers=2)
    with named_executor(cluster.scheduler_address.replace("tcp://", DASK)) as engine:
        there = grade_all(jobs, tmp_path / "there", engine)
    assert plain(there) == plain(here) and points(here)["learner 0"] == 4


@pytest.mark.exhaustive
def test_a_dask_worker_that_is_killed_in_the_middle_loses_nothing(
    tmp_path: Path, jobs_of: Read, cluster: Any
) -> None:
    from distributed import Client

    jobs, killed = jobs_of(few(tmp_path / "in")), list[int]()
    with Client(cluster) as client:
        def told(row: Row) -> None:
            if not killed:
                killed.extend(islice(client.run(os.getpid).values(), 1))
                os.kill(killed[0], signal.SIGKILL)

        rows = grade_all(jobs, tmp_path / "out", client.get_executor(), told=told)
    assert killed and [row["points"] for row in rows] == [4, 0, 2, 4, 0, 2, 4, 0, 0]
    assert [row["learner"] for row in rows] == [job.submission.learner for job in jobs]

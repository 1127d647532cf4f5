"""Exercise 03.5: what to hand to worker processes, so that no generator is copied."""

from __future__ import annotations

import pickle
from typing import Any

from sharedstate.checks.memory import Memory
from sharedstate.checks.process import another_process, global_state, keep_hidden_state
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record
from sharedstate.checks.values import require_pair, required

from .seeding import SAME_STREAM, meeting, seeds_noted, too_narrow
from .words import TOP

DRAWS = 4
MANY = 1100  # workers: more than the thousand that people leave room for


class ForkSafe(Exercise):
    """The answer is a pair: plan(master, workers) -> one job each, work(job, count) -> numbers below 2**32."""

    id = "03.5"
    title = "Workers that do not echo"
    answer = "workers"
    minutes = 8
    difficulty = 3
    points = 3.0
    expects = "a pair of functions"
    seconds = 10.0
    judge_source = True
    imports = ("numpy", "numpy.random", "random", "secrets", "hashlib", "dataclasses", "threading")

    def cases(self, seed: int) -> list[Case]:
        """One worker; several, as a fork leaves them; again in another order; other masters; many; more numbers."""
        draw = self.draw(seed)
        master = draw.randrange(10, 99)
        return [
            _case("one worker", [master], [0], True),
            _case("several workers", [master], [0, 1, 2, 3, 4]),
            _case("in another order", [master], [2, 0, 3, 1, 2]),
            _case("two masters side by side", [master, master + 1], [0, 1, 2, 3]),
            _case("masters that look alike", [1, 11, 17, 111, 257, 65537], [0, 1, 2, 10, 11, 12]),
            _case("nine numbers each", [master], [0, 1], count=9),
            _case("other numbers of workers", [1, 2, 3, 4, 6, 12], [0, 1, 2, 3], teams=[12, 6, 4, 3, 2, 1]),
            _case("other counts", [master, master + 1], [0, 1, 2, 3], teams=[4, 4], counts=[4, 2, 1]),
            _case(WIDE_ONES, [TOP - 1, TOP // 3, 2**63], [0, 1, 2]),
            _case("many workers", [master, master + 1], list(range(MANY)), count=2),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Run every job as a forked child would: from a copy of it, and of the hidden generators; in two processes."""
        require_pair(answer, "`workers` should be a pair of functions: plan, work.")
        rounds = []
        for number in (1, 2):  # the parent's hidden state, hash() and process number differ from run to run
            memory = Memory(*answer)
            with global_state(number), another_process(10 * number, *answer):
                rounds.append([row for run in _runs(case) for row in _drawn(answer, case, run, number)])
            memory.rewind()
        wide = case.label == WIDE_ONES
        narrow = wide and too_narrow([_seed(answer, run[0], place, run[1]) for run in _runs(case)
                                      for place in range(run[1])])
        return {"rounds": rounds, "narrow": narrow, "met": _met(answer) if wide and not narrow else None}

    def judge(self, case: Case, value: object) -> Verdict:
        """Numbers; different between workers; the same for the same worker, and in the second run."""
        names = [(run[0], place) for run in _runs(case) for place in _places(case, run)]
        counts = [run[2] for run in _runs(case) for _ in _places(case, run)]
        if not is_record(value, ("rounds", "narrow", "met")):
            return self.unseen("these workers")
        narrow, met, value = value["narrow"], value["met"], value["rounds"]
        if type(value) is not list or len(value) != 2 or any(not _numbers(row, counts) for row in value):
            count = case["counts"][0]
            message = f"work(job, {count}) should return a list of {count} whole numbers from 0 to 2**32 - 1."
            return self.wrong("wrong-shape", message)
        seen: dict[tuple, tuple] = {}
        same = len(case["counts"]) == 1 and not case["teams"]
        for name, numbers in zip(names, map(tuple, value[0]), strict=True):
            if same and seen.setdefault(name, numbers) != numbers:
                message = f"Worker {name[1]} was run twice with the same job and drew other numbers."
                return self.wrong("order-matters", message)
        rows = [*seen.items()] if same else [*zip(names, map(tuple, value[0]), strict=True)]
        wrong = self._meet(rows, len(case["order"]) > 100)
        if wrong:
            return wrong
        if narrow is not False:
            return self.wrong("too-narrow", NARROW)
        if met is not None:
            one, two = map(tuple, met)
            return self.wrong("masters-meet", f"(master, worker) {one} and {two} draw the same: {SAME_STREAM}.")
        if value[0] != value[1]:
            message = ("From the same master a second run drew other numbers. Some hidden state went in: a generator, "
                       "hash() of a text, the number of the process.")
            return self.wrong("not-reproducible", message)
        if same and len(value[0]) > 4 and max(max(row) for row in value[0]) < 2**31:
            return self.wrong("too-small", "No number is 2**31 or more: all 32 bits should be drawn.")
        return self.right("Each worker has its own numbers, in every run, however it is started.")

    def _meet(self, rows: list[tuple[tuple, tuple]], many: bool) -> Verdict | None:
        """Name a number that two draw; among many workers all their numbers, since one alone may agree by chance."""
        owners: dict[object, tuple] = {}
        for name, numbers in rows:
            if not many and len(set(numbers)) < len(numbers):
                return self.wrong("repeats", f"Worker {name[1]} draws a number twice: {list(numbers)}.")
            for number in [numbers] if many else numbers:
                if owners.setdefault(number, name) != name:
                    return self._echo(owners[number], name, number)
        return None

    def _echo(self, one: tuple, two: tuple, number: object) -> Verdict:
        if one[0] != two[0]:
            message = f"Worker {one[1]} of master {one[0]} and worker {two[1]} of master {two[0]} both draw {number}."
            return self.wrong("masters-meet", message)
        message = f"Workers {one[1]} and {two[1]} both draw {number}: they have copies of one generator, or one seed."
        return self.wrong("copies", message)


WIDE_ONES = "masters of 64 bits"
NARROW = ("The generator's seed has 32 bits or little more, however large the numbers are that go in: among "
          "some 60,000 streams two probably meet. Seed with a text of both numbers, or with 64 bits or more.")


def _runs(case: Case) -> list[tuple[int, int, int]]:
    """Return (master, workers, count) of each run."""
    most = max(case["order"]) + 1
    teams = case["teams"] or [most] * len(case["masters"])
    return [(master, team, count) for master, team in zip(case["masters"], teams, strict=True)
            for count in case["counts"]]


def _places(case: Case, run: tuple[int, int, int]) -> list[int]:
    """Return which workers of a run are looked at."""
    return [place for place in case["order"] if place < run[1]]


def _seed(answer: tuple, master: int, place: int, workers: int = 0) -> object:
    """Return the last seed that a worker's generator was given; None for none."""
    plan, work = answer
    job = plan(master, workers or MANY)[place]
    with seeds_noted(work) as noted:
        work(job, 2)
    return noted[-1] if noted else None


def _met(answer: tuple) -> tuple | None:
    """Return (master, worker) twice with the same numbers, if the seeds give reason to look for them."""
    plan, work = answer
    pairs = meeting(lambda *pair: _seed(answer, *pair), TOP, MANY)
    drawn = [work(plan(master, MANY)[place], DRAWS) for master, place in pairs or ()]
    return pairs if drawn and drawn[0] == drawn[1] else None


def _drawn(answer: tuple, case: Case, run: tuple[int, int, int], number: int) -> list[object]:
    """Plan in the parent; then every child begins with what the parent's fork left: names, generators, a hash()."""
    plan, work = answer
    master, workers, count = run
    jobs = _copied(plan(master, workers), workers)
    fork, memory = keep_hidden_state(), Memory(plan, work)
    rows = []
    for child, place in enumerate(_places(case, run)):
        memory.rewind()
        fork()
        with another_process(10 * number + child + 1, work):
            rows.append(required(work(pickle.loads(jobs[place]), count), "work()"))
    return rows


def _copied(jobs: Any, workers: int) -> list[bytes]:
    """Return the jobs as they arrive in other processes."""
    required(jobs, "plan()")
    if not isinstance(jobs, (list, tuple)) or len(jobs) != workers:
        raise AnswerProblem("wrong-shape", f"plan(master, {workers}) should return a list of {workers} jobs.")
    try:
        return [pickle.dumps(job) for job in jobs]
    except Exception as problem:
        said = f"A job cannot be sent to another process: {type(problem).__name__}: {problem}"
        raise AnswerProblem("cannot-be-sent", said) from None


def _numbers(drawn: object, counts: list[int]) -> bool:
    if type(drawn) is not list or len(drawn) != len(counts):
        return False
    return all(
        type(row) is list and len(row) == count and all(type(n) is int and 0 <= n < 2**32 for n in row)
        for row, count in zip(drawn, counts, strict=True)
    )


def _case(label: str, masters: list[int], order: list[int], visible: bool = False, count: int = DRAWS,
          teams: tuple[int, ...] | list[int] = (), counts: list[int] | None = None) -> Case:
    """Return a case. teams: how many workers each master has (else as many as the order names); counts: of numbers."""
    return Case(label, {"masters": masters, "order": order, "counts": counts or [count], "teams": list(teams)}, visible)


EXERCISE = ForkSafe()

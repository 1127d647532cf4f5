"""Exercise 03.5: what to hand to worker processes, so that no generator is copied."""

from __future__ import annotations

import pickle
import random

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict
from sharedstate.checks.unit03_words import given, global_state

DRAWS = 4


class ForkSafe(Exercise):
    """The answer is a pair: plan(master, workers) -> one job each, work(job, count) -> numbers below 2**32."""

    id = "03.5"
    title = "Workers that do not echo"
    answer = "workers"
    minutes = 8
    difficulty = 3
    points = 3.0
    expects = "a tuple"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """One worker; several, as a fork leaves them; the same again in another order; another master."""
        draw = random.Random(f"03.5:{seed}")
        master = draw.randrange(10, 99)
        return [
            _case("one worker", master, 1, [0], True),
            _case("several workers", master, 5, [0, 1, 2, 3, 4]),
            _case("in another order", master, 4, [2, 0, 3, 1, 2]),
            _case("two masters side by side", master, 4, [0, 1, 2, 3], other=master + 1),
        ]

    def run(self, answer: object, case: Case) -> object:
        """Run every job as a forked child would: from a copy of it, and of the hidden generators."""
        if len(answer) != 2 or not all(callable(function) for function in answer):
            raise AnswerProblem("wrong-shape", "`workers` should be a pair of functions: plan, work.")
        plan, work = answer
        masters = [case["master"], *([case["other"]] if case["other"] is not None else [])]
        rounds = []
        for hidden in (1, 2):  # the parent's hidden state differs from run to run
            drawn = []
            for master in masters:
                with global_state(hidden):
                    jobs, left = _copied(plan(master, case["workers"]), case["workers"]), random.getstate()
                    drawn += [_child(work, jobs[place], left) for place in case["order"]]
            rounds.append(drawn)
        return rounds

    def judge(self, case: Case, value: object) -> Verdict:
        """Numbers; different between workers; the same for the same worker, and in the second run."""
        masters = 1 if case["other"] is None else 2
        wanted = len(case["order"]) * masters
        if type(value) is not list or len(value) != 2 or any(not _numbers(drawn, wanted) for drawn in value):
            message = f"work(job, {DRAWS}) should return a list of {DRAWS} whole numbers from 0 to 2**32 - 1."
            return self.wrong("wrong-shape", message)
        names = [(master, place) for master in range(masters) for place in case["order"]]
        seen: dict[tuple, tuple] = {}
        for name, numbers in zip(names, map(tuple, value[0]), strict=True):
            if seen.setdefault(name, numbers) != numbers:
                message = f"Worker {name[1]} was run twice with the same job and drew other numbers."
                return self.wrong("order-matters", message)
        owners: dict[int, tuple] = {}
        for name, numbers in seen.items():
            if len(set(numbers)) < DRAWS:
                return self.wrong("repeats", f"Worker {name[1]} draws a number twice: {list(numbers)}.")
            for number in numbers:
                if owners.setdefault(number, name) != name:
                    return self._echo(owners[number], name, number)
        if value[0] != value[1]:
            message = "From the same master a second run drew other numbers: some hidden state went in."
            return self.wrong("not-reproducible", message)
        if len(value[0]) > 4 and max(max(row) for row in value[0]) < 2**31:
            return self.wrong("too-small", "No number is 2**31 or more: all 32 bits should be drawn.")
        return self.right("Each worker has its own numbers, in every run, however it is started.")

    def _echo(self, one: tuple, two: tuple, number: int) -> Verdict:
        if one[0] != two[0]:
            message = f"Worker {one[1]} of one master and worker {two[1]} of the next both draw {number}."
            return self.wrong("masters-meet", message)
        message = f"Workers {one[1]} and {two[1]} both draw {number}: each has a copy of one generator."
        return self.wrong("copies", message)


def _copied(jobs: object, workers: int) -> list[bytes]:
    """Return the jobs as they arrive in other processes."""
    given(jobs, "plan()")
    if type(jobs) not in (list, tuple) or len(jobs) != workers:
        raise AnswerProblem("wrong-shape", f"plan(master, {workers}) should return a list of {workers} jobs.")
    try:
        return [pickle.dumps(job) for job in jobs]
    except Exception as problem:
        said = f"A job cannot be sent to another process: {type(problem).__name__}: {problem}"
        raise AnswerProblem("cannot-be-sent", said) from None


def _child(work: object, job: bytes, left: tuple) -> object:
    """Run one job with the hidden generator as the parent left it."""
    random.setstate(left)
    return given(work(pickle.loads(job), DRAWS), "work()")


def _numbers(drawn: object, wanted: int) -> bool:
    if type(drawn) is not list or len(drawn) != wanted:
        return False
    return all(
        type(row) is list and len(row) == DRAWS and all(type(n) is int and 0 <= n < 2**32 for n in row)
        for row in drawn
    )


def _case(
    label: str, master: int, workers: int, order: list[int], visible: bool = False, other: int | None = None
) -> Case:
    inputs = {"master": master, "workers": workers, "order": order, "other": other}
    return Case(label, inputs, visible)

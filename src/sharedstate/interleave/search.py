"""Which schedules are tried: all of them, those within a number of preemptions, or random ones."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from sharedstate.interleave.execution import STEP_LIMIT, Course, Execution, Questions
from sharedstate.interleave.findings import Budget, Findings
from sharedstate.interleave.run import Run
from sharedstate.interleave.sites import OutOfSteps

Stack = list[tuple[bytes, int]]
STUCK_LIMIT = 20


class NotDeterministic(Exception):
    """The same schedule did something else; the message says where."""


class Restart(Exception):
    """More of the program is known to be shared than when the search began."""


class Search:
    """Runs schedules of one scenario and gathers what came out."""

    def __init__(self, make: Callable[[], Run], questions: Questions, budget: Budget, written: int) -> None:
        self.make, self.questions, self.budget, self.written = make, questions, budget, written
        self.found = Findings()
        self.base = 0
        self.left_out = False
        self.current: Run | None = None
        self.deadline = time.monotonic() + budget.seconds

    def all(self, stack: Stack | None = None, until: int = 0, bound: int | None = None) -> Findings:
        """Every interleaving, each exactly once, depth first; or those below the entries of a `stack`.

        With `until`, stop when there are so many entries: what is left in the stack can be done elsewhere.
        With a `bound`, those with more preemptions are left out.
        """
        stack = [(b"", -1)] if stack is None else stack
        self.found.bound = bound

        def later(cost: int, item: tuple[bytes, int]) -> None:
            if bound is None or cost <= bound:
                stack.append(item)
            else:
                self.left_out = True

        while stack:
            if self.over() or 0 < until <= len(stack):
                return self.found
            prefix, site = stack.pop()
            self._branch(prefix, site, later)
        self.found.complete = not self.left_out
        return self.found

    def preemptions(self, bound: int, prefix: bytes = b"", by_switches: bool = False) -> Findings:
        """Every interleaving with at most `bound` preemptions, fewest first, each exactly once. No reduction.

        With `by_switches`, all switches count and not only preemptions.
        """
        levels: dict[int, Stack] = {0: [(prefix, -1)]}
        for level in range(bound + 1):
            todo = levels.pop(level, [])
            while todo:
                if self.over():
                    return self.found

                def later(cost: int, item: tuple[bytes, int], now: int = level, todo: list = todo) -> None:
                    (todo if cost <= now else levels.setdefault(cost, [])).append(item)

                self._branch(*todo.pop(), later, by_switches, len(prefix))
            self.found.bound = level
            failing = self.found.failing
            if by_switches and failing is not None and failing.switches <= level + self.base:
                break
            if not levels:
                self.found.complete = True
                break
        return self.found

    def _branch(
        self, prefix: bytes, site: int, later: Callable, by_switches: bool = False, fixed: int = 0
    ) -> None:
        """Follow a prefix, then go on with as few switches as possible; hand every other way to `later`."""
        course = self.start()
        run = course.run
        base = self._follow(course, prefix, site, fixed, by_switches)
        while (enabled := run.enabled()) and self.goes_on(run):
            last = course.last
            stays = last in enabled
            chosen = last if stays else enabled[0]
            if len(enabled) > 1:
                cost = (course.switches if by_switches else course.preemptions) - base
                cost += (last >= 0) if by_switches else stays
                path = bytes(run.schedule)
                for other in reversed(enabled):
                    if other != chosen:
                        later(cost, (path + bytes([other]), run.threads[other].site.index))
            course.step(chosen, enabled)
        self.record(course)

    def start(self) -> Course:
        """A fresh run, remembered so that an interrupt can close it."""
        course = Course(self.make(), self.questions)
        self.current = course.run
        return course

    def close(self) -> None:
        """Close the run that an interrupt or an error left open."""
        if self.current is not None:
            self.current.close()

    def _follow(self, course: Course, prefix: bytes, site: int, fixed: int, by_switches: bool) -> int:
        """Take the steps of a prefix; the cost of its first `fixed` steps does not count."""
        run, base, final = course.run, 0, len(prefix) - 1
        for place, index in enumerate(prefix):
            enabled = run.enabled()
            if index not in enabled or (place == final and site >= 0 and run.threads[index].site.index != site):
                raise NotDeterministic(f"step {place + 1} of the same schedule came out differently")
            course.step(index, enabled)
            if place + 1 == fixed:
                self.base = base = course.switches if by_switches else course.preemptions
        return base

    def record(self, course: Course) -> Execution:
        """Finish a run and add it to the findings."""
        run = course.run
        execution = course.finish()
        self.found.add(execution, run.log if run.whole else None)
        if execution.status != "ok":
            self.found.stuck += any(not t.done and t.reason and t.spinning < 0 and not t.looked for t in run.threads)
        run.close()
        if run.program.revision != self.written:
            raise Restart
        return execution

    def abandon(self, course: Course) -> None:
        """Drop a run that can only repeat what was seen; it counts as an execution."""
        self.found.executions += 1
        self.found.blocked += 1
        course.run.close()

    def goes_on(self, run: Run) -> bool:
        """True if a schedule may become longer. Raises OutOfSteps where the time is up in the middle of one."""
        length = len(run.schedule)
        if length & 127 == 0 and time.monotonic() > self.deadline:
            raise OutOfSteps(f"ran out of time after {self.found.executions} executions")
        return length < STEP_LIMIT

    def over(self) -> bool:
        """True if the budget is used up or the first failure was all that was asked for."""
        found = self.found
        if self.budget.first and (found.failing or found.raising or found.waiting):
            found.stopped = "stopped at the first failure"
        elif found.executions >= self.budget.executions:
            found.stopped = f"ran out after {found.executions} executions"
        elif time.monotonic() > self.deadline:
            found.stopped = f"ran out of time after {found.executions} executions"
        elif found.stuck >= STUCK_LIMIT:
            found.stopped = f"stopped after {found.stuck} schedules in which a loop did not end"
        return bool(found.stopped)

    def random(self, seed: int | str) -> Findings:
        """Uniform choice among the enabled threads at every step."""
        draw = random.Random(seed).random
        return self._sample(lambda run: lambda enabled: enabled[int(draw() * len(enabled))], draw)

    def pct(self, seed: int | str, depth: int) -> Findings:
        """Probabilistic concurrency testing (Burckhardt and others, 2010): random priorities, depth - 1 changes."""
        choices = _priorities(random.Random(seed), depth)
        next(choices)
        return self._sample(lambda run: lambda enabled: choices.send((run, enabled)))

    def _sample(self, chooser: Callable[[Run], Callable[[list[int]], int]], draw: Any = None) -> Findings:
        """Run one chosen schedule after another until the budget is used up."""
        while not self.over():
            course = self.start()
            course.run.noting = course.run.whole = not course.run.fast or course.run.program.looping
            self.drive(course, chooser(course.run), draw)
            self.record(course)
        return self.found

    def drive(self, course: Course, choose: Callable[[list[int]], int], draw: Any = None) -> None:
        """Let the threads go on as `choose(enabled)` says, until nobody can move.

        While nobody waits for anybody, what can move stays the same from step to step.
        """
        run, asked = course.run, course.questions.always is not None
        while (enabled := run.enabled()) and self.goes_on(run):
            if asked or not run.steady():
                course.step(choose(enabled), enabled)
                continue
            course.glide(choose, enabled, draw)


def _priorities(generator: random.Random, depth: int) -> Iterator[int]:
    """Choose by priority; at `depth - 1` random steps the running thread falls to the bottom."""
    current, length, answer = None, 10, 0
    ranks: dict[int, float] = {}
    drops: list[int] = []
    while True:
        run, enabled = yield answer
        if run is not current:
            length = max(length, len(current.schedule)) if current is not None else length
            current, ranks = run, {t.index: depth + generator.random() for t in run.threads}
            drops = sorted(generator.sample(range(1, length + depth), depth - 1))
        for born in run.threads[len(ranks) :]:
            ranks[born.index] = depth + generator.random()
        answer = max(enabled, key=ranks.__getitem__)
        for rank, place in enumerate(drops):
            if place == len(run.schedule):
                ranks[answer] = rank
                answer = max(enabled, key=ranks.__getitem__)

"""Makes runs of one scenario on either back end, and turns them into traces."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sharedstate.interleave.access.answers import HANDLERS, PERFORM
from sharedstate.interleave.access.registry import digest
from sharedstate.interleave.execution import Execution, Questions, finish, freeze, observed, raised, status_of, violated
from sharedstate.interleave.findings import Findings
from sharedstate.interleave.pool import NoThreads, Pool
from sharedstate.interleave.possible import judge
from sharedstate.interleave.rewrite.twin import Program
from sharedstate.interleave.runs.loop import AsyncRun
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.runs.threads import Hung, ThreadRun
from sharedstate.interleave.runs.tight import TightRun
from sharedstate.interleave.search.driver import drive
from sharedstate.interleave.search.replay import Replay
from sharedstate.interleave.sites import NeedsLoop
from sharedstate.interleave.source import tokens
from sharedstate.interleave.source.lookup import find
from sharedstate.interleave.trace import Step, Trace

AGAIN = 12


class Engine:
    """One scenario's code under test, rewritten once and run many times.

    Generators are used unless the code is asynchronous: then every run is made on an event loop.
    """

    gil: bool | None = None  # judge what is possible with a GIL, without one, or (None) here

    def __init__(
        self, setup: Callable[[], Any], bodies: Mapping[str, Any], questions: Questions, follow: tuple[str, ...] = ()
    ) -> None:
        self.setup, self.bodies, self.questions = setup, dict(bodies), questions
        self.program = Program(HANDLERS, PERFORM, follow=follow)
        self.real_program = Program(HANDLERS, PERFORM, yields=False, follow=follow)
        self.asynchronous, self.order = False, "any"
        self.cancel: str | None = None
        self.pool = Pool()
        self.live: list[Run] = []
        self.streams: tuple = ()

    @contextlib.contextmanager
    def threads(self) -> Iterator[None]:
        """Inside, real threads may be used; at the end they are gone."""
        try:
            yield
        finally:
            self.close()

    def close(self) -> None:
        """Close every run that still holds a lock, and end the real threads; may be called at any time."""
        while self.live:
            self.live[-1].close()
        self.pool.close()

    def make(self, record: bool = False) -> Run:
        """A fresh run, each thread at its first step. Raises Unsupported once, before falling back."""
        self._afresh()
        if self.asynchronous:
            return self._make_async(record, False)
        return self._watched(TightRun(self.program, self.setup, self.bodies, record))

    def make_real(self, record: bool = True) -> Run:
        """A fresh run on real threads, or on a real event loop."""
        self._afresh()
        if self.asynchronous:
            return self._make_async(record, True)
        return self._watched(ThreadRun(self.program, self.setup, self.bodies, record, self.pool))

    def _make_async(self, record: bool, real: bool) -> Run:
        """A fresh run on an event loop."""
        fifo = self.order == "loop"
        if fifo:
            self.program.assume("the event loop keeps its own order: first ready, first run; computing takes no time")
        made = AsyncRun(self.real_program, self.setup, self.bodies, record, real, fifo, self.cancel)
        self.live.append(self._watched(made))
        return made

    def _watched(self, run: Run) -> Run:
        """A run that enters itself among the live ones as soon as it holds a lock."""
        run.live = self.live
        return run

    def settle(self, action: Callable[[], Any]) -> Any:
        """Do something; again on an event loop if the code is asynchronous, or if more of it turns out to be shared."""
        before, self.streams = self.streams, (sys.stdout, sys.stderr, sys.stdin)
        try:
            for _ in range(AGAIN):
                known = self.program.revision
                try:
                    result = action()
                except NeedsLoop:
                    self.asynchronous, self.program = True, self.real_program
                    continue
                if self.program.revision == known:
                    break
            return result
        finally:
            self.streams = before

    def _afresh(self) -> None:
        """A schedule that has redirected an output leaves it so: each one begins with the same ones."""
        if self.streams:
            sys.stdout, sys.stderr, sys.stdin = self.streams

    # -- schedules -------------------------------------------------------------------------------

    def begin(self, schedule: Sequence[int] = b"", onward: bool = False, rest: Sequence[int] = b"") -> tuple[Run, bool]:
        """A recorded run brought to this schedule; and whether all of its steps were possible. See `Replay`."""
        run = self.make(True)
        return run, self._bring(run, Replay(schedule, rest, onward))

    def follow(self, schedule: Sequence[int], real: bool = False, watch: bool = True) -> tuple[Run, bool]:
        """Run a schedule with a record; False if it asks for a thread that cannot move.

        Without `watch` nothing is noted that would tell which switches are possible here.
        """
        run = self.make_real() if real else self.make(True)
        run.watch = watch
        possible = self._bring(run, Replay(schedule))
        if not possible:
            run.close()
        return run, possible

    def _bring(self, run: Run, replay: Replay) -> bool:
        """Follow a schedule; a run in which that fails is closed."""
        try:
            if self.questions.always is not None:
                self.questions.watch(run)
            drive(run, replay)
            return replay.possible
        except BaseException:
            run.close()
            raise

    def replays(self, found: Findings) -> list[tuple[Execution, list[tuple]]] | None:
        """The executions of a search, run again, each with what it touched; None where they were too many."""
        if found.kept is None:
            return None
        again = []
        for schedule in found.kept:
            run = self.make()
            try:
                self._bring(run, Replay(schedule))
                again.append((finish(run, self.questions), run.log))
            finally:
                run.close()
        return again

    def confirm(self, schedule: Sequence[int]) -> bool:
        """True if real threads take the same steps, see the same values and end in the same state.

        Raises NoThreads where there are none.
        """
        try:
            return self._picture(schedule, real=False) == self._picture(schedule, real=True)
        except Hung:
            return False

    def confirmed(self, trace: Trace, schedule: Sequence[int]) -> Trace:
        """The trace of a schedule, confirmed if real threads do the same; with a note where there are none to ask."""
        try:
            return replace(trace, confirmed=self.confirm(schedule))
        except NoThreads as problem:
            return replace(trace, notes=(*trace.notes, f"not confirmed: {problem}"))

    def repeats(self, schedule: Sequence[int]) -> bool:
        """True if real threads do the same, or where there are none to ask."""
        try:
            return self.confirm(schedule)
        except NoThreads:
            return True

    def _picture(self, schedule: Sequence[int], real: bool) -> tuple:
        """Run a schedule, closed before the next one starts: a global lock must be free again."""
        run, _ = self.follow(schedule, real, watch=False)
        try:
            return self.picture(run)
        finally:
            run.close()

    @staticmethod
    def picture(run: Run) -> tuple:
        """Everything that two runs of one schedule must have in common."""
        steps = tuple((s.thread, s.kind, s.target, s.value, s.line) for s in run.steps)
        answers = tuple((t.name, t.done, freeze(t.answer)) for t in run.threads)
        return (tuple(run.schedule), steps, answers, digest(run.state))

    def fingerprint(self, run: Run) -> str:
        """A hash of the source that a run went through, the setup included."""
        code = getattr(self.setup, "__code__", None)
        if code is not None and code not in run.program.sources:
            found = find(code, run.program.trees)
            run.program.sources[code] = ast.unparse(found.node) if found else ""
        return run.program.fingerprint({f.__code__ for f in run.entered} | ({code} if code is not None else set()))

    # -- traces ------------------------------------------------------------------------------------

    def trace(self, run: Run, blame: tuple[int, int] | None = None) -> Trace:
        """The trace of a run so far."""
        status = status_of(run)
        finished = status == "ok"
        names = tuple(t.name for t in run.threads)
        bad = violated(run, self.questions, status)
        here = judge(run, run.marks, self.gil) if not run.asynchronous else None
        return Trace(
            threads=names,
            steps=_steps(run, blame, here.steps if here else None) + _blocked(run),
            answers={t.name: t.answer for t in run.threads if t.done},
            finished=finished,
            violated=bad,
            verdict=self._verdict(run, status, bad),
            observed=observed(run, self.questions) if finished else None,
            preemptions=run.preemptions,
            switches=run.switches,
            schedule=tuple(names[i] for i in run.schedule),
            token=tokens.write(self.fingerprint(run), run.schedule),
            here=here.here if here else "",
            real="a real event loop" if run.asynchronous else "real threads",
        )

    def _verdict(self, run: Run, status: str, bad: bool) -> str:
        """The one word for a single schedule."""
        if bad:
            return "broken"
        if status == "ok":
            return "raised" if raised(run, self.questions) else "ok"
        return "unfinished" if run.enabled() else status


def _steps(run: Run, blame: tuple[int, int] | None, possible: tuple[bool | None, ...] | None) -> tuple[Step, ...]:
    """The recorded steps with their marks."""
    marked = []
    steps = run.steps
    rows = run.rows if run.asynchronous else range(len(steps))
    for place, (step, row) in enumerate(zip(steps, rows, strict=True)):
        first = place == 0 or rows[place - 1] != row
        switch, preempted = run.marks[row] if first else (False, False)
        to_blame = blame is not None and place in blame
        here = possible[place] if possible else (True if switch else None)
        marked.append(replace(step, switch=switch, preemption=preempted, blame=to_blame, possible=here))
    return tuple(marked)


def _blocked(run: Run) -> tuple[Step, ...]:
    """At a dead end: a row for each thread that cannot move."""
    if run.enabled():
        return ()
    rows = []
    for thread in run.threads:
        ahead = run.preview(thread.index)
        if ahead is not None and not thread.daemon:
            owner = run.holder(thread.lock) if thread.lock is not None else ""
            rows.append(replace(ahead, kind="blocked", value=f"held by {owner}" if owner else None))
    return tuple(rows)

"""One exploration from the first schedule to the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sharedstate.interleave import funnel, parallel
from sharedstate.interleave.classes import classify
from sharedstate.interleave.cleanup import quiet, undisturbed
from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import STEP_LIMIT, Execution, ScenarioError, SetupNotReset, finish, freeze
from sharedstate.interleave.findings import Budget, Findings
from sharedstate.interleave.funnel import Funnel
from sharedstate.interleave.minimal import minimal_trace
from sharedstate.interleave.result import Result
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.search.all import All
from sharedstate.interleave.search.dpor import Dpor, Irreducible
from sharedstate.interleave.search.driver import NotDeterministic, Restart, Search, drive
from sharedstate.interleave.search.pct import Pct
from sharedstate.interleave.search.preemptions import Preemptions
from sharedstate.interleave.search.random import Random
from sharedstate.interleave.search.replay import Replay
from sharedstate.interleave.show.report import report as report_of
from sharedstate.interleave.sites import OutOfSteps
from sharedstate.interleave.today import Today, today
from sharedstate.interleave.trace import Trace
from sharedstate.interleave.witness import Report, Sighting, witness

STRATEGIES = ("all", "dpor", "preemptions", "random", "pct")
RESTARTS = 30
WITNESS_SECONDS = 1.0
DAEMONS = "daemon threads may still be at work when the others have ended"
NO_QUESTION = "nothing was asked: give never, always or observe"


@dataclass(frozen=True)
class Plan:
    """How to explore: see `Scenario.explore`."""

    strategy: str = "dpor"
    preemptions: int | None = None
    depth: int = 3
    seed: int = 0
    executions: int = 100_000
    seconds: float = 30.0
    first: bool = False
    executor: Any = None
    witness: bool = True

    @property
    def reduces(self) -> bool:
        """True if one execution a class is enough."""
        return self.strategy == "dpor" and self.preemptions is None

    @property
    def bound(self) -> int | None:
        """The largest number of preemptions, None for any."""
        if self.strategy != "preemptions" and self.preemptions is None:
            return None
        return 2 if self.preemptions is None else self.preemptions

    def check(self) -> None:
        """Raise ScenarioError for a plan that makes no sense."""
        if self.strategy not in STRATEGIES:
            raise ScenarioError(f"strategy must be one of {', '.join(STRATEGIES)}, not {self.strategy!r}")
        if self.preemptions is not None and (not isinstance(self.preemptions, int) or self.preemptions < 0):
            raise ScenarioError(f"preemptions must be a whole number from 0 up, not {self.preemptions!r}")
        if self.executions < 1 or self.seconds <= 0 or self.depth < 1:
            raise ScenarioError("executions, seconds and depth must be positive")


class Exploration:
    """Runs one plan on one engine."""

    def __init__(self, engine: Engine, plan: Plan) -> None:
        self.engine, self.plan = engine, plan

    def run(self) -> Result:
        """The first schedule, the search, the first schedule again, the verdict."""
        for _ in range(RESTARTS):
            try:
                return self._once()
            except Restart:
                continue
        raise ScenarioError("the code under test keeps sharing more globals from run to run; give each run its own")

    def _once(self) -> Result:
        """One attempt; Restart if more of the program turned out to be shared."""
        engine = self.engine
        before = engine.program.revision
        try:
            first, execution = self._first()
        except OutOfSteps as problem:
            return self._out_of_steps(str(problem))
        search = Search(engine.make, engine.questions, self._budget(), before)
        unstable = ""
        try:
            found = self._search(search)
        except NotDeterministic as problem:
            found, unstable = search.found, str(problem)
        finally:
            search.close()
        again, _ = self._first()
        unstable = compare(first, again) or unstable
        return self._result(found, unstable, first, execution)

    def _first(self) -> tuple[Run, Execution]:
        """The schedule with the fewest switches, recorded."""
        run = self.engine.make(True)
        run.watch = False  # what is possible here is asked of shown schedules only
        try:
            if self.engine.questions.always is not None:
                self.engine.questions.watch(run)
            drive(run, Replay(onward=True))
            return run, finish(run, self.engine.questions)
        finally:
            run.close()

    def _budget(self) -> Budget:
        """The plan's budget."""
        return Budget(self.plan.executions, self.plan.seconds, self.plan.first)

    def _search(self, search: Search) -> Findings:
        """Search by the plan's strategy."""
        plan = self.plan
        if plan.executor is not None:
            found = self._in_parts(search)
            if found is not None:
                return found
            search.close()
            search.found = Findings()
        if plan.reduces:
            return self._reduce(search)
        if plan.strategy in ("all", "dpor", "preemptions"):
            return search.explore(All(search.found) if plan.bound is None else Preemptions(search.found, plan.bound))
        return search.explore(Random(plan.seed) if plan.strategy == "random" else Pct(plan.seed, plan.depth))

    def _in_parts(self, search: Search) -> Findings | None:
        """The search given to an executor; None where it has to be done in one piece."""
        try:
            return parallel.explore(self.engine, self.plan, search, self.plan.executor)
        except Irreducible:
            return None

    def _reduce(self, search: Search) -> Findings:
        """One execution a class; every interleaving where intermediate states count or a loop waits for anybody."""
        if search.questions.always is not None:
            return search.explore(All(search.found))
        try:
            found = search.explore(Dpor(search.found))
            found.reduced = True
            return found
        except Irreducible:
            search.close()
            search.found = Findings()
            return search.explore(All(search.found))

    def _shrink(self, found: Findings) -> Findings:
        """Where not everything was tried, look for a smaller failing schedule (or a smaller dead end)."""
        worst = found.failing or next(iter(found.waiting.values()), None)
        tried = found.complete and not found.reduced
        if worst is None or tried or (found.bound is not None and found.bound >= worst.preemptions):
            return found
        engine, budget = self.engine, Budget(5_000, min(5.0, self.plan.seconds))
        search = Search(engine.make, engine.questions, budget, engine.program.revision)
        try:
            smaller = search.explore(Preemptions(search.found, worst.preemptions))
        finally:
            search.close()
        if smaller.failing is not None and smaller.failing.rank < worst.rank:
            found.failing = smaller.failing
        if found.failing is None:
            found.waiting |= {k: v for k, v in smaller.waiting.items() if v.rank < found.waiting.get(k, worst).rank}
        return found

    def _out_of_steps(self, why: str) -> Result:
        """Not even the first schedule came to its end."""
        threads = tuple(self.engine.bodies)
        return Result("ran out", why, 0, frozenset(), strategy=self.plan.strategy, threads=threads, told=report_of)

    def _result(self, found: Findings, unstable: str, first: Run, execution: Execution) -> Result:
        """Put the findings into words."""
        program = self.engine.program
        verdict, why = self._verdict(found, unstable)
        report = None
        if verdict == "proved" and self.plan.witness and not self.engine.asynchronous:
            daemons = any(thread.daemon for thread in first.threads)
            report = Report(False, DAEMONS, 0, None, 0.0) if daemons else self._witness(found)
            if report.sighting is not None:
                verdict, why = self._missed(report.sighting)
        questions = self.engine.questions
        questioned = any((questions.never, questions.always, questions.observe))
        return Result(
            verdict=verdict,
            coverage=why or self._coverage(found),
            executions=found.executions,
            outcomes=frozenset(found.counts),
            assumptions=(*program.assumptions, *program.blocking),
            strategy=self.plan.strategy,
            counts=MappingProxyType(dict(found.counts)),
            threads=tuple(self.engine.bodies),
            notes=() if questioned else (NO_QUESTION,),
            witness=report,
            measure=lambda: self._funnel(found, execution, first.left),
            tried=lambda limit: classify(self.engine, found, limit),
            judged=self._today,
            smallest=(lambda: self._minimal(found)) if not unstable else None,
            told=report_of,
        )

    def _witness(self, found: Findings) -> Report:
        """The untouched code on real threads, single bytecodes apart: does anything else come out?"""
        engine, questions = self.engine, self.engine.questions
        judged: dict[tuple, bool] = {}

        def outcome(state: Any, answers: dict[str, Any]) -> tuple:
            seen = questions.observe(state) if questions.observe is not None else None
            result = (tuple(freeze(answers[name]) for name in sorted(answers)), freeze(seen))
            bad = bool(questions.never(state, answers)) if questions.never is not None else False
            judged[result] = bad
            return (result, bad)

        share = min(WITNESS_SECONDS, self.plan.seconds / 10)
        known = {(result, False) for result in found.counts}
        with undisturbed():
            report = witness(engine.setup, engine.bodies, outcome, known, seconds=share, follow=engine.program.follows)
        self.engine.program.opaque.clear()
        return report

    @staticmethod
    def _missed(sighting: Sighting) -> tuple[str, str]:
        """What the second witness saw and the search does not know."""
        (result, bad) = sighting.outcome
        verdict = "broken" if bad else "not proved"
        said = f"the explorer missed this outcome, seen between single bytecodes: {result}"
        return verdict, f"{said}\n{sighting.schedule}"

    def _minimal(self, found: Findings) -> Trace | None:
        """The smallest failing schedule or dead end, with everything that is said of it."""
        with self.engine.threads(), quiet():
            found = self._shrink(found)
            shown = (
                found.failing or found.raising or found.waiting.get("deadlock") or found.waiting.get("no progress")
            )
            return minimal_trace(self.engine, shown) if shown is not None else None

    def _today(self, trace: Trace) -> Today:
        """Whether any failing schedule is possible on this interpreter."""
        with self.engine.threads(), quiet():
            return today(self.engine, trace)

    def _verdict(self, found: Findings, unstable: str) -> tuple[str, str]:
        """The first verdict that applies, and what is said of it where that is not what was tried."""
        program = self.engine.program
        if not unstable and found.failing is not None:
            if self.engine.repeats(found.failing.schedule):
                return "broken", ""
            unstable = "real threads did not repeat a failing schedule"
        if not unstable and found.raising is not None:
            return "raised", f"{found.raising.raised}; {self._coverage(found)}"
        for word in ("deadlock", "no progress"):
            if word in found.waiting and not unstable:
                return word, ""
        if unstable:
            return "not deterministic", unstable
        if program.opaque:
            return "not instrumented", "; ".join(program.opaque)
        if not found.complete or found.cut:
            return "ran out" if found.stopped or found.bound is None or found.cut else "bounded", ""
        if program.blocking:
            return "proved if", ""
        return "proved", "" if found.most_steps else "nothing is shared"

    def _coverage(self, found: Findings) -> str:
        """What was tried, in words."""
        if found.cut:
            return f"{found.cut:,} of {found.executions:,} schedules are longer than {STEP_LIMIT:,} steps"
        if found.complete and found.reduced:
            classes = found.executions - found.blocked
            return f"{classes:,} of {classes:,} classes" if classes != 1 else "the only class"
        if found.complete:
            return f"all {found.executions:,} interleavings" if found.executions != 1 else "the only interleaving"
        if found.stopped and self.plan.strategy in ("random", "pct"):
            return f"{found.executions:,} {self.plan.strategy} schedules, seed {self.plan.seed}"
        if found.stopped:
            return found.stopped
        return f"{found.bound} preemption{'s' * (found.bound != 1)}: {found.executions:,} interleavings"

    def _funnel(self, found: Findings, first: Execution, left: bool) -> Funnel:
        """The numbers of interleavings; instructions are counted only where each thread can run alone, twice."""
        engine, counted = self.engine, None
        own = max(first.schedule, default=0) < len(engine.bodies) and not engine.asynchronous
        alone = own and first.preemptions == 0 and first.switches == len(engine.bodies) - 1
        if first.status == "ok" and alone and not left:
            with quiet():
                counted = funnel.instructions(engine.setup, engine.bodies)
        again = engine.replays(found)
        logs = None if again is None else [log for _, log in again]
        return funnel.measure(logs, found.complete, found.executions, counted, found.reduced)


def compare(first: Run, again: Run) -> str:
    """Empty if two runs of one schedule saw the same; else the place where they differ.

    Raises SetupNotReset if the second run began with something that the first left behind.
    """
    written: set[str] = set()
    for ours, theirs in zip(first.steps, again.steps, strict=False):
        if ours != theirs:
            if ours.target == theirs.target and ours.kind == "read" and ours.target not in written:
                _blame_setup(first, again, ours.target, ours.value, theirs.value)
            return f"the same schedule saw {ours.target} = {ours.value}, then {theirs.target} = {theirs.value}"
        if ours.kind != "read":
            written.add(ours.target)
    if len(first.steps) != len(again.steps):
        return f"the same schedule took {len(first.steps)} steps, then {len(again.steps)}"
    answers = [{t.name: freeze(t.answer) for t in run.threads} for run in (first, again)]
    if answers[0] != answers[1]:
        return f"the same schedule gave {answers[0]}, then {answers[1]}"
    return ""


def _blame_setup(first: Run, again: Run, target: str, before: str | None, after: str | None) -> None:
    """Raise SetupNotReset if the object behind a field is the same one in both runs."""
    owner = again.owner_of(target)
    if owner is None or first.names.get(id(owner)) == again.names.get(id(owner)):
        raise SetupNotReset(
            f"setup does not reset {target}: it was {before} at the start of the first schedule and {after} at the "
            "start of a later one. Make it anew in setup(), so that every schedule starts from the same state."
        )

"""The door to the explorer: a state, some threads, and what must never happen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from sharedstate.interleave import parallel
from sharedstate.interleave.cleanup import cleaned_up, settings
from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import Questions, ScenarioError
from sharedstate.interleave.explore import Exploration, Plan, quiet
from sharedstate.interleave.result import Result
from sharedstate.interleave.search.by_hand import ByHand, Move
from sharedstate.interleave.search.driver import drive
from sharedstate.interleave.session import Session
from sharedstate.interleave.source import tokens
from sharedstate.interleave.trace import Trace

MOST_THREADS = 26
CHILD = re.compile(r".+-\d+'*|cancel-.+|clock")
MOVE = re.compile(r"\s*([^*\s]+)\s*(?:(\*)\s*(\d{0,9}))?\s*")


class Scenario:
    """A small concurrent program and the question asked of it.

    `setup()` gives a fresh state for every schedule. `threads` maps a name to a function of the state; what
    it returns is that thread's answer. `never(state, answers)` is asked at the end: answers is a dict by
    name, and a thread that raised has its exception there. An exception that escapes a thread is a failure
    ("raised"), unless the scenario says that `exceptions` are "answers". `always(state)` is asked at the start and
    after every step. `observe(state)` gives a view of the final state. The functions under test may live in a
    notebook cell. `async def` functions are tasks of one event loop: a step goes to the next await that
    suspends, any ready task may be next, or with `order="loop"` only the one whose turn it is; `cancel` names
    a task that may also be cancelled at each of its awaits. `follow` names packages whose Python code is followed
    too, such as ["cachetools"]. Nothing of the class under test is changed: copies of
    its functions are rewritten.

    Raises ScenarioError if something is not callable or there is no thread.
    """

    def __init__(
        self,
        setup: Callable[[], Any],
        threads: Mapping[str, Callable[[Any], Any]],
        never: Callable[[Any, Mapping[str, Any]], Any] | None = None,
        always: Callable[[Any], Any] | None = None,
        observe: Callable[[Any], Any] | None = None,
        order: str = "any",
        cancel: str | None = None,
        exceptions: str = "failures",
        follow: Sequence[str] = (),
    ) -> None:
        if not isinstance(threads, Mapping) or not threads:
            raise ScenarioError('threads must be a dictionary such as {"alice": lambda state: …}')
        if len(threads) > MOST_THREADS:
            raise ScenarioError(f"at most {MOST_THREADS} threads; two or three show almost every bug")
        for name, function in {"setup": setup, **threads}.items():
            if not callable(function):
                raise ScenarioError(f"{name} must be a function, not {type(function).__name__}")
        for name in threads:
            if not isinstance(name, str) or not name or re.search(r"[*\s]", name):
                raise ScenarioError(f"a thread's name must be one word without a star, not {name!r}")
        self.threads = tuple(threads)
        if order not in ("any", "loop"):
            raise ScenarioError(f'order must be "any" or "loop", not {order!r}')
        if cancel is not None and cancel not in threads:
            raise ScenarioError(f"cancel must be the name of a task: {', '.join(threads)}, not {cancel!r}")
        if exceptions not in ("failures", "answers"):
            raise ScenarioError(f'exceptions must be "failures" or "answers", not {exceptions!r}')
        if isinstance(follow, str):
            raise ScenarioError(f'follow takes a list of packages, such as ["{follow}"]')
        questions = Questions(never, always, observe, exceptions_answer=exceptions == "answers")
        self._engine = Engine(setup, threads, questions, tuple(follow))
        self._engine.order = order
        self._engine.cancel = cancel

    @cleaned_up
    def explore(
        self,
        strategy: str = "dpor",
        preemptions: int | None = None,
        depth: int = 3,
        seed: int = 0,
        executions: int = 100_000,
        seconds: float = 30.0,
        first: bool = False,
        workers: int | None = None,
        executor: Executor | None = None,
        witness: bool = True,
    ) -> Result:
        """Try schedules and say what was found.

        `strategy`: "all" interleavings; "dpor", one execution for each class of interleavings that differ in
        the order of two conflicting accesses (all of them where `always` or a wait loop needs that);
        "preemptions", at most this many (default 2), fewest first; "random" and "pct" (random priorities,
        `depth`) from a `seed`. The search ends with the budget of `executions` or `seconds`, or at the `first`
        failure. What the code under test prints is dropped.
        With `workers` the search runs in so many processes, with an `executor` of concurrent.futures on that;
        the result does not depend on their number. Before a plain "proved", a second `witness` runs the untouched
        code on real threads, single bytecodes apart, for a second at most; a loop of checks may do without.

        Raises ScenarioError for a wrong argument, SetupNotReset if a schedule leaves something behind,
        NotModelled for a call that waits in a way that cannot be explored.
        """
        if workers is not None:
            if executor is not None or not isinstance(workers, int) or workers < 1:
                raise ScenarioError("give either a number of workers, 1 or more, or an executor")
            with parallel.pool(workers) as own:
                return self.explore(
                    strategy, preemptions, depth, seed, executions, seconds, first, executor=own, witness=witness
                )
        plan = Plan(strategy, preemptions, depth, seed, executions, seconds, first, executor, witness)
        plan.check()
        with self._engine.threads(), quiet():
            return self._engine.settle(lambda: Exploration(self._engine, plan).run())

    @cleaned_up
    def play(self, schedule: Sequence[str]) -> Trace:
        """Run one schedule given by hand: "alice" is one step, "alice*4" four, "alice*" until it ends or waits.

        Raises ScenarioError for an unknown name, or a step of a thread that has ended or must wait.
        """
        if isinstance(schedule, str):
            raise ScenarioError('play takes a list, such as ["alice", "mallory*4", "alice*"]')
        moves = [self._move(move) for move in schedule]
        with self._engine.threads(), settings():
            return self._engine.settle(lambda: self._play(moves))

    def _move(self, move: str) -> Move:
        """A move as a name and a number of steps, -1 for "to the end"."""
        match = MOVE.fullmatch(move) if isinstance(move, str) else None
        if match is None:
            raise ScenarioError(f'{move!r} is not a move; write "alice", "alice*4" or "alice*"')
        name, star, count = match.groups()
        if name not in self.threads and not CHILD.fullmatch(name):
            raise ScenarioError(f"no thread is called {name!r}; there are {', '.join(self.threads)}")
        return name, (int(count) if count else -1) if star else 1

    def _play(self, moves: list[Move]) -> Trace:
        """Follow the moves, and say whether real threads do the same."""
        engine, by_hand = self._engine, ByHand(moves)
        run, _ = engine.begin()
        try:
            drive(run, by_hand)
            by_hand.choose([])  # moves that are left
            trace = engine.trace(run)
        finally:
            run.close()
        with quiet():
            return engine.confirmed(trace, run.schedule)

    @cleaned_up
    def replay(self, token: str, on: str = "generators") -> Trace:
        """Run the schedule of a token, on "generators" or on real "threads".

        Raises TokenRefused for a token of other source, ScenarioError for another back end.
        """
        if on not in ("generators", "threads"):
            raise ScenarioError(f'on must be "generators" or "threads", not {on!r}')
        fingerprint, schedule = tokens.read(token, MOST_THREADS)
        with self._engine.threads(), quiet():
            return self._engine.settle(lambda: self._replay(fingerprint, schedule, on == "threads"))

    def _replay(self, fingerprint: str, schedule: list[int], real: bool) -> Trace:
        """Follow a schedule whose source must have this fingerprint."""
        run, possible = self._engine.follow(schedule, real)
        actual = self._engine.fingerprint(run)
        if actual != fingerprint:
            run.close()
            raise tokens.TokenRefused(
                f"this token belongs to other source ({fingerprint}, this is {actual}): the code has changed since "
                "it was made. Explore again for a new one."
            )
        if not possible:
            if max(schedule, default=0) >= len(run.threads):
                many = len(run.threads)
                raise tokens.TokenRefused(f"this token is for more than the {many} threads there are")
            raise tokens.TokenRefused("this token's schedule is not possible here: a thread cannot move when it should")
        trace = self._engine.trace(run)
        run.close()
        return self._engine.confirmed(trace, schedule)

    def session(self, goal: str = "violation") -> Session:
        """A schedule that grows step by step: for panels, games and interviews.

        `goal`: what `solution()` leads to, a "violation" of the property or a "deadlock".
        """
        return self._engine.settle(lambda: Session(self._engine, goal))

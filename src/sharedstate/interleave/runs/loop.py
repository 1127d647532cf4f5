"""A run on an event loop: every thread is a task, a step goes to the next await that suspends."""

from __future__ import annotations

import asyncio
import inspect
import linecache
import re
import sys
from dataclasses import replace
from typing import Any

from sharedstate.interleave.access.lazy import plain
from sharedstate.interleave.runs.base import NOTHING, BaseRun
from sharedstate.interleave.runs.turns import QuickLoop, RealLoop, outside
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import PUSH, READY, STEP, Dropped, NotModelled, Unsupported
from sharedstate.interleave.source.lookup import cell_label, is_user_code
from sharedstate.interleave.trace import Step

ORDER = ("event loop", "order")
DEFAULT_NAME = re.compile(r"Task-\d+")


class AsyncRun(BaseRun):
    """A run whose threads are tasks of one loop. `rows` says for each recorded row which step it belongs to.

    Between two awaits nothing else moves. `cancel` names a task that may be cancelled at each of its awaits;
    with `fifo` the loop's own order is kept.
    """

    asynchronous = True
    real = False

    def __init__(
        self, program: Any, setup: Any, bodies: dict[str, Any], record: bool,
        real: bool = False, fifo: bool = False, cancel: str | None = None,
    ) -> None:  # fmt: skip
        self.loop = RealLoop() if real else QuickLoop()
        self.loop.open_turns(self._adopt, fifo)
        self.dropping = self.frozen = False
        self.clock: SimThread | None = None
        self.rows: list[int] = []
        self.expected: SimThread | None = None
        self.tasks: dict[Any, SimThread] = {}
        self.awaits: dict[int, tuple[int, str, str]] = {}
        self.cancelling = cancel
        try:
            BaseRun.__init__(self, program, setup, bodies, record)
        except BaseException:
            self.close()
            raise

    # -- tasks -----------------------------------------------------------------------------------------

    def start(self, bodies: list[Any]) -> None:
        """Make a task of each body; none has run yet."""
        for thread, body in zip(self.threads[: self.roots], bodies, strict=True):
            self.expected = thread
            with outside():
                self.loop.create_task(self._life(thread, body))
        if self.cancelling is not None:
            target = next(t for t in self.threads if t.name == self.cancelling)
            self._helper(f"cancel-{target.name}", lambda: target.begun and not target.done).target_task = target

    def _adopt(self, task: Any) -> None:
        """A task that was just created: one of the scenario's, or a child."""
        thread, self.expected = self.expected, None
        if thread is None:
            thread = self._grow(self.running)
        if DEFAULT_NAME.fullmatch(task.get_name()):
            task.set_name(thread.name)
        self.tasks[task], thread.task, thread.begun = thread, task, False
        thread.site = self.sites[self.program.begin]
        self.awaits[thread.index] = (0, "", "")

    def _grow(self, creator: SimThread, name: str = "") -> SimThread:
        """One more thread of this run; it begins when its turn comes."""
        made = BaseRun.spawn(self, creator, None, True, name)
        self.newborn.clear()
        return made

    def spawn(self, creator: Any, script: Any, daemon: bool, called: str = "") -> Any:
        """Refused: an OS thread beside the tasks."""
        raise NotModelled("an OS thread started beside tasks is not modelled; make it a task, or explore threads only")

    def _helper(self, name: str, gate: Any) -> SimThread:
        """A thread of the explorer's own: it cancels a task, or lets a timeout run out."""
        made = self._grow(self.threads[0], name)
        made.gate, made.task, made.site = gate, None, self.sites[self.program.begin]
        return made

    async def _life(self, thread: SimThread, body: Any) -> Any:
        """A task's whole life."""
        value = self._ask(thread, (self.program.begin, body, (self.state,)))
        return await value if inspect.isawaitable(value) else value

    # -- turns -----------------------------------------------------------------------------------------

    def enabled(self) -> list[int]:
        """The tasks that are ready, and whatever else may happen now."""
        if self.frozen:
            return []
        found = []
        for task in self.loop.ready():
            thread = self.tasks[task]
            if thread.spinning < 0 or thread.spinning != self.version:
                found.append(thread.index)
        found += [t.index for t in self.threads if t.task is None and not t.done and t.gate()]
        return sorted(found)

    def step(self, index: int) -> None:
        """Let a task run to its next await that suspends."""
        thread = self.running = self.threads[index]
        self.schedule.append(index)
        self.log.append((index, ORDER, 1))
        if self.record:
            self._row(self.preview(index))
        version, thread.spinning, thread.spun, thread.reason = self.version, -1, False, ""
        if thread.task is not None:
            thread.begun = True
            self.loop.turn(thread.task)
        elif thread is self.clock:
            self.loop.ring()
        else:
            thread.done = True
            thread.target_task.task.cancel()
        thread.own += self.version - version
        self._after()

    def _after(self) -> None:
        """Note who has ended and where the others wait; timeouts bring the clock in."""
        for task, thread in self.tasks.items():
            if task.done() and not thread.done and not self._is_frozen(thread):
                thread.finish(*_answer(task))
            elif not thread.done and thread.begun and not self._is_frozen(thread):
                self.awaits[thread.index] = _place(task)
                thread.lock = thread.gate = thread.perform = None
                thread.kind, thread.request, thread.target = "", (), f"its await ({self.awaits[thread.index][1]})"
            if self.frozen and thread is not self.running:
                thread.target = f"the event loop, which {self.running.name} holds up"
        if self.clock is None and not self.loop.fifo and self.loop.waiting_timers():
            self.clock = self._helper("clock", lambda: bool(self.loop.waiting_timers()))

    def _is_frozen(self, thread: SimThread) -> bool:
        """True for the task that holds up the whole loop."""
        return self.frozen and thread is self.running

    def preview(self, index: int) -> Step | None:
        """Where a task goes on; None if it has ended."""
        thread = self.threads[index]
        if thread.done:
            return None
        if thread.task is None:
            kind = "timeout" if thread is self.clock else "cancel"
            target = "" if thread is self.clock else thread.target_task.name
            return Step(thread.name, kind, target, None, 0, "", "")
        if self._is_frozen(thread):
            return BaseRun.preview(self, index)
        line, where, source = self.awaits[index]
        kind, target = ("resume", "await") if thread.begun else ("start", "")
        return Step(thread.name, kind, target, None, line, where, source)

    def _row(self, step: Step | None) -> None:
        """Record a row of the step under way."""
        if step is not None:
            self.steps.append(step)
        self.rows += [len(self.schedule) - 1] * (len(self.steps) - len(self.rows))

    # -- accesses --------------------------------------------------------------------------------------

    def _ask(self, thread: SimThread, request: tuple) -> Any:
        """Answer a request: an access is done at once, for nobody else can move in between."""
        if self.dropping:
            raise Dropped
        site = self.sites[request[0]]
        thread.frame = sys._getframe(2)
        result = site.handle(self, thread, site, request)
        if result is PUSH:
            return self._follow(thread)
        if result is STEP:
            thread.site, thread.request, thread.perform, thread.gate = site, request, site.perform, None
        elif result is not READY:
            return result
        elif site.op == "tick" and thread.spinning >= 0 and not thread.spun:
            thread.spun = True
            return None
        elif thread.gate is not None and not thread.gate():
            return self._freeze(thread)
        return self._do(thread)

    def _do(self, thread: SimThread) -> Any:
        """Perform an access and record it."""
        if not self.record:
            return thread.perform(self, thread, thread.site, thread.request)
        before, ahead = len(self.steps), BaseRun.preview(self, thread.index)
        try:
            return thread.perform(self, thread, thread.site, thread.request)
        finally:
            self._row(replace(ahead, value="raises") if len(self.steps) == before and ahead is not None else None)

    def _freeze(self, thread: SimThread) -> Any:
        """A call that waits without an await holds up the whole loop: nobody will ever move again."""
        self.frozen = True
        self.program.assume("a call that waits without an await holds up every task of the loop")
        raise Dropped

    def with_local(self, thread: SimThread, local: Any, action: Any) -> Any:
        """All tasks run on one OS thread: they share its copy."""
        thread.touched.append(local)
        return action()

    def _request(self, request: tuple) -> Any:
        """A request of the rewritten code."""
        return self._ask(self.running, request)

    def _follow(self, thread: SimThread) -> Any:
        """Run the twin of a learner's function as an ordinary call."""
        if len(thread.call) <= 2:
            script, *posts = thread.call
            value = self._chain(thread, script)
            return posts[0](value) if posts and posts[0] is not None else value
        function, twin, arguments, keywords, post = thread.call
        value = self.program.build(function, twin, self._request)(*arguments, **keywords)
        return value if post is None else post(value)

    def _chain(self, thread: SimThread, script: Any) -> Any:
        """Requests that the explorer itself makes one after another."""
        value, error = None, None
        while True:
            try:
                request = script.send(value) if error is None else script.throw(error)
            except StopIteration as stop:
                return stop.value
            except RuntimeError as problem:
                raise plain(problem, self) from None
            try:
                value, error = self._ask(thread, request), None
            except GeneratorExit:
                raise
            except BaseException as problem:
                error = problem

    def generator(self, thread: SimThread, function: Any, twin: Any, args: tuple, keywords: dict) -> Any:
        """A generator stays one: between two awaits nobody else moves."""
        return self.program.build(function, twin, self._request)(*args, **keywords)

    def sequence(self, script: Any, called: str) -> Any:
        """A sequence that one of the explorer's scripts works out: worked out at once."""
        raise NotModelled(f"{called}() beside tasks is not modelled")

    def frame_of(self, thread: SimThread, depth: int = 0) -> Any:
        """The frame of the learner's code that makes the request, or of its callers."""
        frame = thread.frame
        while frame is not None and depth:
            frame, depth = frame.f_back, depth - 1
        return frame

    def locals_of(self, thread: SimThread) -> list[Any]:
        """The values of the thread's local variables now."""
        frame = thread.frame
        if frame is None:
            return []
        return [frame, *(v for name, v in frame.f_locals.items() if not name.startswith("ss_"))]

    def cell_value(self, thread: SimThread, name: str) -> Any:
        """The value of a captured variable now."""
        return thread.frame.f_locals.get(name, NOTHING) if thread.frame is not None else NOTHING

    def close(self) -> None:
        """Drop all tasks without running on, and close the loop."""
        self.dropping = True
        for task, thread in self.tasks.items():
            if not task.done():
                task._log_destroy_pending = False
                task.get_coro().close()
            elif not task.cancelled():
                task.exception()
            for local in thread.touched:
                local.__dict__.clear()
        self.tasks.clear()
        self.loop.close()
        BaseRun.close(self)


def _answer(task: Any) -> tuple[Any, bool]:
    """What a task gave, or its exception and that it is one."""
    if task.cancelled():
        return asyncio.CancelledError(), False
    problem = task.exception()
    if isinstance(problem, (NotModelled, Unsupported)):
        raise problem
    return (problem, True) if problem is not None else (task.result(), False)


def _place(task: Any) -> tuple[int, str, str]:
    """The line of the learner's await that a task stands at."""
    coroutine, found = task.get_coro(), (0, "", "")
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None)
        if frame is not None and is_user_code(frame.f_code):
            name, line = frame.f_code.co_filename, frame.f_lineno
            found = (line, f"{cell_label(name)}, line {line}", linecache.getline(name, line).strip())
        coroutine = getattr(coroutine, "cr_await", None)
    return found

"""The confirmation back end: the same rewritten code on real OS threads, handed on by raw locks."""

from __future__ import annotations

import _thread
import sys
import time
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.blocking import NotModelled
from sharedstate.interleave.lazy import Lazy, plain
from sharedstate.interleave.models import requests
from sharedstate.interleave.pool import Pool, Worker, open_lock
from sharedstate.interleave.run import NOTHING, Run, SimThread
from sharedstate.interleave.sites import EMIT, PUSH, READY, STEP, Dropped

PATIENCE = 10.0
UNWIND = 2.0
TURN = 0.02


class Hung(RuntimeError):
    """A real thread did not reach its next access in time."""


class ThreadRun(Run):
    """A run on real threads: at any time one of them moves, the others wait at a raw lock."""

    real = True
    relay: Callable[[], int] | None = None  # chooses the next thread on the one that has just moved
    trouble: BaseException | None = None

    def __init__(self, program: Any, setup: Any, bodies: dict[str, Any], record: bool, pool: Pool) -> None:
        self.pool = pool
        self.dropping = False
        self.workers = pool.take(len(bodies))
        self.back = _thread.allocate_lock()
        self.back.acquire()
        super().__init__(program, setup, bodies, record)

    def start(self, bodies: list[Any]) -> None:
        """Bring every thread to its first step."""
        try:
            for thread, body in zip(self.threads[: self.roots], bodies, strict=True):
                self.begin(thread, body, (self.state,))
        except BaseException:
            self.close()
            raise

    def begin(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """Bring a thread to its first step, on a worker of its own."""
        self.workers = self.pool.take(len(self.threads))
        self.workers[thread.index].job = lambda: self._live(thread, body, arguments)
        thread.born = True
        self.carry_on(thread)

    def carry_on(self, thread: SimThread) -> None:
        """Let a real thread do its step and come to the next one; with a relay, perhaps others after it."""
        self.running, done = thread, len(self.schedule)
        open_lock(self.workers[thread.index].go)
        while not self.back.acquire(timeout=PATIENCE):
            if len(self.schedule) == done:
                raise Hung(f"{self.running.name} did not come to its next access within {PATIENCE:.0f} seconds")
            done = len(self.schedule)
        if self.trouble is not None:
            trouble, self.trouble = self.trouble, None
            raise trouble

    def _pass_on(self, thread: SimThread) -> bool:
        """After a step, on its own thread: hand on to the next one, or back to the search. True: it goes on itself."""
        index = self._chosen(thread)
        if index == thread.index:
            return True
        if index >= 0:
            self.running = self.threads[index]
            open_lock(self.workers[index].go)
        else:
            open_lock(self.back)
        return False

    def _chosen(self, thread: SimThread) -> int:
        """Who moves next, if that can be said here; else -1."""
        special = self.record or self.watch or self.dropping or self.trouble or thread.last_tick
        waits = len(self.threads) > self.roots or any(t.spinning >= 0 for t in self.threads)
        if self.relay is None or special or waits:
            return -1
        try:
            index = self.relay()
        except BaseException as error:
            self.trouble = error
            return -1
        if index >= 0:
            thread.own += self.version - self.since
            self.moving, self.since = self.threads[index], self.version
            self.schedule.append(index)
        return index

    def _live(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """A thread's whole life, on its worker."""
        try:
            if thread.script is not None:
                answer = self._chain(thread, requests(self.program, thread.origin, thread.script(thread)))
            else:
                answer = self._ask(thread, (self.program.begin, body, arguments))
        except NotModelled as error:
            answer = self.trouble = error
        except BaseException as error:
            answer = error
        thread.finish(answer)
        for local in thread.touched:
            local.__dict__.clear()
        self._pass_on(thread)

    def _request(self, request: tuple) -> Any:
        """A request of the rewritten code, on whichever thread runs it."""
        thread = self.running
        thread.frame = sys._getframe(1)
        return self._ask(thread, request)

    def _ask(self, thread: SimThread, request: tuple) -> Any:
        """Answer a request of the rewritten code, on the thread that makes it."""
        worker = self.workers[thread.index]
        if self.dropping or worker.ending:
            raise Dropped
        site = self.sites[request[0]]
        result = site.handle(self, thread, site, request)
        if result is PUSH:
            return self._follow(thread)
        if result is STEP:
            thread.site, thread.request, thread.perform, thread.gate = site, request, site.perform, None
        elif result is not READY:
            return result
        thread.parked = True
        if not self._pass_on(thread):
            worker.go.acquire()
        thread.parked = False
        if self.dropping or worker.ending:
            raise Dropped
        perform = thread.perform
        return perform(self, thread, thread.site, thread.request) if perform is not None else None

    def _follow(self, thread: SimThread) -> Any:
        """Run the twin of a learner's function as an ordinary call."""
        if len(thread.call) <= 2:
            script, *posts = thread.call
            value = self._chain(thread, script)
            return posts[0](value) if posts else value
        function, twin, arguments, keywords, post = thread.call
        value = self.program.build(function, twin, self._request)(*arguments, **keywords)
        return value if post is None else post(value)

    def _chain(self, thread: SimThread, script: Any) -> Any:
        """Requests that the explorer itself makes one after another, up to the end or to an element."""
        value, error = None, None
        while True:
            try:
                request = script.send(value) if error is None else script.throw(error)
            except StopIteration as stop:
                return stop.value
            except RuntimeError as problem:
                raise plain(problem) from None
            try:
                value, error = self._ask(thread, request), None
            except GeneratorExit:
                raise
            except BaseException as problem:
                error = problem
            if value is EMIT:
                return EMIT

    def generator(self, thread: SimThread, function: Any, twin: Any, args: tuple, keywords: dict) -> Lazy:
        """What a call of a learner's generator function gives."""
        made = self.program.build(function, twin, self._request)(*args, **keywords)
        return Lazy(made, function.__qualname__, native=True)

    def advance(self, thread: SimThread, lazy: Lazy, sent: Any = None, error: Any = None) -> Any:
        """Carry a generator on to its next element."""
        if lazy.ended:
            return ()
        if lazy.native:
            try:
                if error is not None:
                    return (lazy.throw(error),)
                return (next(lazy) if sent is None else lazy.send(sent),)
            except StopIteration:
                return ()
        lazy.begin()
        value = self._chain(thread, lazy.frame)
        if value is not EMIT:
            return lazy.finish(value)
        lazy.active = False
        return thread.emitted

    def with_local(self, thread: SimThread, local: Any, action: Any) -> Any:
        """A real thread has its own copy by itself."""
        thread.touched.append(local)
        return action()

    def locals_of(self, thread: SimThread) -> list[Any]:
        """The values of the thread's local variables now."""
        frame = thread.frame
        return [frame, *frame.f_locals.values()] if frame is not None else []

    def cell_value(self, thread: SimThread, name: str) -> Any:
        """The value of a captured variable now."""
        return thread.frame.f_locals.get(name, NOTHING) if thread.frame is not None else NOTHING

    def close(self) -> None:
        """Let every unfinished thread unwind; one that does not come back is left behind as a daemon."""
        self.dropping = True
        for thread in self.threads:
            worker = self.workers[thread.index]
            if thread.born and not thread.done and not self._unwind(thread, worker):
                self.pool.forget(worker)
        super().close()

    def _unwind(self, thread: SimThread, worker: Worker) -> bool:
        """Wake a parked thread so that it ends; False if it does not come back.

        An interrupt may have come at any moment, so only what the thread itself says counts.
        """
        deadline = time.monotonic() + UNWIND
        while not (thread.parked or thread.done) and time.monotonic() < deadline:
            self.back.acquire(timeout=TURN)
        open_lock(worker.go)
        while not thread.done and time.monotonic() < deadline:
            self.back.acquire(timeout=TURN)
        return thread.done

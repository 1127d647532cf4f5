"""The confirmation back end: the same rewritten code on real OS threads, handed on by raw locks."""

from __future__ import annotations

import _thread
import functools
import sys
import threading
from typing import Any

from sharedstate.interleave.blocking import NotModelled
from sharedstate.interleave.run import NOTHING, Run, SimThread
from sharedstate.interleave.sites import PUSH, READY, STEP, Dropped

PATIENCE = 10.0
UNWIND = 2.0


class Hung(RuntimeError):
    """A real thread did not reach its next access in time."""


class Worker:
    """One pooled OS thread; it runs one job after another and waits in between."""

    def __init__(self, number: int) -> None:
        self.go = _thread.allocate_lock()
        self.go.acquire()
        self.job: Any = None
        self.thread = threading.Thread(target=self._loop, name=f"sharedstate-{number}", daemon=True)
        self.thread.start()

    def _loop(self) -> None:
        """Wait for a job, do it; a job of None ends the thread."""
        while True:
            self.go.acquire()
            job, self.job = self.job, None
            if job is None:
                return
            job()


class Pool:
    """OS threads that are reused from one schedule to the next; `with Pool() as pool` ends them."""

    def __init__(self) -> None:
        self.workers: list[Worker] = []

    def take(self, count: int) -> list[Worker]:
        """That many idle workers."""
        while len(self.workers) < count:
            self.workers.append(Worker(len(self.workers)))
        return self.workers[:count]

    def forget(self, worker: Worker) -> None:
        """Leave a worker that does not come back out of the pool."""
        if worker in self.workers:
            self.workers.remove(worker)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *details: object) -> None:
        """End every worker."""
        for worker in self.workers:
            worker.go.release()
        for worker in self.workers:
            worker.thread.join(PATIENCE)
        self.workers.clear()


class ThreadRun(Run):
    """A run on real threads: at any time one of them moves, the others wait at a raw lock."""

    real = True

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
            for thread, body in zip(self.threads, bodies, strict=True):
                self.workers[thread.index].job = lambda t=thread, b=body: self._live(t, b)
                self.carry_on(thread)
        except BaseException:
            self.close()
            raise

    def carry_on(self, thread: SimThread) -> None:
        """Let a real thread do its step and come to the next one."""
        thread.away = True
        self.workers[thread.index].go.release()
        if not self.back.acquire(timeout=PATIENCE):
            raise Hung(f"{thread.name} did not come to its next access within {PATIENCE:.0f} seconds")
        thread.away = False
        if isinstance(thread.problem, BaseException):
            problem, thread.problem = thread.problem, None
            raise problem

    def _live(self, thread: SimThread, body: Any) -> None:
        """A thread's whole life, on its worker."""
        try:
            answer = self._ask(thread, (self.program.begin, body, (self.state,)))
        except NotModelled as error:
            answer = thread.problem = error
        except BaseException as error:
            answer = error
        thread.finish(answer)
        for local in thread.touched:
            local.__dict__.clear()
        self.back.release()

    def _ask(self, thread: SimThread, request: tuple) -> Any:
        """Answer a request of the rewritten code, on the thread that makes it."""
        if self.dropping:
            raise Dropped
        site = self.sites[request[0]]
        thread.frame = sys._getframe(1)
        result = site.handle(self, thread, site, request)
        if result is PUSH:
            return self._follow(thread)
        if result is STEP:
            thread.site, thread.request, thread.perform, thread.gate = site, request, site.perform, None
        elif result is not READY:
            return result
        self.back.release()
        self.workers[thread.index].go.acquire()
        if self.dropping:
            raise Dropped
        perform = thread.perform
        return perform(self, thread, thread.site, thread.request) if perform is not None else None

    def _follow(self, thread: SimThread) -> Any:
        """Run the twin of a learner's function as an ordinary call."""
        if len(thread.call) == 1:
            return self._chain(thread, thread.call[0])
        function, twin, arguments, keywords, post = thread.call
        step = functools.partial(self._ask, thread)
        value = self.program.build(function, twin, step)(*arguments, **keywords)
        return value if post is None else post(value)

    def _chain(self, thread: SimThread, requests: Any) -> Any:
        """Requests that the explorer itself makes one after another."""
        value = None
        while True:
            try:
                request = requests.send(value)
            except StopIteration as stop:
                return stop.value
            value = self._ask(thread, request)

    def with_local(self, thread: SimThread, local: Any, action: Any) -> Any:
        """A real thread has its own copy by itself."""
        thread.touched.append(local)
        return action()

    def locals_of(self, thread: SimThread) -> list[Any]:
        """The values of the thread's local variables now."""
        frame = thread.frame
        return [id(frame), *frame.f_locals.values()] if frame is not None else []

    def cell_value(self, thread: SimThread, name: str) -> Any:
        """The value of a captured variable now."""
        return thread.frame.f_locals.get(name, NOTHING) if thread.frame is not None else NOTHING

    def close(self) -> None:
        """Let every unfinished thread unwind; one that does not come back is left behind as a daemon."""
        self.dropping = True
        for thread in self.threads:
            worker = self.workers[thread.index]
            if thread.done:
                continue
            if worker.job is not None:
                worker.job = None
                self.pool.forget(worker)
                worker.go.release()
            elif not self._unwind(thread, worker):
                self.pool.forget(worker)
        super().close()

    def _unwind(self, thread: SimThread, worker: Worker) -> bool:
        """Wake a parked thread so that it ends; False if it does not come back."""
        came = not thread.away or self.back.acquire(timeout=UNWIND)
        if thread.done:
            return True
        worker.go.release()
        return self.back.acquire(timeout=UNWIND) and (came or thread.done)

"""The confirmation back end: the same rewritten code on real OS threads, handed on by raw locks."""

from __future__ import annotations

import _thread
import functools
import time
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.pool import Pool, Worker, open_lock
from sharedstate.interleave.runs.generators import GeneratorRun
from sharedstate.interleave.sim_thread import SimThread

PATIENCE = 10.0


class Hung(RuntimeError):
    """A real thread did not reach its next access in time."""


class ThreadRun(GeneratorRun):
    """A run on real threads: each runs its own code, one at a time; the others wait at a raw lock."""

    real = True

    def __init__(self, program: Any, setup: Any, bodies: dict[str, Any], record: bool, pool: Pool) -> None:
        self.pool = pool
        self.back = _thread.allocate_lock()
        self.back.acquire()
        super().__init__(program, setup, bodies, record)

    def begin(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """Bring a thread to its first step, on a worker of its own."""
        self._on_worker(thread, lambda: GeneratorRun.begin(self, thread, body, arguments))

    def carry_on(self, thread: SimThread) -> None:
        """Let a real thread do its step and come to the next one."""
        self._on_worker(thread, lambda: GeneratorRun.carry_on(self, thread))

    def _on_worker(self, thread: SimThread, job: Callable[[], None]) -> None:
        """Do something on the thread's own worker, and wait until it is done. Raises what it raises."""
        worker: Worker = self.pool.take(thread.index + 1)[thread.index]
        trouble: list[BaseException] = []

        def work() -> None:
            try:
                job()
            except BaseException as error:
                trouble.append(error)
            finally:
                open_lock(self.back)

        worker.job = work
        open_lock(worker.go)
        until = time.monotonic() + PATIENCE
        while not self.back.acquire(timeout=max(0.0, min(1.0, until - time.monotonic()))):
            if time.monotonic() > until:
                self.pool.forget(worker)
                raise Hung(f"{thread.name} did not come to its next access within {PATIENCE:.0f} seconds")
        if trouble:
            raise trouble[0]

    def with_local(self, thread: SimThread, local: Any, action: Callable[[], Any]) -> Any:
        """A real thread has its own copy by itself; it is emptied when the run is closed."""
        thread.touched.append(local)
        return action()

    def close(self) -> None:
        """Drop the generators, and empty what the threads had of their own."""
        for thread in self.threads if hasattr(self, "threads") else ():
            if thread.touched:
                self._on_worker(thread, functools.partial(_empty, thread.touched))
                thread.touched = []
        super().close()


def _empty(touched: list[Any]) -> None:
    """Nothing is left in these thread-locals of the calling thread."""
    for local in touched:
        local.__dict__.clear()

"""OS threads that are kept for the next schedule: making them anew would cost over a millisecond each."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable

PATIENCE = 2.0


class NoThreads(RuntimeError):
    """This interpreter cannot start threads."""


def open_lock(lock: _thread.LockType) -> None:
    """Release a raw lock, whether it is held or not."""
    try:  # noqa: SIM105 - contextlib.suppress costs more than the release itself
        lock.release()
    except RuntimeError:
        pass


class Worker:
    """One pooled OS thread; it runs one job after another and waits at `go` in between.

    `ending` tells it, and the code that it runs, to come to an end.
    """

    def __init__(self, number: int) -> None:
        self.go, self.ended = _thread.allocate_lock(), _thread.allocate_lock()
        self.go.acquire()
        self.ended.acquire()
        self.ending = False
        self.job: Callable[[], None] | None = None
        self.thread = threading.Thread(target=self._loop, name=f"sharedstate-{number}", daemon=True)

    def _loop(self) -> None:
        """Wait for a job and do it, until it is told to end."""
        try:
            while not self.ending:
                self.go.acquire()
                job, self.job = self.job, None
                if job is not None and not self.ending:
                    job()
        finally:
            open_lock(self.ended)

    def stop(self) -> None:
        """End the thread; may be called again after an interrupt. One that hangs is left as a daemon."""
        self.ending = True
        open_lock(self.go)
        if self.ended.acquire(timeout=PATIENCE):
            open_lock(self.ended)
            self.thread.join(PATIENCE)


class Pool:
    """Workers for the threads of a run; `with Pool() as pool` ends them."""

    def __init__(self) -> None:
        self.workers: list[Worker] = []
        self.late: list[Worker] = []

    def take(self, count: int) -> list[Worker]:
        """That many idle workers."""
        while len(self.workers) < count:
            worker = Worker(len(self.workers))
            self.workers.append(worker)
            try:
                worker.thread.start()
            except RuntimeError as error:  # an interpreter in a browser
                self.workers.remove(worker)
                raise NoThreads("no threads here") from error
        return self.workers[:count]

    def forget(self, worker: Worker) -> None:
        """Use a worker no more: it did not come back in time."""
        worker.ending = True
        if worker in self.workers:
            self.workers.remove(worker)
            self.late.append(worker)

    def close(self) -> None:
        """End every worker, also if an interrupt comes in between; it is passed on afterwards."""
        interrupt = None
        while self.workers or self.late:
            crew = self.workers or self.late
            try:
                crew[-1].stop()
                crew.pop()
            except KeyboardInterrupt as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *details: object) -> None:
        """End every worker."""
        self.close()

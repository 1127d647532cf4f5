"""A lock that knows who holds it, and says so when everybody waits for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sharedstate.watch.findings import CIRCLE, Access

if TYPE_CHECKING:
    from sharedstate.watch.log import Job, Watch


class Deadlock(RuntimeError):
    """To wait here would close a circle: nobody in it could ever go on."""


class WatchedLock:
    """A lock with its holder; `waits_for` of a job is the lock that it stands before."""

    def __init__(self, log: Watch, lock: Any, name: str) -> None:
        """Watch `lock` under this name."""
        self._log, self._lock, self.name = log, lock, name
        self.holder: Job | None = None
        self.taken: Access | None = None

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock, as threading.Lock does. Raises Deadlock where the wait would never end."""
        job = self._log.announce("acquire", self.name)
        if not self._lock.acquire(blocking=False):
            if not blocking:
                return False
            self._check(job)
            try:
                if not self._lock.acquire(timeout=timeout):
                    return False
            finally:
                self._log.waiting.pop(job, None)
        with self._log.lock:
            self.holder, self.taken = job, self._log.note(job, "acquire", self.name)
        return True

    def release(self) -> None:
        """Give the lock back."""
        self.holder = None
        self._lock.release()

    def locked(self) -> bool:
        """Say whether somebody holds it."""
        return self._lock.locked()

    def __enter__(self) -> bool:
        """Take the lock."""
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        """Give the lock back."""
        self.release()

    def _check(self, job: Job) -> None:
        """Note that the job waits here, unless the holder, or whoever the holder waits for, waits for the job."""
        with self._log.lock:
            lock: WatchedLock | None = self
            while lock is not None and lock.holder is not None:
                if lock.holder is job:
                    access = self._log.note(job, "acquire", self.name)
                    if self.taken is not None:
                        self._log.alarm(CIRCLE, access, self.taken)
                    raise Deadlock(f"{job.who} would wait for {self.name} for ever.")
                lock = self._log.waiting.get(lock.holder)
            self._log.waiting[job] = self

"""Which simulated thread holds which lock."""

from __future__ import annotations

from typing import Any

from sharedstate.interleave.access.values import LOCK
from sharedstate.interleave.later import Later


class LockTable:
    """The part of a run that knows its locks. A plain lock is really taken, an RLock only counted."""

    names: dict[int, str]
    threads: list[Any]
    live: Any
    held: Any = Later(dict)  # by id(): the lock
    owners: Any = Later(dict)  # of an RLock: thread and depth
    takers: Any = Later(dict)  # who took it last

    def name_of(self, lock: Any) -> str:
        """A lock's name."""
        return self.names.get(id(lock)) or type(lock).__name__

    def holder(self, lock: Any) -> str:
        """The name of the thread that holds a lock, or an empty string."""
        index = self.takers.get(id(lock), -1)
        return self.threads[index].name if index >= 0 and not self.free(None, lock) else ""

    def free(self, thread: Any, lock: Any) -> bool:
        """True if the lock can be taken (by this thread, for an RLock)."""
        if type(lock) is LOCK:
            return not lock.locked()
        owner = self.owners.get(id(lock))
        return owner is None or (thread is not None and owner[0] == thread.index)

    def depth(self, thread: Any, lock: Any) -> int:
        """How often this thread holds an RLock now; 0 for a plain lock."""
        owner = self.owners.get(id(lock))
        return owner[1] if owner is not None and owner[0] == thread.index else 0

    def take(self, thread: Any, lock: Any) -> bool:
        """Take a lock if it is free."""
        if not self.free(thread, lock):
            return False
        self.takers[id(lock)] = thread.index
        if self not in self.live:
            self.live.append(self)
        self.held[id(lock)] = lock
        if type(lock) is LOCK:
            lock.acquire(False)
        else:
            self.owners.setdefault(id(lock), [thread.index, 0])[1] += 1
        return True

    def give(self, thread: Any, lock: Any) -> None:
        """Give a lock back. Raises RuntimeError, as the lock itself would, if it is not held."""
        if type(lock) is LOCK:
            lock.release()
            self.held.pop(id(lock), None)
            return
        owner = self.owners.get(id(lock))
        if owner is None or owner[0] != thread.index:
            raise RuntimeError("cannot release un-acquired lock")
        owner[1] -= 1
        if not owner[1]:
            del self.owners[id(lock)]

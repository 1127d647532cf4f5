"""The log: who is at work, what was touched last by whom, and which accesses do not belong together."""

from __future__ import annotations

import os
import sys
import threading
from asyncio import current_task
from asyncio.events import _get_running_loop
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from sharedstate.watch.findings import FOREIGN, LOST, TORN, Access, Finding
from sharedstate.watch.locks import WatchedLock
from sharedstate.watch.wrapping import wrap

HERE = os.path.dirname(__file__) + os.sep
MOST = 100  # findings that are kept
KEEP = 1000  # accesses that are kept
Before = Callable[[str, str, str], object]


class Job:
    """A piece of work: a request, a thread or a task. `seen` holds its last access of each cell."""

    __slots__ = ("number", "seen", "who")

    def __init__(self, who: str, number: int) -> None:
        self.who, self.number = who, number
        self.seen: dict[Cell, Access] = {}


class Cell:
    """One place that is shared. `shared` says that it may pass from one to another, between two pieces of work."""

    __slots__ = ("last", "shared", "what")

    def __init__(self, what: str, shared: bool = False) -> None:
        self.what, self.shared = what, shared
        self.last: Access | None = None


class Watch:
    """Wraps what is suspected, and tells who wrote what a reader read.

    `wrap(object, name)` returns what to use in its place. A piece of work is `with log.work("alice")`, otherwise a
    task or a thread by its name. What is done outside of all of them in the thread that made the log is the set-up:
    everybody may read that. Three rules raise an alarm: a read of what another wrote ("foreign"), a write over what
    another wrote since one's own read ("lost"), and two reads with another's write in between ("torn"). What is
    declared as shared may be read after another wrote it, but nobody may write it between two accesses of one job.

    Each access and its note are one step, under the log's own lock; `before(who, kind, what)` is called ahead of it,
    without the lock: a seam for tests.
    """

    def __init__(self, before: Before | None = None, keep: int = KEEP) -> None:
        self.before = before
        self.lock = threading.RLock()
        self.accesses: deque[Access] = deque(maxlen=keep)
        self.writes: list[Access | None] = [None]  # what the elements of arrays and tensors name by number
        self.count = 0
        self.found: dict[tuple, Finding] = {}
        self.cells: dict[str, Cell] = {}
        self.waiting: dict[Job, WatchedLock] = {}
        self._jobs = 0
        self._named: dict[object, list[Job]] = {}
        self._strands: WeakKeyDictionary[Any, Job] = WeakKeyDictionary()
        self._setup = Job("setup", 0)
        self._home = self._strand()

    # --- asking

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The alarms, each pair of lines once, in the order in which they came."""
        return tuple(self.found.values())

    def writer(self, what: str) -> Access | None:
        """Return the last write of a place, by its name ("checker.result"); None when there was none."""
        cell = self.cells.get(what)
        return cell.last if cell else None

    def history(self, what: str) -> tuple[Access, ...]:
        """Return the accesses of a place that are still kept, the oldest first."""
        return tuple(access for access in self.accesses if access.what == what)

    def __str__(self) -> str:
        """The alarms, or that there is none."""
        return "\n".join(map(str, self.findings)) or f"no alarm in {self.count:,} accesses"

    # --- wrapping, and who is at work

    def wrap(
        self,
        target: Any,
        name: str,
        shared: Collection[str] | bool = (),
        fields: Collection[str] | None = None,
        calls: Collection[str] = (),
    ) -> Any:
        """Return `target`, watched, under this name.

        An object stays the same object: its class becomes a subclass that tells of its attributes (`fields`: of these
        only), and lists, dictionaries and sets among them are watched too. A list, a dictionary, a set, a numpy
        array, a torch tensor, a lock, a context variable or a threading.local is replaced. `calls` names methods that
        read and change a state inside (a generator's draws). shared: what may pass from one piece of work to
        another, the field "free", the items of the list in it "free[]", or True for all.

        Raises TypeError for what cannot be watched.
        """
        return wrap(self, target, name, shared, fields, calls)

    @contextmanager
    def work(self, who: str) -> Iterator[None]:
        """Inside the block this task or thread works for `who`: a piece of work that begins and ends here."""
        strand = self._strand()
        with self.lock:
            self._jobs += 1
            self._named.setdefault(strand, []).append(Job(who, self._jobs))
        try:
            yield
        finally:
            with self.lock:
                jobs = self._named[strand]
                jobs.pop()
                if not jobs:
                    del self._named[strand]

    def job(self) -> Job:
        """Return the piece of work that is being done here and now."""
        strand = self._strand()
        named = self._named.get(strand)
        if named:
            return named[-1]
        if strand is self._home:
            return self._setup
        with self.lock:
            job = self._strands.get(strand)
            if job is None:
                self._jobs += 1
                job = self._strands[strand] = Job(strand.get_name() if hasattr(strand, "get_name") else strand.name,
                                                  self._jobs)
            return job

    @staticmethod
    def _strand() -> Any:
        """The task that runs here, or else the thread."""
        task = current_task() if _get_running_loop() is not None else None
        return task or threading.current_thread()

    # --- noting

    def cell(self, what: str, shared: bool = False) -> Cell:
        """Return a new cell, known by its name from now on."""
        cell = self.cells[what] = Cell(what, shared)
        return cell

    def announce(self, kind: str, what: str) -> Job:
        """Say that an access comes, and return whose it is."""
        job = self.job()
        if self.before is not None and job is not self._setup:
            self.before(job.who, kind, what)
        return job

    def note(self, job: Job, kind: str, what: str) -> Access:
        """Keep an access; the caller holds the lock."""
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE):
            frame = frame.f_back
        self.count += 1
        access = Access(self.count, job.who, job.number, kind, what, frame.f_code.co_filename, frame.f_lineno)
        self.accesses.append(access)
        return access

    def read(self, job: Job, cell: Cell) -> Access:
        """Note a read of a cell, and compare it with the last write; the caller holds the lock."""
        access, write, before = self.note(job, "read", cell.what), self._foreign(job, cell.last), job.seen.get(cell)
        job.seen[cell] = access
        if write is None:
            return access
        since = before is not None and write.number > before.number
        if not cell.shared or (before is not None and since and before.kind == "write"):
            self.alarm(FOREIGN, access, write)
        elif since:
            self.alarm(TORN, access, write)
        return access

    def write(self, job: Job, cell: Cell) -> Access:
        """Note a write of a cell: over what one's own read did not see? The caller holds the lock."""
        access, write, before = self.note(job, "write", cell.what), self._foreign(job, cell.last), job.seen.get(cell)
        cell.last = job.seen[cell] = access
        if before is not None and before.kind == "read" and write is not None and write.number > before.number:
            self.alarm(LOST, access, write)
        return access

    def read_tagged(self, job: Job, what: str, writes: Iterable[Access | None], shared: bool = False) -> Access:
        """Note a read of data that carries its own tags: which of them are another's? The caller holds the lock."""
        access = self.note(job, "read", what)
        for write in () if shared else writes:
            if (foreign := self._foreign(job, write)) is not None:
                self.alarm(FOREIGN, access, foreign)
        return access

    def alarm(self, kind: str, access: Access, write: Access) -> None:
        """Keep a finding, once for each pair of lines."""
        key = (kind, access.who, access.what, access.line, write.who, write.line)
        if key not in self.found and len(self.found) < MOST:
            self.found[key] = Finding(kind, access, write)

    def _foreign(self, job: Job, write: Access | None) -> Access | None:
        """Return the write if it is another's; None for one's own, for the set-up's, and when the set-up asks."""
        return write if write is not None and write.job != 0 and job.number not in (0, write.job) else None

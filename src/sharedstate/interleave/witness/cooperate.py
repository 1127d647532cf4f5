"""Locks that give the turn away instead of blocking, in the place of the real ones while a witness is at work.

Conditions, events, semaphores, barriers, queues and executors are Python on top of them. A thread that plays no part
in a schedule gets the real thing under every patched name, and a lock that outlives its schedule is a real lock.
"""

from __future__ import annotations

import _thread
import functools
import itertools
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from sharedstate.interleave.witness.adopt import adopt

REFUSED = (
    ("asyncio.base_events", "BaseEventLoop", "__init__", "it runs an asyncio loop, which changes hands only at await"),
    ("multiprocessing.process", "BaseProcess", "start", "it starts a process"),
    ("multiprocessing.pool", "Pool", "__init__", "it makes a pool of multiprocessing"),
    ("multiprocessing.synchronize", "SemLock", "__init__", "it uses a lock of multiprocessing"),
    ("concurrent.futures.process", "ProcessPoolExecutor", "__init__", "it makes a pool of processes"),
    ("os", "", "fork", "it forks"),
    ("_thread", "", "start_new_thread", "it starts a thread without threading"),
    *(("signal", "", name, "it uses signals") for name in ("signal", "alarm", "setitimer", "raise_signal")),
)


class Player(Protocol):
    """What the calling thread can do in its schedule."""

    skew: float  # seconds that sleeps and timeouts have taken there

    def wait(self, free: Callable[[], bool], timeout: float | None) -> bool:
        """Let others go on until `free`; False if the timeout ran out."""

    def sleep(self, seconds: float) -> None:
        """Let others go on."""

    def start(self, thread: Any) -> None:
        """One more thread."""

    def ended(self, thread: Any) -> Callable[[], bool] | None:
        """Whether a thread that was started here has ended; None for another one."""

    def refuse(self, why: str) -> Any:
        """This program is none for the witness."""


class Lock:
    """A lock that waits by giving the turn away; `me` is set in the subclass that each witness makes for itself."""

    me: Callable[[], Player | None]
    kind: Callable[[], Any] = _thread.allocate_lock

    def __new__(cls, real: Any = None) -> Any:
        """A plain real lock for a thread that plays no part."""
        if real is None and cls.me() is None:
            return cls.kind()
        lock = object.__new__(cls)
        lock.real = real or cls.kind()
        return lock

    real: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["real"], name)

    def __repr__(self) -> str:
        return repr(self.real)

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # isinstance(lock, the real type) is true
        return type(self.real)

    def free(self) -> bool:
        """Nobody holds it. (An RLock has no `locked` before Python 3.14.)"""
        return not repr(self.real).startswith("<locked")

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As the real one; a timeout may run out whenever the schedule likes."""
        player = type(self).me()
        if player is None or not blocking or (timeout <= 0 and timeout != -1):
            return self.real.acquire(blocking, timeout)
        while not self.real.acquire(False):
            if not player.wait(self.free, None if timeout == -1 else timeout):
                return False
        return True

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *error: object) -> None:
        self.real.release()


class RLock(Lock):
    """The same around a reentrant lock, which knows its owner: each thread of a schedule is a real one."""

    kind = _thread.RLock

    def _acquire_restore(self, state: Any) -> None:
        self.acquire()
        self.real.release()
        self.real._acquire_restore(state)


class Quiet:
    """Standard output of the threads of a schedule: none. Other threads write as before."""

    def __init__(self, me: Callable[[], Player | None], real: Any) -> None:
        self.me, self.real = me, real

    def write(self, text: str) -> int:
        """Say nothing."""
        return len(text) if self.me() or self.real is None else self.real.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["real"], name)


class Stage:
    """The patched names of one witness, from `open` to `close`."""

    def __init__(self, me: Callable[[], Player | None]) -> None:
        self.me = me
        self.undo: list[Callable[[], object]] = []
        self.locals = False  # the scenario has thread-locals of its own
        self.lock, self.rlock = (type("lock", (base,), {"me": staticmethod(me)}) for base in (Lock, RLock))
        self.quiet = Quiet(me, sys.stdout)

    def claim(self) -> str:
        """Be the only witness in this process (one dict operation: it cannot be parted); why not, if there is one."""
        if vars(threading).setdefault("_second_witness", self) is not self:
            return "another witness is running"
        self.undo.append(functools.partial(vars(threading).pop, "_second_witness"))
        return ""

    def open(self, roots: list) -> None:
        """Patch everything."""
        for name in ("stdout", "stderr"):
            self.undo.append(functools.partial(setattr, sys, name, getattr(sys, name)))
        self.locals = adopt(roots, self.patch(), self.lock, self.rlock, self.undo)

    def reset(self) -> None:
        """What a schedule may have changed in the world, before the next one."""
        sys.stdout = sys.stderr = self.quiet  # type: ignore[assignment]
        threading._counter = itertools.count(1).__next__  # type: ignore[attr-defined]

    def close(self) -> None:
        """Put everything back."""
        while self.undo:
            self.undo.pop()()

    def replace(self, holder: Any, name: str, new: Any) -> Any:
        """Put `new` in the place of an attribute until the end; the old one."""
        old = vars(holder)[name]
        self.undo.append(functools.partial(setattr, holder, name, old))
        setattr(holder, name, new)
        return old

    def patch(self) -> dict[int, Any]:
        """Patch the standard library; what was put, by the id of what it stands for."""
        new: dict[int, Any] = {}
        clocks = [(time, name) for name in ("monotonic", "time", "perf_counter")]
        table = [
            (threading, "Lock", self.lock), (threading, "_allocate_lock", self.lock),
            (threading, "RLock", self.rlock), (queue, "SimpleQueue", queue._PySimpleQueue),  # type: ignore[attr-defined]
            (time, "sleep", self.sleep(time.sleep)),
            *((module, name, self.clock(vars(module)[name])) for module, name in clocks),
            (threading, "_time", self.clock(time.monotonic)), (queue, "time", self.clock(time.monotonic)),
        ]  # fmt: skip
        for module, name, made in table:
            new.setdefault(id(self.replace(module, name, made)), made)
        self.replace(threading, "_counter", itertools.count(1).__next__)
        thread = threading.Thread
        self.replace(thread, "start", self.start(thread.start))
        self.replace(thread, "join", self.join(thread.join))
        self.replace(thread, "is_alive", self.is_alive(thread.is_alive))
        for place, owner, name, why in REFUSED:
            holder: Any = sys.modules.get(place)
            holder = getattr(holder, owner, None) if owner else holder
            if holder is not None and name in vars(holder):
                self.replace(holder, name, self.refuser(vars(holder)[name], why))
        return new

    def sleep(self, real: Callable[[float], None]) -> Callable[[float], None]:
        """`time.sleep` that takes no time, only the turn."""

        def sleep(seconds: float) -> None:
            player = self.me()
            (real if player is None or seconds < 0 else player.sleep)(seconds)

        return sleep

    def clock(self, real: Callable[[], float]) -> Callable[[], float]:
        """A clock on which sleeps and timeouts have passed."""

        def now() -> float:
            player = self.me()
            return real() if player is None else real() + player.skew

        return now

    def start(self, real: Callable) -> Callable:
        """`Thread.start`: one more thread of the schedule."""

        def start(thread: Any) -> None:
            player = self.me()
            (real if player is None or thread._started.is_set() else player.start)(thread)

        return start

    def join(self, real: Callable) -> Callable:
        """`Thread.join`: wait for a thread of the schedule."""

        def join(thread: Any, timeout: float | None = None) -> None:
            player = self.me()
            ended = player.ended(thread) if player is not None else None
            if player is None or ended is None or thread is threading.current_thread():
                return real(thread, timeout)
            while not ended() and (timeout is None or timeout > 0) and player.wait(ended, timeout):
                pass
            return None

        return join

    def is_alive(self, real: Callable) -> Callable:
        """`Thread.is_alive`, of a thread of the schedule."""

        def is_alive(thread: Any) -> bool:
            player = self.me()
            ended = player.ended(thread) if player is not None else None
            return real(thread) if ended is None else not ended()

        return is_alive

    def refuser(self, real: Any, why: str) -> Callable:
        """In the place of what the witness cannot follow."""

        @functools.wraps(real)
        def refuse(*args: Any, **keywords: Any) -> Any:
            player = self.me()
            if player is None:
                return real(*args, **keywords)
            if args and real.__name__ == "__init__":  # half made, it must not be asked to clean up
                args[0].__class__ = type("Refused", (), {})
            return player.refuse(why)

        return refuse

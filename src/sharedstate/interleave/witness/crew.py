"""OS threads that are kept from schedule to schedule (making one costs a millisecond), each as good as new."""

from __future__ import annotations

import _thread
import contextvars
import sys
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any, Protocol

from sharedstate.interleave.witness.opcodes import Opcodes

try:
    import ctypes
except ImportError:  # an interpreter without it
    ctypes = None  # type: ignore[assignment]

FORGETS = ctypes is not None and sys.version_info < (3, 13)
SIGN = 0.05  # seconds that a thread may take to give a sign of life


class Leave(BaseException):
    """Unwinds a thread whose schedule is over. No `except Exception` of the code under test stops it."""


class Job(Protocol):
    """What a worker performs: a thread's part in a schedule."""

    name: str
    call: Callable[[], Any]
    child: Any
    answer: Any
    ended_lock: _thread.LockType
    worker: Any

    @property
    def run(self) -> Any:
        """The schedule."""

    @property
    def on_stage(self) -> bool:
        """It has turns to give away."""

    def finish(self) -> None:
        """Give the turn away for good."""


class Worker:
    """One kept thread; it stands at its gate when it has not the turn."""

    def __init__(self, perform: Callable[[Any], None]) -> None:
        self.perform, self.lost = perform, False
        self.task: Job | None = None
        self.gate = _thread.allocate_lock()
        self.gate.acquire()
        self.thread = threading.Thread(target=self.loop, name="witness", daemon=True)
        self.thread.start()

    def loop(self) -> None:
        """Play one part after another."""
        try:
            while self.gate.acquire() and not self.lost and self.task is not None:
                self.perform(self.task)
        except Leave:  # a late one, of a schedule that was given up
            pass


class Crew:
    """The threads of one witness, and who plays which part at the moment."""

    def __init__(self, follow: Callable[[CodeType], bool]) -> None:
        self.parts: dict[int, Any] = {}
        self.opcodes = Opcodes(follow, self.parts)
        self.idle: list[Worker] = []
        self.lost: list[Worker] = []
        self.once = False  # no thread plays twice

    def me(self) -> Any:
        """The part of the calling thread, if it plays one."""
        return self.parts.get(_thread.get_ident())

    def worker(self) -> Worker:
        """An idle thread; a new one is made as if by somebody outside of the schedule."""
        if self.idle:
            return self.idle.pop()
        part = self.parts.pop(_thread.get_ident(), None)
        try:
            return Worker(self.perform)
        finally:
            if part is not None:
                self.parts[_thread.get_ident()] = part

    def enlist(self, count: int) -> str:
        """Make that many threads; why not, on an interpreter without."""
        try:
            self.idle += [Worker(self.perform) for _ in range(count)]
        except RuntimeError as error:
            return f"no threads here: {error}"
        return ""

    def as_caller(self, part: Any, call: Callable, *args: Any) -> Any:
        """Call setup or outcome, with the locks of the schedule."""
        self.parts[_thread.get_ident()] = part
        try:
            return call(*args)
        finally:
            del self.parts[_thread.get_ident()]

    def perform(self, task: Job) -> None:
        """Play one part as on a new thread: context, thread-locals and name are its own."""
        ident, own = _thread.get_ident(), task.worker.thread
        own.name = task.name
        if task.child is not None:
            dress(task.child, ident)
        self.parts[ident] = task
        try:
            if not task.run.over:
                self.opcodes.begin(task)
                task.answer = contextvars.Context().run(task.call)
        except BaseException as error:  # SystemExit and KeyboardInterrupt are answers as well
            task.answer = error.with_traceback(None)  # frames would keep the state alive
        finally:
            self.opcodes.end()
            self.parts.pop(ident, None)
            if task.child is not None:
                undress(task.child, ident, own)
            forget_locals()
            task.finish()

    def give_back(self, worker: Worker) -> None:
        """It has played its part."""
        if self.once:
            worker.lost = True
            worker.gate.release()
            self.lost.append(worker)
        else:
            self.idle.append(worker)

    def lose(self, task: Job) -> None:
        """A thread that does not come back: tell it from outside to leave, and use it no more."""
        task.worker.lost = True
        self.lost.append(task.worker)
        for _ in range(20):
            interrupt(task.worker.thread.ident)
            if task.ended_lock.acquire(timeout=0.002):
                break

    def close(self) -> None:
        """End every thread; one that hangs in a real call is left as a daemon that ends when it comes back."""
        everybody = (*self.idle, *self.lost)
        for worker in everybody:
            worker.task, worker.lost = None, True
            if worker.gate.locked():
                worker.gate.release()
        for worker in everybody:
            worker.thread.join(SIGN)


def dress(child: Any, ident: int) -> None:
    """A Thread object of the code under test stands for the calling thread."""
    threading._active[ident], child._ident = child, ident  # type: ignore[attr-defined]
    if sys.version_info >= (3, 13):
        child._handle = threading._make_thread_handle(ident)  # type: ignore[attr-defined,unused-ignore]


def undress(child: Any, ident: int, own: threading.Thread) -> None:
    """It has ended, and says so; the calling thread is itself again."""
    threading._active[ident] = own  # type: ignore[attr-defined]
    child._is_stopped = True
    if sys.version_info >= (3, 13):
        child._handle._set_done()


def interrupt(ident: int | None) -> None:
    """Raise `Leave` in another thread, as soon as it executes Python code."""
    if ctypes:
        kind = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_ulong, ctypes.py_object)
        kind(("PyThreadState_SetAsyncExc", ctypes.pythonapi))(ident, Leave)


def forget_locals() -> None:
    """Empty what `threading.local` keeps for the calling thread, up to Python 3.12."""
    if FORGETS:  # a borrowed reference: taken as py_object it would be freed
        address = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyThreadState_GetDict", ctypes.pythonapi))()
        ctypes.cast(address, ctypes.py_object).value.clear()

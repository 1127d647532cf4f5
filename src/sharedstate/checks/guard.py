"""Run a learner's code with a wall limit and capped output, and leave the kernel as it was found."""

from __future__ import annotations

import contextlib
import ctypes
import io
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

import psutil

from . import where

OUTPUT_LIMIT = 1_000_000
PATIENCE = 1.0  # seconds that a thread gets to obey the interruption
IDLE = 0.05  # seconds of processor time in that second below which it waits
MEMORY_LIMIT = 1.5 * 2**30  # bytes that a run may add to the process


class Interrupted(SystemExit):
    """Raised inside the learner's code when its time is up (a thread ends by SystemExit without a word)."""


class OutputFlood(SystemExit):
    """Raised inside the learner's code when it printed too much."""


class CappedText(io.TextIOBase):
    """A stream that keeps the first `limit` characters, and ends the writer when more come."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.flooded = False
        self._parts: list[str] = []
        self._size = 0
        self._lock = threading.Lock()

    def writable(self) -> bool:
        """Always true."""
        return True

    def write(self, text: str) -> int:
        """Keep the text; raises OutputFlood beyond the limit."""
        with self._lock:
            self._parts.append(text[: max(0, self.limit - self._size)])
            self._size += len(text)
            self.flooded = self._size > self.limit
        if self.flooded:
            raise OutputFlood
        return len(text)

    def text(self) -> str:
        """Return what was kept."""
        return "".join(self._parts)


@dataclass(frozen=True)
class Outcome:
    """How a guarded run ended.

    state: "done", "raised", "stopped" (time was up, it obeyed), "stuck" (it did not), "flooded", "memory" (it took too
    much of it).
    line: the learner's line that raised, or that was running when time was up.
    busy: for "stuck": whether it went on using the processor, so that it computes and does not wait.
    """

    state: str
    value: object = None
    error: BaseException | None = None
    output: str = ""
    line: str | None = None
    busy: bool = False


class _Worker(threading.Thread):
    """Calls one function and keeps its value or exception; a daemon, so a stuck one never blocks the exit."""

    def __init__(self, function: Callable[[], object]) -> None:
        super().__init__(name="answer", daemon=True)
        self.function = function
        self.value: object = None
        self.error: BaseException | None = None
        self.ended = threading.Event()

    def run(self) -> None:
        try:
            self.value = self.function()
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()


def run_guarded(
    function: Callable[[], object], seconds: float = 5.0, output_limit: int = OUTPUT_LIMIT
) -> Outcome:
    """Call `function()` in a thread of its own for at most `seconds`, and say how it ended.

    When time is up, Interrupted is raised inside it; a thread that does not obey (it waits for a lock) is
    left behind as a daemon. Output of every thread is captured meanwhile. Restores the switch interval, trace
    and profile hooks, signal handlers, streams and the recursion limit. Ctrl-C stops it and passes on.
    """
    sink = CappedText(output_limit)
    before = set(threading.enumerate())
    worker = _Worker(function)
    with restored(), contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
        try:
            worker.start()
            in_time, swollen = _wait(worker.ended, seconds)
        except KeyboardInterrupt:
            _stop(worker, before)
            raise
        line = None if in_time else where.of_frame(_frame_of(worker))
        used = 0.0 if in_time else _used(worker, before)
        obeyed = in_time or _stop(worker, before)
        busy = not obeyed and _used(worker, before) - used > IDLE
        for straggler in _started_by_learner(before):
            _raise_in(straggler, Interrupted)
    if swollen:
        return Outcome("memory", output=sink.text(), line=line)
    if not obeyed:
        return _left_behind(sink, line, busy)
    return _outcome(worker, sink, in_time, line)


def _left_behind(sink: CappedText, line: str | None, busy: bool) -> Outcome:
    return Outcome("flooded" if sink.flooded else "stuck", output=sink.text(), line=line, busy=busy)


def _outcome(worker: _Worker, sink: CappedText, in_time: bool, line: str | None) -> Outcome:
    output = sink.text()
    if sink.flooded:
        return Outcome("flooded", output=output)
    if not in_time:
        return Outcome("stopped", output=output, line=line)
    if worker.error is not None:
        line = where.of_traceback(worker.error.__traceback__)
        return Outcome("raised", error=worker.error, output=output, line=line)
    return Outcome("done", value=worker.value, output=output)


def _wait(event: threading.Event, seconds: float) -> tuple[bool, bool]:
    """Wait in short pieces, so that Ctrl-C gets through on every system; say whether it ended, or is too large."""
    end, before = time.monotonic() + seconds, 0
    while not event.is_set() and time.monotonic() < end:
        event.wait(min(0.1, max(0.0, end - time.monotonic())))
        if not event.is_set():
            now = psutil.Process().memory_info().rss
            before = before or now
            if now - before > MEMORY_LIMIT:
                return False, True
    return event.is_set(), False


def _stop(worker: _Worker, before: set[threading.Thread]) -> bool:
    """Interrupt the worker, and the threads that its code started, until it ends or patience does."""
    end = time.monotonic() + PATIENCE
    while worker.is_alive() and time.monotonic() < end:
        for thread in [worker, *_started_by_learner(before)]:
            _raise_in(thread, Interrupted)
        worker.ended.wait(0.05)
    gone = worker.ended.is_set() or not worker.is_alive()  # a second interruption may end it before it says so
    if not gone:
        _calm()
    return gone


def _calm() -> None:
    """Let a thread of our own take an interruption, since the blocked one does not.

    As long as none is taken, CPython 3.11 and 3.12 stop at every loop turn of every thread to look for it, and
    under a trace hook they never get past it. The blocked thread still gets its own when it wakes.
    """
    taker = _Worker(_naps)
    taker.start()
    while taker.is_alive():
        _raise_in(taker, Interrupted)
        taker.ended.wait(0.005)


def _naps() -> None:
    for _ in range(1000):
        time.sleep(0.001)


def _frame_of(thread: threading.Thread) -> FrameType | None:
    """Return what a thread is executing now."""
    return sys._current_frames().get(thread.ident or 0)


def _used(worker: threading.Thread, before: set[threading.Thread]) -> float:
    """Return the processor time of a run so far, in all of its threads: it may wait for one that computes.

    Where a thread has no clock, that of the whole process stands for it.
    """
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time()
    spent = 0.0
    for thread in (worker, *_started_by_learner(before)):
        with contextlib.suppress(OSError):  # it has just ended
            spent += time.clock_gettime(time.pthread_getcpuclockid(thread.ident or 0)) if thread.is_alive() else 0.0
    return spent


def _started_by_learner(before: set[threading.Thread]) -> list[threading.Thread]:
    """New threads that are in the learner's code right now; the kernel's own threads never are."""
    new = [t for t in threading.enumerate() if t not in before and not isinstance(t, _Worker)]
    return [t for t in new if where.of_frame(_frame_of(t))]


def _raise_in(thread: threading.Thread, error: type[BaseException]) -> None:
    if thread.ident is not None and thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(error))


@contextlib.contextmanager
def restored() -> Iterator[None]:
    """Put back the switch interval, recursion limit, hooks and signal handlers at the end."""
    interval, depth = sys.getswitchinterval(), sys.getrecursionlimit()
    trace, profile = sys.gettrace(), sys.getprofile()
    thread_trace, thread_profile = threading.gettrace(), threading.getprofile()
    handlers = _handlers()
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        sys.setrecursionlimit(depth)
        threading.settrace(thread_trace)
        threading.setprofile(thread_profile)
        sys.settrace(trace)
        sys.setprofile(profile)
        for number, handler in handlers.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)


def _handlers() -> dict[int, Any]:
    """The signal handlers, from the main thread only (others may not set any)."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.getsignal(number) for number in signal.valid_signals()}

"""Event loops whose tasks take their turns one by one, in an order that is chosen for them."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import events, futures
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave.pool import NoThreads
from sharedstate.interleave.sites import NotModelled


@dataclass(eq=False)
class Entry:
    """Something that is ready to run; `task` is None for the loop's own chores."""

    task: Any
    handle: asyncio.Handle
    callback: Callable[..., Any]
    arguments: tuple
    context: Any


class Turns(asyncio.BaseEventLoop):
    """The part of a loop that keeps what is ready until its turn comes. Time is counted, not spent.

    With `fifo` the loop's own order is kept, chores included; otherwise chores are done at once, so that every
    ready task can be chosen.
    """

    def open_turns(self, adopt: Callable[[Any], None], fifo: bool) -> None:
        """Nothing is ready; `adopt(task)` is told of each new task."""
        self.adopt, self.fifo = adopt, fifo
        self.entries: list[Entry] = []
        self.timers: list[asyncio.TimerHandle] = []
        self.now = 0.0
        self.patient = False
        self.crossing = False

    def time(self) -> float:
        """Seconds of counted time."""
        return getattr(self, "now", 0.0)

    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """Keep a callback until its turn."""
        if self.crossing:
            return super().call_soon(callback, *args, context=context)
        handle = asyncio.Handle(callback, args, self, context)
        owner = getattr(callback, "__self__", None)
        self.entries.append(Entry(owner if isinstance(owner, asyncio.Task) else None, handle, callback, args, context))
        return handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """A timer. That of a sleep may ring at any time: the sleeper is ready at once, unless the order is kept."""
        timer, wakes = asyncio.TimerHandle(when, callback, args, self, context), vars(futures)
        if not self.fifo and callback is wakes.get("_set_result_unless_cancelled", timer):
            self.entries.append(Entry(None, timer, callback, args, context))
        else:
            self.timers.append(timer)
        return timer

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task:
        """A new task, made known."""
        task = super().create_task(coro, **options)
        self.adopt(task)
        return task

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Refused: a thread beside the loop is a different kind of program."""
        raise NotModelled(
            "run_in_executor() and asyncio.to_thread() are not modelled beside tasks; "
            "make the thread's work a task of its own, or explore it as threads"
        )

    # -- turns -----------------------------------------------------------------------------------------

    def ready(self) -> list[Any]:
        """The tasks that can take a turn now."""
        found = [e.task for e in self.entries if e.task is not None and not e.handle.cancelled()]
        return found[:1] if self.fifo else found

    def waiting_timers(self) -> list[asyncio.TimerHandle]:
        """The timers that have not rung, the earliest first."""
        self.timers = [t for t in self.timers if not t.cancelled()]
        return sorted(self.timers, key=lambda t: t.when())

    def ring(self) -> None:
        """Let the earliest timer ring, and those of the same moment if the order is kept."""
        due = self.waiting_timers()
        self.now = max(self.now, due[0].when())
        ringing: list[Any] = [t for t in due if t.when() <= self.now] if self.fifo else due[:1]
        for timer in ringing:
            self.timers.remove(timer)
            self.entries.append(Entry(None, timer, timer._callback, timer._args, timer._context))
        self.chores()

    def turn(self, task: Any) -> None:
        """Let a task run to its next await, then do what follows from it."""
        entry = next(e for e in self.entries if e.task is task)
        self._cross(entry)
        self.chores()

    def chores(self) -> None:
        """Do the loop's own work until only tasks are left (with `fifo`, until a task is first)."""
        while True:
            todo = [e for e in self.entries if e.task is None]
            if self.fifo:
                todo = todo[:1] if todo and todo[0] is self.entries[0] else []
            if not todo:
                break
            self._cross(todo[0])
        if self.fifo and not self.entries and self.waiting_timers():
            self.ring()

    def _cross(self, entry: Entry) -> None:
        """Hand one entry to the loop itself and let it run."""
        self.entries.remove(entry)
        if entry.handle.cancelled():
            return
        self.crossing = True
        try:
            super().call_soon(self._one, entry, context=entry.context)
            self.stop()
            with outside():
                self.run_forever()
        finally:
            self.crossing = False

    def _one(self, entry: Entry) -> None:
        """Run an entry inside the loop; what it makes ready waits for its turn."""
        self.crossing = False
        try:
            entry.callback(*entry.arguments)
        finally:
            self.crossing = True


class QuickLoop(Turns):
    """A loop without files and sockets: for the search."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    def select(self, timeout: float | None) -> list:
        """Nothing ever comes from outside."""
        return []

    def _process_events(self, event_list: list) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody needs to be woken."""


class RealLoop(Turns, asyncio.SelectorEventLoop):
    """The ordinary event loop, with chosen turns: for the confirmation.

    Raises NoThreads where the system has none, as a web page.
    """

    def __init__(self) -> None:
        try:
            super().__init__()
        except OSError as error:
            self._closed = True  # it never opened: nothing is left to close
            raise NoThreads("no real event loop here") from error


@contextlib.contextmanager
def outside() -> Iterator[None]:
    """Step out of a loop that runs already (a notebook's), and back in."""
    running = events._get_running_loop()
    if running is None:
        yield
        return
    swap = getattr(asyncio.tasks, "_swap_current_task", None)
    task = swap(running, None) if swap is not None else None
    events._set_running_loop(None)
    try:
        yield
    finally:
        events._set_running_loop(running)
        if swap is not None:
            swap(running, task)

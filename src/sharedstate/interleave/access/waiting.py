"""Condition, Event, Semaphore and Barrier as steps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access.models import Op, Script, calling, name, named, once, timed
from sharedstate.interleave.access.values import LOCK
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread

FIFO = "notify() wakes the thread that has waited longest, as CPython does today"


@dataclass(eq=False)
class Waiter:
    """One thread in a queue; once woken by notify() it is held up by the condition's lock."""

    thread: Any = None
    lock: Any = None
    woken: bool = False


def lock_of(run: Run, thread: SimThread, condition: Any) -> Any:
    """A condition's lock; one of its own bears the condition's name."""
    lock = condition._lock
    run.names.setdefault(id(lock), name(run, thread, condition))
    return lock


def _queue(run: Run, thing: Any) -> list[Waiter]:
    """Who waits, in the order of coming."""
    return run.waiters.setdefault(id(thing), [])


def _owned(run: Run, thread: SimThread, lock: Any) -> bool:
    """True if this thread holds the lock (a plain Lock only knows that it is held)."""
    if type(lock) is LOCK:
        return lock.locked()
    return run.owners.get(id(lock), (None,))[0] == thread.index


def _wake(run: Run, waiting: list[Waiter], count: int) -> int:
    """Wake at most `count` waiters, the longest waiting first."""
    if count < len(waiting):
        run.program.assume(FIFO)
    for waiter in waiting[:count]:
        waiter.woken = True
        if waiter.lock is not None:
            waiter.thread.lock = waiter.lock
    woken = len(waiting[:count])
    del waiting[:count]
    return woken


def wait(run: Run, thread: SimThread, condition: Any, timeout: float | None = None) -> Script:
    """Give the lock back and queue up; be woken (or time out); take the lock again."""
    lock = lock_of(run, thread, condition)
    called, locked = name(run, thread, condition), run.names[id(lock)]
    if not _owned(run, thread, lock):
        raise RuntimeError("cannot wait on un-acquired lock")
    waiter, waiting, depth = Waiter(thread, lock if timeout is None else None), _queue(run, condition), 1
    keys = ((called, "waiters"), (locked, "lock"))

    def queue_up() -> None:
        nonlocal depth
        depth = 1 if type(lock) is LOCK else run.owners[id(lock)][1]
        waiting.append(waiter)
        for _ in range(depth):
            run.give(thread, lock)

    def take() -> bool:
        for _ in range(depth):
            run.take(thread, lock)
        if waiter in waiting:
            waiting.remove(waiter)
        return woken

    def free() -> bool:
        return run.free(thread, lock)

    yield Op("wait", called, queue_up, keys=keys, quiet=True)
    woken = True
    if timeout is None:
        ready = lambda: waiter.woken and free()  # noqa: E731
        return (yield Op("acquire", called, take, ready, keys, quiet=True))
    gate = timed(run, thread, lambda: waiter.woken, timeout)
    woken = yield Op("wake", called, lambda: waiter.woken, gate, keys[:1], quiet=True, show=_timeout)
    return (yield Op("acquire", called, take, free, keys, lock=lock, quiet=True))


def _timeout(woken: bool) -> str:
    """How a wait with a timeout ended."""
    return "woken" if woken else "timed out"


def wait_for(run: Run, thread: SimThread, condition: Any, predicate: Callable, timeout: Any = None) -> Script:
    """Wait until the predicate holds; it is asked with the lock held."""
    result = yield calling(run, predicate)
    while not result:
        woken = yield from wait(run, thread, condition, timeout)
        result = yield calling(run, predicate)
        if not woken:
            break
    return result


def notify(run: Run, thread: SimThread, condition: Any, n: int = 1) -> Script:
    """Wake at most n waiting threads."""
    lock, waiting = lock_of(run, thread, condition), _queue(run, condition)
    if not _owned(run, thread, lock):
        raise RuntimeError("cannot notify on un-acquired lock")
    yield from once(run, thread, condition, "notify", "waiters", lambda: _wake(run, waiting, n), show=_woken)


def notify_all(run: Run, thread: SimThread, condition: Any) -> Script:
    """Wake all waiting threads."""
    return notify(run, thread, condition, len(_queue(run, condition)) + 1_000)


def _woken(count: int) -> str:
    """How many were woken, in words."""
    return f"{count} woken" if count else "nobody waits"


# -- Event -------------------------------------------------------------------------------------------


def event_set(run: Run, thread: SimThread, event: Any) -> Script:
    """Raise the flag and wake everybody."""
    waiting = _queue(run, event)

    def action() -> None:
        event._flag = True
        _wake(run, waiting, len(waiting))

    return once(run, thread, event, "set", "flag", action, saved=("_flag",))


def event_clear(run: Run, thread: SimThread, event: Any) -> Script:
    """Lower the flag."""
    return once(run, thread, event, "clear", "flag", lambda: setattr(event, "_flag", False), saved=("_flag",))


def event_is_set(run: Run, thread: SimThread, event: Any) -> Script:
    """Ask for the flag."""
    return once(run, thread, event, "read", "flag", lambda: event._flag, mode=0, show=bool)


def event_wait(run: Run, thread: SimThread, event: Any, timeout: float | None = None) -> Script:
    """Go on at once if the flag is up; else queue up until set() wakes this thread."""
    called, waiting, waiter = name(run, thread, event), _queue(run, event), Waiter()
    keys = ((called, "flag"),)

    def look() -> bool:
        if not event._flag:
            waiting.append(waiter)
        return event._flag

    if (yield Op("wait", called, look, keys=keys, quiet=True, show=lambda up: "set" if up else "not set")):
        return True
    gate = timed(run, thread, lambda: waiter.woken, timeout)

    def end() -> bool:
        if waiter in waiting:
            waiting.remove(waiter)
        return waiter.woken

    return (yield Op("wake", called, end, gate, keys, quiet=True, show=_timeout))


# -- Semaphore ---------------------------------------------------------------------------------------


def semaphore_acquire(run: Run, thread: SimThread, semaphore: Any, *arguments: Any, **keywords: Any) -> Script:
    """Take one of the places."""
    block, timeout = named(("blocking", "timeout"), arguments, keywords, (True, None))

    def take() -> bool:
        got = semaphore._value > 0
        semaphore._value -= got
        return got

    gate = timed(run, thread, lambda: semaphore._value > 0, None if timeout == -1 else timeout, block)
    show = _left(semaphore)
    return once(run, thread, semaphore, "acquire", "value", take, gate=gate, show=show, saved=("_value",))


def semaphore_release(run: Run, thread: SimThread, semaphore: Any, n: int = 1) -> Script:
    """Give places back; a BoundedSemaphore refuses more than it had."""
    if n < 1:
        raise ValueError("n must be one or more")

    def give() -> bool:
        if semaphore._value + n > getattr(semaphore, "_initial_value", float("inf")):
            raise ValueError("Semaphore released too many times")
        semaphore._value += n
        return True

    yield from once(run, thread, semaphore, "release", "value", give, show=_left(semaphore), saved=("_value",))


def semaphore_exit(run: Run, thread: SimThread, semaphore: Any, *details: Any) -> Script:
    """The end of a `with` block."""
    return semaphore_release(run, thread, semaphore)


def _left(semaphore: Any) -> Callable[[bool], str]:
    """How many places are left."""
    return lambda got: f"{semaphore._value} left" if got else "none left"


# -- Barrier -----------------------------------------------------------------------------------------


def barrier_wait(run: Run, thread: SimThread, barrier: Any, timeout: float | None = None) -> Script:
    """Arrive; go on when all have arrived. The last one runs the barrier's action."""
    called, timeout = name(run, thread, barrier), barrier._timeout if timeout is None else timeout
    run.remember(barrier, "_state", "_count")
    keys, busy = ((called, "barrier"),), run.waiters.setdefault(id(barrier), [])

    def arrive() -> int:
        if barrier._state < 0:
            raise threading.BrokenBarrierError
        index, last = barrier._count, barrier._count + 1 == barrier._parties
        barrier._count += 1
        if last and barrier._action is not None:
            busy.append(Waiter())
        elif last:
            _open(barrier)
        return index

    def leave() -> None:
        if barrier._state == 0:
            barrier._state = -2
        broken = barrier._state < 0
        _depart(barrier)
        if broken:
            raise threading.BrokenBarrierError

    def room() -> bool:
        return not busy and barrier._state not in (-1, 1)

    index = yield Op("arrive", called, arrive, room, keys, show=lambda i: f"{i + 1} of {barrier._parties}")
    if index + 1 == barrier._parties:
        if busy:
            yield from _act(run, barrier, called, busy)
        return index
    gate = timed(run, thread, lambda: not busy and barrier._state != 0, timeout)
    yield Op("pass", called, leave, gate, keys)
    return index


def _act(run: Run, barrier: Any, called: str, busy: list) -> Script:
    """Run the barrier's action with everybody waiting, then open it, or break it if the action raises."""

    def end(state: int) -> None:
        busy.clear()
        barrier._state = state
        _depart(barrier)

    try:
        yield calling(run, barrier._action)
    except BaseException:
        yield Op("break", called, lambda: end(-2), keys=((called, "barrier"),))
        raise
    yield Op("open", called, lambda: end(1), keys=((called, "barrier"),))


def _open(barrier: Any) -> None:
    """Let everybody go on; the opener leaves at once."""
    barrier._state = 1
    _depart(barrier)


def _depart(barrier: Any) -> None:
    """One thread leaves; the last one makes the barrier ready for the next round."""
    barrier._count -= 1
    if barrier._count == 0 and barrier._state in (-1, 1):
        barrier._state = 0


def _barrier_end(run: Run, thread: SimThread, barrier: Any, kind: str, state: int) -> Script:
    """abort() and reset()."""

    def action() -> None:
        barrier._state = state if state == -2 or barrier._count else 0

    return once(run, thread, barrier, kind, "barrier", action, saved=("_state", "_count"))


def barrier_abort(run: Run, thread: SimThread, barrier: Any) -> Script:
    """Break the barrier for everybody."""
    return _barrier_end(run, thread, barrier, "abort", -2)


def barrier_reset(run: Run, thread: SimThread, barrier: Any) -> Script:
    """Send everybody who waits away, and start again."""
    return _barrier_end(run, thread, barrier, "reset", -1)


MODELS = MappingProxyType({
    threading.Condition.wait: wait, threading.Condition.wait_for: wait_for, threading.Condition.notify: notify,
    threading.Condition.notify_all: notify_all, threading.Event.set: event_set, threading.Event.clear: event_clear,
    threading.Event.is_set: event_is_set, threading.Event.wait: event_wait,
    threading.Semaphore.acquire: semaphore_acquire, threading.Semaphore.release: semaphore_release,
    threading.Semaphore.__exit__: semaphore_exit, threading.BoundedSemaphore.release: semaphore_release,
    threading.Barrier.wait: barrier_wait, threading.Barrier.abort: barrier_abort,
    threading.Barrier.reset: barrier_reset,
})  # fmt: skip

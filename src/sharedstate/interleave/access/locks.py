"""Locks and everything else that can wait. A thread that waits is not enabled; nothing here blocks for real."""

from __future__ import annotations

import concurrent.futures
import queue
import threading
import types
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access import waiting
from sharedstate.interleave.access.registry import lookup
from sharedstate.interleave.access.values import LOCK, RLOCK
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import READY, NotModelled, Site

WAITERS = (
    threading.Condition, threading.Event, threading.Semaphore, threading.Barrier, threading.Thread, queue.Queue,
    queue.SimpleQueue, concurrent.futures.Executor, concurrent.futures.Future,
)  # fmt: skip


def lock_call(run: Run, thread: SimThread, site: Site, function: Any, lock: Any, args: tuple, keywords: dict) -> Any:
    """A method of Lock or RLock."""
    name = function.__name__
    run.registry.escape(lock, thread.name)
    if name in ("acquire", "__enter__", "acquire_lock"):
        patient = (args[0] if args else keywords.get("blocking", True)) and "timeout" not in keywords
        return acquire(run, thread, site, lock, bool(patient) and len(args) < 2)
    if name in ("release", "__exit__", "release_lock"):
        return release(run, thread, site, lock)
    if name in ("locked", "_is_owned"):
        return thread.wait(site, _ask(lock), None, "read", run.name_of(lock))
    raise NotModelled(f"{type(lock).__name__}.{name} is not modelled ({site.where})")


def acquire(run: Run, thread: SimThread, site: Site, lock: Any, patient: bool = True) -> Any:
    """Wait for a lock; with `patient` false the step is possible at any time and may return False.

    An RLock that the thread holds already is only counted up: no other thread can tell.
    """
    again = run.depth(thread, lock) > 0

    def perform(run: Run, thread: SimThread, site: Site, request: tuple) -> bool:
        got = run.take(thread, lock)
        run.log.append((thread.index, _key(run, thread, lock, again), 1))
        run.version += 1
        thread.quiet += 1
        if run.record:
            run.note_named(thread, site, "acquire", run.name_of(lock), None if got and patient else got)
        return got

    patient = patient and not again
    gate = (lambda: run.free(thread, lock)) if patient else None
    thread.wait(site, perform, gate, "acquire", run.name_of(lock))
    thread.lock = lock if patient else None
    return READY


def release(run: Run, thread: SimThread, site: Site, lock: Any) -> Any:
    """Give a lock back."""

    def perform(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
        again = run.depth(thread, lock) > 1
        run.give(thread, lock)
        run.log.append((thread.index, _key(run, thread, lock, again), 1))
        run.version += 1
        thread.quiet += 1
        if run.record:
            run.note_named(thread, site, "release", run.name_of(lock), None)

    return thread.wait(site, perform, None, "release", run.name_of(lock))


def _key(run: Run, thread: SimThread, lock: Any, again: bool) -> tuple[str, str]:
    """What a step on a lock touches: the lock, or only the holder's own count."""
    name = run.name_of(lock)
    return (f"{name} of {thread.name}", "count") if again else (name, "lock")


def _ask(lock: Any) -> Callable[..., Any]:
    """Whether a lock is held now."""

    def perform(run: Run, thread: SimThread, site: Site, request: tuple) -> bool:
        held = not run.free(None, lock)
        run.log.append((thread.index, (run.name_of(lock), "lock"), 0))
        if run.record:
            run.note_named(thread, site, "read", run.name_of(lock), held)
        return held

    return perform


def enter(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`with manager:`: a lock is taken, `__enter__` is called."""
    manager = _lock(run, thread, request[1])
    if isinstance(manager, (LOCK, RLOCK)):
        run.registry.escape(manager, thread.name)
        return acquire(run, thread, site, manager)
    function = _method(manager, "__enter__")
    _method(manager, "__exit__")
    return run.call(thread, site, function, (), {})


def leave(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The end of a `with` block: request is (site, manager, exception or None)."""
    manager, error = _lock(run, thread, request[1]), request[2]
    if isinstance(manager, (LOCK, RLOCK)):
        return release(run, thread, site, manager)
    details = (type(error), error, error.__traceback__) if error is not None else (None, None, None)
    return run.call(thread, site, _method(manager, "__exit__"), details, {})


def _lock(run: Run, thread: SimThread, manager: Any) -> Any:
    """The lock behind a condition; other managers as they are."""
    return waiting.lock_of(run, thread, manager) if isinstance(manager, threading.Condition) else manager


def _method(manager: Any, name: str) -> Any:
    """A special method, bound to its object."""
    found = lookup(type(manager), name)
    if found is None:
        missed = " (missed __exit__ method)" if name == "__exit__" else ""
        raise TypeError(f"{type(manager).__name__!r} object does not support the context manager protocol{missed}")
    return found.__get__(manager, type(manager)) if hasattr(type(found), "__get__") else found


def refuse(function: Any, receiver: Any) -> None:
    """Raise NotModelled for a call of a waiting kind that has no model."""
    if getattr(function, "__module__", "") == "asyncio.runners":
        raise NotModelled("asyncio.run() is not followed: give the scenario the async functions, it runs the loop")
    if isinstance(receiver, WAITERS) and getattr(function, "__name__", "")[:2] != "__":
        raise NotModelled(
            f"{type(receiver).__name__}.{function.__name__} is not modelled; use a Lock, RLock, Condition, Event, "
            "Semaphore, Barrier, Thread, Queue or ThreadPoolExecutor"
        )


def refuse_lock(function: Any, values: tuple) -> None:
    """Raise NotModelled where library code in Python is handed a lock: it would take it for real, and for ever."""
    python = isinstance(function, (types.FunctionType, types.MethodType))
    if python and any(isinstance(value, (LOCK, RLOCK)) for value in values):
        raise NotModelled(
            f"{function.__qualname__} is handed a lock, and library code that takes it is not followed: use a with "
            "statement of your own, or acquire and release"
        )


def stuck(thread: SimThread, site: Site, reason: str) -> Any:
    """A thread that will never move again."""
    thread.reason = reason
    return thread.wait(site, None, lambda: False, "blocked", reason)


def spin(run: Run, thread: SimThread, site: Site) -> Any:
    """A wait loop that changed nothing: it goes on when another thread has written something."""
    version = run.version
    thread.spinning = version
    thread.reason = f"waits in a loop ({site.where})"
    thread.wait(site, None, lambda: False, "blocked", thread.reason)
    return READY

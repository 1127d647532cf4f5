"""Threads that a scenario starts itself: start, join, is_alive; the child is named after its creator."""

from __future__ import annotations

import re
import threading
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access.models import Op, Script, calling, name, timed
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread

DEFAULT_NAME = re.compile(r"Thread-\d+.*")


def start(run: Run, thread: SimThread, child: threading.Thread) -> Script:
    """Start a thread: from here on it is one of those that can be chosen."""
    called = name(run, thread, child)
    if id(child) in run.children:
        raise RuntimeError("threads can only be started once")
    given = (*getattr(child, "_args", ()), *getattr(child, "_kwargs", {}).values(), getattr(child, "_target", None))
    for value in given:
        run.registry.escape(value, thread.name)

    def action() -> None:
        born = run.spawn(thread, None, child.daemon)
        born.body, born.thing = (child.run, ()), child
        run.children[id(child)] = born
        run.names[id(child)] = begin.target = born.name

    begin = Op("start", called, action, keys=((called, "thread"),))
    yield begin


def body(run: Run, thread: SimThread, child: Any) -> Script:
    """Thread.run: call the target."""
    target = getattr(child, "_target", None)
    if target is not None:
        yield calling(run, target, tuple(child._args), dict(child._kwargs))


def timer(run: Run, thread: SimThread, child: Any) -> Script:
    """Timer.run: the time may be up at any moment, unless the timer was cancelled before."""
    called, flag = name(run, thread, child), name(run, thread, child.finished)
    run.remember(child.finished, "_flag")
    cancelled = yield Op("time is up", called, lambda: child.finished._flag, keys=((flag, "flag"),))
    if not cancelled:
        yield calling(run, child.function, tuple(child.args), dict(child.kwargs))
        child.finished._flag = True


def cancel(run: Run, thread: SimThread, child: Any) -> Script:
    """Timer.cancel."""
    called, flag = name(run, thread, child), name(run, thread, child.finished)
    run.remember(child.finished, "_flag")
    yield Op("cancel", called, lambda: setattr(child.finished, "_flag", True), keys=((flag, "flag"),))


def _sim(run: Run, child: Any) -> Any:
    """The simulated thread behind a Thread. Raises RuntimeError if it was not started."""
    if id(child) not in run.children:
        raise RuntimeError("cannot join thread before it is started")
    return run.children[id(child)]


def join(run: Run, thread: SimThread, child: Any, timeout: float | None = None) -> Script:
    """Wait until a thread has ended."""
    sim = _sim(run, child)
    if sim is thread:
        raise RuntimeError("cannot join current thread")
    gate = timed(run, thread, lambda: sim.done, timeout)
    yield Op("join", sim.name, lambda: None, gate, ((sim.name, "thread"),))


def is_alive(run: Run, thread: SimThread, child: Any) -> Script:
    """Ask whether a thread has been started and has not ended."""
    sim = run.children.get(id(child))
    called = sim.name if sim else name(run, thread, child)

    def alive() -> bool:
        return id(child) in run.children and not run.children[id(child)].done

    return (yield Op("read", f"{called}.is_alive", alive, keys=((called, "thread"),), mode=0, show=bool))


def _name(run: Run, thread: SimThread, child: Any) -> Script:
    """A thread's name: the one that it was given, else the explorer's."""
    given = child._name
    return run.children[id(child)].name if DEFAULT_NAME.fullmatch(given) and id(child) in run.children else given
    yield


def _ident(run: Run, thread: SimThread, child: Any) -> Script:
    """A thread's number, None before it is started."""
    sim = run.children.get(id(child))
    return sim.index + 1 if sim else None
    yield


MODELS = MappingProxyType({
    threading.Thread.start: start, threading.Thread.run: body, threading.Thread.join: join,
    threading.Thread.is_alive: is_alive, threading.Timer.run: timer, threading.Timer.cancel: cancel,
    vars(threading.Thread)["name"].fget: _name,
    # Not every system numbers its threads: Python in a web page has no native_id.
    **{vars(threading.Thread)[key].fget: _ident for key in ("ident", "native_id") if key in vars(threading.Thread)},
})  # fmt: skip

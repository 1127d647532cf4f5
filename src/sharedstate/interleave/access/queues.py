"""queue.Queue and its kin as steps: put, get, join."""

from __future__ import annotations

import queue
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import keys, places
from sharedstate.interleave.access.followed import follows
from sharedstate.interleave.access.models import Script, named, once, same, timed
from sharedstate.interleave.access.registry import lookup
from sharedstate.interleave.access.values import short
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread

SAVED = ("queue", "unfinished_tasks")


def _inside(run: Run, box: Any, item: Any = None) -> None:
    """A queue runs a learner's code in the middle of its own step: of its class, or to compare."""
    for name in ("_put", "_get", "_qsize"):
        if follows(run, lookup(type(box), name)):
            run.program.block(f"{type(box).__qualname__}.{name}", "the queue calls it inside")
    if isinstance(box, queue.PriorityQueue):
        cls = places.specials((item, box.queue), places.EQUALITY)
        if cls is not None and not all(keys.looks_only(run.program, lookup(cls, name)) for name in keys.METHODS):
            run.program.block(f"the comparison of {cls.__qualname__}", "the queue calls it inside")


def put(run: Run, thread: SimThread, box: Any, item: Any, block: bool = True, timeout: float | None = None) -> Script:
    """Add an item; wait while there is no room."""

    def room() -> bool:
        return box.maxsize <= 0 or box._qsize() < box.maxsize

    def action() -> None:
        if not room():
            raise queue.Full
        box._put(item)
        box.unfinished_tasks += 1
        run.changed(thread, item)

    _inside(run, box, item)
    gate = timed(run, thread, room, timeout, block)
    return once(run, thread, box, "put", "items", action, gate=gate, show=lambda _: item, saved=SAVED)


def get(run: Run, thread: SimThread, box: Any, block: bool = True, timeout: float | None = None) -> Script:
    """Take an item; wait while there is none."""

    def action() -> Any:
        if not box._qsize():
            raise queue.Empty
        return box._get()

    _inside(run, box)
    gate = timed(run, thread, lambda: box._qsize() > 0, timeout, block)
    return once(run, thread, box, "get", "items", action, gate=gate, show=same, saved=SAVED)


def put_nowait(run: Run, thread: SimThread, box: Any, item: Any) -> Script:
    """Add an item, or raise Full."""
    return put(run, thread, box, item, False)


def get_nowait(run: Run, thread: SimThread, box: Any) -> Script:
    """Take an item, or raise Empty."""
    return get(run, thread, box, False)


def task_done(run: Run, thread: SimThread, box: Any) -> Script:
    """One item has been dealt with."""

    def action() -> None:
        if box.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        box.unfinished_tasks -= 1

    left = lambda _: f"{box.unfinished_tasks} unfinished"  # noqa: E731
    return once(run, thread, box, "task_done", "items", action, show=left, saved=SAVED)


def join(run: Run, thread: SimThread, box: Any) -> Script:
    """Wait until every item has been dealt with."""
    return once(run, thread, box, "join", "items", lambda: None, gate=lambda: not box.unfinished_tasks)


def _ask(question: str) -> Any:
    """qsize(), empty() and full(): true at the moment of asking."""

    def ask(run: Run, thread: SimThread, box: Any) -> Script:
        answers = {
            "qsize": box._qsize,
            "empty": lambda: not box._qsize(),
            "full": lambda: 0 < box.maxsize <= box._qsize(),
        }
        return once(run, thread, box, "read", "items", answers[question], mode=0, show=short, said=f".{question}")

    return ask


MODELS = MappingProxyType({
    queue.Queue.put: put, queue.Queue.get: get, queue.Queue.put_nowait: put_nowait,
    queue.Queue.get_nowait: get_nowait, queue.Queue.task_done: task_done, queue.Queue.join: join,
    queue.Queue.qsize: _ask("qsize"), queue.Queue.empty: _ask("empty"), queue.Queue.full: _ask("full"),
})  # fmt: skip


def simple(run: Run, thread: SimThread, box: queue.SimpleQueue, method: str, args: tuple, keywords: dict) -> Script:
    """A method of SimpleQueue, which is written in C."""
    if method in ("put", "put_nowait"):
        item = args[0] if args else keywords["item"]

        def action() -> None:
            box.put(item)
            run.changed(thread, item)

        return once(run, thread, box, "put", "items", action, show=lambda _: item)
    if method not in ("get", "get_nowait"):
        look = getattr(box, method)
        return once(run, thread, box, "read", "items", look, mode=0, show=short, said=f".{method}")
    block, timeout = named(("block", "timeout"), args, keywords, (True, None))
    gate = timed(run, thread, lambda: not box.empty(), timeout, method == "get" and block)
    return once(run, thread, box, "get", "items", box.get_nowait, gate=gate, show=same)

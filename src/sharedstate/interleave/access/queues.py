"""queue.Queue and its kin as steps: put, get, join."""

from __future__ import annotations

import queue
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access.models import Op, Script, name, timed
from sharedstate.interleave.access.values import short
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread

FIELDS = ("queue", "unfinished_tasks")


def put(run: Run, thread: SimThread, box: Any, item: Any, block: bool = True, timeout: float | None = None) -> Script:
    """Add an item; wait while there is no room."""
    called = name(run, thread, box)
    run.remember(box, *FIELDS)

    def room() -> bool:
        return box.maxsize <= 0 or box._qsize() < box.maxsize

    def action() -> None:
        if not room():
            raise queue.Full
        box._put(item)
        box.unfinished_tasks += 1
        run.changed(thread, item)

    gate = timed(run, thread, room, timeout) if block else None
    thread.timeouts += timeout is not None
    yield Op("put", called, action, gate, ((called, "items"),), show=lambda _: item)


def get(run: Run, thread: SimThread, box: Any, block: bool = True, timeout: float | None = None) -> Script:
    """Take an item; wait while there is none."""
    called = name(run, thread, box)
    run.remember(box, *FIELDS)

    def action() -> Any:
        if not box._qsize():
            raise queue.Empty
        return box._get()

    gate = timed(run, thread, lambda: box._qsize() > 0, timeout) if block else None
    thread.timeouts += timeout is not None
    return (yield Op("get", called, action, gate, ((called, "items"),), show=lambda item: item))


def put_nowait(run: Run, thread: SimThread, box: Any, item: Any) -> Script:
    """Add an item, or raise Full."""
    yield from put(run, thread, box, item, False)


def get_nowait(run: Run, thread: SimThread, box: Any) -> Script:
    """Take an item, or raise Empty."""
    return (yield from get(run, thread, box, False))


def task_done(run: Run, thread: SimThread, box: Any) -> Script:
    """One item has been dealt with."""
    called = name(run, thread, box)
    run.remember(box, *FIELDS)

    def action() -> None:
        if box.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        box.unfinished_tasks -= 1

    left = lambda _: f"{box.unfinished_tasks} unfinished"  # noqa: E731
    yield Op("task_done", called, action, keys=((called, "items"),), show=left)


def join(run: Run, thread: SimThread, box: Any) -> Script:
    """Wait until every item has been dealt with."""
    called = name(run, thread, box)
    yield Op("join", called, lambda: None, lambda: not box.unfinished_tasks, ((called, "items"),))


def _ask(question: str) -> Any:
    """qsize(), empty() and full(): true at the moment of asking."""

    def ask(run: Run, thread: SimThread, box: Any) -> Script:
        called = name(run, thread, box)
        answers = {
            "qsize": box._qsize,
            "empty": lambda: not box._qsize(),
            "full": lambda: 0 < box.maxsize <= box._qsize(),
        }
        keys = ((called, "items"),)
        return (yield Op("read", f"{called}.{question}", answers[question], keys=keys, mode=0, show=short))

    return ask


MODELS = MappingProxyType({
    queue.Queue.put: put, queue.Queue.get: get, queue.Queue.put_nowait: put_nowait,
    queue.Queue.get_nowait: get_nowait, queue.Queue.task_done: task_done, queue.Queue.join: join,
    queue.Queue.qsize: _ask("qsize"), queue.Queue.empty: _ask("empty"), queue.Queue.full: _ask("full"),
})  # fmt: skip


def simple(run: Run, thread: SimThread, box: queue.SimpleQueue, method: str, args: tuple, keywords: dict) -> Script:
    """A method of SimpleQueue, which is written in C."""
    called = name(run, thread, box)
    keys = ((called, "items"),)
    if method in ("put", "put_nowait"):
        item = args[0] if args else keywords["item"]

        def action() -> None:
            box.put(item)
            run.changed(thread, item)

        return (yield Op("put", called, action, None, keys, show=lambda _: item))
    if method not in ("get", "get_nowait"):
        return (yield Op("read", f"{called}.{method}", getattr(box, method), keys=keys, mode=0, show=short))
    values = dict(zip(("block", "timeout"), args, strict=False)) | keywords
    timeout = values.get("timeout")
    patient = method == "get" and values.get("block", True)
    gate = timed(run, thread, lambda: not box.empty(), timeout) if patient else None
    thread.timeouts += timeout is not None
    return (yield Op("get", called, box.get_nowait, gate, keys, show=lambda item: item))

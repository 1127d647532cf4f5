"""Models of what can wait: each operation of threading, queue and concurrent.futures as a few named steps.

A model is a script: a generator that yields `Op`s (steps) and requests (calls of a learner's function) and
returns the operation's result. Nothing here blocks for real; an `Op` with a gate is possible once its gate is.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave.lazy import Lazy
from sharedstate.interleave.sites import PUSH, READY, Site

Script = Iterator[Any]


@dataclass(slots=True)
class Op:
    """One step of a model: what it is called, what it does, when it is possible, what it touches.

    `keys` are the (object, field) pairs that it may change (or read, with `mode` 0). `quiet` marks a step
    that, together with its counterpart in the same turn of a loop, changes nothing.
    """

    kind: str
    target: str
    action: Callable[[], Any]
    gate: Callable[[], bool] | None = None
    keys: tuple[tuple[str, str], ...] = ()
    mode: int = 1
    quiet: bool = False
    lock: Any = None
    show: Callable[[Any], Any] | None = None

    def perform(self, run: Any, thread: Any, site: Site, request: tuple) -> Any:
        """Do it and note it."""
        run.log.extend((thread.index, key, self.mode) for key in self.keys)
        value = self.action()
        if self.mode:
            run.version += 1
            thread.quiet += self.quiet
        if run.record:
            run.note_named(thread, site, self.kind, self.target, *((self.show(value),) if self.show else ()))
        return value


@dataclass(slots=True)
class Emit:
    """A script that stands for a sequence hands out an element."""

    value: Any


@dataclass(slots=True)
class Sequence:
    """The result of a script: a sequence that is worked out on demand by another script."""

    script: Script
    called: str


def step(run: Any, thread: Any, site: Site, request: tuple) -> Any:
    """The handler of a model's step: request is (site, Op)."""
    op = request[1]
    thread.wait(site, op.perform, op.gate, op.kind, op.target)
    thread.lock = op.lock
    return READY


def play(run: Any, thread: Any, site: Site, script: Script) -> Any:
    """Follow a script in place of a call."""
    thread.call = (requests(run.program, site, script),)
    return PUSH


def requests(program: Any, site: Site, script: Script) -> Script:
    """A script's steps as requests from the place of the call."""
    place = program.derived(site, "model", "").index
    value, error = None, None
    while True:
        try:
            asked = script.send(value) if error is None else script.throw(error)
        except StopIteration as stop:
            if type(stop.value) is Sequence:
                return Lazy(requests(program, site, stop.value.script), stop.value.called, script=True)
            return stop.value
        value, error = None, None
        try:
            value = yield _request(program, site, place, asked)
        except GeneratorExit:
            raise
        except BaseException as problem:
            error = problem


def _request(program: Any, site: Site, place: int, asked: Any) -> tuple:
    """What a script asks for, as a request."""
    if type(asked) is Op:
        return (place, asked)
    if type(asked) is Emit:
        return (program.derived(site, "emit", "").index, asked.value)
    return asked


def calling(run: Any, function: Any, arguments: tuple = (), keywords: dict | None = None) -> tuple:
    """The request that calls a learner's function from inside a script."""
    return (run.program.begin, function, arguments, keywords or {})


def name(run: Any, thread: Any, thing: Any) -> str:
    """What an object is called; one that has just been made belongs to the thread that made it."""
    run.registry.escape(thing, thread.name)
    return run.names[id(thing)]


def timed(run: Any, thread: Any, ready: Callable[[], bool], timeout: Any) -> Callable[[], bool] | None:
    """The gate of a wait: when it is `ready`, or at any time if there is a timeout.

    A loop that times out again and again without a change by anybody else waits for such a change.
    """
    if timeout is None:
        return ready
    return lambda: thread.patient is None or ready() or run.version - thread.own != thread.patient


def waits(arguments: tuple, keywords: dict) -> tuple[bool, Any]:
    """The `block` and `timeout` of an acquire-like call."""
    values = dict(zip(("blocking", "timeout"), arguments, strict=False)) | keywords
    block, timeout = values.get("blocking", True), values.get("timeout")
    return bool(block), None if timeout is None or timeout == -1 else timeout


def find(function: Any) -> Callable[..., Script] | None:
    """The script for a function of the standard library; None if it has no model."""
    if type(function) is not types.FunctionType:
        return None
    from sharedstate.interleave import model_pool, model_queues, model_threads, model_waiting

    for table in (model_waiting.MODELS, model_queues.MODELS, model_threads.MODELS, model_pool.MODELS):
        if function in table:
            return table[function]
    return None

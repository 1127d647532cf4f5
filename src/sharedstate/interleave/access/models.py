"""Models of what can wait: each operation of threading, queue and concurrent.futures as a few named steps.

A model is a script: a generator that yields `Op`s (steps) and requests (calls of a learner's function) and
returns the operation's result. Nothing here blocks for real; an `Op` with a gate is possible once its gate is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import PUSH, READY, Dropped, Site

Script = Generator[Any, Any, Any]


@dataclass(slots=True)
class Op:
    """One step of a model: what it is called, what it does, when it is possible, what it touches.

    `keys` are the (object, field) pairs that it may change (or read, with `mode` 0), `touched` are pairs each with its
    own mode. `quiet` marks a step that, together with its counterpart in the same turn of a loop, changes nothing. With
    `at_once` it touches nothing that others see, and is no step.
    """

    kind: str
    target: str
    action: Callable[[], Any]
    gate: Callable[[], bool] | None = None
    keys: tuple = ()
    mode: int = 1
    quiet: bool = False
    lock: Any = None
    show: Callable[[Any], Any] | None = None
    touched: list | None = None
    at_once: bool = False

    def perform(self, run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
        """Do it and note it."""
        index = thread.index
        if self.touched is None:
            run.log.extend((index, key, self.mode) for key in self.keys)
            writes = self.mode and not self.at_once
        else:
            run.log.extend((index, key, mode) for key, mode in self.touched)
            writes = False  # what changes something says so itself
        value = self.action()
        if writes:
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


def same(value: Any) -> Any:
    """What a step shows where it shows its result."""
    return value


def step(run: Run, thread: SimThread, site: Site, op: Op) -> Any:
    """Wait to take a model's step."""
    if op.at_once:
        return op.action()
    thread.wait(site, op.perform, op.gate, op.kind, op.target)
    thread.lock = op.lock
    return READY


def step_request(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The handler of a model's step: request is (site, Op)."""
    return step(run, thread, site, request[1])


def play(run: Run, thread: SimThread, site: Site, script: Script) -> Any:
    """Follow a script in place of a call."""
    thread.call = (requests(run, site, script),)
    return PUSH


def requests(run: Run, site: Site, script: Script) -> Script:
    """A script's steps as requests from the place of the call."""
    place = run.program.derived(site, "model", "").index
    value, error = None, None
    while True:
        try:
            asked = script.send(value) if error is None else script.throw(error)
        except StopIteration as stop:
            if type(stop.value) is Sequence:
                return run.sequence(requests(run, site, stop.value.script), stop.value.called)
            return stop.value
        value, error = None, None
        if type(asked) is Op:
            asked = (place, asked)
        elif type(asked) is Emit:
            asked = asking(run, site, "emit", "", asked.value)
        elif asked[0] is CALL:
            asked = asking(run, site, "call", site.name, *asked[1:])
        try:
            value = yield asked
        except Dropped:
            script.close()
            raise
        except BaseException as problem:
            error = problem


CALL = object()


def asking(run: Run, site: Site, op: str, name: str, *operands: Any) -> tuple:
    """The request for something else at a site's place: the field that getattr() names, say."""
    return (run.program.derived(site, op, name).index, *operands)


def answer(request: Any) -> Script:
    """The script of one request: its result is the request's answer."""
    return (yield request)


def calling(run: Run, function: Any, arguments: tuple = (), keywords: dict | None = None) -> tuple:
    """The request that calls a function from inside a script."""
    return (CALL, function, arguments, keywords or {})


def name(run: Run, thread: SimThread, thing: Any) -> str:
    """What an object is called; one that has just been made belongs to the thread that made it."""
    run.registry.escape(thing, thread.name)
    return run.names[id(thing)]


def timed(
    run: Run, thread: SimThread, ready: Callable[[], bool], timeout: Any, block: Any = True
) -> Callable[[], bool] | None:
    """The gate of a wait: when it is `ready`, or at any time if there is a timeout, or if it does not `block`.

    A loop that times out again and again without a change by anybody else waits for such a change.
    """
    thread.timeouts += timeout is not None
    if timeout is None or not block:
        return ready if block else None
    return lambda: thread.patient is None or ready() or run.version - thread.own != thread.patient


def named(names: tuple[str, ...], arguments: tuple, keywords: dict, given: tuple) -> tuple:
    """The values of a call's parameters, in the order of their names; `given` where the call does not say."""
    values = dict(zip(names, given, strict=True)) | dict(zip(names, arguments, strict=False)) | keywords
    return tuple(values[word] for word in names)


def once(
    run: Run, thread: SimThread, thing: Any, kind: str, field: str, action: Callable[[], Any], *,
    gate: Callable[[], bool] | None = None, mode: int = 1, show: Callable[[Any], Any] | None = None,
    saved: tuple[str, ...] = (), said: str = "",
) -> Script:  # fmt: skip
    """The model that is one step on a field of its object; what it has `saved` is put back when the run is closed."""
    called = name(run, thread, thing)
    run.remember(thing, *saved)
    return (yield Op(kind, called + said, action, gate, ((called, field),), mode, show=show))

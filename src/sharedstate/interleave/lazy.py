"""Generators under the explorer: each element is asked for, so that others may move in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sharedstate.interleave.sites import EMIT, Unsupported

DRAINS = frozenset({
    "list", "tuple", "set", "frozenset", "sum", "sorted", "max", "min", "dict", "join", "extend", "update", "deque",
    "Counter", "len", "extendleft",
})  # fmt: skip


class Lazy:
    """A generator: its `frame`, whether it is `active` now, whether it has `ended`, and what it returned.

    On real threads the frame is an ordinary generator. A `script` belongs to the explorer itself.
    """

    def __init__(self, frame: Any, called: str, native: bool = False, script: bool = False) -> None:
        self.frame, self.called, self.native, self.script = frame, called, native, script
        self.active = self.ended = self.started = False
        self.result: Any = None

    def begin(self) -> None:
        """Go in. Raises ValueError if somebody is inside already, as Python does."""
        if self.active:
            raise ValueError("generator already executing")
        self.active = self.started = True

    def finish(self, value: Any) -> tuple:
        """It has come to its end; there is no further element."""
        self.active, self.ended, self.result = False, True, value
        return ()

    def __iter__(self) -> Lazy:
        return self

    def __next__(self) -> Any:
        """For library code that takes elements itself: possible on real threads only."""
        return self._go("__next__")

    def _go(self, method: str, *arguments: Any) -> Any:
        """Carry an ordinary generator on to its next element."""
        if not self.native:
            raise Unsupported(f"{method}() of the generator {self.called} called by library code, or send() or throw()")
        if self.ended and method != "throw":
            raise StopIteration
        self.begin()
        try:
            value = getattr(self.frame, method)(*arguments)
        except StopIteration as stop:
            self.finish(stop.value)
            raise
        except BaseException:
            self.finish(None)
            raise
        self.active = False
        return value

    def send(self, value: Any) -> Any:
        """Followed on real threads only."""
        return self._go("send", value)

    def throw(self, *error: Any) -> Any:
        """Followed on real threads only."""
        return self._go("throw", *error)

    def close(self) -> None:
        """Followed on real threads only: its `finally` may run."""
        if not self.native and self.started and not self.ended:
            raise Unsupported(f"close() of the generator {self.called}")
        self.ended = True
        self.frame.close()


def ask(run: Any, thread: Any, site: Any, lazy: Lazy) -> tuple:
    """The request for the next element, as one made from inside a script."""
    return (run.program.derived(site, "next", "").index, lazy)


def shared_step(run: Any, thread: Any, site: Any, lazy: Lazy) -> Iterator[Any]:
    """Ask a generator that others can reach: going in is a step of its own."""
    from sharedstate.interleave.models import Op

    called = run.names[id(lazy)]
    yield Op("call", f"{called}.next", lazy.begin, keys=((called, "generator"),))
    lazy.active = False
    return (yield (run.program.derived(site, "resume", "").index, lazy))


def drained(run: Any, thread: Any, site: Any, function: Any, arguments: tuple, keywords: dict) -> Iterator[Any] | None:
    """The script for a call that consumes generators; None if the call has none that can be followed."""
    called = getattr(function, "__name__", "")
    if not any(type(a) is Lazy for a in arguments):
        return None
    if function is next:
        return _next(run, thread, site, *arguments)
    if function is Lazy.send:
        return _send(run, site, *arguments)
    if function is Lazy.throw:
        return _throw(run, site, *arguments)
    if function is enumerate and type(arguments[0]) is Lazy:
        return _enumerated(run, thread, site, *arguments, **keywords)
    if function in (any, all):
        return _search(run, thread, site, arguments[0], function is any)
    if called in DRAINS:
        return _drain(run, thread, site, function, arguments, keywords)
    return None


def _next(run: Any, thread: Any, site: Any, lazy: Lazy, *default: Any) -> Iterator[Any]:
    """next(generator[, default])."""
    item = yield ask(run, thread, site, lazy)
    if item:
        return item[0]
    if default:
        return default[0]
    raise StopIteration(lazy.result)


def _send(run: Any, site: Any, lazy: Lazy, value: Any) -> Iterator[Any]:
    """generator.send(value)."""
    if value is not None and not lazy.started:
        raise TypeError("can't send non-None value to a just-started generator")
    item = yield (run.program.derived(site, "resume", "").index, lazy, value)
    if item:
        return item[0]
    raise StopIteration(lazy.result)


def _throw(run: Any, site: Any, lazy: Lazy, error: Any) -> Iterator[Any]:
    """generator.throw(error)."""
    item = yield thrown(run, site, lazy, error() if isinstance(error, type) else error)
    if item:
        return item[0]
    raise StopIteration(lazy.result)


def thrown(run: Any, site: Any, lazy: Lazy, error: BaseException) -> tuple:
    """The request that raises an error inside a generator."""
    return (run.program.derived(site, "resume", "").index, lazy, None, error)


def _enumerated(run: Any, thread: Any, site: Any, lazy: Lazy, start: int = 0) -> Iterator[Any]:
    """enumerate(generator), as a sequence that is worked out on demand."""
    from sharedstate.interleave.models import Emit, Sequence

    def pairs() -> Iterator[Any]:
        number = start
        while item := (yield ask(run, thread, site, lazy)):
            yield Emit((number, item[0]))
            number += 1

    return Sequence(pairs(), "enumerate")
    yield


def _search(run: Any, thread: Any, site: Any, lazy: Lazy, wanted: bool) -> Iterator[Any]:
    """any() and all() stop at the first element that decides."""
    while item := (yield ask(run, thread, site, lazy)):
        if bool(item[0]) is wanted:
            return wanted
    return not wanted


def _drain(run: Any, thread: Any, site: Any, function: Any, arguments: tuple, keywords: dict) -> Iterator[Any]:
    """Take all elements, then make the call with a list of them."""
    given = []
    for argument in arguments:
        if type(argument) is Lazy:
            elements = []
            while item := (yield ask(run, thread, site, argument)):
                elements.append(item[0])
            argument = elements
        given.append(argument)
    return (yield (run.program.derived(site, "call", site.name).index, function, tuple(given), keywords))


def emit(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """A generator hands out an element: request is (site, element)."""
    thread.emitted = (request[1],)
    return EMIT


def resume(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Carry a generator on to its next element."""
    return run.advance(thread, *request[1:])


def lazily(run: Any, thread: Any, site: Any, request: tuple) -> Lazy:
    """A generator expression that is kept: request is (site, its frame)."""
    run.frames.append(request[1])
    return Lazy(request[1], "expression", native=run.real)


def outcome(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """What `yield from` gives: the value that the generator returned."""
    return getattr(request[1], "result", None)


def plain(error: BaseException) -> BaseException:
    """A StopIteration that a generator turned into a RuntimeError, as it was."""
    inner = error.__cause__
    return inner if isinstance(error, RuntimeError) and isinstance(inner, StopIteration) else error

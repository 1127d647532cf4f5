"""The exception that is being handled: a function called from an `except` block knows it, as Python's does.

Python keeps it on the stack of the generators that run just now, and every function under the explorer is a generator
of its own. So a request from an `except` or `finally` block says first what is being handled there, and what is then
called runs in an `except` block of the explorer's for that exception.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Generator
from typing import Any

from sharedstate.interleave.sites import Dropped


class Thrown:
    """An exception to be raised without a mark on it; with `whole` its context is already what it must be."""

    def __init__(self, error: BaseException, whole: bool) -> None:
        self.error, self.whole = error, whole or error.__context__ is not None


def relay(place: int, request: tuple) -> Generator[Any, Any, Any]:
    """A request from an `except` or `finally` block."""
    error = sys.exc_info()[1]
    if error is None:
        answer = yield request
    else:
        before = yield (place, error)
        try:
            answer = yield request
        except Dropped:
            raise
        except BaseException:
            yield (place, before)
            raise
        yield (place, before)
    if type(answer) is not Thrown:
        return answer
    error = answer.error
    if isinstance(error, StopIteration):
        return answer  # a generator cannot raise it
    context, trace = error.__context__, error.__traceback__
    try:
        raise error
    finally:  # here, and not in a function: so it leaves no mark
        error.__traceback__ = trace
        if answer.whole:
            error.__context__ = context


def settled(answer: Any) -> Any:
    """What the relay gave; a StopIteration is raised here, since no generator can raise one."""
    if type(answer) is Thrown:
        raise answer.error
    return answer


def under(error: BaseException, generator: Any) -> Generator[Any, Any, Any]:
    """Run a generator where an exception is being handled."""
    context, trace = error.__context__, error.__traceback__
    try:
        raise error
    except BaseException:
        error.__context__, error.__traceback__ = context, trace
        return (yield from generator)


def call_under(error: BaseException, function: Callable[..., Any], *arguments: Any) -> Any:
    """Make a call where an exception is being handled."""
    context, trace = error.__context__, error.__traceback__
    try:
        raise error
    except BaseException:
        error.__context__, error.__traceback__ = context, trace
        return function(*arguments)


def inner(generator: Any) -> Any:
    """The generator that a followed call really is."""
    while generator is not None and getattr(generator, "gi_code", None) is under.__code__:
        generator = generator.gi_yieldfrom
    return generator


def thrown(generator: Any, error: BaseException, ended: Any = None) -> tuple[Any, BaseException | None]:
    """What to send to a generator, and what to throw into it, so that it raises what `ended` has raised."""
    below = generator
    while type(below.gi_yieldfrom) is types.GeneratorType:
        below = below.gi_yieldfrom
    if below.gi_code is not relay.__code__:
        return None, error
    return Thrown(error, getattr(ended, "gi_code", None) is under.__code__), None

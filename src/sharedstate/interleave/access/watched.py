"""Library code that is called: a learner's code that it enters is noticed, and a call that waits cannot hang us."""

from __future__ import annotations

import concurrent.futures
import contextvars
import threading
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from sharedstate.interleave.access import handled, known
from sharedstate.interleave.access.registry import ATOMIC, BUILTINS
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import ANYTHING, NotModelled

PATIENCE = 2.0
PLAIN_TYPES = frozenset({range, int, str, float, bool, list, dict, set, tuple, bytes, type, object, slice, complex})
MOVING = frozenset({"append", "insert", "pop", "clear", "copy", "reverse", "__len__", "__getitem__", "__setitem__"})
PLAIN_RECEIVERS = frozenset({type(None), str, bytes, int, float, list, tuple, bytearray, type})


def call(run: Run, thread: SimThread, function: Any, args: tuple, keywords: dict, called: str = "") -> Any:
    """Call library code; a learner's code that it enters is noticed, and what that touched is not known."""
    if _cannot_enter(function, args, keywords):
        return function(*args, **keywords)
    watch: Callable[..., Any] = run.watched
    if not run.asynchronous:
        watch = partial(thread.within, watch)
    if thread.handled is None:
        result, entered = watch(function, args, keywords, guarded)
    else:
        result, entered = handled.call_under(thread.handled, watch, function, args, keywords, guarded)
    if entered:
        run.program.block(f"{entered}, entered by {called or known.label(function)}", "it runs inside that call")
        run.log.append((thread.index, ANYTHING, 1))
        run.version += 1
    return result


def action(run: Run, thread: SimThread, work: Callable[[], Any], called: str) -> Callable[[], Any]:
    """Something that an operator does in C, watched like a call."""
    return lambda: call(run, thread, work, (), {}, called)


def _cannot_enter(function: Any, args: tuple, keywords: dict) -> bool:
    """True for a builtin that is given plain values: no code of a learner's can run inside it."""
    if type(function) not in BUILTINS and not (type(function) is type and function in PLAIN_TYPES):
        return False
    receiver = getattr(function, "__self__", None)
    if type(receiver) not in PLAIN_RECEIVERS and not isinstance(receiver, types.ModuleType):
        return False
    if type(receiver) in (list, tuple) and function.__name__ not in MOVING:
        return False  # it compares what the receiver holds, or tells it
    return all(type(thing) in ATOMIC for thing in args) and not keywords


def guarded(run: Run, function: Any, arguments: tuple, keywords: dict) -> Any:
    """Call library code; while locks are held, Python code runs beside us, so that it cannot hang us.

    Raises NotModelled if it does not come back: it waits for something that a simulated thread holds.
    """
    python = isinstance(function, (types.FunctionType, types.MethodType)) or hasattr(function, "__wrapped__")
    if not run.held or run.asynchronous or not python:
        return function(*arguments, **keywords)
    future: concurrent.futures.Future = concurrent.futures.Future()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(function, *arguments, **keywords))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        return future.result(PATIENCE)
    except concurrent.futures.TimeoutError:
        if future.done():
            raise
        raise NotModelled(f"{known.label(function)} waits for something that another thread holds") from None

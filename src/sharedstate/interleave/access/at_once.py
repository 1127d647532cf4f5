"""Calls that mean something else under the explorer: about who runs, frames and context variables."""

from __future__ import annotations
import __future__

import asyncio
import builtins
import contextvars
import os
import stat
import sys
import threading
import time
import types
import weakref
from functools import partial
from typing import Any

from sharedstate.interleave.access import places
from sharedstate.interleave.access.models import Op, Script, calling
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Dropped, NotModelled
from sharedstate.interleave.source.lookup import LOOKUP

FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
OUTSIDE = ("multiprocessing", "_multiprocessing", "subprocess", "select", "selectors", "socketserver")
WAITING = frozenset({
    "read", "readv", "pause", "sigwait", "sigwaitinfo", "sigtimedwait", "wait", "waitpid", "waitid", "wait3", "wait4",
    "system", "recv", "accept", "connect", "create_connection", "getaddrinfo",
})  # fmt: skip
FRAMES = ("locals", "globals", "vars", "dir", "eval", "exec", "compile", "_getframe", "_getframemodulename")


def at_once(run: Run, thread: SimThread, function: Any, args: tuple, keywords: dict) -> tuple | None:
    """The result (as a tuple of one) of a call that means something else under the explorer; None for others."""
    if function is time.sleep:
        return (None,)
    if function is threading.get_ident or function is threading.get_native_id:
        return (1 if run.asynchronous else thread.index + 1,)
    if function is threading.current_thread and thread.thing is not None:
        return (thread.thing,)
    if function is threading.current_thread or function is threading.main_thread:
        if run.asynchronous:
            return (types.SimpleNamespace(name="MainThread", ident=1, daemon=False),)
        return (types.SimpleNamespace(name=thread.name, ident=thread.index + 1, daemon=True),)
    if isinstance(getattr(function, "__self__", None), contextvars.ContextVar) and not run.asynchronous:
        value = thread.within(partial(function, *args, **keywords))
        run.learn(value, function.__self__.name)
        return (value,)
    if run.asynchronous and function is asyncio.as_completed and args:
        tasks = [asyncio.ensure_future(work) for work in dict.fromkeys(args[0])]  # else in the order of a set
        return (function(tasks, *args[1:], **keywords),)
    if getattr(function, "__qualname__", "") == LOOKUP:
        return (function(*args),)
    module = getattr(function, "__module__", "") or ""
    if not run.asynchronous and (function is contextvars.copy_context or module in ("decimal", "_decimal")):
        return (thread.within(partial(function, *args, **keywords)),)
    frame = getattr(function, "__self__", None)
    if type(frame) is types.FrameType and function.__name__ == "clear" and run.runs_in(frame):
        raise RuntimeError("cannot clear an executing frame")
    if getattr(function, "__name__", "") in FRAMES:
        return _frame_call(run, thread, function, args, keywords)
    if isinstance(function, weakref.ref) and not args:
        run.program.block("weakref.ref", "the explorer keeps every object of a schedule alive, so none dies")
        value = function()
        run.learn(value, "what a weak reference names")
        return (value,)
    return None


def _frame_call(run: Run, thread: SimThread, function: Any, args: tuple, keywords: dict) -> tuple | None:
    """locals(), globals(), eval() and their kin: they are about the frame of the learner's code."""
    frame = run.frame_of(thread)
    if frame is None:
        return None
    names = {name: value for name, value in frame.f_locals.items() if not name.startswith("ss_")}
    if function is builtins.globals:
        places.know_scope(run, frame.f_globals)
        return (frame.f_globals,)
    if function is builtins.locals or (function is builtins.vars and not args):
        return (names,)
    if function is builtins.dir and not args:
        return (sorted(names),)
    if function in (builtins.eval, builtins.exec) and args:
        scope = args[1] if len(args) > 1 else keywords.get("globals")
        local = args[2] if len(args) > 2 else keywords.get("locals")
        if scope is None:
            scope, local = frame.f_globals, names if local is None else local
        if isinstance(args[0], (str, bytes, bytearray, memoryview)):
            args = (_compiled(frame, args[0], "<string>", function.__name__), *args[1:])
        run.program.block(f"{function.__name__}()", "the code that it runs is not followed")
        return (function(args[0], scope, local) if local is not None else function(args[0], scope),)
    if function is builtins.compile and len(args) < 5 and "flags" not in keywords and "dont_inherit" not in keywords:
        flags = frame.f_code.co_flags & FUTURE | (args[3] if len(args) > 3 else 0)
        return (compile(*args[:3], flags, True, **keywords),)  # type: ignore[call-overload]
    if function is sys._getframe:
        found = run.frame_of(thread, args[0]) if args and args[0] else frame
        if found is None:
            raise ValueError("call stack is not deep enough")
        return (found,)
    return None


def _compiled(frame: types.FrameType, source: Any, name: str, mode: str) -> types.CodeType:
    """Source as the learner's code would compile it: with what that imports from `__future__`, not the explorer."""
    if mode == "eval" and isinstance(source, (str, bytes)):
        source = source.lstrip(" \t") if isinstance(source, str) else source.lstrip(b" \t")
    return compile(source, name, mode, frame.f_code.co_flags & FUTURE, True)


def in_context(run: Run, thread: SimThread, context: Any, args: tuple, keywords: dict) -> Script:
    """Context.run: the call is followed, and its context variables are those of the context."""
    called = run.names.get(id(context))

    def enter() -> None:
        if id(context) in run.contexts:
            raise RuntimeError(f"cannot enter context: {context!r} is already entered")
        run.contexts[id(context)] = context

    def step_of(kind: str, action: Any) -> Op:
        return Op(kind, f"{called or 'context'}.run", action, keys=((called, "entered"),), at_once=called is None)

    yield step_of("call", enter)
    before, thread.context = thread.context, context
    try:
        value = yield calling(run, args[0], args[1:], keywords)
    except Dropped:
        raise
    except BaseException:
        thread.context = before
        yield step_of("end", lambda: run.contexts.pop(id(context)))
        raise
    thread.context = before
    yield step_of("end", lambda: run.contexts.pop(id(context)))
    return value


def refuse_unknown_wait(function: Any, arguments: tuple) -> None:
    """Raise NotModelled for waits that have no model."""
    receiver = getattr(function, "__self__", None)
    own = None if isinstance(receiver, types.ModuleType) else type(receiver)
    module = getattr(function, "__module__", "") or getattr(own, "__module__", "") or ""
    name = getattr(function, "__name__", type(function).__name__)
    first = type(arguments[0]) if arguments and type(function) is types.FunctionType else None
    homes = (module, *((getattr(cls, "__module__", "") or "") for cls in (own, first)))
    if any(home.partition(".")[0] in OUTSIDE for home in homes):
        outside = "other processes and their waits are outside"
        raise NotModelled(f"{name} of {module} is not modelled: {outside}")
    reads = name.startswith(("read", "recv", "accept", "__next__")) and not name.startswith("readable")
    if function is builtins.input or (reads and (receiver in (sys.stdin, sys.__stdin__) or _waits(receiver))):
        raise NotModelled(f"{name}() waits for what comes from outside, and that is not modelled: hand it the text")
    if name in ("read", "readv") and module in ("posix", "os") and arguments and not _is_pipe(arguments[0]):
        return
    if module in ("posix", "os", "signal", "_signal", "_socket", "socket") and name in WAITING:
        raise NotModelled(f"{name}() waits for what is outside the program, and that is not modelled")


def _waits(receiver: Any) -> bool:
    """True for the end of a connection, and for a file that is no file: a pipe, a terminal, a socket."""
    kind = type(receiver)
    if kind.__module__ in ("socket", "_socket", "ssl"):
        return True
    if kind.__module__ != "_io" or not hasattr(receiver, "fileno"):
        return False
    try:
        return _is_pipe(receiver.fileno())
    except (OSError, ValueError):
        return False


def _is_pipe(number: int) -> bool:
    """True for a file descriptor from which a read may wait."""
    try:
        return not stat.S_ISREG(os.fstat(number).st_mode)
    except (OSError, TypeError):
        return False

"""Calls: follow a learner's function, construct a learner's object, or run library code as one step."""

from __future__ import annotations

import concurrent.futures
import contextvars
import functools
import queue
import threading
import time
import types
from collections.abc import Callable
from typing import Any

from sharedstate.interleave import blocking, implicit, lazy, managers, model_queues, models, unseen
from sharedstate.interleave.sites import PUSH, READY, STEP, NotModelled
from sharedstate.interleave.state import ATOMIC, LOCK, RLOCK, is_user_class

DEPTH_LIMIT = 400
PATIENCE = 2.0
READ_ONLY = frozenset({
    "len", "get", "keys", "values", "items", "index", "count", "copy", "sum", "sorted", "max", "min", "list", "dict",
    "tuple", "set", "str", "repr", "any", "all", "print", "isdisjoint", "issubset", "union", "enumerate", "zip",
    "reversed", "bool", "iter", "map", "filter", "format", "join", "sleep",
})  # fmt: skip
FIELD_CALLS = types.MappingProxyType({getattr: ("read", 2), setattr: ("write", 3), delattr: ("delete", 2)})
INNOCENT = frozenset({isinstance, issubclass, id, type, callable})


def dispatch(
    run: Any, thread: Any, site: Any, function: Any, arguments: tuple, keywords: dict, post: Callable | None = None
) -> Any:
    """Decide what a call is: PUSH (follow it), a step, or done at once."""
    kind = type(function)
    if kind is types.MethodType:
        thread.foreign += not isinstance(function.__self__, type) and id(function.__self__) not in run.names
        return dispatch(run, thread, site, function.__func__, (function.__self__, *arguments), keywords, post)
    if kind is types.FunctionType:
        twin = run.program.twin(function)
        if twin is not None:
            return run.push(thread, function, twin, arguments, keywords, post)
    elif isinstance(function, type):
        return construct(run, thread, site, function, arguments, keywords)
    elif kind is functools.partial:
        merged = {**function.keywords, **keywords}
        return dispatch(run, thread, site, function.func, (*function.args, *arguments), merged, post)
    elif kind not in (types.BuiltinFunctionType, types.MethodWrapperType):
        called = getattr(kind, "__call__", None)  # noqa: B004 - the class's own function is wanted
        if type(called) is types.FunctionType:
            return dispatch(run, thread, site, called, (function, *arguments), keywords, post)
    result = native(run, thread, site, function, arguments, keywords)
    return later(thread, post, result)


def later(thread: Any, post: Callable | None, result: Any) -> Any:
    """The result of a call made over by `post`, at once or when a followed call has ended."""
    if post is None or result is STEP or result is READY:
        return result
    if result is PUSH:
        thread.call = (*thread.call, post)
        return PUSH
    return post(result)


def construct(run: Any, thread: Any, site: Any, cls: type, arguments: tuple, keywords: dict) -> Any:
    """Make an object; a learner's `__init__` is followed."""
    init = cls.__init__
    plain = cls.__new__ is object.__new__ and type(cls).__call__ is type.__call__
    if plain and type(init) is types.FunctionType:
        twin = run.program.twin(init)
        if twin is not None:
            made = object.__new__(cls)
            unseen.made(run, thread, cls)
            return run.push(thread, init, twin, (made, *arguments), keywords, lambda _: made)
    return native(run, thread, site, cls, arguments, keywords)


def native(run: Any, thread: Any, site: Any, function: Any, arguments: tuple, keywords: dict) -> Any:
    """Library code: one step if it can reach something shared, otherwise nothing that others see."""
    script = _script(run, thread, site, function, arguments, keywords)
    if script is not None:
        return models.play(run, thread, site, script)
    function, arguments = _bound(function, arguments)
    receiver = getattr(function, "__self__", None)
    if isinstance(receiver, (LOCK, RLOCK)):
        return blocking.lock_call(run, thread, site, function, receiver, arguments, keywords)
    field = FIELD_CALLS.get(function) if type(function) is types.BuiltinFunctionType else None
    if field is not None and len(arguments) == field[1]:
        return _field(run, thread, site, field[0], arguments)
    special = _special(run, thread, function)
    if special is not None:
        return special()
    blocking.refuse(function, receiver)
    names = run.names
    candidates = (receiver, *arguments, *keywords.values())
    blocking.refuse_lock(function, candidates)
    shared = [x for x in candidates if type(x) not in ATOMIC and id(x) in names]
    for cls in {type(x) for x in shared if is_user_class(type(x))}:
        implicit.assume(run.program, cls)
    if not (isinstance(function, type) and issubclass(function, blocking.WAITERS)):
        _callbacks(run, function, candidates)
    alone = not shared or function in INNOCENT or _of_loop(function, receiver)
    if alone or (isinstance(function, type) and _harmless(function)):
        thread.effects += getattr(function, "__name__", "") not in READ_ONLY
        thread.foreign += unseen.called(function, receiver, arguments, keywords)
        return _guarded(run, function, arguments, keywords)
    return _one_step(run, thread, site, function, arguments, keywords, shared)


def _one_step(run: Any, thread: Any, site: Any, function: Any, arguments: tuple, keywords: dict, shared: list) -> Any:
    """Library code that can reach something shared: the thread waits to run it as a whole."""
    receiver, names = getattr(function, "__self__", None), run.names
    if not isinstance(function, (types.BuiltinFunctionType, type)):
        run.program.assume(f"{label(function)} is taken as one step: it is library code")
    elif shared and type(receiver) is not types.ModuleType:
        run.program.assume(f"{label(function)} is taken as one step: it is a call into C")
    mode = 0 if getattr(function, "__name__", "") in READ_ONLY else 1

    def perform(run: Any, thread: Any, site: Any, request: tuple) -> Any:
        return _step(run, thread, site, function, arguments, keywords, shared, mode)

    target = f"{names[id(shared[0])]}.{function.__name__}" if shared and shared[0] is receiver else label(function)
    thread.callee = function
    return thread.wait(site, perform, None, "call", target)


def _script(run: Any, thread: Any, site: Any, function: Any, arguments: tuple, keywords: dict) -> Any:
    """The model of a call that can wait, or that consumes a generator; None for other calls."""
    made = models.find(function)
    if made is not None:
        return made(run, thread, *arguments, **keywords)
    receiver = getattr(function, "__self__", None)
    if isinstance(receiver, queue.SimpleQueue):
        return model_queues.simple(run, thread, receiver, function.__name__, arguments, keywords)
    if type(function) is types.BuiltinFunctionType and (function, len(arguments)) in ((getattr, 3), (hasattr, 2)):
        return _field_or(run, site, function, *arguments)
    inner = getattr(function, "__wrapped__", None)
    if type(function) is types.FunctionType and function.__code__ is managers.HELPER and run.program.is_user(inner):
        return managers.make(run, site, inner, arguments, keywords)
    return lazy.drained(run, thread, site, function, arguments, keywords)


def _bound(function: Any, arguments: tuple) -> tuple[Any, tuple]:
    """A library's method that came as a plain function with its object: bound again."""
    if type(function) is types.FunctionType and arguments:
        first = arguments[0]
        if getattr(type(first), function.__name__, None) is function:
            return types.MethodType(function, first), arguments[1:]
    return function, arguments


def _field_or(run: Any, site: Any, function: Any, thing: Any, name: str, default: Any = False) -> Any:
    """getattr() with a default, and hasattr(): a read that may fail."""
    try:
        value = yield (run.program.derived(site, "read", name).index, thing)
    except AttributeError:
        return default
    return value if function is getattr else True


def _field(run: Any, thread: Any, site: Any, op: str, arguments: tuple) -> Any:
    """getattr(), setattr() and delattr() are what they name: an access to a field."""
    thing, name = arguments[0], arguments[1]
    inner = run.program.derived(site, op, name)
    request = (inner.index, *arguments[2:], thing)
    result = inner.handle(run, thread, inner, request)
    if result is not STEP:
        return result
    thread.wait(inner, inner.perform, None, "", "")
    thread.request = request
    return READY


def _step(run: Any, thread: Any, site: Any, function: Any, args: tuple, kw: dict, shared: list, mode: int) -> Any:
    """Run library code as one step."""
    if mode:
        run.changed(thread)
    for thing in shared:
        key = (run.names[id(thing)], "*" if is_user_class(type(thing)) else "[]")
        run.log.append((thread.index, key, mode))
    if not shared:
        run.log.append((thread.index, (label(function), "*"), mode))
    for value in (*args, *kw.values()):
        run.registry.escape(value, thread.name)
    try:
        result = _guarded(run, function, args, kw)
    except Exception as error:
        if run.record:
            run.note_named(thread, site, "call", thread.target, error)
        raise
    if function is vars and shared:
        run.know_fields(shared[0], result)
    if run.record:
        run.note_named(thread, site, "call", thread.target, result)
    return result


def _guarded(run: Any, function: Any, arguments: tuple, keywords: dict) -> Any:
    """Call library code; while locks are held, Python code runs beside us, so that it cannot hang us.

    Raises NotModelled if it does not come back: it waits for something that a simulated thread holds.
    """
    python = isinstance(function, (types.FunctionType, types.MethodType)) or hasattr(function, "__wrapped__")
    if not run.held or run.asynchronous or not python:
        return function(*arguments, **keywords)
    future: concurrent.futures.Future = concurrent.futures.Future()

    def work() -> None:
        try:
            future.set_result(function(*arguments, **keywords))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        return future.result(PATIENCE)
    except concurrent.futures.TimeoutError:
        if future.done():
            raise
        raise NotModelled(f"{label(function)} waits for something that another thread holds") from None


def _of_loop(function: Any, receiver: Any) -> bool:
    """True for asyncio's own functions and for context variables, which only their own task can see."""
    module = getattr(function, "__module__", None) or type(receiver).__module__
    return module.partition(".")[0] in ("asyncio", "_asyncio") or isinstance(receiver, contextvars.ContextVar)


def _harmless(cls: type) -> bool:
    """Builtin types that do not look into an object's fields."""
    return cls in (type, object, super) or issubclass(cls, blocking.WAITERS)


def _special(run: Any, thread: Any, function: Any) -> Callable[[], Any] | None:
    """Functions that mean something else under the explorer: sleeping takes no time, a thread has its own name."""
    if function is time.sleep:
        return lambda: None
    if function in (threading.get_ident, threading.get_native_id):
        return lambda: 1 if run.asynchronous else thread.index + 1
    if function is threading.current_thread and thread.thing is not None:
        return lambda: thread.thing
    if function in (threading.current_thread, threading.main_thread) and run.asynchronous:
        return lambda: types.SimpleNamespace(name="MainThread", ident=1, daemon=False)
    if function in (threading.current_thread, threading.main_thread):
        return lambda: types.SimpleNamespace(name=thread.name, ident=thread.index + 1, daemon=True)
    return None


def _callbacks(run: Any, function: Any, values: tuple) -> None:
    """A learner's function given to library code runs inside it, unseen."""
    for value in (*values, getattr(function, "__wrapped__", None)):
        inner = getattr(value, "__func__", value)
        if type(inner) is types.FunctionType and run.program.is_user(inner):
            run.program.assume(f"{label(inner)}, called by {label(function)}, is taken as one step")


def label(function: Any) -> str:
    """How a function is called in a sentence."""
    receiver = getattr(function, "__self__", None)
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    module = getattr(function, "__module__", None)
    if isinstance(receiver, types.ModuleType) or receiver is None:
        return name if module in (None, "builtins", "__main__") else f"{module}.{name}"
    return name

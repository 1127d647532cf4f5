"""Calls: a learner's function is followed; of library code it is known what it touches, or the result says so."""

from __future__ import annotations

import functools
import io
import threading
import types
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access import at_once, known, locks, places, special_calls, watched
from sharedstate.interleave.access.followed import dataclass_init, follows, generated
from sharedstate.interleave.access.models import Op, Script, calling, play, same, step
from sharedstate.interleave.access.registry import ATOMIC, BUILTINS, captured, is_user_class, lookup
from sharedstate.interleave.access.values import LOCK, RLOCK
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import PUSH, READY, SETTER, STEP, Site


def dispatch(
    run: Run, thread: SimThread, site: Site, function: Any, arguments: tuple, keywords: dict,
    post: Callable | None = None,
) -> Any:  # fmt: skip
    """Decide what a call is: PUSH (follow it), a step, or done at once."""
    kind = type(function)
    if kind is types.FunctionType:
        twin = run.program.twin(function)
        if twin is not None and function not in special_calls.MODELLED:
            return run.push(thread, function, twin, arguments, keywords, post)
    elif kind is types.MethodType and type(function.__func__).__name__ != "cython_function_or_method":
        return dispatch(run, thread, site, function.__func__, (function.__self__, *arguments), keywords, post)
    elif isinstance(function, type):
        return later(thread, post, construct(run, thread, site, function, arguments, keywords))
    elif kind is functools.partial:
        merged = {**function.keywords, **keywords}
        return dispatch(run, thread, site, function.func, (*function.args, *arguments), merged, post)
    elif kind not in BUILTINS and kind is not types.MethodWrapperType:
        called = lookup(kind, "__call__")
        if type(called) is types.FunctionType:
            return dispatch(run, thread, site, called, (function, *arguments), keywords, post)
    return later(thread, post, native(run, thread, site, function, arguments, keywords))


def shorten(run: Run, site: Site, quick: int, plain: type, function: Any) -> None:
    """Open the short way for calls of a learner's plain function from a site."""
    program = run.program
    twin = program.twin(function) if type(function) is types.FunctionType and program.yields else None
    if twin is None or twin.generator or function.__closure__ or function.__kwdefaults__:
        return
    if function not in special_calls.MODELLED:
        site.made = program.build(function, twin, None)
        site.function, site.twin = function, twin
        site.free = not twin.roots and function.__defaults__ is None
        if site.free:
            program.free.add(function)
        site.quick = quick
        site.shorten(2 if quick == SETTER else 1, plain, None)


def later(thread: SimThread, post: Callable | None, result: Any) -> Any:
    """The result of a call made over by `post`, at once or when a followed call has ended."""
    if post is None:
        return result
    if result is STEP or result is READY:
        thread.perform = _made_over(thread, post)
        return READY
    if result is PUSH:
        *call, before = thread.call if len(thread.call) in (2, 5) else (*thread.call, None)
        thread.call = (*call, post if before is None else lambda value: post(before(value)))
        return PUSH
    return post(result)


def _made_over(thread: SimThread, post: Callable) -> Callable:
    """A step whose result is made over."""
    perform: Any = thread.perform
    return lambda run, thread, site, request: post(perform(run, thread, site, request))


# -- making objects ----------------------------------------------------------------------------------


def construct(run: Run, thread: SimThread, site: Site, cls: type, arguments: tuple, keywords: dict) -> Any:
    """Make an object; a learner's metaclass, `__new__` and `__init__` are followed."""
    meta = lookup(type(cls), "__call__")
    if follows(run, meta):
        return dispatch(run, thread, site, meta, (cls, *arguments), keywords)
    return instance(run, thread, site, cls, arguments, keywords)


def instance(run: Run, thread: SimThread, site: Site, cls: Any, arguments: tuple, keywords: dict) -> Any:
    """What `type.__call__` does: `__new__`, then `__init__`."""
    new, init = cls.__new__, cls.__init__
    if lookup(cls, "__del__") is not None and is_user_class(cls):
        run.program.block(f"{cls.__qualname__}.__del__", "Python runs it when the last name is gone")
    if follows(run, new):
        return play(run, thread, site, _made(run, cls, new, arguments, keywords))
    if "__dataclass_fields__" in vars(cls) and generated(init):
        return play(run, thread, site, dataclass_init(run, cls, arguments, keywords))
    if follows(run, init) and type(new) is types.BuiltinFunctionType:
        plain = new is object.__new__
        made = new(cls) if plain else new(cls, *arguments, **keywords)
        if issubclass(cls, threading.local):
            thread.locals[id(made)] = {}  # its `__init__` runs now, and not again at the first use
        return dispatch(run, thread, site, init, (made, *arguments), keywords, lambda value: _started(made, value))
    if follows(run, lookup(type(cls), "__call__")):
        return type.__call__(cls, *arguments, **keywords)  # past its metaclass, which has asked for it
    return native(run, thread, site, cls, arguments, keywords)


def _made(run: Run, cls: Any, new: Any, arguments: tuple, keywords: dict) -> Script:
    """A learner's `__new__`; then the `__init__` of what it gave, if that is an object of the class."""
    made = yield calling(run, new, (cls, *arguments), keywords)
    if not issubclass(type(made), cls):
        return made
    init = type(made).__init__
    if init is object.__init__:  # it takes no notice of arguments that `__new__` has taken
        return made
    return _started(made, (yield calling(run, init, (made, *arguments), keywords)))


def _started(made: Any, value: Any) -> Any:
    """An object after its `__init__`, which must not give anything back."""
    if value is not None:
        raise TypeError(f"__init__() should return None, not {type(value).__name__!r}")
    return made


# -- library code ------------------------------------------------------------------------------------


def native(run: Run, thread: SimThread, site: Site, function: Any, arguments: tuple, keywords: dict) -> Any:
    """Library code: one step if it can reach something shared, otherwise nothing that others see."""
    function, arguments = _bound(function, arguments)
    receiver = getattr(function, "__self__", None)
    if isinstance(receiver, (LOCK, RLOCK)):
        return locks.lock_call(run, thread, site, function, receiver, arguments, keywords)
    script = special_calls.find(run, thread, site, function, arguments, keywords)
    if script is not None:
        return play(run, thread, site, script)
    done = at_once.at_once(run, thread, function, arguments, keywords)
    if done is not None:
        return done[0]
    locks.refuse(function, receiver)
    at_once.refuse_unknown_wait(function, arguments)
    candidates = (receiver, *arguments, *keywords.values())
    locks.refuse_lock(function, candidates)
    effect = known.effect(function, receiver)
    if effect is not None:
        for value in (receiver, *arguments):  # first: what is met gets its name, and the effect is told by names
            if type(value) not in ATOMIC:
                run.meets(thread, site, value)
        touched = effect(run, function, receiver, arguments, keywords)
        if keywords or len(arguments) > 1:
            touched = touched + known.handed(run, arguments, keywords)
            if _is_python(function) and any(isinstance(v, io.IOBase) for v in (*arguments, *keywords.values())):
                run.program.block(known.label(function), "it writes to a file in several steps")
        if isinstance(receiver, dict) and places.is_scope(run, receiver):
            touched = touched + places.written_globals(run, receiver, function, arguments, keywords)
        return _known(run, thread, site, function, arguments, keywords, touched)
    return _unknown(run, thread, site, function, arguments, keywords)


def _known(run: Run, thread: SimThread, site: Site, function: Any, args: tuple, keywords: dict, touched: list) -> Any:
    """A call of which it is known what it touches."""
    receiver = getattr(function, "__self__", None)
    if not touched:
        thread.effects += not known.asks(function)
        return watched.call(run, thread, function, args, keywords)
    writes = any(mode for _, mode in touched)
    known_as = places.name_of(run, receiver)
    target = f"{known_as}.{function.__name__}" if known_as else known.label(function)

    def action() -> Any:
        if writes and not known.in_vain(function, receiver, args):
            run.changed(thread)
            for value in (*args, *keywords.values()):
                run.registry.escape(value, thread.name)
        result = watched.call(run, thread, function, args, keywords)
        if known.reveals(function):
            run.learn(result, target)
        if function is vars and args:
            run.know_fields(args[0], result)
        return result

    thread.callee = function
    return step(run, thread, site, Op("call", target, action, touched=touched, show=same))


def _unknown(run: Run, thread: SimThread, site: Site, function: Any, args: tuple, keywords: dict) -> Any:
    """A call that is neither followed nor known: it may change whatever it is given, and keep it."""
    receiver = getattr(function, "__self__", None)
    things = (receiver, *args, *keywords.values())
    open_ = [thing for thing in things if type(thing) not in ATOMIC]
    touched = places.deep(run, tuple(open_), True, True)
    if type(function) is types.FunctionType and function.__closure__:
        touched += places.deep(run, tuple(value for value, _ in captured(function)), True, True)
    name, python = known.label(function), _is_python(function)
    if _without_source(function):
        run.program.opaque.setdefault(f"{name}: its source was not found")
    changeable = [thing for thing in open_ if not isinstance(thing, type)]

    def action() -> Any:
        why = "it is neither followed nor known" if python else "it is a call into C that is not known"
        if changeable:
            run.program.block(name, why)
        result = watched.call(run, thread, function, args, keywords)
        if type(result) not in ATOMIC:
            run.program.block(name, why)
        run.changed(thread)
        for value in (*args, *keywords.values()):
            run.registry.escape(value, thread.name)
        run.learn(result, name)
        return result

    if not touched and not changeable:
        return action()
    thread.callee = function
    return step(run, thread, site, Op("call", name, action, touched=touched or [((name, "*"), 1)], show=same))


def _without_source(function: Any) -> bool:
    """True for a function that somebody made from a text that is not kept: it cannot be rewritten."""
    inner = getattr(function, "__func__", function)
    return isinstance(inner, types.FunctionType) and inner.__code__.co_filename.startswith("<") and (
        not inner.__code__.co_filename.startswith("<frozen")
    )


def _is_python(function: Any) -> bool:
    inner = getattr(function, "__func__", function)
    called = getattr(type(function), "__call__", None)  # noqa: B004 - which function it is, not whether there is one
    return isinstance(inner, types.FunctionType) or type(called) is types.FunctionType



def _bound(function: Any, arguments: tuple) -> tuple[Any, tuple]:
    """A library's method that came as a plain function with its object: bound again."""
    if not arguments:
        return function, arguments
    first, kind = arguments[0], type(function)
    if kind is types.FunctionType:
        own = getattr(type(first), function.__name__, None) is function
    else:
        in_c = kind in (types.MethodDescriptorType, types.WrapperDescriptorType)
        own = in_c and isinstance(first, function.__objclass__)
    return (function.__get__(first), arguments[1:]) if own else (function, arguments)

"""What a request means: a step (others may move first), a call to follow, or something done at once."""

from __future__ import annotations

import _thread
import builtins
import operator
import threading
import types
from types import MappingProxyType
from typing import Any

from sharedstate.interleave import blocking, calls, implicit, lazy, model_waiting, models, modules, unseen
from sharedstate.interleave.lazy import Lazy
from sharedstate.interleave.sites import PUSH, STEP
from sharedstate.interleave.state import CONTAINERS, is_user_class, lookup

DATA, CLASS_DATA, METHOD, PROPERTY, CLASS, MODULE, LOCAL = range(7)
METHODS = (
    types.FunctionType, classmethod, staticmethod, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.ClassMethodDescriptorType, types.BuiltinFunctionType,
)  # fmt: skip
LOOP_LIMIT = 5_000_000
TICK_LIMIT = 100_000


class LoopTooLong(RuntimeError):
    """A loop over more elements than the explorer will walk through."""


class SharedIterator:
    """Iteration over a shared container: each element is a step."""

    def __init__(self, container: object) -> None:
        self.container = container
        self.iterator = iter(container)  # type: ignore[call-overload]


def classify(run: Any, site: Any, thing: object) -> int:
    """What `site.name` is on objects of this type; remembered at the site."""
    cls = type(thing)
    found = lookup(cls, site.name)
    if isinstance(thing, type):
        kind = CLASS
    elif isinstance(thing, types.ModuleType):
        kind = MODULE
    elif isinstance(found, property):
        kind = PROPERTY
    elif isinstance(found, METHODS):
        kind = METHOD
    elif issubclass(cls, _thread._local):
        kind = LOCAL
    else:
        kind = DATA if found is None or isinstance(found, types.MemberDescriptorType) else CLASS_DATA
        if is_user_class(cls):
            implicit.assume(run.program, cls)
            implicit.guard(run.program, cls, site.name, found)
    site.kinds[cls] = kind
    return kind


def read(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read an attribute."""
    thing = request[1]
    kind = site.kinds.get(type(thing))
    if kind is None:
        kind = classify(run, site, thing)
    if kind <= CLASS_DATA:
        return STEP if id(thing) in run.names else unseen.field(thread, thing, site.name)
    if kind == PROPERTY:
        getter = lookup(type(thing), site.name).fget
        return calls.dispatch(run, thread, site, getter, (thing,), {})
    if kind == CLASS:
        return _class_read(run, thread, site, thing)
    if kind == LOCAL:
        return STEP
    if kind == METHOD and site.name in getattr(thing, "__dict__", ()):
        return STEP if id(thing) in run.names else getattr(thing, site.name)
    return modules.read(run, thread, site, thing) if kind == MODULE else getattr(thing, site.name)


def _class_read(run: Any, thread: Any, site: Any, cls: type) -> Any:
    """A class's own data is shared by everybody; its functions are only looked up."""
    if not is_user_class(cls) or isinstance(lookup(cls, site.name), (*METHODS, property, type)):
        return getattr(cls, site.name)
    if lookup(cls, site.name) is None:
        thread.foreign += 1
        return getattr(cls, site.name)
    run.know_class(cls)
    return STEP


def write(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Write an attribute: request is (site, value, object)."""
    value, thing = request[1], request[2]
    kind = site.kinds.get(type(thing))
    if kind is None:
        kind = classify(run, site, thing)
    if kind == PROPERTY:
        setter = lookup(type(thing), site.name).fset
        if setter is None:
            raise AttributeError(f"can't set attribute {site.name!r}")
        return calls.dispatch(run, thread, site, setter, (thing, value), {})
    if kind == CLASS:
        run.know_class(thing)
    if kind == MODULE:
        modules.write(run, site, thing)
    if kind in (CLASS, LOCAL) or id(thing) in run.names:
        return STEP
    thread.effects += 1
    return setattr(unseen.own(thread, thing), site.name, value)


def delete(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Delete an attribute."""
    thing = request[1]
    if isinstance(thing, type):
        run.know_class(thing)
    if isinstance(thing, _thread._local) or id(thing) in run.names:
        return STEP
    return delattr(unseen.own(thread, thing), site.name)


def method(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Call a method: request is (site, object, arguments[, keywords])."""
    thing, arguments = request[1], request[2]
    keywords = request[3] if len(request) > 3 else {}
    found = site.kinds.get(type(thing))
    if found is None:
        found = _classify_method(run, site, thing)
    if type(found) is types.FunctionType:
        run.know_function(found, site.name)
        return calls.dispatch(run, thread, site, found, (thing, *arguments), keywords)
    if found == METHOD:
        if isinstance(thing, threading.Condition):
            model_waiting.lock_of(run, thread, thing)
        callee = getattr(thing, site.name)
        run.know_function(getattr(callee, "__func__", callee), site.name)
        return calls.dispatch(run, thread, site, callee, arguments, keywords)
    return run.chain(thread, site, thing, arguments, keywords)


def _classify_method(run: Any, site: Any, thing: object) -> Any:
    """The learner's function to follow, METHOD for a plain lookup, DATA where the callable is a field."""
    cls = type(thing)
    found = lookup(cls, site.name)
    if isinstance(thing, (type, types.ModuleType, super)):
        result: Any = METHOD
    elif isinstance(thing, threading.Condition):
        return METHOD
    elif site.name in getattr(thing, "__dict__", ()) or isinstance(found, property):
        return DATA
    elif type(found) is types.FunctionType:
        result = found
    else:
        known = found is not None or not is_user_class(cls)
        result = METHOD if known else DATA
    site.kinds[cls] = result
    return result


def call(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Call a function: request is (site, function, arguments[, keywords])."""
    return calls.dispatch(run, thread, site, request[1], request[2], request[3] if len(request) > 3 else {})


def item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read, write or delete an item; the container is the last operand but the index."""
    thing = request[-2]
    cls = type(thing)
    thread.effects += site.op != "get_item"
    if cls in CONTAINERS or not is_user_class(cls):
        return STEP if id(thing) in run.names and cls is not tuple else unseen.item(run, thread, site, request)
    name = {"get_item": "__getitem__", "set_item": "__setitem__", "del_item": "__delitem__"}[site.op]
    found = lookup(cls, name)
    if type(found) is types.FunctionType:
        last = (request[1],) if site.op == "set_item" else ()
        return calls.dispatch(run, thread, site, found, (thing, request[-1], *last), {})
    return STEP if id(thing) in run.names else site.perform(run, thread, site, request)


def contains(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """`item in container`: request is (site, item, container)."""
    thing = request[2]
    found = lookup(type(thing), "__contains__")
    if type(found) is types.FunctionType:
        return calls.dispatch(run, thread, site, found, (thing, request[1]), {}, bool)
    shared = id(thing) in run.names and type(thing) is not tuple
    return STEP if shared else operator.contains(thing, request[1])


def combine(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """`old += value`: a step if it changes a shared container in place; a learner's own method is followed."""
    old = request[1]
    found = lookup(type(old), implicit.INPLACE[site.name])
    if type(found) is types.FunctionType and run.program.is_user(found):
        return calls.dispatch(run, thread, site, found, (old, request[2]), {})
    if type(old) in CONTAINERS and id(old) in run.names:
        return STEP
    return site.perform(run, thread, site, request)


def iterate(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Start a loop."""
    thing = request[1]
    if type(thing) is Lazy:
        return thing
    found = lookup(type(thing), "__iter__")
    if type(found) is types.FunctionType:
        return calls.dispatch(run, thread, site, found, (thing,), {}, iter)
    if type(thing) in CONTAINERS and id(thing) in run.names:
        return SharedIterator(thing)
    thread.foreign += unseen.mixed(thing)
    return iter(thing)


def advance(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """The next element as a tuple of one, or an empty tuple at the end."""
    iterator = request[1]
    if type(iterator) is SharedIterator:
        return STEP
    if type(iterator) is Lazy:
        if id(iterator) in run.names:
            return models.play(run, thread, site, lazy.shared_step(run, thread, site, iterator))
        return run.advance(thread, iterator)
    thread.ticks += 1
    if thread.ticks > LOOP_LIMIT:
        raise LoopTooLong(f"a loop ran {LOOP_LIMIT:,} times ({site.where})")
    for element in iterator:
        return (element,)
    return ()


def bounded_range(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """A loop over range(): refused if it is too long to be run for every schedule."""
    try:
        length = len(request[1])
    except OverflowError:
        length = LOOP_LIMIT + 1
    if length > LOOP_LIMIT:
        raise LoopTooLong(f"{site.where}: range() with more than {LOOP_LIMIT:,} turns; use a smaller number")
    return request[1]


def tick(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """One turn of a `while` loop: a turn that changed nothing waits until another thread writes."""
    thread.ticks += 1
    if thread.ticks > TICK_LIMIT:
        return blocking.stuck(thread, site, f"{site.where} turned {TICK_LIMIT:,} times without an end")
    now = (site.index, run.version - thread.quiet, thread.effects)
    values = run.locals_of(thread)
    before, thread.last_tick = thread.last_tick, (now, values, thread.timeouts)
    turn, thread.turn = thread.turn, (site, thread.effects, values)
    thread.patient = None
    if turn[:2] != thread.turn[:2] or len(turn[2]) != len(values):
        return None
    if any(old is not new for old, new in zip(turn[2], values, strict=True)):
        return None
    thread.idle = True
    if before is None or before[0] != now:
        return None
    if thread.timeouts != before[2]:
        thread.patient = run.version - thread.own
        return None
    return blocking.spin(run, thread, site)


def global_read(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read a global: a step if any function of the program writes it."""
    if (id(site.globals), site.name) in run.program.written:
        return STEP
    return find_global(site)


def find_global(site: Any) -> Any:
    """A global's value now, or the builtin of that name. Raises NameError."""
    if site.name in site.globals:
        return site.globals[site.name]
    if hasattr(builtins, site.name):
        return getattr(builtins, site.name)
    raise NameError(f"name {site.name!r} is not defined", name=site.name)


def always(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """A step in any case."""
    return STEP


HANDLERS = MappingProxyType({
    "read": read, "write": write, "delete": delete, "method": method, "call": call,
    "get_item": item, "set_item": item, "del_item": item, "contains": contains, "combine": combine,
    "is": unseen.same, "iter": iterate, "next": advance, "range": bounded_range, "tick": tick,
    "global_read": global_read, "global_write": always, "cell_read": always, "cell_write": always,
    "model": models.step, "emit": lazy.emit, "resume": lazy.resume, "lazy": lazy.lazily, "outcome": lazy.outcome,
    "enter": blocking.enter, "exit": blocking.leave,
})  # fmt: skip
__all__ = ["HANDLERS", "PUSH", "STEP", "LoopTooLong", "lookup"]

"""What each kind of request means: a step (others may move first), a call to follow, or something done at once."""

from __future__ import annotations

import builtins
from types import FunctionType, MappingProxyType, MethodType
from typing import Any

from sharedstate.interleave.access import (
    attributes,
    calls,
    fields,
    items,
    lazy,
    locks,
    matching,
    models,
    operators,
    plain,
    spinning,
)
from sharedstate.interleave.access.followed import follows
from sharedstate.interleave.access.places import READ, WRITE
from sharedstate.interleave.access.registry import ATOMIC, lookup
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import FUNCTION, METHOD, STEP, Site

VALUES = frozenset({int, str, float, bool, bytes, type(None)})
VALUE_TYPES = VALUES - {type(None)} | {range}


def method(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Call a method: request is (site, object, arguments[, keywords])."""
    thing, arguments = request[1], request[2]
    if (type(thing) is list or type(thing) is dict) and len(request) == 3 and not run.record:
        found = items.plain_method(run, thread, site, request)
        if found:
            return found[0]
    given = request[3] if len(request) > 3 else {}
    kind = site.kinds.get(type(thing))
    if kind is None:
        kind = attributes.classify(run, site, thing)
    if kind == attributes.METHOD and not attributes.own_field(run, site, thing):
        found = getattr(thing, site.name)
        if site.plain is not type(thing) and type(found) is MethodType and found.__self__ is thing:
            calls.shorten(run, site, METHOD, type(thing), found.__func__)
        return run.call(thread, site, found, arguments, given)
    if kind in (attributes.CLASS, attributes.MODULE, attributes.NATIVE, attributes.SUPER):
        found = attributes.read(run, thread, run.program.derived(site, "read", site.name), (0, thing))
        if found is not STEP and found is not models.PUSH and found is not models.READY:
            return run.call(thread, site, found, arguments, given)
    return run.chain(thread, site, thing, arguments, given)


def call(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Call a function: request is (site, function, arguments[, keywords])."""
    if len(request) == 3 and type(request[1]) is type and request[1] in VALUE_TYPES:
        if all(type(given) in VALUES for given in request[2]):
            return request[1](*request[2])  # nothing that anybody could see
    elif request[1] is len and len(request) == 3 and len(request[2]) == 1 and not run.record:
        thing = request[2][0]
        if type(thing) is list or type(thing) is dict:
            known_ = id(thing) in run.names or run.meets(thread, site, thing)
            return thread.take(site, request, plain.size) if known_ else len(thing)
    if site.function is not request[1] and type(request[1]) is FunctionType:
        calls.shorten(run, site, FUNCTION, FunctionType, request[1])
    return run.call(thread, site, request[1], request[2], request[3] if len(request) > 3 else {})


def instance(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Make an object of a class, past its metaclass: request is (site, class, arguments, keywords)."""
    return calls.instance(run, thread, site, *request[1:])


def raising(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`raise X`: of a class, an object is made; its `__init__` is followed."""
    problem = request[1]
    if isinstance(problem, type) and issubclass(problem, BaseException):
        return run.call(thread, site, problem, (), {})
    return problem


def known(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """What an import has bound is known to everybody."""
    if type(request[1]) not in ATOMIC:
        run.registry.add(request[1], site.name)


def opaque(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """The body of a class that is made on the way runs as one step."""
    run.program.block(f"the body of class {site.name}", "it runs as one step")


def making(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """A class is made on the way, of these bases and with this metaclass: what they do to it runs as one step."""
    for cls in request[1]:
        meta = cls if isinstance(cls, type) and issubclass(cls, type) else type(cls)
        inside = [lookup(cls, "__init_subclass__")] if isinstance(cls, type) else []
        inside += [lookup(meta, name) for name in ("__new__", "__init__", "__prepare__", "__call__")]
        if any(follows(run, function) for function in inside):
            run.program.block(f"the making of class {site.name}", "what its bases do to it runs as one step")


def handled(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Remember what is being handled: request is (site, exception); the answer is what was before."""
    before, thread.handled = thread.handled, request[1]
    return before


# -- variables -----------------------------------------------------------------------------------------


def global_read(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read a global: a step if somebody writes it."""
    if (id(site.globals), site.name) in run.program.written:
        return STEP
    return find_global(site)


def find_global(site: Site) -> Any:
    """A global's value now, or the builtin of that name. Raises NameError."""
    if site.name in site.globals:
        return site.globals[site.name]
    scope = site.globals.get("__builtins__", builtins)
    scope = scope if isinstance(scope, dict) else vars(scope)
    if site.name in scope:
        return scope[site.name]
    raise NameError(f"name {site.name!r} is not defined", name=site.name)


def always(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """A step in any case."""
    return STEP


def do_global_read(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read a global that others write."""
    value = find_global(site)
    run.learn(value, site.name)
    _named(run, thread, site, "read", value)
    return value


def do_global_write(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Write a global."""
    site.globals[site.name] = request[1]
    run.changed(thread, request[1])
    _named(run, thread, site, "write", request[1])
    return request[1]


def do_global_delete(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """Delete a global."""
    if site.name not in site.globals:
        raise NameError(f"name {site.name!r} is not defined", name=site.name)
    del site.globals[site.name]
    run.changed(thread)
    _named(run, thread, site, "delete", None)


def do_cell_read(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """The switch point before a captured variable is read; the twin itself reads it."""
    value = run.cell_value(thread, site.name)
    run.learn(value, site.name)
    _named(run, thread, site, "read", value)


def do_cell_write(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The switch point before a captured variable is written; the twin itself writes it."""
    run.changed(thread, request[1])
    _named(run, thread, site, "write", request[1])
    return request[1]


def _named(run: Run, thread: SimThread, site: Site, kind: str, value: Any) -> None:
    """Note an access to a variable that has a name but no object."""
    scope = "global" if site.op.startswith("global") else "captured variable"
    run.log.append((thread.index, (scope, site.name), READ if kind == "read" else WRITE))
    if run.record:
        run.note_named(thread, site, kind, site.name, value)


HANDLERS = MappingProxyType({
    "read": attributes.read, "write": attributes.write, "delete": attributes.delete, "method": method, "call": call,
    "instance": instance, "get_item": items.item, "set_item": items.item, "del_item": items.item,
    "contains": items.contains, "unpack": items.unpack, "star": items.star, "mapping": items.mapping,
    "keywords": items.keywords, "match_sequence": matching.match_sequence, "match_mapping": matching.match_mapping,
    "match_class": matching.match_class, "truth": operators.truth, "binary": operators.binary, "unary": operators.unary,
    "compare": operators.compare, "combine": operators.combine, "format": operators.formatted,
    "hashed": operators.hashed, "iter": lazy.iterate, "each": lazy.each, "delegate": lazy.iterate,
    "next": lazy.advance, "emit": lazy.emit, "resume": lazy.resume, "lazy": lazy.lazily, "outcome": lazy.outcome,
    "send_inner": lazy.send_inner, "throw_inner": lazy.throw_inner, "close_inner": lazy.close_inner,
    "raising": raising, "known": known, "opaque": opaque, "making": making, "tick": spinning.tick, "enter": locks.enter,
    "exit": locks.leave, "model": models.step_request,
    "global_read": global_read, "global_write": always, "global_delete": always,
    "cell_read": always, "cell_write": always, "handled": handled,
})  # fmt: skip
PERFORM = MappingProxyType({
    "read": fields.do_read, "write": fields.do_write, "delete": fields.do_delete,
    "get_item": items.get_item, "set_item": items.set_item, "del_item": items.del_item,
    "global_read": do_global_read, "global_write": do_global_write, "global_delete": do_global_delete,
    "cell_read": do_cell_read, "cell_write": do_cell_write,
})  # fmt: skip

"""The accesses themselves: each function does one step and notes it."""

from __future__ import annotations

import _thread
import operator
import types
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.handlers import CLASS_DATA, find_global
from sharedstate.interleave.sites import ANYTHING
from sharedstate.interleave.state import FIELDS

OPERATORS = MappingProxyType({
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv, "Mod": operator.imod, "Pow": operator.ipow, "LShift": operator.ilshift,
    "RShift": operator.irshift, "BitOr": operator.ior, "BitXor": operator.ixor, "BitAnd": operator.iand,
    "MatMult": operator.imatmul,
})  # fmt: skip
READ, WRITE = 0, 1


def read(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read an attribute of a shared object."""
    thing, name = request[1], site.name
    if isinstance(thing, _thread._local):
        return _local(run, thread, site, thing, "read", lambda: getattr(thing, name))
    value = getattr(thing, name)
    run.log.append((thread.index, (run.names[id(thing)], name), READ))
    if type(thing) in run.program.guarded:
        run.log.append((thread.index, ANYTHING, WRITE))
    if type(thing) is types.ModuleType:
        run.log.append((thread.index, ("global", name), READ))
    if name == "__dict__":
        run.know_fields(thing, value)
    if site.kinds.get(type(thing)) == CLASS_DATA and name not in getattr(thing, "__dict__", ()):
        run.log.append((thread.index, (run.class_with(type(thing), name), name), READ))
    if run.record:
        run.note(thread, site, "read", thing, name, value)
    return value


def write(run: Any, thread: Any, site: Any, request: tuple) -> None:
    """Write an attribute of a shared object."""
    value, thing, name = request[1], request[2], site.name
    if isinstance(thing, _thread._local):
        return _local(run, thread, site, thing, "write", lambda: setattr(thing, name, value), value)
    setattr(thing, name, value)
    run.changed(thread, value)
    run.log.append((thread.index, (run.names[id(thing)], name), WRITE))
    if type(thing) is types.ModuleType:
        run.log.append((thread.index, ("global", name), WRITE))
    if type(thing) in run.program.guarded:
        run.log.append((thread.index, ANYTHING, WRITE))
    if run.record:
        run.note(thread, site, "write", thing, name, value)


def delete(run: Any, thread: Any, site: Any, request: tuple) -> None:
    """Delete an attribute of a shared object."""
    thing, name = request[1], site.name
    if isinstance(thing, _thread._local):
        return _local(run, thread, site, thing, "delete", lambda: delattr(thing, name))
    delattr(thing, name)
    run.changed(thread)
    run.log.append((thread.index, (run.names[id(thing)], name), WRITE))
    if run.record:
        run.note(thread, site, "delete", thing, name)


def _local(run: Any, thread: Any, site: Any, thing: Any, kind: str, action: Any, value: Any = None) -> Any:
    """An access to a thread's own copy of a threading.local."""
    result = run.with_local(thread, thing, action)
    path = run.names.get(id(thing), type(thing).__name__)
    owner = path if run.asynchronous else f"{path} of {thread.name}"
    run.log.append((thread.index, (owner, site.name), READ if kind == "read" else WRITE))
    if run.record:
        run.note(thread, site, kind, thing, site.name, result if kind == "read" else value)
    return result


def get_item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read an item; a dictionary that makes what is missing writes it too."""
    thing, key = request[1], request[2]
    makes = hasattr(type(thing), "__missing__") and key not in thing
    value = operator.getitem(thing, key)
    if makes and id(thing) in run.names:
        run.changed(thread, value)
        run.log.append((thread.index, (run.names[id(thing)], "[]"), WRITE))
    return _item(run, thread, site, request, "read", value)


def set_item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Write an item: request is (site, value, container, index)."""
    operator.setitem(request[2], request[3], request[1])
    _item(run, thread, site, request, "write", request[1])


def del_item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Delete an item."""
    operator.delitem(request[1], request[2])
    _item(run, thread, site, request, "delete", None)


def _item(run: Any, thread: Any, site: Any, request: tuple, kind: str, value: Any) -> Any:
    """Note an access to an item, if the container is shared."""
    thing = request[-2]
    path = run.names.get(id(thing))
    if path is not None:
        if kind != "read":
            run.changed(thread, value)
        key = (path.removesuffix(FIELDS), "*") if path.endswith(FIELDS) else (path, "[]")
        run.log.append((thread.index, key, READ if kind == "read" else WRITE))
        if run.record and type(thing) is not tuple:
            run.note_item(thread, site, kind, thing, request[-1], value)
    return value


def contains(run: Any, thread: Any, site: Any, request: tuple) -> bool:
    """`item in container`."""
    result = operator.contains(request[2], request[1])
    run.log.append((thread.index, (run.names[id(request[2])], "[]"), READ))
    if run.record:
        run.note_item(thread, site, "read", request[2], request[1], result)
    return result


def combine(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """`old += value`."""
    old = request[1]
    result = OPERATORS[site.name](old, request[2])
    if result is old and id(old) in run.names:
        run.changed(thread)
        run.log.append((thread.index, (run.names[id(old)], "[]"), WRITE))
        if run.record:
            run.note(thread, site, "write", old, "", result)
    return result


def advance(run: Any, thread: Any, site: Any, request: tuple) -> tuple:
    """The next element of a shared container."""
    shared = request[1]
    result: tuple = ()
    for element in shared.iterator:
        result = (element,)
        break
    run.log.append((thread.index, (run.names[id(shared.container)], "[]"), READ))
    if run.record:
        run.note(thread, site, "read", shared.container, "next element", result[0] if result else "(end)")
    return result


def global_read(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read a global that others write."""
    value = find_global(site)
    _named(run, thread, site, "read", value)
    return value


def global_write(run: Any, thread: Any, site: Any, request: tuple) -> None:
    """Write a global."""
    site.globals[site.name] = request[1]
    run.changed(thread, request[1])
    _named(run, thread, site, "write", request[1])


def cell_read(run: Any, thread: Any, site: Any, request: tuple) -> None:
    """The switch point before a captured variable is read; the twin itself reads it."""
    _named(run, thread, site, "read", run.cell_value(thread, site.name))


def cell_write(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """The switch point before a captured variable is written; the twin itself writes it."""
    run.changed(thread, request[1])
    _named(run, thread, site, "write", request[1])
    return request[1]


def _named(run: Any, thread: Any, site: Any, kind: str, value: Any) -> None:
    """Note an access to a variable that has a name but no object."""
    scope = "global" if site.op.startswith("global") else "captured variable"
    run.log.append((thread.index, (scope, site.name), READ if kind == "read" else WRITE))
    if run.record:
        run.note_named(thread, site, kind, site.name, value)


PERFORM = MappingProxyType({
    "read": read, "write": write, "delete": delete, "get_item": get_item, "set_item": set_item,
    "del_item": del_item, "contains": contains, "combine": combine, "next": advance,
    "global_read": global_read, "global_write": global_write, "cell_read": cell_read, "cell_write": cell_write,
})  # fmt: skip

"""Attributes of what is shared: the reading, writing and deleting itself, once it is a thread's turn."""

from __future__ import annotations

import _thread
import types
from typing import Any

from sharedstate.interleave.access import local_fields, places, plain
from sharedstate.interleave.access.attributes import CLASS, CLASS_DATA, NATIVE
from sharedstate.interleave.access.places import READ, WHOLE, WRITE
from sharedstate.interleave.access.registry import ATOMIC
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Site


def do_read(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read an attribute of a shared object."""
    thing, name = request[1], site.name
    if isinstance(thing, _thread._local):
        look = (lambda: dict(getattr(thing, name))) if name == "__dict__" else lambda: getattr(thing, name)
        return _of_thread(run, thread, site, thing, "read", look)
    known, kind = run.names[id(thing)], site.kinds.get(type(thing))
    try:
        value = getattr(thing, name)
    except AttributeError:
        plain.log_missing(run, thread, thing, known, name)
        raise
    if kind != CLASS:
        run.log.append((thread.index, (known, name), READ))
    if type(thing) is types.ModuleType:
        run.log.append((thread.index, ("global", name), READ))
    elif kind == CLASS:
        plain.log_classes(run, thread, thing, name)
    elif kind == CLASS_DATA and name not in getattr(thing, "__dict__", ()):
        plain.log_classes(run, thread, type(thing), name)
    if type(value) not in ATOMIC and id(value) not in run.names:
        run.registry.add(value, f"{known}.{name}")
    if name == "__dict__":
        run.know_fields(thing, value)
    if run.record:
        run.note(thread, site, "read", thing, name, value)
    return value


def do_write(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """Write an attribute of a shared object, or of the thread's own."""
    (_, value, thing), name = request, site.name
    if isinstance(thing, _thread._local):
        return _of_thread(run, thread, site, thing, "write", lambda: setattr(thing, name, value), value)
    known = run.names.get(id(thing))
    if known is None:
        return setattr(thing, name, value)
    new = name not in getattr(thing, "__dict__", (name,))
    native = site.kinds.get(type(thing)) == NATIVE  # afterwards its class may be another one
    setattr(thing, name, value)
    run.changed(thread, value)
    _log_write(run, thread, site, thing, known, new, native)
    if run.record:
        run.note(thread, site, "write", thing, name, value)
    return None


def do_delete(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """Delete an attribute."""
    thing, name = request[1], site.name
    if isinstance(thing, _thread._local):
        return _of_thread(run, thread, site, thing, "delete", lambda: delattr(thing, name))
    delattr(thing, name)
    known = run.names.get(id(thing))
    if known is not None:
        run.changed(thread)
        _log_write(run, thread, site, thing, known, True, site.kinds.get(type(thing)) == NATIVE)
        if run.record:
            run.note(thread, site, "delete", thing, name)
    return None


def _log_write(run: Run, thread: SimThread, site: Site, thing: Any, known: str, new: bool, native: bool) -> None:
    """What a write touches, of a `native` field the whole object; a new one also changes which fields there are."""
    index = thread.index
    field = WHOLE if native else site.name
    run.log.append((index, (known, field), WRITE))
    if new:
        run.log.append((index, (known, places.ORDER), WRITE))
    if type(thing) is types.ModuleType:
        run.log.append((index, ("global", site.name), WRITE))


def _of_thread(run: Run, thread: SimThread, site: Site, thing: Any, kind: str, action: Any, value: Any = None) -> Any:
    """An access to a thread's own copy of a threading.local; the first one by a thread runs `__init__`."""
    if not run.real and not run.asynchronous and id(thing) not in thread.locals:
        action = local_fields.first_use(run, thread, thing, action)
    result = run.with_local(thread, thing, action)
    path = run.names.get(id(thing), type(thing).__name__)
    owner = path if run.asynchronous else f"{path} of {thread.name}"
    run.log.append((thread.index, (owner, site.name), READ if kind == "read" else WRITE))
    if run.record:
        run.note(thread, site, kind, thing, site.name, result if kind == "read" else value)
    return result

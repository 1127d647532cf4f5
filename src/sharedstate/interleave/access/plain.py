"""Accesses of plain objects where nobody looks on: what a step does in a search, without a word for the learner.

A site that has met a plain object takes the short way from then on (see `Site.shorten`): the access is a step if the
object is shared, and one of these functions makes it. What is touched is noted if the search asks for it.
"""

from __future__ import annotations

import types
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import known, places
from sharedstate.interleave.access.places import ORDER, READ, WRITE
from sharedstate.interleave.access.registry import ATOMIC, FIELDS, lookup
from sharedstate.interleave.access.values import short
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Site


def read_field(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read a field: request is (site, object)."""
    thing, name, names = request[1], site.name, run.names
    try:
        value = getattr(thing, name)
    except AttributeError:
        log_missing(run, thread, thing, names[id(thing)], name)
        raise
    if type(value) not in ATOMIC and id(value) not in names:
        run.registry.add(value, f"{names[id(thing)]}.{name}")
    if run.noting:
        run.log.append((thread.index, (names[id(thing)], name), READ))
    return value


def log_missing(run: Run, thread: SimThread, thing: Any, known: str, name: str) -> None:
    """A look that finds nothing: it would find what is written to the object, or to its class."""
    if isinstance(thing, types.ModuleType) or lookup(type(thing), "__getattr__") is not None:
        return  # whoever is asked then may look at anything
    run.log.append((thread.index, (known, name), READ))
    log_classes(run, thread, thing if isinstance(thing, type) else type(thing), name)


def log_classes(run: Run, thread: SimThread, cls: type, name: str) -> None:
    """A class's data is looked for in the class and in its bases, up to the one that has it."""
    for base in cls.__mro__:
        run.know_class(base)
        run.log.append((thread.index, (run.names[id(base)], name), READ))
        if name in base.__dict__:
            return


def write_field(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """Write a field: request is (site, value, object)."""
    _, value, thing = request
    name = site.name
    new = run.noting and name not in getattr(thing, "__dict__", (name,))
    setattr(thing, name, value)
    run.version += 1
    if type(value) not in ATOMIC and id(value) not in run.names:
        run.registry.escape(value, thread.name)
    if run.noting:
        known = run.names[id(thing)]
        run.log.append((thread.index, (known, name), WRITE))
        if new:
            run.log.append((thread.index, (known, ORDER), WRITE))


def read_item(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read an item of a list or a dictionary: request is (site, container, index)."""
    _, thing, key = request
    if type(key) not in ATOMIC:
        return site.perform(run, thread, site, request)
    touched = places.item(run, thing, key, False) if run.noting else ()
    value = thing[key]
    if type(value) not in ATOMIC and id(value) not in run.names:
        run.learn(value, f"{run.names[id(thing)].removesuffix(FIELDS)}[{short(key)}]")
    if touched:
        note(run, thread, touched)
    return value


def write_item(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """Write an item of a list or a dictionary: request is (site, value, container, index)."""
    _, value, thing, key = request
    if type(key) not in ATOMIC or places.is_scope(run, thing):
        return site.perform(run, thread, site, request)
    touched = places.item(run, thing, key, True) if run.noting else ()
    thing[key] = value
    run.version += 1
    if type(value) not in ATOMIC and id(value) not in run.names:
        run.registry.escape(value, thread.name)
    if touched:
        note(run, thread, touched)
    return None


def truth(run: Run, thread: SimThread, site: Site, request: tuple) -> bool:
    """Whether a list or a dictionary holds anything: request is (site, container)."""
    if run.noting:
        note(run, thread, places.whole(run, request[1], False))
    return bool(request[1])


def size(run: Run, thread: SimThread, site: Site, request: tuple) -> int:
    """How long a list or a dictionary is: request is (site, len, (container,))."""
    thing = request[2][0]
    if run.noting:
        note(run, thread, places.whole(run, thing, False))
    return len(thing)


# Methods that look at nothing but their container, and whether they change it.
METHODS: MappingProxyType[type, MappingProxyType[str, int]] = MappingProxyType({
    list: MappingProxyType({"pop": 1, "append": 1, "insert": 1, "clear": 1, "copy": 0}),
    dict: MappingProxyType({"get": 0, "pop": 1, "setdefault": 1, "clear": 1, "copy": 0}),
})  # fmt: skip


def method(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Call one of these methods with plain arguments: request is (site, container, arguments)."""
    thing, arguments = request[1], request[2]
    function = getattr(thing, site.name)
    if run.noting:
        effect: Any = known.effect(function, thing)
        note(run, thread, effect(run, function, thing, arguments, {}))
    if METHODS[type(thing)][site.name] and not known.in_vain(function, thing, arguments):
        run.version += 1
    result = function(*arguments)
    if type(result) not in ATOMIC:
        run.learn(result, f"{run.names[id(thing)]}.{site.name}")
    return result


def note(run: Run, thread: SimThread, touched: Any) -> None:
    """Note what a step touches."""
    index = thread.index
    for key, mode in touched:
        run.log.append((index, key, mode))

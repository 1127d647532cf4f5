"""Items, unpacking and patterns: one's own item is one's own field; a learner's special methods are followed."""

from __future__ import annotations

import collections.abc
import operator
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import calls, in_python, keys, known, operators, places
from sharedstate.interleave.access.models import Op, calling, play, same, step
from sharedstate.interleave.access.places import ORDER, WRITE
from sharedstate.interleave.access.registry import ATOMIC, FIELDS, defines, lookup
from sharedstate.interleave.access.values import short
from sharedstate.interleave.sites import READ_ITEM, STEP, WRITE_ITEM

NAMES = MappingProxyType({"get_item": "__getitem__", "set_item": "__setitem__", "del_item": "__delitem__"})
ENOUGH = 1_000


def item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read, write or delete an item; the container is the last operand but the index."""
    thing = request[-2]
    cls = type(thing)
    last = (request[1],) if site.op == "set_item" else ()
    if cls is list or cls is dict:
        if site.plain is not cls and site.op != "del_item":
            site.shorten(*((READ_ITEM, 1) if site.op == "get_item" else (WRITE_ITEM, 2)), cls)
        if id(thing) in run.names or run.meets(thread, site, thing):
            return STEP
        thread.effects += site.op != "get_item"
        return site.perform(run, thread, site, request)
    if cls in ATOMIC or cls is tuple:
        if isinstance(thing, type):
            return _subscript_class(run, thread, site, thing, request)
        return site.perform(run, thread, site, request)
    found = operators.own(run, thing, NAMES[site.op])
    if found is not None:
        return calls.dispatch(run, thread, site, found, (thing, request[-1], *last), {})
    if site.op == "get_item" and isinstance(thing, dict) and operators.own(run, thing, "__missing__") is not None:
        return play(run, thread, site, _or_missing(run, thing, request[-1]))
    if isinstance(thing, type):
        return _subscript_class(run, thread, site, thing, request)
    if places.item(run, thing, request[-1], site.op != "get_item") or run.meets(thread, site, thing):
        return STEP
    behind = places.whole(run, thing, site.op != "get_item")
    if behind:
        op = Op("read", type(thing).__name__, lambda: site.perform(run, thread, site, request), touched=behind)
        return step(run, thread, site, op)
    thread.effects += site.op != "get_item"
    return site.perform(run, thread, site, request)


def _subscript_class(run: Any, thread: Any, site: Any, thing: Any, request: tuple) -> Any:
    """`Class[…]`."""
    found = lookup(type(thing), "__getitem__")
    if calls.follows(run, found):
        return calls.dispatch(run, thread, site, found, (thing, request[-1]), {})
    made = lookup(thing, "__class_getitem__")
    if calls.follows(run, made):
        return calls.dispatch(run, thread, site, getattr(thing, "__class_getitem__"), (request[-1],), {})  # noqa: B009
    return operator.getitem(thing, request[-1])


def _or_missing(run: Any, thing: Any, key: Any) -> Iterator[Any]:
    """A dictionary of a learner's class with `__missing__`."""
    found = yield Op(
        "read", f"{run.names.get(id(thing), type(thing).__name__)}[{short(key)}]",
        lambda: (dict.__getitem__(thing, key),) if key in dict.keys(thing) else (),
        touched=places.item(run, thing, key, False), show=lambda found: found[0] if found else "(no such key)",
        at_once=not places.item(run, thing, key, False),
    )  # fmt: skip
    return found[0] if found else (yield calling(run, lookup(type(thing), "__missing__"), (thing, key)))


# -- the accesses themselves -----------------------------------------------------------------------------


def get_item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read an item; a dictionary that makes what is missing writes it too."""
    thing, key = request[1], request[2]
    makes = hasattr(type(thing), "__missing__") and key not in thing
    touched = places.item(run, thing, key, makes)
    value = keys.step(run, thread, key, lambda: operator.getitem(thing, key))
    if makes and touched:
        run.changed(thread, value)
        touched.append(((touched[0][0][0], ORDER), WRITE))
    return _noted(run, thread, site, request, "read", value, touched)


def set_item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Write an item: request is (site, value, container, index)."""
    touched = places.item(run, request[2], request[3], True)
    keys.step(run, thread, request[3], lambda: operator.setitem(request[2], request[3], request[1]))
    _noted(run, thread, site, request, "write", request[1], touched)


def del_item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Delete an item; in a list, what comes after moves up."""
    thing = request[1]
    touched = places.whole(run, thing, True) if isinstance(thing, list) else places.item(run, thing, request[2], True)
    if touched:
        touched.append(((touched[0][0][0], ORDER), WRITE))
    keys.step(run, thread, request[2], lambda: operator.delitem(thing, request[2]))
    _noted(run, thread, site, request, "delete", None, touched)


def _noted(run: Any, thread: Any, site: Any, request: tuple, kind: str, value: Any, touched: list) -> Any:
    """Note an access to an item, if the container is shared."""
    if not touched:
        return value
    if kind != "read":
        run.changed(thread, value)
        if places.is_scope(run, request[-2]) and isinstance(request[-1], str):
            run.program.write_global(request[-2], request[-1])
    if places.is_scope(run, request[-2]):
        touched = [*touched, (("global", request[-1]), int(kind != "read"))]
    index = thread.index
    for key, mode in touched:
        run.log.append((index, key, mode))
    name = run.names.get(id(request[-2])) or touched[0][0][0]
    if kind == "read" and type(value) not in ATOMIC:
        run.learn(value, f"{name.removesuffix(FIELDS)}[{short(request[-1])}]")
    if run.record:
        run.note_named(thread, site, kind, f"{name}[{short(request[-1])}]", value)
    return value


# Methods that look at nothing but their container, and whether they change it.
PLAIN_METHODS = MappingProxyType({
    list: MappingProxyType({"pop": 1, "append": 1, "insert": 1, "clear": 1, "copy": 0}),
    dict: MappingProxyType({"get": 0, "pop": 1, "setdefault": 1, "clear": 1, "copy": 0}),
})  # fmt: skip


def plain_method(run: Any, thread: Any, site: Any, thing: Any, arguments: tuple) -> Any:
    """A call of such a method with plain arguments, where nothing is recorded; the handler's answer as a tuple of one.

    What calls.native() would say of it, said at once.
    """
    changes = PLAIN_METHODS[type(thing)].get(site.name)
    if changes is None or any(type(argument) not in ATOMIC for argument in arguments):
        return ()
    function = getattr(thing, site.name)
    if not (id(thing) in run.names or run.meets(thread, site, thing)):
        thread.effects += changes
        return (function(*arguments),)
    effect = known.effect(function, thing)

    def action() -> Any:
        if changes and not known.in_vain(function, thing, arguments):
            run.changed(thread)
        result = function(*arguments)
        if type(result) not in ATOMIC:
            run.learn(result, f"{run.names[id(thing)]}.{site.name}")
        return result

    thread.callee = function
    touched = effect(run, function, thing, arguments, {})
    return (step(run, thread, site, Op("call", site.name, action, touched=touched)),)


# -- `in` ----------------------------------------------------------------------------------------------


def contains(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """`item in container`: request is (site, item, container)."""
    wanted, thing = request[1], request[2]
    found = operators.own(run, thing, "__contains__")
    if found is not None:
        return calls.dispatch(run, thread, site, found, (thing, wanted), {}, bool)
    walked = in_python.comes_from_learner(run, thing) and not defines(type(thing), "__contains__")
    listed = type(thing) in (list, tuple) or isinstance(thing, (collections.deque, type({}.values())))
    if walked or (listed and places.specials((wanted, thing), operators.EQUALITY) is not None):
        return calls.dispatch(run, thread, site, in_python.python("contains_"), (thing, wanted), {})

    def how(run: Any, things: tuple) -> places.Touched:
        if isinstance(thing, (dict, set)):
            return places.item(run, thing, wanted, False)
        return places.deep(run, things)

    said = f"{places.name_of(run, thing)}[{short(wanted)}]"
    touched = how(run, (wanted, thing))
    if not touched:
        run.meets(thread, site, thing)
        return keys.step(run, thread, wanted, lambda: operator.contains(thing, wanted))

    def look() -> bool:
        return keys.step(run, thread, wanted, lambda: operator.contains(thing, wanted))

    op = Op("read", said, look, touched=touched, show=same)
    return step(run, thread, site, op)


# -- taking apart --------------------------------------------------------------------------------------


def unpack(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """`a, b = thing`: the answer is a sequence; how many elements are wanted is the site's name."""
    return _apart(run, thread, site, request[1], int(site.name) + 1 if site.name else ENOUGH * ENOUGH)


def star(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """`*thing` in a call or a display; where it is all that a call is given, the function comes with it."""
    thing = request[1]
    if len(request) > 2 and not hasattr(type(thing), "__iter__") and not hasattr(type(thing), "__getitem__"):
        raise TypeError(f"{_called(request[2])} argument after * must be an iterable, not {type(thing).__name__}")
    return _apart(run, thread, site, thing, ENOUGH * ENOUGH)


def _called(function: Any) -> str:
    """How Python names a function that was given wrong arguments."""
    name = getattr(function, "__qualname__", None)
    if name is None:
        return str(function)
    module = getattr(function, "__module__", None)
    return f"{name}()" if module in (None, "builtins") else f"{module}.{name}()"


def _apart(run: Any, thread: Any, site: Any, thing: Any, most: int) -> Any:
    """The elements of anything that can be walked through; plain containers are read as a whole."""
    kind = type(thing)
    if kind in ATOMIC or kind is tuple:
        return thing
    if kind in (list, dict, set, frozenset, collections.deque, type({}.values()), type({}.items()), type({}.keys())):
        return operators.look(run, thread, site, (thing,), lambda: tuple(thing), operators.contents)
    if not hasattr(kind, "__iter__") and not hasattr(kind, "__getitem__"):
        return thing
    return play(run, thread, site, _collected(run, site, thing, most))


def _collected(run: Any, site: Any, thing: Any, most: int) -> Iterator[Any]:
    """Elements one by one."""
    iterator = yield (run.program.derived(site, "iter", "").index, thing)
    found: list[Any] = []
    place = run.program.derived(site, "next", "").index
    while len(found) < most:
        element = yield (place, iterator)
        if not element:
            break
        found.append(element[0])
    return found


def mapping(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """`**thing` in a display: the answer is a dictionary."""
    thing = request[1]
    plain = isinstance(thing, dict) and operators.own(run, thing, "keys") is None
    if plain and operators.own(run, thing, "__iter__") is None:
        return operators.look(run, thread, site, (thing,), lambda: dict(thing), operators.contents)
    if not hasattr(thing, "keys"):
        raise TypeError(f"{type(thing).__name__!r} object is not a mapping")
    return calls.dispatch(run, thread, site, in_python.python("dict_"), (thing,), {})


def keywords(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """The keyword arguments of a call with `**mapping`: request is (site, function, (name, value)…)."""
    return play(run, thread, site, _merged(run, site, request[1], request[2:]))


def _merged(run: Any, site: Any, function: Any, pairs: tuple) -> Iterator[Any]:
    """Names and mappings in their order; a name that comes twice is an error."""
    called = f"{_called(function)} "
    merged: dict[str, Any] = {}
    for name, value in pairs:
        if name is None:
            try:
                more = yield (run.program.derived(site, "mapping", "").index, value)
            except TypeError:
                raise TypeError(f"{called}argument after ** must be a mapping, not {type(value).__name__}") from None
        else:
            more = {name: value}
        for key in more:
            if not isinstance(key, str):
                raise TypeError("keywords must be strings")
            if key in merged:
                raise TypeError(f"{called}got multiple values for keyword argument {key!r}")
        merged.update(more)
    return merged

"""Items, unpacking and patterns: one's own item is one's own field; a learner's special methods are followed."""

from __future__ import annotations

import array
import collections
import operator
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import keys, operators, places, plain, python_builtins
from sharedstate.interleave.access.followed import comes_from_learner, follows, is_learner, own
from sharedstate.interleave.access.models import Op, Script, asking, calling, play, same, step
from sharedstate.interleave.access.registry import ATOMIC, FIELDS, LIBRARY, defines, lookup, package_of
from sharedstate.interleave.access.values import short
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import STEP, Site

NAMES = MappingProxyType({"get_item": "__getitem__", "set_item": "__setitem__", "del_item": "__delitem__"})
SHORT = MappingProxyType({"get_item": plain.read_item, "set_item": plain.write_item})
ENOUGH = 1_000
INDEX = frozenset({"__index__"})
SEQUENCES = (list, tuple, str, bytes, bytearray, memoryview, range, collections.deque, array.array)


def item(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read, write or delete an item: request is (site[, value that is written], container, index)."""
    _, *written, thing, key = request
    changes, cls = site.op != "get_item", type(thing)
    if (cls is list and type(key) in ATOMIC and type(key) is not slice) or (cls is dict):
        if site.plain is not cls and site.op in SHORT:
            site.shorten(2 if changes else 1, cls, SHORT[site.op])
        if id(thing) in run.names or run.meets(thread, site, thing):
            return STEP
        thread.effects += changes
        return site.perform(run, thread, site, request)
    plain_key = type(key) in ATOMIC and type(key) is not slice
    if (cls in ATOMIC or cls is tuple) and not isinstance(thing, type) and plain_key:
        return site.perform(run, thread, site, request)
    found = None if cls in ATOMIC else own(run, thing, NAMES[site.op])
    if found is not None:
        return run.call(thread, site, found, (thing, key, *written), {})
    if isinstance(thing, type):
        return _subscript_class(run, thread, site, thing, key)
    if not changes and isinstance(thing, dict) and own(run, thing, "__missing__") is not None:
        return play(run, thread, site, _or_missing(run, thing, key))
    if type(key) is slice and written and comes_from_learner(run, written[0]):
        return play(run, thread, site, _drained(run, site, thing, key, written[0]))
    if not changes and isinstance(thing, collections.defaultdict) and is_learner(run, thing.default_factory):
        return play(run, thread, site, _or_made(run, thing, key))
    if type(key) not in ATOMIC and type(key) is not tuple and own(run, key, "__index__") is not None:
        if isinstance(thing, SEQUENCES) or package_of(cls) in LIBRARY:
            return play(run, thread, site, _indexed(run, site, written, thing, key))
    elif type(key) is slice and places.specials((key.start, key.stop, key.step), INDEX) is not None:
        return play(run, thread, site, _sliced(run, site, written, thing, key))
    if (cls in ATOMIC or cls is tuple) and not isinstance(thing, type):
        return site.perform(run, thread, site, request)  # nobody can change it
    if places.item(run, thing, key, changes) or run.meets(thread, site, thing):
        return STEP
    behind = places.whole(run, thing, changes)
    if behind:
        op = Op("read", cls.__name__, lambda: site.perform(run, thread, site, request), touched=behind)
        return step(run, thread, site, op)
    thread.effects += changes
    return site.perform(run, thread, site, request)


def _subscript_class(run: Run, thread: SimThread, site: Site, thing: Any, key: Any) -> Any:
    """`Class[…]`."""
    found = lookup(type(thing), "__getitem__")
    if follows(run, found):
        return run.call(thread, site, found, (thing, key), {})
    if follows(run, lookup(thing, "__class_getitem__")):
        return run.call(thread, site, getattr(thing, "__class_getitem__"), (key,), {})  # noqa: B009
    return operator.getitem(thing, key)


def _indexed(run: Run, site: Site, written: list, thing: Any, key: Any) -> Script:
    """An index with an `__index__` of a learner's."""
    place = yield calling(run, operator.index, (key,))
    return (yield asking(run, site, site.op, "", *written, thing, place))


def _drained(run: Run, site: Site, thing: Any, key: slice, value: Any) -> Script:
    """`thing[a:b] = elements`: the elements are taken first."""
    elements = yield calling(run, list, (value,))
    return (yield asking(run, site, site.op, "", elements, thing, key))


def _sliced(run: Run, site: Site, written: list, thing: Any, key: slice) -> Script:
    """A slice of such indices."""
    parts = []
    for part in (key.start, key.stop, key.step):
        plain_part = type(part) in ATOMIC or own(run, part, "__index__") is None
        parts.append(part if plain_part else (yield calling(run, operator.index, (part,))))
    return (yield asking(run, site, site.op, "", *written, thing, slice(*parts)))


def _or_made(run: Run, thing: Any, key: Any) -> Script:
    """A defaultdict whose factory is followed: a look, the factory, a write."""
    known, called = places.item(run, thing, key, False), run.names.get(id(thing), type(thing).__name__)
    found = yield Op(
        "read", f"{called}[{short(key)}]", lambda: (dict.__getitem__(thing, key),) if key in dict.keys(thing) else (),
        touched=known, show=lambda found: found[0] if found else "(no such key)", at_once=not known,
    )  # fmt: skip
    if found:
        run.learn(found[0], f"{called}[{short(key)}]") if known else None
        return found[0]
    made = yield calling(run, thing.default_factory)
    yield calling(run, operator.setitem, (thing, key, made))
    return made


def _or_missing(run: Run, thing: Any, key: Any) -> Script:
    """A dictionary of a learner's class with `__missing__`."""
    found = yield Op(
        "read", f"{run.names.get(id(thing), type(thing).__name__)}[{short(key)}]",
        lambda: (dict.__getitem__(thing, key),) if key in dict.keys(thing) else (),
        touched=places.item(run, thing, key, False), show=lambda found: found[0] if found else "(no such key)",
        at_once=not places.item(run, thing, key, False),
    )  # fmt: skip
    return found[0] if found else (yield calling(run, lookup(type(thing), "__missing__"), (thing, key)))


# -- the accesses themselves -----------------------------------------------------------------------------


def get_item(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read an item; a dictionary that makes what is missing writes it too."""
    _, thing, key = request
    makes = hasattr(type(thing), "__missing__") and key not in thing
    touched = places.item(run, thing, key, makes)
    value = keys.step(run, thread, key, lambda: operator.getitem(thing, key))
    if makes and touched:
        run.changed(thread, value)
        touched.append(places.order(touched))
    return _noted(run, thread, site, "read", thing, key, value, touched)


def set_item(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """Write an item."""
    _, value, thing, key = request
    touched = places.item(run, thing, key, True)
    keys.step(run, thread, key, lambda: operator.setitem(thing, key, value))
    _noted(run, thread, site, "write", thing, key, value, touched)


def del_item(run: Run, thread: SimThread, site: Site, request: tuple) -> None:
    """Delete an item; in a list, what comes after moves up."""
    _, thing, key = request
    touched = places.whole(run, thing, True) if isinstance(thing, list) else places.item(run, thing, key, True)
    if touched:
        touched.append(places.order(touched))
    keys.step(run, thread, key, lambda: operator.delitem(thing, key))
    _noted(run, thread, site, "delete", thing, key, None, touched)


def _noted(
    run: Run, thread: SimThread, site: Site, kind: str, thing: Any, key: Any, value: Any, touched: places.Touched
) -> Any:
    """Note an access to an item, if the container is shared."""
    if not touched:
        return value
    known = run.names.get(id(thing), "")
    if kind != "read":
        run.changed(thread, value)
        if places.is_scope(run, thing) and isinstance(key, str):
            run.program.write_global(thing, key)
    plain.note(run, thread, touched)
    name = known or touched[0][0][0]
    if kind == "read" and type(value) not in ATOMIC:
        run.learn(value, f"{name.removesuffix(FIELDS)}[{short(key)}]")
    if run.record:
        run.note_named(thread, site, kind, f"{name}[{short(key)}]", value)
    return value


def plain_method(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """A call of such a method with plain arguments, where nothing is recorded; the handler's answer as a tuple of one.

    What calls.native() would say of it, said at once.
    """
    thing, arguments = request[1], request[2]
    changes = plain.METHODS[type(thing)].get(site.name)
    if changes is None or any(type(argument) not in ATOMIC for argument in arguments):
        return ()
    if id(thing) in run.names or run.meets(thread, site, thing):
        return (thread.take(site, request, plain.method),)
    thread.effects += changes
    return (getattr(thing, site.name)(*arguments),)


# -- `in` ----------------------------------------------------------------------------------------------


def contains(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`item in container`: request is (site, item, container)."""
    _, wanted, thing = request
    found = own(run, thing, "__contains__")
    if found is not None:
        return run.call(thread, site, found, (thing, wanted), {}, bool)
    walked = comes_from_learner(run, thing) and not defines(type(thing), "__contains__")
    listed = type(thing) in (list, tuple) or isinstance(thing, (collections.deque, type({}.values())))
    held = thing if type(thing) is not type({}.values()) else list(thing)
    if walked or (listed and places.specials((wanted, held), operators.EQUALITY) is not None):
        return run.call(thread, site, python_builtins.contains_, (thing, wanted), {})

    def how(run: Run, things: tuple) -> places.Touched:
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


def unpack(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`a, b = thing`: the answer is a sequence; how many elements are wanted is the site's name."""
    return _apart(run, thread, site, request[1], int(site.name) + 1 if site.name else ENOUGH * ENOUGH)


def star(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
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


def _apart(run: Run, thread: SimThread, site: Site, thing: Any, most: int) -> Any:
    """The elements of anything that can be walked through; plain containers are read as a whole."""
    kind = type(thing)
    if kind in ATOMIC or kind is tuple:
        return thing
    if kind in (list, dict, set, frozenset, collections.deque, type({}.values()), type({}.items()), type({}.keys())):
        return operators.look(run, thread, site, (thing,), lambda: tuple(thing), operators.contents)
    if not hasattr(kind, "__iter__") and not hasattr(kind, "__getitem__"):
        return thing
    return play(run, thread, site, _collected(run, site, thing, most))


def _collected(run: Run, site: Site, thing: Any, most: int) -> Script:
    """Elements one by one."""
    iterator = yield asking(run, site, "iter", "", thing)
    found: list[Any] = []
    while len(found) < most:
        element = yield asking(run, site, "next", "", iterator)
        if not element:
            break
        found.append(element[0])
    return found


def mapping(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`**thing` in a display: the answer is a dictionary."""
    thing = request[1]
    plain = isinstance(thing, dict) and own(run, thing, "keys") is None
    if plain and own(run, thing, "__iter__") is None:
        return operators.look(run, thread, site, (thing,), lambda: dict(thing), operators.contents)
    if not hasattr(thing, "keys"):
        raise TypeError(f"{type(thing).__name__!r} object is not a mapping")
    return run.call(thread, site, python_builtins.dict_, (thing,), {})


def keywords(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The keyword arguments of a call with `**mapping`: request is (site, function, (name, value)…)."""
    return play(run, thread, site, _merged(run, site, request[1], request[2:]))


def _merged(run: Run, site: Site, function: Any, pairs: tuple) -> Script:
    """Names and mappings in their order; a name that comes twice is an error."""
    called = f"{_called(function)} "
    merged: dict[str, Any] = {}
    for name, value in pairs:
        if name is None:
            try:
                more = yield asking(run, site, "mapping", "", value)
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

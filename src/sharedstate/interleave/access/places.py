"""What an operation touches: (object, field) pairs, where a field may be an item, a stretch of memory or the whole."""

from __future__ import annotations

import collections
import gc
import types
from typing import Any, NamedTuple

from sharedstate.interleave.access.memory import memory, owner
from sharedstate.interleave.access.registry import ATOMIC, CONTAINERS, FIELDS, MAPPINGS, is_user_class, vars_of
from sharedstate.interleave.runs.protocol import Run

WHOLE = "*"
ORDER = "order"  # which keys a mapping has, and in which order
READ, WRITE = 0, 1
DEEPEST = 2_000
EQUALITY = frozenset({"__eq__", "__hash__", "__lt__", "__gt__", "__le__", "__ge__"})
TEXT = frozenset({"__str__", "__repr__", "__format__"})
# What an operator written in C may run of the objects that it is given, or that these hold.
ENTERED = EQUALITY | TEXT | {
    "__ne__", "__bool__", "__len__", "__iter__", "__next__", "__getitem__", "__contains__", "__index__", "__int__",
    "__float__", "__add__", "__radd__", "__mul__", "__rmul__", "keys", "__missing__",
}  # fmt: skip
HOLDERS = (dict, list, tuple, set, frozenset, bytearray, collections.deque)


class Item(NamedTuple):
    """One item of a container: another one is another field."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


class Span(NamedTuple):
    """A stretch of an array's memory, in bytes from its start."""

    first: int
    end: int


Key = tuple[str, Any]  # what an object is called, and which field of it
Access = tuple[Key, int]  # READ or WRITE
Touched = list[Access]


def meet(key: Key, other: Key) -> bool:
    """True if two fields are the same, or one of them a whole object, or stretches of memory that overlap."""
    if key[0] != other[0]:
        return False
    mine, theirs = key[1], other[1]
    if mine == theirs or WHOLE in (mine, theirs):
        return True
    if type(mine) is Span and type(theirs) is Span:
        return mine.first < theirs.end and theirs.first < mine.end
    return False


def order(touched: Touched) -> Access:
    """The change of which keys a mapping has, beside what an operation on one of them touches."""
    ((name, _), _), *_rest = touched
    return (name, ORDER), WRITE


# -- arrays ------------------------------------------------------------------------------------------


def array_key(run: Run, thing: Any) -> Key | None:
    """The stretch of shared memory that an array shows, whichever object it is; None if it is not shared."""
    if type(thing) is memoryview:
        thing = thing.obj
    shown = memory(thing)
    if shown is None:
        return None
    below = owner(thing)
    if below is not None:
        name = run.names.get(id(below))
        return (name, WHOLE) if name else None
    for first, end, name in run.registry.regions:
        if first <= shown[0] < end:
            return name, Span(shown[0] - first, shown[1] - first)
    return None


# -- objects -----------------------------------------------------------------------------------------


def name_of(run: Run, thing: Any) -> str | None:
    """What a shared object is called: an object's dictionary is the object, a view is what it is a view of."""
    name = run.names.get(id(thing))
    if type(thing) in VIEWS:
        name = next((n for base in gc.get_referents(thing) if (n := run.names.get(id(base)))), name)
    if type(thing) is memoryview:
        name = run.names.get(id(thing.obj), name)
    return name.removesuffix(FIELDS) if name else None


VIEWS: tuple[type, ...] = (
    memoryview, types.MappingProxyType, type({}.keys()), type({}.values()), type({}.items()),
    type(collections.OrderedDict().keys()), type(collections.OrderedDict().values()),
    type(collections.OrderedDict().items()),
)  # fmt: skip


SCOPE = "global" + FIELDS  # the name of a dictionary that holds the globals of a module


def know_scope(run: Run, scope: dict) -> None:
    """The dictionary that globals() gives: everybody has it."""
    if id(scope) not in run.names:
        run.names[id(scope)] = SCOPE
        run.registry.keep.append(scope)


def is_scope(run: Run, thing: Any) -> bool:
    """True for a dictionary that globals() has given."""
    return type(thing) is dict and run.names.get(id(thing)) == SCOPE


def written_globals(run: Run, scope: dict, function: Any, args: tuple, keywords: dict) -> Touched:
    """The global variables that a method of their dictionary writes; who reads one of them takes a step from now on."""
    names = [*keywords, *(name for value in args if isinstance(value, dict) for name in value)]
    if function.__name__ in ("setdefault", "pop", "__setitem__", "__delitem__"):
        names += args[:1]
    for name in names:
        run.program.write_global(scope, name)
    return [(("global", name), WRITE) for name in names]


def item(run: Run, thing: Any, key: Any, write: bool) -> Touched:
    """What reading or writing `thing[key]` touches."""
    if type(thing) is tuple or type(thing) in ATOMIC:
        return []
    spot = array_key(run, thing) if type(thing) is not list and type(thing) is not dict else None
    if spot is not None:
        return [(spot if write is None else _part(run, thing, key, spot), int(write))]
    name = name_of(run, thing)
    if name is None:
        return []
    if name != run.names.get(id(thing), name) or run.names.get(id(thing), "").endswith(FIELDS):
        return [((name, key if isinstance(key, str) else WHOLE), int(write))]
    field = _field(thing, key)
    touched: Touched = [((name, field), int(write))]
    if write and isinstance(thing, dict) and field is not WHOLE and key not in dict.keys(thing):
        touched.append(((name, ORDER), WRITE))
    return touched


def _field(thing: Any, key: Any) -> Any:
    """An item of its own where the key says which one; the whole for slices, objects and the like."""
    kind = type(key)
    if isinstance(thing, (list, collections.deque, bytearray, memoryview)):
        if kind is not int and kind is not bool:
            return WHOLE
        return Item(key if key >= 0 else key + len(thing))
    if isinstance(thing, (dict, set, types.MappingProxyType)) and _plain(key):
        return Item(key)
    return WHOLE


def _plain(key: Any) -> bool:
    """True for a key that is a value and nothing else."""
    if type(key) is tuple:
        return all(map(_plain, key))
    return type(key) in ATOMIC


def _part(run: Run, thing: Any, key: Any, spot: Key) -> Key:
    """The stretch of an array that an index names, where it is a plain index."""
    parts = key if type(key) is tuple else (key,)
    if not all(type(part) in (int, slice, type(...), type(None)) for part in parts):
        return spot
    try:
        shown = thing[key] if type(thing).__module__ != "numpy" else _view(thing, parts)
    except Exception:  # a wrong index: the operation itself will say so
        return spot
    return array_key(run, shown) or spot


def _view(thing: Any, parts: tuple) -> Any:
    """A view of what the index names; an element as an array of one."""
    return thing[(*parts, ...)] if ... not in parts else thing[parts]


def whole(run: Run, thing: Any, write: bool) -> Touched:
    """What an operation on the object's own content touches, its elements' content aside."""
    if type(thing) is list or type(thing) is dict:
        known = run.names.get(id(thing))
        return [] if known is None else [((known.removesuffix(FIELDS), WHOLE), int(write))]
    if type(thing) in ATOMIC or type(thing) is tuple or isinstance(thing, type):
        return []
    spot = array_key(run, thing)
    if spot is not None:
        return [(spot, int(write))]
    name = name_of(run, thing)
    if name is None:
        return _behind(run, thing, write)
    own = [((name, WHOLE), int(write))]
    return own + _behind(run, thing, write) if hasattr(type(thing), "__next__") else own  # it looks at its container


def _behind(run: Run, thing: Any, write: bool) -> Touched:
    """What a private object written in C stands for: an iterator, its container; a bound object."""
    if is_user_class(type(thing)) or type(thing) in CONTAINERS or type(thing) is types.FunctionType:
        return []
    found: Touched = []
    todo, seen = [thing], {id(thing)}
    while todo and len(seen) < 50:
        for below in gc.get_referents(todo.pop()):
            if type(below) in ATOMIC or isinstance(below, type) or id(below) in seen:
                continue
            seen.add(id(below))
            name = run.names.get(id(below))
            moves = hasattr(type(below), "__next__")
            spot = array_key(run, below)
            if spot is not None:
                found.append((spot, READ))
                continue
            if not moves and type(below) not in VIEWS and not isinstance(below, HOLDERS):
                continue  # it holds an object, and does not look at it
            if name is not None:
                found.append(((name.removesuffix(FIELDS), WHOLE), int(write and moves)))
            if (name is None or moves) and not isinstance(below, HOLDERS):
                todo.append(below)  # an iterator that is known by name looks at its container too
    return found


def sources(iterator: Any) -> list[Any]:
    """An iterator, and the iterators, views and containers that it takes its elements from, one in the other."""
    found, todo = [iterator], [iterator]
    while todo and len(found) < 50:
        thing = todo.pop()
        if is_user_class(type(thing)) or type(thing) in CONTAINERS:
            continue
        for below in gc.get_referents(thing):
            walked = hasattr(type(below), "__next__") or type(below) in VIEWS or isinstance(below, HOLDERS)
            if walked and type(below) not in ATOMIC and not any(below is known for known in found):
                found.append(below)
                todo.append(below)
    return found


def deep(run: Run, things: tuple, write: bool = False, fields: bool | tuple[str, ...] = False) -> Touched:
    """Everything that a look into containers, and into what they hold, may touch.

    The fields of other objects are not looked at by code written in C, unless it is said that `fields` are: all, or
    those that are named.
    """
    found: Touched = []
    todo, seen = list(things), set[int]()
    while todo and len(seen) < DEEPEST:
        thing = todo.pop()
        kind = type(thing)
        if kind in ATOMIC or id(thing) in seen or isinstance(thing, type):
            continue
        seen.add(id(thing))
        plain = is_user_class(kind) and not isinstance(thing, HOLDERS) and memory(thing) is None
        if plain and not fields:
            continue
        if plain and isinstance(fields, tuple):
            name = name_of(run, thing)
            found += [((name, field), int(write)) for field in fields if name is not None]
            todo += [vars_of(thing).get(field) for field in fields]
            continue
        found += whole(run, thing, write)
        if kind in MAPPINGS or isinstance(thing, dict):
            todo += dict.values(thing)
            todo += [key for key in dict.keys(thing) if type(key) not in ATOMIC]
        elif isinstance(thing, (list, tuple, set, frozenset, collections.deque)):
            todo += thing
        elif plain:
            todo += vars_of(thing).values()
    return found


def specials(things: tuple, names: frozenset[str]) -> Any:
    """A class among those of the objects, and of what plain containers among them hold, that defines one of these
    special methods in Python; None if there is none."""
    todo, seen = list(things), set[int]()
    while todo and len(seen) < DEEPEST:
        thing = todo.pop()
        kind = type(thing)
        if kind in ATOMIC or id(thing) in seen:
            continue
        seen.add(id(thing))
        for base in kind.__mro__[:-1] if kind.__module__ != "builtins" else ():
            if any(isinstance(base.__dict__.get(name), types.FunctionType) for name in names):
                return kind
        if kind in MAPPINGS:
            todo += [*thing.values(), *thing.keys()]
        elif kind in (list, tuple, set, frozenset, collections.deque):
            todo += thing
    return None

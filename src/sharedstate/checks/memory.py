"""What an answer can remember from one call to the next, and how to take it back to an earlier moment."""

from __future__ import annotations

import functools
import random
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from .among import inner

CONTAINERS = (dict, list, set, deque, bytearray)
MOST = 20_000  # things to look at
MISSING = object()
CACHE = type(functools.lru_cache(lambda: None))


class Memory:
    """A snapshot of all that functions can change: globals they name, closures, defaults, classes, caches.

    `rewind()` puts the old values back, in place, as often as wanted. What cannot be put back (an iterator that has
    moved on) stays as it is. Objects of installed modules are left alone.
    """

    def __init__(self, *functions: object) -> None:
        self._seen: dict[int, object] = {}
        self._undo: list[tuple[object, Callable[[], Any], Any, Callable[[Any], None]]] = []
        functions = tuple(map(inner, functions))
        todo = [*functions]
        spaces = [space for function in functions for space in namespaces(function)]
        self._mine, self._modules = {id(space) for space in spaces}, {space.get("__name__") for space in spaces}
        while todo and len(self._seen) < MOST:
            thing = todo.pop()
            if id(thing) not in self._seen:
                self._seen[id(thing)] = thing
                todo += self._keep(thing)

    def rewind(self) -> None:
        """Put everything back."""
        for _, now, then, put in self._undo:
            if not _same(now(), then):
                put(then)

    def changed(self) -> bool:
        """True when something is not as it was, or something was added."""
        return any(not _same(now(), then) for _, now, then, _ in self._undo)

    def moved(self) -> bool:
        """True when a generator of random numbers has moved."""
        return any(not _same(now(), then) for thing, now, then, _ in self._undo if is_generator(thing))

    def _keep(self, thing: object) -> list[object]:
        """Note how the thing is now, and return what lies below it."""
        if isinstance(thing, FunctionType):
            return self._function(thing)
        if isinstance(thing, MethodType):
            return [thing.__self__, thing.__func__]
        if isinstance(thing, partial):
            return [thing.func, *thing.args, *thing.keywords.values()]
        if isinstance(thing, CACHE):
            size = thing.cache_info
            self._note(thing, lambda: size().currsize, lambda then: thing.cache_clear())
            return [thing.__wrapped__]
        if isinstance(thing, type):
            return self._class(thing)
        if is_generator(thing):
            self._generator(thing)
            return []
        if isinstance(thing, tuple):
            return [*thing]
        if isinstance(thing, CONTAINERS):
            return self._container(thing)
        return self._instance(thing)

    def _note(self, thing: object, now: Callable[[], Any], put: Callable[[Any], None]) -> None:
        self._undo.append((thing, now, now(), put))

    def _function(self, function: FunctionType) -> list[object]:
        if id(function.__globals__) not in self._mine:
            return []
        below = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), function.__dict__]
        for cell in function.__closure__ or ():
            self._note(cell, partial(_content, cell), partial(_fill, cell))
            below.append(_content(cell))
        names, space = _names(function.__code__), function.__globals__
        for name in names:
            self._note(space, partial(space.get, name, MISSING), partial(_bind, space, name))
            below.append(space.get(name))
        return [thing for thing in below if not isinstance(thing, ModuleType)]

    def _class(self, kind: type) -> list[object]:
        if kind.__module__ not in self._modules:
            return []
        fields = {name: value for name, value in vars(kind).items() if name not in ("__dict__", "__weakref__")}
        for name in fields:
            self._note(kind, partial(_field, kind, name), partial(setattr, kind, name))
        return [getattr(value, "__func__", value) for value in fields.values()]

    def _generator(self, thing: Any) -> None:
        if isinstance(thing, random.Random):
            self._note(thing, thing.getstate, thing.setstate)
            return
        numpy_bits = getattr(thing, "bit_generator", thing)
        state = numpy_bits.state
        self._note(thing, lambda: repr(numpy_bits.state), lambda then: setattr(numpy_bits, "state", state))

    def _container(self, thing: Any) -> list[object]:
        kind = type(thing)
        self._note(thing, lambda: _shallow(thing), lambda then: _refill(thing, then))
        if isinstance(thing, bytearray):
            return []
        return [*thing.values()] if issubclass(kind, dict) else [*thing]

    def _instance(self, thing: object) -> list[object]:
        module = type(thing).__module__
        if module not in self._modules or module.partition(".")[0] == __name__.partition(".")[0]:
            return []  # the second: what stands here for an answer in another process
        fields = getattr(thing, "__dict__", None)
        if type(fields) is not dict:
            return []
        return [fields, type(thing)]


def namespaces(thing: object) -> list[dict]:
    """Return the module names that a function, a method, a cached function, a class or an object works with."""
    if isinstance(thing, FunctionType):
        return [thing.__globals__]
    inner = getattr(thing, "__wrapped__", None) or getattr(thing, "__func__", None) or getattr(thing, "func", None)
    if inner is not None:
        return namespaces(inner)
    kind = thing if isinstance(thing, type) else type(thing)
    return [value.__globals__ for value in vars(kind).values() if isinstance(value, FunctionType)]


def is_generator(thing: object) -> bool:
    """True for a generator of random numbers, Python's or numpy's."""
    numpy = sys.modules.get("numpy")
    return isinstance(thing, random.Random) or (numpy is not None and isinstance(
        thing, (numpy.random.Generator, numpy.random.BitGenerator)))


def _names(code: CodeType) -> set[str]:
    """Return the names that a function's code mentions, and the code inside it."""
    found = {*code.co_names}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found


def _field(kind: type, name: str) -> object:
    return vars(kind).get(name, MISSING)


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def _fill(cell: CellType, value: object) -> None:
    if value is not MISSING:
        cell.cell_contents = value


def _bind(space: dict, name: str, value: object) -> None:
    if value is MISSING:
        space.pop(name, None)
    else:
        space[name] = value


def _shallow(thing: Any) -> object:
    return [*thing.items()] if isinstance(thing, dict) else [*thing]


def _refill(thing: Any, then: list) -> None:
    thing.clear()
    if isinstance(thing, (dict, set)):
        thing.update(then)
    else:
        thing.extend(then)


def _same(one: Any, two: Any) -> bool:
    """The same objects in the same places; texts and numbers may be compared."""
    if type(one) is not type(two):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(_same, one, two))
    return one is two or (isinstance(one, (int, str, float, bytes)) and one == two)

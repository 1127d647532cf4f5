"""Shared objects of one run: which they are, what they are called, and how their values look.

An object is named by its origin, its path from the setup's state, or by the thread that let it escape
and a number. Never by `id()` across runs, and never by the order of first access: both depend on the schedule.
"""

from __future__ import annotations

import collections
import enum
import functools
import queue
import reprlib
import sys
import threading
import types
from typing import Any

ATOMIC = frozenset({
    str, int, float, bool, bytes, complex, type(None), type(...), range, slice, frozenset, type(NotImplemented),
    types.BuiltinFunctionType, types.MethodType, types.ModuleType, type, property,
})  # fmt: skip
MAPPINGS = (dict, collections.OrderedDict, collections.defaultdict)
SEQUENCES = (list, tuple, collections.deque)
CONTAINERS = (dict, list, set, collections.deque, bytearray)
SHORT, LONG = 32, 10**30  # what `short` need not shorten: characters, whole numbers
FIELDS = ".__dict__"  # ends the name of a dictionary that is an object's fields
LOCK = type(threading.Lock())
RLOCK = type(threading.RLock())


def is_user_class(cls: type) -> bool:
    """True for a class that is neither built in nor of the standard library."""
    return (cls.__module__ or "").partition(".")[0] not in sys.stdlib_module_names


def lookup(cls: type, name: str) -> Any:
    """What the class and its bases define under this name, without running descriptors; None if nothing."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


class Registry:
    """The shared objects of one run by identity; each entry keeps its object alive."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.keep: list[Any] = []
        self.escaped: dict[str, int] = {}

    def add(self, root: object, name: str) -> None:
        """Register everything that can be reached from `root`."""
        if type(root) in ATOMIC:
            return
        if type(root) is types.FunctionType and _empty(root):
            self.names.setdefault(id(root), name)  # it captures nothing, and whoever named it keeps it alive
            return
        names, keep, todo = self.names, self.keep, [(root, name)]
        while todo:
            thing, path = todo.pop()
            kind = type(thing)
            if kind in ATOMIC or id(thing) in names or isinstance(thing, (type, enum.Enum)):
                continue
            names[id(thing)] = path
            keep.append(thing)
            if below := children(thing, path, leaves=False):
                todo.extend(reversed(below))

    def escape(self, value: object, thread: str) -> None:
        """Register an object that `thread` made and has just stored where others can reach it."""
        if type(value) in ATOMIC or id(value) in self.names:
            return
        number = self.escaped[thread] = self.escaped.get(thread, 0) + 1
        self.add(value, f"{thread}'s {type(value).__name__} {number}")


def children(thing: object, path: str, leaves: bool = True) -> list[tuple[object, str]]:
    """The objects directly below `thing`, each with its path; without `leaves`, plain values may be left out."""
    kind = type(thing)
    if kind is types.FunctionType:
        return _captured(thing)
    if kind in MAPPINGS:
        return [(value, f"{path}[{short(key)}]") for key, value in thing.items()]
    if kind in SEQUENCES:
        return [(value, f"{path}[{i}]") for i, value in enumerate(thing)]
    if kind is set:
        return [(value, f"{path}{{{short(value)}}}") for value in thing]
    library = _inside(thing, path)
    if kind in (LOCK, RLOCK) or not (is_user_class(kind) or kind is types.SimpleNamespace):
        return library
    fields = vars_of(thing).items()
    found = library + [(value, f"{path}.{key}") for key, value in fields if leaves or type(value) not in ATOMIC]
    if isinstance(thing, dict):
        found += [(value, f"{path}[{short(key)}]") for key, value in dict.items(thing)]
    elif isinstance(thing, (list, collections.deque, tuple)):
        found += [(value, f"{path}[{i}]") for i, value in enumerate(thing)]
    return found


def _inside(thing: object, path: str) -> list[tuple[object, str]]:
    """What objects of the standard library hold: a condition's lock, a queue's items, a thread's arguments."""
    if isinstance(thing, threading.Condition):
        return [(thing._lock, path)]
    if isinstance(thing, queue.Queue):
        return [(value, f"{path}[{i}]") for i, value in enumerate(thing.queue)]
    if isinstance(thing, threading.Thread):
        given = (getattr(thing, "_target", None), *getattr(thing, "_args", ()), *getattr(thing, "_kwargs", {}).values())
        return [(value, f"{path}'s argument {i}") for i, value in enumerate(given)]
    if isinstance(thing, functools.partial):
        given = (thing.func, *thing.args, *thing.keywords.values())
        return [(value, f"{path}'s part {i}") for i, value in enumerate(given)]
    return []


def _empty(function: types.FunctionType) -> bool:
    """True for a function that holds nothing that can change; with defaults only if it is not made on the way."""
    if function.__closure__ or not (function.__defaults__ or function.__kwdefaults__):
        return not function.__closure__
    plain = all(type(value) in ATOMIC for value, _ in _captured(function))
    return plain and "<locals>" not in function.__qualname__


def _captured(function: types.FunctionType) -> list[tuple[object, str]]:
    """The objects in a function's closure and its defaults."""
    found = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found.append((cell.cell_contents, name))
        except ValueError:
            continue
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return found + [(value, f"{function.__name__}'s default {i}") for i, value in enumerate(defaults)]


def vars_of(thing: object) -> dict[str, Any]:
    """The instance's own fields, from its dictionary and its slots, without running any of its code."""
    try:
        fields = dict(object.__getattribute__(thing, "__dict__"))
    except AttributeError:
        fields = {}
    for cls in type(thing).__mro__[:-1]:
        if "__slots__" not in cls.__dict__:
            continue
        for slot in _slots(cls):
            member = cls.__dict__.get(slot)
            if isinstance(member, types.MemberDescriptorType):
                try:
                    fields[slot] = member.__get__(thing)
                except AttributeError:
                    continue
    return fields


def _slots(cls: type) -> tuple[str, ...]:
    """The names in a class's `__slots__`, mangled where the class would."""
    slots = cls.__dict__.get("__slots__", ())
    slots = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(f"_{cls.__name__.lstrip('_')}{s}" if s.startswith("__") and not s.endswith("__") else s for s in slots)


class _Short(reprlib.Repr):
    """Short reprs that never run a learner's own `__repr__`."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = SHORT
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 5

    def repr_instance(self, x: object, level: int) -> str:
        """The type's name for anything that is not built in."""
        if isinstance(x, BaseException):
            return f"{type(x).__name__}({', '.join(self.repr1(a, level - 1) for a in x.args)})"
        if isinstance(x, (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType)):
            return getattr(x, "__qualname__", type(x).__name__)
        if type(x) in (float, bool, type(None), bytes, complex, range):
            return repr(x)
        return f"<{type(x).__name__}>"

    def repr1(self, x: object, level: int) -> str:
        """Dispatch on the exact type, so that a subclass of str or list is not trusted."""
        if type(x).__module__ == "builtins" or type(x) is collections.deque:
            return super().repr1(x, level)
        return self.repr_instance(x, level)


def short(value: object) -> str:
    """A repr of at most about 32 characters, safe on a learner's objects."""
    kind = type(value)
    if kind is bool or value is None or (kind is int and -LONG < value < LONG):
        return repr(value)
    if kind is str and len(value) <= SHORT and len(text := repr(value)) <= SHORT:
        return text
    return _Short().repr(value)


def digest(state: object) -> tuple[tuple[str, str], ...]:
    """Every plain value that can be reached from `state`, with its path: the final state to compare."""
    registry, leaves, todo = set(), [], [(state, type(state).__name__)]
    keep = []
    while todo:
        thing, path = todo.pop()
        if type(thing) in (LOCK, RLOCK) or id(thing) in registry:
            continue
        below = children(thing, path) if type(thing) not in ATOMIC else []
        if below:
            registry.add(id(thing))
            keep.append(thing)
            todo.extend(below)
        else:
            leaves.append((path, short(thing)))
    return tuple(sorted(leaves))

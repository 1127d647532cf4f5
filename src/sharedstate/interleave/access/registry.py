"""Shared objects of one run: which they are and what they are called.

An object is named by its origin, its path from the setup's state, or by the thread that let it escape
and a number. Never by `id()` across runs, and never by the order of first access: both depend on the schedule.
Whatever can be reached from something shared is shared, by whatever route: of objects that are not known here,
the garbage collector knows what they hold.
"""

from __future__ import annotations

import asyncio
import collections
import enum
import functools
import gc
import queue
import re
import sys
import threading
import types
from typing import Any

from sharedstate.interleave.access.memory import owner, storage
from sharedstate.interleave.access.values import LOCK, RLOCK, short
from sharedstate.interleave.later import Later

BUILTINS = (types.BuiltinFunctionType, type(re.compile("").sub))  # methods of newer C classes have a type of their own
ATOMIC = frozenset({
    str, int, float, bool, bytes, complex, type(None), type(...), range, slice, type(NotImplemented),
    *BUILTINS, types.ModuleType, type, property, types.CodeType, types.GenericAlias,
    types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType, types.GetSetDescriptorType,
    types.MemberDescriptorType,
})  # fmt: skip
# Iterators over what nobody can change.
STILL = (
    type(iter(range(0))), type(iter(range(2**70))), type(iter("")), type(iter("\x80")), type(iter(())), type(iter(b"")),
)  # fmt: skip
MAPPINGS = (dict, collections.OrderedDict, collections.defaultdict)
SEQUENCES = (list, tuple, collections.deque)
CONTAINERS = (dict, list, set, collections.deque, bytearray)
FIELDS = ".__dict__"  # ends the name of a dictionary that is an object's fields
LIBRARY = ("numpy", "torch")
# What these hold is the models' affair.
MODELLED = ("threading", "_thread", "queue", "_queue", "concurrent", "asyncio", "_asyncio")
MOST = 100_000
ITEMS, OBJECT = "items", "object"


def package_of(cls: type) -> str:
    """Return the package a class says it comes from; "builtins" where that is no text (a descriptor written in C)."""
    module = cls.__module__ or ""
    return module.partition(".")[0] if isinstance(module, str) else "builtins"


def is_user_class(cls: type) -> bool:
    """True for a class that is neither built in nor of the standard library."""
    return package_of(cls) not in sys.stdlib_module_names


def is_scalar(cls: type) -> bool:
    """True for a number of numpy: a value that nobody can change."""
    return cls.__module__ == "numpy" and issubclass(cls, sys.modules["numpy"].generic)


def fields_of(thing: object) -> dict | None:
    """The dictionary of an object's fields; None if it has none."""
    if not type(thing).__dictoffset__:
        return None
    try:
        fields = object.__getattribute__(thing, "__dict__")
    except Exception:  # a property of that name may raise anything
        return None
    return fields if isinstance(fields, dict) else None


def lookup(cls: type, name: str) -> Any:
    """What the class and its bases define under this name, without running descriptors; None if nothing."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def defines(cls: type, name: str) -> bool:
    """True if the class or one of its bases defines this name, even as None (which forbids it)."""
    return any(name in base.__dict__ for base in cls.__mro__)


class Registry:
    """The shared objects of one run by identity; each entry keeps its object alive.

    `layouts` remembers, from run to run, what objects of a type are made of.
    """

    escaped: Any = Later(dict)  # how many objects each thread has let out
    regions: Any = Later(list)  # first byte, end, name

    def __init__(self, layouts: dict[type, str]) -> None:
        self.names: dict[int, str] = {}
        self.keep: list[Any] = []
        self.layouts = layouts

    def add(self, root: object, name: str) -> None:
        """Register everything that can be reached from `root`."""
        if type(root) in ATOMIC:
            return
        if type(root) is types.FunctionType and _empty(root):
            self.names.setdefault(id(root), name)  # it captures nothing
            self.keep.append(root)
            return
        names, keep, layouts = self.names, self.keep, self.layouts
        todo: list[tuple[Any, str]] = [(root, name)]
        while todo:
            thing, path = todo.pop()
            kind = type(thing)
            if kind in ATOMIC or id(thing) in names:
                continue
            layout = layouts.get(kind)
            if layout is None:
                layout = layouts[kind] = _layout(kind)
            if layout == OBJECT:
                fields = thing.__dict__
                if id(fields) in names:
                    path = names[id(fields)].removesuffix(FIELDS)
                names[id(fields)] = path + FIELDS
                names[id(thing)] = path
                keep.append(thing)
                todo += [(v, f"{path}.{k}") for k, v in reversed(fields.items()) if type(v) not in ATOMIC]
                continue
            if layout == ITEMS:
                names[id(thing)] = path
                keep.append(thing)
                if kind is list:
                    todo += [(v, f"{path}[{i}]") for i, v in enumerate(thing) if type(v) not in ATOMIC][::-1]
                elif thing:
                    todo += _items(thing, path, False)[::-1]
                continue
            if not (isinstance(thing, type) or is_scalar(kind)):
                todo.extend(reversed(self._add_other(thing, path)))

    def _add_other(self, thing: Any, path: str) -> list[tuple[object, str]]:
        """Register an object that is neither plain items nor plain fields; what is below it."""
        fields = fields_of(thing)
        if fields is not None:
            path = self.names.get(id(fields), path).removesuffix(FIELDS)  # two objects of one dictionary are one
            self.names[id(fields)] = path + FIELDS
        self.names[id(thing)] = path
        self.keep.append(thing)
        if package_of(type(thing)) in LIBRARY:
            self._claim(thing, path)
        return children(thing, path, leaves=False)

    def _claim(self, thing: object, path: str) -> None:
        """Note the memory of an array, so that every view of it is known."""
        below = owner(thing)
        if below is not None:
            self.add(below, f"{path}'s memory")
            return
        region = storage(thing) if defines(type(thing), "dtype") else None
        if region is not None and not any(first <= region[0] < end for first, end, _ in self.regions):
            self.regions.append((*region, path))

    def escape(self, value: object, thread: str) -> None:
        """Register an object that `thread` made and has just stored where others can reach it."""
        if type(value) in ATOMIC or id(value) in self.names:
            return
        number = self.escaped[thread] = self.escaped.get(thread, 0) + 1
        self.add(value, f"{thread}'s {type(value).__name__} {number}")


def _layout(kind: type) -> str:
    """How objects of a type are walked through: ITEMS, an OBJECT of a learner's with nothing but fields, or neither."""
    if kind is list or kind is dict:
        return ITEMS
    own = all(is_user_class(base) and package_of(base) not in LIBRARY for base in kind.__mro__[:-1])
    fields = type(lookup(kind, "__dict__")) is types.GetSetDescriptorType and lookup(kind, "__slots__") is None
    plain = type(kind) is type and lookup(kind, "__getattribute__") is object.__getattribute__
    return OBJECT if own and fields and plain else "other"


def children(thing: Any, path: str, leaves: bool = True) -> list[tuple[object, str]]:
    """The objects directly below `thing`, each with its path; without `leaves`, plain values may be left out."""
    kind = type(thing)
    if kind is types.FunctionType:
        return captured(thing)
    if kind in MAPPINGS:
        return _items(thing, path, leaves)
    if kind in SEQUENCES:
        return [(value, f"{path}[{i}]") for i, value in enumerate(thing) if leaves or type(value) not in ATOMIC]
    if kind is set or kind is frozenset:
        return [(value, f"{path}{{{short(value)}}}") for value in thing if leaves or type(value) not in ATOMIC]
    library = _inside(thing, path)
    if kind in (LOCK, RLOCK) or package_of(kind) in MODELLED or is_scalar(kind):
        return library
    if isinstance(thing, asyncio.AbstractEventLoop):
        return []  # the explorer's own loop is one too: below it lie its run, and through a cell's names the kernel
    if not (is_user_class(kind) or kind is types.SimpleNamespace):
        fields = fields_of(thing)
        if fields is not None and not isinstance(thing, (type, types.ModuleType, enum.Enum)):
            library += [(value, f"{path}.{key}") for key, value in fields.items()]
        return library or _held(thing, path)
    if package_of(kind) in LIBRARY:
        return _of_library(thing, path)
    own = vars_of(thing).items()
    found = library + [(value, f"{path}.{key}") for key, value in own if leaves or type(value) not in ATOMIC]
    if isinstance(thing, dict):
        found += _items(thing, path, leaves)
    elif isinstance(thing, (list, collections.deque, tuple)):
        found += [(value, f"{path}[{i}]") for i, value in enumerate(thing)]
    elif not found and not leaves and not hasattr(thing, "__dict__"):
        found = _held(thing, path)
    return found


def _items(thing: dict, path: str, leaves: bool) -> list[tuple[object, str]]:
    """What a mapping holds; objects that serve as keys are reached through it too."""
    pairs = dict.items(thing)
    found = [(value, f"{path}[{short(key)}]") for key, value in pairs if leaves or type(value) not in ATOMIC]
    return found + [(key, f"{path}'s key {short(key)}") for key in dict.keys(thing) if type(key) not in ATOMIC]


def _held(thing: Any, path: str) -> list[tuple[object, str]]:
    """What the garbage collector knows an object written in C to hold: an iterator's list, a cache, a bound object."""
    if isinstance(thing, (type, types.ModuleType, enum.Enum, types.FrameType, types.TracebackType)):
        return [(thing.value, f"{path}.value")] if isinstance(thing, enum.Enum) else []
    skip = (type, types.ModuleType, types.FrameType, types.CodeType)
    held = [value for value in gc.get_referents(thing) if not isinstance(value, skip)]
    return [(value, f"{path}'s {type(value).__name__}") for value in held if not _is_scope(value)]


def _is_scope(value: object) -> bool:
    """True for a module's dictionary."""
    return type(value) is dict and "__builtins__" in value


def _of_library(thing: Any, path: str) -> list[tuple[object, str]]:
    """What an object of numpy or torch holds: modules have fields, arrays of objects have elements."""
    fields = fields_of(thing)
    found = [(value, f"{path}.{key}") for key, value in fields.items()] if fields else []
    kind = getattr(thing.dtype, "kind", "") if defines(type(thing), "dtype") else ""
    if kind == "O" and hasattr(thing, "flat") and thing.size < MOST:
        found += [(value, f"{path}[{i}]") for i, value in enumerate(thing.flat)]
    return found


def _inside(thing: Any, path: str) -> list[tuple[object, str]]:
    """What objects of the standard library hold: a condition's lock, a queue's items, a thread's arguments."""
    if isinstance(thing, threading.Condition):
        return [(vars(thing)["_lock"], path)]
    if isinstance(thing, queue.Queue):
        return [(value, f"{path}[{i}]") for i, value in enumerate(thing.queue)]
    if isinstance(thing, threading.Thread):
        given = (getattr(thing, "_target", None), *getattr(thing, "_args", ()), *getattr(thing, "_kwargs", {}).values())
        return [(value, f"{path}'s argument {i}") for i, value in enumerate(given)]
    if isinstance(thing, functools.partial):
        given = (thing.func, *thing.args, *thing.keywords.values())
        return [(value, f"{path}'s part {i}") for i, value in enumerate(given)]
    if isinstance(thing, types.MethodType):
        return [(thing.__self__, f"{path}.__self__"), (thing.__func__, path)]
    return []


def _empty(function: types.FunctionType) -> bool:
    """True for a function that holds nothing that can change; with defaults only if it is not made on the way."""
    if not (function.__closure__ or function.__defaults__ or function.__kwdefaults__):
        return True
    plain = all(type(value) in ATOMIC for value, _ in captured(function))
    return plain and (function.__closure__ is not None or "<locals>" not in function.__qualname__)


def captured(function: types.FunctionType) -> list[tuple[object, str]]:
    """The objects in a function's closure and its defaults."""
    found = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            if name != "dispatch_cache":  # of functools.singledispatch: answers that it gives again
                found.append((cell.cell_contents, name))
        except ValueError:
            continue
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return found + [(value, f"{function.__name__}'s default {i}") for i, value in enumerate(defaults)]


def vars_of(thing: object) -> dict[str, Any]:
    """The instance's own fields, from its dictionary and its slots, without running any of its code."""
    fields = dict(fields_of(thing) or {})
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


def digest(state: object) -> tuple[tuple[str, str], ...]:
    """Every plain value that can be reached from `state`, with its path: the final state to compare."""
    registry, leaves, todo = set(), [], [(state, type(state).__name__)]
    keep = []
    while todo:
        thing, path = todo.pop()
        if type(thing) in (LOCK, RLOCK) or id(thing) in registry:
            continue
        below = children(thing, path) if type(thing) not in ATOMIC and not isinstance(thing, type) else []
        if below:
            registry.add(id(thing))
            keep.append(thing)
            todo.extend(below)
        else:
            leaves.append((path, short(thing)))
    return tuple(sorted(leaves))

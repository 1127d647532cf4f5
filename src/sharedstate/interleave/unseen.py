"""What a thread does where no step is seen: threads that may touch something shared that way are run, never learned.

A step is an access that the explorer sees. Special methods that Python calls by itself, objects that the run does not
know, and calls that look into objects or act on their own are not steps; `thread.foreign` counts them.
"""

from __future__ import annotations

import abc
import dis
import enum
import functools
import types
from typing import Any

from sharedstate.interleave.state import ATOMIC, CONTAINERS, children, is_user_class, lookup

FOLLOWED = ("__init__", "__new__", "__enter__", "__exit__", "__call__")
PYTHON = (types.FunctionType, property, classmethod, staticmethod)
REPEATABLE = frozenset({
    len, abs, round, divmod, pow, min, max, sum, sorted, ord, chr, bin, hex, oct, repr, ascii, format, any, all, print,
    isinstance, issubclass, callable, type, int, str, float, bool, complex, list, dict, set, tuple, frozenset, bytes,
    bytearray, range, slice, enumerate, zip, reversed, object,
})  # fmt: skip
ASKING = frozenset({isinstance, issubclass, callable, type})
FORMATS = ("format", "format_map")
OWN = (*CONTAINERS, str, bytes, int, float, tuple, frozenset)
ITEMS = (*CONTAINERS, str, bytes, tuple, range)
IMPORT = dis.opmap["IMPORT_FROM"]
VALUES = (int, str, float, bytes, complex)


def special(cls: type) -> bool:
    """True for a class with methods that an operator or a format runs: nobody sees which fields they read."""
    if issubclass(cls, types.SimpleNamespace):
        return True
    if not is_user_class(cls):
        return False
    for base in cls.__mro__[:-1]:
        own = is_user_class(base)
        for name, member in vars(base).items():
            hidden = name.startswith("__") and name.endswith("__") and name not in FOLLOWED
            if hidden and (isinstance(member, PYTHON) or (own and callable(member))):
                return True
    return False


def unclear(run: Any) -> str:
    """Why the threads could do more with what is shared at the start than is seen; empty if they cannot."""
    keep, names = run.registry.keep, run.names
    if any(known_special(run, type(thing)) for thing in keep):
        return "an object has special methods, which read its fields unseen"
    if any(hasattr(type(thing), "__next__") for thing in keep):
        return "an iterator is shared"
    if any(_keyed(thing) for thing in keep if isinstance(thing, dict)):
        return "an object is the key of a dictionary"
    paths = [names[id(thing)] for thing in keep if not isinstance(thing, (types.FunctionType, functools.partial))]
    return "" if len(set(paths)) == len(paths) else "two objects have one name"


def _keyed(thing: dict) -> bool:
    """True for a dictionary with keys that are objects: they are not known as shared."""
    return any(type(key) not in ATOMIC and not isinstance(key, (tuple, enum.Enum)) for key in dict.keys(thing))


def made(run: Any, thread: Any, cls: type) -> None:
    """A thread makes an object of its own: note a class whose methods run unseen."""
    thread.foreign += known_special(run, cls)


def known_special(run: Any, cls: type) -> bool:
    """`special`, worked out once in a program."""
    known = run.program.special.get(cls)
    if known is None:
        known = run.program.special[cls] = special(cls)
    return known


def own(thread: Any, thing: object) -> object:
    """An object that is not shared, whose fields a thread uses; note one that the thread cannot have made itself."""
    thread.foreign += not (is_user_class(type(thing)) or isinstance(thing, BaseException))
    return thing


def field(thread: Any, thing: object, name: str) -> Any:
    """Read a field of an object that is not shared."""
    return getattr(own(thread, thing), name)


def item(run: Any, thread: Any, site: Any, request: tuple) -> Any:
    """Read, write or delete an item of a container that is not shared; note one that the thread cannot have made."""
    thread.foreign += type(request[-2]) not in ITEMS
    return site.perform(run, thread, site, request)


def called(function: Any, receiver: Any, arguments: tuple, keywords: dict) -> bool:
    """True for a call that may answer differently another time, or that looks into what it is given."""
    if not _repeatable(function, receiver):
        return True
    values = (*arguments, *keywords.values())
    if getattr(function, "__name__", "") in FORMATS:
        return any(type(value) not in ATOMIC for value in values)
    if function is print and "file" in keywords:
        return True
    return function not in ASKING and any(map(_acts, values))


def _repeatable(function: Any, receiver: Any) -> bool:
    """True for a builtin that gives the same answer whenever it is asked the same, and looks at nothing else."""
    if isinstance(function, type):
        return type(function) in (type, abc.ABCMeta) and (function in REPEATABLE or _bare(function))
    return type(function) is types.BuiltinFunctionType and (function in REPEATABLE or type(receiver) in OWN)


def _bare(cls: type) -> bool:
    """True for an exception, or a learner's class, of which Python makes an object without running Python code."""
    known = issubclass(cls, BaseException) or (is_user_class(cls) and cls.__new__ is object.__new__)
    python = any(isinstance(lookup(cls, name), types.FunctionType) for name in ("__init__", "__new__"))
    return known and not python and not special(cls)


def _acts(value: object) -> bool:
    """True for an argument that the called function may call or walk through, with code that nobody follows."""
    if type(value) is frozenset:
        return mixed(value)
    if not callable(value):
        return False
    return type(value) not in (types.BuiltinFunctionType, type) or value not in REPEATABLE


def mixed(thing: object) -> bool:
    """True for a set that holds objects: they are in no certain order, and those of a frozenset are not known."""
    return isinstance(thing, (set, frozenset)) and any(type(value) not in ATOMIC for value in thing)


def hidden(run: Any, function: types.FunctionType) -> bool:
    """True if a function captures, has as a default, or imports an object that the run does not know."""
    if IMPORT in function.__code__.co_code[::2]:
        return True
    if function.__closure__ is None and function.__defaults__ is None and function.__kwdefaults__ is None:
        return False
    functions, todo = {id(function)}, [function]
    while todo:
        for value, _ in children(todo.pop(), ""):
            if type(value) is types.FunctionType and id(value) not in functions:
                functions.add(id(value))
                todo.append(value)
            elif type(value) is not types.FunctionType and _stranger(run, value):
                return True
    return False


def _stranger(run: Any, value: object) -> bool:
    """True for an object that the run does not know, and that can change."""
    return type(value) not in ATOMIC and not isinstance(value, type) and id(value) not in run.names


def same(run: Any, thread: Any, site: Any, request: tuple) -> bool:
    """The handler of `a is b`: two values that are equal may be one object in one run and two in another."""
    thread.foreign += type(request[1]) in VALUES and type(request[2]) in VALUES
    return request[1] is request[2]

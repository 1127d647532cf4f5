"""Which functions are followed: a learner's, those of a library that is followed, and what @dataclass wrote."""

from __future__ import annotations

import functools
import types
from typing import Any

from sharedstate.interleave.access.registry import ATOMIC, CONTAINERS, is_user_class, lookup


def follows(run: Any, function: Any) -> bool:
    """True for a Python function that is followed: a learner's, or of a module that is followed."""
    if type(function) in (classmethod, staticmethod):
        function = function.__func__
    return type(function) is types.FunctionType and run.program.twin(function) is not None


def generated(function: Any) -> bool:
    """True for a method that @dataclass wrote: there is no source, and what it does is known."""
    return type(function) is types.FunctionType and function.__code__.co_filename == "<string>"


def own(run: Any, thing: Any, name: str) -> Any:
    """A special method of an object's class that is followed; None if it is not written in Python."""
    kind = type(thing)
    if kind in ATOMIC or kind in CONTAINERS:
        return None
    found = lookup(kind, name)
    return found if follows(run, found) or (generated(found) and hasattr(kind, "__dataclass_fields__")) else None


def is_learner(run: Any, value: Any) -> bool:
    """True for something to be called that is followed."""
    while isinstance(value, (functools.partial, types.MethodType)):
        value = value.func if isinstance(value, functools.partial) else value.__func__
    if isinstance(value, type):
        return is_user_class(value)
    return follows(run, value) or follows(run, lookup(type(value), "__call__"))


def comes_from_learner(run: Any, value: Any) -> bool:
    """True for something to be walked through whose elements a learner's code makes."""
    if type(value) in ATOMIC:
        return False
    if run.lazy_of(value) is not None:
        return True
    return any(own(run, value, name) is not None for name in ("__iter__", "__next__", "__getitem__", "keys"))

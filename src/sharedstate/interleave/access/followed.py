"""Which functions are followed: a learner's, those of a library that is followed, and what @dataclass wrote."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from dataclasses import MISSING
from typing import Any

from sharedstate.interleave.access.models import Script, calling
from sharedstate.interleave.access.registry import ATOMIC, BUILTINS, CONTAINERS, is_user_class, lookup
from sharedstate.interleave.runs.protocol import Run


def follows(run: Run, function: Any) -> bool:
    """True for a Python function that is followed: a learner's, or of a module that is followed."""
    if type(function) in (classmethod, staticmethod):
        function = function.__func__
    return type(function) is types.FunctionType and run.program.twin(function) is not None


def generated(function: Any) -> bool:
    """True for a method that @dataclass wrote: there is no source, and what it does is known."""
    return type(function) is types.FunctionType and function.__code__.co_filename == "<string>"


def own(run: Run, thing: Any, name: str) -> Any:
    """A special method of an object's class that is followed; None if it is not written in Python."""
    kind = type(thing)
    if kind in ATOMIC or kind in CONTAINERS:
        return None
    found = lookup(kind, name)
    return found if follows(run, found) or (generated(found) and hasattr(kind, "__dataclass_fields__")) else None


def is_learner(run: Run, value: Any) -> bool:
    """True for something to be called that is followed."""
    while isinstance(value, (functools.partial, types.MethodType)):
        value = value.func if isinstance(value, functools.partial) else value.__func__
    if isinstance(value, type):
        return is_user_class(value)
    return follows(run, value) or follows(run, lookup(type(value), "__call__"))


def enters(run: Run, function: Any) -> bool:
    """True for something to be called that is followed, or that looks into an object: a bound method, a getter."""
    while isinstance(function, functools.partial):
        function = function.func
    if isinstance(function, (operator.attrgetter, operator.itemgetter, operator.methodcaller)):
        return True
    receiver = getattr(function, "__self__", None)
    bound = type(function) in (types.MethodWrapperType, *BUILTINS) and type(receiver) not in ATOMIC
    return bound or is_learner(run, function)


def comes_from_learner(run: Run, value: Any) -> bool:
    """True for something to be walked through whose elements a learner's code makes."""
    if type(value) in ATOMIC:
        return False
    if run.lazy_of(value) is not None:
        return True
    return any(own(run, value, name) is not None for name in ("__iter__", "__next__", "__getitem__", "keys"))


# -- what @dataclass wrote -----------------------------------------------------------------------------


def generated_comparison(run: Run, cls: type, method: str, one: Any, other: Any) -> Script | None:
    """A comparison that @dataclass wrote: field by field; None for any other."""
    if not generated(lookup(cls, method)) or not hasattr(cls, "__dataclass_fields__"):
        return None
    names = [field.name for field in cls.__dataclass_fields__.values() if field.compare]
    return _compare_fields(run, method, one, other, names)


def _compare_fields(run: Run, method: str, one: Any, other: Any, names: list[str]) -> Script:
    if type(other) is not type(one):
        return NotImplemented
    both = []
    for thing in (one, other):
        found = []
        for name in names:
            found.append((yield calling(run, getattr, (thing, name))))
        both.append(tuple(found))
    return (yield calling(run, getattr(operator, method), tuple(both)))


def dataclass_repr(thing: Any) -> bool:
    """True for an object whose text @dataclass wrote."""
    found = lookup(type(thing), "__repr__")
    return hasattr(type(thing), "__dataclass_fields__") and generated(getattr(found, "__wrapped__", None))


def fields_text(run: Run, thing: Any) -> Script:
    """The text that @dataclass wrote: field by field."""
    parts = []
    for field in type(thing).__dataclass_fields__.values():
        if field.repr and field._field_type.name == "_FIELD":
            value = yield calling(run, getattr, (thing, field.name))
            parts.append(f"{field.name}={(yield calling(run, repr, (value,)))}")
    return f"{type(thing).__qualname__}({', '.join(parts)})"


def dataclass_init(run: Run, cls: Any, args: tuple, keywords: dict) -> Script:
    """What a dataclass's `__init__` does: fields in their order, factories and `__post_init__` called."""
    made = cls.__new__(cls)
    bound = _signature(cls.__init__, made, args, keywords)
    given = []
    for field in cls.__dataclass_fields__.values():
        kind = field._field_type
        if kind.name == "_FIELD_CLASSVAR":
            continue
        if not field.init and field.default_factory is MISSING:
            continue
        if field.name in bound:
            value = bound[field.name]
        elif field.default_factory is not MISSING:
            value = yield calling(run, field.default_factory)
        else:
            value = field.default
        if kind.name == "_FIELD_INITVAR":
            given.append(value)
        else:
            yield calling(run, object.__setattr__, (made, field.name, value))
    if hasattr(cls, "__post_init__"):
        yield calling(run, cls.__post_init__, (made, *given))
    return made


def _signature(init: Any, made: Any, args: tuple, keywords: dict) -> dict:
    """The arguments by name. Raises TypeError as the call itself would."""
    return dict(inspect.signature(init).bind(made, *args, **keywords).arguments)

"""Methods that @dataclass wrote: they have no source, and what they do is known."""

from __future__ import annotations

import dataclasses
import inspect
import operator
import types
from collections.abc import Iterator
from typing import Any

from sharedstate.interleave.access.models import Script, calling
from sharedstate.interleave.access.registry import lookup


def generated(function: Any) -> bool:
    """True for a method that @dataclass wrote: there is no source, and what it does is known."""
    return type(function) is types.FunctionType and function.__code__.co_filename == "<string>"


def generated_special(thing: Any, name: str, found: Any) -> bool:
    """True for a comparison or a text that @dataclass wrote."""
    return generated(found) and hasattr(type(thing), "__dataclass_fields__")


def generated_comparison(run: Any, cls: type, method: str, one: Any, other: Any) -> Script | None:
    """A comparison that @dataclass wrote: field by field; None for any other."""
    if not generated(lookup(cls, method)) or not hasattr(cls, "__dataclass_fields__"):
        return None
    names = [field.name for field in cls.__dataclass_fields__.values() if field.compare]
    return _compare_fields(run, method, one, other, names)


def _compare_fields(run: Any, method: str, one: Any, other: Any, names: list[str]) -> Iterator[Any]:
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


def fields_text(run: Any, thing: Any) -> Iterator[Any]:
    """The text that @dataclass wrote: field by field."""
    parts = []
    for field in type(thing).__dataclass_fields__.values():
        if field.repr and field._field_type is dataclasses._FIELD:
            value = yield calling(run, getattr, (thing, field.name))
            parts.append(f"{field.name}={(yield calling(run, repr, (value,)))}")
    return f"{type(thing).__qualname__}({', '.join(parts)})"


def dataclass_init(run: Any, cls: type, args: tuple, keywords: dict) -> Iterator[Any]:
    """What a dataclass's `__init__` does: fields in their order, factories and `__post_init__` called."""
    made = cls.__new__(cls)
    bound = _signature(cls.__init__, made, args, keywords)
    given = []
    for field in cls.__dataclass_fields__.values():
        kind = field._field_type
        if kind is dataclasses._FIELD_CLASSVAR:
            continue
        if not field.init and field.default_factory is dataclasses.MISSING:
            continue
        if field.name in bound:
            value = bound[field.name]
        elif field.default_factory is not dataclasses.MISSING:
            value = yield calling(run, field.default_factory)
        else:
            value = field.default
        if kind is dataclasses._FIELD_INITVAR:
            given.append(value)
        else:
            yield calling(run, object.__setattr__, (made, field.name, value))
    if hasattr(cls, "__post_init__"):
        yield calling(run, cls.__post_init__, (made, *given))
    return made


def _signature(init: Any, made: Any, args: tuple, keywords: dict) -> dict:
    """The arguments by name. Raises TypeError as the call itself would."""
    return dict(inspect.signature(init).bind(made, *args, **keywords).arguments)

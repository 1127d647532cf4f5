"""Methods that @dataclass wrote: they have no source, and what they do is known."""

from __future__ import annotations

import inspect
import operator
from dataclasses import MISSING
from typing import Any

from sharedstate.interleave.access.followed import generated
from sharedstate.interleave.access.models import Script, calling
from sharedstate.interleave.access.registry import lookup
from sharedstate.interleave.runs.protocol import Run


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

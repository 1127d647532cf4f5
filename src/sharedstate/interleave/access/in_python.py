"""Where a builtin written in Python stands in for the builtin: where a learner's code would run inside it."""

from __future__ import annotations

import array
import bisect
import collections
import functools
import heapq
import importlib.util
import itertools
import math
import re
import sys
import types
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import operators, places, python_text
from sharedstate.interleave.access import python_builtins as builtin
from sharedstate.interleave.access.followed import comes_from_learner, is_learner
from sharedstate.interleave.access.models import Op, Script, answer, calling
from sharedstate.interleave.access.registry import ATOMIC
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sites import Dropped

# Builtins that are followed, written in Python, where a learner's code would run inside them.
IN_PYTHON = MappingProxyType({
    print: python_text.print_,
    **{function: getattr(builtin, f"{function.__name__}_") for function in (
        list, tuple, set, frozenset, dict, sum, any, all, map, filter, enumerate, zip, sorted, min, max,
        functools.reduce, itertools.accumulate, itertools.takewhile, itertools.dropwhile, itertools.starmap,
        itertools.filterfalse, itertools.chain, itertools.islice, itertools.groupby, functools.cmp_to_key,
    )},
})  # fmt: skip
METHODS_IN_PYTHON = MappingProxyType({
    list: ("sort", "extend", "index", "count", "remove"), tuple: ("index", "count"),
    str: ("join", "format", "format_map"), set: ("update",), collections.deque: ("extend",), re.Pattern: ("sub",),
})  # fmt: skip


def _without_c(name: str) -> types.ModuleType:
    """A module of the standard library as it is written in Python, without the part in C that replaces it."""
    spec = importlib.util.find_spec(name)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    hidden = sys.modules.get("_" + name)
    sys.modules["_" + name] = None  # type: ignore[assignment]
    try:
        spec.loader.exec_module(module)  # type: ignore[union-attr]
    finally:
        if hidden is None:
            del sys.modules["_" + name]
        else:
            sys.modules["_" + name] = hidden
    return module


def _ordering() -> dict[Any, Any]:
    """The functions of `heapq` and `bisect` in C, each with its form in Python: they compare elements."""
    found = {}
    for module in (heapq, bisect):
        plain = _without_c(module.__name__)
        for name, value in vars(module).items():
            if type(value) is types.BuiltinFunctionType and type(getattr(plain, name, None)) is types.FunctionType:
                found[value] = getattr(plain, name)
    return found


ORDERING = MappingProxyType(_ordering())
COLLECTIONS = (list, tuple, set, frozenset, dict, bytes, bytearray, collections.deque, array.array)
WALKERS = frozenset({math.fsum, math.prod, dict.fromkeys, collections.OrderedDict.fromkeys, bytes.join})
WALKING_METHODS = frozenset(
    "__init__ extend extendleft update union intersection difference symmetric_difference intersection_update "
    "difference_update symmetric_difference_update issubset issuperset isdisjoint fromlist fromkeys join".split()
)

SPECIAL = operators.EQUALITY | operators.TEXT | {"__add__", "__radd__", "__bool__", "__len__"}


def stand_in(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Script | None:
    """The Python form of a builtin, where a learner's code would run inside it; the builtin itself elsewhere."""
    if function in ORDERING:
        inside = any(is_learner(run, value) for value in keywords.values() if callable(value))
        held = places.specials(args, operators.EQUALITY) is not None
        return answer(calling(run, ORDERING[function], args, keywords)) if inside or held else None
    stand = IN_PYTHON.get(function)
    things = args
    if stand is None and receiver is not None:
        name = function.__name__
        if any(isinstance(receiver, cls) and name in names for cls, names in METHODS_IN_PYTHON.items()):
            home = python_text if isinstance(receiver, (str, re.Pattern)) else builtin
            stand = builtin.sorted_ if name == "sort" else getattr(home, f"{name}_")
        things = (receiver, *args)
    if stand is None:
        walks = _walks(function, receiver) and any(comes_from_learner(run, value) for value in args)
        return drain(run, function, args, keywords) if walks else None
    inside = any(is_learner(run, value) for value in (*args, *keywords.values()) if callable(value))
    walked = any(comes_from_learner(run, value) for value in things)
    special = function in (sorted, min, max, sum, any, all, print) or receiver is not None
    held = special and places.specials((*things, *keywords.values()), SPECIAL) is not None
    if stand in (python_text.format_, python_text.format_map_):  # a field of the text may name attributes and items
        held = any(type(value) not in ATOMIC for value in (*args, *keywords.values()))
    if not (inside or walked or held):
        return None
    if function in (list, tuple, set, frozenset, dict, print) and not walked and not held and receiver is None:
        return None
    if stand is builtin.sorted_ and isinstance(receiver, list):
        return _sorting(run, things[0], keywords)
    if function in (sorted, min, max, sum) and things and type(things[0]) in (set, frozenset):
        things = (_settled(run, things[0]), *things[1:])
    return answer(calling(run, stand, things, keywords))


def _sorting(run: Run, elements: Any, keywords: dict) -> Script:
    """list.sort(): the list is empty meanwhile. Raises ValueError if somebody has put something in."""
    kept: list[Any] = []

    def away() -> list:
        kept[:] = list.__iter__(elements)
        run.changed(run.running)
        list.clear(elements)
        return kept

    def back() -> None:
        modified = list.__len__(elements) > 0
        list.__setitem__(elements, slice(None), kept)
        run.changed(run.running)
        if modified:
            raise ValueError("list modified during sort")

    touched = places.whole(run, elements, True)
    said = f"{places.name_of(run, elements) or 'list'}.sort"
    yield Op("write", said, away, touched=touched, at_once=not touched)
    try:
        kept[:] = yield calling(run, builtin.sorted_, (kept,), keywords)
    except Dropped:
        raise
    except BaseException:
        put_back = lambda: list.__setitem__(elements, slice(None), kept)  # noqa: E731
        yield Op("write", said, put_back, touched=touched, at_once=not touched)
        raise
    yield Op("write", said, back, touched=touched, at_once=not touched)


def _settled(run: Run, elements: Any) -> list:
    """The elements of a set in an order that is the same in every run, for a call that does not depend on it."""
    names = run.names
    return sorted(elements, key=lambda thing: (names.get(id(thing), ""), str(thing) if type(thing) in ATOMIC else ""))


def _walks(function: Any, receiver: Any) -> bool:
    """True for library code that takes the elements of what it is given, all of them and nothing else of it."""
    if isinstance(function, type):
        return issubclass(function, COLLECTIONS)
    return function in WALKERS or (isinstance(receiver, COLLECTIONS) and function.__name__ in WALKING_METHODS)


def drain(run: Run, function: Any, args: tuple, keywords: dict) -> Script:
    """Elements that a learner's code makes are taken first; then the call is made with a list of them."""
    given = []
    kind = function if isinstance(function, type) else type(getattr(function, "__self__", None))
    for value in args:
        if comes_from_learner(run, value):
            paired = issubclass(kind, dict) and hasattr(value, "keys")
            value = yield calling(run, builtin.dict_ if paired else builtin.list_, (value,))
        given.append(value)
    return (yield calling(run, function, tuple(given), keywords))

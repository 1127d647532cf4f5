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
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import calls, operators, places, python_builtins
from sharedstate.interleave.access.models import Script, calling
from sharedstate.interleave.access.registry import ATOMIC, is_user_class, lookup

# Builtins that are followed, written in Python, where a learner's code would run inside them.
IN_PYTHON = MappingProxyType({
    list: "list_", tuple: "tuple_", set: "set_", frozenset: "frozenset_", dict: "dict_", sum: "sum_", any: "any_",
    all: "all_", map: "map_", filter: "filter_", enumerate: "enumerate_", zip: "zip_", sorted: "sorted_", min: "min_",
    max: "max_", functools.reduce: "reduce_", print: "print_", itertools.accumulate: "accumulate_",
    itertools.takewhile: "takewhile_", itertools.dropwhile: "dropwhile_", itertools.starmap: "starmap_",
    itertools.filterfalse: "filterfalse_", itertools.chain: "chain_", itertools.islice: "islice_",
})  # fmt: skip
METHODS_IN_PYTHON = MappingProxyType({
    (list, "sort"): "sort_", (list, "extend"): "extend_", (list, "index"): "index_", (list, "count"): "count_",
    (list, "remove"): "remove_", (str, "join"): "join_", (collections.deque, "extend"): "extend_",
    (set, "update"): "update_", (re.Pattern, "sub"): "sub_", (str, "format"): "format_",
    (str, "format_map"): "format_map_",
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


def python(name: str) -> Any:
    """A function of the module of builtins written in Python."""
    return getattr(python_builtins, name)


def is_learner(run: Any, value: Any) -> bool:
    """True for something to be called that is followed."""
    while isinstance(value, (functools.partial, types.MethodType)):
        value = value.func if isinstance(value, functools.partial) else value.__func__
    if isinstance(value, type):
        return is_user_class(value)
    return calls.follows(run, value) or calls.follows(run, lookup(type(value), "__call__"))


def comes_from_learner(run: Any, value: Any) -> bool:
    """True for something to be walked through whose elements a learner's code makes."""
    if type(value) in ATOMIC:
        return False
    if run.lazy_of(value) is not None:
        return True
    return any(operators.own(run, value, name) is not None for name in ("__iter__", "__next__", "__getitem__", "keys"))


def stand_in(run: Any, function: Any, receiver: Any, args: tuple, keywords: dict) -> Script | None:
    """The Python form of a builtin, where a learner's code would run inside it; the builtin itself elsewhere."""
    if function in ORDERING:
        inside = any(is_learner(run, value) for value in keywords.values() if callable(value))
        held = places.specials(args, operators.EQUALITY) is not None
        return _called(run, ORDERING[function], args, keywords) if inside or held else None
    name = IN_PYTHON.get(function)
    things = args
    if name is None and receiver is not None:
        name = next((n for (cls, called), n in METHODS_IN_PYTHON.items()
                     if called == function.__name__ and isinstance(receiver, cls)), None)  # fmt: skip
        things = (receiver, *args)
    if name is None:
        walks = _walks(function, receiver) and any(comes_from_learner(run, value) for value in args)
        return drain(run, function, args, keywords) if walks else None
    inside = any(is_learner(run, value) for value in (*args, *keywords.values()) if callable(value))
    walked = any(comes_from_learner(run, value) for value in things)
    special = function in (sorted, min, max, sum, any, all, print) or receiver is not None
    held = special and places.specials((*things, *keywords.values()), SPECIAL) is not None
    if name in ("format_", "format_map_"):  # a field of the text may name attributes and items
        held = any(type(value) not in ATOMIC for value in (*args, *keywords.values()))
    if not (inside or walked or held):
        return None
    if function in (list, tuple, set, frozenset, dict, print) and not walked and not held and receiver is None:
        return None
    if function in (sorted, min, max, sum) and things and type(things[0]) in (set, frozenset):
        things = (_settled(run, things[0]), *things[1:])
    return _called(run, python(name), things, keywords)


def _settled(run: Any, elements: Any) -> list:
    """The elements of a set in an order that is the same in every run, for a call that does not depend on it."""
    names = run.names
    return sorted(elements, key=lambda thing: (names.get(id(thing), ""), str(thing) if type(thing) in ATOMIC else ""))


def _walks(function: Any, receiver: Any) -> bool:
    """True for library code that takes the elements of what it is given, all of them and nothing else of it."""
    if isinstance(function, type):
        return issubclass(function, COLLECTIONS)
    return function in WALKERS or (isinstance(receiver, COLLECTIONS) and function.__name__ in WALKING_METHODS)


def _called(run: Any, function: Any, args: tuple, keywords: dict) -> Iterator[Any]:
    return (yield calling(run, function, args, keywords))


def drain(run: Any, function: Any, args: tuple, keywords: dict) -> Iterator[Any]:
    """Elements that a learner's code makes are taken first; then the call is made with a list of them."""
    given = []
    for value in args:
        given.append((yield calling(run, python("list_"), (value,))) if comes_from_learner(run, value) else value)
    return (yield calling(run, function, tuple(given), keywords))

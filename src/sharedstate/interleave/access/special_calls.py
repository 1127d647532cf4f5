"""Library calls that may enter a learner's code, wait, or mean something else under the explorer."""

from __future__ import annotations

import __future__
import array
import asyncio
import builtins
import collections
import concurrent.futures
import contextvars
import functools
import itertools
import math
import operator
import queue
import re
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import (
    calls,
    children,
    lazy,
    operators,
    places,
    pools,
    python_builtins,
    queues,
    waiting,
)
from sharedstate.interleave.access.models import Op, Script, calling, same
from sharedstate.interleave.access.registry import ATOMIC, defines, is_user_class, lookup
from sharedstate.interleave.sites import NotModelled

MODELLED = MappingProxyType({**waiting.MODELS, **queues.MODELS, **children.MODELS, **pools.MODELS})
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
    (set, "update"): "update_", (re.Pattern, "sub"): "sub_",
})  # fmt: skip
TAKES_FUNCTION = (map, filter, sorted, min, max, functools.reduce, itertools.accumulate, itertools.takewhile,
                  itertools.dropwhile, itertools.starmap, itertools.filterfalse)  # fmt: skip
OPERATORS = MappingProxyType({
    operator.add: "Add", operator.sub: "Sub", operator.mul: "Mult", operator.truediv: "Div",
    operator.floordiv: "FloorDiv", operator.mod: "Mod", operator.pow: "Pow", operator.lshift: "LShift",
    operator.rshift: "RShift", operator.and_: "BitAnd", operator.or_: "BitOr", operator.xor: "BitXor",
    operator.matmul: "MatMult", operator.concat: "Add",
})  # fmt: skip
INPLACE = MappingProxyType({
    operator.iadd: "Add", operator.isub: "Sub", operator.imul: "Mult", operator.itruediv: "Div",
    operator.ifloordiv: "FloorDiv", operator.imod: "Mod", operator.ipow: "Pow", operator.ilshift: "LShift",
    operator.irshift: "RShift", operator.iand: "BitAnd", operator.ior: "BitOr", operator.ixor: "BitXor",
    operator.iconcat: "Add",
})  # fmt: skip
COMPARISONS = MappingProxyType({
    operator.eq: "Eq", operator.ne: "NotEq", operator.lt: "Lt", operator.le: "LtE", operator.gt: "Gt",
    operator.ge: "GtE",
})  # fmt: skip
ITEMS = MappingProxyType({
    operator.getitem: ("get_item", (0, 1)), operator.setitem: ("set_item", (2, 0, 1)), operator.delitem: ("del_item", (0, 1)),
    operator.contains: ("contains", (1, 0)), operator.truth: ("truth", (0,)),
})  # fmt: skip
ONE_METHOD = MappingProxyType({
    len: "__len__", abs: "__abs__", hash: "__hash__", round: "__round__", int: "__int__", float: "__float__",
    complex: "__complex__", bytes: "__bytes__", dir: "__dir__", operator.index: "__index__",
    reversed: "__reversed__", chr: "__index__", bin: "__index__", hex: "__index__", oct: "__index__",
})  # fmt: skip
FIELDS = MappingProxyType({getattr: ("read", 2), setattr: ("write", 3), delattr: ("delete", 2)})
OBJECT = MappingProxyType({
    object.__getattribute__: "read", object.__setattr__: "write", object.__delattr__: "delete",
    type.__setattr__: "write", type.__getattribute__: "read", type.__delattr__: "delete",
})  # fmt: skip
RAW = MappingProxyType({"__getattribute__": ("read", 0), "__setattr__": ("write", 1), "__delattr__": ("delete", 1)})
FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
FRAMES = ("locals", "globals", "vars", "dir", "eval", "exec", "compile", "_getframe", "_getframemodulename")


def find(run: Any, thread: Any, site: Any, function: Any, arguments: tuple, keywords: dict) -> Script | None:
    """The script to play in place of a call; None for other calls."""
    receiver = getattr(function, "__self__", None)
    plain = getattr(function, "__func__", function)
    if type(plain) is types.FunctionType and plain in MODELLED:
        given = (receiver, *arguments) if plain is not function else arguments
        return MODELLED[plain](run, thread, *given, **keywords)
    if isinstance(receiver, queue.SimpleQueue):
        return queues.simple(run, thread, receiver, function.__name__, arguments, keywords)
    made = lazy.method(run, thread, site, function, receiver, arguments)
    if made is not None:
        return made
    if type(function) is types.BuiltinFunctionType or isinstance(function, type):
        return _builtin(run, thread, site, function, receiver, arguments, keywords)
    if type(function) is types.MethodWrapperType:
        return _wrapper(run, site, function, receiver, arguments)
    if isinstance(function, (operator.attrgetter, operator.itemgetter, operator.methodcaller)):
        return _getter(run, site, function, arguments)
    return None


def _builtin(run: Any, thread: Any, site: Any, function: Any, receiver: Any, args: tuple, keywords: dict) -> Script | None:
    """A builtin function or type, or a method written in C."""
    if isinstance(receiver, contextvars.Context) and function.__name__ == "run" and args:
        return _in_context(run, thread, receiver, args, keywords)
    try:
        hash(function)
    except TypeError:
        return None
    if function in (sys.setrecursionlimit, sys.getrecursionlimit):
        return _depth(run, thread, function, args)
    if function in FIELDS and len(args) == FIELDS[function][1] and isinstance(args[1], str):
        return _field(run, site, FIELDS[function][0], args)
    if function in (getattr, hasattr) and len(args) >= 2 and isinstance(args[1], str):
        return _field_or(run, site, function, *args)
    for table, op in ((OPERATORS, "binary"), (INPLACE, "combine"), (COMPARISONS, "compare")):
        if function in table and len(args) == 2:
            return _asked(run, site, op, table[function], args)
    if function in ITEMS:
        op, order = ITEMS[function]
        return _asked(run, site, op, "", tuple(args[i] for i in order)) if len(args) == len(order) else None
    if function is next and len(args) in (1, 2) and not keywords:
        return lazy.next_(run, site, *args)
    if function is iter and len(args) in (1, 2) and not keywords:
        return lazy.iter_(run, site, args)
    if function is bool and len(args) == 1 and not keywords:
        return _asked(run, site, "truth", "", args)
    if function in (str, repr, ascii) and len(args) == 1 and not keywords:
        return operators.text(run, site, args[0], function) if type(args[0]) not in ATOMIC else None
    if function is format and args:
        return operators.format_text(run, site, args[0], args[1] if len(args) > 1 else "")
    if function is divmod and len(args) == 2:
        both = operators.own(run, args[0], "__divmod__"), operators.own(run, args[1], "__rdivmod__")
        return operators.both_ways(run, "DivMod", *args) if any(both) else None
    if function in (isinstance, issubclass) and len(args) == 2:
        return _class_check(run, function, *args)
    if function in ONE_METHOD and args:
        return _one_method(run, site, function, args)
    if function in (vars,) and len(args) == 1 and not isinstance(args[0], (type, types.ModuleType)):
        return _field(run, site, "read", (args[0], "__dict__"))
    if isinstance(receiver, type) and function.__name__ == "__init_subclass__":
        return None
    return _in_python(run, function, receiver, args, keywords)


def _depth(run: Any, thread: Any, function: Any, args: tuple) -> Iterator[Any]:
    """The recursion limit is that of the learner's own calls; the explorer's are none of them."""
    key = (("the recursion limit", places.WHOLE),)
    if function is sys.getrecursionlimit:
        limit = lambda: run.recursion or sys.getrecursionlimit(*args)  # noqa: E731
        return (yield Op("read", key[0][0], limit, keys=key, mode=0, show=int))

    def action() -> None:
        (wanted,) = map(operator.index, args)
        if wanted < 1:
            raise ValueError("recursion limit must be greater or equal than 1")
        if len(thread.stack) >= wanted:
            depth = f"at the recursion depth {len(thread.stack)}: the limit is too low"
            raise RecursionError(f"cannot set the recursion limit to {wanted} {depth}")
        run.recursion = wanted

    return (yield Op("write", key[0][0], action, keys=key))


def _asked(run: Any, site: Any, op: str, name: str, operands: tuple) -> Iterator[Any]:
    """A function that is what an operator is."""
    return (yield (run.program.derived(site, op, name).index, *operands))


def _field(run: Any, site: Any, op: str, args: tuple) -> Iterator[Any]:
    """getattr(), setattr() and delattr() are what they name: an access to a field."""
    return (yield (run.program.derived(site, op, args[1]).index, *args[2:], args[0]))


def _field_or(run: Any, site: Any, function: Any, thing: Any, name: str, default: Any = False) -> Iterator[Any]:
    """getattr() with a default, and hasattr(): a read that may fail."""
    try:
        value = yield (run.program.derived(site, "read", name).index, thing)
    except AttributeError:
        return default
    return value if function is getattr else True


def _one_method(run: Any, site: Any, function: Any, args: tuple) -> Script | None:
    """A builtin that is one special method of its argument."""
    thing, name = args[0], ONE_METHOD[function]
    if name == "__index__" and issubclass(type(thing), int):
        return None  # it is a whole number already, whatever its class says
    found = operators.own(run, thing, name)
    if function is int and not defines(type(thing), "__int__") and not defines(type(thing), "__trunc__"):
        found = operators.own(run, thing, "__index__")
    if function is reversed and not defines(type(thing), "__reversed__") and operators.own(run, thing, "__getitem__"):
        return _one(run, python("reversed_"), args, None)
    if found is None:
        return None
    checked = None if function in (abs, reversed) else same_as(function, type(thing), name, args[1:])
    return _one(run, found, args, checked)


def _one(run: Any, found: Any, args: tuple, convert: Callable | None) -> Iterator[Any]:
    value = yield calling(run, found, args)
    return value if convert is None else convert(value)


def _class_check(run: Any, function: Any, thing: Any, cls: Any) -> Script | None:
    """isinstance() and issubclass() of a class whose metaclass, a learner's, has a word in it."""
    name = "__instancecheck__" if function is isinstance else "__subclasscheck__"
    if (function is isinstance and type(thing) is cls) or operators.own(run, cls, name) is None:
        return None
    return _one(run, lookup(type(cls), name), (cls, thing), bool)


def same_as(function: Any, cls: type, name: str, rest: tuple) -> Callable[[Any], Any]:
    """What a builtin makes of the value that a special method gave: the checks and errors are its own."""

    def convert(value: Any) -> Any:
        stand_in = type(cls.__name__, (), {name: lambda self, *given: value})
        return function(stand_in(), *rest)

    return convert


def _wrapper(run: Any, site: Any, function: Any, receiver: Any, args: tuple) -> Script | None:
    """object.__setattr__ and its kin: what their names say, past the class's own hooks."""
    name = function.__name__
    known = run.names.get(id(receiver))
    if name in RAW and function.__objclass__ is object and args and isinstance(args[0], str) and known:
        return _raw(run, function, known, receiver, args)
    if name == "__call__" and isinstance(receiver, type):
        return _instance(run, site, receiver, args)
    if name == "__str__" and function.__objclass__ is object and operators.own(run, receiver, "__repr__") is not None:
        return operators.text(run, site, receiver, repr)
    if name in ("__init__", "extend") and args and isinstance(receiver, (list, set, collections.deque, dict)):
        if comes_from_learner(run, args[0]):
            return _drain(run, function, args, {})
    return None


def _raw(run: Any, function: Any, known: str, receiver: Any, args: tuple) -> Iterator[Any]:
    """object.__setattr__ and its kin on a shared object: an access to the field, past the class's own hooks."""
    kind, mode = RAW[function.__name__]

    def action() -> Any:
        value = function(*args)
        if mode:
            run.changed(run.running, args[1] if len(args) > 1 else None)
        else:
            run.learn(value, f"{known}.{args[0]}")
        return value

    show = (lambda _: args[1]) if kind == "write" else same
    return (yield Op(kind, f"{known}.{args[0]}", action, touched=[((known, args[0]), mode)], show=show))


def _instance(run: Any, site: Any, cls: type, args: tuple) -> Iterator[Any]:
    """`super().__call__(…)` in a metaclass: makes the object."""
    return (yield (run.program.derived(site, "instance", "").index, cls, args, {}))


def _getter(run: Any, site: Any, function: Any, args: tuple) -> Script | None:
    """attrgetter, itemgetter and methodcaller objects."""
    kind, given = function.__reduce__()
    if len(args) != 1:
        return None
    if isinstance(function, operator.attrgetter):
        return _all_attributes(run, site, args[0], given)
    if isinstance(function, operator.itemgetter):
        return _all_items(run, site, args[0], given)
    if kind is operator.methodcaller:
        return _method(run, site, args[0], given[0], given[1:], {})
    return _method(run, site, args[0], kind.args[0], given, kind.keywords)


def _all_attributes(run: Any, site: Any, thing: Any, names: tuple) -> Iterator[Any]:
    found = []
    for path in names:
        value = thing
        for name in path.split("."):
            value = yield (run.program.derived(site, "read", name).index, value)
        found.append(value)
    return found[0] if len(found) == 1 else tuple(found)


def _all_items(run: Any, site: Any, thing: Any, keys: tuple) -> Iterator[Any]:
    place, found = run.program.derived(site, "get_item", "").index, []
    for key in keys:
        found.append((yield (place, thing, key)))
    return found[0] if len(found) == 1 else tuple(found)


def _method(run: Any, site: Any, thing: Any, name: str, args: tuple, keywords: dict) -> Iterator[Any]:
    return (yield (run.program.derived(site, "method", name).index, thing, tuple(args), keywords))


# -- builtins written in Python ------------------------------------------------------------------------


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


def _in_python(run: Any, function: Any, receiver: Any, args: tuple, keywords: dict) -> Script | None:
    """The Python form of a builtin, where a learner's code would run inside it; the builtin itself elsewhere."""
    name = IN_PYTHON.get(function)
    things = args
    if name is None and receiver is not None:
        name = next((n for (cls, called), n in METHODS_IN_PYTHON.items()
                     if called == function.__name__ and isinstance(receiver, cls)), None)  # fmt: skip
        things = (receiver, *args)
    if name is None:
        walks = _walks(function, receiver) and any(comes_from_learner(run, value) for value in args)
        return _drain(run, function, args, keywords) if walks else None
    inside = any(is_learner(run, value) for value in (*args, *keywords.values()) if callable(value))
    walked = any(comes_from_learner(run, value) for value in things)
    special = function in (sorted, min, max, sum, any, all, print) or receiver is not None
    held = special and places.specials((*things, *keywords.values()), SPECIAL) is not None
    if not (inside or walked or held):
        return None
    if function in (list, tuple, set, frozenset, dict) or receiver is not None or function is print:
        if not walked and not held and receiver is None:
            return None
    if function in (sorted, min, max, sum) and things and type(things[0]) in (set, frozenset):
        things = (_settled(run, things[0]), *things[1:])
    return _called(run, python(name), things, keywords)


def _settled(run: Any, elements: Any) -> list:
    """The elements of a set in an order that is the same in every run, for a call whose result does not depend on it."""
    names = run.names
    return sorted(elements, key=lambda thing: (names.get(id(thing), ""), str(thing) if type(thing) in ATOMIC else ""))


def _walks(function: Any, receiver: Any) -> bool:
    """True for library code that takes the elements of what it is given, all of them and nothing else of it."""
    if isinstance(function, type):
        return issubclass(function, COLLECTIONS)
    return function in WALKERS or (isinstance(receiver, COLLECTIONS) and function.__name__ in WALKING_METHODS)


COLLECTIONS = (list, tuple, set, frozenset, dict, bytes, bytearray, collections.deque, array.array)
WALKERS = frozenset({math.fsum, math.prod, dict.fromkeys, collections.OrderedDict.fromkeys, bytes.join})
WALKING_METHODS = frozenset(
    "__init__ extend extendleft update union intersection difference symmetric_difference intersection_update "
    "difference_update symmetric_difference_update issubset issuperset isdisjoint fromlist fromkeys join".split()
)
SPECIAL = operators.EQUALITY | operators.TEXT | {"__add__", "__radd__", "__bool__", "__len__"}


def _called(run: Any, function: Any, args: tuple, keywords: dict) -> Iterator[Any]:
    return (yield calling(run, function, args, keywords))


def _drain(run: Any, function: Any, args: tuple, keywords: dict) -> Iterator[Any]:
    """Elements that a learner's code makes are taken first; then the call is made with a list of them."""
    given = []
    for value in args:
        given.append((yield calling(run, python("list_"), (value,))) if comes_from_learner(run, value) else value)
    return (yield calling(run, function, tuple(given), keywords))


# -- classes whose methods are generated ---------------------------------------------------------------


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
    symbol = {"__eq__": operator.eq, "__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt, "__ge__": operator.ge}
    return (yield calling(run, symbol[method], tuple(both)))


def dataclass_init(run: Any, cls: type, args: tuple, keywords: dict) -> Iterator[Any]:
    """What a dataclass's `__init__` does: fields in their order, factories and `__post_init__` called."""
    import dataclasses

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
    import inspect

    return dict(inspect.signature(init).bind(made, *args, **keywords).arguments)


# -- things that mean something else here --------------------------------------------------------------


def at_once(run: Any, thread: Any, function: Any, args: tuple, keywords: dict) -> tuple | None:
    """The result (as a tuple of one) of a call that means something else under the explorer; None for others."""
    if function is time.sleep:
        return (None,)
    if function is threading.get_ident or function is threading.get_native_id:
        return (1 if run.asynchronous else thread.index + 1,)
    if function is threading.current_thread and thread.thing is not None:
        return (thread.thing,)
    if function is threading.current_thread or function is threading.main_thread:
        if run.asynchronous:
            return (types.SimpleNamespace(name="MainThread", ident=1, daemon=False),)
        return (types.SimpleNamespace(name=thread.name, ident=thread.index + 1, daemon=True),)
    if isinstance(getattr(function, "__self__", None), contextvars.ContextVar) and not run.asynchronous:
        value = thread.context.run(function, *args, **keywords)
        run.learn(value, function.__self__.name)
        return (value,)
    if run.asynchronous and function is asyncio.as_completed and args:
        tasks = [asyncio.ensure_future(work) for work in dict.fromkeys(args[0])]  # else in the order of a set
        return (function(tasks, *args[1:], **keywords),)
    module = getattr(function, "__module__", "") or ""
    if not run.asynchronous and (function is contextvars.copy_context or module in ("decimal", "_decimal")):
        return (thread.context.run(function, *args, **keywords),)
    frame = getattr(function, "__self__", None)
    if type(frame) is types.FrameType and function.__name__ == "clear" and run.runs_in(frame):
        raise RuntimeError("cannot clear an executing frame")
    if getattr(function, "__name__", "") in FRAMES:
        return _frame_call(run, thread, function, args, keywords)
    if isinstance(function, weakref.ref) and not args:
        run.program.block("weakref.ref", "the explorer keeps every object of a schedule alive, so none dies")
        value = function()
        run.learn(value, "what a weak reference names")
        return (value,)
    return None


def _frame_call(run: Any, thread: Any, function: Any, args: tuple, keywords: dict) -> tuple | None:
    """locals(), globals(), eval() and their kin: they are about the frame of the learner's code."""
    frame = run.frame_of(thread)
    if frame is None:
        return None
    names = {name: value for name, value in frame.f_locals.items() if not name.startswith("ss_")}
    if function is builtins.globals:
        return (frame.f_globals,)
    if function is builtins.locals or (function is builtins.vars and not args):
        return (names,)
    if function is builtins.dir and not args:
        return (sorted(names),)
    if function in (builtins.eval, builtins.exec) and args:
        scope = args[1] if len(args) > 1 else keywords.get("globals")
        local = args[2] if len(args) > 2 else keywords.get("locals")
        if scope is None:
            scope, local = frame.f_globals, names if local is None else local
        if isinstance(args[0], (str, bytes, bytearray, memoryview)):
            args = (_compiled(frame, args[0], "<string>", function.__name__), *args[1:])
        run.program.block(f"{function.__name__}()", "the code that it runs is not followed")
        return (function(args[0], scope, local) if local is not None else function(args[0], scope),)
    if function is builtins.compile and len(args) < 5 and "flags" not in keywords and "dont_inherit" not in keywords:
        flags = frame.f_code.co_flags & FUTURE | (args[3] if len(args) > 3 else 0)
        return (compile(*args[:3], flags, True, **keywords),)
    if function is sys._getframe:
        found = run.frame_of(thread, args[0]) if args and args[0] else frame
        if found is None:
            raise ValueError("call stack is not deep enough")
        return (found,)
    return None


def _compiled(frame: Any, source: Any, name: str, mode: str) -> types.CodeType:
    """Source as the learner's code would compile it: with what that imports from `__future__`, not the explorer."""
    if mode == "eval" and isinstance(source, (str, bytes)):
        source = source.lstrip(" \t" if isinstance(source, str) else b" \t")
    return compile(source, name, mode, frame.f_code.co_flags & FUTURE, True)


def _in_context(run: Any, thread: Any, context: Any, args: tuple, keywords: dict) -> Iterator[Any]:
    """Context.run: the call is followed, and its context variables are those of the context."""
    before, thread.context = thread.context, context
    try:
        return (yield calling(run, args[0], args[1:], keywords))
    finally:
        thread.context = before


def refuse_unknown_wait(function: Any) -> None:
    """Raise NotModelled for waits that have no model."""
    module = getattr(function, "__module__", "") or ""
    if module.partition(".")[0] in ("multiprocessing", "_multiprocessing", "subprocess", "select", "socketserver"):
        raise NotModelled(f"{function.__name__} of {module} is not modelled: other processes and their waits are outside")


Op_ = Op
__all__ = ["IN_PYTHON", "MODELLED", "at_once", "find", "python", "refuse_unknown_wait"]
_ = concurrent.futures

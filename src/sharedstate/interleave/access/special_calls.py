"""Library calls that may enter a learner's code, wait, or mean something else under the explorer."""

from __future__ import annotations

import collections
import contextvars
import operator
import queue
import sys
import types
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import (
    at_once,
    children,
    in_python,
    lazy,
    operators,
    places,
    pools,
    queues,
    waiting,
)
from sharedstate.interleave.access.models import Op, Script, calling, same
from sharedstate.interleave.access.registry import ATOMIC, BUILTINS, defines, lookup

MODELLED = MappingProxyType({**waiting.MODELS, **queues.MODELS, **children.MODELS, **pools.MODELS})
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
OPERATOR_TABLES = MappingProxyType({"binary": OPERATORS, "combine": INPLACE, "compare": COMPARISONS})
ITEMS = MappingProxyType({
    operator.getitem: ("get_item", (0, 1)), operator.setitem: ("set_item", (2, 0, 1)),
    operator.delitem: ("del_item", (0, 1)), operator.contains: ("contains", (1, 0)), operator.truth: ("truth", (0,)),
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
    if type(function) in BUILTINS or isinstance(function, type):
        return _builtin(run, thread, site, function, receiver, arguments, keywords)
    if type(function) is types.MethodWrapperType:
        return _wrapper(run, site, function, receiver, arguments)
    if isinstance(function, (operator.attrgetter, operator.itemgetter, operator.methodcaller)):
        return _getter(run, site, function, arguments)
    return None


def _builtin(
    run: Any, thread: Any, site: Any, function: Any, receiver: Any, args: tuple, keywords: dict
) -> Script | None:
    """A builtin function or type, or a method written in C."""
    if isinstance(receiver, contextvars.Context) and function.__name__ == "run" and args:
        return at_once.in_context(run, thread, receiver, args, keywords)
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
    if function in ITEMS or any(function in table for table in OPERATOR_TABLES.values()):
        return _operator(run, site, function, args)
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
    return in_python.stand_in(run, function, receiver, args, keywords)


def _operator(run: Any, site: Any, function: Any, args: tuple) -> Script | None:
    """A function of the module `operator`, with as many arguments as its operator has operands; None otherwise."""
    if function in ITEMS:
        op, order = ITEMS[function]
        return _asked(run, site, op, "", tuple(args[i] for i in order)) if len(args) == len(order) else None
    op, table = next((op, table) for op, table in OPERATOR_TABLES.items() if function in table)
    return _asked(run, site, op, table[function], args) if len(args) == 2 else None


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
        return _one(run, in_python.python("reversed_"), args, None)
    if found is None:
        return None
    checked = None if function in (abs, reversed) else same_as(function, type(thing), name, args[1:])
    return _one(run, found, args, checked)


def _one(run: Any, found: Any, args: tuple, convert: Callable | None) -> Iterator[Any]:
    value = yield calling(run, found, args)
    return value if convert is None else convert(value)


def _class_check(run: Any, function: Any, thing: Any, cls: Any) -> Script | None:
    """isinstance() and issubclass() of a class whose metaclass, a learner's, has a word in it."""
    if type(cls) is tuple and any(_class_check(run, function, thing, one) is not None for one in cls):
        return _one(run, in_python.python("any_of"), (function, thing, cls), None)
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
    taking = name in ("__init__", "extend") and args and isinstance(receiver, (list, set, collections.deque, dict))
    if taking and in_python.comes_from_learner(run, args[0]):
        return in_python.drain(run, function, args, {})
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

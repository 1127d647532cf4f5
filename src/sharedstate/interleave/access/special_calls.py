"""Library calls that may enter a learner's code, wait, or mean something else under the explorer."""

from __future__ import annotations

import collections
import contextvars
import operator
import queue
import sys
import types
from collections.abc import Callable
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
    python_builtins,
    queues,
    waiting,
)
from sharedstate.interleave.access.followed import comes_from_learner, own
from sharedstate.interleave.access.models import Op, Script, answer, asking, calling, same
from sharedstate.interleave.access.registry import ATOMIC, BUILTINS, defines, is_user_class, lookup
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Site

MODELLED = MappingProxyType({**waiting.MODELS, **queues.MODELS, **children.MODELS, **pools.MODELS})
TWO = (0, 1)
# Functions that are what an operator is: what is asked, its name, and which argument is which operand.
OPERATORS = MappingProxyType({
    **{function: ("binary", name, TWO) for name, function in operators.BINARY.items()},
    **{function: ("combine", name, TWO) for name, function in operators.INPLACE.items()},
    **{function: ("compare", name, TWO) for name, (*_, function) in operators.COMPARE.items()},
    operator.concat: ("binary", "Add", TWO), operator.iconcat: ("combine", "Add", TWO),
    operator.getitem: ("get_item", "", TWO), operator.setitem: ("set_item", "", (2, 0, 1)),
    operator.delitem: ("del_item", "", TWO), operator.contains: ("contains", "", (1, 0)),
    operator.truth: ("truth", "", (0,)),
})  # fmt: skip
ONE_METHOD = MappingProxyType({
    len: "__len__", abs: "__abs__", hash: "__hash__", round: "__round__", int: "__int__", float: "__float__",
    complex: "__complex__", bytes: "__bytes__", dir: "__dir__", operator.index: "__index__",
    reversed: "__reversed__", chr: "__index__", bin: "__index__", hex: "__index__", oct: "__index__",
})  # fmt: skip
FIELDS = MappingProxyType({getattr: ("read", 2), setattr: ("write", 3), delattr: ("delete", 2)})
RAW = MappingProxyType({"__getattribute__": ("read", 0), "__setattr__": ("write", 1), "__delattr__": ("delete", 1)})


def find(run: Run, thread: SimThread, site: Site, function: Any, arguments: tuple, keywords: dict) -> Script | None:
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
    run: Run, thread: SimThread, site: Site, function: Any, receiver: Any, args: tuple, keywords: dict
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
        return answer(_field(run, site, FIELDS[function][0], args))
    if function in (getattr, hasattr) and len(args) >= 2 and isinstance(args[1], str):
        return _field_or(run, site, function, *args)
    if function in OPERATORS:
        op, name, order = OPERATORS[function]
        return answer(asking(run, site, op, name, *(args[i] for i in order))) if len(args) == len(order) else None
    if function is next and len(args) in (1, 2) and not keywords:
        return lazy.next_(run, site, *args)
    if function is iter and len(args) in (1, 2) and not keywords:
        return lazy.iter_(run, site, args)
    if function is bool and len(args) == 1 and not keywords:
        return answer(asking(run, site, "truth", "", *args))
    if function in (str, repr, ascii) and len(args) == 1 and not keywords:
        return operators.text(run, site, args[0], function) if type(args[0]) not in ATOMIC else None
    if function is format and args:
        return operators.format_text(run, site, args[0], args[1] if len(args) > 1 else "")
    if (function is divmod or function is pow) and len(args) == 2 and not keywords:
        return _both_ways(run, "Pow" if function is pow else "DivMod", function.__name__, args)
    if function in (isinstance, issubclass) and len(args) == 2:
        return _class_check(run, function, *args)
    if function in ONE_METHOD and args:
        return _one_method(run, site, function, args)
    if function is vars and len(args) == 1 and not isinstance(args[0], type):
        return answer(asking(run, site, "read", "__dict__", args[0]))
    made = isinstance(receiver, type) and function.__name__ == "__init_subclass__"
    return None if made else in_python.stand_in(run, function, receiver, args, keywords)


def _both_ways(run: Run, operator_: str, stem: str, args: tuple) -> Script | None:
    """divmod() and pow(), where a learner's class has a word in it."""
    both = own(run, args[0], f"__{stem}__"), own(run, args[1], f"__r{stem}__")
    return operators.both_ways(run, operator_, *args) if any(both) else None


def _depth(run: Run, thread: SimThread, function: Any, args: tuple) -> Script:
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


def _field(run: Run, site: Site, op: str, args: tuple) -> tuple:
    """getattr(), setattr() and delattr() are what they name: an access to a field."""
    return asking(run, site, op, args[1], *args[2:], args[0])


def _field_or(run: Run, site: Site, function: Any, thing: Any, name: str, default: Any = False) -> Script:
    """getattr() with a default, and hasattr(): a read that may fail."""
    try:
        value = yield asking(run, site, "read", name, thing)
    except AttributeError:
        return default
    return value if function is getattr else True


def _one_method(run: Run, site: Site, function: Any, args: tuple) -> Script | None:
    """A builtin that is one special method of its argument."""
    thing, name = args[0], ONE_METHOD[function]
    if name == "__index__" and issubclass(type(thing), int):
        return None  # it is a whole number already, whatever its class says
    found = own(run, thing, name)
    if function is int and not defines(type(thing), "__int__") and not defines(type(thing), "__trunc__"):
        found = own(run, thing, "__index__")
    if function is reversed and not defines(type(thing), "__reversed__") and own(run, thing, "__getitem__"):
        return _one(run, python_builtins.reversed_, args, None)
    if found is None:
        return None
    checked = None if function in (abs, reversed) else operators.same_as(function, type(thing), name, args[1:])
    return _one(run, found, args, checked)


def _one(run: Run, found: Any, args: tuple, convert: Callable | None) -> Script:
    value = yield calling(run, found, args)
    return value if convert is None else convert(value)


def _class_check(run: Run, function: Any, thing: Any, cls: Any) -> Script | None:
    """isinstance() and issubclass() of a class whose metaclass, a learner's, has a word in it."""
    if type(cls) is tuple and any(_class_check(run, function, thing, one) is not None for one in cls):
        return _one(run, python_builtins.any_of, (function, thing, cls), None)
    name = "__instancecheck__" if function is isinstance else "__subclasscheck__"
    if (function is isinstance and type(thing) is cls) or own(run, cls, name) is None:
        return None
    return _one(run, lookup(type(cls), name), (cls, thing), bool)


def _wrapper(run: Run, site: Site, function: Any, receiver: Any, args: tuple) -> Script | None:
    """object.__setattr__ and its kin: what their names say, past the class's own hooks."""
    name = function.__name__
    if name in RAW and isinstance(receiver, type) and is_user_class(receiver):
        run.know_class(receiver)
        run.program.rebind(args[0] if args else "")
    known = run.names.get(id(receiver))
    if name in RAW and function.__objclass__ in (object, type) and args and isinstance(args[0], str) and known:
        return _raw(run, function, known, receiver, args)
    if name == "__call__" and isinstance(receiver, type):
        return answer(asking(run, site, "instance", "", receiver, args, {}))  # in a metaclass: makes the object
    if name == "__str__" and function.__objclass__ is object and own(run, receiver, "__repr__") is not None:
        return operators.text(run, site, receiver, repr)
    taking = name in ("__init__", "extend") and args and isinstance(receiver, (list, set, collections.deque, dict))
    if taking and comes_from_learner(run, args[0]):
        return in_python.drain(run, function, args, {})
    return None


def _raw(run: Run, function: Any, known: str, receiver: Any, args: tuple) -> Script:
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


def _getter(run: Run, site: Site, function: Any, args: tuple) -> Script | None:
    """attrgetter, itemgetter and methodcaller objects."""
    kind, given = function.__reduce__()
    if len(args) != 1:
        return None
    if isinstance(function, operator.attrgetter):
        return _all_attributes(run, site, args[0], given)
    if isinstance(function, operator.itemgetter):
        return _all_items(run, site, args[0], given)
    if kind is operator.methodcaller:
        return answer(asking(run, site, "method", given[0], args[0], tuple(given[1:]), {}))
    return answer(asking(run, site, "method", kind.args[0], args[0], tuple(given), kind.keywords))


def _all_attributes(run: Run, site: Site, thing: Any, names: tuple) -> Script:
    found = []
    for path in names:
        value = thing
        for name in path.split("."):
            value = yield asking(run, site, "read", name, value)
        found.append(value)
    return found[0] if len(found) == 1 else tuple(found)


def _all_items(run: Run, site: Site, thing: Any, keys: tuple) -> Script:
    found = []
    for key in keys:
        found.append((yield asking(run, site, "get_item", "", thing, key)))
    return found[0] if len(found) == 1 else tuple(found)

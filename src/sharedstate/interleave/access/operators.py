"""Operators, truth, comparison, text: a learner's special methods are followed, as Python would call them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import keys, places, plain, python_builtins, python_text, watched
from sharedstate.interleave.access.followed import dataclass_repr, fields_text, follows, generated_comparison, own
from sharedstate.interleave.access.models import Op, Script, asking, calling, play, same, step
from sharedstate.interleave.access.places import ENTERED, EQUALITY, TEXT
from sharedstate.interleave.access.registry import ATOMIC, MAPPINGS, defines, lookup
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Site

STEMS = MappingProxyType({
    "Add": ("add", "+"), "Sub": ("sub", "-"), "Mult": ("mul", "*"), "Div": ("truediv", "/"),
    "FloorDiv": ("floordiv", "//"), "Mod": ("mod", "%"), "Pow": ("pow", "** or pow()"), "LShift": ("lshift", "<<"),
    "RShift": ("rshift", ">>"), "BitAnd": ("and", "&"), "BitOr": ("or", "|"), "BitXor": ("xor", "^"),
    "MatMult": ("matmul", "@"),
})  # fmt: skip
BINARY = MappingProxyType({
    name: getattr(operator, stem + "_" * (stem in ("and", "or"))) for name, (stem, _) in STEMS.items()
})
INPLACE = MappingProxyType({name: getattr(operator, "i" + stem) for name, (stem, _) in STEMS.items()})
BOTH_WAYS = MappingProxyType({**STEMS, "DivMod": ("divmod", "divmod()")})
UNARY = MappingProxyType({"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"})
COMPARE = MappingProxyType({
    "Eq": ("__eq__", "__eq__", "==", operator.eq), "NotEq": ("__ne__", "__ne__", "!=", operator.ne),
    "Lt": ("__lt__", "__gt__", "<", operator.lt), "Gt": ("__gt__", "__lt__", ">", operator.gt),
    "LtE": ("__le__", "__ge__", "<=", operator.le), "GtE": ("__ge__", "__le__", ">=", operator.ge),
})  # fmt: skip
CONVERSIONS: MappingProxyType[str, Callable[..., str]] = MappingProxyType({"s": str, "r": repr, "a": ascii})
WRITTEN = (list, tuple, dict, set)
SEQUENCE = (list, tuple, str, bytes, bytearray)


def look(
    run: Run, thread: SimThread, site: Site, things: tuple, action: Callable[[], Any],
    how: Callable = places.deep, said: str = "",
) -> Any:
    """Do something that only looks at objects: one step if others can see them, else at once."""
    touched = how(run, things)
    if how is places.deep and places.specials(things, ENTERED) is not None:
        action = watched.action(run, thread, action, f"the operator {site.name}")
    elif "context" in thread.__dict__:
        action = partial(thread.within, action)
    if not touched:
        for thing in things:
            if type(thing) not in ATOMIC:
                run.meets(thread, site, thing)
        return action()
    name = next((n for thing in things if (n := places.name_of(run, thing))), said)
    return step(run, thread, site, Op("read", name, action, touched=touched, show=same))


def contents(run: Run, things: tuple) -> places.Touched:
    """What is touched by a look at objects that does not go into what they hold."""
    return [entry for thing in things for entry in places.whole(run, thing, False)]


# -- truth -------------------------------------------------------------------------------------------


def truth(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Whether an object is true."""
    thing = request[1]
    if type(thing) is list or type(thing) is dict:
        if id(thing) in run.names and not run.record:
            return thread.take(site, request, plain.truth)
        return look(run, thread, site, (thing,), lambda: bool(thing), contents)
    found = own(run, thing, "__bool__")
    if found is not None:
        return run.call(thread, site, found, (thing,), {}, _checked_bool)
    if not defines(type(thing), "__bool__"):
        found = own(run, thing, "__len__")
        if found is not None:
            convert = same_as(len, type(thing), "__len__", ())
            return run.call(thread, site, found, (thing,), {}, lambda value: bool(convert(value)))
    return look(run, thread, site, (thing,), lambda: bool(thing), contents)


def same_as(function: Any, cls: type, name: str, rest: tuple) -> Callable[[Any], Any]:
    """What a builtin makes of the value that a special method gave: the checks and errors are its own."""

    def convert(value: Any) -> Any:
        stand_in = type(cls.__name__, (), {name: lambda self, *given: value})
        return function(stand_in(), *rest)

    return convert


def _checked_bool(value: Any) -> bool:
    """What `__bool__` gave must be a bool."""
    if type(value) is not bool:
        raise TypeError(f"__bool__ should return bool, returned {type(value).__name__}")
    return value


# -- binary and unary operators ------------------------------------------------------------------------


def binary(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`a + b`."""
    _, a, b = request
    stem, _ = STEMS[site.name]
    if own(run, a, f"__{stem}__") is None and own(run, b, f"__r{stem}__") is None:
        if site.name == "Mod" and type(a) is str and places.specials((b,), TEXT | {"__getitem__"}) is not None:
            return run.call(thread, site, python_text.percent_, (a, b), {})
        return look(run, thread, site, (a, b), lambda: BINARY[site.name](a, b))
    return play(run, thread, site, both_ways(run, site.name, a, b))


def both_ways(run: Run, name: str, a: Any, b: Any, said: str = "") -> Script:
    """An operator as Python works it out: the left operand's method, the right one's reflected method."""
    stem, sign = BOTH_WAYS[name]
    kind, other = type(a), type(b)
    left, right = lookup(kind, f"__{stem}__"), lookup(other, f"__r{stem}__")
    tries = [(left, a, b), (right, b, a)]
    if kind is other:
        tries = tries[:1]
    elif right is not None and (
        (kind in other.__mro__ and right is not lookup(kind, f"__r{stem}__")) or kind in SEQUENCE
    ):
        tries.reverse()
    for function, thing, argument in tries:
        if function is None:
            _missing(kind if thing is a else other, f"__{'' if thing is a else 'r'}{stem}__")
            continue
        result = yield calling(run, function, (thing, argument))
        if result is not NotImplemented:
            return result
    raise TypeError(f"unsupported operand type(s) for {said or sign}: {kind.__name__!r} and {other.__name__!r}")


def _missing(cls: type, method: str) -> Any:
    """NotImplemented for a method that a class has not got. Raises TypeError where None stands in its place."""
    if defines(cls, method):
        raise TypeError("'NoneType' object is not callable")
    return NotImplemented


def combine(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`old += value`: a method of a learner's is followed; a container is changed in place."""
    _, old, value = request
    stem, _ = STEMS[site.name]
    name = f"__i{stem}__"
    found = lookup(type(old), name)
    if own(run, old, name) is not None:
        return play(run, thread, site, _in_place(run, site.name, found, old, value))
    if not hasattr(type(old), name):
        return binary(run, thread, site, request)
    if type(value) in ATOMIC or not _followed_source(run, value):
        touched = places.whole(run, old, True) + places.deep(run, (value,))
        return _change(run, thread, site, old, value, touched)
    return play(run, thread, site, _drained(run, site, old, value))


def _followed_source(run: Run, value: Any) -> bool:
    """True for something whose elements a learner's code makes."""
    return run.lazy_of(value) is not None or own(run, value, "__iter__") is not None


def _drained(run: Run, site: Site, old: Any, value: Any) -> Script:
    """`old += elements`: the elements are taken first."""
    elements = yield calling(run, list, (value,))
    return (yield asking(run, site, "combine", site.name, old, elements))


def _change(run: Run, thread: SimThread, site: Site, old: Any, value: Any, touched: list) -> Any:
    """Change an object in place, written in C."""

    def work() -> Any:
        return INPLACE[site.name](old, value)

    if places.specials((old, value), ENTERED) is not None:
        work = watched.action(run, thread, work, f"the operator {site.name}")

    def action() -> Any:
        result = work()
        if touched:
            run.changed(thread, None)
            run.registry.escape(value, thread.name)
        return result

    if not any(mode for _, mode in touched):
        run.meets(thread, site, old)
        thread.effects += 1
        return look(run, thread, site, (value,), action)
    name = places.name_of(run, old) or ""
    return step(run, thread, site, Op("write", name, action, touched=touched, show=same))


def _in_place(run: Run, name: str, found: Any, old: Any, value: Any) -> Script:
    """A learner's `__iadd__`; if it does not want to, the ordinary operator."""
    result = yield calling(run, found, (old, value))
    if result is NotImplemented:
        return (yield from both_ways(run, name, old, value, STEMS[name][1].split()[0] + "="))
    return result


def unary(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`-a`."""
    a = request[1]
    found = own(run, a, UNARY[site.name])
    if found is not None:
        return run.call(thread, site, found, (a,), {})
    plain = getattr(operator, UNARY[site.name])
    return look(run, thread, site, (a,), lambda: plain(a))


# -- comparison --------------------------------------------------------------------------------------


def compare(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """`a == b` and its kin."""
    _, a, b = request
    mine, theirs, _, plain = COMPARE[site.name]
    if own(run, a, mine) is not None or own(run, b, theirs) is not None or _by_eq(run, site.name, a, b):
        return play(run, thread, site, compared(run, site.name, a, b))
    alike = type(a) in (list, tuple, *MAPPINGS) and type(a) is type(b) and site.name in ("Eq", "NotEq")
    if alike and places.specials((a, b), EQUALITY) is not None:
        return play(run, thread, site, _elementwise(run, site, a, b, site.name == "NotEq"))
    return look(run, thread, site, (a, b), lambda: plain(a, b))


def _by_eq(run: Run, name: str, a: Any, b: Any) -> bool:
    """`!=` of a class that has only an `__eq__`."""
    return name == "NotEq" and (own(run, a, "__eq__") is not None or own(run, b, "__eq__") is not None)


def compared(run: Run, name: str, a: Any, b: Any) -> Script:
    """A comparison as Python works it out."""
    mine, theirs, sign, _ = COMPARE[name]
    kind, other = type(a), type(b)
    tries = [(kind, mine, a, b), (other, theirs, b, a)]
    if kind is not other and kind in other.__mro__:
        tries.reverse()
    for cls, method, thing, argument in tries:
        result = yield from _one_way(run, cls, method, thing, argument)
        if result is not NotImplemented:
            return result
    if name in ("Eq", "NotEq"):
        return (a is b) == (name == "Eq")
    raise TypeError(f"{sign!r} not supported between instances of {kind.__name__!r} and {other.__name__!r}")


def _one_way(run: Run, cls: type, method: str, thing: Any, argument: Any) -> Script:
    """One object's opinion; `__ne__` is the opposite of `__eq__` where a class has only that."""
    function = lookup(cls, method)
    if method == "__ne__" and function is object.__ne__:
        equal = lookup(cls, "__eq__")
        if follows(run, equal):
            result = yield calling(run, equal, (thing, argument))
            return result if result is NotImplemented else not result
    if function is None:
        return _missing(cls, method)
    script = generated_comparison(run, cls, method, thing, argument)
    if script is not None:
        return (yield from script)
    return (yield calling(run, function, (thing, argument)))


def _elementwise(run: Run, site: Site, a: Any, b: Any, opposite: bool) -> Script:
    """Two containers of a learner's objects: their elements are compared one by one."""
    same_ = yield calling(run, python_builtins.equal_containers, (a, b))
    return same_ is not opposite


def equal(run: Run, site: Site, a: Any, b: Any) -> Script:
    """Whether two elements count as the same: one object, or equal."""
    if a is b:
        return True
    value = yield asking(run, site, "compare", "Eq", a, b)
    return (yield asking(run, site, "truth", "", value))


# -- text --------------------------------------------------------------------------------------------


def formatted(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """A part of an f-string: request is (site, value, format)."""
    _, value, spec = request
    return play(run, thread, site, _format(run, thread, site, value, site.name, spec))


def _format(run: Run, thread: SimThread, site: Site, value: Any, conversion: str, spec: str) -> Script:
    """Convert, then format."""
    if conversion:
        value = yield from text(run, site, value, CONVERSIONS[conversion])
    return (yield from format_text(run, site, value, spec))


def format_text(run: Run, site: Site, value: Any, spec: str) -> Script:
    """What format(value, spec) gives."""
    found = own(run, value, "__format__")
    if found is not None:
        return (yield calling(run, found, (value, spec)))
    told = type(value) in WRITTEN and places.specials((value,), TEXT) is not None
    if not spec and (told or own(run, value, "__str__") or own(run, value, "__repr__") or dataclass_repr(value)):
        return (yield from text(run, site, value, str))
    return (yield looking(run, (value,), lambda: format(value, spec)))


def text(run: Run, site: Site, value: Any, function: Callable = str) -> Script:
    """What str(value) or repr(value) gives; a learner's methods are followed."""
    for name in ("__str__", "__repr__") if function is str else ("__repr__",):
        if name == "__repr__" and dataclass_repr(value):
            result = yield from fields_text(run, value)
            return result if function is not ascii else ascii(result)[1:-1]
        found = own(run, value, name)
        if found is not None:
            result = yield calling(run, found, (value,))
            if not isinstance(result, str):
                raise TypeError(f"{name} returned non-string (type {type(result).__name__})")
            return result if function is not ascii else ascii(result)[1:-1]
        if name == "__str__" and lookup(type(value), "__str__") is not object.__str__:
            break
    if type(value) in WRITTEN and places.specials((value,), TEXT) is not None:
        return (yield calling(run, python_text.repr_container, (value,)))
    return (yield looking(run, (value,), lambda: function(value)))


def looking(run: Run, things: tuple, action: Callable[[], Any]) -> Op:
    """A look at objects from inside a script: a step where others can see them."""
    if not all(map(_told_plainly, things)):
        action = watched.action(run, run.running, action, f"the text of {type(things[0]).__name__}")
    elif "context" in run.running.__dict__:
        action = partial(run.running.within, action)
    touched = places.deep(run, things)
    name = next((n for thing in things if (n := places.name_of(run, thing))), "")
    return Op("read", name, action, touched=touched, show=same, at_once=not touched)


def _told_plainly(thing: Any) -> bool:
    """True for what C alone turns into text."""
    return type(thing) in ATOMIC or (type(thing) in WRITTEN and places.specials((thing,), ENTERED) is None)


def hashed(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """A value that a display hashes: a learner's `__hash__` is followed; the answer is the value."""
    thing = request[1]
    found = own(run, thing, "__hash__")
    if found is not None and not keys.looks_only(run.program, found):
        run.program.block(f"{type(thing).__qualname__}.__hash__", "a dictionary or set calls it inside")
        return run.call(thread, site, found, (thing,), {}, lambda _: thing)
    cls = places.specials((thing,), EQUALITY)
    if cls is not None and all(keys.looks_only(run.program, lookup(cls, name)) for name in ("__hash__", "__eq__")):
        keys.step(run, thread, thing, lambda: hash(thing))
    elif cls is not None:
        run.program.block(f"__hash__ or __eq__ of {cls.__qualname__}", "a dictionary or set calls it inside")
    return thing


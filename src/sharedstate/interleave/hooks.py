"""Which instructions may run Python code that nobody sees: `__eq__`, a property, a finaliser and so on."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave.access.registry import CONTAINERS, is_user_class, vars_of
from sharedstate.interleave.source.bytecode import Listing

PYTHON = (types.FunctionType, property, classmethod, staticmethod)
QUIET = frozenset({
    "__init__", "__new__", "__init_subclass__", "__class_getitem__", "__set_name__", "__repr__",
    "__enter__", "__exit__", "__call__", "__replace__", "__getstate__", "__setstate__",
})  # fmt: skip
COMPARING = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})
LOOKING = frozenset({
    "__getitem__", "__setitem__", "__delitem__", "__missing__", "__hash__", "__eq__", "__index__",
})  # fmt: skip
OTHERS = frozenset({
    "__del__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__get__", "__set__",
})  # fmt: skip
DROPS_FIELD = (
    "STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "DELETE_SUBSCR", "STORE_GLOBAL",
    "STORE_DEREF",
)  # fmt: skip
DROPS = (*DROPS_FIELD, "STORE_FAST", "POP_TOP", "DELETE_FAST", "CALL")
MOST_ELEMENTS = 50


@dataclass(frozen=True)
class Seen:
    """The types at hand: of the local variables by name, and of the values in the fields of their objects."""

    names: tuple[tuple[str, type], ...]
    fields: frozenset[type]

    @classmethod
    def of(cls, variables: dict[str, Any], values: Iterable[Any] = ()) -> Seen:
        """Note types only, so that nothing is kept alive. No code of the learner's runs."""
        fields = set(map(type, values))
        for thing in variables.values():
            if is_user_class(type(thing)) and not isinstance(thing, type):
                fields |= set(map(type, vars_of(thing).values()))
            fields |= elements(thing)
        return cls(tuple((name, type(thing)) for name, thing in variables.items()), frozenset(fields))

    def __or__(self, other: Seen) -> Seen:
        """What either has seen."""
        return Seen(tuple(dict.fromkeys(self.names + other.names)), self.fields | other.fields)

    @property
    def all(self) -> frozenset[type]:
        """Every type at hand."""
        return self.fields | {cls for _, cls in self.names}


def elements(thing: Any) -> set[type]:
    """The types of the first elements of a plain container."""
    if type(thing) not in CONTAINERS and type(thing) is not tuple:
        return set()
    some = list(thing.values() if type(thing) is dict else thing)[:MOST_ELEMENTS]
    return set(map(type, some))


def hooks(kinds: Iterable[type]) -> set[str]:
    """The special methods of these types that are written in Python."""
    found: set[str] = set()
    for kind in kinds:
        for base in kind.__mro__[:-1]:
            found |= {
                name
                for name, member in base.__dict__.items()
                if name.startswith("__") and name.endswith("__") and isinstance(member, PYTHON)
            }
    return found - QUIET


def described(kinds: Iterable[type], name: str) -> bool:
    """True if one of the types has `name` as a property, or as a descriptor written in Python."""
    for kind in kinds:
        member = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
        if isinstance(member, property):
            return True
        if hooks([type(member)]) & {"__get__", "__set__", "__delete__"}:
            return True
    return False


def hidden(listing: Listing, k: int, seen: Seen, before: bool = False) -> str:
    """Why an instruction may run Python code though it is no call; an empty string if it cannot.

    With `before`, only code that runs before the instruction has done its own access counts: no finaliser.
    """
    i = listing.instructions[k]
    dropping = seen.fields if i.opname in DROPS_FIELD else seen.all
    if i.opname in DROPS and not before and "__del__" in hooks(dropping):
        return "a finaliser"
    if "_ATTR" in i.opname or i.opname == "LOAD_METHOD":
        return _attribute(i, seen)
    found = hooks(_operand_types(listing, k, seen))
    found = found - OTHERS if before and i.opname == "CALL" else found & wanted(i.opname)
    return f"a {sorted(found)[0]} in Python" if found else ""


def _attribute(i: dis.Instruction, seen: Seen) -> str:
    """An attribute may be a property, or be looked after by the class."""
    special = {"LOAD": {"__getattr__", "__getattribute__"}, "STOR": {"__setattr__"}, "DELE": {"__delattr__"}}
    found = hooks(seen.all) & special.get(i.opname[:4], set())
    if found:
        return f"a {sorted(found)[0]} in Python"
    return f"the property {i.argval}" if described(seen.all, str(i.argval)) else ""


def _operand_types(listing: Listing, k: int, seen: Seen) -> frozenset[type]:
    """The types that an operator may meet: of its variables, and of whatever stands in a field."""
    names = listing.operands(k)
    return seen.fields | {cls for name, cls in seen.names if name in names}


def wanted(opname: str) -> set[str] | frozenset[str]:
    """The special methods that an instruction may call."""
    if opname == "COMPARE_OP":
        return COMPARING | {"__bool__", "__len__"}
    if opname == "CONTAINS_OP":
        return {"__contains__", "__iter__", "__getitem__", "__eq__", "__hash__"}
    if "SUBSCR" in opname or "SLICE" in opname:
        return LOOKING
    if opname == "CALL":
        return {"__len__"}
    if opname.startswith(("BINARY_OP", "UNARY_")):
        return ARITHMETIC
    if "JUMP_IF" in opname or "JUMP_FORWARD_IF" in opname or opname == "TO_BOOL":
        return {"__bool__", "__len__"}
    if opname in TAKES_APART:
        return {"__iter__", "__next__", "__getitem__", "__len__", "__hash__", "__eq__"}
    if opname in ("FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE"):
        return {"__format__", "__str__", "__repr__"}
    if opname in ("BUILD_SET", "BUILD_MAP", "BUILD_CONST_KEY_MAP"):
        return {"__hash__", "__eq__"}
    return set()


TAKES_APART = (
    "FOR_ITER", "GET_ITER", "UNPACK_SEQUENCE", "UNPACK_EX", "LIST_EXTEND", "SET_UPDATE", "DICT_UPDATE",
)  # fmt: skip
STEMS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or",
    "xor", "matmul",
)  # fmt: skip
ARITHMETIC = frozenset(
    {f"__{kind}{stem}__" for stem in STEMS for kind in ("", "r", "i")}
    | {"__neg__", "__pos__", "__invert__", "__bool__", "__len__", "__getitem__"}
)

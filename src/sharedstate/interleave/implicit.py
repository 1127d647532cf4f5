"""Code of a learner's class that Python calls by itself, inside a step: said, or known to touch anything."""

from __future__ import annotations

import types
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.state import lookup

IMPLICIT = (
    "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__eq__", "__hash__", "__lt__", "__add__",
    "__del__", "__bool__", "__len__", "__str__", "__repr__", "__format__", "__missing__",
)  # fmt: skip
GUARDS = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__")
INPLACE = MappingProxyType({
    "Add": "__iadd__", "Sub": "__isub__", "Mult": "__imul__", "Div": "__itruediv__", "FloorDiv": "__ifloordiv__",
    "Mod": "__imod__", "Pow": "__ipow__", "LShift": "__ilshift__", "RShift": "__irshift__", "BitOr": "__ior__",
    "BitXor": "__ixor__", "BitAnd": "__iand__", "MatMult": "__imatmul__",
})  # fmt: skip


def assume(program: Any, cls: type) -> None:
    """Say which implicit calls of a learner's class are taken as one step."""
    for name in IMPLICIT:
        if isinstance(lookup(cls, name), types.FunctionType) and "__dataclass_fields__" not in cls.__dict__:
            program.assume(f"{cls.__qualname__}.{name} is taken as one step: Python calls it implicitly")


def guard(program: Any, cls: type, name: str, found: Any) -> None:
    """Note a class whose fields are looked after by code that nobody follows: it may touch anything."""
    described = [n for n in ("__get__", "__set__") if isinstance(lookup(type(found), n), types.FunctionType)]
    if described:
        program.assume(f"{cls.__qualname__}.{name} is taken as one step: a descriptor's code runs in it")
    guards = [n for n in GUARDS if isinstance(lookup(cls, n), types.FunctionType)]
    if described or (guards and "__dataclass_fields__" not in cls.__dict__):
        program.guarded.add(cls)

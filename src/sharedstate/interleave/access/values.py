"""How values look in a line of a schedule, without running any of a learner's code."""

from __future__ import annotations

import collections
import reprlib
import threading
import types
from typing import Any

SHORT, LONG = 32, 10**30  # what `short` need not shorten: characters, whole numbers
LOCK = type(threading.Lock())
RLOCK = type(threading.RLock())


class _Short(reprlib.Repr):
    """Short reprs that never run a learner's own `__repr__`."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = SHORT
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 5

    def repr_instance(self, x: object, level: int) -> str:
        """The type's name for anything that is not built in."""
        if isinstance(x, BaseException):
            return f"{type(x).__name__}({', '.join(self.repr1(a, level - 1) for a in x.args)})"
        if isinstance(x, (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType)):
            return str(getattr(x, "__qualname__", type(x).__name__))
        if type(x) in (float, bool, type(None), bytes, complex, range):
            return repr(x)
        return f"<{type(x).__name__}>"

    def repr1(self, x: object, level: int) -> str:
        """Dispatch on the exact type, so that a subclass of str or list is not trusted."""
        if type(x).__module__ == "builtins" or type(x) is collections.deque:
            return super().repr1(x, level)
        return self.repr_instance(x, level)


def short(value: Any) -> str:
    """A repr of at most about 32 characters, safe on a learner's objects."""
    kind = type(value)
    if kind is bool or value is None or (kind is int and -LONG < value < LONG):
        return repr(value)
    if kind.__module__ == "numpy" and hasattr(kind, "item") and getattr(value, "ndim", 1) == 0:
        return short(value.item())
    if kind is str and len(value) <= SHORT and len(text := repr(value)) <= SHORT:
        return text
    return _Short().repr(value)



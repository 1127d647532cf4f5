"""Locks that were made before the witness came, and names such as `from threading import Lock`, made cooperative."""

from __future__ import annotations

import _thread
import functools
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import BuiltinMethodType, FunctionType, MethodType, ModuleType
from typing import Any

REACH = 5_000  # objects that are searched
KINDS = (_thread.LockType, type(_thread.RLock()))


def adopt(roots: list, new: dict[int, Any], lock: type, rlock: type, undo: list[Callable[[], object]]) -> bool:
    """Put things of `new` in the place of those whose id is the key, and `lock` or `rlock` around real locks.

    Looks at module globals, class bodies, closures and instances, as far as they are reached from `roots`. What puts
    everything back goes to `undo`. True if there are thread-locals among them.
    """

    def wrapped(old: Any) -> Any:
        """A cooperative lock around a real one, or its method (as a Condition keeps them); None for anything else."""
        if type(old) is BuiltinMethodType and type(old.__self__) in KINDS:
            return getattr(wrapped(old.__self__), old.__name__)
        return (lock, rlock)[KINDS.index(type(old))](old) if type(old) in KINDS else None

    todo, seen, thread_locals = deque(roots), set[int](), False
    while todo and len(seen) < REACH:
        holder = todo.popleft()
        if id(holder) in seen or isinstance(holder, ModuleType):
            continue
        seen.add(id(holder))
        for old, put in slots(holder):
            thread_locals = thread_locals or isinstance(old, threading.local)
            fresh = new.get(id(old)) or wrapped(old)
            if fresh is None:
                todo.append(old)
            elif put is not None:
                put(fresh)
                undo.append(functools.partial(put, old))
    return thread_locals


def slots(holder: Any) -> Iterator[tuple[Any, Callable[[Any], object] | None]]:
    """What an object holds, and how to put something else there."""
    kind = type(holder)
    if kind is FunctionType:
        for cell in holder.__closure__ or ():
            if not repr(cell).endswith("empty>"):
                yield cell.cell_contents, functools.partial(setattr, cell, "cell_contents")
        yield from ((value, None) for value in (*(holder.__defaults__ or ()), vars(holder)))
        if homemade(holder.__module__):
            yield holder.__globals__, None
    elif kind is MethodType:
        yield from ((holder.__func__, None), (holder.__self__, None))
    elif kind in (staticmethod, classmethod):
        yield holder.__func__, None
    elif kind is property:
        yield from ((holder.fget, None), (holder.fset, None))
    elif isinstance(holder, type):
        for name, value in list(vars(holder).items()) if homemade(holder.__module__) else ():
            yield value, functools.partial(type.__setattr__, holder, name)
        yield from ((base, None) for base in holder.__bases__)
    elif kind in (dict, list):
        for key, value in list(holder.items() if kind is dict else enumerate(holder)):
            if key != "__builtins__":
                yield value, functools.partial(holder.__setitem__, key)
    elif kind in (tuple, set, frozenset, deque):
        yield from ((value, None) for value in list(holder))
    elif homemade(kind.__module__) or kind.__module__ in ("threading", "queue", "functools"):
        yield from ((kind, None), (getattr(holder, "__dict__", None), None))


def homemade(module: Any) -> bool:
    """Neither of the standard library nor installed: code of the person at work."""
    if type(module) is not str or module.partition(".")[0] in sys.stdlib_module_names:
        return module == "__main__"
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return not module.startswith("sharedstate.interleave") and "-packages" not in file

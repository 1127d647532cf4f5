"""Which way to watch fits: by the type of what is given."""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sharedstate.watch.containers import WatchedDict, WatchedList, WatchedSet
from sharedstate.watch.locks import WatchedLock
from sharedstate.watch.objects import watch_attributes
from sharedstate.watch.proxies import WatchedCalls, WatchedContextVar, WatchedLocal

if TYPE_CHECKING:
    from sharedstate.watch.log import Watch

CONTAINERS: tuple[tuple[type, Any], ...] = ((list, WatchedList), (dict, WatchedDict), (set, WatchedSet))
LOCKS = (type(threading.Lock()), type(threading.RLock()))
ARRAYS = (("numpy", "ndarray", "sharedstate.watch.arrays"), ("torch", "Tensor", "sharedstate.watch.tensors"))


def wrap(
    log: Watch, target: Any, name: str, shared: Collection[str] | bool, fields: Collection[str] | None,
    calls: Collection[str],
) -> Any:  # fmt: skip
    """See Watch.wrap."""
    whole = shared is True
    if calls:
        return WatchedCalls(log, target, name, calls, whole)
    for library, kind, module in ARRAYS:
        if library in sys.modules and isinstance(target, getattr(sys.modules[library], kind)):
            return import_module(module).watched(log, target, name, whole)
    if isinstance(target, LOCKS):
        return WatchedLock(log, target, name)
    if isinstance(target, threading.local):
        return WatchedLocal(log, target, name)
    if isinstance(target, ContextVar):
        return WatchedContextVar(log, target, name)
    within = contained(log, target, name, whole)
    return within if within is not target else watch_attributes(log, target, name, shared, fields, contained)


def contained(log: Watch, value: Any, name: str, shared: bool) -> Any:
    """Return a plain list, dictionary or set as a watched one; anything else as it is."""
    for plain, kind in CONTAINERS:
        if type(value) is plain:
            return kind(log, value, name, shared)
    return value

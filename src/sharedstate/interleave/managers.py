"""contextlib.contextmanager: a learner's generator around a `with` block, followed like any generator."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave.lazy import Lazy, ask, thrown

HELPER = contextlib.contextmanager(lambda: iter(())).__code__


@dataclass(eq=False)
class Managed:
    """What a call of a function under @contextmanager gives."""

    lazy: Lazy


def make(run: Any, site: Any, function: Callable[..., Any], arguments: tuple, keywords: dict) -> Iterator[Any]:
    """Call the generator function."""
    lazy = yield (run.program.derived(site, "call", site.name).index, function, arguments, keywords)
    return Managed(lazy)


def enter(run: Any, thread: Any, site: Any, manager: Managed) -> Iterator[Any]:
    """Run up to the `yield`."""
    item = yield ask(run, thread, site, manager.lazy)
    if not item:
        raise RuntimeError("generator didn't yield")
    return item[0]


def leave(run: Any, thread: Any, site: Any, manager: Managed, error: BaseException | None) -> Iterator[Any]:
    """Run what comes after the `yield`; an exception of the block is raised there."""
    if error is None:
        if (yield ask(run, thread, site, manager.lazy)):
            raise RuntimeError("generator didn't stop")
        return False
    try:
        item = yield thrown(run, site, manager.lazy, error)
    except BaseException as problem:
        if problem is error:
            return False
        raise
    if item:
        raise RuntimeError("generator didn't stop after throw()")
    return True

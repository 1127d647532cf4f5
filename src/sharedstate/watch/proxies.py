"""What is watched from outside: a thread's or a context's own values, and objects whose methods hide their state.

In a threading.local and in a context variable the tag lies beside the value: it goes where the value goes.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sharedstate.watch.findings import Access
    from sharedstate.watch.log import Watch

TAGS = "tags of the watch"


class WatchedLocal:
    """A threading.local whose attributes know who set them."""

    def __init__(self, log: Watch, local: threading.local, name: str) -> None:
        """Watch `local` under this name."""
        vars(self).update(_log=log, _local=local, _name=name)

    def __getattr__(self, attr: str) -> Any:
        """Read this thread's value, and tell. Raises AttributeError where it has none."""
        log, what = self._log, f"{self._name}.{attr}"
        value = getattr(self._local, attr)
        job = log.announce("read", what)
        with log.lock:
            log.read_tagged(job, what, [vars(self._local).get(TAGS, {}).get(attr)])
        return value

    def __setattr__(self, attr: str, value: Any) -> None:
        """Set this thread's value, and tell."""
        log, what = self._log, f"{self._name}.{attr}"
        job = log.announce("write", what)
        with log.lock:
            setattr(self._local, attr, value)
            vars(self._local).setdefault(TAGS, {})[attr] = log.note(job, "write", what)


class _Tagged(NamedTuple):
    """A value and the access that set it."""

    value: Any
    tag: Access


class WatchedContextVar:
    """A ContextVar whose value knows who set it, in whatever context it is read."""

    def __init__(self, log: Watch, variable: ContextVar, name: str) -> None:
        """Watch `variable` under this name; what is set through it is read through it."""
        self._log, self._variable, self._name = log, variable, name

    def get(self, *default: Any) -> Any:
        """Read the value of this context, and tell."""
        found = self._variable.get(*default)
        tagged = isinstance(found, _Tagged)
        job = self._log.announce("read", self._name)
        with self._log.lock:
            self._log.read_tagged(job, self._name, [found.tag] if tagged else [])
        return found.value if tagged else found

    def set(self, value: Any) -> Token:
        """Set the value in this context, and tell."""
        job = self._log.announce("write", self._name)
        with self._log.lock:
            return self._variable.set(_Tagged(value, self._log.note(job, "write", self._name)))

    def reset(self, token: Token) -> None:
        """Put back what was there before, with its tag."""
        self._variable.reset(token)


class WatchedCalls:
    """An object behind a counter: a call of one of the named methods reads its state and writes it."""

    def __init__(self, log: Watch, target: Any, name: str, calls: Collection[str], shared: bool) -> None:
        """Watch these methods of `target`; everything else passes through."""
        self._log, self._target, self._calls = log, target, frozenset(calls)
        self._cell = log.cell(f"{name}'s state", shared)

    def __getattr__(self, attr: str) -> Any:
        """Return an attribute of the object; a watched method tells when it is called."""
        found = getattr(self._target, attr)
        if attr not in self._calls:
            return found

        def call(*args: Any, **options: Any) -> Any:
            job = self._log.announce("read", self._cell.what)
            with self._log.lock:
                self._log.read(job, self._cell)
                answer = found(*args, **options)
                self._log.write(job, self._cell)
            return answer

        return call

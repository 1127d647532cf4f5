"""Threads that a run starts on the way, and what the models of waiting keep in a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access.registry import Registry
from sharedstate.interleave.later import Later
from sharedstate.interleave.sites import NotModelled

MOST_THREADS = 26


class Births:
    """The part of a run that holds its children and its models."""

    threads: list[Any]
    entries: list[int]
    log: list[tuple]
    registry: Registry
    begin: Callable[..., None]
    live: Any
    asynchronous = False
    newborn: Any = Later(list)
    frames: Any = Later(list)
    waiters: Any = Later(dict)  # and these by id()
    children: Any = Later(dict)
    pools: Any = Later(dict)
    callbacks: Any = Later(dict)
    ends: Any = Later(dict)
    saved: Any = Later(dict)  # (id(thing), field) -> (thing, value)

    def spawn(self, creator: Any, script: Callable[[Any], Any] | None, daemon: bool, called: str = "") -> Any:
        """Start a thread: `script(thread)` or its `body`; named after its creator unless it is `called` something."""
        if len(self.threads) >= MOST_THREADS:
            raise NotModelled(f"more than {MOST_THREADS} threads; two or three show almost every bug")
        creator.offspring += 1
        made = type(creator)(len(self.threads), self._free_name(called or f"{creator.name}-{creator.offspring}"))
        made.child = made.first = True
        made.daemon = daemon
        made.script, made.origin = script, creator.site
        self.threads.append(made)
        self.entries.append(0)
        self.newborn.append(made)
        return made

    def _free_name(self, name: str) -> str:
        """The name, with a mark if a thread has it already; one word without a star."""
        name = name.replace(" ", "_").replace("*", "")
        while any(t.name == name for t in self.threads):
            name += "'"
        return name

    def bring_up(self) -> None:
        """Bring the threads that were just started to their first step."""
        while self.newborn:
            made = self.newborn.pop(0)
            self.begin(made, *(made.body or (made.script, (made,))))

    def settle_births(self, thread: Any) -> None:
        """After a step: start children, and note who has ended, for those who join them."""
        self.bring_up()
        for other in self.threads:
            if other.child and other.done and not other.ended:
                other.ended = True
                self.log.append((thread.index, (other.name, "thread"), 1))

    def remember(self, thing: Any, *fields: str) -> None:
        """Keep fields of a library object as they are now, to put them back when the run is closed."""
        for field in fields:
            key = (id(thing), field)
            if key not in self.saved:
                if self not in self.live:
                    self.live.append(self)
                value = getattr(thing, field)
                self.saved[key] = (thing, value.copy() if hasattr(value, "copy") else value)

    def restore(self) -> None:
        """Put back what was remembered."""
        if "saved" not in self.__dict__:
            return
        for (_, field), (thing, value) in self.saved.items():
            setattr(thing, field, value)
        self.saved.clear()

    def with_local(self, thread: Any, local: Any, action: Callable[[], Any]) -> Any:
        """Do something with a thread's own copy of a threading.local, though one OS thread plays them all."""
        space = local.__dict__
        before = dict(space)
        space.clear()
        space.update(thread.locals.get(id(local), {}))
        try:
            return action()
        finally:
            if id(local) not in thread.locals:
                self.registry.keep.append(local)
            thread.locals[id(local)] = dict(space)
            space.clear()
            space.update(before)

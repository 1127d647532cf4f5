"""What a run knows to be shared, and what turns out to be."""

from __future__ import annotations

import types
import weakref
from typing import Any

from sharedstate.interleave.access.registry import ATOMIC, FIELDS, Registry
from sharedstate.interleave.access.values import LOCK, RLOCK
from sharedstate.interleave.later import Later
from sharedstate.interleave.rewrite.twin import Program
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Site

UNSEEN = (types.GeneratorType, types.FunctionType, types.MethodType, tuple)


class Sharing:
    """The part of a run that knows which objects are shared."""

    registry: Registry
    program: Program
    names: dict[int, str]
    version: int
    met: Any = Later(dict)  # by id(): thread, site and object

    def know_function(self, function: Any, name: str) -> None:
        """What a function captures, and its default arguments: one object for every call."""
        plain = type(function) is types.FunctionType
        if plain and (function.__closure__ or function.__defaults__ or function.__kwdefaults__):
            self.registry.add(function, name)

    def changed(self, thread: SimThread, value: Any = None) -> None:
        """Something shared was written; an object stored there can be reached by others now."""
        self.version += 1
        self.registry.escape(value, thread.name)

    def know_class(self, cls: type) -> None:
        """A learner's class whose data is shared."""
        if id(cls) not in self.names:
            self.names[id(cls)] = cls.__qualname__.rpartition("<locals>.")[2]
            self.registry.keep.append(cls)

    def know_fields(self, thing: Any, fields: Any) -> None:
        """The dictionary of an object's fields: what is done to it is done to the object."""
        if type(fields) is dict and id(fields) not in self.names and id(thing) in self.names:
            self.names[id(fields)] = self.names[id(thing)].removesuffix(FIELDS) + FIELDS
            self.registry.keep.append(fields)

    def alias(self, thing: Any, fields: dict) -> None:
        """An object whose fields are a shared dictionary: it is that dictionary."""
        self.names[id(thing)] = self.names[id(fields)]
        self.registry.keep.append(thing)

    # -- what turns out to be shared -------------------------------------------------------------------

    def meets(self, thread: SimThread, site: Site, thing: Any) -> bool:
        """Note that a thread touches an object that nobody knew to be shared; True if another one has touched it.

        Then it is shared, and both places are remembered: what was explored so far is explored anew, with a step there.
        """
        if isinstance(thing, type):
            return False  # what a class holds is looked at by name
        key = id(thing)
        if key in self.names:
            return True
        if site.index in self.program.forced:
            self.registry.add(thing, f"{type(thing).__name__} at {site.where}")
            return True
        before = self.met.get(key)
        if before is None:
            if type(thing) not in ATOMIC and type(thing) not in UNSEEN:
                self.met[key] = (thread.index, site.index, self._watch(thing, key))
            return False
        if before[0] == thread.index:
            return False
        self.program.forced |= {before[1], site.index}
        self.registry.add(thing, f"{type(thing).__name__} at {site.where}")
        return True

    def _watch(self, thing: Any, key: int) -> Any:
        """What keeps an object's number from being used again: a note of its end, or the object itself."""
        if not type(thing).__weakrefoffset__:
            return thing
        met = self.met
        return weakref.ref(thing, lambda _: met.pop(key, None))

    def learn(self, value: Any, name: str) -> None:
        """Something that came from where everybody can get it."""
        if type(value) not in ATOMIC and id(value) not in self.names and type(value) not in (LOCK, RLOCK):
            self.registry.add(value, name)

    def learn_part(self, value: Any, name: str) -> None:
        """An element of something shared; of a tuple, its parts."""
        for part in value if type(value) is tuple else (value,):
            self.learn(part, f"{name}'s element")

    def owner_of(self, target: str) -> Any:
        """The shared object whose field a target names; None for a global or a captured variable."""
        paths = {path: thing for thing in self.registry.keep if (path := self.names.get(id(thing)))}
        fits = [path for path in paths if target.startswith(path) and target != path]
        return paths[max(fits, key=len)] if fits else None

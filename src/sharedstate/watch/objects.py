"""Attributes of an object: its class becomes a subclass that tells of every read and write."""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sharedstate.watch.log import Cell, Watch

Inside = Callable[["Watch", Any, str, bool], Any]


class _Attributes:
    """The attributes of one object: which are watched, and the cell of each."""

    def __init__(
        self, log: Watch, kind: Any, name: str, shared: Collection[str] | bool, fields: Collection[str] | None,
        inside: Inside,
    ) -> None:  # fmt: skip
        self.log, self.kind, self.name, self.shared, self.fields = log, kind, name, shared, fields
        self.inside = inside
        self.slots = {key for each in kind.__mro__ for key, member in vars(each).items()
                      if isinstance(member, MemberDescriptorType)}  # fmt: skip
        self.has_dict = kind.__dictoffset__ != 0
        self.cells: dict[str, Cell] = {}
        self.known: dict[str, bool] = {}

    def watches(self, attr: str) -> bool:
        """Say whether an attribute is one to tell of: no property, no double underscore, no other field."""
        if attr not in self.known:
            self.known[attr] = self._watches(attr)
        return self.known[attr]

    def _watches(self, attr: str) -> bool:
        chosen = attr in self.fields if self.fields is not None else not attr.startswith("__")
        return chosen and not isinstance(getattr(self.kind, attr, None), property)

    def has(self, target: object, attr: str) -> bool:
        """Say whether the object itself holds this attribute: a method is not data."""
        return attr in self.slots or (self.has_dict and attr in object.__getattribute__(target, "__dict__"))

    def is_shared(self, attr: str) -> bool:
        """Say whether an attribute ("free"), or what lies in it ("free[]"), was declared as shared."""
        return self.shared if isinstance(self.shared, bool) else attr in self.shared

    def cell(self, attr: str) -> Cell:
        """Return the attribute's cell."""
        if attr not in self.cells:
            self.cells[attr] = self.log.cell(f"{self.name}.{attr}", self.is_shared(attr))
        return self.cells[attr]

    def within(self, attr: str, value: Any) -> Any:
        """Return a list, dictionary or set that is stored here as a watched one."""
        return self.inside(self.log, value, f"{self.name}.{attr}", self.is_shared(f"{attr}[]"))

    def read(self, target: object, attr: str) -> Any:
        """Read, and tell."""
        if not self.watches(attr) or not self.has(target, attr):
            return self.kind.__getattribute__(target, attr)
        job = self.log.announce("read", f"{self.name}.{attr}")
        with self.log.lock:
            value = self.kind.__getattribute__(target, attr)
            self.log.read(job, self.cell(attr))
        return value

    def write(self, target: object, attr: str, value: Any) -> Any:
        """Write, and tell; return the old value, whose finaliser must not run under the log's lock."""
        if not self.watches(attr):
            return self.kind.__setattr__(target, attr, value)
        job = self.log.announce("write", f"{self.name}.{attr}")
        value = self.within(attr, value)
        with self.log.lock:
            old = self.kind.__getattribute__(target, attr) if self.has(target, attr) else None
            self.kind.__setattr__(target, attr, value)
            self.log.write(job, self.cell(attr))
        return old


def watch_attributes(
    log: Watch, target: Any, name: str, shared: Collection[str] | bool, fields: Collection[str] | None, inside: Inside
) -> Any:
    """Give the object a class of its own that tells the log. Raises TypeError where Python does not allow that.

    `inside` makes a watched list, dictionary or set of one that lies in an attribute.
    """
    kind = type(target)
    if getattr(kind, "watched_by", None) is log:
        return target
    told = _Attributes(log, kind, name, shared, fields, inside)

    def read(self: object, attr: str) -> Any:
        return told.read(self, attr)

    def write(self: object, attr: str, value: Any) -> None:
        told.write(self, attr, value)

    for attr, value in list(getattr(target, "__dict__", {}).items()):
        if told.watches(attr):
            target.__dict__[attr] = told.within(attr, value)
    members = {"__slots__": (), "__module__": kind.__module__, "__qualname__": kind.__qualname__, "watched_by": log,
               "__getattribute__": read, "__setattr__": write}  # fmt: skip
    try:
        object.__setattr__(target, "__class__", type(kind.__name__, (kind,), members))
    except TypeError as error:
        why = f"A {kind.__name__} cannot be watched by its attributes: name its methods in calls=."
        raise TypeError(why) from error
    return target

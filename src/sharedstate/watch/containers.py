"""Lists, dictionaries and sets that tell who put in what is read.

A list's items carry their tags along, wherever they move; a dictionary has a cell for each key, a set for each member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, SupportsIndex

if TYPE_CHECKING:
    from sharedstate.watch.findings import Access
    from sharedstate.watch.log import Cell, Watch

_ALL = slice(None)


class WatchedList(list):
    """A list whose items know who put them there."""

    def __init__(self, log: Watch, items: Iterable[Any], name: str, shared: bool) -> None:
        """Copy `items`; what is there before anybody works belongs to the set-up."""
        super().__init__(items)
        self._log, self._name, self._shared = log, name, shared
        self._tags: list[Access | None] = [None] * len(self)

    @contextmanager
    def _reading(self, at: Any = _ALL) -> Iterator[None]:
        what = f"{self._name}[{'' if at is _ALL else at}]"
        job = self._log.announce("read", what)
        with self._log.lock:
            yield
            tags = self._tags[at] if isinstance(at, slice) else [self._tags[at]]
            self._log.read_tagged(job, what, tags, self._shared)

    @contextmanager
    def _writing(self, at: Any = "") -> Iterator[Access]:
        what = f"{self._name}[{at}]"
        job = self._log.announce("write", what)
        with self._log.lock:
            yield self._log.note(job, "write", what)

    def __getitem__(self, at: Any) -> Any:
        """Read an item or a slice."""
        with self._reading(at):
            return super().__getitem__(at)

    def __iter__(self) -> Iterator[Any]:
        """Read all."""
        with self._reading():
            return super().__iter__()

    def __contains__(self, item: object) -> bool:
        """Read all."""
        with self._reading():
            return super().__contains__(item)

    def __setitem__(self, at: Any, value: Any) -> None:
        """Write an item or a slice."""
        with self._writing(at) as tag:
            value = list(value) if isinstance(at, slice) else value
            super().__setitem__(at, value)
            self._tags[at] = [tag] * len(value) if isinstance(at, slice) else tag

    def __delitem__(self, at: Any) -> None:
        """Take an item or a slice out."""
        with self._writing(at):
            super().__delitem__(at)
            del self._tags[at]

    def append(self, item: Any) -> None:
        """Add an item at the end."""
        with self._writing("end") as tag:
            super().append(item)
            self._tags.append(tag)

    def extend(self, items: Iterable[Any]) -> None:
        """Add items at the end."""
        for item in items:
            self.append(item)

    def insert(self, at: SupportsIndex, item: Any) -> None:
        """Put an item in."""
        with self._writing(at) as tag:
            super().insert(at, item)
            self._tags.insert(at, tag)

    def pop(self, at: SupportsIndex = -1) -> Any:
        """Read an item and take it out. Raises IndexError where there is none."""
        with self._log.lock:
            found = self[at]
            del self[at]
        return found

    def remove(self, item: Any) -> None:
        """Find an item, which reads all up to it, and take it out. Raises ValueError where there is none."""
        with self._log.lock:
            at = super().index(item)
            _ = self[: at + 1]
            del self[at]

    def clear(self) -> None:
        """Take all items out."""
        with self._writing():
            super().clear()
            self._tags.clear()


class _Keyed:
    """A cell for each key."""

    def __init__(self, log: Watch, name: str, shared: bool) -> None:
        self.log, self.name, self.shared = log, name, shared
        self.cells: dict[Any, Cell] = {}

    def cell(self, key: Any) -> Cell:
        if key not in self.cells:
            self.cells[key] = self.log.cell(f"{self.name}[{key!r}]", self.shared)
        return self.cells[key]

    @contextmanager
    def reading(self, *keys: Any) -> Iterator[None]:
        jobs = [self.log.announce("read", f"{self.name}[{key!r}]") for key in keys]
        with self.log.lock:
            yield
            for key, job in zip(keys, jobs, strict=True):
                self.log.read(job, self.cell(key))

    @contextmanager
    def writing(self, *keys: Any) -> Iterator[None]:
        jobs = [self.log.announce("write", f"{self.name}[{key!r}]") for key in keys]
        with self.log.lock:
            yield
            for key, job in zip(keys, jobs, strict=True):
                self.log.write(job, self.cell(key))


class WatchedDict(dict):
    """A dictionary with a cell for each key."""

    def __init__(self, log: Watch, items: dict[Any, Any], name: str, shared: bool) -> None:
        """Copy `items`."""
        super().__init__(items)
        self._keyed = _Keyed(log, name, shared)

    def __getitem__(self, key: Any) -> Any:
        """Read a key's value."""
        with self._keyed.reading(key):
            return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """Read a key's value, if there is one."""
        with self._keyed.reading(key):
            return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        """Read whether a key is there."""
        with self._keyed.reading(key):
            return super().__contains__(key)

    def __iter__(self) -> Iterator[Any]:
        """Read all keys."""
        with self._keyed.reading(*super().keys()):
            return super().__iter__()

    def items(self) -> Any:
        """Read all."""
        with self._keyed.reading(*super().keys()):
            return super().items()

    def values(self) -> Any:
        """Read all."""
        with self._keyed.reading(*super().keys()):
            return super().values()

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write a key's value."""
        with self._keyed.writing(key):
            super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        """Take a key out."""
        with self._keyed.writing(key):
            super().__delitem__(key)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Read a key's value, and write it where there is none."""
        if key not in self:
            self[key] = default
        return super().__getitem__(key)

    def pop(self, key: Any, *default: Any) -> Any:
        """Read a key's value and take it out."""
        with self._keyed.log.lock:
            self.get(key)
            with self._keyed.writing(key):
                return super().pop(key, *default)

    def update(self, *args: Any, **more: Any) -> None:
        """Write several."""
        for key, value in dict(*args, **more).items():
            self[key] = value

    def clear(self) -> None:
        """Take all out."""
        with self._keyed.writing(*super().keys()):
            super().clear()


class WatchedSet(set):
    """A set with a cell for each member, there or not."""

    def __init__(self, log: Watch, items: Iterable[Any], name: str, shared: bool) -> None:
        """Copy `items`."""
        super().__init__(items)
        self._keyed = _Keyed(log, name, shared)

    def __contains__(self, item: object) -> bool:
        """Read whether an item is there."""
        with self._keyed.reading(item):
            return super().__contains__(item)

    def __iter__(self) -> Iterator[Any]:
        """Read all."""
        with self._keyed.reading(*super().copy()):
            return super().__iter__()

    def add(self, item: Any) -> None:
        """Put an item in."""
        with self._keyed.writing(item):
            super().add(item)

    def discard(self, item: Any) -> None:
        """Take an item out, if it is there."""
        with self._keyed.writing(item):
            super().discard(item)

    def remove(self, item: Any) -> None:
        """Take an item out. Raises KeyError where it is not there."""
        with self._keyed.writing(item):
            super().remove(item)

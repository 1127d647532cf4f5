"""A numpy array whose elements know who wrote them. A view by index shares the tags, as it shares the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sharedstate.watch.tags import Tags

if TYPE_CHECKING:
    from sharedstate.watch.log import Watch


class WatchedArray(np.ndarray):
    """A view of an array with an array of tags of the same shape. Any operation but an index reads all of it."""

    tags: np.ndarray
    book: Tags

    def __array_finalize__(self, parent: object) -> None:
        """A view that numpy makes on its own has no tags: __getitem__ gives them."""

    def __getitem__(self, index: Any) -> Any:
        """Read elements: a view with its tags, or a number."""
        with self.book.log.lock:
            tags, found = self.tags[index], self.view(np.ndarray)[index]
        self.book.read_all(np.unique(tags))
        return _tagged(found, tags, self.book) if isinstance(found, np.ndarray) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write elements."""
        job = self.book.announce("write")
        with self.book.log.lock:
            self.view(np.ndarray)[index] = plain(value)
            self.tags[index] = self.book.write(job)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Read whatever is computed with; what is written in place (`a += 1`) is a write of all of it."""
        for each in inputs:
            if isinstance(each, WatchedArray):
                _ = each[...]
        targets = options.get("out", ())
        if targets:
            options["out"] = tuple(map(plain, targets))
        answer = getattr(ufunc, method)(*map(plain, inputs), **options)
        for target in targets:
            if isinstance(target, WatchedArray):
                job = target.book.announce("write")
                with target.book.log.lock:
                    target.tags[...] = target.book.write(job)
        return targets[0] if targets else answer

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        """Read whatever numpy's functions are given."""
        for each in args:
            if isinstance(each, WatchedArray):
                _ = each[...]
        return function(*map(plain, args), **{key: plain(value) for key, value in options.items()})

    def sum(self, *args: Any, **options: Any) -> Any:
        """Read all, and add."""
        return plain(self[...]).sum(*args, **options)

    def tolist(self) -> Any:
        """Read all, as lists."""
        return plain(self[...]).tolist()


def plain(value: Any) -> Any:
    """Return an array without its tags; anything else as it is."""
    return value.view(np.ndarray) if isinstance(value, WatchedArray) else value


def _tagged(data: np.ndarray, tags: np.ndarray, book: Tags) -> WatchedArray:
    found = data.view(WatchedArray)
    found.tags, found.book = tags, book
    return found


def watched(log: Watch, array: np.ndarray, name: str, shared: bool) -> WatchedArray:
    """Return a view of the array, watched under this name: writes through the array itself are not seen."""
    return _tagged(array, np.zeros(array.shape, dtype=np.int32), Tags(log, name, shared))

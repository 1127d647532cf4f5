"""A cache whose rows lie close together, in the order of arrival: when one ends, those after it move up.

Dense rows make a batch a plain slice. The price is that a row number is only right until the next request ends:
whoever keeps one must hear of every move.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from sharedstate.kvcache.slots import Mark, SlotCache

BOOKS = ("owners", "epochs", "filled", "reached", "places", "_written")


@dataclass(frozen=True)
class _PackedMark(Mark):
    """A mark that also knows where each slot's row was."""

    places: tuple[tuple[int, int], ...]


class PackedCache(SlotCache):
    """A SlotCache whose slot numbers are only tickets: `places` says which row of the pools each has now."""

    def __init__(self, *sizes: Any, **options: Any) -> None:
        """Take what SlotCache takes."""
        super().__init__(*sizes, **options)
        self.places: dict[int, int] = {}

    def row_of(self, slot: int) -> int:
        """Return where the slot's row is now. Raises ValueError for a free slot: it has none."""
        if slot not in self.places:
            raise ValueError(f"Slot {slot} is free: it has no row.")
        return self.places[slot]

    def allocate(self, owner: str) -> int:
        """Give a ticket to `owner`; its row is the first behind those in use."""
        slot = super().allocate(owner)
        self.places[slot] = len(self.places)
        return slot

    def release(self, slot: int) -> None:
        """End a slot: the rows behind its own move up by one, and the places follow. All of it, or nothing."""
        self._owned(slot)
        row = self.row_of(slot)
        undo = self._undo(slice(row, len(self.places)))
        try:
            super().release(slot)
            del self.places[slot]
            self.move_up(row)
            self.renumber(row)
        except BaseException:
            undo()
            raise

    def _undo(self, rows: slice) -> Callable[[], None]:
        """Copy these rows and all books; return what puts them back."""
        pools = self.keys[:, rows].clone(), self.values[:, rows].clone()
        books = {name: deepcopy(getattr(self, name)) for name in BOOKS}
        tags = None if self.tags is None else self.tags.saved()

        def undo() -> None:
            self.keys[:, rows], self.values[:, rows] = pools
            vars(self).update(books)
            if tags is not None:
                tags()

        return undo

    def move_up(self, row: int) -> None:
        """Copy every row behind `row` one place up. The last one's old copy stays where it was."""
        for target in range(row, len(self.places)):
            for layer in range(self.num_layers):
                reached = self.reached[target + 1][layer]
                self._touch(target, layer, 0, max(reached, self.reached[target][layer]))
            self.keys[:, target] = self.keys[:, target + 1]
            self.values[:, target] = self.values[:, target + 1]
            if self.tags is not None:
                self.tags.moved(target + 1, target)

    def renumber(self, row: int) -> None:
        """Tell every slot whose row has moved where it is now."""
        self.places = {slot: place - (place > row) for slot, place in self.places.items()}

    def snapshot(self) -> Mark:
        """Return a mark; it holds until one of its rows moves."""
        mark = super().snapshot()
        return _PackedMark(**vars(mark), places=tuple(self.places.items()))

    def rollback(self, mark: Mark) -> None:
        """Go back to a mark. Raises StaleMark when one of its rows has moved since."""
        self._check_mark(mark)
        assert isinstance(mark, _PackedMark)  # the only kind that this cache gives
        before = self.places
        try:
            self.places = dict(mark.places)
            super().rollback(mark)
        except BaseException:
            self.places = before
            raise

"""The slot cache against a model of it: plain lists that copy everything."""

from __future__ import annotations

import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sharedstate.kvcache import CacheFull, OwnerTags, PackedCache, SlotCache, StaleMark

SLOTS, CAPACITY, LAYERS = 3, 5, 2
ACTIONS = st.one_of(
    st.just(("allocate",)),
    st.tuples(st.just("append"), st.integers(0, SLOTS - 1), st.integers(0, LAYERS - 1), st.integers(0, 3)),
    st.tuples(st.just("fill"), st.integers(0, SLOTS - 1), st.integers(1, 3)),
    st.tuples(st.just("release"), st.integers(0, SLOTS - 1)),
    st.just(("snapshot",)),
    st.tuples(st.just("rollback"), st.integers(0, 5)),
)


class Twin:
    """A cache, and what should be in it: for each slot its owner and the numbers of each layer."""

    def __init__(self, kind: type[SlotCache]) -> None:
        self.cache = kind(SLOTS, CAPACITY, LAYERS, 1, 1, dtype=torch.float64, tags=OwnerTags())
        self.owners: list[str | None] = [None] * SLOTS
        self.data: list[list[list[float]]] = [[[] for _ in range(LAYERS)] for _ in range(SLOTS)]
        self.marks: list[tuple] = []
        self.next, self.refused = 1.0, 0

    def allocate(self) -> None:
        """A new tenant, in the lowest slot."""
        self.next += 1
        free = [slot for slot, owner in enumerate(self.owners) if owner is None]
        if not free:
            with pytest.raises(CacheFull):
                self.cache.allocate("x")
            return
        assert self.cache.allocate(f"t{self.next}") == free[0]
        self.owners[free[0]] = f"t{self.next}"

    def append(self, slot: int, layer: int, count: int) -> None:
        """New numbers, each another."""
        new = [self.next + n for n in range(count)]
        self.next += count
        k = torch.tensor(new, dtype=torch.float64).view(1, count, 1)
        room = len(self.data[slot][layer]) + count <= CAPACITY
        if self.owners[slot] is None or not room:
            with pytest.raises(ValueError if self.owners[slot] is None else CacheFull):
                self.cache.append(slot, layer, k, -k)
            return
        self.cache.append(slot, layer, k, -k)
        self.data[slot][layer] += new

    def fill(self, slot: int, count: int) -> None:
        """New numbers in every layer."""
        for layer in range(LAYERS):
            self.append(slot, layer, count)

    def release(self, slot: int) -> None:
        """The tenant goes."""
        if self.owners[slot] is None:
            with pytest.raises(ValueError, match="is free"):
                self.cache.release(slot)
            return
        self.cache.release(slot)
        self.owners[slot], self.data[slot] = None, [[] for _ in range(LAYERS)]

    def snapshot(self) -> None:
        """Copy everything."""
        self.marks.append((self.cache.snapshot(), copy.deepcopy((self.owners, self.data))))

    def rollback(self, which: int) -> None:
        """Go back, or be told that it cannot be."""
        if not self.marks:
            return
        mark, (owners, data) = self.marks[which % len(self.marks)]
        try:
            self.cache.rollback(mark)
        except StaleMark:
            self.refused += 1
            return
        self.owners, self.data = copy.deepcopy((owners, data))

    def compare(self) -> None:
        """All that is valid is what should be there, read with every right."""
        assert self.cache.owners == self.owners
        for slot, owner in enumerate(self.owners):
            for layer in range(LAYERS) if owner is not None else ():
                k, v = self.cache.view(slot, layer)
                assert k.flatten().tolist() == self.data[slot][layer]
                assert torch.equal(v, -k)


def played(kind: type[SlotCache], actions: list[tuple]) -> Twin:
    """Do everything, and compare after each action."""
    twin = Twin(kind)
    for word, *rest in actions:
        getattr(twin, word)(*rest)
        twin.compare()
    return twin


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(ACTIONS, max_size=25), st.sampled_from([SlotCache, PackedCache]))
def test_what_is_valid_is_what_was_written_whatever_happens(actions: list[tuple], kind: type[SlotCache]) -> None:
    played(kind, [("allocate",), ("fill", 0, 2), ("allocate",), ("fill", 1, 3), *actions])


PREFIX = [("allocate",), ("fill", 0, 2), ("snapshot",)]


def test_a_mark_is_refused_only_where_something_is_gone() -> None:
    assert played(SlotCache, [*PREFIX, ("fill", 0, 2), ("release", 0), ("rollback", 0)]).refused == 0
    assert played(SlotCache, [*PREFIX, ("release", 0), ("allocate",), ("rollback", 0)]).refused == 0
    gone = [*PREFIX, ("release", 0), ("allocate",), ("append", 0, 1, 1), ("rollback", 0)]
    assert played(SlotCache, gone).refused == 1
    two = [("allocate",), ("fill", 0, 1), ("allocate",), ("fill", 1, 2)]
    moved = [*two, ("snapshot",), ("release", 0), ("rollback", 0)]
    assert played(PackedCache, moved).refused == 1
    by_nothing = [("allocate",), ("fill", 0, 2), ("allocate",), ("snapshot",), ("release", 0), ("rollback", 0)]
    assert played(PackedCache, by_nothing).refused == 1
    assert played(SlotCache, moved).refused == 0


@pytest.mark.parametrize("part", ["_check_mark", "_advance", "renumber"])
def test_the_model_sees_a_cache_that_is_wrong(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    kind = PackedCache if part == "renumber" else SlotCache
    actions = [*PREFIX, ("allocate",), ("fill", 1, 1), ("release", 0), ("allocate",), ("fill", 0, 1), ("rollback", 0)]
    played(kind, actions)
    monkeypatch.setattr(kind, part, lambda *_: None)
    with pytest.raises((AssertionError, RuntimeError)):
        played(kind, actions)


def test_rows_move_with_all_that_was_ever_in_them() -> None:
    twin = played(PackedCache, [("allocate",), ("fill", 0, 1), ("allocate",), ("fill", 1, 3), ("release", 0)])
    assert (twin.cache.row_of(1), twin.cache.extent(1)) == (0, 3)
    with pytest.raises(ValueError, match="Slot 0 is free: it has no row"):
        twin.cache.row_of(0)

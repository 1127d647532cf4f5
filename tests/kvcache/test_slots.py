"""The slot cache: what it gives back, what it refuses, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from sharedstate.kvcache import CacheFull, SlotCache, StaleMark
from sharedstate.model import GPT


def tokens(count: int, value: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Keys and values of `count` tokens for the small cache."""
    return torch.full((2, count, 4), value), torch.full((2, count, 4), -value)


def fill(cache: SlotCache, slot: int, count: int, value: float = 1.0) -> None:
    """Append to every layer."""
    for layer in range(cache.num_layers):
        cache.append(slot, layer, *tokens(count, value))


def state(cache: SlotCache) -> tuple:
    """Everything that counts: the books, and the data that is valid."""
    data = [
        pool[layer, cache.row_of(slot), :, :length].tolist()
        for pool in (cache.keys, cache.values)
        for slot, lengths in enumerate(cache.lengths)
        for layer, length in enumerate(lengths)
        if cache.owners[slot] is not None
    ]
    return tuple(cache.owners), tuple(cache.epochs), cache.lengths, cache.free_slots, data


def test_a_slot_gives_back_what_was_put_in_and_no_more(cache: SlotCache) -> None:
    slot = cache.allocate("a")
    fill(cache, slot, 3, 1.0)
    fill(cache, slot, 2, 2.0)
    keys, values = cache.view(slot, 1)
    assert keys.shape == values.shape == (2, 5, 4)
    assert keys[0, :, 0].tolist() == [1, 1, 1, 2, 2]
    assert torch.equal(values, -keys)
    assert (cache.length(slot), cache.lengths) == (5, ((5, 5), (0, 0), (0, 0)))


def test_a_view_is_no_copy(cache: SlotCache) -> None:
    slot = cache.allocate("a")
    fill(cache, slot, 3)
    cache.view(slot, 0)[0][:] = 7.0
    assert cache.view(slot, 0)[0].eq(7.0).all()


def test_slots_are_given_out_lowest_first_each_time_in_a_new_epoch(cache: SlotCache) -> None:
    assert [cache.allocate(name) for name in "abc"] == [0, 1, 2]
    cache.release(1)
    assert cache.free_slots == (1,)
    assert (cache.allocate("d"), cache.owner(1)) == (1, "d")
    assert [cache.epoch(slot) for slot in range(3)] == [1, 4, 3]


def test_release_leaves_the_data_and_says_how_far_it_goes(cache: SlotCache) -> None:
    slot = cache.allocate("a")
    fill(cache, slot, 5)
    cache.release(slot)
    assert cache.allocate("b") == slot
    assert (cache.length(slot), cache.extent(slot), cache.view(slot, 0)[0].shape[1]) == (0, 5, 0)
    assert cache.keys[0, slot, :, :5].eq(1.0).all()


def test_clear_makes_zeros_and_keeps_the_extent(cache: SlotCache) -> None:
    slot = cache.allocate("a")
    fill(cache, slot, 5)
    cache.release(slot)
    cache.clear(slot)
    assert not cache.keys.any()
    assert not cache.values.any()
    assert cache.extent(slot) == 5


def test_rollback_takes_back_appends_and_allocations(cache: SlotCache) -> None:
    fill(cache, cache.allocate("a"), 3)
    before, mark = state(cache), cache.snapshot()
    fill(cache, 0, 2, 9.0)
    cache.append(cache.allocate("b"), 0, *tokens(4))
    assert state(cache) != before
    cache.rollback(mark)
    assert state(cache) == before
    fill(cache, 0, 1, 5.0)
    assert cache.view(0, 1)[0][0, :, 0].tolist() == [1, 1, 1, 5]


def test_a_mark_outlives_a_release_until_the_slot_is_written(cache: SlotCache) -> None:
    fill(cache, cache.allocate("a"), 3)
    before, mark = state(cache), cache.snapshot()
    cache.release(0)
    cache.rollback(mark)
    assert state(cache) == before
    cache.release(0)
    fill(cache, cache.allocate("b"), 1)
    after = state(cache)
    with pytest.raises(StaleMark, match="Slot 0 of 'a' was written anew"):
        cache.rollback(mark)
    assert state(cache) == after


def test_a_mark_does_not_come_back_over_data_rewritten_behind_an_earlier_mark(cache: SlotCache) -> None:
    fill(cache, cache.allocate("a"), 3)
    early = cache.snapshot()
    fill(cache, 0, 3, 2.0)
    late = cache.snapshot()
    cache.rollback(early)
    fill(cache, 0, 3, 8.0)
    with pytest.raises(StaleMark):
        cache.rollback(late)
    cache.rollback(early)
    assert cache.view(0, 0)[0].eq(1.0).all()


@pytest.mark.parametrize("count", [1, 3])
def test_a_mark_knows_that_its_slot_was_cleared(cache: SlotCache, count: int) -> None:
    fill(cache, cache.allocate("a"), count)
    mark = cache.snapshot()
    cache.release(0)
    cache.clear(0)
    with pytest.raises(StaleMark):
        cache.rollback(mark)


def test_a_mark_of_another_cache_is_refused(cache: SlotCache) -> None:
    with pytest.raises(StaleMark, match="another cache"):
        cache.rollback(SlotCache(3, 8, 2, 2, 4).snapshot())


REFUSED: tuple[tuple[str, type[Exception], str, Callable[[SlotCache], object]], ...] = (
    ("full slot", CacheFull, "larger capacity", lambda c: c.append(0, 0, *tokens(6))),
    ("free slot", ValueError, "allocate it first", lambda c: c.append(2, 0, *tokens(1))),
    ("no such slot", ValueError, "numbered 0 to 2", lambda c: c.append(3, 0, *tokens(1))),
    ("negative slot", ValueError, "no slot -1", lambda c: c.append(-1, 0, *tokens(1))),
    ("slot by bool", ValueError, "no slot True", lambda c: c.append(True, 0, *tokens(1))),
    ("no such layer", ValueError, "no layer 2", lambda c: c.append(0, 2, *tokens(1))),
    ("negative layer", ValueError, "no layer -1", lambda c: c.append(0, -1, *tokens(1))),
    ("wrong heads", ValueError, r"k must be \[2, T, 4\]", lambda c: c.append(0, 0, torch.ones(3, 1, 4), tokens(1)[1])),
    ("wrong size", ValueError, "v must be", lambda c: c.append(0, 0, tokens(1)[0], torch.ones(2, 1, 3))),
    ("one axis too many", ValueError, "k must be", lambda c: c.append(0, 0, tokens(1)[0][None], tokens(1)[1])),
    ("no tensor", ValueError, "not list", lambda c: c.append(0, 0, [1.0], tokens(1)[1])),
    ("other dtype", ValueError, "float64", lambda c: c.append(0, 0, tokens(1)[0].double(), tokens(1)[1])),
    ("v of another dtype", ValueError, "v is", lambda c: c.append(0, 0, tokens(1)[0], tokens(1)[1].half())),
    ("k longer than v", ValueError, "k has 2 tokens and v has 1", lambda c: c.append(0, 0, tokens(2)[0], tokens(1)[1])),
    ("release twice", ValueError, "is free", lambda c: c.release(2)),
    ("clear what is valid", ValueError, "release it first", lambda c: c.clear(0)),
    ("a nameless owner", ValueError, "owner is a name", lambda c: c.allocate("")),
    ("an owner that is no text", ValueError, "owner is a name", lambda c: c.allocate(7)),
    ("view of another slot", ValueError, "no slot 9", lambda c: c.view(9, 0)),
    ("store in a free slot", ValueError, "is free", lambda c: c.store(2, 0, *tokens(1), 0)),
    ("store beyond the end", CacheFull, "2 tokens from column 7", lambda c: c.store(0, 0, *tokens(2), c.capacity - 1)),
    ("store before the start", CacheFull, "from column -1", lambda c: c.store(0, 0, *tokens(1), -1)),
    ("store in no layer", ValueError, "no layer 2", lambda c: c.store(0, 2, *tokens(1), 0)),
    ("store half", ValueError, "k has 2 tokens and v has 1", lambda c: c.store(0, 0, tokens(2)[0], tokens(1)[1], 0)),
    ("count beyond the end", CacheFull, "100 more do not fit", lambda c: c.advance(0, 0, 100)),
    ("count backwards", ValueError, "use rollback", lambda c: c.advance(0, 0, -1)),
    ("count a free slot", ValueError, "is free", lambda c: c.advance(2, 0, 1)),
    ("a read of no slot", ValueError, "no slot -1", lambda c: c.check_read(-1, 0, range(1))),
    ("a read of no column", ValueError, "no column", lambda c: c.check_read(0, 0, [0, 8])),
    ("a read before the first", ValueError, "no column", lambda c: c.check_read(0, 0, range(-1, 2))),
    ("a mark that is none", ValueError, r"snapshot\(\) gives", lambda c: c.rollback(None)),
)  # fmt: skip


@pytest.mark.parametrize(("error", "words", "act"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_refused_changes_nothing(
    cache: SlotCache, error: type[Exception], words: str, act: Callable[[SlotCache], object]
) -> None:
    fill(cache, cache.allocate("a"), 3)
    fill(cache, cache.allocate("b"), 2, 4.0)
    before, pools = state(cache), (cache.keys.clone(), cache.values.clone())
    with pytest.raises(error, match=words):
        act(cache)
    assert state(cache) == before
    assert torch.equal(cache.keys, pools[0])
    assert torch.equal(cache.values, pools[1])


def test_no_slot_left_says_who_has_them(cache: SlotCache) -> None:
    for name in "abc":
        cache.allocate(name)
    before = state(cache)
    with pytest.raises(CacheFull, match=r"All 3 slots are taken \(a, b, c\): release one"):
        cache.allocate("d")
    assert state(cache) == before


@pytest.mark.parametrize("sizes", [(0, 8, 2, 2, 4), (3, -1, 2, 2, 4), (3, 8, 2.0, 2, 4), (3, 8, 2, True, 4)])
def test_sizes_that_make_no_cache(sizes: tuple) -> None:
    with pytest.raises(ValueError, match="whole number of 1 or more"):
        SlotCache(*sizes)


def test_a_cache_for_a_model_has_its_shape(tiny: GPT) -> None:
    cache = SlotCache.for_model(tiny)
    assert (cache.keys.shape, cache.keys.dtype) == ((2, 1, 2, 64, 4), torch.float64)
    assert SlotCache.for_model(tiny, 3, 5).values.shape == (2, 3, 2, 5, 4)


def test_whole_numbers_are_no_dtype() -> None:
    with pytest.raises(ValueError, match="floating point"):
        SlotCache(1, 1, 1, 1, 1, dtype=torch.int64)
    with pytest.raises(ValueError, match="'float32' will not do"):
        SlotCache(1, 1, 1, 1, 1, dtype="float32")


class Breaks(torch.Tensor):
    """A pool into which nothing can be written."""

    def __setitem__(self, *_: object) -> None:
        raise RuntimeError("the memory is gone")


@pytest.mark.parametrize("pool", ["keys", "values"])
def test_a_failure_in_the_middle_of_an_append_changes_nothing_that_counts(cache: SlotCache, pool: str) -> None:
    fill(cache, cache.allocate("a"), 3)
    before = state(cache)
    whole = getattr(cache, pool)
    setattr(cache, pool, whole.as_subclass(Breaks))
    with pytest.raises(RuntimeError, match="the memory is gone"):
        cache.append(0, 0, *tokens(2, 9.0))
    setattr(cache, pool, whole)
    assert state(cache) == before
    fill(cache, 0, 2, 6.0)
    assert cache.view(0, 0)[0][0, :, 0].tolist() == [1, 1, 1, 6, 6]

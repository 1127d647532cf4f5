"""Tags beside the data: who may read what, and that they cost nothing and change nothing when they are off."""

from __future__ import annotations

import pytest
import torch

from sharedstate.kvcache import OwnershipViolation, OwnerTags, PackedCache, SlotCache, SlotEngine, cached_forward
from sharedstate.model import GPT


def tagged(record: bool = False, kind: type[SlotCache] = SlotCache) -> SlotCache:
    """A small cache with tags."""
    return kind(3, 8, 2, 2, 4, tags=OwnerTags(record))


def fill(cache: SlotCache, slot: int, count: int) -> None:
    """Append to both layers."""
    for layer in range(2):
        cache.append(slot, layer, torch.ones(2, count, 4), torch.ones(2, count, 4))


def test_an_owner_reads_what_it_wrote() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    assert cache.view(0, 1)[0].shape == (2, 3, 4)
    assert cache.tags.owners(0, 1, 2) == {"a"}
    assert cache.tags.owners(0, 1, 3) == frozenset()


def test_a_violation_names_reader_owner_slot_layer_position_and_step() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    cache.tags.next_step()
    cache.tags.next_step()
    with pytest.raises(OwnershipViolation) as caught:
        cache.view(0, 1, reader="b")
    seen = caught.value
    assert (seen.reader, seen.owners, seen.slot, seen.layer, seen.position, seen.step) == ("b", {"a"}, 0, 1, 0, 2)
    assert str(seen) == "'b' reads slot 0, layer 1, position 0, at step 2: this belongs to 'a'."


def test_stale_data_belongs_to_its_last_owner_until_it_is_overwritten() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    cache.release(0)
    fill(cache, cache.allocate("b"), 1)
    cache.advance(0, 0, 1)  # the length says one more than b wrote
    with pytest.raises(OwnershipViolation, match=r"'b' reads slot 0, layer 0, position 1, .* belongs to 'a'"):
        cache.view(0, 0)
    assert cache.view(0, 1)[0].shape[1] == 1


def test_zeros_belong_to_nobody() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    cache.release(0)
    cache.clear(0)
    cache.allocate("b")
    cache.advance(0, 0, 1)
    with pytest.raises(OwnershipViolation, match="belongs to nobody"):
        cache.view(0, 0)


def test_the_same_name_in_a_later_epoch_is_another_tenant() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    cache.release(0)
    cache.allocate("a")
    cache.advance(0, 0, 1)
    with pytest.raises(OwnershipViolation, match="its own of an earlier epoch"):
        cache.view(0, 0)


def test_shared_data_has_several_owners() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    cache.tags.share(0, {"b", "c"}, stop=2)
    assert cache.tags.owners(0, 0, 1) == {"a", "b", "c"}
    cache.check_read(0, 0, range(2), "b")
    cache.check_read(0, 0, range(3), "a")
    with pytest.raises(OwnershipViolation, match="position 2"):
        cache.check_read(0, 0, range(3), "b")
    with pytest.raises(OwnershipViolation, match="belongs to 'a', 'b', 'c'"):
        cache.check_read(0, 0, range(2), "d")


@pytest.mark.parametrize("guest", ["a", "b"])
def test_what_was_shared_ends_with_the_epoch_it_was_written_in(guest: str) -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    cache.tags.share(0, ["b"])
    cache.release(0)
    cache.allocate(guest)
    cache.advance(0, 0, 1)
    with pytest.raises(OwnershipViolation, match="shared with it, of an earlier epoch"):
        cache.view(0, 0)


def test_sharing_an_old_place_does_not_make_it_new() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 3)
    cache.release(0)
    fill(cache, cache.allocate("a"), 1)
    cache.tags.share(0, ["b"])
    cache.check_read(0, 0, range(1), "b")
    for reader in "ab":
        with pytest.raises(OwnershipViolation, match="position 1"):
            cache.check_read(0, 0, range(2), reader)


@pytest.mark.parametrize("owners", ["bob", [7], [""], []])
def test_sharing_wants_a_list_of_names(owners: object) -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 1)
    with pytest.raises(ValueError, match="a list of names"):
        cache.tags.share(0, owners)
    assert cache.tags.owners(0, 0, 0) == {"a"}


def test_sharing_wants_a_place_that_is_there() -> None:
    cache = tagged()
    for slot, stop in ((9, None), (-1, None), (0, -1)):
        with pytest.raises(ValueError, match="no slot"):
            cache.tags.share(slot, ["b"], stop)


def test_nobody_gets_a_share_of_what_is_not_there() -> None:
    cache = tagged()
    fill(cache, cache.allocate("a"), 1)
    cache.tags.share(0, {"b"})
    with pytest.raises(OwnershipViolation, match="belongs to nobody"):
        cache.check_read(0, 0, range(2), "b")


def test_recording_keeps_violations_and_raises_nothing() -> None:
    cache = tagged(record=True)
    fill(cache, cache.allocate("a"), 3)
    cache.view(0, 0, reader="b")
    cache.view(0, 1, reader="c")
    assert [(one.reader, one.layer) for one in cache.tags.violations] == [("b", 0), ("c", 1)]


def test_a_read_is_one_violation_however_much_it_reads() -> None:
    cache = tagged(record=True)
    cache.allocate("a")
    fill(cache, 0, 2)
    fill(cache, 0, 2)
    cache.view(0, 0, reader="b")
    assert len(cache.tags.violations) == 1


def test_a_request_that_is_sent_to_another_slot_is_named(tiny: GPT) -> None:
    engine = SlotEngine(tiny, 2, 8, OwnerTags())
    engine.add("a", [1, 2])
    engine.add("b", [3])
    engine.slot_of = lambda request: 0
    with pytest.raises(OwnershipViolation, match=r"'b' reads slot 0, .* at step 3: this belongs to 'a'"):
        engine.step({"b": 4})
    assert engine.cache.lengths[0] == (2, 2)


def test_what_a_request_leaves_in_another_s_slot_is_not_the_owner_s(tiny: GPT) -> None:
    tags = OwnerTags(record=True)
    engine = SlotEngine(tiny, 2, 8, tags)
    engine.add("a", [1, 2])
    engine.add("b", [3])
    engine.slot_of = lambda request: 0
    engine.step({"b": 4})
    del engine.slot_of
    assert [(one.reader, one.owners, one.position) for one in tags.violations] == [("b", {"a"}, 0)] * 2
    engine.step({"a": 5})
    assert [(one.reader, one.owners, one.position) for one in tags.violations[2:]] == [("a", {"b"}, 2)] * 2


def test_tags_belong_to_one_cache() -> None:
    tags = OwnerTags()
    SlotCache(1, 2, 1, 1, 2, tags=tags)
    with pytest.raises(ValueError, match="another cache"):
        SlotCache(1, 2, 1, 1, 2, tags=tags)


def test_tags_go_with_a_row_that_moves() -> None:
    cache = tagged(kind=PackedCache)
    for count, name in enumerate("abc", 2):
        fill(cache, cache.allocate(name), count)
    cache.release(0)
    assert [cache.row_of(slot) for slot in (1, 2)] == [0, 1]
    assert (cache.tags.owners(0, 0, 2), cache.tags.owners(1, 0, 3)) == ({"b"}, {"c"})
    assert cache.view(1, 0)[0].shape[1] == 3
    assert cache.view(2, 1)[0].shape[1] == 4


@pytest.mark.parametrize("kind", [SlotCache, PackedCache])
def test_the_engine_raises_nothing_on_its_own_work_and_gives_the_same_bits(tiny: GPT, kind: type[SlotCache]) -> None:
    answers = []
    for tags in (None, OwnerTags()):
        engine = SlotEngine(tiny, 4, 16, tags, cache=kind)
        engine.add("a", [1, 2, 3, 4, 5])
        engine.add_batch({"b": [6, 7], "c": [8, 9, 10]}, "left")
        engine.step({"a": 1, "b": 2, "c": 3})
        engine.finish("a")
        engine.add_batch({"d": [5], "e": [4, 3]}, "right")
        answers.append(torch.stack([*engine.step({"b": 1, "d": 2, "c": 3, "e": 4}).values()]))
    assert torch.equal(*answers)


def test_one_request_with_tags_gives_the_same_bits(tiny: GPT) -> None:
    found = []
    for tags in (None, OwnerTags()):
        cache = SlotCache.for_model(tiny, 1, 8, tags)
        found.append(cached_forward(tiny, torch.tensor([1, 2, 3]), cache, cache.allocate("a")))
    assert torch.equal(*found)


def test_a_prompt_found_again_is_shared_by_name(tiny: GPT) -> None:
    engine = SlotEngine(tiny, 2, 8, OwnerTags(), reuse=True)
    engine.add("a", [1, 2, 3])
    engine.add("b", [1, 2, 3])
    slot = engine.slot_of("b")
    assert engine.cache.tags.owners(slot, 0, 1) == {"a", "b"}
    assert engine.cache.tags.owners(slot, 0, 2) == {"b"}

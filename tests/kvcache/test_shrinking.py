"""From 16 requests of up to 64 tokens to the smallest configuration that is known for each bug (claims, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from sharedstate.faults import load
from sharedstate.faults.unit08 import BUGS
from sharedstate.influence.shrinking import NotFailing
from sharedstate.kvcache import PackedCache, PagedEngine, SlotEngine
from sharedstate.kvcache.oracles import alone
from sharedstate.kvcache.shrinking import Sized, crowd, crowd_story, shrink_story, shrink_workload
from sharedstate.kvcache.stories import judge
from sharedstate.kvcache.workloads import Workload

# (requests, steps, prompt tokens), and how many slots are left.
SMALLEST: Mapping[str, tuple[tuple[int, int, int], int]] = MappingProxyType({
    "stale-length-mask": ((2, 3, 3), 1),  # one slot, the old length is the new one + 1
    "key-is-length": ((2, 2, 4), 2),  # two prompts of two tokens
    "left-pad-no-mask": ((2, 1, 3), 2),  # one pad
    "abort-length-kept": ((2, 3, 2), 1),  # one slot
    "retry-not-rolled-back": ((1, 2, 1), 1),
    "length-before-write": ((1, 1, 1), 1),
})
OTHERS: Mapping[str, tuple[tuple[int, int, int], int]] = MappingProxyType({
    "zeroed-wrong-mask": ((2, 3, 3), 1), "left-pad-no-positions": ((2, 1, 3), 2), "left-pad-neither": ((2, 1, 3), 2),
    "right-pad-index-minus-one": ((2, 1, 3), 2), "stale-offsets": ((3, 4, 3), 2),  # two, and a third that comes
})
# A block of another place is found when its first block stood second in another prompt: 8 tokens, and 5.
STORIES: Mapping[str, tuple[int, int, int]] = MappingProxyType({
    "block-hash-no-parent": (2, 2, 13), "KEY-01": (2, 2, 9), "KEY-02": (2, 2, 9), "publish-unwritten": (1, 2, 5),
})
NOT_IN_THE_CROWD = {"two-owners"}  # every fork of the crowd ends before its blocks are given out again


def crowd_for(name: str) -> Workload:
    """The same 16 requests; padding at the left hurts absolute positions, a key needs reuse."""
    return crowd("learned" if name.startswith("left-pad") else "rope", reuse=name == "key-is-length")


def check(bugs: Mapping[str, type], name: str, expected: tuple[tuple[int, int, int], int]) -> None:
    workload = crowd_for(name)
    shrunk = shrink_workload(bugs[name], workload)
    assert Sized.of(workload).size == (16, len(workload.steps), 321)
    assert (shrunk.smallest.size, shrunk.smallest.slots) == expected
    assert shrunk.finished and shrunk.runs < 300
    assert alone(bugs[name], shrunk.smallest.put(workload)).sees


@pytest.mark.parametrize("name", SMALLEST)
def test_the_known_smallest_is_found(bugs: Mapping[str, type], name: str) -> None:
    check(bugs, name, SMALLEST[name])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", OTHERS)
def test_the_known_smallest_of_the_others_is_found(bugs: Mapping[str, type], name: str) -> None:
    check(bugs, name, OTHERS[name])


def test_the_crowd_is_as_large_as_it_says_and_right_engines_bear_it() -> None:
    workload = crowd()
    assert len(workload.requests) == 16 and workload.capacity == 64 and workload.slots == 4
    for kind in (SlotEngine, PackedCache):
        assert not alone(kind, workload).sees
    assert not alone(SlotEngine, crowd("learned")).sees
    with pytest.raises(NotFailing):
        shrink_workload(SlotEngine, workload)


def test_the_story_of_sixteen_is_right_on_a_right_engine() -> None:
    assert judge(PagedEngine, crowd_story(), ("alone",)).quiet
    with pytest.raises(NotFailing):
        shrink_story(PagedEngine, crowd_story())


def test_what_cannot_be_played_does_not_fail(bugs: Mapping[str, type]) -> None:
    shrunk = shrink_workload(bugs["abort-length-kept"], crowd())
    assert [word for word, *_ in shrunk.smallest.steps] == ["add", "abort", "add"]


def smallest_story(name: str) -> tuple[int, int, int]:
    story = crowd_story() if name.startswith("KEY") else replace(crowd_story(), factors={})
    shrunk = shrink_story(load("08_paged_blocks", name).make()[BUGS[name].variant], story)
    assert shrunk.finished
    return shrunk.smallest.size


@pytest.mark.exhaustive
def test_a_block_shared_without_a_copy_needs_one_token_each() -> None:
    """In one batch both write before either reads; the claims' two tokens each are for one after the other."""
    assert smallest_story("share-no-copy") == (1, 3, 1)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", STORIES)
def test_the_smallest_story_is_found(name: str) -> None:
    assert set(BUGS) == {*STORIES, *NOT_IN_THE_CROWD, "share-no-copy"}
    assert smallest_story(name) == STORIES[name]

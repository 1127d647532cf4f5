"""The panels of unit 08: counts that follow the controls, and settings that cannot be."""

from __future__ import annotations

from itertools import product

import pytest

from sharedstate.kvcache.capacity import MIXES, SIZES
from sharedstate.panels.blocks import (
    ADAPTERS,
    GROUPS,
    SHARED,
    SHARED_SIZES,
    BlockChoice,
    SharingChoice,
    block_panel,
    run_blocks,
    run_sharing,
    sharing_panel,
)


@pytest.mark.parametrize("mix", MIXES)
def test_blocks_never_hold_fewer_and_waste_grows_with_their_size(mix: str) -> None:
    found = [run_blocks(BlockChoice(size, mix)) for size in SIZES]
    assert all(one.paged >= one.contiguous for one in found)
    assert [one.wasted for one in found] == sorted(one.wasted for one in found)
    assert f"Blocks of {SIZES[0]}" in found[0].title and mix in found[0].text


@pytest.mark.parametrize(("shared", "size"), [*product(SHARED, SHARED_SIZES)])
def test_what_is_found_is_whole_blocks_of_what_is_equal(shared: int, size: int) -> None:
    together = run_sharing(SharingChoice(shared, size))
    whole = shared // size * size
    assert together.found == (0, whole, whole) and together.saved == 2 * whole
    assert run_sharing(SharingChoice(shared, size, groups=GROUPS[1])).found == (0, whole, 0)
    assert run_sharing(SharingChoice(shared, size, groups=GROUPS[2])).found == (0, 0, 0)
    assert run_sharing(SharingChoice(shared, size, ADAPTERS[1])).found == (0, whole, 0)
    assert all(len(view.texts) == size for view in together.views)


def test_the_title_says_who_finds_something() -> None:
    assert run_sharing(SharingChoice()).title == "bob and eve find a prefix"
    assert run_sharing(SharingChoice(0)).title == "Nobody finds a prefix"
    assert run_sharing(SharingChoice(groups=GROUPS[1])).title == "bob finds a prefix"


def test_the_panels_follow_their_controls() -> None:
    panel = block_panel(mix="even", block_size=64)
    before = panel.shown.text
    panel.block_size.value = 1
    assert panel.shown.text != before and "blocks of 1" in panel.line.value
    sharing = sharing_panel()
    sharing.groups.value = GROUPS[2]
    assert sharing.shown.title == "Nobody finds a prefix" and 'data-saved="0"' in sharing.figure.value


@pytest.mark.parametrize("make", [
    lambda: block_panel(block_size=3), lambda: block_panel(mix="odd"), lambda: block_panel(size=4),
    lambda: sharing_panel(shared=5), lambda: sharing_panel(groups="none"), lambda: sharing_panel(block_size=True)])
def test_what_the_controls_do_not_offer_is_refused(make: object) -> None:
    with pytest.raises(ValueError, match=r"use one of|has no setting"):
        make()

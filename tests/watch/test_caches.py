"""Every cache bug of units 07 and 08 has its writer named; no alarm on a right engine, and not one bit is changed."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from sharedstate.faults import load
from sharedstate.faults.unit07 import BUGS
from sharedstate.faults.unit08 import BUGS as BLOCK_BUGS
from sharedstate.kvcache import PackedCache, PagedCache, PagedEngine, SlotCache, SlotEngine, gallery, stories
from sharedstate.kvcache.block_cases import BLOCK_CASES
from sharedstate.kvcache.cases import CASES
from sharedstate.kvcache.prefix import PrefixKeys
from sharedstate.kvcache.workloads import Variant, Workload, engine_of, play
from sharedstate.model import GPT, GPTConfig
from sharedstate.watch import Watch
from sharedstate.watch.caches import watch_engine

PADDING, ITSELF, END, NOBODY = "b's padding", "b", "'s end", "nobody"
WRITERS = {
    "stale-length-mask": "old", "zeroed-wrong-mask": f"old{END}", "stale-offsets": "c",
    "stale-offsets-new-arrival": "d", "key-is-length": "a", "left-pad-no-mask": PADDING,
    "left-pad-no-positions": ITSELF, "left-pad-neither": PADDING, "right-pad-index-minus-one": PADDING,
    "abort-length-kept": "a", "retry-not-rolled-back": "a", "length-before-write": NOBODY, "KV-01": f"old{END}",
    "KV-02": "setup", "PAD-01": ITSELF, "OFF-02": "the batch of b",
}  # fmt: skip
BLOCK_WRITERS = {
    "share-no-copy": ("a", "b"), "block-hash-no-parent": ("b", "a"), "KEY-01": ("b", "a"), "KEY-02": ("b", "a"),
    "two-owners": ("b", "c"), "publish-unwritten": ("b", NOBODY),
}  # fmt: skip


def played(variant: Variant, workload: Workload) -> Watch:
    """Play a workload on a watched engine; the logits must be those of an engine that nobody watches."""
    log, model, contents = Watch(), workload.model(), workload.contents()
    bare = play(engine_of(variant, workload, model), workload, contents).outputs
    told = play(watch_engine(log, engine_of(variant, workload, model)), workload, contents).outputs
    assert torch.equal(bare.nan_to_num(7), told.nan_to_num(7))
    return log


def told(kind: type, story: stories.Story) -> Watch:
    """Let a watched engine live through a story."""
    log = Watch()
    model = GPT(GPTConfig(stories.VOCAB, stories.LAYERS, d_model=32, num_heads=4, num_kv_heads=2), seed=0).double()
    options: dict[str, Any] = {"reuse": True, "keys": PrefixKeys(b"a secret")}
    if issubclass(kind, PagedCache):
        kind, options = PagedEngine, {**options, "cache": kind}
    stories.Teller(watch_engine(log, kind(model, story.slots, story.capacity, **options)), story).run()
    return log


@pytest.mark.parametrize("name", CASES)
def test_the_writer_of_a_slot_bug_is_named(name: str) -> None:
    """A new case needs its writer in WRITERS."""
    names, case, bug = load("07_slot_pollution", name, fix=True).make(), CASES[name], BUGS[name]
    log = played(names[bug.variant], case.minimal)
    assert WRITERS[name] in {finding.writer for finding in log.findings if finding.reader == case.minimal.victim}
    for workload in (case.minimal, case.silent):
        assert not played(names[bug.right], workload).findings


@pytest.mark.parametrize("name", BLOCK_CASES)
def test_the_writer_of_a_block_bug_is_named(name: str) -> None:
    """A new case needs its writer in BLOCK_WRITERS."""
    variant, case = load("08_paged_blocks", name).make()[BLOCK_BUGS[name].variant], BLOCK_CASES[name]
    assert BLOCK_WRITERS[name] in {(finding.reader, finding.writer) for finding in told(variant, case.minimal).findings}
    assert not told(PagedEngine, case.minimal).findings
    assert not told(PagedEngine, case.silent).findings


def test_every_bug_of_the_tables_is_there() -> None:
    assert set(WRITERS) == set(CASES) == set(BUGS)
    assert set(BLOCK_WRITERS) == set(BLOCK_CASES) == set(BLOCK_BUGS)


@pytest.mark.parametrize("kind", [SlotCache, PackedCache, SlotEngine])
def test_a_right_engine_at_work_is_quiet(kind: type) -> None:
    assert not played(kind, gallery.BUSY).findings


def test_shared_pages_at_work_are_quiet() -> None:
    assert not told(PagedEngine, stories.BUSY).findings


def test_a_finding_says_where_both_were() -> None:
    names = load("07_slot_pollution", "stale-length-mask").make()
    finding = played(names["StaleLength"], CASES["stale-length-mask"].minimal).findings[0]
    assert str(finding).startswith("new reads keys of layer 0, column 5, and it was last written by old.")

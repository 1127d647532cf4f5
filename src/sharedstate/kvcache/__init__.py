"""The cache of keys and values: slots and their owners, decoding with it, its engine, and what goes wrong in it."""

from __future__ import annotations

from sharedstate.kvcache.blocks import (
    NULL_BLOCK,
    PAD_SLOT_ID,
    BlockPool,
    BlockRows,
    BlockTable,
    BrokenInvariant,
    OutOfBlocks,
)
from sharedstate.kvcache.conditioned import uncached
from sharedstate.kvcache.decode import cached_forward
from sharedstate.kvcache.engine import EngineMark, Rows, SlotEngine
from sharedstate.kvcache.memory import DoesNotFit, MemoryPlan, cache_bytes, plan, weight_bytes
from sharedstate.kvcache.ownership import OwnershipViolation, OwnerTags, Taint
from sharedstate.kvcache.packed import PackedCache
from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.kvcache.prefix import Factors, Image, PrefixIndex, PrefixKeys
from sharedstate.kvcache.slots import CacheFull, Mark, SlotCache, StaleMark
from sharedstate.kvcache.trouble import Interrupted, interrupt_once

__all__ = [
    "NULL_BLOCK",
    "PAD_SLOT_ID",
    "BlockPool",
    "BlockRows",
    "BlockTable",
    "BrokenInvariant",
    "CacheFull",
    "DoesNotFit",
    "EngineMark",
    "Factors",
    "Image",
    "Interrupted",
    "Mark",
    "MemoryPlan",
    "OutOfBlocks",
    "OwnerTags",
    "OwnershipViolation",
    "PackedCache",
    "PagedCache",
    "PagedEngine",
    "PrefixIndex",
    "PrefixKeys",
    "Rows",
    "SlotCache",
    "SlotEngine",
    "StaleMark",
    "Taint",
    "cache_bytes",
    "cached_forward",
    "interrupt_once",
    "plan",
    "uncached",
    "weight_bytes",
]

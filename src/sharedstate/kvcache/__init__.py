"""The cache of keys and values: slots and their owners, decoding with it, its engine, and what goes wrong in it."""

from __future__ import annotations

from sharedstate.kvcache.decode import cached_forward
from sharedstate.kvcache.engine import EngineMark, Rows, SlotEngine
from sharedstate.kvcache.ownership import OwnershipViolation, OwnerTags, Taint
from sharedstate.kvcache.packed import PackedCache
from sharedstate.kvcache.slots import CacheFull, Mark, SlotCache, StaleMark
from sharedstate.kvcache.trouble import Interrupted, interrupt_once

__all__ = [
    "CacheFull",
    "EngineMark",
    "Interrupted",
    "Mark",
    "OwnerTags",
    "OwnershipViolation",
    "PackedCache",
    "Rows",
    "SlotCache",
    "SlotEngine",
    "StaleMark",
    "Taint",
    "cached_forward",
    "interrupt_once",
]

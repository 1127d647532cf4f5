"""Rooms for the explorer: two request threads at one allocator, and what must never be true afterwards.

Each room takes a class of the lesson and returns a scenario. Pure Python: a block is a number, and what lies in it
is a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sharedstate.interleave import Scenario

Answers = Mapping[str, object]
NOTHING, ALICE = "nothing yet", "Alice's keys"


def taking(allocator: Callable[[], Any]) -> Scenario:
    """Two requests `allocate()` at once, and two blocks are free: each must get one, and not the same."""
    calls = {"alice": lambda a: a.allocate(), "bob": lambda a: a.allocate()}
    return Scenario(allocator, calls, never=lambda a, answers: sorted(map(str, answers.values())) != ["1", "2"])


def counting(allocator: Callable[[], Any]) -> Scenario:
    """Two requests `touch(1)` at once, which one request uses already: afterwards it has three references."""
    calls = {"alice": lambda a: a.touch(1), "bob": lambda a: a.touch(1)}
    return Scenario(allocator, calls, never=lambda a, answers: a.ref_cnt[1] != 3)


def leaving(allocator: Callable[[], Any]) -> Scenario:
    """Alice `release(1)`s the last reference while Bob `hit(1)`s it: if he got it, it is not free, and counted."""

    def wrong(a: Any, answers: Answers) -> bool:
        mapped = answers["bob"] is True
        return (1 in a.free) == mapped or a.ref_cnt[1] != int(mapped)

    return Scenario(allocator, {"alice": lambda a: a.release(1), "bob": lambda a: a.hit(1)}, never=wrong)


def publishing(index: Callable[[], Any]) -> Scenario:
    """Alice `prefill()`s block 1 and publishes it while Bob `reads()`: nothing, or her keys, never what lay there."""
    calls = {"alice": lambda i: i.prefill(ALICE), "bob": lambda i: i.reads()}
    return Scenario(index, calls, never=lambda i, answers: answers["bob"] not in (None, ALICE))

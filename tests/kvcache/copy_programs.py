"""The programs of lesson 07 on a copy engine and streams, for the tests: some wrong, some right."""

from __future__ import annotations


def one_buffer(memory, copies):
    memory.pinned = "alice's"
    copies.copy("pinned", "alice_row")
    memory.pinned = "bob's"
    copies.copy("pinned", "bob_row")


def waits(memory, copies):
    memory.pinned = "alice's"
    copies.copy("pinned", "alice_row")
    copies.synchronize()
    memory.pinned = "bob's"
    copies.copy("pinned", "bob_row")


def two_buffers(memory, copies):
    memory.pinned = "alice's"
    copies.copy("pinned", "alice_row")
    memory.other = "bob's"
    copies.copy("other", "bob_row")
    memory.pinned = "carol's"
    copies.copy("pinned", "carol_row")


def waits_for_buffer(memory, copies):
    memory.pinned = "alice's"
    copies.copy("pinned", "alice_row")
    read = copies.record_event()
    memory.other = "bob's"
    copies.copy("other", "bob_row")
    read.synchronize()
    memory.pinned = "carol's"
    copies.copy("pinned", "carol_row")


def reads_too_early(memory, copies):
    copies.copy("result", "pinned")
    return memory.pinned


def reads_after(memory, copies):
    copies.copy("result", "pinned")
    copies.synchronize()
    return memory.pinned


def no_event(memory, copies, compute):
    copies.copy("saved", "slot")
    compute.kernel("slot", "answer")


def event_before(memory, copies, compute):
    loaded = copies.record_event()
    copies.copy("saved", "slot")
    compute.wait_event(loaded)
    compute.kernel("slot", "answer")


def event_after(memory, copies, compute):
    copies.copy("saved", "slot")
    loaded = copies.record_event()
    compute.wait_event(loaded)
    compute.kernel("slot", "answer")

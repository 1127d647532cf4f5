"""Where a token lies is the cache's business: the engine, the tags and the oracles judge a cache of blocks as well."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import Tensor

from sharedstate.kvcache import OwnershipViolation, OwnerTags, SlotCache, SlotEngine, StaleMark, oracles
from sharedstate.kvcache.slots import WriteLog
from sharedstate.kvcache.workloads import Workload

BLOCK = 4
BUSY = Workload("add a; add b; step a b; finish a; add c; step b c", {"a": 6, "b": 3, "c": 5}, slots=2)


class Blocks(SlotCache):
    """A slot's columns lie in blocks of four, taken from a common stack when they are needed."""

    def layout(self, num_slots: int, capacity: int) -> tuple[int, int]:
        per_slot = -(-capacity // BLOCK)
        self.free = list(range(num_slots * per_slot))
        self.tables: dict[int, list[int]] = {slot: [] for slot in range(num_slots)}
        return len(self.free), BLOCK

    def where(self, slot: int, columns: range | list[int]) -> list[tuple[int, range | list[int]]]:
        pieces: dict[int, list[int]] = {}
        for column in columns:
            self.grow(slot, column)
            pieces.setdefault(self.tables[slot][column // BLOCK], []).append(column % BLOCK)
        return [(row, range(part[0], part[-1] + 1)) for row, part in pieces.items()]

    def grow(self, slot: int, column: int) -> None:
        while len(self.tables[slot]) <= column // BLOCK:
            self.tables[slot].append(self.free.pop())

    def release(self, slot: int) -> None:
        super().release(slot)
        self.free += self.tables[slot]
        self.tables[slot] = []

    def fetch(self, layer: int, slots: tuple[int, ...] | list[int], reach: int) -> tuple[Tensor, Tensor]:
        for slot in slots:
            self.grow(slot, reach - 1)
        rows = [self.tables[slot][: -(-reach // BLOCK)] for slot in slots]
        found = (self.by_place(pool, layer)[torch.tensor(rows)].flatten(1, 2)[:, :reach] for pool in oracles.POOLS)
        keys, values = (part.transpose(1, 2) for part in found)  # [B, H, reach, D]
        return keys, values


class KeepsTable(Blocks):
    """On release the blocks go back; the table still names them."""

    def release(self, slot: int) -> None:
        SlotCache.release(self, slot)
        self.free += self.tables[slot]


class WritesBeside(SlotEngine):
    """Every step also writes into the last row of the pools."""

    def write(self, layer: int, rows: object, k: Tensor, v: Tensor) -> None:
        super().write(layer, rows, k, v)
        self.cache.by_place("values", layer)[0, 0] = 7.0


class HurtsTheFirst(SlotEngine):
    """The first row of a batch gets a little of its neighbours' answers."""

    strength = 0.5

    def last_row(self, rows: object, logits: Tensor) -> Tensor:
        found = super().last_row(rows, logits).clone()
        found[0] += self.strength * found[1:].sum(0)
        return found


def in_blocks(model: object, slots: int, capacity: int, **options: object) -> SlotEngine:
    """An engine over blocks, as a function makes it."""
    return SlotEngine(model, slots, capacity, cache=Blocks, **options)


@pytest.mark.parametrize("oracle", sorted(oracles.ORACLES))
@pytest.mark.parametrize("variant", [Blocks, in_blocks], ids=["a cache", "a function"])
def test_every_oracle_is_quiet_on_a_right_cache_of_blocks(oracle: str, variant: object) -> None:
    assert not oracles.ORACLES[oracle](variant, BUSY).sees


def test_a_block_in_two_tables_is_seen() -> None:
    again = Workload("add old; finish old; add a; add b; step a b", {"old": 9, "a": 6, "b": 7}, slots=3)
    assert not oracles.alone(Blocks, again).sees
    assert oracles.alone(KeepsTable, again).sees
    assert oracles.owner_tag(KeepsTable, again).sees


class ReadsOn(SlotEngine):
    """Two columns too many count."""

    def valid_length(self, slot: int, layer: int) -> int:
        return super().valid_length(slot, layer) + 2


def test_poison_finds_its_way_into_blocks() -> None:
    def reads_on(model: object, slots: int, capacity: int, **options: object) -> SlotEngine:
        return ReadsOn(model, slots, capacity, cache=Blocks, **options)

    assert oracles.poison(reads_on, BUSY).sees
    assert oracles.owner_tag(reads_on, BUSY).sees


def test_stray_writes_are_places_of_the_pools() -> None:
    def beside(model: object, slots: int, capacity: int, **options: object) -> SlotEngine:
        return WritesBeside(model, slots, capacity, cache=Blocks, **options)

    assert oracles.stray_writes(Blocks, BUSY) == ()
    assert oracles.stray_writes(beside, BUSY) == ((0, 0),)


def test_all_requests_are_looked_at_unless_told_otherwise() -> None:
    script = Workload("add a; add b; step a b", {"a": 3, "b": 4}, slots=2)
    for oracle in (oracles.alone, oracles.neighbour, oracles.jacobian):
        assert oracle(HurtsTheFirst, script).sees
        assert oracle(HurtsTheFirst, dataclasses.replace(script, victim="a")).sees
        assert not oracle(HurtsTheFirst, dataclasses.replace(script, victim="b")).sees
    assert "(a's)" in oracles.alone(HurtsTheFirst, script).text
    with pytest.raises(ValueError, match="No request 'carol'"):
        dataclasses.replace(script, victim="carol")


def test_tags_are_shared_across_allocations_until_the_next_one() -> None:
    cache = SlotCache(2, 8, 1, 1, 2, tags=OwnerTags())
    for name in ("a", "b"):
        cache.allocate(name)
    cache.append(0, 0, torch.ones(1, 3, 2), torch.ones(1, 3, 2))
    tags = cache.tags
    with pytest.raises(OwnershipViolation, match="'b' reads slot 0"):
        tags.reads("b", cache.epoch(1), 0, 0, range(2))
    tags.share(0, {"b": cache.epoch(1)}, stop=2)
    tags.reads("b", cache.epoch(1), 0, 0, range(2))
    tags.reads("a", cache.epoch(0), 0, 0, range(3))
    assert tags.owners(0, 0, 1) == {"a", "b"}
    with pytest.raises(OwnershipViolation):
        tags.reads("b", cache.epoch(1), 0, 0, range(3))
    cache.release(1)
    assert cache.allocate("b") == 1
    with pytest.raises(OwnershipViolation, match=r"earlier epoch|shared with it"):
        tags.reads("b", cache.epoch(1), 0, 0, range(2))
    tags.share(0, {"b": cache.epoch(1)}, stop=2)
    tags.wrote("b", cache.epoch(1), 0, 0, range(1, 2))  # nobody copied before writing
    with pytest.raises(OwnershipViolation, match=r"'a' reads slot 0, layer 0, position 1, .* belongs to 'b'"):
        tags.reads("a", cache.epoch(0), 0, 0, range(3))


@pytest.mark.parametrize("owners", [{"b": 0}, {"b": "1"}, {"": 1}, {}])
def test_only_names_with_epochs_share_across_allocations(owners: dict) -> None:
    cache = SlotCache(1, 4, 1, 1, 2, tags=OwnerTags())
    with pytest.raises(ValueError, match=r"[Ss]hare with|epoch"):
        cache.tags.share(0, owners)


def test_the_log_of_writes_agrees_with_a_scan() -> None:
    drawn = torch.Generator().manual_seed(3)
    for _ in range(50):
        log, scanned = WriteLog(), [0] * 9
        for time in range(1, 13):
            start = int(torch.randint(9, (), generator=drawn))
            log.note(time, start)
            scanned[start:] = [time] * (9 - start)
            for asked in range(13):
                later = [column for column, written in enumerate(scanned) if written > asked]
                lowest = log.lowest_since(asked)
                assert (min(later) if later else None) == lowest or (lowest is not None and lowest < min(later))
                for length in range(10):  # what a rollback asks: was one of the first `length` columns written since?
                    assert (lowest is not None and lowest < length) == any(w > asked for w in scanned[:length])


def test_a_mark_of_blocks_is_stale_when_its_block_was_given_away() -> None:
    cache = Blocks(2, 8, 1, 1, 2)
    k = torch.ones(1, 5, 2)
    cache.append(cache.allocate("a"), 0, k, k)
    mark = cache.snapshot()
    cache.append(0, 0, k[:, :1], k[:, :1])
    cache.rollback(mark)
    assert cache.length(0) == 5
    cache.release(0)
    cache.append(cache.allocate("b"), 0, k, k)
    with pytest.raises(StaleMark):
        cache.rollback(mark)

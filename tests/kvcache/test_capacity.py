"""What blocks save, counted: utilisation, gaps, copies, waste, hits; and small numbers in a house of blocks."""

from __future__ import annotations

import pytest

from sharedstate.devices import Device
from sharedstate.kvcache import BlockRows, capacity, gpu_paged, house, keyhunt, savings
from sharedstate.kvcache.gpu import CellFailed
from sharedstate.kvcache.prefix import PrefixIndex, PrefixKeys

CPU = Device("cpu", "cpu")


def test_the_popular_figures_are_met_by_mix() -> None:
    drawn = {mix: capacity.lengths(mix) for mix in capacity.MIXES}
    used = {mix: capacity.utilisation(some, capacity.longest) for mix, some in drawn.items()}
    assert used["mostly short"] < 0.1 and 0.45 < used["even"] < 0.55 and used["all long"] > 0.9
    fit = {mix: capacity.held(some, 32_768, 16) for mix, some in drawn.items()}
    assert {row["reserved"] for row in fit.values()} == {16} and fit["all long"]["blocks of 16"] == 16
    assert fit["mostly short"]["blocks of 16"] > 150 and 20 < fit["even"]["blocks of 16"] < 40
    waste = [capacity.waste(drawn["mostly short"], size) for size in capacity.SIZES]
    assert waste[0] == 0 and waste == sorted(waste) and 0.03 < waste[4] < 0.07 and 0.28 < waste[-1] < 0.38
    assert capacity.lengths("even", 5) == capacity.lengths("even", 5) != capacity.lengths("even", 5, seed=1)
    with pytest.raises(ValueError, match="no mix 'odd'"):
        capacity.lengths("odd")


def test_a_request_is_refused_for_gaps_in_pieces_and_never_in_blocks() -> None:
    pieces, blocks = capacity.churn(count=400), capacity.churn(count=400, block_size=64)
    assert pieces.refused > 100 and 0 < pieces.free_share < 0.5 and len(pieces.gaps) > 1
    assert (blocks.refused, blocks.free_share) == (0, 0.0) and blocks.short > 0


def test_an_arena_takes_the_first_gap_and_joins_those_that_touch() -> None:
    arena = capacity.Arena(10)
    assert [arena.take(4), arena.take(3), arena.take(4)] == [0, 4, None]
    arena.give(0, 4)
    assert arena.gaps == [(0, 4), (7, 3)] and arena.free == 7 and arena.take(5) is None
    arena.give(4, 3)
    assert arena.gaps == [(0, 10)] and arena.take(10) == 0 and arena.gaps == []


def test_growing_is_paid_in_copies() -> None:
    assert capacity.copied(64, lambda n: 2 * n) == 16 + 32 and capacity.copied(64, lambda n: n + 16) == 16 + 32 + 48
    assert capacity.copied(16, lambda n: 2 * n) == 0


def test_hits_are_whole_blocks() -> None:
    assert capacity.hit_rate(100, 128) == 0 and capacity.hit_rate(100, 16) == 96 * 199 / (165 * 200)
    assert capacity.hit_rate(100, 4, own=0, count=2) == 96 / 200  # the last token is computed
    turns = [capacity.conversation(n) for n in (1, 2, 4, 8)]
    assert turns[0] == 0 and turns == sorted(turns) and turns[-1] > 0.7
    assert capacity.private_overhead(300, 1000, 64) == pytest.approx(0.29, abs=0.01)
    index = capacity.filled_index(1000, 16)
    assert len(index.match(index.chain(range(1000))).blocks) == 62


def test_a_house_shows_who_writes_where() -> None:
    hotel = house.House()
    hotel.write("alice", 1, 2, 3, 4, 5)
    hotel.fork("alice", "carol")
    hotel.write("carol", 6), hotel.write("alice", 7)
    assert hotel.read("alice") == [1, 2, 3, 4, 5, 7] and hotel.read("carol") == [1, 2, 3, 4, 5, 6]
    assert hotel.pool.copies == 1 and hotel.at(1, 0) == 1 and hotel.at(7, 0) == ""
    bad = house.House(copies=False)
    bad.write("alice", 1, 2, 3, 4, 5)
    bad.fork("alice", "carol")
    bad.write("carol", 6), bad.write("alice", 7)
    assert bad.read("carol")[-1] == 7


def test_a_moved_row_and_a_preempted_request() -> None:
    row, eves, written = house.moved_row(BlockRows)
    assert row == [5, 6, 0, 0] and written == {0} and eves >= {1, 2, 3, 4}
    index = house.preempted(10)
    assert index.match(index.chain(range(10))).num_tokens == 8


def test_what_is_hunted_at_home_and_heard_from_outside() -> None:
    keys = PrefixKeys(b"x", digest=lambda key, data: b"same")
    believes = type("Believes", (PrefixIndex,), {"verified": lambda self, entry, last, part: True})
    assert keyhunt.attack(keys, believes, (9, 9, 9, 9), (1, 2, 3, 4)) == 4
    assert keyhunt.attack(keys, PrefixIndex, (9, 9, 9, 9), (1, 2, 3, 4)) == 0
    assert keyhunt.overheard({"ann": "all", "eve": "all"}, (4, 0, 7, 1)) == [7]
    assert keyhunt.overheard({}, (4, 0, 7)) == []


def test_times_are_taken_and_the_gpu_cell_has_its_form() -> None:
    (share, saved), = savings.first_token((0.5,), length=32, rounds=1)
    assert share == 0.5 and saved < 1 and savings.book_keeping(64, tokens=128, rounds=1) > 0
    found = gpu_paged.paged(CPU, context=8)
    assert found.figures["difference_fp32"] < 1e-4 and found.figures["held_in_blocks"] > found.figures["held_in_slots"]
    assert "in equal memory blocks hold" in found.says and set(found.spread) == {"blocks_ms", "slots_ms"}


def test_the_gpu_cell_fails_where_the_logits_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_paged, "FP32", -1.0)
    with pytest.raises(CellFailed, match="paged against contiguous"):
        gpu_paged.paged(CPU, context=4)

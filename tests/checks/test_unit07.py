"""Lab 07: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from sharedstate.checks import Case, Registry, assess, exercise, exercises
from sharedstate.checks.types import AnswerProblem
from sharedstate.kvcache.cases import CASES
from sharedstate.kvcache.oracles import alone, neighbour, owner_tag, poison

from .forged import variations

ROLLBACK, ORACLE = (Registry().room(name).module() for name in ("07.4", "07.5"))
ORACLES, READS, TOLERANCE, oracles_that_see = ORACLE.ORACLES, ORACLE.READS, ORACLE.TOLERANCE, ORACLE.oracles_that_see
Cancelled, OutOfMemory, WatchedCache = ROLLBACK.Cancelled, ROLLBACK.OutOfMemory, ROLLBACK.WatchedCache
TENSOR = {"shape": [2], "dtype": "bool", "data": [True, False]}
SEEN = {"error": None, "slot": {}, "free": [], "contents": {}}
JUNK = (
    None, True, 7, "yes", [1], ["ok"] * 9, [True] * 200, [None] * 400, {}, {"first": TENSOR, "second": TENSOR},
    {"first": None, "second": 7}, [SEEN], [SEEN] * 2, [SEEN] * 3, ["tokens"], ["alone", "alone"], [["alone"]],
    [{**SEEN, "slot": {"ann": "0"}, "contents": {"ann": 7}}], [*"abcd", "more"],
    dict.fromkeys(("tokens", "real", "positions", "last"), TENSOR),
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("07"), ids=lambda one: one.id)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("name", ["07.2", "07.3"])
def test_an_empty_class_is_called_untouched(name: str) -> None:
    class Empty:
        """Nothing yet."""

    class WithArguments(Empty):
        def __init__(self, *sizes: int) -> None:
            """Take them."""

    assert assess(exercise(name), Empty).reason == assess(exercise(name), WithArguments).reason == "untouched"


@pytest.mark.parametrize("name", ["07.1", "07.5", "07.6"])
def test_a_function_that_returns_nothing_is_called_untouched(name: str) -> None:
    assert assess(exercise(name), lambda *given: None).reason == "untouched"


@each
@pytest.mark.parametrize("value", JUNK, ids=lambda value: repr(value)[:40])
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        assert not one.judge(case, value).ok


@each
def test_a_value_with_one_thing_changed_is_rejected(one: object) -> None:
    case = one.cases(5)[1]
    value = one.run(RIGHT[one.id], case)
    assert one.judge(case, value).ok
    for changed in variations(value):
        assert not one.judge(case, changed).ok, changed



def may_read(pool: torch.Tensor, slots: torch.Tensor, lengths: torch.Tensor, q_len: int) -> torch.Tensor:
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    return torch.arange(pool.shape[1]) <= query[..., None]


class SlotMap:
    """A list with the owner of each slot."""

    def __init__(self, num_slots: int, capacity: int) -> None:
        self.owner, self.capacity = [None] * num_slots, capacity

    def start(self, request: str) -> bool:
        if request in self.owner or None not in self.owner:
            return False
        self.owner[self.owner.index(None)] = request
        return True

    def place(self, request: str, position: int) -> int | None:
        if request not in self.owner or position not in range(self.capacity):
            return None
        return self.owner.index(request) * self.capacity + position

    def finish(self, request: str) -> None:
        if request in self.owner:
            self.owner[self.owner.index(request)] = None


class Tags:
    """An epoch is an object."""

    def __init__(self) -> None:
        self.slots, self.tags = {}, {}

    def take(self, slot: int, owner: str) -> None:
        self.slots[slot] = (object(), owner)

    def wrote(self, slot: int, place: int) -> None:
        epoch, owner = self.slots[slot]
        self.tags[slot, place] = (epoch, {owner})

    def share(self, slot: int, place: int, reader: str) -> None:
        self.tags[slot, place][1].add(reader)

    def look(self, reader: str, slot: int, place: int) -> str:
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        return "stale" if epoch is not self.slots[slot][0] else "ok" if reader in readers else "foreign"


def extend(cache: WatchedCache, request: str, rows: list[list[int]]) -> None:
    new = request not in cache.slot
    slot = cache.slot.setdefault(request, min(cache.free, default=-1))
    if slot < 0:
        del cache.slot[request]
        raise RuntimeError("no slot is free")
    cache.free.discard(slot)
    before = [0 if new else lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            cache.lengths[layer][slot] = before[layer]
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before, strict=True):
            lengths[slot] = length
        if new:
            cache.free.add(cache.slot.pop(request))
        raise


def pad(prompts: list[list[int]], filler: int, side: str) -> list[torch.Tensor]:
    width = max(map(len, prompts))
    first = [(width - len(prompt)) * (side == "left") for prompt in prompts]
    tokens = torch.full((len(prompts), width), filler)
    real = torch.zeros_like(tokens, dtype=torch.bool)
    for row, (start, prompt) in enumerate(zip(first, prompts, strict=True)):
        tokens[row, start:start + len(prompt)] = torch.tensor(prompt)
        real[row, start:start + len(prompt)] = True
    last = torch.tensor([start + len(prompt) - 1 for start, prompt in zip(first, prompts, strict=True)])
    return [tokens, real, real.long().cumsum(-1).sub(1).clamp(min=0), last]


RIGHT = {"07.1": may_read, "07.2": SlotMap, "07.3": Tags, "07.4": extend, "07.5": oracles_that_see, "07.6": pad}


@each
@pytest.mark.parametrize("seed", range(6))
def test_a_right_answer_is_right_for_every_seed(one: object, seed: int) -> None:
    verdict = assess(one, RIGHT[one.id], seed)
    assert verdict.ok and verdict.points == one.points, verdict


def test_the_message_names_what_was_read() -> None:
    def whole(pool: torch.Tensor, slots: torch.Tensor, lengths: torch.Tensor, q_len: int) -> torch.Tensor:
        return torch.ones(len(slots), q_len, pool.shape[1], dtype=torch.bool)

    verdict = assess(exercise("07.1"), whole, 0)
    assert "row 0, query 0 reads place 3 of slot 0, whose valid length is 3" in verdict.message


def test_the_message_says_where_the_keys_still_lie() -> None:
    class Ranks(SlotMap):
        def finish(self, request: str) -> None:
            if request in self.owner:
                self.owner.remove(request)
                self.owner.append(None)

    verdict = assess(exercise("07.2"), Ranks, 0)
    assert verdict.reason == "moved" and "Its keys still lie at 3" in verdict.message


def watched(error: str, after: bool, meanwhile: str = "") -> WatchedCache:
    case = next(case for case in exercise("07.4").cases(0) if case.label == "it fails after writing")
    return WatchedCache(Case("", {**case.inputs, "error": error, "after_writing": after, "meanwhile": meanwhile}))


@pytest.mark.parametrize(("error", "kind"), [("OutOfMemory", OutOfMemory), ("Cancelled", Cancelled)])
@pytest.mark.parametrize("after", [False, True])
def test_the_watched_cache_fails_where_it_is_told_to(error: str, kind: type, after: bool) -> None:
    cache = watched(error, after)
    cache.fails_at = 2
    cache.put(0, 0, 5)
    with pytest.raises(kind):
        cache.put(1, 0, 6)
    assert cache.lengths[0][0] == 3 and cache.lengths[1][0] == 2 + after
    cache.put(1, 0, 6)
    assert not issubclass(Cancelled, Exception)


def test_meanwhile_the_neighbour_moves() -> None:
    writes, ends = watched("OutOfMemory", False, "writes"), watched("OutOfMemory", False, "ends")
    for cache in (writes, ends):
        cache.fails_at = 1
        with pytest.raises(OutOfMemory):
            cache.put(0, 0, 5)
    assert [lengths[1] for lengths in writes.lengths] == [3, 3]
    assert "ben" not in ends.slot and 1 in ends.free


class Full(Exception):
    """A learner's own word for no room."""


@pytest.mark.parametrize("word", [Full, MemoryError, AssertionError, LookupError])
def test_no_room_may_be_said_in_any_words(word: type[Exception]) -> None:
    def asks_first(cache: WatchedCache, request: str, rows: list[list[int]]) -> None:
        if request not in cache.slot and not cache.free:
            raise word("no room")
        extend(cache, request, rows)

    assert assess(exercise("07.4"), asks_first, 0).ok


@pytest.mark.parametrize("slip", [NameError, AttributeError, TypeError])
def test_a_slip_is_told_and_not_taken_for_no_room(slip: type[Exception]) -> None:
    def slips(cache: WatchedCache, request: str, rows: list[list[int]]) -> None:
        if request not in cache.slot and not cache.free:
            raise slip("oops")
        extend(cache, request, rows)

    verdict = assess(exercise("07.4"), slips, 0)
    assert verdict.reason == "exception" and "oops" in verdict.message


def test_a_slot_that_there_is_not_is_named() -> None:
    def always_two(cache: WatchedCache, request: str, rows: list[list[int]]) -> None:
        cache.slot.setdefault(request, 2)

    case = next(case for case in exercise("07.4").cases(0) if case.label == "no slot is free")
    with pytest.raises(AnswerProblem, match="There is no slot 2 here: they are numbered 0 to 1"):
        exercise("07.4").run(always_two, case)


def test_a_coroutine_is_named() -> None:
    async def later(cache: WatchedCache, request: str, rows: list[list[int]]) -> None:
        extend(cache, request, rows)

    verdict = assess(exercise("07.4"), later, 0)
    assert verdict.reason == "never-ran" and "a coroutine, and nobody runs it" in verdict.message


def test_a_place_that_is_lost_and_a_name_that_is_lost_are_told_apart() -> None:
    class Short(SlotMap):
        def place(self, request: str, position: int) -> int | None:
            return super().place(request, position) if position < self.capacity - 1 else None

    class Nobody(SlotMap):
        def place(self, request: str, position: int) -> None:
            return None

    assert "it has 2 places" in assess(exercise("07.2"), Short, 0).message
    assert "== and not `is`" in assess(exercise("07.2"), Nobody, 0).message


def test_a_slot_0_that_counts_as_false_is_told_so() -> None:
    class Truthy(SlotMap):
        def place(self, request: str, position: int) -> int | None:
            running = request in self.owner and self.owner.index(request)       # 0, and not only False
            return super().place(request, position) if running else None

    verdict = assess(exercise("07.2"), Truthy, 0)
    assert verdict.reason == "forgets-who-runs" and "slot 0 counts as False: ask `is None` or `in`" in verdict.message


def test_an_error_is_told_in_short() -> None:
    one, inexact = exercise("07.5"), 1e-9 * 1000
    case = Case("inexact", {"reads": "freed", "wrong_alone": False, "error": inexact, "dtype": "float64"})
    assert repr(inexact) != "1e-06" and "error=1e-06, " in one.judge(case, []).message


def test_an_old_place_may_be_refused_to_who_would_share_it() -> None:
    class Refuses(Tags):
        def share(self, slot: int, place: int, reader: str) -> None:
            if self.tags[slot, place][0] is not self.slots[slot][0]:
                raise ValueError("old")
            super().share(slot, place, reader)

    assert assess(exercise("07.3"), Refuses, 0).ok


def test_a_part_that_is_lent_twice_is_named() -> None:
    kept = torch.zeros(64, 256, dtype=torch.int64)

    def lends(prompts: list[list[int]], filler: int, side: str) -> list[torch.Tensor]:
        tokens, real, positions, last = pad(prompts, filler, side)
        lent = kept[:len(positions), :positions.shape[1]]
        lent[:] = positions
        return [tokens, real, lent, last]

    verdict = assess(exercise("07.6"), lends, 0)
    assert verdict.reason == "one-batch-for-all" and "`positions` of the first batch" in verdict.message


@pytest.mark.parametrize("reads", READS)
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_a_tolerance_is_an_edge(reads: str, dtype: str) -> None:
    assert "alone" not in oracles_that_see(reads, False, TOLERANCE[dtype], dtype)
    assert "alone" in oracles_that_see(reads, False, 1.01 * TOLERANCE[dtype], dtype)
    assert "alone" not in oracles_that_see(reads, True, 1e9, dtype)


@pytest.mark.parametrize(
    ("case", "reads"),
    [("stale-length-mask", "freed"), ("zeroed-wrong-mask", "zeroed"), ("stale-offsets", "neighbour"),
     ("left-pad-no-positions", "own rows"), ("abort-length-kept", "freed")],
)  # fmt: skip
def test_the_cards_say_what_the_gallery_measures(case: str, reads: str) -> None:
    from sharedstate.faults import lesson
    from sharedstate.faults.unit07 import BUGS

    variant = lesson.load("07_slot_pollution", case).make()[BUGS[case].variant]
    asked = dict(zip(ORACLES, (alone, neighbour, owner_tag, poison), strict=True))
    seen = {name for name, oracle in asked.items() if oracle(variant, CASES[case].minimal).sees}
    assert seen == oracles_that_see(reads, False, 0.05, "float32")

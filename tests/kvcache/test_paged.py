"""The paged cache in the engine's place of slots: equal to contiguous and to uncached, shared pages and all."""

from __future__ import annotations

import pytest
import torch

from sharedstate.kvcache import (
    BlockPool,
    BlockTable,
    CacheFull,
    OutOfBlocks,
    OwnerTags,
    SlotCache,
    SlotEngine,
    StaleMark,
)
from sharedstate.kvcache.cases import CASES
from sharedstate.kvcache.conditioned import uncached
from sharedstate.kvcache.gallery import BUSY
from sharedstate.kvcache.keyhunt import BASE, CHANGES, Prompt, first_block_key, hunt, prefix_values, rebuilt
from sharedstate.kvcache.oracles import ORACLES
from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.kvcache.prefix import Factors, Image, PrefixIndex, PrefixKeys
from sharedstate.kvcache.stories import BUSY as SHARING
from sharedstate.kvcache.stories import Story, judge
from sharedstate.kvcache.trouble import Interrupted, interrupt_once
from sharedstate.model import GPT, GPTConfig

EXACT = 1e-12
PROMPTS = {"a": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "b": [3, 1, 4], "c": [1, 2, 3, 4, 5, 6, 7, 8, 11]}


class One(PagedCache):
    block_size = 1


class Three(PagedCache):
    block_size = 3


class Sixteen(PagedCache):
    block_size = 16


@pytest.mark.parametrize("kind", [One, Three, PagedCache, Sixteen])
@pytest.mark.parametrize("reuse", [False, True])
def test_paged_is_contiguous_is_uncached(tiny: GPT, kind: type[PagedCache], reuse: bool) -> None:
    paged, slots = PagedEngine(tiny, 4, 24, cache=kind, reuse=reuse), SlotEngine(tiny, 4, 24)
    told = {name: list(prompt) for name, prompt in PROMPTS.items()}
    answers = {name: (paged.add(name, prompt), slots.add(name, prompt)) for name, prompt in PROMPTS.items()}
    for step in range(6):
        for name, (one, two) in answers.items():
            alone = uncached(tiny, told[name])[-1]
            assert (one - alone).abs().max() < EXACT and (two - alone).abs().max() < EXACT
        new = {name: (step + 5 * number) % 12 for number, name in enumerate(told)}
        for name, token in new.items():
            told[name].append(token)
        both = paged.step(new), slots.step(new)
        answers = {name: (both[0][name], both[1][name]) for name in new}
        paged.check()
    if reuse:
        assert paged.index.monitor.found == {One: 8, Three: 6, PagedCache: 8, Sixteen: 0}[kind]


def test_padded_batches_are_paged_too(tiny: GPT) -> None:
    engine = PagedEngine(tiny, 4, 24)
    for side, one, two in (("left", "a", "b"), ("right", "c", "d")):
        prompts = {one: [5, 6, 7, 8, 9], two: [4, 3]}
        for name, logits in engine.add_batch(prompts, side).items():
            assert (logits - uncached(tiny, prompts[name])[-1]).abs().max() < EXACT
    engine.check()


@pytest.mark.parametrize("oracle", ["alone", "neighbour", "jacobian", "owner tag", "tokens"])
def test_the_oracles_of_slots_are_quiet_on_pages(oracle: str) -> None:
    assert not ORACLES[oracle](PagedEngine, BUSY).sees


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("oracle", ["alone", "neighbour", "jacobian", "owner tag", "tokens"])
def test_no_case_of_slots_is_a_case_of_pages(case: str, oracle: str) -> None:
    assert not ORACLES[oracle](PagedEngine, CASES[case].minimal).sees


def test_every_oracle_is_quiet_where_pages_are_shared_kept_and_reserved() -> None:
    found = judge(PagedEngine, SHARING)
    assert found.quiet and max(found.errors.values()) < EXACT, found


def test_a_forked_request_copies_one_block_and_only_when_it_is_partly_filled(tiny: GPT) -> None:
    for length, copies in ((8, 0), (9, 1)):
        engine = PagedEngine(tiny, 4, 24)
        engine.add("a", PROMPTS["a"][:length])
        engine.fork("a", "b")
        engine.step({"a": 1, "b": 2})
        assert engine.cache.pool.copies == copies
        with pytest.raises(ValueError, match="already running"):
            engine.fork("a", "b")


def test_a_step_that_breaks_off_gives_its_blocks_back(tiny: GPT) -> None:
    engine = PagedEngine(tiny, 2, 16, reuse=True)
    engine.add("a", [1, 2, 3, 4])
    free = engine.cache.pool.num_free
    with interrupt_once(tiny.layers[1].input_layernorm), pytest.raises(Interrupted):
        engine.step({"a": 5})
    assert engine.cache.pool.num_free == free and engine.cache.lengths[0] == (4, 4)
    with interrupt_once(tiny.layers[1].input_layernorm), pytest.raises(Interrupted):
        engine.add("b", [1, 2, 3, 4, 5], Factors(adapter="x"))
    assert engine.running == ("a",) and set(engine.factors) == {"a"} and engine.cache.pool.num_free == free
    engine.check()
    assert (engine.step({"a": 5})["a"] - uncached(tiny, [1, 2, 3, 4, 5])[-1]).abs().max() < EXACT


def test_out_of_blocks_is_said_before_anything_changes(tiny: GPT) -> None:
    few = type("Few", (PagedCache,), {"num_blocks": 4})
    engine = PagedEngine(tiny, 4, 16, cache=few)
    engine.add("a", [1] * 8)
    with pytest.raises(OutOfBlocks):
        engine.add("b", [1] * 8)
    engine.add("b", [1] * 4)
    with pytest.raises(CacheFull, match="1 blocks, and 0 are free"):
        engine.step({"a": 1})
    engine.finish("b")
    engine.step({"a": 1})
    engine.check()


def test_a_mark_comes_back_until_a_block_was_given_away() -> None:
    cache = PagedCache(2, 8, 1, 1, 1, dtype=torch.float64)
    numbers = torch.arange(6, dtype=torch.float64).view(1, 6, 1)
    slot = cache.allocate("a")
    cache.append(slot, 0, numbers, numbers)
    mark = cache.snapshot()
    cache.append(slot, 0, numbers[:, :1], numbers[:, :1])
    cache.release(slot)
    cache.rollback(mark)
    assert cache.owner(slot) == "a" and torch.equal(cache.view(slot, 0)[0], numbers)
    cache.check()
    cache.release(slot)
    other = cache.allocate("b")
    cache.append(other, 0, numbers[:, :1], numbers[:, :1])
    with pytest.raises(StaleMark, match="given away"):
        cache.rollback(mark)
    with pytest.raises(StaleMark, match="another cache"):
        PagedCache(1, 4, 1, 1, 1).rollback(mark)


def test_tags_follow_shared_blocks_copies_and_new_tenants(tiny: GPT) -> None:
    tags = OwnerTags()
    engine = PagedEngine(tiny, 3, 16, tags, reuse=True)
    engine.add("a", PROMPTS["a"])
    engine.add("c", PROMPTS["c"])  # shares two blocks
    engine.fork("a", "b")
    engine.step({"a": 1, "b": 2, "c": 3})  # one copy
    block = engine.cache.tables[engine.slots["b"]].blocks[0]
    assert tags.owners(block, 0, 0) == {"a", "b", "c"}
    engine.finish("a"), engine.finish("b"), engine.finish("c")
    engine.add("d", [9, 8, 7, 6, 5])
    engine.step({"d": 1})


class SlipsAtPlace(PagedEngine):
    """Reads its last block one further."""

    def block_rows(self, rows: object, reach: int) -> torch.Tensor:
        found = super().block_rows(rows, reach)
        return found.roll(1, dims=0)  # everybody reads the neighbour's


class MapsTwice(PagedEngine):
    """Blocks are given back while the table still names them."""

    def finish(self, request: str) -> None:
        slot = self.slot_of(request)
        blocks = list(self.cache.tables[slot].blocks)
        super().finish(request)
        self.cache.pool.ref_cnt[blocks[0]] = 1


@pytest.mark.parametrize(("kind", "oracle"), [(SlipsAtPlace, "alone"), (MapsTwice, "two owners")])
def test_a_wrong_engine_is_seen(kind: type[PagedEngine], oracle: str) -> None:
    story = Story("add a; add b; step a b; finish a; add d; step b d", {"a": (1, 2, 3, 4, 5), "b": (6, 7), "d": (8, 9)})
    assert judge(PagedEngine, story).quiet
    assert judge(kind, story, (oracle,)).sees[oracle]


def test_poison_and_stray_writes_see_pages() -> None:
    class ReadsOn(PagedEngine):
        def valid_length(self, slot: int, layer: int) -> int:
            return min(self.cache.extent(slot), self.cache.length(slot, layer) + 1)

    class WritesOn(PagedEngine):
        def write(self, layer: int, rows: object, k: torch.Tensor, v: torch.Tensor) -> None:
            super().write(layer, rows, k, v)
            self.cache.keys[layer, self.cache.tables[0].blocks[0], :, 0] += 1.0

    story = Story("add a; add b; step a b; step b", {"a": (1, 2, 3, 4, 5), "b": (6, 7)})
    assert judge(ReadsOn, story, ("alone", "poison")).sees == {"alone": True, "poison": True}
    assert judge(WritesOn, story, ("stray write",)).said["stray write"] == "block 1, place 0"


# --- keys are hunted


@pytest.fixture(scope="module")
def models() -> dict[str, GPT]:
    shape = GPTConfig(16, 2, d_model=32, num_heads=4, num_kv_heads=2, positions="learned", max_len=64)
    return {"small": GPT(shape, seed=0).double(), "large": GPT(shape, seed=1).double()}


def test_the_right_key_has_no_collision_alone_or_in_pairs(models: dict[str, GPT]) -> None:
    engine = PagedEngine(models["small"], 2, 16, reuse=True)
    report = hunt(first_block_key(engine), prefix_values(models, 4), pairs=True)
    assert not report.collisions and {each.fields for each in report.lost_hits} == {("tenant",)}
    assert "21 pairs: 0 collide" in str(report) and "tenant          in the key only" in str(report)


@pytest.mark.parametrize("field", ["adapter", "images", "first_position", "state", "model"])
def test_a_factor_that_is_forgotten_is_found_and_can_be_played(models: dict[str, GPT], field: str) -> None:
    class Forgets(PagedEngine):
        def key_factors(self, request: str) -> Factors:
            kept = {**vars(super().key_factors(request)), field: getattr(Factors(), field)}
            return Factors(**kept)

    engine = Forgets(models["small"], 4, 16, reuse=True)
    report = hunt(first_block_key(engine), prefix_values(models, 4), pairs=True)
    assert report.fields == (field,)
    if field != "model":  # one engine has one model
        assert rebuilt(engine, models["small"], BASE, report.collisions[0].other) > 1e-3


def test_a_hunt_takes_any_key_and_any_answer() -> None:
    report = hunt(lambda p: len(p.tokens), lambda p: p.tokens, Prompt((1, 2)), {"tokens": [(2, 1), (1,)]})
    assert [found.collision for found in report.found] == [True, False] and report.fields == ("tokens",)
    with pytest.raises(ValueError, match="at least one field"):
        hunt(len, len, BASE, {})
    assert set(CHANGES) == set(vars(BASE))


def test_images_and_adapters_change_what_is_computed(models: dict[str, GPT]) -> None:
    plain, tokens = uncached(models["small"], BASE.tokens), BASE.tokens
    for factors in (Factors(adapter="x"), Factors(state=b"x"), Factors(first_position=2)):
        assert (uncached(models["small"], tokens, factors) - plain).abs().max() > 1e-3
    late = uncached(models["small"], tokens, Factors(images=(Image(b"cat", 5, 1),))) - plain
    assert late[:5].abs().max() == 0 < late[5:].abs().max()


def test_a_pool_has_one_index(tiny: GPT) -> None:
    engine = PagedEngine(tiny, 1, 8, reuse=True, keys=PrefixKeys(b"x"))
    with pytest.raises(ValueError, match="index already"):
        PrefixIndex(engine.cache.pool)
    assert isinstance(engine.cache.pool, BlockPool) and isinstance(engine.cache.tables[0], BlockTable)
    assert issubclass(PagedCache, SlotCache)

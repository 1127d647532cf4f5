"""The GPU cells on the CPU: what they measure is checked, a wrong cache is noticed, nothing mixes devices."""

from __future__ import annotations

import math

import pytest
import torch

from sharedstate import devices
from sharedstate.devices import CellRecord, Device, Record
from sharedstate.kvcache import OwnerTags, PackedCache, SlotCache, SlotEngine, cached_forward, gpu
from sharedstate.kvcache.gpu import CellFailed
from sharedstate.model import GPT, GPTConfig

CPU = Device("cpu", "CPU", "no CUDA device")
GQA = GPTConfig(vocab_size=16, num_kv_heads=2)


class StaleLength(SlotEngine):
    def valid_length(self, slot, layer):
        return self.cache.extent(slot, layer)


class ZeroedSlot(StaleLength):
    def on_release(self, slot):
        self.cache.clear(slot)


def test_decode_is_measured_and_checked() -> None:
    cell = gpu.decode(CPU, context=32)
    assert cell.figures["context"] == 32 and cell.figures["difference_fp32"] <= gpu.FP32
    assert cell.figures["difference_fp64"] <= gpu.FP64
    ratio = cell.figures["uncached_ms"] / cell.figures["cached_ms"]
    assert cell.figures["uncached_over_cached"] == pytest.approx(ratio)
    assert "behind 32 tokens" in cell.says and set(cell.spread) == {"cached_ms", "uncached_ms"}
    assert devices.checked(Record("x", "2026-11-01", {"torch": "2"}, {"decode": cell}).as_dict())


def test_each_timed_step_stands_behind_the_same_tokens() -> None:
    steps = gpu.decode_steps(GPT(GQA), 10)
    first, second = steps["cached"](), steps["cached"]()
    assert torch.equal(first, second) and (first - steps["uncached"]()).abs().max() < 1e-5


def test_a_cache_that_is_off_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "cached_forward", lambda *parts: cached_forward(*parts) + 1e-3)
    with pytest.raises(CellFailed, match="cached against uncached logits, fp32"):
        gpu.decode(CPU, context=16)


def test_pollution_and_its_fix() -> None:
    cell = gpu.pollution(CPU, StaleLength, ZeroedSlot)
    assert cell.figures["StaleLength_error"] > 0.01 and cell.figures["ZeroedSlot_error"] > 0.01
    assert cell.figures["SlotEngine_error"] < gpu.FP32
    assert "StaleLength by up to" in cell.says and isinstance(cell, CellRecord)


def test_a_bug_that_does_not_show_is_a_failure() -> None:
    class Fine(SlotEngine):
        pass

    with pytest.raises(CellFailed, match="Fine against each request alone"):
        gpu.pollution(CPU, StaleLength, Fine)


def test_a_fix_that_does_not_hold_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlotEngine, "valid_length", StaleLength.valid_length)
    with pytest.raises(CellFailed, match="SlotEngine against each request alone"):
        gpu.pollution(CPU, StaleLength)


@pytest.mark.parametrize("value", [math.nan, 1.0])
def test_a_value_out_of_bounds_fails_and_so_does_nan(value: float) -> None:
    with pytest.raises(CellFailed, match="it must be"):
        gpu.expect("x", value, at_most=0.5)
    gpu.expect("x", 0.4, at_most=0.5, at_least=0.1)
    with pytest.raises(CellFailed):
        gpu.expect("x", value, at_least=2.0)


# --- devices are not mixed: on the device "meta" nothing is computed, but a tensor of the CPU is refused


def test_the_meta_device_refuses_what_is_on_the_cpu() -> None:
    with pytest.raises(RuntimeError, match="device"):
        GPT(gpu.SMALL).to("meta")(torch.zeros(1, 3, dtype=torch.long))


@pytest.mark.parametrize("config", [gpu.SMALL, GQA], ids=["mha", "gqa"])
def test_decode_stays_on_the_model_s_device(config: GPTConfig) -> None:
    for step in gpu.decode_steps(GPT(config).to("meta"), 6).values():
        assert step().device.type == "meta"


@pytest.mark.parametrize("cache", [SlotCache, PackedCache])
@pytest.mark.parametrize("options", [{}, {"reuse": True}])
@pytest.mark.parametrize("config", [gpu.SMALL, GQA], ids=["mha", "gqa"])
def test_the_engine_stays_on_the_model_s_device(config: GPTConfig, cache: type[SlotCache], options: dict) -> None:
    engine = SlotEngine(GPT(config).to("meta"), num_slots=4, capacity=16, cache=cache, **options)
    answers = [engine.add("a", [1, 2, 3])]
    answers += engine.add_batch({"b": [1], "c": [1, 2, 3]}).values()
    engine.abort("b")
    answers += engine.add_batch({"d": [1], "e": [1, 2]}, side="right").values()
    answers += engine.step({"a": 1, "c": 2, "e": 3}).values()
    engine.finish("a")
    if cache is SlotCache:
        engine.cache.clear(engine.cache.free_slots[0])
    answers.append(engine.add("f", [1, 2, 3]))
    assert {answer.device.type for answer in answers} == {"meta"}


def test_owner_tags_work_beside_any_device() -> None:
    cache = SlotCache.for_model(GPT(gpu.SMALL).to("meta"), 1, 8, OwnerTags())
    slot = cache.allocate("alice")
    cached_forward(GPT(gpu.SMALL).to("meta"), torch.zeros(3, dtype=torch.long, device="meta"), cache, slot)
    assert cache.view(slot, 0)[0].device.type == "meta"

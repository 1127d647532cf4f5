"""Serving counted in passes, alone against together, and the knee on whatever device there is."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from sharedstate.devices import Device
from sharedstate.kvcache.gpu import CellFailed
from sharedstate.model import GPT, GPTConfig
from sharedstate.serving import MIXES, Limits, NotInvariant, Runner, apart, counted, gpu_knee, knee, mix

CPU = Device("cpu", "CPU", "no CUDA device")
PROMPTS = {"a": [1, 2, 3], "b": [4, 5, 6, 7, 8], "c": [9] * 11}


@pytest.fixture(scope="module")
def model() -> GPT:
    return GPT(GPTConfig(vocab_size=32, num_kv_heads=2), seed=0)


def test_the_long_one_holds_the_short_ones() -> None:
    lengths = (4, 4, 4, 100, 4, 4, 4, 4)
    assert counted(lengths, 4, static=True).steps == 104
    assert counted(lengths, 4).steps == 100


@pytest.mark.parametrize("batch", [4, 8])
def test_equal_or_sorted_lengths_gain_nothing_and_skewed_ones_do(batch: int) -> None:
    def gain(lengths: tuple[int, ...]) -> float:
        return counted(lengths, batch, static=True).steps / counted(lengths, batch).steps

    assert gain(mix("equal")) == 1
    assert gain(tuple(sorted(mix("geometric")))) < 1.1 < 1.5 < gain(mix("geometric")) < 4


@pytest.mark.parametrize("name", MIXES)
def test_a_mix_is_the_same_each_time_and_has_about_twenty_tokens(name: str) -> None:
    assert mix(name) == mix(name) and len(mix(name, 200)) == 200
    assert 15 < sum(mix(name, 200)) / 200 < 25


def test_time_is_counted_in_passes() -> None:
    one = counted((10,), 1)
    assert one.steps == 10 and one.preemptions == 0
    assert one.throughput == pytest.approx(10 / (10 + (16 + 9) / 64)) and one.inter_token == pytest.approx(1 + 1 / 64)


def test_short_of_blocks_requests_are_preempted_and_a_larger_batch_brings_nothing() -> None:
    few = {batch: counted(mix("equal"), batch, blocks=24) for batch in (4, 8, 16, 32)}
    assert [found.preemptions > 0 for found in few.values()] == [False, False, True, True]
    assert knee({batch: found.throughput for batch, found in few.items()}) == 16


@pytest.mark.parametrize(("rates", "place"), [
    ({1: 1.0, 2: 2.0, 4: 4.0}, None), ({1: 1.0, 2: 1.05, 4: 4.0}, None), ({1: 1.0, 2: 1.05, 4: 1.0}, 1),
    ({1: 1, 2: 2, 4: 3.9, 8: 4.0}, 4), ({}, None)])
def test_from_the_knee_on_no_larger_batch_brings_more_than_a_tenth(rates: dict[int, float], place: int | None) -> None:
    assert knee(rates) == place


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(ValueError, match="No mix 'odd'"):
        mix("odd")
    with pytest.raises(ValueError, match="do not fit"):
        counted((100,), 1, blocks=2)


class Longest(Runner):
    """Everybody looks at as many keys as the longest."""

    def mask(self, group: object) -> Tensor:
        return super().mask(group).amax(0, keepdim=True)


def test_alone_and_together_agree_and_a_wrong_mask_shows(model: GPT) -> None:
    assert max(apart(model, PROMPTS).values()) < 1e-5
    assert set(apart(model, PROMPTS, deterministic=True).values()) == {0.0}
    found = apart(model, PROMPTS, runner=Longest)
    assert found["a"] > 1e-3 and found["c"] < 1e-5


def test_what_is_refused_has_no_difference(model: GPT) -> None:
    with pytest.raises(ValueError, match="a is refused: 3 "):
        apart(model, PROMPTS, limits=Limits(4, 2, 4))
    with pytest.raises(NotInvariant):
        apart(model, PROMPTS, limits=Limits(block_size=3), deterministic=True)


def test_the_gpu_cell_has_its_form_on_a_cpu() -> None:
    found = gpu_knee.sweep(CPU, batches=(1, 2, 4))
    assert found.figures["difference_fp32"] < 1e-4 and found.figures["knee"] in (0, 1, 2)
    assert set(found.spread) == {"step_ms_1", "step_ms_2", "step_ms_4"}
    assert "tokens a second" in found.says and "knee" in found.says


def test_the_gpu_cell_fails_where_together_is_not_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_knee, "FP32", -1.0)
    with pytest.raises(CellFailed, match="alone against together"):
        gpu_knee.sweep(CPU, batches=(1,))


def test_counting_leaves_torch_s_generator_alone() -> None:
    before = torch.get_rng_state()
    counted(mix("uniform", 8), 4)
    assert torch.equal(before, torch.get_rng_state())

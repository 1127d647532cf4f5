"""Everything follows the device and the dtype that it is given: run on torch's meta device, which has no values.

A tensor made on the CPU by mistake meets a meta tensor there, and torch refuses the two together, as it would on CUDA.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from sharedstate import paths
from sharedstate.kvcache import PackedCache, SlotCache, SlotEngine, cached_forward, gpu
from sharedstate.kvcache.attends import RIGHT
from sharedstate.kvcache.costs import random_cards, step_on_cards, timed_step
from sharedstate.model import (
    GPT,
    GPTConfig,
    attention,
    attention_mask_of,
    causal_mask,
    generate,
    position_ids_of,
    sliding_window_mask,
    window_attention,
)
from sharedstate.percent import code_cells

HALF = torch.bfloat16
PROMPTS = {"a": [1, 2, 3], "b": [4]}


def model(positions: str = "rope", **options: Any) -> GPT:
    """A model of grouped heads on the meta device, in half precision."""
    return GPT(GPTConfig(32, 2, 16, num_heads=4, num_kv_heads=2, positions=positions), **options).to("meta", HALF)


def followed(answer: Tensor) -> bool:
    return answer.is_meta and answer.dtype == HALF


def windowed() -> GPT:
    return model(mask=lambda q_len, kv_len: sliding_window_mask(q_len, kv_len, 2))


@pytest.mark.parametrize("positions", ["rope", "learned", "none"])
def test_the_model_and_its_cache_follow(positions: str) -> None:
    net, tokens = model(positions), torch.zeros(2, 5, dtype=torch.long, device="meta")
    rows = attention_mask_of(torch.tensor([5, 2], device="meta"), 5)
    assert followed(net(tokens))
    assert followed(net(tokens, attention_mask=rows, position_ids=position_ids_of(rows)))
    assert generate(net, torch.zeros(3, dtype=torch.long), 2).is_meta
    cache = SlotCache.for_model(net, 1, 8)
    assert followed(cached_forward(net, tokens[0], cache, cache.allocate("a")))
    assert followed(step_on_cards(net, tokens[:1, :1], random_cards(net, 7)))
    assert timed_step(net, 8, rounds=1).context == timed_step(net, 8, cached=False, rounds=1).context == 8
    assert all(followed(step()) for step in gpu.decode_steps(net, 8).values())


@pytest.mark.parametrize("make", [model, lambda: model("learned"), windowed], ids=["rotary", "learned", "windowed"])
@pytest.mark.parametrize("options", [{}, {"reuse": True}, {"cache": PackedCache}], ids=str)
def test_the_engine_follows(make: Callable[[], GPT], options: dict) -> None:
    engine = SlotEngine(make(), 4, 16, **options)
    assert all(followed(engine.add(name, PROMPTS["a"])) for name in ("old", "again"))
    engine.finish("old")
    for side in ("left", "right"):
        answers = engine.add_batch(PROMPTS, side)
        assert all(map(followed, (*answers.values(), *engine.step({"a": 5, "again": 6}).values())))
        engine.finish("a"), engine.finish("b")


@pytest.mark.parametrize("name", [name for name in RIGHT if name != "valid columns only"])  # that one asks for values
def test_every_way_to_attend_follows(name: str) -> None:
    q, k = (torch.zeros(2, heads, 3, 8, device="meta", dtype=HALF) for heads in (4, 2))
    assert followed(RIGHT[name](q, k, k, torch.ones(2, 1, 3, 3, dtype=torch.bool, device="meta")))


def test_windows_follow() -> None:
    assert followed(window_attention(torch.zeros(1, 8, 8, 3, device="meta", dtype=HALF), 4, 2))


def solution(unit: str, exercise: str) -> dict[str, Any]:
    """The names of a lab's solved cell, after its setup cell's imports."""
    text = (next(paths.course().glob(f"{unit}_*")) / "lab.py").read_text(encoding="utf-8")
    cell = next(cell for cell in code_cells(text) if f"exercise:{exercise}" in cell.tags)
    names: dict[str, Any] = {"torch": torch, "attention": attention, "causal_mask": causal_mask}
    exec(compile(cell.source, f"solution {exercise}", "exec"), names)
    return names


def test_the_solutions_follow() -> None:
    scores = torch.zeros(2, 3, 5, device="meta", dtype=HALF)
    assert followed(solution("04", "04.1")["causal_weights"](scores))
    heads = solution("04", "04.2")
    assert followed(heads["merge_heads"](heads["split_heads"](torch.zeros(1, 3, 8, device="meta", dtype=HALF), 2)))
    assert solution("04", "04.4")["who_may_look"](torch.ones(2, 5, dtype=torch.bool, device="meta"), 3).is_meta
    cut, image = solution("05", "05.1"), torch.zeros(1, 4, 4, 2, device="meta", dtype=HALF)
    assert followed(cut["join"](cut["partition"](image, 2), 2, 4, 4))
    assert followed(solution("05", "05.3")["axial"](image, lambda groups: groups))
    box, k = solution("06", "06.1")["LayerCache"](), torch.zeros(2, 3, 8, device="meta", dtype=HALF)
    box.append(k, k)
    assert followed(box.attend(torch.zeros(4, 2, 8, device="meta", dtype=HALF)))
    slots, lengths = torch.tensor([1, 0], device="meta"), torch.tensor([3, 4], device="meta")
    assert solution("07", "07.1")["may_read"](torch.zeros(2, 6, device="meta"), slots, lengths, 2).is_meta


def test_a_tensor_left_on_the_cpu_would_be_seen() -> None:
    with pytest.raises(RuntimeError, match="device"):
        torch.zeros(3, device="meta") + torch.arange(3)

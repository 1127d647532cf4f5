"""The GPU cell of unit 08: a decode step over blocks and over slots, and how many requests fit in equal memory."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from types import MappingProxyType

import torch
from torch import Tensor

from sharedstate.devices import CellRecord, Device
from sharedstate.kvcache.capacity import fits, in_blocks, lengths
from sharedstate.kvcache.engine import SlotEngine
from sharedstate.kvcache.gpu import FP32, LARGE, SMALL, expect, half_range, rounds, some_tokens
from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.model import GPT

LONGEST = 512


class Blocks16(PagedCache):
    """Blocks of 16 tokens."""

    block_size = 16


def paged(device: Device, context: int | None = None) -> CellRecord:
    """Time a step of eight requests over blocks and over slots, compare the logits, and fill equal memories.

    context: 64 tokens on the CPU and 1,024 on a GPU, unless given. Seconds are medians of alternating rounds. Raises
    CellFailed when the logits differ by more than rounding, or blocks hold fewer requests than slots.
    """
    context, requests = context or device.size(cpu=64, gpu=1024), 8
    model = GPT(device.size(cpu=SMALL, gpu=LARGE), seed=0).to(device.kind).eval()
    steps = {name: _step(make, model, context, requests) for name, make in _ENGINES.items()}
    one, two = (step() for step in steps.values())
    difference = float((one - two).abs().max())
    expect("paged against contiguous logits, fp32", difference, at_most=FP32)
    times = {name: rounds(step, device) for name, step in steps.items()}
    ms = {name: 1000 * statistics.median(seconds) for name, seconds in times.items()}
    held = _held(model)
    expect("requests in blocks ÷ requests in slots", held["blocks"] / held["slots"], at_least=1)
    says = (f"a step of {requests} requests with {context:,} tokens each takes {ms['blocks']:.2f} ms over blocks and "
            f"{ms['slots']:.2f} ms over slots, {ms['blocks'] / ms['slots']:.2f} times; in equal memory blocks hold "
            f"{held['blocks']} requests and slots {held['slots']}; the logits differ by {difference:.0e} at most")
    figures = {"context": context, "requests": requests, "blocks_ms": ms["blocks"], "slots_ms": ms["slots"],
               "blocks_over_slots": ms["blocks"] / ms["slots"], "held_in_blocks": held["blocks"],
               "held_in_slots": held["slots"], "difference_fp32": difference}  # fmt: skip
    return CellRecord(says, figures, {f"{name}_ms": 1000 * half_range(seconds) for name, seconds in times.items()})


def _blocks(model: GPT, slots: int, capacity: int) -> SlotEngine:
    return PagedEngine(model, slots, capacity, cache=Blocks16)


def _slots(model: GPT, slots: int, capacity: int) -> SlotEngine:
    return SlotEngine(model, slots, capacity)


_ENGINES = MappingProxyType({"blocks": _blocks, "slots": _slots})


def _step(
    make: Callable[[GPT, int, int], SlotEngine], model: GPT, context: int, requests: int
) -> Callable[[], Tensor]:
    """Return one decode step of all requests, put back each time: logits [B, vocab]."""
    engine = make(model, requests, context + 16)
    tokens = some_tokens(model, context + requests).tolist()
    for number in range(requests):
        engine.add(f"r{number}", tokens[number : number + context])
    new, mark = {f"r{number}": tokens[number] for number in range(requests)}, engine.mark()

    def step() -> Tensor:
        engine.undo(mark)
        return torch.stack(list(engine.step(new).values()))

    return step


def _held(model: GPT) -> dict[str, int]:
    """Fill two caches of the same size with short requests, for real; return how many each takes."""
    room = 8 * LONGEST
    drawn = [min(LONGEST, length) for length in lengths("mostly short", 200)]
    cache_of = {"slots": 8, "blocks": fits(drawn, room, in_blocks(16))}
    shape, weight = model.config, model.lm_head.weight
    few = type("Equal", (Blocks16,), {"num_blocks": room // 16 + 1})
    cache = few(len(drawn), LONGEST, shape.num_layers, shape.num_kv_heads, shape.head_dim, weight.dtype, weight.device)
    held = 0
    for number, length in enumerate(drawn):
        if cache.tables[number].missing(length) > cache.pool.num_free:
            break
        slot = cache.allocate(f"r{number}")
        cache.tables[slot].append(length)
        held += 1
    expect("requests in blocks, less those that were counted", held - cache_of["blocks"], at_most=0, at_least=0)
    return {"slots": cache_of["slots"], "blocks": held}

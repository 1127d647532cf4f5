"""The GPU cells that need no streams: cached against uncached decode, pollution and its fix. They run on a CPU too.

Each returns what a record keeps of it, and raises CellFailed when a result is not what it must be.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor

from sharedstate.devices import CellRecord, Device
from sharedstate.kvcache.decode import cached_forward
from sharedstate.kvcache.engine import SlotEngine
from sharedstate.kvcache.slots import SlotCache
from sharedstate.model import GPT, GPTConfig

FP32, FP64 = 1e-4, 1e-9  # cached and uncached logits may differ by so much
POLLUTED = 1e-3  # what is polluted differs by more than this
ROUNDS = 15
SMALL = GPTConfig(vocab_size=32, d_model=64, num_layers=2, num_heads=4)
LARGE = GPTConfig(vocab_size=512, d_model=1024, num_layers=8, num_heads=8)


class CellFailed(AssertionError):
    """A GPU cell's result is not what it must be; the text says what and by how much."""


def decode(device: Device, context: int | None = None, config: GPTConfig | None = None) -> CellRecord:
    """Time one decode step behind `context` tokens, with a cache and without, and compare the logits.

    context: 256 tokens on the CPU and 4,096 on a GPU, unless given. Seconds are medians of alternating rounds.
    """
    context = context or device.size(cpu=256, gpu=4096)
    shape = config or device.size(cpu=SMALL, gpu=LARGE)
    model = GPT(shape, seed=0).to(device.kind).eval()
    exact = largest_difference(GPT(SMALL, seed=0).to(device.kind, torch.float64), 64)
    single = largest_difference(model, context)
    expect("cached against uncached logits, fp32", single, at_most=FP32)
    expect("cached against uncached logits, fp64", exact, at_most=FP64)
    steps = {name: rounds(step, device) for name, step in decode_steps(model, context).items()}
    cached, uncached = (1000 * statistics.median(steps[name]) for name in ("cached", "uncached"))
    says = (f"one step behind {context:,} tokens takes {cached:.2f} ms with the cache and {uncached:.2f} ms without, "
            f"{uncached / cached:.1f} times as long; the logits differ by {single:.0e} at most")  # fmt: skip
    figures = {"context": context, "layers": shape.num_layers, "d_model": shape.d_model, "cached_ms": cached,
               "uncached_ms": uncached, "uncached_over_cached": uncached / cached, "difference_fp32": single,
               "difference_fp64": exact}  # fmt: skip
    return CellRecord(says, figures, {f"{name}_ms": 1000 * half_range(times) for name, times in steps.items()})


def decode_steps(model: GPT, context: int) -> dict[str, Callable[[], Tensor]]:
    """Return one decode step behind `context` tokens, with a cache (put back each time) and without: logits [vocab]."""
    tokens = some_tokens(model, context + 1)  # [S + 1]
    cache = SlotCache.for_model(model, 1, context + 1)
    slot = cache.allocate("alice")
    cached_forward(model, tokens[:-1], cache, slot)
    mark = cache.snapshot()
    mask = model.mask(context + 1, context + 1).to(tokens.device)  # [S + 1, S + 1]; made once, it is no part of a step

    def cached() -> Tensor:
        cache.rollback(mark)
        return cached_forward(model, tokens[-1:], cache, slot)[0]  # [vocab]

    @torch.no_grad()
    def uncached() -> Tensor:
        return model(tokens[None], mask=mask)[0, -1]  # [vocab]

    return {"cached": cached, "uncached": uncached}


def largest_difference(model: GPT, context: int) -> float:
    """Return the largest difference between the cached and the uncached logits behind `context` tokens."""
    steps = decode_steps(model, context)
    return (steps["cached"]() - steps["uncached"]()).abs().max().item()


def pollution(device: Device, *polluted: type[SlotEngine]) -> CellRecord:
    """Run wrong engines and the right one over recycled slots; compare each request with the same one alone."""
    errors = {kind.__name__: recycled_error(kind, device) for kind in (*polluted, SlotEngine)}
    right = errors.pop("SlotEngine")
    expect("SlotEngine against each request alone", right, at_most=FP32)
    for name, error in errors.items():
        expect(f"{name} against each request alone", error, at_least=POLLUTED)
    wrong = ", ".join(f"{name} by up to {error:.2f}" for name, error in errors.items())
    says = f"in recycled slots the logits are off: {wrong}; SlotEngine by {right:.0e}, which is rounding"
    return CellRecord(says, {**{f"{name}_error": error for name, error in errors.items()}, "SlotEngine_error": right})


def recycled_error(kind: type[SlotEngine], device: Device) -> float:
    """Fill every slot with a long request, end it, serve a short one there. Return the largest error in the logits."""
    slots = device.size(cpu=2, gpu=8)
    model = GPT(SMALL, seed=0).to(device.kind)
    engine = kind(model, num_slots=slots, capacity=24)
    tokens = some_tokens(model, 16 * slots).tolist()
    for slot in range(slots):
        engine.add(f"old {slot}", tokens[16 * slot : 16 * slot + 12])
    for slot in range(slots):
        engine.finish(f"old {slot}")
    prompts = {f"new {slot}": tokens[16 * slot + 11 : 16 * slot + 15] for slot in range(slots)}
    for name, prompt in prompts.items():
        engine.add(name, prompt)
    answers = engine.step(dict.fromkeys(prompts, 1))
    errors = []
    for name, prompt in prompts.items():
        with torch.no_grad():
            alone = model(torch.tensor([[*prompt, 1]], device=device.kind))[0, -1]  # [vocab]
        errors.append((answers[name] - alone).abs().max().item())
    return max(errors)


def some_tokens(model: GPT, count: int) -> Tensor:
    """Return `count` tokens [count] for this model, the same ones every time, on its device."""
    drawn = torch.randint(model.config.vocab_size, (count,), generator=torch.Generator().manual_seed(0))
    return drawn.to(model.lm_head.weight.device)


def rounds(step: Callable[[], object], device: Device, count: int = ROUNDS) -> list[float]:
    """Return the seconds of some calls, each until the device has finished; two calls go before, untimed."""
    finish = torch.cuda.synchronize if device.on_gpu else lambda: None
    taken = []
    for _ in range(count + 2):
        finish()
        began = time.perf_counter()
        step()
        finish()
        taken.append(time.perf_counter() - began)
    return taken[2:]


def half_range(values: list[float]) -> float:
    """Return half the distance between the quartiles."""
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / 2


def expect(what: str, value: float, at_most: float = float("inf"), at_least: float = float("-inf")) -> None:
    """Raise CellFailed unless the value lies between the two (a NaN does not)."""
    if not at_least <= value <= at_most:
        bound = f"at most {at_most:.0e}" if value > at_most else f"at least {at_least:.0e} and at most {at_most:.0e}"
        raise CellFailed(f"{what}: the largest difference is {value:.2e}, it must be {bound}.")

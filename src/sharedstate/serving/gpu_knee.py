"""The GPU cell of unit 09: tokens a second and the time between two tokens, for batch sizes that double."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from sharedstate.devices import CellRecord, Device
from sharedstate.kvcache.gpu import FP32, LARGE, SMALL, expect, half_range, rounds, some_tokens
from sharedstate.model import GPT
from sharedstate.serving.alone import apart
from sharedstate.serving.counting import knee
from sharedstate.serving.engine import Engine, Limits
from sharedstate.serving.requests import Request

PROMPT = 32


def sweep(device: Device, batches: Sequence[int] | None = None, context: int = PROMPT) -> CellRecord:
    """Decode with more and more requests in a batch, and find the knee; alone and together must agree.

    batches: 1 to 16 on the CPU and 1 to 256 on a GPU, unless given. A step's seconds are medians of some rounds, each
    of them one more token for everybody. Raises CellFailed when the logits differ by more than rounding.
    """
    sizes = tuple(batches or (2**n for n in range(device.size(cpu=5, gpu=9))))
    model = GPT(device.size(cpu=SMALL, gpu=LARGE), seed=0).to(device.kind).eval()
    tokens = some_tokens(model, 4 * context).tolist()
    off = max(apart(model, {f"r{n}": tokens[n : n + context - 3 * n] for n in range(4)}).values())
    expect("alone against together, fp32", off, at_most=FP32)
    times = {size: _steps(model, device, size, tokens[:context]) for size in sizes}
    ms = {size: 1000 * statistics.median(seconds) for size, seconds in times.items()}
    rates = {size: 1000 * size / step for size, step in ms.items()}
    place = knee(rates)
    first, last = sizes[0], sizes[-1]
    where = f"the knee is at {place}" if place is not None else f"no knee up to {last}"
    says = (f"{where}: batch size {first} gives {rates[first]:,.0f} tokens a second, one each {ms[first]:.2f} ms, and "
            f"batch size {last} gives {rates[last]:,.0f}, one each {ms[last]:.2f} ms; alone and together the logits "
            f"differ by {off:.0e} at most")
    figures = {"knee": place or 0, "difference_fp32": off}
    figures |= {f"tokens_per_second_{size}": rate for size, rate in rates.items()}
    figures |= {f"step_ms_{size}": step for size, step in ms.items()}
    return CellRecord(says, figures, {f"step_ms_{size}": 1000 * half_range(some) for size, some in times.items()})


def _steps(model: GPT, device: Device, batch: int, prompt: Sequence[int]) -> list[float]:
    """Return the seconds of decode steps with `batch` requests, each a token longer than the one before."""
    limits = Limits(batch, batch * 16 + 1, max_tokens=max(512, batch * len(prompt)))
    engine = Engine(model, limits, prefix=False)
    for n in range(batch):
        engine.add(Request(f"r{n}", prompt, 256 - len(prompt)))
    engine.step()  # all prompts at once: from here on it is decoding
    return rounds(engine.step, device)

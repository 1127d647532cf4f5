"""A decode step with and without the cache, what the parts of a cached step cost, grouped heads, and owner tags.

Every ratio comes from alternating rounds in one process, on one thread of torch. An uncached step computes the
whole text again; a cached one computes the new token and reads what is there. The model has 4 layers, d_model 256,
8 heads, 4 of them for keys and values, untrained; its cache is filled with noise, which costs the same as text.
Grouped heads: one query of 32 heads against 8,192 keys of 8 heads of 128, by the course's attention, by torch's kernel
with enable_gqa, and with the keys repeated, each over the bare product of the folded queries (scores and answer).
`spread` is half the distance between the quartiles of the rounds.
"""

from __future__ import annotations

import statistics
import sys
from typing import Any

from sharedstate.commands.bench import half_range, seconds

ROUNDS = 7
FEW = 3
LENGTHS = (128, 256, 512, 1024, 2048)
LONG = (4096, 16384)
ROWS = 4
GROUPED = (32, 8, 8192, 128)  # query heads, key heads, keys, head_dim


def model(max_len: int) -> Any:
    """The model of this benchmark."""
    from sharedstate.model import GPT, GPTConfig

    return GPT(GPTConfig(256, 4, 256, num_heads=8, num_kv_heads=4, max_len=max_len), seed=0)


def filled(model: Any, length: int) -> Any:
    """A cache with one slot that holds so many tokens, and has room for a few more."""
    import torch

    from sharedstate.kvcache import SlotCache
    from sharedstate.model import seeded

    cache, generator = SlotCache.for_model(model, 1, length + 8), seeded(length)
    slot, size = cache.allocate("one"), (cache.keys.shape[2], length, cache.keys.shape[4])
    for layer in range(cache.num_layers):
        cache.append(slot, layer, *(torch.randn(size, generator=generator) for _ in range(2)))
    return cache


def steps(model: Any, length: int, uncached: bool = True) -> dict[str, float]:
    """Seconds of one step at this length: cached, and with the whole text computed again."""
    import torch

    from sharedstate.kvcache import cached_forward

    cache = filled(model, length - 1)
    token, mark = torch.tensor([1]), cache.snapshot()

    def cached() -> None:
        cached_forward(model, token, cache, 0)
        cache.rollback(mark)

    cached()
    row = {f"cached_ms_{length}": 1e3 * seconds(cached, 5)}
    if uncached:
        text = torch.randint(0, 256, (1, length))
        with torch.inference_mode():
            row[f"uncached_ms_{length}"] = 1e3 * seconds(lambda: model(text))
        row[f"uncached_over_cached_{length}"] = row[f"uncached_ms_{length}"] / row[f"cached_ms_{length}"]
    return row


def parts(model: Any, length: int) -> dict[str, float]:
    """Microseconds of one layer's two parts at this length: q, k, v of the new token, and attention over all."""
    import torch

    from sharedstate.kvcache.decode import project

    cache, block = filled(model, length), model.layers[0]
    x, rope = model.embed(torch.tensor([[1]]), torch.tensor([[length - 1]]))
    keys, values = cache.view(0, 0)
    with torch.inference_mode():
        q, _, _ = project(block, x, rope)
        block.self_attn.attend(q, keys[None], values[None])
        return {
            f"projection_us_{length}": 1e6 * seconds(lambda: project(block, x, rope), 20),
            f"attention_us_{length}": 1e6 * seconds(lambda: block.self_attn.attend(q, keys[None], values[None]), 20),
        }


def grouped(sizes: tuple[int, int, int, int] = GROUPED) -> dict[str, float]:
    """Grouped-query attention in three ways, each over the bare product of the folded queries."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    from sharedstate.model import attention, seeded

    heads, kv_heads, keys, size = sizes
    q = torch.randn(1, heads, 1, size, generator=seeded(1))
    k, v = (torch.randn(1, kv_heads, keys, size, generator=seeded(n)) for n in (2, 3))

    def product() -> object:
        return q.view(1, kv_heads, -1, size) @ k.transpose(-2, -1) @ v

    def repeated() -> object:
        return attention(q, *(part.repeat_interleave(heads // kv_heads, 1) for part in (k, v)))

    ways = {"attention": lambda: attention(q, k, v), "repeated": repeated,
            "enable_gqa": lambda: scaled_dot_product_attention(q, k, v, enable_gqa=True)}  # fmt: skip
    with torch.inference_mode():
        bare = seconds(product, 5)
        return {f"grouped_{name}_over_product": seconds(way, 5) / bare for name, way in ways.items()}


def tagged(model: Any, tags: Any, context: int = 100) -> float:
    """Seconds of one decode step of four requests with this context, with these tags or with none."""
    from sharedstate.kvcache import SlotEngine

    engine = SlotEngine(model, ROWS, context + 16, tags)
    for row in range(ROWS):
        engine.add(f"r{row}", [1 + row] * (context - row))
    tokens = dict.fromkeys(engine.running, 1)
    engine.step(tokens)
    return seconds(lambda: engine.step(tokens), 8)


def one_round(small: Any) -> dict[str, float]:
    """Every figure once, the longest text apart."""
    from sharedstate.kvcache import OwnerTags

    row: dict[str, float] = grouped(GROUPED)
    for length in LENGTHS[:-1]:
        row |= steps(small, length)
    short, long = LENGTHS[3], LONG[-1]
    for length in (short, *LONG):
        row |= parts(small, length)
    off, on, again = tagged(small, None), tagged(small, OwnerTags()), tagged(small, None)
    row["tags_on_over_off"] = 2 * on / (off + again)
    row["tags_off_over_off"] = again / off
    for part in ("attention", "projection"):
        row[f"{part}_{long}_over_{short}"] = row[f"{part}_us_{long}"] / row[f"{part}_us_{short}"]
    return row


def run(rounds: int = ROUNDS) -> dict[str, object]:
    """The medians of the rounds; the longest texts are timed in three of them."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        small = model(max(LONG))
        one_round(small)  # imports and the first allocations are not part of any figure
        rows = [one_round(small) for _ in range(rounds)]
        longest = [steps(small, LENGTHS[-1]) | steps(small, LONG[0], uncached=False) for _ in range(min(FEW, rounds))]
    finally:
        torch.set_num_threads(before)
    series = {key: [row[key] for row in rows] for key in rows[0]}
    series |= {key: [row[key] for row in longest] for key in longest[0]}
    figures: dict[str, object] = {key: round(statistics.median(values), 3) for key, values in series.items()}
    figures["torch"], figures["python"], figures["rounds"] = torch.__version__, sys.version.split()[0], rounds
    figures["spread"] = {key: round(half_range(values), 3) for key, values in series.items()}
    return figures


if __name__ == "__main__":
    print(run())

"""What a prefix saves and what blocks cost, in time: the time to first token by hit share, book-keeping by size."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from sharedstate.kvcache.blocks import BlockPool, BlockTable
from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.kvcache.prefix import PrefixIndex
from sharedstate.model import GPT, GPTConfig


class _Sixteen(PagedCache):
    block_size = 16


def first_token(shares: Sequence[float], length: int = 384, rounds: int = 4) -> list[tuple[float, float]]:
    """Return (share of the prompt that hits, share of the time to first token saved), the best of alternating rounds.

    Every round makes new engines, so that nothing is found but the prefix that was put there.
    """
    model = GPT(GPTConfig(64, 4, d_model=256, num_heads=4, num_kv_heads=2, max_len=length + 16), seed=0)
    taken = [{share: _once(model, share, length) for share in (0.0, *shares)} for _ in range(rounds)]
    best = {share: min(one[share] for one in taken) for share in (0.0, *shares)}  # a busy machine only ever adds
    return [(share, 1 - best[share] / best[0.0]) for share in shares]


def _once(model: GPT, share: float, length: int) -> float:
    """Serve a prompt of which `share` was served before; return the seconds until its first logits."""
    engine = PagedEngine(model, 2, length + 16, cache=_Sixteen, reuse=True)
    equal = [n % 64 for n in range(round(share * length) // 16 * 16)]
    if equal:
        engine.add("before", [*equal, 63])
    prompt = [*equal, *((5 * n + 1) % 64 for n in range(length - len(equal)))]
    began = perf_counter()
    engine.add("now", prompt)
    return perf_counter() - began


def book_keeping(block_size: int, tokens: int = 4096, rounds: int = 3) -> float:
    """Return the milliseconds of hashing, allocating and publishing so many tokens in blocks; the best of rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = perf_counter()
        index = PrefixIndex(BlockPool(tokens // block_size + 2, block_size))
        table, chain = BlockTable(index.pool), index.chain(range(tokens))
        table.append(tokens)
        index.publish(table, chain, tokens)
        best = min(best, perf_counter() - began)
    return 1000 * best

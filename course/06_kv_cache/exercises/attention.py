"""Attention over a box of keys and values in plain Python: what is right, and what known mistakes would give."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Rows = list[list[list[float]]]                  # [heads, tokens, channels]
Sees = Callable[[int, int, int, int], bool]     # (row, queries, key, keys) -> may it look?
Group = Callable[[int, int, int], int]          # (head, heads, KV heads) -> the KV head that it reads


def numbers(seed: object, heads: int, tokens: int, channels: int) -> Rows:
    """Return numbers from -2 to 2, the same for the same seed."""
    draw = random.Random(f"box:{seed}")
    return [[[draw.uniform(-2, 2) for _ in range(channels)] for _ in range(tokens)] for _ in range(heads)]


def bottom_right(row: int, queries: int, key: int, keys: int) -> bool:
    """Causal, the last query at the last key."""
    return key <= row + keys - queries


def top_left(row: int, queries: int, key: int, keys: int) -> bool:
    """Causal, the first query at the first key."""
    return key <= row


def everything(row: int, queries: int, key: int, keys: int) -> bool:
    """No mask."""
    return True


def grouped(head: int, heads: int, kv_heads: int) -> int:
    """Neighbouring heads share a KV head."""
    return head * kv_heads // heads


def in_turn(head: int, heads: int, kv_heads: int) -> int:
    """Heads take KV heads in turn."""
    return head % kv_heads


def attend(q: Rows, k: Rows, v: Rows, sees: Sees = bottom_right, group: Group = grouped) -> Rows:
    """Return the answers [H, Q, D] of q [H, Q, D] over k and v [H_kv, K, D]."""
    return [[_answer(row, n, len(rows), k[group(h, len(q), len(k))], v[group(h, len(q), len(k))], sees)
             for n, row in enumerate(rows)] for h, rows in enumerate(q)]


def _answer(q: list[float], n: int, queries: int, k: Sequence, v: Sequence, sees: Sees) -> list[float]:
    open_keys = [j for j in range(len(k)) if sees(n, queries, j, len(k))]
    if not open_keys:
        return [math.nan] * len(q)
    scores = [sum(a * b for a, b in zip(q, k[j], strict=True)) / math.sqrt(len(q)) for j in open_keys]
    top = max(scores)
    weights = [math.exp(score - top) for score in scores]
    return [sum(w * v[j][c] for w, j in zip(weights, open_keys, strict=True)) / sum(weights) for c in range(len(q))]


def part(rows: Rows, start: int, stop: int) -> Rows:
    """Return the tokens from start to stop of every head."""
    return [head[start:stop] for head in rows]


def near(found: object, wanted: Rows, tolerance: float) -> bool:
    """True when nested lists have the same shape and every number is within the tolerance (NaN is near nothing)."""
    pairs = list(_pairs(found, wanted))
    return all(type(a) is float and abs(a - b) <= tolerance for a, b in pairs) if pairs else False


def _pairs(found: Any, wanted: Any) -> Iterator[tuple[object, float]]:
    if type(wanted) is not list:
        yield found, wanted
    elif type(found) is not list or len(found) != len(wanted):
        yield None, 0.0
    else:
        for one, other in zip(found, wanted, strict=True):
            yield from _pairs(one, other)

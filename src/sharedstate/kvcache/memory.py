"""How much memory a KV cache takes, and whether it fits: 2 x layers x KV heads x tokens x head_dim x bytes.

Only keys and values are stored, and only those of the KV heads: grouped-query attention (arXiv 2305.13245)
stores num_heads / num_kv_heads times less than its query heads suggest. Loads no torch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from sharedstate.wording import count

GIB, GB = 2**30, 10**9
DTYPE_BYTES: Mapping[str, int] = MappingProxyType({
    "float64": 8, "float32": 4, "bfloat16": 2, "float16": 2, "float8_e4m3fn": 1, "float8_e5m2": 1, "int8": 1,
})
HEADROOM = 0.25


class DoesNotFit(ValueError):
    """The plan needs more than the budget. `batch` and `length` are the largest that would fit.

    batch: slots of the planned length; length: tokens of each slot at the planned batch. 0 where even one does not fit.
    """

    def __init__(self, message: str, batch: int, length: int) -> None:
        super().__init__(message)
        self.batch, self.length = batch, length


@dataclass(frozen=True)
class MemoryPlan:
    """What a server needs at its peak: all sizes in bytes, `gib` and `gb` of the total.

    batch slots of `length` tokens each, `per_token` bytes a token; `headroom` is the part that stays free, for
    activations, temporary tensors and fragments of the allocator. budget is None when none was given.
    """

    batch: int
    length: int
    per_token: int
    weights: int
    cache: int
    headroom: int
    budget: int | None
    largest_batch: int
    longest: int

    @property
    def parts(self) -> Mapping[str, int]:
        """Return bytes by part."""
        return MappingProxyType({"weights": self.weights, "cache": self.cache, "headroom": self.headroom})

    @property
    def total(self) -> int:
        """Bytes that the device must have."""
        return self.weights + self.cache + self.headroom

    @property
    def gib(self) -> float:
        """The total in GiB (2**30 bytes), as tools report it."""
        return self.total / GIB

    @property
    def gb(self) -> float:
        """The total in GB (10**9 bytes), as it may stand on the box."""
        return self.total / GB

    @property
    def fits(self) -> bool:
        """True when the budget holds it all; without a budget nothing is too large."""
        return self.budget is None or self.total <= self.budget

    @property
    def would_fit(self) -> str:
        """What would fit instead, in words; "" where the plan fits."""
        if self.fits:
            return ""
        bigger = f"a device of {math.ceil(100 * self.gib) / 100:,.2f} GiB"
        ways = [bigger]
        if self.longest:
            ways.insert(0, f"{self.longest:,} tokens in each of {count(self.batch, 'slot')}")
        if self.largest_batch:
            ways.insert(0, f"{count(self.largest_batch, 'slot')} of {self.length:,} tokens")
        return ", or ".join(ways)

    @property
    def text(self) -> str:
        """The plan as lines: parts in GiB and GB, the verdict, what would fit."""
        rows = [f"{name:9} {size / GIB:9.2f} GiB {size / GB:9.2f} GB" for name, size in
                (*self.parts.items(), ("needed", self.total))]
        verdict = f"{count(self.batch, 'slot')} of {self.length:,} tokens"
        if self.budget is not None:
            rows.append(f"{'budget':9} {self.budget / GIB:9.2f} GiB {self.budget / GB:9.2f} GB")
            verdict += f" {self._fit}" if self.fits else f" {self._fit}. What would: {self.would_fit}"
        return "\n".join([*rows, f"{verdict}."])

    @property
    def _fit(self) -> str:
        one = self.batch == 1
        return ("fits" if one else "fit") if self.fits else ("does not fit" if one else "do not fit")

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def require(self) -> MemoryPlan:
        """Return the plan when it fits; raise DoesNotFit, which says what would, when it does not."""
        if not self.fits:
            raise DoesNotFit(f"{self.text}", self.largest_batch, self.longest)
        return self


def dtype_bytes(dtype: object) -> int:
    """Return the bytes of one number: of a torch dtype, or of a name as in "float16". ValueError for others."""
    name = str(dtype).removeprefix("torch.")
    if name not in DTYPE_BYTES:
        raise ValueError(f"dtype {name!r} is not known here: use one of {', '.join(DTYPE_BYTES)}.")
    return DTYPE_BYTES[name]


def cache_bytes(config: Any, dtype: object, tokens: int) -> int:
    """Return the bytes of the keys and values of `tokens` tokens (all slots together).

    config has num_layers, num_kv_heads and head_dim, as a GPTConfig. ValueError for one that has not, and for
    sizes below 1 (tokens: 0).
    """
    layers, heads, size = shape_of(config, "num_layers", "num_kv_heads", "head_dim")
    _at_least(1, num_layers=layers, num_kv_heads=heads, head_dim=size)
    _at_least(0, tokens=tokens)
    return 2 * layers * heads * size * tokens * dtype_bytes(dtype)


def weight_bytes(config: Any, dtype: object) -> int:
    """Return the bytes of the weights of this course's GPT of that shape (config: a GPTConfig; ValueError)."""
    d, hidden, heads, size = shape_of(config, "d_model", "d_hidden", "num_kv_heads", "head_dim")
    kv = heads * size
    layer = 2 * d * d + 2 * d * kv + 3 * d * hidden + 2 * d  # q, o; k, v; gate, up, down; two norms
    ends = 2 * config.vocab_size * d + d  # embedding, lm_head, last norm
    learned = config.max_len * d if config.positions == "learned" else 0
    return (config.num_layers * layer + ends + learned) * dtype_bytes(dtype)


def plan(
    config: Any,
    dtype: object = "float16",
    lengths: int | Sequence[int] = 1,
    batch: int | None = None,
    budget_gib: float | Fraction | None = None,
    weights_bytes: int = 0,
    headroom: float = HEADROOM,
) -> MemoryPlan:
    """Return what a server of this shape needs when it is fullest.

    lengths: tokens of a request when it ends, prompt and answer, or those of several; every slot is planned for
    the longest, since any request may get it. batch: requests that run at the same moment, at the peak (the
    number of lengths unless given). headroom: share of the device that stays free, 0.2 to 0.3 is usual.
    budget_gib: what the device has. Raises ValueError for sizes that cannot be.
    """
    every = list(lengths) if isinstance(lengths, Iterable) and not isinstance(lengths, str) else [lengths]
    if not every:
        raise ValueError("lengths is empty: give the tokens of at least one request.")
    batch = len(every) if batch is None else batch
    _at_least(1, batch=batch, **{f"lengths[{n}]": one for n, one in enumerate(every)})
    _at_least(0, weights_bytes=weights_bytes)
    require_share(headroom)
    if budget_gib is not None and not (_is_number(budget_gib) and 0 < budget_gib < math.inf):
        raise ValueError(f"budget_gib is {budget_gib!r}: give the GiB that the device has, a number above 0.")
    free, length, per_token = Fraction(str(headroom)), max(every), cache_bytes(config, dtype, 1)
    cache = batch * length * per_token
    total = math.ceil((weights_bytes + cache) / (1 - free))
    budget = None if budget_gib is None else int(Fraction(str(budget_gib)) * GIB)
    room = 0 if budget is None else max(0, int(budget * (1 - free)) - weights_bytes)
    return MemoryPlan(
        batch, length, per_token, weights_bytes, cache, total - weights_bytes - cache, budget,
        largest_batch=room // (length * per_token), longest=room // (batch * per_token))


def shape_of(config: Any, *names: str) -> list[int]:
    """Return these parts of a model's shape; ValueError for an object that does not have them."""
    missing = [name for name in names if not hasattr(config, name)]
    if missing:
        raise ValueError(f"config is of type {type(config).__name__} and has no {missing[0]}: give a GPTConfig.")
    return [getattr(config, name) for name in names]


def require_share(headroom: Any) -> None:
    """Raise ValueError for a headroom that is no share from 0 to below 1."""
    if not _is_number(headroom) or not 0 <= headroom < 1:
        raise ValueError(f"headroom is {headroom!r}: it is the share that stays free, a number from 0 to below 1.")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def _at_least(least: int, **sizes: object) -> None:
    """Raise ValueError for a size that is no whole number, or below `least`."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int) or size < least:
            raise ValueError(f"{name} is {size!r}: use a whole number, {least} or more.")


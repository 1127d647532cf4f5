"""Unit 07's engine over blocks: it reads through the tables, finds prefixes again, and forks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from sharedstate.kvcache.conditioned import added
from sharedstate.kvcache.engine import Rows, SlotEngine
from sharedstate.kvcache.ownership import OwnerTags
from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.prefix import Chain, Factors, PrefixIndex, PrefixKeys
from sharedstate.model import GPT
from sharedstate.model.positions import Rope


class PagedEngine(SlotEngine):
    """Requests by name, whose tokens lie in blocks. With reuse a prompt begins with the blocks of an equal prefix.

    `index` finds them (None without reuse). A request may have Factors: adapter, state, images and first position
    change what is computed, tenant and model only the key.
    """

    cache: PagedCache

    def __init__(
        self,
        model: GPT,
        num_slots: int = 4,
        capacity: int = 64,
        tags: OwnerTags | None = None,
        *,
        cache: type[PagedCache] = PagedCache,
        reuse: bool = False,
        keys: PrefixKeys | None = None,
        **options: Any,
    ) -> None:
        """Make an engine with an empty cache. keys: how prefixes are hashed; options: SlotEngine's."""
        super().__init__(model, num_slots, capacity, tags, cache=cache, **options)
        self.index = self.make_index(keys or PrefixKeys()) if reuse else None
        self.factors: dict[str, Factors] = {}
        self.chains: dict[str, Chain] = {}

    def add(self, request: str, prompt: Sequence[int], factors: Factors | None = None) -> Tensor:
        """Prefill one request; see SlotEngine.add. A prefix that is known is not computed again."""
        before = self.factors.get(request)
        self.factors[request] = factors or Factors()
        try:
            return super().add(request, prompt)
        except BaseException:
            if before is None:
                del self.factors[request]
            else:
                self.factors[request] = before
            raise

    def step(self, tokens: Mapping[str, int]) -> dict[str, Tensor]:
        """Append one token to each request; blocks that have become full can be found from now on."""
        logits = super().step(tokens)
        for request, token in tokens.items():
            if request in self.chains:
                self.chains[request].extend([token])
                self._publish(request)
        return logits

    def fork(self, request: str, child: str) -> None:
        """Let a second request go on from the same tokens; nothing is copied yet. Raises as `add` does."""
        slot = self.slot_of(request)
        if child in self.slots:
            raise ValueError(f"Request {child!r} is already running.")
        self.slots[child] = self.cache.fork(slot, child)
        self.factors[child] = self.factors.get(request, Factors())
        if slot in self.padded:
            self.padded[self.slots[child]] = self.padded[slot]
        if request in self.chains:
            chain = self.chains[request]
            self.chains[child] = self.key_chain(child, chain.tokens)

    def finish(self, request: str) -> None:
        """End a request; see SlotEngine.finish."""
        super().finish(request)
        self.factors.pop(request, None)
        self.chains.pop(request, None)

    # --- decisions, one a method

    def make_index(self, keys: PrefixKeys) -> PrefixIndex:
        """Return the index that finds prefixes again."""
        return PrefixIndex(self.cache.pool, keys)

    def key_factors(self, request: str) -> Factors:
        """Return what a request's prefix is found again by, besides its tokens: all that its keys depend on."""
        return self.factors.get(request) or Factors()

    def key_chain(self, request: str, prompt: Sequence[int]) -> Chain:
        """Return the block hashes of a prompt."""
        assert self.index is not None
        return self.index.chain(prompt, self.key_factors(request))

    def take_prefix(self, slot: int, prompt: Sequence[int]) -> Sequence[int]:
        """Begin the slot with the blocks that are known; return the tokens still to be computed."""
        request = self.cache.owner(slot)
        if self.index is None or request is None:
            return prompt
        hit = self.index.match(self.key_chain(request, prompt))
        return prompt[self.cache.adopt(slot, hit.blocks) :]

    def keep_prefix(self, slot: int, prompt: Sequence[int]) -> None:
        """Let the prompt's full blocks be found (with reuse): they are written now."""
        request = self.cache.owner(slot)
        if self.index is not None and request is not None:
            self.chains[request] = self.key_chain(request, prompt)
            self._publish(request)

    def _publish(self, request: str) -> None:
        if self.index is not None:
            slot = self.slots[request]
            self.index.publish(self.cache.tables[slot], self.chains[request], self.cache.length(slot))

    def block_rows(self, rows: Rows, reach: int) -> Tensor:
        """Return the block ids of each row, [B, W]: its own table, null behind its end."""
        return self.cache.rows_of(rows.slots, reach)

    def read(self, layer: int, rows: Rows) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the rows, [B, Hkv, K, D] each, put together from their blocks."""
        self._check_rights(layer, rows)
        reach = self.reach(rows, layer)
        return self.cache.gather(layer, self.block_rows(rows, reach), reach)

    def positions(self, rows: Rows) -> Tensor:
        """Return the position of each new token, [B, Q]: counted from the request's first position."""
        first = [self._factors(request).first_position for request in rows.requests]
        return super().positions(rows) + self._tensor(first)[:, None]

    def embed(self, rows: Rows) -> tuple[Tensor, Rope | None]:
        """Return the first layer's input [B, Q, d_model], adapter and images added, and the rotary tables."""
        x, rope = super().embed(rows)
        own = [self._factors(request) for request in rows.requests]
        if not any(factors.adapter is not None or factors.state or factors.images for factors in own):
            return x, rope
        columns = super().positions(rows)  # [B, Q]
        return x + torch.stack([added(f, columns[b], x) for b, f in enumerate(own)]), rope

    def _factors(self, request: str) -> Factors:
        return self.factors.get(request) or Factors()

    def check(self) -> None:
        """Raise BrokenInvariant or AssertionError unless pool, tables and index agree."""
        self.cache.check()
        if self.index is not None:
            self.index.check()

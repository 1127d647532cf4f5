"""Several requests in one cache, decoded as one batch: each has a slot, a mask of valid lengths keeps them apart.

Every decision is one small method, so that a lesson can override exactly one and see what depends on it.
Shapes: B rows of a batch, Q new tokens, K columns read, H heads, Hkv key/value heads, D head_dim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import torch
from torch import Tensor

from sharedstate.kvcache.checks import check_prompts, check_tokens, pattern_of
from sharedstate.kvcache.decode import cached_step
from sharedstate.kvcache.ownership import OwnerTags
from sharedstate.kvcache.prefixes import Kept, Prefixes
from sharedstate.kvcache.slots import Mark, SlotCache, StaleMark
from sharedstate.model import GPT
from sharedstate.model.positions import Rope


@dataclass(frozen=True)
class Rows:
    """One pass through the model: who stands in the batch. tokens is [B, Q].

    stored[b] is how many of row b's Q columns go into its slot: all, padding at the left included, or the first
    few when the padding is at the right.
    """

    requests: tuple[str, ...]
    slots: tuple[int, ...]
    tokens: Tensor
    stored: tuple[int, ...]


@dataclass(frozen=True)
class EngineMark:
    """The engine and its cache at one moment."""

    cache: Mark
    slots: Mapping[str, int]
    padded: Mapping[int, int]


class SlotEngine:
    """Requests by name, each in a slot of its own; `cache` is the SlotCache they share."""

    def __init__(
        self,
        model: GPT,
        num_slots: int = 4,
        capacity: int = 64,
        tags: OwnerTags | None = None,
        *,
        cache: type[SlotCache] = SlotCache,
        reuse: bool = False,
        pad_token: int = 0,
        differentiable: bool = False,
    ) -> None:
        """Make an engine with an empty cache of the class `cache`.

        reuse: a prompt whose prefix_key was seen before is not computed again. differentiable: keep gradients.
        The model's own mask is honoured (a sliding window, say). Raises ValueError for one under which a cached key
        goes stale, because an older token looks at a newer one.
        """
        if type(pad_token) is not int or not 0 <= pad_token < model.config.vocab_size:
            raise ValueError(f"pad_token is a token, 0 to {model.config.vocab_size - 1}, not {pad_token!r}.")
        self.model, self.pad_token, self.differentiable = model, pad_token, differentiable
        self.cache = cache.for_model(model, num_slots, capacity, tags)
        self.slots: dict[str, int] = {}
        self.padded: dict[int, int] = {}
        self.prefixes = Prefixes() if reuse else None
        self.pattern = pattern_of(model, capacity)

    # --- requests come, go on, and end

    @property
    def running(self) -> tuple[str, ...]:
        """The requests in the engine, in the order of their arrival."""
        return tuple(self.slots)

    def add(self, request: str, prompt: Sequence[int]) -> Tensor:
        """Prefill one request alone, in its own slot. Return the logits after its last token, [vocab].

        Raises ValueError for a bad request, CacheFull for one too many or too long; nothing changes then.
        """
        check_prompts(self, {request: prompt})
        mark = self.mark()
        try:
            self.slots[request] = slot = self.cache.allocate(request)
            new = self.take_prefix(slot, prompt)
            rows = Rows((request,), (slot,), self._tensor([new]), (len(new),))
            logits = self.last_row(rows, self.forward(rows))[0]
            self.keep_prefix(slot, prompt)
            return logits
        except BaseException:
            self.undo(mark)
            raise

    def add_batch(self, prompts: Mapping[str, Sequence[int]], side: str = "left") -> dict[str, Tensor]:
        """Prefill several requests as one batch, padded at the "left" or "right" to the longest.

        Padding at the left stays in the slot, hidden by the mask; padding at the right is not stored.
        Raises as `add` does.
        """
        if side not in ("left", "right"):
            raise ValueError(f'side is {side!r}, it must be "left" or "right".')
        check_prompts(self, prompts)
        width = max(map(len, prompts.values()))
        mark = self.mark()
        try:
            self.slots.update({request: self.cache.allocate(request) for request in prompts})
            rows = self._padded(prompts, width, side)
            return self._by_request(rows)
        except BaseException:
            self.undo(mark)
            raise

    def step(self, tokens: Mapping[str, int]) -> dict[str, Tensor]:
        """Append one token to each request named, all in one batch; return the logits after it, {id: [vocab]}.

        Raises ValueError for an unknown request or token, CacheFull when one does not fit; nothing changes then.
        """
        check_tokens(self, tokens)
        requests = tuple(tokens)
        slots = tuple(self.slot_of(request) for request in requests)
        rows = Rows(requests, slots, self._tensor([[token] for token in tokens.values()]), (1,) * len(requests))
        mark = self.mark()
        try:
            return self._by_request(rows)
        except BaseException:
            self.undo(mark)
            raise

    def finish(self, request: str) -> None:
        """End a request: its slot is free again. Raises ValueError for a request that is not running.

        When it breaks off, nothing has changed; only if the slot's data is gone already, the request has ended.
        """
        slot, mark = self.slot_of(request), self.mark()
        try:
            self.cache.release(slot)
            del self.slots[request]
            self.padded.pop(slot, None)
            self.on_release(slot)
        except BaseException:
            with suppress(StaleMark):
                self.undo(mark)
            if self.cache.owner(slot) is None:
                self.slots.pop(request, None)
                self.padded.pop(slot, None)
            raise

    def abort(self, request: str) -> None:
        """End a request before its time. Raises ValueError for a request that is not running."""
        self.finish(request)

    # --- decisions, one a method

    def slot_of(self, request: str) -> int:
        """Return the slot of a running request. Raises ValueError for any other."""
        if request not in self.slots:
            raise ValueError(f"No request {request!r} is running. Running: {', '.join(self.slots) or 'none'}.")
        return self.slots[request]

    def valid_length(self, slot: int, layer: int) -> int:
        """Return how many columns of the slot count in this layer, just after a write."""
        return self.cache.length(slot, layer)

    def hidden(self, slot: int) -> int:
        """Return how many columns at the left of the slot nobody may look at: its padding."""
        return self.padded.get(slot, 0)

    def shift(self, slot: int) -> int:
        """Return how many columns at the left do not count as positions: the padding again."""
        return self.padded.get(slot, 0)

    def positions(self, rows: Rows) -> Tensor:
        """Return the position of each new token, [B, Q]: its column, without the padding before it."""
        start = [self.cache.length(slot) - self.shift(slot) for slot in rows.slots]
        return (self._tensor(start)[:, None] + self._count(rows.tokens.shape[1])).clamp(min=0)  # [B, Q]

    def mask(self, rows: Rows, layer: int) -> Tensor:
        """Return who looks at which column, [B, 1, Q, K]: the past of its own slot, no padding, nothing stale."""
        valid = self._tensor([self.valid_length(slot, layer) for slot in rows.slots])[:, None, None]  # [B, 1, 1]
        hidden = self._tensor([self.hidden(slot) for slot in rows.slots])[:, None, None]  # [B, 1, 1]
        column = self._count(self.reach(rows, layer))  # [K]
        query = valid - self._tensor(rows.stored)[:, None, None] + self._count(rows.tokens.shape[1])[:, None]
        seen = (column <= query) & (column < valid) & (column >= hidden)  # [B, Q, K]
        if self.pattern is not None:  # the model's own mask, counted without the padding
            own, last = column - hidden, len(self.pattern) - 1
            seen &= self.pattern[(query - hidden).clamp(0, last), own.clamp(0, last)]  # [B, Q, K]
        padding = ~seen.any(-1, keepdim=True) & (column == query)  # a padding query looks at itself: no NaN
        return (seen | padding)[:, None]  # [B, 1, Q, K]

    def reach(self, rows: Rows, layer: int) -> int:
        """Return how many columns are read: as many as the longest row needs."""
        return max(self.valid_length(slot, layer) for slot in rows.slots)

    def write(self, layer: int, rows: Rows, k: Tensor, v: Tensor) -> None:
        """Append the new keys and values [B, Hkv, Q, D] of each row to its slot."""
        for b, slot in enumerate(rows.slots):
            stored = rows.stored[b]
            self.cache.append(slot, layer, k[b, :, :stored], v[b, :, :stored], rows.requests[b])

    def read(self, layer: int, rows: Rows) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the rows, [B, Hkv, K, D] each; the mask says what of it is valid.

        With tags every row's right to what its mask opens is checked here, at the moment of the read.
        """
        self._check_rights(layer, rows)
        return self.cache.fetch(layer, rows.slots, self.reach(rows, layer))

    def exchange(self, layer: int, rows: Rows, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Write what is new, then read everything."""
        self.write(layer, rows, k, v)
        return self.read(layer, rows)

    def last_row(self, rows: Rows, logits: Tensor) -> Tensor:
        """Return the logits after each row's last real token, [B, vocab], out of [B, Q, vocab]."""
        return logits[self._count(len(rows.stored)), self._tensor(rows.stored) - 1]  # [B, vocab]

    def on_release(self, slot: int) -> None:
        """Do something with a slot that has just become free. Nothing is needed: lengths keep requests apart."""

    def prefix_key(self, request: str, prompt: Sequence[int]) -> object:
        """Return what a request's prompt is found again by (with reuse): its exact tokens.

        The request is there for a key that needs more than tokens: the adapter, the image, the salt it came with.
        """
        return tuple(prompt)

    def undo(self, mark: EngineMark) -> None:
        """Go back to where the failed operation began."""
        self.cache.rollback(mark.cache)
        self.slots, self.padded = dict(mark.slots), dict(mark.padded)

    # --- the pass through the model

    def embed(self, rows: Rows) -> tuple[Tensor, Rope | None]:
        """Return the first layer's input [B, Q, d_model] and the rotary tables, if there are any."""
        return self.model.embed(rows.tokens, self.positions(rows))

    def forward(self, rows: Rows) -> Tensor:
        """Return logits [B, Q, vocab], with the rows' keys and values written on the way."""
        if self.cache.tags is not None:
            self.cache.tags.next_step()
        with torch.set_grad_enabled(self.differentiable):
            return cached_step(
                self.model, self.embed(rows), lambda layer, k, v: self.exchange(layer, rows, k, v),
                lambda layer: self.mask(rows, layer),
            )  # fmt: skip

    def mark(self) -> EngineMark:
        """Return where `undo` goes back to."""
        return EngineMark(self.cache.snapshot(), dict(self.slots), dict(self.padded))

    def take_prefix(self, slot: int, prompt: Sequence[int]) -> Sequence[int]:
        """Copy a kept prefix into the slot, if there is one; return the tokens still to be computed, one at least."""
        request = self.cache.owner(slot)
        if self.prefixes is None or request is None:
            return prompt
        kept = self.prefixes.find(self.prefix_key(request, prompt))
        return prompt if kept is None else prompt[kept.put(self.cache, slot) :]

    def keep_prefix(self, slot: int, prompt: Sequence[int]) -> None:
        """Keep a copy of the prompt's keys and values, all but the last token's (with reuse)."""
        request = self.cache.owner(slot)
        if self.prefixes is not None and request is not None:
            self.prefixes.keep(self.prefix_key(request, prompt), Kept.of(self.cache, slot, len(prompt) - 1))

    def _check_rights(self, layer: int, rows: Rows) -> None:
        """With tags: may each request read the columns that its mask opens?"""
        if self.cache.tags is None:
            return
        opened = self.mask(rows, layer).any(dim=2)[:, 0]  # [B, K]
        for b, request in enumerate(rows.requests):
            columns = opened[b].nonzero()[:, 0].tolist()
            self.cache.check_read(rows.slots[b], layer, columns, request)

    def _padded(self, prompts: Mapping[str, Sequence[int]], width: int, side: str) -> Rows:
        """Return the batch of padded prompts, and note the padding that will lie in the slots."""
        slots = tuple(self.slots[request] for request in prompts)
        gaps = [width - len(prompt) for prompt in prompts.values()]
        pads = [[self.pad_token] * gap for gap in gaps]
        both = zip(pads, prompts.values(), strict=True)
        if side == "right":
            lines = [[*prompt, *pad] for pad, prompt in both]
            return Rows(tuple(prompts), slots, self._tensor(lines), tuple(width - gap for gap in gaps))
        self.padded.update({slot: gap for slot, gap in zip(slots, gaps, strict=True) if gap})
        lines = [[*pad, *prompt] for pad, prompt in both]
        return Rows(tuple(prompts), slots, self._tensor(lines), (width,) * len(slots))

    def _by_request(self, rows: Rows) -> dict[str, Tensor]:
        return dict(zip(rows.requests, self.last_row(rows, self.forward(rows)), strict=True))

    def _tensor(self, numbers: Sequence) -> Tensor:
        return torch.tensor(numbers, device=self.cache.keys.device)

    def _count(self, stop: int) -> Tensor:
        return torch.arange(stop, device=self.cache.keys.device)

"""One pass through the model for the tokens of many requests at once, packed end to end in one matrix.

Shapes: T tokens of all requests, H query heads in Hkv groups of G, D head_dim; b, c and K as in store.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import pad, rms_norm, scaled_dot_product_attention, silu

from sharedstate.serving.requests import Live
from sharedstate.serving.store import Group, PagedStore, Span
from sharedstate.serving.weights import Weights

ROWS = 4  # matrix products give a row the same bits from this many rows on; see rules.py


class Runner:
    """Weights and a store. With `padded` the rows of every product are filled up to a multiple of ROWS."""

    def __init__(self, weights: Weights, store: PagedStore, padded: bool = False) -> None:
        """Only put together what is there."""
        self.weights, self.store, self.padded = weights, store, padded
        shape = weights.config
        self.queries = shape.num_heads // shape.num_kv_heads
        self.columns = torch.arange(store.tables.shape[1] * store.block_size, device=weights.embedding.device)

    @torch.inference_mode()
    def forward(self, spans: Sequence[Span]) -> tuple[Tensor, list[Live]]:
        """Compute these tokens and keep their keys and values.

        Return the logits after the last token of every request that has no further one, [n, vocab], and those requests.
        """
        store, w = self.store, self.weights
        groups = [store.group(part) for part in store.grouped(spans)]
        packed = [span for group in groups for span in group.spans]
        tokens, positions, rows, last, ready = self._pack(packed)
        masks = [self.mask(group) for group in groups]
        places = store.places(rows, positions)
        x = self.embed(tokens, positions)
        turn = None if w.cos is None or w.sin is None else (w.cos[positions], w.sin[positions])  # [T, 1, D] each
        for layer, part in enumerate(w.layers):
            q, kv = self.project(x, part.qkv, turn)
            store.write(layer, places, kv, groups)
            heads = self.attend_all(layer, q, groups, masks)  # [T, H D]
            x = torch.addmm(x, heads, part.out)
            gate, up = self.linear(self.norm(x), part.gate_up).chunk(2, -1)  # [T, hidden] each
            x = torch.addmm(x, silu(gate) * up, part.down)
        return self.linear(self.norm(x[last]), w.head)[: len(ready)], ready

    def _pack(self, spans: Sequence[Span]) -> tuple[Tensor, Tensor, Tensor, Tensor, list[Live]]:
        """Return tokens, positions and rows of the tables, [T] each, where the last tokens are, and whose."""
        tokens: list[int] = []
        positions: list[int] = []
        rows: list[int | None] = []
        last: list[int] = []
        ready: list[Live] = []
        for live, start, count in spans:
            tokens += live.tokens[start : start + count]
            positions += range(start, start + count)
            rows += [live.row] * count
            if start + count == len(live.tokens):
                last.append(len(tokens) - 1)
                ready.append(live)
        if self.padded:
            more = -len(tokens) % ROWS  # written to the null block, read by nobody
            tokens, positions, rows = tokens + [0] * more, positions + [0] * more, rows + [len(self.store.rows)] * more
            last += [0] * (-len(last) % ROWS)
        device = self.weights.embedding.device
        numbers = torch.tensor([tokens, positions, rows], device=device)  # [3, T]
        return numbers[0], numbers[1], numbers[2], torch.tensor(last, dtype=torch.long, device=device), ready

    # --- the parts, one a method

    def embed(self, tokens: Tensor, positions: Tensor) -> Tensor:
        """Return the first layer's input [T, d], with learned positions where the model has them."""
        x = self.weights.embedding[tokens]  # [T, d]
        return x if self.weights.learned is None else x + self.weights.learned[positions]

    def linear(self, x: Tensor, weight: Tensor) -> Tensor:
        """Return x [T, inputs] times weight [inputs, outputs]."""
        return x @ weight

    def norm(self, x: Tensor) -> Tensor:
        """Return x [T, d], each row with root mean square 1; the norm's weight stands in the next product's."""
        return rms_norm(x, x.shape[-1:], None, self.weights.config.norm_eps)

    def project(self, x: Tensor, qkv: Tensor, turn: tuple[Tensor, Tensor] | None) -> tuple[Tensor, Tensor]:
        """Return queries [T, H, D], and keys and values [T, 2, Hkv, D], turned by their positions."""
        shape = self.weights.config
        both = self.linear(self.norm(x), qkv).view(len(x), -1, shape.head_dim)  # [T, H + 2 Hkv, D]
        if turn is not None:
            turned = both[:, : shape.num_heads + shape.num_kv_heads]
            swapped = turned.roll(shape.head_dim // 2, -1)
            torch.addcmul(turned * turn[0], swapped, turn[1], out=turned)
        return both[:, : shape.num_heads], both[:, shape.num_heads :].unflatten(1, (2, -1))

    def mask(self, group: Group) -> Tensor:
        """Return what is added to the scores, [b, 1, c G, K] or [b, 1, 1, K]: 0 for its past, else -inf."""
        device, kind = self.columns.device, self.weights.embedding.dtype
        start = torch.tensor([span.start for span in group.spans], device=device)[:, None]  # [b, 1]
        newest = start + self.columns[: group.spans[0].new]  # [b, c]
        if newest.shape[1] > 1:
            newest = newest.repeat_interleave(self.queries, 1)  # [b, c G]
            newest = pad(newest, (0, -newest.shape[1] % ROWS))
        seen = self.columns[: group.width] <= newest[:, None, :, None]  # [b, 1, c G, K]
        return torch.zeros(seen.shape, dtype=kind, device=device).masked_fill_(~seen, -torch.inf)

    def attend_all(self, layer: int, q: Tensor, groups: Sequence[Group], masks: Sequence[Tensor]) -> Tensor:
        """Return the heads of all tokens, [T, H D], group after group."""
        heads = q.new_zeros(len(q), q.shape[1] * q.shape[2])  # rows that only fill up stay 0
        done = 0
        for group, mask in zip(groups, masks, strict=True):
            stop = done + len(group.spans) * group.spans[0].new
            k, v = self.store.fetch(layer, group)
            heads[done:stop] = self.attend(q[done:stop], k, v, mask)
            done = stop
        return heads

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        """Return [b c, H D] for q [b c, H, D], k and v [b, Hkv, K, D]; the query heads of a group stand in line."""
        b, num_kv_heads, _, size = k.shape
        q = q.view(b, -1, num_kv_heads, self.queries, size).transpose(1, 2).flatten(2, 3)  # [b, Hkv, c G, D]
        count = q.shape[2]
        q = pad(q, (0, 0, 0, -count % ROWS))
        heads = scaled_dot_product_attention(q, k, v, attn_mask=mask)[:, :, :count]  # [b, Hkv, c G, D]
        return heads.unflatten(2, (-1, self.queries)).transpose(1, 2).reshape(-1, num_kv_heads * self.queries * size)

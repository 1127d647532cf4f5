"""The serving engine as the oracles want it: requests by name, forced tokens, and logits for each of them.

`verdict` plays a script on an engine with SlotEngine's methods. Here those methods drive a whole serving engine, with
the runner, the store and the scheduler that are handed over: a bug in any of them is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from sharedstate.kvcache.engine import Rows
from sharedstate.model import GPT
from sharedstate.model.positions import Rope
from sharedstate.serving.engine import Engine, Limits
from sharedstate.serving.requests import Live, Request
from sharedstate.serving.runner import Runner
from sharedstate.serving.store import Group, PagedStore, Span


class _Held(Engine):
    """Chooses no token: the logits are kept, and whoever has them waits until it is told how to go on."""

    def choose(self, logits: Tensor, rows: list[Live]) -> list:
        """Return the logits in the tokens' place, so that an engine that mixes up tokens mixes up these."""
        return list(logits)

    def _commit(self, spans: list[Span], tokens: Mapping[int, Any]) -> None:
        self.seen = {live.request.id: tokens[id(live)] for live, _, _ in spans if id(live) in tokens}
        super()._commit(spans, {})


class _Followed(Runner):
    """A pass that keeps gradients. What `probe` returns for a request's tokens is added to their embeddings."""

    probe: Callable[[Rows], tuple[Tensor, Rope | None]]
    forward = Runner.forward.__wrapped__  # type: ignore[attr-defined]  # without inference mode

    def _pack(self, spans: Sequence[Span]) -> tuple:
        self.packed = list(spans)
        return super()._pack(spans)

    def embed(self, tokens: Tensor, positions: Tensor) -> Tensor:
        """Return the embeddings [T, d], with the probe's part."""
        lines = tokens.split([span.new for span in self.packed] + [len(tokens) - sum(s.new for s in self.packed)])
        both = zip(self.packed, lines[:-1], strict=True)
        rows = [Rows((span.live.request.id,), (0,), line[None], (span.new,)) for span, line in both]
        more = torch.cat([self.probe(row)[0][0] for row in rows])  # [tokens, d]
        return super().embed(tokens, positions) + pad(more, (0, 0, 0, len(tokens) - len(more)))

    def project(self, x: Tensor, qkv: Tensor, turn: tuple[Tensor, Tensor] | None) -> tuple[Tensor, Tensor]:
        """Return what Runner's does, without writing over anything."""
        shape = self.weights.config
        both = self.linear(self.norm(x), qkv).view(len(x), -1, shape.head_dim)  # [T, H + 2 Hkv, D]
        qk, v = both.split([shape.num_heads + shape.num_kv_heads, shape.num_kv_heads], 1)
        if turn is not None:
            qk = qk * turn[0] + qk.roll(shape.head_dim // 2, -1) * turn[1]
        q, k = qk.split([shape.num_heads, shape.num_kv_heads], 1)
        return q, torch.stack([k, v], 1)


class _FollowedStore(PagedStore):
    """A pool whose reads are copies of their own."""

    def fetch(self, layer: int, group: Group) -> tuple[Tensor, Tensor]:
        """Return the keys and values of a group, [b, Hkv, K, D] each."""
        lines = self.data[layer].view(-1, self.block_size * self.shape.head_dim)  # [2 N Hkv, S D]
        k, v = lines.index_select(0, group.index).view(
            2, len(group.spans), self.shape.num_kv_heads, group.width, self.shape.head_dim)  # fmt: skip
        return k, v


class Judged:
    """A serving engine with the methods of SlotEngine that `alone`, `neighbour` and `jacobian` use."""

    def __init__(self, engine: Engine, model: GPT) -> None:
        """Take an engine that was made by `judged`."""
        self.engine, self.model = engine, model
        if isinstance(engine.runner, _Followed):
            engine.runner.probe = lambda rows: self.embed(rows)  # whatever `embed` is by then

    def embed(self, rows: Rows) -> tuple[Tensor, Rope | None]:
        """Return what is added to the embeddings of these tokens, [1, Q, d]: nothing, unless a probe is set here."""
        return torch.zeros(*rows.tokens.shape, self.model.config.d_model, dtype=self.model.lm_head.weight.dtype), None

    def add(self, request: str, prompt: Sequence[int]) -> Tensor:
        """Prefill a request; return the logits after its last token, [vocab]."""
        return self.add_batch({request: prompt})[request]

    def add_batch(self, prompts: Mapping[str, Sequence[int]], side: str = "") -> dict[str, Tensor]:
        """Prefill several requests at once, {id: logits}; nothing is padded here, so `side` means nothing."""
        for name, prompt in prompts.items():
            self.engine.add(Request(name, list(prompt), self.engine.longest - len(prompt) + 1))
        return self._until(prompts)

    def step(self, tokens: Mapping[str, int]) -> dict[str, Tensor]:
        """Append one token to each request named; return the logits after it, {id: [vocab]}."""
        for name, token in tokens.items():
            self.engine._lives[name].tokens.append(token)
        return self._until(tokens)

    def finish(self, request: str) -> None:
        """End a request."""
        self.engine.cancel(request)
        self.engine.results()

    abort = finish

    def _until(self, names: Mapping[str, object]) -> dict[str, Tensor]:
        """Step until all of these have logits."""
        found: dict[str, Tensor] = {}
        while not set(names) <= set(found):
            self.engine.step()
            found |= self.engine.seen  # type: ignore[attr-defined]
        return found


def judged(engine: type[Engine] = Engine, *, runner: type[Runner] = Runner, store: type[PagedStore] = PagedStore,
           block_size: int = 4, **options: Any) -> Callable[..., Any]:  # fmt: skip
    """Return what `verdict` takes for a serving engine made of these classes; options are Engine's.

    The blocks are small, so that short prompts fill several.
    """
    def make(model: GPT, num_slots: int, capacity: int, differentiable: bool = False, **slots: Any) -> Judged:
        limits = Limits(num_slots, num_slots * -(-capacity // block_size) + 1, block_size)
        parts: dict[str, Any] = {"runner": runner, "store": store}
        if differentiable:
            parts = {"runner": _under(runner, _Followed), "store": _under(store, _FollowedStore)}
        return Judged(_under(engine, _Held)(model, limits, **parts, **options), model)

    return make


def _under(kind: type, inner: type) -> type:
    """Return `kind` with `inner` between it and the class that both are made from."""
    return inner if issubclass(inner, kind) else type(kind.__name__, (kind, inner), {})

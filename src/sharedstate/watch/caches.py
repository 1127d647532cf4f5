"""An engine whose cache says, of every key and value that is read, whose words it was computed from.

A tag of a cached token names its writer and its origin: the request's words up to that token, what else they depend on
(adapter, images, …) and the shift of its position. A read is what the mask opens, or a number that is not finite, since
0 times that is not 0. It is right when the origin is the reader's own words, whoever wrote it: a shared prefix, say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor

from sharedstate.kvcache.engine import Rows, SlotEngine
from sharedstate.kvcache.prefix import Factors
from sharedstate.model import GPT, GPTConfig
from sharedstate.watch.findings import FOREIGN, NOBODY, Access
from sharedstate.watch.log import Watch
from sharedstate.watch.price import Price, ratio
from sharedstate.watch.tags import Tags
from sharedstate.watch.tensors import WatchedTensor, plain, tagged

NEVER = Access(0, NOBODY, 0, "write", "cache", "", 0)


class Origin(NamedTuple):
    """What a cached token was computed from: the words up to it, other factors, and by how much its position is off."""

    words: tuple[int, ...]
    factors: tuple[object, ...]
    shift: int


class Watching(SlotEngine):
    """What `watch_engine` puts before an engine's class: the engine's own methods, between notes."""

    log: Watch
    book: Tags
    origins: dict[int, Origin]
    words: dict[str, list[int]]
    numbers: Tensor

    # --- whose words they are

    @contextmanager
    def _told(self, words: Mapping[str, Sequence[int]]) -> Iterator[None]:
        """These are the requests' words now; if it breaks off they are not."""
        before = dict(self.words)
        self.words |= {name: list(line) for name, line in words.items()}
        try:
            yield
        except BaseException:
            self.words = before
            raise

    def add(self, request: str, prompt: Sequence[int], *more: Any) -> Tensor:
        """See the engine's own."""
        with self._told({request: prompt}):
            return super().add(request, prompt, *more)

    def add_batch(self, prompts: Mapping[str, Sequence[int]], side: str = "left") -> dict[str, Tensor]:
        """See the engine's own."""
        with self._told(prompts):
            return super().add_batch(prompts, side)

    def step(self, tokens: Mapping[str, int]) -> dict[str, Tensor]:
        """See the engine's own."""
        with self._told({name: [*self.words.get(name, ()), token] for name, token in tokens.items()}):
            return super().step(tokens)

    def fork(self, request: str, child: str) -> None:
        """See the engine's own."""
        with self._told({child: self.words.get(request, ())}):
            super().fork(request, child)  # type: ignore[misc]

    def finish(self, request: str) -> None:
        """See the engine's own; what it does to the cache is done at the end of this request."""
        with self.log.work(f"{request}'s end"):
            super().finish(request)

    # --- what is written

    def forward(self, rows: Rows) -> Tensor:
        """Number the new tokens, then go on as the engine does."""
        with self.log.work(f"the batch of {', '.join(rows.requests)}"):
            positions = self.positions(rows).tolist()
            lines = [self._line(rows, b, positions[b]) for b in range(len(rows.requests))]
            self.numbers = torch.tensor(lines, dtype=torch.int32)  # [B, Q]
            return super().forward(rows)

    def _line(self, rows: Rows, b: int, positions: Sequence[int]) -> list[int]:
        """Return a number for each column of row b; padding has one without an origin."""
        request, width = rows.requests[b], rows.tokens.shape[1]
        words = self.words.get(request, ())
        new = min(len(words), width)
        first = 0 if rows.stored[b] < width else width - new
        found = []
        for column in range(width):
            real = first <= column < first + new
            with self.log.work(request if real else f"{request}'s padding"):
                found.append(self.book.write(self.log.job()))
            if real:
                index = len(words) - new + column - first
                self.origins[found[-1]] = self._own(request, index, positions[column])
        return found

    def _own(self, request: str, index: int, position: int | None = None) -> Origin:
        """Return what a request's token number `index` must be computed from, at this position or at its own."""
        factors: Factors = getattr(self, "factors", {}).get(request) or Factors()
        images = tuple(image for image in factors.images if image.start <= index)
        shift = 0 if position is None else position - index - factors.first_position
        known = (factors.adapter, factors.state, factors.first_position, images)
        return Origin(tuple(self.words.get(request, ())[: index + 1]), known, shift)

    def exchange(self, layer: int, rows: Rows, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Tag what is new, go on as the engine does, and look at what is read."""
        tags = self.numbers[:, None, :, None].expand(k.shape)  # [B, Hkv, Q, D]
        keys, values = super().exchange(layer, rows, tagged(k, tags, self.book), tagged(v, tags, self.book))
        assert isinstance(keys, WatchedTensor) and isinstance(values, WatchedTensor)  # the pools are
        self._look(layer, rows, keys, values)
        return plain(keys), plain(values)

    def last_row(self, rows: Rows, logits: Tensor) -> Tensor:
        """See the engine's own; the logits must be those after the request's last word."""
        tags = self.numbers[:, :, None].expand(logits.shape)  # [B, Q, vocab]
        found = super().last_row(rows, tagged(logits, tags, self.book))
        assert isinstance(found, WatchedTensor)  # whatever row was taken
        for request, number in zip(rows.requests, found.tags[:, 0].tolist(), strict=True):
            if self.origins.get(number) != self._own(request, len(self.words[request]) - 1):
                self._alarm(request, "logits", number)
        return plain(found)

    # --- what is read

    def _look(self, layer: int, rows: Rows, keys: WatchedTensor, values: WatchedTensor) -> None:
        """Compare what each row reads, [B, Hkv, K, D], with its own words."""
        opened = self.mask(rows, layer)[:, 0]  # [B, Q, K]
        for b, request in enumerate(rows.requests):
            real = torch.tensor([number in self.origins for number in self.numbers[b].tolist()])
            for name, pool in (("keys", keys), ("values", values)):
                wild = ~plain(pool)[b].isfinite().all(-1).all(0)  # [K]
                columns = (opened[b, real].any(0) | wild).nonzero()[:, 0].tolist()
                self._compare(request, f"{name} of layer {layer}", pool.tags[b, 0, :, 0].tolist(), columns)

    def _compare(self, request: str, what: str, numbers: list[int], columns: list[int]) -> None:
        seen: set[int] = set()
        for column in columns:
            number = numbers[column]
            origin = self.origins.get(number)
            index = -1 if origin is None else len(origin.words) - 1
            if origin is None or index in seen or origin != self._own(request, index):
                self._alarm(request, f"{what}, column {column}", number)
            else:
                seen.add(index)

    def _alarm(self, request: str, what: str, number: int) -> None:
        with self.log.work(request), self.log.lock:
            access = self.log.note(self.log.job(), "read", what)
            self.log.alarm(FOREIGN, access, self.log.writes[number] or NEVER)


def watch_engine(log: Watch, engine: SlotEngine) -> SlotEngine:
    """Watch an engine that is still empty, and return it. It gives the same numbers as before."""
    engine.__class__ = type(type(engine).__name__, (Watching, type(engine)), {})
    assert isinstance(engine, Watching)
    engine.log, engine.book, engine.origins, engine.words = log, Tags(log, "cache", quiet=True), {}, {}
    cache = engine.cache
    for name in ("keys", "values"):
        pool = getattr(cache, name)
        setattr(cache, name, tagged(pool, torch.zeros(pool.shape, dtype=torch.int32), engine.book))
    return engine


def engine_price(tokens: int = 32) -> Price:
    """Return the price of a watched engine: a prompt of 8 tokens and `tokens` steps, on a small model."""
    model = GPT(GPTConfig(16, num_kv_heads=2), seed=0)

    def decode(watched: bool) -> None:
        engine = SlotEngine(model, 1, 8 + tokens)
        if watched:
            watch_engine(Watch(), engine)
        engine.add("alice", [3, 1, 4, 1, 5, 9, 2, 6])
        for token in range(tokens):
            engine.step({"alice": token % 16})

    return ratio("a decode step of a small model", lambda: decode(False), lambda: decode(True), 1)

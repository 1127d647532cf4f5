"""The serving engine: requests in, tokens out, every request ended exactly once.

`step` is the whole of it: schedule, compute, choose, commit. Nothing is committed before it is computed, so a step
that breaks off anywhere is simply done again by the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from sharedstate.kvcache import OwnerTags, PrefixKeys
from sharedstate.model import GPT
from sharedstate.serving.metrics import Metrics
from sharedstate.serving.requests import CANCELLED, DONE, FAILED, REFUSED, Live, Request, Result
from sharedstate.serving.rules import require
from sharedstate.serving.runner import Runner
from sharedstate.serving.sampler import choose
from sharedstate.serving.scheduler import Scheduler
from sharedstate.serving.store import CHUNK, PagedStore, Span
from sharedstate.serving.weights import Weights


@dataclass(frozen=True)
class Limits:
    """The sizes of an engine: requests in a step, blocks, places of a block, tokens in a step, requests that wait."""

    max_batch: int = 16
    num_blocks: int = 513
    block_size: int = 16
    max_tokens: int = 512
    max_waiting: int = 100_000

    def __post_init__(self) -> None:
        """Refuse what nothing can run in."""
        if min(self.max_batch, self.num_blocks - 1, self.block_size, self.max_waiting) < 1:
            raise ValueError(f"An engine has at least one row, two blocks of one place, one place to wait: {self}.")


class Engine:
    """Continuous batching over paged blocks. Not for two threads at once: one owner calls it.

    `step` until nothing is left (or `run`), then `results`. Two engines share nothing.
    """

    def __init__(
        self,
        model: GPT,
        limits: Limits | None = None,
        *,
        prefix: PrefixKeys | bool = True,
        deterministic: bool = False,
        order: str = "fifo",
        static: bool = False,
        tags: OwnerTags | None = None,
        store: type[PagedStore] = PagedStore,
        runner: type[Runner] = Runner,
        scheduler: type[Scheduler] = Scheduler,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Copy the model's weights and reserve the pool.

        prefix: share equal beginnings of prompts (True: with keys of its own). deterministic: a request's bits do not
        depend on its neighbours; raises NotInvariant, with the rule that does not hold, where that cannot be had.
        order and static: see Scheduler. tags: check the owner of everything that is read. store, runner, scheduler:
        other classes in their place. Raises ValueError for a model that is not causal.
        """
        self.limits = limits = limits or Limits()
        self.deterministic, self.clock = deterministic, clock
        weight = model.lm_head.weight
        keys = PrefixKeys() if prefix is True else prefix or None
        sizes = (limits.num_blocks, limits.block_size, limits.max_batch)
        self.store = store(model.config, *sizes, weight.dtype, weight.device, keys, tags, deterministic)
        shape = model.config
        self.longest = min(self.store.capacity(), shape.max_len if shape.positions == "learned" else 1 << 60)
        self.runner = runner(Weights(model, self.store.capacity()), self.store, padded=deterministic)
        chunk = CHUNK if deterministic else limits.max_tokens
        self.scheduler = scheduler(self.store, order, limits.max_tokens, chunk, static)
        self.metrics = Metrics()
        self._lives: dict[str, Live] = {}
        self._inside = False
        self._threads = 0
        if deterministic:
            self._probe()

    # --- requests come, and are asked for

    def add(self, request: Request) -> str:
        """Take a request and return its id. One that cannot be served ends at once, refused, with the reason.

        Raises ValueError for an id that is in flight, or ended and not yet asked for with `results`.
        """
        if request.id in self._lives:
            raise ValueError(f"Request {request.id!r} is in the engine already: take another name.")
        live = Live(request, self.clock())
        reason = self.refusal(request)
        if reason:
            live.end(REFUSED, reason, live.arrived)
        else:
            self.scheduler.waiting.append(live)
        self._lives[request.id] = live
        return request.id

    def refusal(self, request: Request) -> str:
        """Return why a request cannot be served; empty when it can."""
        vocab, most = self.runner.weights.config.vocab_size, self.longest
        strange = next((token for token in request.prompt if not 0 <= token < vocab), None)
        if strange is not None:
            return f"token {strange} is not in the vocabulary, 0 to {vocab - 1}"
        if len(request.prompt) + request.max_new_tokens - 1 > most:
            return f"{len(request.prompt)} + {request.max_new_tokens} tokens do not fit: {most} are the most"
        if len(self.scheduler.waiting) >= self.limits.max_waiting:
            return f"the queue is full: {self.limits.max_waiting} requests are waiting"
        return ""

    def cancel(self, request: str) -> bool:
        """End a request before its time; False when it has ended already. Raises KeyError for an unknown id."""
        live = self._lives[request]
        if live.ending is not None:
            return False
        live.end(CANCELLED, "cancelled", self.clock())
        self._sweep()
        return True

    @property
    def busy(self) -> bool:
        """Say whether a request is waiting or running."""
        return any(live.ending is None for live in (*self.store.seated, *self.scheduler.waiting))

    def results(self) -> dict[str, Result]:
        """Hand over the results of all requests that have ended since the last call, {id: Result}."""
        self._sweep()
        ended = {name: live.result() for name, live in self._lives.items() if live.ending is not None}
        self._lives = {name: live for name, live in self._lives.items() if name not in ended}
        return ended

    def run(self) -> dict[str, Result]:
        """Step until every request has ended; return the results."""
        while self.step():
            pass
        return self.results()

    def stream(self, request: Request) -> Iterator[int]:
        """Add a request and yield its tokens as they come, serving everybody else on the way."""
        live = self._lives[self.add(request)]
        count = 0
        while count < live.num_answered or live.ending is None:
            while count == live.num_answered and live.ending is None:
                self.step()
            if count < live.num_answered:
                count += 1
                yield live.answer[count - 1]

    # --- one step

    def step(self) -> bool:
        """Compute one step for everybody who can be served; False when there is nothing left to do.

        Whatever it raises, no request is lost: the next step does again what this one did not finish.
        """
        if self._inside:
            raise RuntimeError("A step is under way: a callback cannot begin another one.")
        try:
            self._inside = True
            self._sweep()
            if self.deterministic and torch.get_num_threads() != self._threads:
                self._probe()
            spans = self.scheduler.schedule()
            if not spans:
                return self.busy
            self._started(spans)
            logits, ready = self.runner.forward(spans)
            self._commit(spans, dict(zip(map(id, ready), self.choose(logits, ready), strict=True)))
            return True
        finally:
            self._inside = False

    def choose(self, logits: Tensor, rows: list[Live]) -> list[int | Exception]:
        """Return the next token of each request, for logits [n, vocab]."""
        return choose(logits, rows)

    def _started(self, spans: list[Span]) -> None:
        now = self.clock()
        for span in spans:
            span.live.started = now if span.live.started is None else span.live.started
        self.metrics.note(spans, self.store)

    def _commit(self, spans: list[Span], tokens: dict[int, int | Exception]) -> None:
        """Count what was computed and append what was chosen. The token first: what is not counted is done again."""
        now = self.clock()
        for live, start, count in spans:
            token = tokens.get(id(live))
            if isinstance(token, Exception):
                live.end(FAILED, f"choose raised {type(token).__name__}: {token}", now)
            if live.ending is not None:
                continue
            if isinstance(token, int):
                live.tokens.append(token)
            live.num_computed = start + count
            self.store.publish(live)
            self._settle(live)
        self._release()

    def _settle(self, live: Live) -> None:
        """Deliver the tokens that were not delivered yet, and end the request if its answer is complete."""
        while live.ending is None and live.sent < live.num_answered:
            if len(live.token_times) <= live.sent:
                live.token_times.append(self.clock())
            live.sent += 1
            self._deliver(live, live.answer[live.sent - 1])
        if live.finished:
            live.end(DONE, "", self.clock())

    def _deliver(self, live: Live, token: int) -> None:
        """Call the request's callback; what it raises ends this request and no other."""
        if live.request.on_token is None:
            return
        try:
            live.request.on_token(live.request.id, token)
        except Exception as problem:
            live.end(FAILED, f"on_token raised {type(problem).__name__}: {problem}", self.clock())

    def _sweep(self) -> None:
        """Finish what an interrupted step has left, and take rows and blocks from those who have ended."""
        for live in self.store.seated:
            self._settle(live)
        self._release()

    def _release(self) -> None:
        for live in self.store.seated:
            if live.ending is not None:
                self.store.publish(live)
                self.store.leave(live)

    def _probe(self) -> None:
        require(self.runner, self.limits)
        self._threads = torch.get_num_threads()

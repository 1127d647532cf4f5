"""Who is served in the next step: admit, prefill in chunks, decode, preempt when blocks run out.

The oldest running request always gets its tokens, and whoever waits is overtaken a bounded number of times: so
every request ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sharedstate.kvcache import OutOfBlocks
from sharedstate.serving.requests import Live
from sharedstate.serving.store import PagedStore, Span

Order = Callable[[list[Live], list[Live]], Live]


def fifo(waiting: list[Live], running: list[Live]) -> Live:
    """Take whoever has waited longest."""
    return waiting[0]


def longest_first(waiting: list[Live], running: list[Live]) -> Live:
    """Take whoever will be busy longest: the long answers begin early, and the short ones fill what is left."""
    return max(waiting, key=lambda live: live.request.max_new_tokens - live.num_answered)


def fair_shares(waiting: list[Live], running: list[Live]) -> Live:
    """Take the first request of the tenant that has the fewest running, however many requests a tenant sends."""
    tenants = [live.request.factors.tenant for live in running]
    return min(waiting, key=lambda live: tenants.count(live.request.factors.tenant))


ORDERS: Mapping[str, Order] = MappingProxyType({"fifo": fifo, "longest": longest_first, "fair": fair_shares})


class Scheduler:
    """The queue, and the rules by which it moves. What runs is what has a row in the store."""

    def __init__(
        self,
        store: PagedStore,
        order: str = "fifo",
        max_tokens: int = 512,
        chunk: int = 512,
        static: bool = False,
        patience: int = 32,
    ) -> None:
        """Choose the order of admission: "fifo", "longest" or "fair"; nobody is overtaken more than `patience` times.

        max_tokens: how many tokens a step computes; chunk: how many of one prompt. static: a batch begins only when
        the one before has ended, as a foil. Raises ValueError for an unknown order or a size below 1.
        """
        if order not in ORDERS:
            raise ValueError(f"No order {order!r}. There are: {', '.join(ORDERS)}.")
        if min(max_tokens, chunk, patience) < 1:
            raise ValueError(f"max_tokens, chunk and patience are 1 or more, not {max_tokens}, {chunk}, {patience}.")
        self.store, self.order, self.static, self.patience = store, ORDERS[order], static, patience
        self.max_tokens, self.chunk = max_tokens, chunk
        self.waiting: list[Live] = []

    def schedule(self) -> list[Span]:
        """Return what to compute next: the running requests first, in the order of their admission, then new ones.

        A new request does not begin while a running one is short of blocks, nor in the same step as a preemption.
        """
        running = self.store.seated
        budget = self.max_tokens - len(running)
        spans: list[Span] = []
        for live in running:
            if live.row is None:  # preempted a moment ago
                continue
            span = self.span(live, budget + 1)
            if span is not None and self.room(live, span):
                spans.append(span)
                budget -= span.new - 1
        preempted = any(live.row is None for live in running)
        if preempted or (self.static and running):
            return spans
        while budget > 0 and (new := self.next()) is not None:
            self.admit(new)
            first = self.span(new, budget)
            assert first is not None
            self.store.extend(new, first.start + first.new)
            spans.append(first)
            budget -= first.new
        return spans

    def span(self, live: Live, budget: int) -> Span | None:
        """Return the next tokens of a request: what is not computed of its chunk; None without budget."""
        start = live.num_computed
        count = min(len(live.tokens) - start, self.chunk - start % self.chunk, budget)
        return Span(live, start, count) if count > 0 else None

    def room(self, live: Live, span: Span) -> bool:
        """Have blocks for a span, by preempting the newest requests if need be; False when its own turn has come."""
        while True:
            try:
                self.store.extend(live, span.start + span.new)
                return True
            except OutOfBlocks:
                newest = self.store.seated[-1]
                self.preempt(newest)
                if newest is live:
                    return False

    def next(self) -> Live | None:
        """Return who is admitted next, if anybody can be. Those who have begun go first, then the order decides."""
        self.waiting = [live for live in self.waiting if live.ending is None]
        able = [live for live in self.waiting if live.row is None]
        if not able:
            return None
        head = able[0]
        patient = head.preemptions == 0 and head.overtaken < self.patience
        live = self.order(able, self.store.seated) if patient else head
        if not self.store.fits(live):
            return None
        head.overtaken += live is not head
        return live

    def admit(self, live: Live) -> None:
        """Move a request from the queue to a row."""
        self.store.seat(live)
        self.waiting.remove(live)

    def preempt(self, live: Live) -> None:
        """Take a request's blocks away. It heads the queue, and is computed again when there is room."""
        live.preemptions += 1
        if live not in self.waiting:
            self.waiting.insert(0, live)
        self.store.leave(live)

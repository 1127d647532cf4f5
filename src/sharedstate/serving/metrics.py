"""What an engine did: how long requests waited, how fast tokens came, how full everything was."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sharedstate.kvcache.prefix import fragmentation
from sharedstate.serving.requests import DONE, Result
from sharedstate.serving.store import PagedStore, Span


@dataclass
class Metrics:
    """Sums over the steps of an engine; the properties are means. Times are in the results."""

    steps: int = 0
    tokens: int = 0
    rows: int = 0
    used: float = 0.0
    most_rows: int = 0
    histogram: dict[int, int] = field(default_factory=dict)

    def note(self, spans: Sequence[Span], store: PagedStore) -> None:
        """Count a step that is about to be computed."""
        self.steps += 1
        self.rows += len(spans)
        self.most_rows = max(self.most_rows, len(spans))
        self.tokens += sum(span.new for span in spans)
        self.used += store.pool.usage
        self.histogram[len(spans)] = self.histogram.get(len(spans), 0) + 1

    @property
    def occupancy(self) -> float:
        """Requests served in a step, in the mean."""
        return self.rows / self.steps if self.steps else 0.0

    @property
    def usage(self) -> float:
        """The share of the blocks in use, in the mean, 0 to 1."""
        return self.used / self.steps if self.steps else 0.0


def wasted(store: PagedStore) -> float:
    """Return the share of the places in blocks in use that hold no token now, 0 to 1."""
    return fragmentation(live.table for live in store.seated if live.table is not None)


def hit_rate(store: PagedStore) -> float:
    """Return the share of all prompt tokens that were found in the prefix cache, 0 to 1."""
    return store.index.monitor.hit_rate if store.index is not None else 0.0


@dataclass(frozen=True)
class Summary:
    """Of the requests that are done: seconds in the mean, tokens a second, and how many ended in which way."""

    ttft: float
    inter_token: float
    queued: float
    throughput: float
    endings: dict[str, int]

    def __str__(self) -> str:
        """One line."""
        ended = ", ".join(f"{count} {status}" for status, count in self.endings.items())
        return (f"first token after {self.ttft * 1e3:.1f} ms ({self.queued * 1e3:.1f} in the queue), then one every "
                f"{self.inter_token * 1e3:.2f} ms; {self.throughput:.0f} tokens/s; {ended}")  # fmt: skip


def ttft(result: Result) -> float:
    """Return a request's time to first token, in seconds. Raises ValueError for one without a token."""
    if not result.token_times:
        raise ValueError(f"Request {result.id!r} has no token: {result.status}.")
    return result.token_times[0] - result.arrived


def gaps(result: Result) -> list[float]:
    """Return the times between a request's tokens, in seconds."""
    times = result.token_times
    return [b - a for a, b in itertools.pairwise(times)]


def summary(results: Iterable[Result]) -> Summary:
    """Return what users saw. Means are 0 where there is nothing to take a mean of."""
    every = list(results)
    done = [result for result in every if result.status == DONE and result.token_times]
    between = [gap for result in done for gap in gaps(result)]
    tokens = sum(len(result.tokens) for result in every)
    span = max((r.ended for r in every), default=0.0) - min((r.arrived for r in every), default=0.0)
    endings: dict[str, int] = {}
    for result in every:
        endings[result.status] = endings.get(result.status, 0) + 1
    return Summary(
        statistics.fmean(map(ttft, done)) if done else 0.0,
        statistics.fmean(between) if between else 0.0,
        statistics.fmean(r.started - r.arrived for r in done if r.started is not None) if done else 0.0,
        tokens / span if span else 0.0,
        endings,
    )

"""How fine is fine enough? Which grain of state holds for whom, and what a grain too fine costs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from sharedstate.interleave import Scenario

GRAINS = ("process", "thread", "request", "shard")
COMPANY: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = MappingProxyType({
    "two threads": (("t1", "r1", "s1"), ("t2", "r2", "s1")),
    "two tasks, one thread": (("t1", "r1", "s1"), ("t1", "r2", "s1")),
    "two shards, one request": (("t1", "r1", "s1"), ("t1", "r1", "s2")),
})
OPENING, SESSIONS, QUERIES, THREADS = 0.001, 40, 4, 8
CONNECTIONS = ("thread", "session", "query")


def meeting(store: Callable[[int], Any], company: str, depth: int) -> Scenario:
    """Two of a company, each (thread, request, shard), at a store with state of its own down to `depth`.

    store(depth).job(who) writes and reads back; each must read what it wrote.
    """
    one, two = COMPANY[company]
    return Scenario(lambda: store(depth), {"one": lambda s: s.job(one), "two": lambda s: s.job(two)},
                    never=lambda s, answers: dict(answers) != {"one": one, "two": two})


def grains(store: Callable[[int], Any]) -> dict[str, dict[str, str]]:
    """Return for each company and grain: "leaks", "fits" (the coarsest that holds) or "wastes" (finer).

    What leaks is what the explorer finds to be anything but proved.
    """
    table = {}
    for company in COMPANY:
        held = [meeting(store, company, d).explore("dpor").verdict == "proved" for d in range(len(GRAINS))]
        first = held.index(True) if True in held else len(held)
        words = ["leaks" if not ok else "fits" if k == first else "wastes" for k, ok in enumerate(held)]
        table[company] = dict(zip(GRAINS, words, strict=True))
    return table


@dataclass
class _Shop:
    """Opens connections, which takes a millisecond, one for each `grain`; counts them."""

    grain: str
    opened: list[str] = field(default_factory=list)
    mine: threading.local = field(default_factory=threading.local)

    def connect(self) -> None:
        """Open one."""
        time.sleep(OPENING)
        self.opened.append(self.grain)
        self.mine.connected = True

    def session(self, number: int) -> None:
        """Serve one session."""
        if self.grain == "session" or (self.grain == "thread" and not hasattr(self.mine, "connected")):
            self.connect()
        for _ in range(QUERIES if self.grain == "query" else 0):
            self.connect()


def serve_sessions(grain: str) -> str:
    """Serve 40 sessions of 4 queries on 8 threads; say how many connections that took, and how long.

    grain: a connection for each "thread", "session" or "query". Raises ValueError for another word.
    """
    if grain not in CONNECTIONS:
        raise ValueError(f"grain={grain!r}: choose one of {', '.join(CONNECTIONS)}.")
    shop, started = _Shop(grain), time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(shop.session, range(SESSIONS)))
    milliseconds = 1000 * (time.perf_counter() - started)
    return f"a connection for each {grain:8} {len(shop.opened):4} opened, {milliseconds:6.1f} ms"

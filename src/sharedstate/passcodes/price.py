"""What a repair costs: requests a second of each fix beside the racy checker, for three kinds of work.

The numbers are for display: no check and no test may rest on them.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median
from types import MappingProxyType
from typing import Any

from sharedstate.passcodes.checkers import CHECKERS, FIXED, RIGHT

THREADS = (2, 64)
ROUNDS = (1, 50)
SLEEP = 0.0005
BLOCK = bytes(200_000)
START_SECONDS = 60.0


class Pause:
    """A gap that waits half a millisecond, as input and output do, and lets other threads run meanwhile."""

    def __iter__(self) -> Iterator[None]:
        """Wait; there is nothing to iterate over."""
        time.sleep(SLEEP)
        return iter(())


class Digest:
    """A gap that computes outside the GIL: one SHA-256 of 200 kB."""

    def __iter__(self) -> Iterator[None]:
        """Compute; there is nothing to iterate over."""
        hashlib.sha256(BLOCK).digest()
        return iter(())


GAPS: Mapping[str, object] = MappingProxyType({
    "loop": range(1000), "empty": (), "sleep": Pause(), "sha256": Digest(),
})
REQUESTS: Mapping[str, int] = MappingProxyType({"loop": 3200, "empty": 64_000, "sleep": 128, "sha256": 160})
WORDS: Mapping[str, str] = MappingProxyType({
    "loop": "Python loop", "empty": "no work", "sleep": "waiting 0.5 ms", "sha256": "SHA-256 of 200 kB",
})


@dataclass(frozen=True)
class PriceConfig:
    """One fix against the racy checker. threads 2..64; work: a name of `GAPS`; fix: a name of `FIXED`.

    rounds: how often the two take turns, 1..50. Raises ValueError, which names what there is.
    """

    threads: int = 8
    work: str = "loop"
    fix: str = "lock"
    rounds: int = 5

    def __post_init__(self) -> None:
        """Refuse what cannot be measured."""
        for name, number, limits in (("threads", self.threads, THREADS), ("rounds", self.rounds, ROUNDS)):
            if type(number) is not int or not limits[0] <= number <= limits[1]:
                raise ValueError(f"{name}={number!r}: choose a whole number from {limits[0]} to {limits[1]}.")
        for name, value, known in (("work", self.work, GAPS), ("fix", self.fix, FIXED)):
            if value not in known:
                raise ValueError(f"{name}={value!r}: choose one of {', '.join(known)}.")


@dataclass(frozen=True)
class PriceResult:
    """Time of the fix divided by that of the racy checker, once a round; requests a second, the median."""

    config: PriceConfig
    ratios: tuple[float, ...]
    per_second: float

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The lowest and the highest ratio."""
        return min(self.ratios), max(self.ratios)

    def as_dict(self) -> dict[str, object]:
        """Return plain JSON-able data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PriceResult:
        """Rebuild a result from `as_dict`'s data."""
        return cls(PriceConfig(**data["config"]), tuple(data["ratios"]), data["per_second"])

    def __str__(self) -> str:
        low, high = self.spread
        return (f"{WORDS[self.config.work]:17} {self.config.fix:12} {self.config.threads:2} threads "
                f"{self.per_second:9,.0f} a second, {self.ratio:5.2f} x the racy time ({low:.2f} to {high:.2f})")


def measure_price(config: PriceConfig) -> PriceResult:
    """Let the racy checker and the fix take turns, so that a busy moment of the machine hits both.

    Raises what a worker raises.
    """
    pairs = [(_seconds(config, "spin"), _seconds(config, config.fix)) for _ in range(config.rounds)]
    fixed = median(seconds for _, seconds in pairs)
    return PriceResult(config, tuple(fix / racy for racy, fix in pairs), REQUESTS[config.work] / fixed)


def _seconds(config: PriceConfig, checker: str) -> float:
    """Return the wall time of all requests, shared among threads that start together."""
    check = partial(CHECKERS[checker]().check, RIGHT, GAPS[config.work])
    share = max(1, REQUESTS[config.work] // config.threads)
    gate = threading.Barrier(config.threads + 1, timeout=START_SECONDS)
    with ThreadPoolExecutor(config.threads) as pool:
        clients = [pool.submit(_client, check, share, gate) for _ in range(config.threads)]
        gate.wait()
        started = time.perf_counter()
        for client in clients:
            client.result()
        return time.perf_counter() - started


def _client(check: Callable[[], object], share: int, gate: threading.Barrier) -> None:
    """Send one thread's share."""
    gate.wait()
    for _ in range(share):
        check()

"""What to measure and what came out: plain data that travels between processes as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from sharedstate.passcodes.checkers import CHECKERS, WITH_GAP

THREADS = (2, 64)
REQUESTS = (1, 1_000_000)
SPIN = (0, 100_000)
INTERVAL = (1e-6, 1.0)
CEILING = 0.25
TELLING = 20  # fewer events than this say nothing about a rate
Z95 = 1.96


def _demand(name: str, value: Any, limits: tuple[float, float], kinds: tuple[type[float], ...]) -> None:
    """Raise TypeError or ValueError, with the legal range, unless value is a number within limits."""
    low, high = limits
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise TypeError(f"{name} must be {kinds[0].__name__}, from {low:,} to {high:,}; got {value!r}.")
    if not low <= value <= high:
        raise ValueError(f"{name}={value!r} is out of range: choose from {low:,} to {high:,}.")


@dataclass(frozen=True)
class RaceConfig:
    """One measurement. threads 2..64; requests 1..1,000,000 in all; spin 0..100,000 loop turns in the gap;
    switch_interval 1e-6..1 seconds; checker: a name of `checkers.CHECKERS`.

    spin is used by the checkers that have a loop (`checkers.WITH_GAP`); the others ignore it.
    Raises TypeError or ValueError, which name the legal range.
    """

    threads: int = 8
    requests: int = 2000
    spin: int = 1000
    switch_interval: float = 0.005
    checker: str = "spin"

    def __post_init__(self) -> None:
        _demand("threads", self.threads, THREADS, (int,))
        _demand("requests", self.requests, REQUESTS, (int,))
        _demand("spin", self.spin, SPIN, (int,))
        _demand("switch_interval", self.switch_interval, INTERVAL, (float, int))
        if self.checker not in CHECKERS:
            raise ValueError(f"No checker {self.checker!r}. Choose one of: {', '.join(CHECKERS)}.")

    def new_check(self) -> Callable[[str], bool]:
        """Return the `check` of a fresh checker, its gap filled with `spin` loop turns."""
        check = CHECKERS[self.checker]().check
        return partial(check, gap=range(self.spin)) if self.checker in WITH_GAP else check


def predict_rate(gap_seconds: float, interval: float) -> float:
    """Return the expected false accepts per request: a quarter of gap / interval, and never above a quarter.

    The interpreter switches once per interval, so a switch falls into this request's gap with probability
    gap / interval; half the victims are wrong, and half of those find a right passcode written last.
    False rejects follow the same rule. The number of threads is not in it. Both arguments in seconds.

    Its limits: an interval below the gap interrupts every request, and then no more than a quarter can go wrong;
    an interval below 1 ms is not kept, since the system does not wake a waiting thread so soon. Measured on
    CPython 3.11 with a gap of 14 µs, as a share of the formula: 0.9 at 20 ms, 0.7 at 5 ms, 0.6 at 1 ms, 0.3 at
    0.5 ms, 0.1 at 0.1 ms. Other programs that keep all cores busy change the time of a run, and not the rate.
    """
    if gap_seconds < 0 or interval <= 0:
        raise ValueError("gap_seconds must not be negative, and interval must be above zero (seconds).")
    return CEILING * min(1.0, gap_seconds / interval)


def count_interval(events: int) -> tuple[float, float]:
    """Return between which means (95 %) a count of rare events lies, by Byar's approximation.

    0 events: up to 3.7. Within 2 % of the exact limits from 1 event on (Breslow and Day 1987, section 2.2).
    """
    if events < 0:
        raise ValueError("a count of events is not negative")
    more = events + 1
    low = events * (1 - 1 / (9 * events) - Z95 / (3 * events**0.5)) ** 3 if events else 0.0
    return low, more * (1 - 1 / (9 * more) + Z95 / (3 * more**0.5)) ** 3


@dataclass(frozen=True)
class RaceResult:
    """What was counted. seconds: the race's wall time; gap_seconds: one thread's time in the gap."""

    config: RaceConfig
    requests: int
    false_accepts: int
    false_rejects: int
    seconds: float
    gap_seconds: float

    @property
    def per_100k(self) -> float:
        """False accepts per 100,000 requests."""
        return 1e5 * self.false_accepts / self.requests

    @property
    def between(self) -> tuple[float, float]:
        """Between which rates (95 %, per 100,000 requests) the false accepts lie."""
        low, high = count_interval(self.false_accepts)
        return 1e5 * low / self.requests, 1e5 * high / self.requests

    @property
    def rejects_per_100k(self) -> float:
        """False rejects per 100,000 requests."""
        return 1e5 * self.false_rejects / self.requests

    @property
    def predicted_per_100k(self) -> float:
        """What `predict_rate` expects, per 100,000 requests."""
        return 1e5 * predict_rate(self.gap_seconds, self.config.switch_interval)

    def as_dict(self) -> dict[str, object]:
        """Return plain JSON-able data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RaceResult:
        """Rebuild a result from `as_dict`'s data."""
        return cls(**{**data, "config": RaceConfig(**data["config"])})

    def __str__(self) -> str:
        return (
            f"{self.config.threads} threads, {self.requests:,} requests: "
            f"{self.false_accepts} false accepts, {self.false_rejects} false rejects "
            f"({self.per_100k:.0f} and {self.rejects_per_100k:.0f} per 100,000)"
        )


def table(results: list[RaceResult]) -> str:
    """Return the results as a text table, one line each, oldest first."""
    head = f"{'threads':>7} {'spin':>7} {'interval':>9} {'requests':>9} {'accepts':>8} {'rejects':>8}"
    lines = [head + f" {'per 100k':>9} {'95 % between':>14} {'formula':>8} {'seconds':>8}"]
    for r in results:
        low, high = r.between
        lines.append(
            f"{r.config.threads:>7} {r.config.spin:>7} {1000 * r.config.switch_interval:>6g} ms"
            f" {r.requests:>9,} {r.false_accepts:>8} {r.false_rejects:>8}"
            f" {r.per_100k:>9.0f} {f'{low:.0f} to {high:.0f}':>14} {r.predicted_per_100k:>8.0f} {r.seconds:>8.2f}"
        )
    return "\n".join(lines)

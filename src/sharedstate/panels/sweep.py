"""The state behind the race panel: one sweep at a time, followed without waiting. No widgets here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from sharedstate.passcodes.config import RaceConfig, RaceResult
from sharedstate.passcodes.sweep import SweepProcess

NEVER_FULL = 0.95
POWERS = (2, 4, 8, 16, 32, 64)


class Busy(RuntimeError):
    """A sweep is running already."""


def counts_up_to(threads: int) -> list[int]:
    """Return 2, 4, 8, ... up to `threads`, which is always the last one."""
    return [n for n in POWERS if n < threads] + [threads]


def gaps_up_to(spin: int) -> list[int]:
    """Return six gaps that double each time and end with `spin` (fewer when spin is small)."""
    return sorted({spin // 2**k for k in range(6)})


class SweepFollower:
    """Follows one child process: results so far, progress, and how it ended. Owned by one panel.

    start, stop and pump may be called from different threads of the kernel: one lock serialises them.
    launch: makes the process from a list of configurations; a test passes a fake.
    """

    def __init__(self, launch: Callable[[Sequence[RaceConfig]], SweepProcess] = SweepProcess) -> None:
        self._launch = launch
        self._lock = threading.Lock()
        self._process: SweepProcess | None = None
        self.results: list[RaceResult] = []
        self.total = 0
        self.status = "Ready."
        self._point_started = 0.0
        self._point_expected = 1.0

    @property
    def running(self) -> bool:
        """True while a child is measuring."""
        return self._process is not None and self._process.running

    @property
    def fraction(self) -> float:
        """Progress from 0 to 1; inside a point it follows the clock, and waits short of the point's end."""
        if not self.total:
            return 0.0
        inside = 0.0
        if self.running and self._point_started:
            inside = min(NEVER_FULL, (time.monotonic() - self._point_started) / self._point_expected)
        return min(1.0, (len(self.results) + inside) / self.total)

    def start(self, configs: Sequence[RaceConfig]) -> None:
        """Start measuring. Raises Busy while another sweep runs."""
        with self._lock:
            if self.running:
                raise Busy("A sweep is running already: wait for it, or press Stop first.")
            self.results, self.total, self._point_started = [], len(configs), 0.0
            self.status = "Starting..."
            self._process = self._launch(configs)

    def stop(self) -> None:
        """Kill the child at once and keep what was measured."""
        with self._lock:
            if self._process is None or not self._process.running:
                return
            self._process.kill()
            self.status = f"Stopped after {len(self.results)} of {self.total} points."

    def pump(self) -> bool:
        """Take in what the child has said, without waiting. Return True when something new came."""
        with self._lock:
            events = self._process.events() if self._process else []
            for event in events:
                self._take(event)
        return bool(events)

    def _take(self, event: dict[str, Any]) -> None:
        """Update the state by one event."""
        if "started" in event:
            self._point_started = time.monotonic()
            self._point_expected = max(0.1, float(event["expected_seconds"]))
            self.status = f"Measuring point {event['started'] + 1} of {self.total}..."
        elif "result" in event:
            self.results.append(event["result"])
        elif "done" in event:
            self.status = f"Done: {len(self.results)} points measured here, just now."
        else:
            self.status = f"The measurement failed. {event['error']}"

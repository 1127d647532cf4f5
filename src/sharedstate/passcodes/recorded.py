"""Numbers recorded for this course, for interpreters that the reader may not have. Never asserted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sharedstate.passcodes.config import RaceConfig, RaceResult

AS_RECORDED = "recorded for this course"


@dataclass(frozen=True)
class RecordedRow:
    """False accepts per 100,000 requests on one build: {threads: (lowest, highest)} of 3 repetitions.

    Half the threads sent a wrong passcode. switch_interval in seconds; spin in loop turns. Order of magnitude
    only.
    """

    build: str
    gil: bool
    switch_interval: float
    spin: int
    per_100k: Mapping[int, tuple[int, int]]
    date: str = AS_RECORDED

    @property
    def label(self) -> str:
        """One line that says which interpreter and which gap."""
        return f"{self.build}, {1000 * self.switch_interval:g} ms, spin {self.spin}"


def _row(build: str, gil: bool, spin: int, *ranges: tuple[int, int]) -> RecordedRow:
    """Build a row of the table, whose columns are 2, 4, 8, 16 and 32 threads at 5 ms."""
    per_100k = MappingProxyType(dict(zip((2, 4, 8, 16, 32), ranges, strict=True)))
    return RecordedRow(build, gil, 0.005, spin, per_100k)


FREE_THREADED: tuple[RecordedRow, ...] = (
    _row("3.13.0 GIL", True, 20, (1, 3), (1, 2), (0, 2), (0, 0), (0, 0)),
    _row("3.13.5t no GIL", False, 20, (1411, 8080), (545, 1055), (560, 622), (415, 474), (476, 568)),
    _row("3.13.5t, PYTHON_GIL=1", True, 20, (2, 6), (1, 3), (1, 3), (1, 2), (0, 1)),
    _row("3.13.0 GIL", True, 1000, (240, 294), (154, 166), (136, 163), (155, 163), (133, 155)),
    _row("3.13.5t no GIL", False, 1000, (4387, 9922), (2602, 5331), (1371, 2302), (3391, 6745), (4898, 7725)),
)


RECORDED_ON = "CPython 3.11.7 with its GIL, two cores, " + AS_RECORDED


def _point(
    threads: int, spin: int, accepts: int, rejects: int, seconds: float, microseconds: float
) -> RaceResult:
    """Build one recorded measurement of 100,000 requests at 5 ms; the gap is in microseconds."""
    config = RaceConfig(threads=threads, requests=100_000, spin=spin)
    return RaceResult(config, 100_000, accepts, rejects, seconds, 1e-6 * microseconds)


THREAD_SWEEP: tuple[RaceResult, ...] = (
    _point(2, 1000, 38, 36, 0.78, 8.71),
    _point(4, 1000, 23, 26, 0.77, 8.86),
    _point(8, 1000, 34, 38, 0.78, 8.27),
    _point(16, 1000, 33, 39, 0.79, 8.76),
    _point(32, 1000, 28, 26, 0.80, 8.39),
    _point(64, 1000, 33, 31, 0.80, 8.57),
)
GAP_SWEEP: tuple[RaceResult, ...] = (
    _point(8, 125, 2, 1, 0.08, 0.65),
    _point(8, 250, 0, 2, 0.13, 1.11),
    _point(8, 500, 8, 16, 0.35, 3.57),
    _point(8, 1000, 35, 37, 0.79, 8.65),
    _point(8, 2000, 72, 73, 1.68, 18.6),
    _point(8, 4000, 156, 159, 3.44, 37.8),
)

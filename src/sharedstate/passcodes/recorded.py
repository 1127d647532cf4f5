"""Numbers recorded for this course, for interpreters that the reader may not have. Never asserted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

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

"""What watching costs: the same work with and without, as a ratio."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from sharedstate.passcodes import RIGHT, SpinChecker
from sharedstate.passcodes.checkers import NoSpinChecker
from sharedstate.watch.log import Watch

ROUNDS = 5


@dataclass(frozen=True)
class Price:
    """How many times as long the watched work took: the middle of the rounds, their least and their most."""

    work: str
    ratio: float
    least: float
    most: float

    def __str__(self) -> str:
        """One line of a table."""
        return f"{self.work:34} {self.ratio:6.1f} times as long ({self.least:.1f} to {self.most:.1f})"


def ratio(work: str, plain: Callable[[], object], watched: Callable[[], object], times: int) -> Price:
    """Time both `times` in a row, one round of each in turn."""
    found = sorted(_seconds(watched, times) / _seconds(plain, times) for _ in range(ROUNDS))
    return Price(work, median(found), found[0], found[-1])


def _seconds(call: Callable[[], object], times: int) -> float:
    begin = perf_counter()
    for _ in range(times):
        call()
    return perf_counter() - begin


def checker_prices(times: int = 2000) -> tuple[Price, ...]:
    """Return the price for a check that does nothing but access, and for one with 1,000 turns of work in its gap."""
    return (_checker("a check of accesses alone", NoSpinChecker, times),
            _checker("a check with a loop of 1,000", SpinChecker, times // 10))  # fmt: skip


def _checker(work: str, kind: Callable[[], Any], times: int) -> Price:
    log, bare = Watch(), kind()
    told = log.wrap(kind(), "checker")

    def watched() -> None:
        with log.work("alice"):
            told.check(RIGHT)

    return ratio(work, lambda: bare.check(RIGHT), watched, times)

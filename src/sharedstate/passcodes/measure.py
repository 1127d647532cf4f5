"""Measure a race on real threads. The numbers are for display: no check and no test may rest on them."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from contextlib import contextmanager
from itertools import pairwise

from sharedstate.passcodes.checkers import RIGHT, WRONG, Checker, NoSpinChecker
from sharedstate.passcodes.config import RaceConfig, RaceResult

START_SECONDS = 60.0
LOOK_EVERY = 0.1
BATCHES = 5
TELLABLE = 1e-9


class NeverCameBack(TimeoutError):
    """A worker did not end within the limit."""


@contextmanager
def switch_interval(seconds: float) -> Iterator[None]:
    """Set the interpreter's switch interval (seconds) inside a `with` block and put the old one back."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _seconds_per_call(check: Callable[[str], object], calls: int) -> float:
    """Return the quickest batch's seconds per call: other programs can only make a batch slower."""
    quickest = float("inf")
    for _ in range(BATCHES):
        started = time.perf_counter()
        for _ in range(calls):
            check(RIGHT)
        quickest = min(quickest, (time.perf_counter() - started) / calls)
    return quickest


def measure_gap(new_check: Callable[[], Callable[[str], object]], spin: int = 1000) -> float:
    """Return one thread's seconds in the gap: a call's time less that of the checker without a gap.

    new_check builds a fresh `check`; spin only chooses how often it is called. Never below a nanosecond: less
    cannot be told apart.
    """
    calls = max(2, min(200, 100_000 // (spin + 1)))
    bare = _seconds_per_call(NoSpinChecker().check, 200)
    return max(TELLABLE, _seconds_per_call(new_check(), calls) - bare)


def _tally(check: Callable[[str], object], first: int, share: int, halt: threading.Event) -> tuple[int, int]:
    """Send `share` requests, alternately right and wrong, and return (false accepts, false rejects)."""
    accepts = rejects = 0
    for k in range(first, first + share):
        right = k % 2 == 0
        passed = check(RIGHT if right else WRONG)
        accepts += bool(passed) and not right
        rejects += right and not passed
        if halt.is_set():
            break
    return accepts, rejects


def _worker(
    future: Future, barrier: threading.Barrier, halt: threading.Event, work: tuple[Callable[[str], object], int, int]
) -> None:
    """Run one thread's share after everybody has arrived; its counts or its exception go into the future."""
    try:
        barrier.wait(START_SECONDS)
        future.set_result(_tally(*work, halt))
    except BaseException as error:
        error.add_note(f"(raised in worker thread {threading.current_thread().name})")
        future.set_exception(error)
        halt.set()


def _shares(requests: int, threads: int) -> list[tuple[int, int]]:
    """Split the requests evenly: (number of the first request, how many) for each thread."""
    cuts = [requests * i // threads for i in range(threads + 1)]
    return [(low, high - low) for low, high in pairwise(cuts)]


def _start(check: Callable[[str], object], config: RaceConfig, halt: threading.Event) -> list[Future]:
    """Start all workers behind one barrier; return their futures. RuntimeError when threads run out."""
    barrier = threading.Barrier(config.threads)
    futures: list[Future] = []
    for i, (first, share) in enumerate(_shares(config.requests, config.threads)):
        future: Future = Future()
        work = (future, barrier, halt, (check, first, share))
        try:
            threading.Thread(target=_worker, args=work, name=f"worker-{i}", daemon=True).start()
        except RuntimeError as error:
            barrier.abort()
            raise RuntimeError(f"This machine started only {i} threads: choose fewer than that.") from error
        futures.append(future)
    return futures


def _collect(futures: list[Future], halt: threading.Event, limit: float) -> list[tuple[int, int]]:
    """Wait for every worker and return their counts; the first exception of a worker is raised here."""
    deadline = time.monotonic() + limit
    try:
        # Waiting in short turns keeps the main thread open to an interrupt on every system.
        while wait(futures, LOOK_EVERY, FIRST_EXCEPTION).not_done and not halt.is_set():
            if time.monotonic() > deadline:
                raise NeverCameBack(
                    f"A worker did not end within {limit:g} s. Does a lock stay closed, or a loop never end? "
                    "Else choose fewer requests or a shorter gap."
                )
    finally:
        halt.set()
    failed = [f for f in futures if f.done() and f.exception()]
    return [f.result(START_SECONDS) for f in failed or futures]


def measure_race(
    config: RaceConfig, make: Callable[[], Checker] | None = None, limit: float = 600.0
) -> RaceResult:
    """Race config.threads workers on one checker and count the wrong answers, both kinds.

    Half the requests carry the right passcode (`checkers.RIGHT`), half a wrong one. make: builds your own
    checker instead of config.checker; its `check(candidate)` is called. limit: seconds before NeverCameBack
    is raised. A start barrier lets all threads begin together. Workers return counts and print nothing; an
    exception in one is raised here. The switch interval is put back whatever happens.
    """
    def new_check() -> Callable[[str], object]:
        return make().check if make else config.new_check()

    gap = measure_gap(new_check, config.spin)
    check, halt = new_check(), threading.Event()
    with switch_interval(config.switch_interval):
        started = time.perf_counter()
        counts = _collect(_start(check, config, halt), halt, limit)
        seconds = time.perf_counter() - started
    accepts, rejects = (sum(column) for column in zip(*counts, strict=True))
    return RaceResult(config, config.requests, accepts, rejects, seconds, gap)

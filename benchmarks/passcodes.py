"""The passcode generator: one array against a `random.choice` loop, locks against isolation, stateless, bytes.

Rounds alternate between all contenders, so that a busy moment of the machine falls on each of them. Ratios are
medians over the rounds of two times taken in the same round; `spread` is half the distance between the quartiles.
100,000 passcodes of 16 symbols of 62 where nothing else is said.

vectorised_ratio: the loop's time over that of `generate` (one unit, an array, no check). isolated_vs_lock_per_draw: 16
threads that lock a shared random.Random for each symbol, over 16 with one each. philox_ratio: the loop's time for
COUNT passcodes over that of `generate` from a start far away, where no predecessor is drawn. state_bytes: of one
unit's random.Random, its 625 words as they lie in memory; a counter-based unit has none but its index. The others: what
uniqueness and `list[str]` cost, as the ratio that is left.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from threading import Lock, Thread

from sharedstate.commands.bench import half_range
from sharedstate.passcodes import SYMBOLS, duplicates, generate, generate_unique, join, passcode_at

COUNT, LENGTH, UNITS, ROUNDS = 100_000, 16, 16, 7
PER_UNIT, ALONE, MOMENT = 250, 50, 0.06


def loop(count: int = COUNT) -> list[str]:
    """Return passcodes as everybody writes it, symbol by symbol."""
    return ["".join(random.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]


def unit(rng: random.Random, lock: Lock | None) -> list[str]:
    """Return one unit's passcodes from its own generator, or from a shared one with the lock taken for each draw."""
    if lock is None:
        return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(PER_UNIT)]
    return ["".join(_locked(rng, lock) for _ in range(LENGTH)) for _ in range(PER_UNIT)]


def _locked(rng: random.Random, lock: Lock) -> str:
    with lock:
        return rng.choice(SYMBOLS)


def in_threads(shared: bool) -> None:
    """Let every unit draw in a thread of its own: one generator and a lock for each draw, or one generator each."""
    lock, rng = Lock(), random.Random(1)
    work = [(rng, lock) if shared else (random.Random(u), None) for u in range(UNITS)]
    threads = [Thread(target=unit, args=args) for args in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def locked_units() -> None:
    """16 threads, one generator, one lock for each draw."""
    in_threads(shared=True)


def isolated_units() -> None:
    """16 threads, a generator each."""
    in_threads(shared=False)


CONTENDERS = (
    ("loop", loop),
    ("array", lambda: generate(COUNT, LENGTH, seed=1)),
    ("unique", lambda: generate_unique(COUNT, LENGTH, seed=1)),
    ("checked", lambda: join([generate(COUNT, LENGTH, seed=1)])),
    ("strings", lambda: [code.decode() for code in generate(COUNT, LENGTH, seed=1).tolist()]),
    ("string_set", lambda: len(set(generate(COUNT, LENGTH, seed=1).tolist()))),
    ("lock_per_draw", locked_units),
    ("isolated", isolated_units),
    ("far", lambda: generate(COUNT, LENGTH, seed=1, start=10**12)),
    ("alone", lambda: [passcode_at(997 * k, seed=1) for k in range(ALONE)]),
)


def seconds(work: Callable[[], object]) -> float:
    """Return the processor's seconds of one call, the mean of as many as fill a moment.

    Threads that wait for each other are timed by the clock.
    """
    clock = time.perf_counter if work in (locked_units, isolated_units) else time.process_time
    started, calls = clock(), 0
    while not calls or clock() - started < MOMENT:
        work()
        calls += 1
    return (clock() - started) / calls


def run(rounds: int = ROUNDS) -> dict[str, object]:
    """Return the ratios, bytes, and the times behind them in milliseconds."""
    for name, work in CONTENDERS:
        if name != "loop":
            work()  # imports numpy, warms the allocator
    taken = [{name: seconds(work) for name, work in CONTENDERS} for _ in range(rounds)]
    series = {
        "vectorised_ratio": [row["loop"] / row["array"] for row in taken],
        "isolated_vs_lock_per_draw": [row["lock_per_draw"] / row["isolated"] for row in taken],
        "philox_ratio": [row["loop"] / row["far"] for row in taken],
        "unique_by_construction_ratio": [row["loop"] / row["unique"] for row in taken],
        "checked_ratio": [row["loop"] / row["checked"] for row in taken],
        "list_of_str_ratio": [row["loop"] / row["strings"] for row in taken],
        "set_check_ratio": [row["loop"] / row["string_set"] for row in taken],
        "loop_ms": [1e3 * row["loop"] for row in taken],
        "array_ms": [1e3 * row["array"] for row in taken],
        "alone_us": [1e6 * row["alone"] / ALONE for row in taken],
    }
    figures: dict[str, object] = {key: round(statistics.median(each), 3) for key, each in series.items()}
    figures["state_bytes"] = sys.getsizeof(random.Random(1))
    figures["duplicates"] = duplicates(generate(COUNT, LENGTH, seed=1))
    figures |= {"rounds": rounds, "python": sys.version.split()[0]}
    figures["spread"] = {key: round(half_range(each), 3) for key, each in series.items()}
    return figures


if __name__ == "__main__":
    print(run())

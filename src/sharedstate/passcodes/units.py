"""Units that draw passcodes in threads, from a shared generator or each from its own: measured, for display.

What comes out of shared generators depends on the scheduler; no check and no test may rest on it.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any

from sharedstate.passcodes.alphabet import SYMBOLS, whole
from sharedstate.wording import count

LENGTH = 16
MASK = 2**64 - 1
START_SECONDS = 60.0
GRAINS = ("none", "draw", "passcode", "own")
WORDS = MappingProxyType({
    "none": "shared, no lock", "draw": "shared, lock a draw", "passcode": "shared, lock a passcode", "own": "one each",
})
Draw = Callable[[AbstractContextManager], str]


class Xorshift:
    """A generator in plain Python (Marsaglia's 64-bit xorshift): its state is read at first and written at last."""

    def __init__(self, seed: int) -> None:
        self.state = (seed * 2 + 1) * 0x9E3779B97F4A7C15 & MASK

    def draw(self) -> int:
        """Return the next 64 bits."""
        x = self.state
        for left, shift in ((True, 13), (False, 7), (True, 17)):
            x ^= (x << shift if left else x >> shift) & MASK
        self.state = x
        return x


def _symbols(number: int) -> str:
    """Write a number in the base of the symbols, LENGTH digits."""
    digits = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(SYMBOLS))
        digits.append(SYMBOLS[digit])
    return "".join(digits)


def _of_choices(seed: int) -> Draw:
    """Sixteen draws make a passcode."""
    rng = random.Random(seed)

    def draw(lock: AbstractContextManager) -> str:
        symbols = []
        for _ in range(LENGTH):
            with lock:
                symbols.append(rng.choice(SYMBOLS))
        return "".join(symbols)

    return draw


def _of_one_draw(seed: int) -> Draw:
    """One call into C makes a passcode."""
    rng = random.Random(seed)

    def draw(lock: AbstractContextManager) -> str:
        with lock:
            number = rng.getrandbits(128)
        return _symbols(number)

    return draw


def _of_python(seed: int) -> Draw:
    """One draw of a generator written in Python makes a passcode, of 16 hexadecimal digits."""
    rng = Xorshift(seed)

    def draw(lock: AbstractContextManager) -> str:
        with lock:
            number = rng.draw()
        return f"{number:016x}"

    return draw


GENERATORS: Mapping[str, Callable[[int], Draw]] = MappingProxyType({
    "random, 16 draws": _of_choices, "random, 1 draw": _of_one_draw, "xorshift in Python": _of_python,
})


@dataclass(frozen=True)
class UnitsConfig:
    """One run. units 1..64; threads 1..64; batch 16..200,000 passcodes in all; generator: a key of GENERATORS;
    grain: one of GRAINS; barrier: whether all threads start together. Raises TypeError or ValueError.
    """

    units: int = 16
    threads: int = 16
    batch: int = 1600
    generator: str = "random, 1 draw"
    grain: str = "none"
    barrier: bool = True
    seed: int = 2026

    def __post_init__(self) -> None:
        whole(self.units, "units", 1, 64)
        whole(self.threads, "threads", 1, 64)
        whole(self.batch, "batch", 16, 200_000)
        if self.generator not in GENERATORS:
            raise ValueError(f"No generator {self.generator!r}. Choose one of: {', '.join(GENERATORS)}.")
        if self.grain not in GRAINS:
            raise ValueError(f"No grain {self.grain!r}. Choose one of: {', '.join(GRAINS)}.")


@dataclass(frozen=True)
class UnitsResult:
    """What came out, against the same units one after the other.

    duplicates: passcodes that are copies of an earlier one; same_units: how many units got their serial batch;
    same_set: whether the passcodes, sorted, are the serial ones; seconds of the threads.
    """

    config: UnitsConfig
    duplicates: int
    same_units: int
    same_set: bool
    seconds: float

    def as_dict(self) -> dict[str, object]:
        """Return plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> UnitsResult:
        """Build a result from what `as_dict` gave."""
        return cls(**{**data, "config": UnitsConfig(**data["config"])})

    def __str__(self) -> str:
        c = self.config
        return (f"{c.generator}, {WORDS[c.grain]}, {count(c.threads, 'thread')}, {c.batch:,} passcodes:\n  "
                f"{self.duplicates:,} duplicates, {self.same_units} of {c.units} units as in serial, "
                f"same set: {'yes' if self.same_set else 'no'}, {1e3 * self.seconds:.0f} ms")


def in_threads(config: UnitsConfig) -> tuple[list[list[str]], float]:
    """Return each unit's passcodes and the seconds it took; a worker's exception is raised here."""
    sources, locks = _sources(config)
    found: list[list[str]] = [[] for _ in range(config.units)]
    barrier = threading.Barrier(config.threads)
    errors: list[BaseException] = []

    def work(first: int) -> None:
        try:
            if config.barrier:
                barrier.wait(START_SECONDS)
            for unit in range(first, config.units, config.threads):
                draw, lock = sources[unit], locks[unit]
                found[unit] = [draw(lock) for _ in range(config.batch // config.units)]
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(config.threads)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return found, time.perf_counter() - started


def _sources(config: UnitsConfig) -> tuple[list[Draw], list[AbstractContextManager]]:
    """Return each unit's way to draw, and what it holds while one draw is made."""
    make = GENERATORS[config.generator]
    if config.grain == "own":
        return [make((config.seed << 32) + unit) for unit in range(config.units)], [nullcontext()] * config.units
    draw, lock = make(config.seed), threading.Lock()
    if config.grain == "passcode":
        shared = _locked(draw, lock)
        return [shared] * config.units, [nullcontext()] * config.units
    return [draw] * config.units, [lock if config.grain == "draw" else nullcontext()] * config.units


def _locked(draw: Draw, lock: threading.Lock) -> Draw:
    """Return a draw that holds the lock for a whole passcode."""

    def whole_passcode(inner: AbstractContextManager) -> str:
        with lock:
            return draw(inner)

    return whole_passcode


def serial(config: UnitsConfig) -> list[list[str]]:
    """Return each unit's passcodes when the units draw one after the other."""
    sources, locks = _sources(config)
    return [[sources[u](locks[u]) for _ in range(config.batch // config.units)] for u in range(config.units)]


def measure_units(config: UnitsConfig) -> UnitsResult:
    """Draw in threads and compare with the serial run of the same configuration."""
    wanted = serial(config)
    found, seconds = in_threads(config)
    counts = Counter(chain(*found))
    return UnitsResult(
        config=config,
        duplicates=sum(counts.values()) - len(counts),
        same_units=sum(a == b for a, b in zip(found, wanted, strict=True)),
        same_set=counts == Counter(chain(*wanted)),
        seconds=seconds,
    )

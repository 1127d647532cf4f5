"""Passcode checkers: one racy shape, the things that may stand in its gap, and four ways to repair it.

Every `check(candidate, gap)` writes, lets the gap pass, and decides. The gap is any iterable: `range(1000)`
is the popular spin loop, a generator that waits is a seam. It is an argument so that `check` touches exactly
the fields that the explorer counts: input_buffer (write, read), correct (read), result (write, read).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

RIGHT = "s3cret"
WRONG = "guess"
DEFAULT_GAP = range(1000)


class Checker(Protocol):
    """What a measurement needs of a checker: one method that says whether a candidate passes."""

    def check(self, candidate: str) -> bool:
        """Return True when the candidate is the passcode."""


class _Board:
    """What the racy checkers share: both the candidate and the verdict live on `self`."""

    def __init__(self, correct: str = RIGHT) -> None:
        self.correct = correct
        self.input_buffer = ""
        self.result = False


class SpinChecker(_Board):
    """The racy checker in the popular shape."""

    def check(self, candidate: str, gap: Iterable[object] = DEFAULT_GAP) -> bool:
        """Write, think, look up: another thread may write while this one thinks."""
        self.input_buffer = candidate
        for _ in gap:
            pass
        self.result = self.input_buffer == self.correct
        return self.result


class NoSpinChecker(_Board):
    """The same shared fields with nothing between the write and the read."""

    def check(self, candidate: str) -> bool:
        """Write and look up: on Python 3.10 and later there is no switch point in between."""
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result


def _think() -> None:
    """Do nothing. Entering a Python function is a switch point."""


class CallChecker(_Board):
    """Nothing in the gap but one call of an empty Python function."""

    def check(self, candidate: str) -> bool:
        """Write, call, look up: the call brings the race back."""
        self.input_buffer = candidate
        _think()
        self.result = self.input_buffer == self.correct
        return self.result


class Tracked(str):
    """A string whose class has an empty finaliser, as a logging or pooling wrapper might."""

    def __del__(self) -> None:
        """Do nothing, yet run Python code when the last reference goes."""


class FinaliserChecker(_Board):
    """No visible call in the gap: storing the new candidate drops the old one, whose `__del__` runs there."""

    def check(self, candidate: str) -> bool:
        """Write and look up; the write itself may run Python code."""
        self.input_buffer = Tracked(candidate)
        self.result = self.input_buffer == self.correct
        return self.result


class SleepChecker(_Board):
    """The gap gives the GIL away by itself, as any input or output does."""

    def check(self, candidate: str) -> bool:
        """Write, let others run, look up."""
        self.input_buffer = candidate
        time.sleep(0)
        self.result = self.input_buffer == self.correct
        return self.result


class LockChecker(SpinChecker):
    """Serialise: the fields stay shared, and one thread at a time may be inside."""

    def __init__(self, correct: str = RIGHT) -> None:
        super().__init__(correct)
        self.lock = threading.Lock()

    def check(self, candidate: str, gap: Iterable[object] = DEFAULT_GAP) -> bool:
        """Write, think and look up behind a closed door."""
        with self.lock:
            self.input_buffer = candidate
            for _ in gap:
                pass
            self.result = self.input_buffer == self.correct
            return self.result


class LocalChecker:
    """Isolate: the candidate and the verdict are local variables, one per call."""

    def __init__(self, correct: str = RIGHT) -> None:
        self.correct = correct

    def check(self, candidate: str, gap: Iterable[object] = DEFAULT_GAP) -> bool:
        """Decide on a name that no other call can see."""
        mine = candidate
        for _ in gap:
            pass
        return mine == self.correct


class ThreadLocalChecker:
    """Isolate by thread: the fields look shared, yet every thread has its own."""

    def __init__(self, correct: str = RIGHT) -> None:
        self.correct = correct
        self.mine = threading.local()

    def check(self, candidate: str, gap: Iterable[object] = DEFAULT_GAP) -> bool:
        """Write and look up fields that belong to this thread."""
        self.mine.input_buffer = candidate
        for _ in gap:
            pass
        self.mine.result = self.mine.input_buffer == self.correct
        return self.mine.result


class ImmutableChecker:
    """Share only what nobody can write: the passcode, set once in the constructor."""

    __slots__ = ("_correct",)
    _correct: str

    def __init__(self, correct: str = RIGHT) -> None:
        object.__setattr__(self, "_correct", correct)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name!r} can be written by nobody")

    def check(self, candidate: str, gap: Iterable[object] = DEFAULT_GAP) -> bool:
        """Decide from the argument and a constant."""
        for _ in gap:
            pass
        return candidate == self._correct


RACY: Mapping[str, type] = MappingProxyType({
    "spin": SpinChecker,
    "no_spin": NoSpinChecker,
    "call": CallChecker,
    "finaliser": FinaliserChecker,
    "sleep0": SleepChecker,
})
FIXED: Mapping[str, type] = MappingProxyType({
    "lock": LockChecker,
    "local": LocalChecker,
    "thread_local": ThreadLocalChecker,
    "immutable": ImmutableChecker,
})
CHECKERS: Mapping[str, type] = MappingProxyType({**RACY, **FIXED})
WITH_GAP = ("spin", *FIXED)

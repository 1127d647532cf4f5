"""Programs under test, written as a learner would write them."""

from __future__ import annotations

import threading


class Checker:
    """The article's checker: buffer and result are shared."""

    def __init__(self, correct: str) -> None:
        self.correct = correct
        self.input_buffer = ""
        self.result = False

    def check(self, candidate: str) -> bool:
        self.input_buffer = candidate
        for _ in range(10):
            pass
        self.result = self.input_buffer == self.correct
        return self.result


class LockChecker(Checker):
    """One lock around everything."""

    def __init__(self, correct: str) -> None:
        super().__init__(correct)
        self.lock = threading.Lock()

    def check(self, candidate: str) -> bool:
        with self.lock:
            return super().check(candidate)


class SplitLockChecker(Checker):
    """Half a fix: the write and the read are locked one by one."""

    def __init__(self, correct: str) -> None:
        super().__init__(correct)
        self.lock = threading.Lock()

    def check(self, candidate: str) -> bool:
        with self.lock:
            self.input_buffer = candidate
        with self.lock:
            self.result = self.input_buffer == self.correct
            return self.result


class NewLockChecker(Checker):
    """Half a fix: a new lock for every call keeps nobody out."""

    def check(self, candidate: str) -> bool:
        with threading.Lock():
            return super().check(candidate)


class LocalChecker(Checker):
    """The candidate stays in the call."""

    def check(self, candidate: str) -> bool:
        buffer = candidate
        return buffer == self.correct


class HalfLocalChecker(Checker):
    """Half a fix: local buffer, shared result."""

    def check(self, candidate: str) -> bool:
        buffer = candidate
        self.result = buffer == self.correct
        return self.result


class ThreadLocalChecker(Checker):
    """Each thread has its own buffer and result."""

    def __init__(self, correct: str) -> None:
        self.correct = correct
        self.own = threading.local()

    def check(self, candidate: str) -> bool:
        self.own.input_buffer = candidate
        self.own.result = self.own.input_buffer == self.correct
        return self.own.result


class Counter:
    """A lost update waiting to happen."""

    def __init__(self) -> None:
        self.n = 0

    def add(self) -> None:
        self.n += 1


class LockCounter(Counter):
    """The fix."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    def add(self) -> None:
        with self.lock:
            self.n += 1


class Generator:
    """A linear congruential generator with shared state."""

    def __init__(self) -> None:
        self.x = 1

    def draw(self) -> int:
        self.x = (self.x * 5 + 3) % 97
        return self.x


class TwoStepGenerator(Generator):
    """One read and one write a draw; the value drawn is the one computed."""

    def draw(self) -> int:
        x = (self.x * 5 + 3) % 97
        self.x = x
        return x


class Toggles:
    """x and y are raised and lowered by two threads."""

    def __init__(self) -> None:
        self.x = self.y = 0

    def first(self) -> None:
        self.x = 1
        self.x = 0

    def second(self) -> None:
        self.y = 1
        self.y = 0


class Letters:
    """Two threads take the same lock twice and append their letter."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.text = ""

    def twice(self, letter: str) -> None:
        for _ in range(2):
            with self.lock:
                self.text += letter


class Philosophers:
    """Two locks, taken in the order that is asked for."""

    def __init__(self) -> None:
        self.left, self.right = threading.Lock(), threading.Lock()

    def eat(self, first: str, second: str) -> str:
        with getattr(self, first), getattr(self, second):
            return "eaten"

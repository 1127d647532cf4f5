"""Small programs with and without influence that may not be."""

from __future__ import annotations

import threading


class Racy:
    """The checker with two shared fields."""

    def __init__(self, correct: str) -> None:
        self.correct, self.input_buffer, self.result = correct, "", False

    def check(self, candidate: str) -> bool:
        """Say whether the candidate is right, unless somebody else was here."""
        self.input_buffer = candidate
        for _ in range(1000):
            pass
        self.result = self.input_buffer == self.correct
        return self.result


class Refusing(Racy):
    """Safe, and of no use."""

    def check(self, candidate: str) -> bool:
        """Refuse."""
        self.input_buffer = candidate
        return False


class Deaf:
    """Refuses without a look at anything shared."""

    def __init__(self, correct: str) -> None:
        self.correct = correct

    def check(self, candidate: str) -> bool:
        """Refuse."""
        return False


class Locked(Racy):
    """One at a time, from the first write to the last read."""

    def __init__(self, correct: str) -> None:
        super().__init__(correct)
        self.door = threading.Lock()

    def check(self, candidate: str) -> bool:
        """Say whether the candidate is right."""
        with self.door:
            self.input_buffer = candidate
            self.result = self.input_buffer == self.correct
            return self.result


class Own(Racy):
    """A local variable."""

    def check(self, candidate: str) -> bool:
        """Say whether the candidate is right."""
        mine = candidate
        return mine == self.correct


class PerThread(Racy):
    """A field of each thread's own."""

    def __init__(self, correct: str) -> None:
        super().__init__(correct)
        self.mine = threading.local()

    def check(self, candidate: str) -> bool:
        """Say whether the candidate is right."""
        self.mine.buffer = candidate
        return self.mine.buffer == self.correct


class Counter:
    """Loses updates."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, amount: int) -> int:
        """Add, and return the value after."""
        before = self.total
        self.total = before + amount
        return before + amount


class LockedCounter(Counter):
    """Loses none."""

    def __init__(self) -> None:
        super().__init__()
        self.door = threading.Lock()

    def add(self, amount: int) -> int:
        """Add, and return the value after."""
        with self.door:
            self.total += amount
            return self.total


class TwoLocks:
    """Takes its locks in the order it is told."""

    def __init__(self) -> None:
        self.left, self.right = threading.Lock(), threading.Lock()

    def work(self, order: str) -> str:
        """Take both locks."""
        if order == "left first":
            with self.left, self.right:
                return "done"
        with self.right, self.left:
            return "done"

"""The programs of the scheduler game: one checker and what people did to repair it, a counter, a bank."""

from __future__ import annotations

import threading


class Cafe:
    """One order slip for all guests."""

    def __init__(self) -> None:
        self.slip = ""

    def order(self, drink: str) -> str:
        """Write a drink on the slip, walk to the counter, and get what the slip says."""
        self.slip = drink
        return self.slip


class Checker:
    """Two boards for everybody: the candidate on one, the answer on the other."""

    def __init__(self) -> None:
        self.input_buffer = ""
        self.result = False

    def check(self, candidate: str) -> bool:
        """Say whether a candidate is the passcode."""
        self.input_buffer = candidate
        self.result = self.input_buffer == "s3cret"
        return self.result


class SplitLocks:
    """Half a fix: the write has its lock, and what is read has its lock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.input_buffer = ""
        self.result = False

    def check(self, candidate: str) -> bool:
        """Say whether a candidate is the passcode."""
        with self.lock:
            self.input_buffer = candidate
        with self.lock:
            self.result = self.input_buffer == "s3cret"
            return self.result


class NewLock:
    """Half a fix: every call brings a lock of its own."""

    def __init__(self) -> None:
        self.input_buffer = ""
        self.result = False

    def check(self, candidate: str) -> bool:
        """Say whether a candidate is the passcode."""
        with threading.Lock():
            self.input_buffer = candidate
            self.result = self.input_buffer == "s3cret"
            return self.result


class SharedResult:
    """Half a fix: the candidate stays in the call, the answer does not."""

    def __init__(self) -> None:
        self.result = False

    def check(self, candidate: str) -> bool:
        """Say whether a candidate is the passcode."""
        buffer = candidate
        self.result = buffer == "s3cret"
        return self.result


class OneLock:
    """One lock, from the first write to the last read."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.input_buffer = ""
        self.result = False

    def check(self, candidate: str) -> bool:
        """Say whether a candidate is the passcode."""
        with self.lock:
            self.input_buffer = candidate
            self.result = self.input_buffer == "s3cret"
            return self.result


class Visits:
    """A counter: everybody who comes in adds one."""

    def __init__(self) -> None:
        self.count = 0

    def enter(self) -> None:
        """Add one."""
        self.count += 1

    def enter_three_times(self) -> None:
        """Add one, three times."""
        for _ in range(3):
            self.count += 1


class Numbers:
    """A generator of numbers with one state for all units."""

    def __init__(self) -> None:
        self.state = 7

    def draw(self) -> int:
        """Return the next number; no number comes twice within 96 draws."""
        self.state = self.state * 5 % 97
        return self.state


class Bank:
    """Two accounts, a lock for each; whoever pays takes the own lock first."""

    def __init__(self) -> None:
        self.red, self.blue = threading.Lock(), threading.Lock()
        self.in_red, self.in_blue = 10, 10

    def red_pays(self) -> None:
        """Move one coin from red to blue."""
        with self.red, self.blue:
            self.in_red -= 1
            self.in_blue += 1

    def blue_pays(self) -> None:
        """Move one coin from blue to red."""
        with self.blue, self.red:
            self.in_blue -= 1
            self.in_red += 1

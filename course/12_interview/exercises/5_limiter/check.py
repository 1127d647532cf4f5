"""Exercise 12.5: a limiter that must let in exactly as many as it says, asked with the explorer."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.asking import AsksTheExplorer, Program
from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import Case

Limiter: Any = shown_class(__file__, "Limiter")


class OneLock:
    """Looks and counts under one lock."""

    def __init__(self, most: int) -> None:
        self.most, self.used, self.lock = most, 0, threading.Lock()

    def allow(self) -> bool:
        """Let in, while there is room."""
        with self.lock:
            if self.used < self.most:
                self.used += 1
                return True
            return False


class TwoLocks(OneLock):
    """Looks under the lock, lets go, and counts under the lock."""

    def allow(self) -> bool:
        """Let in, if there was room a moment ago."""
        with self.lock:
            free = self.used < self.most
        if free:
            with self.lock:
                self.used += 1
        return free


class Tickets:
    """A list of tickets; taking one is one step."""

    def __init__(self, most: int) -> None:
        self.most, self.tickets = most, list(range(most))

    @property
    def used(self) -> int:
        """How many tickets are gone."""
        return self.most - len(self.tickets)

    def allow(self) -> bool:
        """Let in whoever gets a ticket."""
        try:
            self.tickets.pop()
        except IndexError:
            return False
        return True


class GivesWay(OneLock):
    """Each says that it is coming, and is let in if nobody else has said so: both may be turned away."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.coming = 0

    def allow(self) -> bool:
        """Let in whoever is alone."""
        with self.lock:
            self.coming += 1
        if self.coming == 1 and self.most:
            self.used += 1
            return True
        return False


class LosesCount(Tickets):
    """The tickets are right; the number on the board is another one, and is written without a lock."""

    used = 0

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.used = 0

    def allow(self) -> bool:
        """Let in whoever gets a ticket, and count."""
        try:
            self.tickets.pop()
        except IndexError:
            return False
        self.used = self.used + 1
        return True


class KeepsTheLock(OneLock):
    """Whoever is let in goes on with the lock in the hand."""

    def allow(self) -> bool:
        """Let in, and forget the lock."""
        self.lock.acquire()
        if self.used < self.most:
            self.used += 1
            return True
        self.lock.release()
        return False


AGAIN = ("Limiter", "Tickets")
PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "Limiter": Program(Limiter, "broken", "calls-it-right", "Both callers look while there is room, and both go in. "
                       "Let two threads ask one `limiter(1)`, in every order.", True),
    "OneLock": Program(OneLock, "proved", "false-alarm", "In no order does it let in too many or too few. Is your "
                       "`never` true of a good run?", True),
    "TwoLocks": Program(TwoLocks, "broken", "calls-it-right", "Two locked halves leave a gap between them."),
    "Tickets": Program(Tickets, "proved", "false-alarm", "It needs no lock: taking a ticket is one step. Ask what went "
                       "wrong, and not how it is built."),
    "GivesWay": Program(GivesWay, "broken", "never-too-few", "Here both callers can be turned away, although there is "
                        "room. Exactly one is not the same as at most one."),
    "LosesCount": Program(LosesCount, "broken", "forgets-the-board", "Everybody gets the right answer, and `used` does "
                          "not say how many went in. It takes two who are let in at the same time."),
    "KeepsTheLock": Program(KeepsTheLock, "deadlock", "deadlock-has-a-name", "The second caller waits for ever. The "
                            "explorer has a word of its own for that: pass it on."),
})


class ProveTheLimiter(AsksTheExplorer):
    """The answer is limiter_verdict(limiter) -> "proved", "broken" or "deadlock"."""

    id = "12.5"
    title = "Prove the limiter"
    answer = "limiter_verdict"
    minutes = 12
    difficulty = 2
    points = 6.0
    expects = "a function"
    seconds = 20.0
    programs = PROGRAMS
    praise = "Seven limiters, and your question tells them apart in every order."

    def among(self, case: Case) -> bool:
        """Only a few come again: an answer that keeps something shows it with any of them, and each takes time."""
        return case["program"] in AGAIN


EXERCISE = ProveTheLimiter()

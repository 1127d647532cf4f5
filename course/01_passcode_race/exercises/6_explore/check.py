"""Exercise 01.6: ask the explorer about a checker, with both invariants at once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType

from sharedstate.checks.asking import AsksTheExplorer, Program


class Board:
    """One board for everybody."""

    def __init__(self, correct: str) -> None:
        self.correct, self.word = correct, ""

    def check(self, passcode: str) -> bool:
        """Write, then compare what is there."""
        self.word = passcode
        return self.word == self.correct


class Note(Board):
    """A word of one's own."""

    def check(self, passcode: str) -> bool:
        """Compare the argument itself."""
        return passcode == self.correct


class OneAtATime(Board):
    """Turns away whoever comes while another visitor is there."""

    def __init__(self, correct: str) -> None:
        super().__init__(correct)
        self.busy = False

    def check(self, passcode: str) -> bool:
        """Refuse while busy."""
        if self.busy:
            return False
        self.busy = True
        right = passcode == self.correct
        self.busy = False
        return right


class StaysOpen(Board):
    """Once open, open for everybody."""

    def __init__(self, correct: str) -> None:
        super().__init__(correct)
        self.open = False

    def check(self, passcode: str) -> bool:
        """Open, and never close."""
        if passcode == self.correct:
            self.open = True
            return True
        return self.open


class Door(Board):
    """One lock around everything."""

    def __init__(self, correct: str) -> None:
        super().__init__(correct)
        self.lock = threading.Lock()

    def check(self, passcode: str) -> bool:
        """The board, for one visitor at a time."""
        with self.lock:
            return super().check(passcode)


class KeepsTheLock(Door):
    """Does not give its lock back after a wrong word."""

    def check(self, passcode: str) -> bool:
        """Return early, with the lock in the hand."""
        self.lock.acquire()
        if passcode != self.correct:
            return False
        self.lock.release()
        return True


RACY = "Two visitors write on one board. Let each thread check its own passcode, and let the explorer try every order."
QUIET = "In no order does anybody get a wrong answer. Is your `never` true of a good run?"
PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "Board": Program(Board, "broken", "calls-it-right", RACY, True),
    "Note": Program(Note, "proved", "false-alarm", QUIET, True),
    "OneAtATime": Program(OneAtATime, "broken", "misses-refusals",
                          "Here a right passcode can be refused, and no wrong one passes. Ask about both."),
    "StaysOpen": Program(StaysOpen, "broken", "misses-entries",
                         "Here a wrong passcode can pass, and no right one is refused. Ask about both."),
    "Door": Program(Door, "proved", "false-alarm", QUIET),
    "KeepsTheLock": Program(KeepsTheLock, "deadlock", "deadlock-has-a-name",
                            "A visitor can wait for ever. The explorer has a word of its own for that: pass it on."),
})


class AskAboutCheckers(AsksTheExplorer):
    """The answer is verdict(checker) -> "proved", "broken" or "deadlock"."""

    id = "01.6"
    title = "Ask the explorer"
    answer = "verdict"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a function"
    seconds = 20.0
    programs = PROGRAMS
    praise = "Six checkers, and your question tells them apart in every order."


EXERCISE = AskAboutCheckers()

"""Exercise 10.4: write the test that fails before and passes after, with the explorer."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType

from sharedstate.checks.asking import AsksTheExplorer, Program


class Shop:
    """The page of the lesson, and a counter of pages."""

    def __init__(self) -> None:
        self.name, self.pages = "", 0

    def page(self, name: str) -> str:
        """Put the name onto self, and read it back."""
        self.name = name
        self.pages = self.pages + 1
        return "Hello, " + self.name


class OwnName(Shop):
    """A local name; the counter is under a lock."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    def page(self, name: str) -> str:
        """Greet the argument."""
        with self.lock:
            self.pages = self.pages + 1
        return "Hello, " + name


class LosesPages(Shop):
    """The names are right, and the counter is bare."""

    def page(self, name: str) -> str:
        """Greet the argument, and count without a lock."""
        self.pages = self.pages + 1
        return "Hello, " + name


class MixesNames(OwnName):
    """The counter is right, and the names are mixed."""

    def page(self, name: str) -> str:
        """Count under the lock, and greet self."""
        self.name = name
        with self.lock:
            self.pages = self.pages + 1
        return "Hello, " + self.name


class GreatestName(OwnName):
    """Both under the lock, and the name that comes later in the alphabet stays."""

    def page(self, name: str) -> str:
        """Count, and greet whoever has the greatest name so far."""
        with self.lock:
            self.pages = self.pages + 1
            self.name = name if name > self.name else self.name
            return "Hello, " + self.name


class LeastName(OwnName):
    """Both under the lock, and the name that comes first in the alphabet stays."""

    def page(self, name: str) -> str:
        """Count, and greet whoever has the least name so far."""
        with self.lock:
            self.pages = self.pages + 1
            self.name = name if self.name == "" or name < self.name else self.name
            return "Hello, " + self.name


class Exchanges(OwnName):
    """Two guests who meet get each other's name."""

    def __init__(self) -> None:
        super().__init__()
        self.guests: tuple[str, ...] = ()

    def page(self, name: str) -> str:
        """Come in and count, then greet whoever came in last."""
        with self.lock:
            self.pages = self.pages + 1
            self.guests = (*self.guests, name)
        with self.lock:
            name, self.guests = self.guests[-1], self.guests[:-1]
        return "Hello, " + name


class OneLock(OwnName):
    """Everything under one lock."""

    def page(self, name: str) -> str:
        """The page of the lesson, one at a time."""
        with self.lock:
            return Shop.page(self, name)


class KeepsTheLock(OwnName):
    """Never gives its lock back to a second guest."""

    def page(self, name: str) -> str:
        """Take it, and count; give it back only to the first guest."""
        self.lock.acquire()
        self.pages = self.pages + 1
        if self.pages > 1:
            self.lock.release()
        return "Hello, " + name


QUIET = "This repair is right in every order. A test that fails on it will be switched off within a week."
PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "Shop": Program(Shop, "broken", "passes-before-the-fix", "It fails in no order that you ask about: then it was "
                    "never seen to fail.", True),
    "OwnName": Program(OwnName, "proved", "fails-after-the-fix", QUIET, True),
    "LosesPages": Program(LosesPages, "broken", "forgets-the-counter",
                          "Here every guest gets the right name, and one page is not counted. Look at the shop, too."),
    "MixesNames": Program(MixesNames, "broken", "forgets-the-names",
                          "Here all pages are counted, and one guest gets the other's name."),
    "GreatestName": Program(GreatestName, "broken", "forgets-the-names", "Here ann gets bob's name, and bob never "
                            "ann's: ask about both."),
    "LeastName": Program(LeastName, "broken", "forgets-the-names", "Here bob gets ann's name, and ann never bob's: ask "
                         "about both."),
    "Exchanges": Program(Exchanges, "broken", "forgets-the-names", "Here both names come, each to the wrong guest."),
    "OneLock": Program(OneLock, "proved", "fails-after-the-fix", QUIET),
    "KeepsTheLock": Program(KeepsTheLock, "deadlock", "deadlock-has-a-name",
                            "Here a guest can wait for ever. The explorer has a word of its own for that: pass it on."),
})


class RegressionTest(AsksTheExplorer):
    """The answer is regression(shop) -> "proved", "broken" or "deadlock"."""

    id = "10.4"
    title = "The test that fails first"
    answer = "regression"
    minutes = 12
    difficulty = 2
    points = 3.0
    expects = "a function"
    seconds = 20.0
    programs = PROGRAMS
    praise = "It fails on each broken shop, and on no repaired one."


EXERCISE = RegressionTest()

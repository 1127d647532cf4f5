"""Exercise 09.6: cancel against finish; the explorer is asked whether a request ends exactly once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.asking import AsksTheExplorer, Program
from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import Case

Looks: Any = shown_class(__file__, "Looks")


class Request:
    """A request with a lock, for the kinds below."""

    def __init__(self) -> None:
        self.status, self.released = "running", 0
        self.lock = threading.Lock()

    def end(self, word: str) -> bool:
        """End it, if it still runs."""
        with self.lock:
            if self.status != "running":
                return False
            self.status = word
            self.released += 1
            return True

    def finish(self) -> bool:
        """The server is done."""
        return self.end("done")

    def cancel(self) -> bool:
        """The client has hung up."""
        return self.end("cancelled")


class LocksTheWrite(Request):
    """Looks first, and takes the lock to write."""

    def end(self, word: str) -> bool:
        """End it, if it still ran a moment ago."""
        if self.status != "running":
            return False
        with self.lock:
            self.status = word
            self.released += 1
            return True


class KeepsBlocks(Request):
    """A cancelled request keeps its blocks: the client has gone, what is there to do."""

    def end(self, word: str) -> bool:
        """End it, and give the blocks back if it is done."""
        with self.lock:
            if self.status != "running":
                return False
            self.status = word
            self.released += word == "done"
            return True


class AlwaysYes(Request):
    """The client is told that its request was cancelled, whatever became of it."""

    def cancel(self) -> bool:
        """Cancel, and say yes."""
        super().cancel()
        return True


class LastWord(Request):
    """The one that comes later ends nothing, and writes its word all the same."""

    def end(self, word: str) -> bool:
        """End it, and leave the later word."""
        with self.lock:
            first = self.status == "running"
            self.status = word
            self.released += first
            return first


class GivesWay(Request):
    """Each says that it is coming, and gives way to the other one. Both may."""

    def __init__(self) -> None:
        super().__init__()
        self.coming: dict[str, bool] = {"done": False, "cancelled": False}

    def end(self, word: str) -> bool:
        """End it, unless the other one is coming."""
        other = "cancelled" if word == "done" else "done"
        self.coming[word] = True
        if self.coming[other]:
            return False
        self.status = word
        self.released += 1
        return True


class FreesTwice(Request):
    """Whoever comes too late tidies up once more."""

    def end(self, word: str) -> bool:
        """End it, and give the blocks back in any case."""
        with self.lock:
            first = self.status == "running"
            self.status = word if first else self.status
            self.released += 1
            return first


class OneTicket(Request):
    """There is one ticket, and whoever gets it ends the request: no lock is needed."""

    def __init__(self) -> None:
        super().__init__()
        self.tickets = ["the only one"]

    def end(self, word: str) -> bool:
        """End it, with the ticket."""
        try:
            self.tickets.pop()
        except IndexError:
            return False
        self.status = word
        self.released += 1
        return True


class KeepsTheLock(Request):
    """Goes away early, with the lock in the hand."""

    def end(self, word: str) -> bool:
        """End it; one that comes too late finds no lock."""
        self.lock.acquire()
        if self.status != "running":
            return False
        self.status = word
        self.released += 1
        return True


AGAIN = ("Looks", "GivesWay")
PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "Looks": Program(Looks, "broken", "calls-it-right", "Both threads look while it runs, and both end it. Start two "
                     "threads on one request, and let the explorer try every order.", True),
    "Locks": Program(Request, "proved", "false-alarm", "In every order one of them ends it, and the other comes too "
                     "late. Is your `never` true of a good ending? There are two.", True),
    "LocksTheWrite": Program(LocksTheWrite, "broken", "calls-it-right", "It looks without the lock, and both may end "
                             "it. Let the explorer try every order."),
    "GivesWay": Program(GivesWay, "broken", "never-neither", "Here both may give way, and nobody ends the request: it "
                        "runs for ever. Exactly one is not the same as not both."),
    "AlwaysYes": Program(AlwaysYes, "broken", "forgets-the-answers", "One of them ends it, but cancel() returns True "
                         "even when the request was done. Look at both answers."),
    "LastWord": Program(LastWord, "broken", "forgets-the-status", "The one that comes too late writes its word. "
                        "Compare `status` with the one that returned True."),
    "KeepsBlocks": Program(KeepsBlocks, "broken", "forgets-the-blocks", "A cancelled request never gives its blocks "
                           "back. Look at `released`, after either ending."),
    "FreesTwice": Program(FreesTwice, "broken", "forgets-the-blocks", "The blocks are given back twice. Look at "
                          "`released`: once is neither never nor twice."),
    "OneTicket": Program(OneTicket, "proved", "false-alarm", "It has no lock in use and needs none: taking the only "
                         "ticket is one step. What does your `never` look at?"),
    "KeepsTheLock": Program(KeepsTheLock, "deadlock", "deadlock-has-a-name", "One of them keeps the lock, and the "
                            "other waits for ever. The explorer has a word of its own for that: pass it on."),
})


class EndedOnce(AsksTheExplorer):
    """The answer is ending_verdict(kind) -> "proved", "broken" or "deadlock"."""

    id = "09.6"
    title = "Ended exactly once"
    answer = "ending_verdict"
    minutes = 12
    difficulty = 2
    points = 3.0
    expects = "a function"
    seconds = 20.0
    programs = PROGRAMS
    praise = "Ten ways to end a request, and your question tells them apart in every order."

    def among(self, case: Case) -> bool:
        """Only a few come again: an answer that keeps something shows it with any of them, and each takes time."""
        return case["program"] in AGAIN


EXERCISE = EndedOnce()

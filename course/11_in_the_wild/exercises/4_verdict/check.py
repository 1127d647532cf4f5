"""Exercise 11.4: the incident of March 2023, asked of the explorer: one connection, two tasks, one may be cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from sharedstate.checks.asking import AsksTheExplorer, Program


class OneAtATime:
    """A lock around each exchange: right, as long as nobody is cancelled."""

    def __init__(self) -> None:
        self.replies: list[str] = []
        self.free = asyncio.Lock()

    async def ask(self, name: str) -> str:
        """Write, wait, read."""
        async with self.free:
            return await self.talk(name)

    async def talk(self, name: str) -> str:
        """The command goes out, the reply comes in."""
        self.replies.append("for " + name)
        await asyncio.sleep(0)
        return self.replies.pop(0)


class Drops(OneAtATime):
    """A connection with an unread reply is opened anew."""

    async def talk(self, name: str) -> str:
        """The same, and whoever is cancelled drops what is there."""
        try:
            return await OneAtATime.talk(self, name)
        except asyncio.CancelledError:
            self.replies = []
            raise


class Shared(OneAtATime):
    """No lock: two commands may be on their way, and the first reply is taken by whoever reads first."""

    async def ask(self, name: str) -> str:
        """Write, wait, read, in the middle of others."""
        self.replies.append("for " + name)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return self.replies.pop(0)


class KeepsTheLock(OneAtATime):
    """The lock is given back after the read. And after a cancellation?"""

    async def ask(self, name: str) -> str:
        """Take the lock, talk, give it back."""
        await self.free.acquire()
        found = await self.talk(name)
        self.free.release()
        return found


class ByName(OneAtATime):
    """Each reply has an address, and nobody needs a lock."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, str] = {}

    async def ask(self, name: str) -> str:
        """Read one's own reply only."""
        self.boxes[name] = "for " + name
        await asyncio.sleep(0)
        return self.boxes.pop(name)


class HurtsAnn(ByName):
    """Whatever comes last on the line is taken for Ann's; Bob has a box of his own."""

    def __init__(self) -> None:
        super().__init__()
        self.line = ""

    async def ask(self, name: str) -> str:
        """Bob's reply is his own, Ann takes what is on the line."""
        self.line = "for " + name
        await asyncio.sleep(0)
        return self.line if name == "ann" else "for " + name


class SkipsOthers(OneAtATime):
    """One at a time, and a reply with another name is thrown away."""

    async def talk(self, name: str) -> str:
        """Read until the reply is one's own."""
        self.replies.append("for " + name)
        await asyncio.sleep(0)
        found = self.replies.pop(0)
        if found != "for " + name:
            found = self.replies.pop(0)
        return found


QUIET = "This connection is right in every order. A test that fails on it will be switched off within a week."
PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "OneAtATime": Program(OneAtATime, "broken", "forgets-the-cancel", "Without a cancellation every order is right. "
                          "Let Ann be cancelled at each of her awaits.", True),
    "Drops": Program(Drops, "proved", "accuses-the-cancelled", "Where Ann was cancelled she has no reply, and that is "
                     "right: her answer is an exception.", True),
    "Shared": Program(Shared, "broken", "one-at-a-time", "Here two tasks at once are enough. Do both ask the same "
                      "connection?"),
    "KeepsTheLock": Program(KeepsTheLock, "deadlock", "deadlock-has-a-name", "Here Bob can wait for ever. The explorer "
                            "has a word of its own for that: pass it on."),
    "ByName": Program(ByName, "proved", "fails-after-the-fix", QUIET),
    "HurtsAnn": Program(HurtsAnn, "broken", "forgets-ann", "Here Bob is right in every order, and Ann can read a reply "
                        "that is not hers. Where she has one, look at it."),
    "SkipsOthers": Program(SkipsOthers, "proved", "fails-after-the-fix", QUIET),
})


class ProveTheConnection(AsksTheExplorer):
    """The answer is verdict(connection) -> "proved", "broken" or "deadlock"."""

    id = "11.4"
    title = "Prove the connection"
    answer = "verdict"
    minutes = 14
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 20.0
    programs = PROGRAMS
    praise = "Every order and every cancellation: nobody reads a stranger's reply."


EXERCISE = ProveTheConnection()

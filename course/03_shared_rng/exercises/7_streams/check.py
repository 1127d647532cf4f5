"""Exercise 03.7: does each unit draw its own numbers, in every order? The explorer is asked."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping
from types import MappingProxyType

from sharedstate.checks.asking import AsksTheExplorer, Program

MASK = 0xFFFF


class ByHand:
    """One state for all units, changed in several steps."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def draw(self, unit: int) -> int:
        """Return the next number, whoever asks."""
        state = self.state
        self.state = (state * 25_173 + 13_849) & MASK
        return state


class OwnCups:
    """A generator for each unit."""

    def __init__(self, seed: int) -> None:
        self.cups = [random.Random(f"{seed}:{unit}") for unit in range(2)]

    def draw(self, unit: int) -> int:
        """Return the unit's next number."""
        return self.cups[unit].getrandbits(16)


class LockedCup:
    """One generator for all units, one draw at a time."""

    def __init__(self, seed: int) -> None:
        self.cup, self.lock = random.Random(seed), threading.Lock()

    def draw(self, unit: int) -> int:
        """Return the next number, whoever asks."""
        with self.lock:
            return self.cup.getrandbits(16)


class OwnBeginning:
    """The first number is the unit's own; after that all draw from one generator."""

    def __init__(self, seed: int) -> None:
        self.firsts, self.rest = [seed + 1, seed + 2], random.Random(seed)

    def draw(self, unit: int) -> int:
        """Return the unit's own number once, then the next of all."""
        first, self.firsts[unit] = self.firsts[unit], 0
        return first or self.rest.getrandbits(16)


class Counters:
    """No generator: a number is a function of seed, unit and place, and each unit counts its own places."""

    def __init__(self, seed: int) -> None:
        self.seed, self.places = seed, [0, 0]

    def draw(self, unit: int) -> int:
        """Return number k of this unit."""
        place = self.places[unit]
        self.places[unit] = place + 1
        return (self.seed * 48_271 + unit * 7_919 + place * 104_729) & MASK


class KeepsTheLock(LockedCup):
    """Gives its lock back to nobody."""

    def draw(self, unit: int) -> int:
        """Take the lock for good."""
        self.lock.acquire()
        return self.cup.getrandbits(16)


OWN = "Here each unit gets its own numbers in every order. What do you compare with?"
PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "ByHand": Program(ByHand, "broken", "calls-it-right", "Two units share one state. Start two threads that draw, and "
                      "let the explorer try every order.", True),
    "OwnCups": Program(OwnCups, "proved", "false-alarm", OWN, True),
    "LockedCup": Program(LockedCup, "broken", "sorts-away", "No number is lost and none comes twice, but who gets "
                         "which one depends on the order. Compare unit by unit."),
    "OwnBeginning": Program(OwnBeginning, "broken", "one-draw", "The first number of each unit is its own, the second "
                            "is not. Let each unit draw more than once."),
    "Counters": Program(Counters, "proved", "false-alarm", OWN),
    "KeepsTheLock": Program(KeepsTheLock, "deadlock", "deadlock-has-a-name", "A unit can wait for ever. Pass on the "
                            "explorer's own word for that."),
})


class ProveTheStreams(AsksTheExplorer):
    """The answer is streams_verdict(streams) -> "proved", "broken" or "deadlock"."""

    id = "03.7"
    title = "Prove the streams"
    answer = "streams_verdict"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 20.0
    programs = PROGRAMS
    praise = "Six ways to draw, and your question tells them apart in every order."


EXERCISE = ProveTheStreams()

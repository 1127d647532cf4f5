"""A learner's file: the same counter without its lock, and two locks in opposite order."""

import threading

from sharedstate.interleave import Scenario


class Counter:
    def __init__(self):
        self.n = 0

    def add(self):
        self.n += 1


class Desk:
    def __init__(self):
        self.pen = threading.Lock()
        self.paper = threading.Lock()

    def write(self):
        with self.pen, self.paper:
            pass

    def draw(self):
        with self.paper, self.pen:
            pass


def make_counter():
    return Scenario(
        setup=Counter,
        threads={"ann": lambda counter: counter.add(), "ben": lambda counter: counter.add()},
        never=lambda counter, answers: counter.n != 2,
    )


def with_help(counter, times=1):
    for _ in range(times):
        counter.add()


def wrong():
    return Scenario(Counter, {"ann": with_help}).explore()


def breaks():
    return Scenario(Counter, {"ann": None})


desk = Scenario(setup=Desk, threads={"ann": lambda desk: desk.write(), "ben": lambda desk: desk.draw()})

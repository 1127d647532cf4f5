"""A learner's file: a counter behind a lock."""

import threading

from helper_beside import START

from sharedstate.interleave import Scenario

print("this file talks while it is imported")


class Counter:
    def __init__(self):
        self.lock = threading.Lock()
        self.n = START

    def add(self):
        with self.lock:
            self.n += 1


room = Scenario(
    setup=Counter,
    threads={"ann": lambda counter: counter.add(), "ben": lambda counter: counter.add()},
    never=lambda counter, answers: counter.n != START + 2,
)

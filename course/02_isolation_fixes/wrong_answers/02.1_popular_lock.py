# exercise: 02.1
# reason: localises-too
# passes the visible example: no
# story: the popular repair: a lock, and a local variable beside it
import threading
from dataclasses import dataclass

class Locked:
    def __init__(self, correct):
        self.correct, self.lock = correct, threading.Lock()

    def check(self, candidate):
        with self.lock:
            word = candidate
            return word == self.correct


class OwnWord:
    def __init__(self, correct):
        self.correct = correct

    def check(self, candidate):
        return candidate == self.correct


class OwnThread:
    def __init__(self, correct):
        self.correct, self.mine = correct, threading.local()

    def check(self, candidate):
        self.mine.word = candidate
        return self.mine.word == self.correct


@dataclass(frozen=True)
class Fixed:
    correct: str

    def check(self, candidate):
        return candidate == self.correct

fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

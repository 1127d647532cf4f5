# exercise: 02.1
# reason: localises-too
# passes the visible example: no
# story: a lock round a diary, and the word in a local variable
import threading
from dataclasses import dataclass


class Locked:
    def __init__(self, correct):
        self.correct, self.visits, self.lock = correct, 0, threading.Lock()

    def check(self, candidate):
        with self.lock:
            self.visits += 1
        return candidate == self.correct


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

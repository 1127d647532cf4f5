# exercise: 02.1
# reason: still-races
# passes the visible example: no
# story: does not wait for the lock: who finds it taken is refused
import threading
from dataclasses import dataclass


class Locked:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result, self.lock = correct, "", False, threading.Lock()

    def check(self, candidate):
        if not self.lock.acquire(blocking=False):
            return False
        try:
            self.input_buffer = candidate
            self.result = self.input_buffer == self.correct
            return self.result
        finally:
            self.lock.release()


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

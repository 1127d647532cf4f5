# exercise: 02.1
# reason: lock-stays
# passes the visible example: no
# story: gives the lock back by hand, and not when the comparison raises
import threading
from dataclasses import dataclass


class Locked:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result, self.lock = correct, "", False, threading.Lock()

    def check(self, candidate):
        self.lock.acquire()
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        answer = self.result
        self.lock.release()
        return answer


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

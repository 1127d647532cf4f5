# exercise: 02.1
# reason: no-thread-local
# passes the visible example: yes
# story: makes a new threading.local in every call, and keeps none
import threading
from dataclasses import dataclass

class Locked:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result, self.lock = correct, "", False, threading.Lock()

    def check(self, candidate):
        with self.lock:
            self.input_buffer = candidate
            self.result = self.input_buffer == self.correct
            return self.result


class OwnWord:
    def __init__(self, correct):
        self.correct = correct

    def check(self, candidate):
        return candidate == self.correct


class OwnThread:
    def __init__(self, correct):
        self.correct = correct

    def check(self, candidate):
        mine = threading.local()
        mine.word = candidate
        return mine.word == self.correct


@dataclass(frozen=True)
class Fixed:
    correct: str

    def check(self, candidate):
        return candidate == self.correct

fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

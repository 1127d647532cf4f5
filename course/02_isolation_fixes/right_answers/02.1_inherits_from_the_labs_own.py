# exercise: 02.1
# mechanism: inherits from the lab's Racy
import threading
from typing import NamedTuple


class Locked(Racy):
    lock = threading.Lock()

    def check(self, candidate):
        with self.lock:
            return super().check(candidate)


class OwnWord(Racy):
    def check(self, candidate):
        buffer = candidate
        result = buffer == self.correct
        return result


class OwnThread:
    def __init__(self, correct):
        self.correct = correct
        self.local = threading.local()

    def check(self, candidate):
        mine = self.local
        mine.input_buffer = candidate
        mine.result = mine.input_buffer == self.correct
        return mine.result


class Fixed(NamedTuple):
    correct: str

    def check(self, candidate):
        return candidate == self.correct


fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

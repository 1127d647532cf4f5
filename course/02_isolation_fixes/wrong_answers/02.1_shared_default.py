# exercise: 02.1
# reason: still-races
# passes the visible example: yes
# story: hides the word in a default argument that all calls share
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

    def check(self, candidate, word=[""]):
        word[0] = candidate
        return word[0] == self.correct


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

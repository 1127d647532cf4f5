# exercise: 02.1
# mechanism: acquire and release, a variable, two thread-local fields, a class that refuses
import threading
from dataclasses import dataclass

class Locked:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result = correct, "", False
        self.door = threading.RLock()

    def check(self, candidate):
        self.door.acquire()
        try:
            self.input_buffer = candidate
            self.result = self.input_buffer == self.correct
            return self.result
        finally:
            self.door.release()


class OwnWord:
    def __init__(self, correct):
        self.correct = correct

    def check(self, candidate):
        word = candidate
        answer = word == self.correct
        return answer


class OwnThread:
    def __init__(self, correct):
        self.correct, self.fields = correct, threading.local()

    def check(self, candidate):
        self.fields.input_buffer = candidate
        self.fields.result = self.fields.input_buffer == self.correct
        return self.fields.result


@dataclass(frozen=True, slots=True)
class Fixed:
    correct: str

    def check(self, candidate):
        word = candidate
        return word == self.correct

fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

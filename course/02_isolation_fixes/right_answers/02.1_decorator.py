# exercise: 02.1
# mechanism: a decorator takes the lock; a tuple that cannot be written
import threading


def locked(method):
    def inner(self, *given):
        with self.lock:
            return method(self, *given)

    return inner


class Locked:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result, self.lock = correct, "", False, threading.Lock()

    @locked
    def check(self, candidate):
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result


class OwnWord:
    def __init__(self, correct):
        self.correct = correct

    @staticmethod
    def same(one, two):
        return one == two

    def check(self, candidate):
        words = [candidate, self.correct]
        return self.same(*words)


class Words(threading.local):
    def __init__(self):
        self.input_buffer, self.result = "", False


class OwnThread:
    def __init__(self, correct):
        self.correct, self.words = correct, Words()

    def check(self, candidate):
        words = self.words
        words.input_buffer = candidate
        words.result = words.input_buffer == self.correct
        return words.result


class Fixed(tuple):
    __slots__ = ()

    def __new__(cls, correct):
        return super().__new__(cls, (correct,))

    def check(self, candidate):
        return candidate == self[0]


fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

# exercise: 02.1
# mechanism: a semaphore of one; a helper; a property; a subclass of str
import threading


class Locked:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result, self.lock = correct, "", False, threading.Semaphore(1)

    def check(self, candidate):
        with self.lock:
            self.input_buffer = candidate
            self.result = self.input_buffer == self.correct
            return self.result


def same(one, two):
    return one == two


class OwnWord:
    def __init__(self, correct):
        self.correct = correct

    def check(self, candidate):
        return same(candidate, self.correct)


class OwnThread:
    def __init__(self, correct):
        self.correct, self.mine = correct, threading.local()

    @property
    def word(self):
        return self.mine.word

    @word.setter
    def word(self, value):
        self.mine.word = value

    def check(self, candidate):
        self.word = candidate
        return self.word == self.correct


class Fixed:
    def __init__(self, correct):
        super().__setattr__("correct", correct)

    def __setattr__(self, *_):
        raise PermissionError

    def check(self, candidate):
        return candidate == self.correct


fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

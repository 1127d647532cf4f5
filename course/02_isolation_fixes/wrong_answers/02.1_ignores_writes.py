# exercise: 02.1
# reason: can-be-written
# passes the visible example: yes
# story: ignores whoever writes, without a word
import threading


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
        self.correct, self.mine = correct, threading.local()

    def check(self, candidate):
        self.mine.word = candidate
        return self.mine.word == self.correct


class Fixed:
    def __init__(self, correct):
        self.__dict__["correct"] = correct

    def __setattr__(self, name, value):
        pass

    def check(self, candidate):
        return candidate == self.correct


fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

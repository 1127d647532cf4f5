# exercise: 02.1
# reason: missing
# passes the visible example: yes
# story: leaves the last repair out
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


fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread}

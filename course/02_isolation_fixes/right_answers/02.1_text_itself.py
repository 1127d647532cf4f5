# exercise: 02.1
# mechanism: a text is its own passcode
import threading


class Locked:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result, self.lock = correct, "", False, threading.Lock()

    def _compare(self, candidate):
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result

    def check(self, candidate):
        with self.lock:
            return self._compare(candidate)


class OwnWord:
    def __init__(self, correct):
        self.correct = correct

    def check(self, candidate):
        def same():
            return candidate == self.correct

        return same()


class OwnThread:
    def __init__(self, correct):
        self.correct = correct
        self.mine = threading.local()

    def check(self, candidate):
        setattr(self.mine, "word", candidate)
        return getattr(self.mine, "word") == self.correct


class Fixed(str):
    __slots__ = ()

    def check(self, candidate):
        return str(self) == candidate


fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

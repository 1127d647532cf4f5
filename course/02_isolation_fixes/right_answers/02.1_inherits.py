# exercise: 02.1
# mechanism: inherits from the racy class and wraps its check
import threading


class Racy:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result = correct, "", False

    def check(self, candidate):
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result


class Locked(Racy):
    def __init__(self, correct):
        super().__init__(correct)
        self.lock = threading.Lock()

    def check(self, candidate):
        with self.lock:
            return super().check(candidate)


class OwnWord:
    def __init__(self, correct):
        self.correct = correct

    def check(self, candidate):
        return (lambda word: word == self.correct)(candidate)


class Mine(threading.local):
    word = ""


class OwnThread:
    __slots__ = ("correct", "mine")

    def __init__(self, correct):
        self.correct, self.mine = correct, Mine()

    def check(self, candidate):
        self.mine.word = candidate
        return self.mine.word == self.correct


class Fixed:
    __slots__ = ("correct",)

    def __init__(self, correct):
        object.__setattr__(self, "correct", correct)

    def __setattr__(self, name, value):
        raise RuntimeError("nobody writes here")

    def check(self, candidate):
        return candidate == self.correct


fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}

"""Right answers to exercise 02.1, each by another mechanism."""

# %% acquire and release, a variable, two thread-local fields, a class that refuses
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

# %% a decorator takes the lock; a tuple that cannot be written
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

# %% a with statement, an argument, a threading.local, a frozen dataclass
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

# %% inherits from the racy class and wraps its check
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

# %% inherits from the lab's Racy
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

# %% a semaphore of one; a helper; a property; a subclass of str
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

# %% a text is its own passcode
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

# %% fills the dict in a loop, with a reentrant lock taken by hand
import threading
from dataclasses import dataclass


class Guarded(Racy):
    def __init__(self, correct):
        self.gate = threading.RLock()
        super().__init__(correct)

    def check(self, candidate):
        self.gate.acquire()
        try:
            self.input_buffer = candidate
            self.result = self.input_buffer == self.correct
            return self.result
        finally:
            self.gate.release()


class Plain(Racy):
    def check(self, candidate):
        word = candidate
        return word == self.correct


class Mine:
    def __init__(self, correct):
        self.correct, self.own = correct, threading.local()

    def check(self, candidate):
        self.own.word = candidate
        self.own.same = self.own.word == self.correct
        return self.own.same


@dataclass(frozen=True)
class Frozen:
    correct: str

    def check(self, candidate):
        return candidate == self.correct


fixes = {}
for way, kind in (("lock", Guarded), ("local", Plain), ("thread-local", Mine), ("immutable", Frozen)):
    fixes[way] = kind
for way in fixes:
    print(way, fixes[way]("s3cret").check("guess"))

# %% a decorator enters each class in the dict
import threading
from typing import NamedTuple

fixes = {}


def repairs(way):
    def enter(kind):
        fixes[way] = kind
        return kind
    return enter


@repairs("lock")
class A(Racy):
    def __init__(self, correct):
        super().__init__(correct)
        self.lock = threading.Lock()

    def check(self, candidate):
        with self.lock:
            return super().check(candidate)


@repairs("local")
class B(Racy):
    def check(self, candidate):
        return candidate == self.correct


@repairs("thread-local")
class C:
    def __init__(self, correct):
        self.correct, self.mine = correct, threading.local()

    def check(self, candidate):
        self.mine.word = candidate
        return self.mine.word == self.correct


@repairs("immutable")
class D(NamedTuple):
    correct: str

    def check(self, candidate):
        return candidate == self.correct


assert set(fixes) == {"lock", "local", "thread-local", "immutable"}

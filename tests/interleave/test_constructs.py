"""The Python that learners write: rewritten code does exactly what the original does, on both back ends."""

from __future__ import annotations

import collections
import functools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from sharedstate.interleave import Scenario
from sharedstate.interleave.access.registry import digest
from sharedstate.interleave.execution import freeze

TOTAL = 0


class Base:
    """A parent with a hook."""

    kind = "base"
    made = 0

    def __init__(self, n: int = 0) -> None:
        self.n = n
        self.__secret = 5

    def step(self, by: int = 1, *, times: int = 1) -> int:
        self.n += by * times
        return self.n

    def secret(self) -> int:
        self.__secret += 1
        return self.__secret

    @property
    def double(self) -> int:
        return self.n * 2

    @double.setter
    def double(self, value: int) -> None:
        self.n = value // 2

    @classmethod
    def count(cls) -> int:
        cls.made = cls.made + 1
        return cls.made

    @staticmethod
    def plus(a: int, b: int) -> int:
        return a + b


class Child(Base):
    """A child that extends it."""

    kind = "child"

    def __init__(self, n: int = 1) -> None:
        super().__init__(n)
        self.items = [1, 2, 3]
        self.table = {"a": 1, "b": 2}
        self.names = {"x"}
        self.queue = collections.deque([1])
        self.lock = threading.Lock()
        self.rlock = threading.RLock()
        self.flag = threading.Event()
        self.other = Base(7)
        self.callback = lambda x: x + 1

    def step(self, by: int = 1, *, times: int = 1) -> int:
        return super().step(by, times=times) + 100

    def __enter__(self) -> Child:
        self.n += 1
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> bool:
        self.n += 10
        return kind is KeyError

    def __getitem__(self, key: int) -> int:
        return self.items[key]

    def __contains__(self, key: int) -> bool:
        return key in self.items

    def __call__(self, x: int) -> int:
        self.n += x
        return self.n

    def __iter__(self) -> Iterator[int]:
        return iter(self.items)


@dataclass
class Record:
    """A dataclass."""

    size: int = 0
    tags: list = field(default_factory=list)

    def grow(self) -> int:
        self.size += 1
        self.tags.append(self.size)
        return len(self.tags)


class Slotted:
    """A class with slots."""

    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a, self.b = 1, 2


def attributes(s: Child) -> Any:
    s.a = s.b = 3
    s.c, (s.d, *s.e) = 1, (2, 3, 4)
    s.other.n += 1
    s.n -= s.other.n
    del s.a
    return s.b, s.c, s.d, s.e, hasattr(s, "a"), s.kind


def annotated(s: Child) -> int:
    s.extra: int = 4
    local: int
    local = s.extra
    return local


def augmented(s: Child) -> Any:
    s.items += [4]
    s.table["a"] += 10
    s.items[0] **= 2
    x = [1]
    x += s.items
    x *= 2
    n = 1
    n <<= 3
    return x, n


def subscripts(s: Child) -> Any:
    s.items[1] = s.items[0] + s.items[-1]
    s.table["c"] = s.items[1:]
    s.items[0:1] = [9, 9]
    del s.table["b"], s.items[0]
    return s.items, s.table, s.items[::2]


def containers(s: Child) -> Any:
    s.items.append(5)
    s.names.add("y")
    s.queue.appendleft(0)
    got = s.table.setdefault("z", 0), s.table.get("q"), s.items.pop(), s.queue.pop()
    return got, len(s.items), 2 in s.items, 3 not in s.items, "a" in s.table, sorted(s.names), sum(s.items)


def loops(s: Child) -> Any:
    seen = []
    for x in s.items:
        if x == 2:
            continue
        seen.append(x)
    else:
        seen.append("else")
    for key, value in s.table.items():
        seen.append((key, value))
        if key == "a":
            break
    else:
        seen.append("never")
    for i in range(3):
        for j in (1, 2):
            if j == 2:
                break
            seen.append(i * j)
    for s.index in range(2):
        pass
    return seen, s.index


def loop_in_loop_else(s: Child) -> Any:
    found = []
    for a in s.items:
        for b in [1, 2]:
            if a == b:
                break
        else:
            found.append(a)
            continue
        found.append(-a)
    return found


def whiles(s: Child) -> Any:
    while s.n < 5:
        s.n += 1
        if s.n == 4:
            break
    else:
        s.n = 100
    k = 0
    while k < 3:
        k += 1
    else:
        k = 10
    return s.n, k


def comprehensions(s: Child) -> Any:
    a = [x * s.n for x in s.items if x != s.other.n]
    b = {x for x in s.items}  # noqa: C416 - the comprehension is what is tested
    c = {k: [v + y for y in s.items] for k, v in s.table.items()}
    d = [(x, y) for x in s.items for y in range(x) if y]
    return a, b, c, d


def consumers(s: Child) -> Any:
    joined = "".join(str(x) for x in s.items)
    return sum(x for x in s.items), any(x > s.n for x in s.items), all(x > s.n for x in s.items), joined, max(
        x for x in s.items
    )


def calls(s: Child) -> Any:
    more = {"times": 2}
    args = (3,)
    return s.step(), s.step(2), s.step(by=1, times=3), s.step(*args, **more), Base.step(s, 5), Child.plus(1, 2)


def private(s: Child) -> int:
    return s.secret() + s.secret()


def properties(s: Child) -> Any:
    s.double = 20
    s.double += 2
    return s.double, s.n


def class_methods(s: Child) -> Any:
    Base.made = 0
    return Base.count(), s.kind, type(s).kind, s.plus(2, 3), Child.kind


def closures(s: Child) -> Any:
    total = 0

    def add(x: int, factor: int = s.n) -> int:
        nonlocal total
        total += x * factor
        s.n += 1
        return total

    twice = lambda x: add(add(x))  # noqa: E731
    return add(1), twice(2), total, s.n


def decorated(s: Child) -> Any:
    def loud(function: Callable) -> Callable:
        @functools.wraps(function)
        def inner(*args: Any, **kw: Any) -> str:
            s.n += 1
            return f"{function(*args, **kw)}!"

        return inner

    @loud
    def name(x: int) -> int:
        return x + s.n

    return name(1), name(2)


def partials(s: Child) -> Any:
    bound = s.step
    return functools.partial(s.step, times=2)(3), bound(1), s.callback(4), s(5)


def exceptions(s: Child) -> Any:
    log = []
    try:
        s.table["missing"]
    except (ValueError, KeyError) as error:
        log.append(str(error))
    else:
        log.append("no")
    finally:
        s.n += 1
    try:
        try:
            raise ValueError(s.n)
        finally:
            s.n = 50
    except ValueError as error:
        log.append(error.args)
    try:
        s.nothing  # noqa: B018
    except AttributeError:
        log.append("no attribute")
    return log, s.n


def return_in_finally(s: Child) -> Any:
    def early() -> int:
        for x in s.items:
            try:
                if x == 2:
                    return s.n
            finally:
                s.n += 1
        return -1

    return early(), s.n


def reraised(s: Child) -> Any:
    def inner() -> None:
        try:
            s.items[99]
        except IndexError:
            s.n += 1
            raise

    try:
        inner()
    except IndexError as error:
        return str(error), s.n


def managers(s: Child) -> Any:
    with s as me, s.lock:
        me.n += 5
    with s:
        raise KeyError("swallowed")
    with s.rlock, s.rlock:
        s.n += 1
    return s.n, s.lock.locked()


def locks(s: Child) -> Any:
    got = s.lock.acquire()
    again = s.lock.acquire(blocking=False)
    s.lock.release()
    return got, again, s.lock.locked()


def events(s: Child) -> Any:
    s.flag.set()
    return s.flag.wait(), s.flag.is_set()


def thread_locals(s: Child) -> Any:
    own = threading.local()
    own.x = 1
    own.x += 1
    missing = hasattr(own, "y")
    del own.x
    return missing, hasattr(own, "x")


def special_methods(s: Child) -> Any:
    return s[0], 2 in s, [x for x in s], s(3)  # noqa: C416 - iteration is what is tested


def objects(s: Child) -> Any:
    made = Child(4)
    made.n += 1
    record = Record(2)
    record.grow()
    slotted = Slotted()
    slotted.a += slotted.b
    s.made_here = made
    s.made_here.n += 1
    return made.n, record.size, record.grow(), slotted.a


def global_variable(s: Child) -> int:
    global TOTAL
    TOTAL = 5
    TOTAL += s.n
    return TOTAL


def conditional(s: Child) -> Any:
    a = s.n if s.n > 3 else s.other.n
    b = (s.n and s.items) or s.table
    c = not s.n
    if (d := s.other.n) > 3:
        a += d
    return a, b, c, d, s.n < s.other.n < 10


def strings(s: Child) -> Any:
    assert s.n, f"{s.n} is wrong"
    return f"{s.n:>3} {s.other.n!r}", "{}".format(s.n), "x".join(["a", "b"])  # noqa: UP032


def fields_by_name(s: Child) -> Any:
    setattr(s, "n", 8)  # noqa: B010
    setattr(s, "w", getattr(s, "n") + 1)  # noqa: B009, B010
    delattr(s, "w")
    return getattr(s, "w", "default"), hasattr(s, "n")


def matches(s: Child) -> str:
    match s.n:
        case 1:
            s.n = 3
            return "one"
        case _:
            return "other"


def recursion(s: Child) -> int:
    def down(k: int) -> int:
        s.n += 1
        return 0 if k == 0 else 1 + down(k - 1)

    return down(20)


def starred(s: Child) -> Any:
    def gather(first: int, /, *rest: int, last: int = 0, **named: int) -> Any:
        return first, rest, last, named, s.n

    return gather(1, *s.items, last=s.n, **s.table)


def generator_function(s: Child) -> int:
    def numbers() -> Iterator[int]:
        for x in s.items:
            yield x + s.n

    return sum(numbers())


def kept_generator(s: Child) -> list:
    lazy = (x + s.n for x in s.items)
    return list(lazy)


CONSTRUCTS = [
    attributes, annotated, augmented, subscripts, containers, loops, loop_in_loop_else, whiles, comprehensions,
    consumers, calls, private, properties, class_methods, closures, decorated, partials, exceptions,
    return_in_finally, reraised, managers, locks, events, thread_locals, special_methods, objects, global_variable,
    conditional, strings, fields_by_name, matches, recursion, starred, generator_function, kept_generator,
]  # fmt: skip


@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda f: f.__name__)
def test_rewritten_code_does_the_same(construct: Callable) -> None:
    state = Child()
    answer = construct(state)
    scenario = Scenario(setup=Child, threads={"a": construct})
    trace = scenario.play(["a*"])
    assert freeze(trace.answers["a"]) == freeze(answer)
    assert trace.steps, "no switch point"
    assert trace.confirmed
    run, _ = scenario._engine.follow([0] * len(trace.schedule))
    assert digest(run.state) == digest(state)

"""What threads do to shared state where no step is seen: the result is that of the code, in every search.

Each program has something shared that one thread changes and another one looks at without a step. Learned, an outcome
would be lost: the last test shows it.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import threading
import types
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import till
from test_learned import PLANS, by_code, counting, same

from sharedstate.interleave import Scenario, learned
from sharedstate.interleave.run import SimThread

SHORT = {"strategy": "random", "executions": 3, "seed": 5}


class Box:
    """State with a few fields, an object in one of them, and a lock."""

    kind = "x"

    def __init__(self, **more: Any) -> None:
        self.n = self.m = 0
        self.flag, self.name, self.inner = False, "a", None
        self.lock = threading.Lock()
        for name, value in more.items():
            setattr(self, name, value)


def sets(box: Box) -> None:
    """Two other steps around the one that matters."""
    box.m = 1
    box.n = 5


def up(box: Box) -> None:
    """One more."""
    box.n += 1


def room(look: Callable, change: Callable = sets, setup: Callable = Box, **more: Any) -> Scenario:
    """One thread that looks, one that changes."""
    return Scenario(setup=setup, threads={"look": look, "change": change}, **more)


# -- an object that the run does not know ------------------------------------------------------------------


def fresh_till() -> Box:
    """The module as at the beginning."""
    till.reset()
    return Box()


def of_a_module() -> Scenario:
    def change(box: Box) -> None:
        box.m = 1
        till.total += 1
        box.n = 1

    def look(box: Box) -> int:
        box.flag = True
        return till.total

    return room(look, change, fresh_till)


def list_of_a_module() -> Scenario:
    def change(box: Box) -> None:
        box.m = 1
        till.slips.append(1)
        box.n = 1

    def look(box: Box) -> int:
        box.flag = True
        return len(till.slips)

    return room(look, change, fresh_till)


def object_of_a_module() -> Scenario:
    def change(box: Box) -> None:
        box.m = 1
        till.drawer.n = 1
        box.n = 1

    def look(box: Box) -> int:
        box.flag = True
        return till.drawer.n

    return room(look, change, fresh_till)


def of_the_environment() -> Scenario:
    def setup() -> Box:
        os.environ["TILL"] = "0"
        return Box()

    def change(box: Box) -> None:
        box.m = 1
        os.environ["TILL"] = "1"
        box.n = 1

    def look(box: Box) -> str:
        box.flag = True
        return os.environ["TILL"]

    return room(look, change, setup)


class Desk:
    """Its methods are the threads' bodies."""

    def __init__(self) -> None:
        self.k = 0

    def change(self, box: Box) -> None:
        """A field of its own, in the middle."""
        box.m = 1
        self.k = 1
        box.n = 1

    def look(self, box: Box) -> int:
        """The field of its own."""
        box.flag = True
        return self.k


def methods_as_bodies() -> Scenario:
    desk = Desk()

    def setup() -> Box:
        desk.k = 0
        return Box()

    return room(desk.look, desk.change, setup)


def default_list() -> Scenario:
    class Shop(Box):
        def add(self, seen: list = [0]) -> int:  # noqa: B006 - one list for all is the point
            self.m = 1
            seen[0] += 1
            self.n = 1
            return seen[0]

    def setup() -> Shop:
        Shop.add.__defaults__[0][0] = 0
        return Shop()

    return room(lambda shop: shop.add(), lambda shop: shop.add(), setup)


def captured_list() -> Scenario:
    seen: list[int] = []

    class Shop(Box):
        @staticmethod
        def add(shop: Box) -> int:
            shop.m = 1
            seen.append(1)
            shop.n = 1
            return len(seen)

    def setup() -> Shop:
        seen.clear()
        return Shop()

    return room(lambda shop: shop.add(shop), lambda shop: shop.add(shop), setup)


def shared_iterator() -> Scenario:
    def take(box: Box) -> int:
        box.n = 1
        for number in box.numbers:
            return number
        return -1

    return room(take, take, lambda: Box(numbers=itertools.count()))


class Only(type):
    """Makes one object of each class."""

    def __call__(cls) -> Any:
        if cls not in MADE:
            MADE[cls] = super().__call__()
        return MADE[cls]


MADE: dict[type, Any] = {}


class Single(metaclass=Only):
    """The one."""

    def __init__(self) -> None:
        self.n = 0


def made_by_a_metaclass() -> Scenario:
    def setup() -> Box:
        MADE.clear()
        return Box()

    def change(box: Box) -> None:
        box.m = 1
        Single().n = 5
        box.n = 1

    def look(box: Box) -> int:
        box.flag = True
        return Single().n

    return room(look, change, setup)


# -- a read that nobody sees -------------------------------------------------------------------------------


class Shown(types.SimpleNamespace):
    """Compared by its fields, in C."""


def namespace(make: Callable = types.SimpleNamespace) -> Scenario:
    other = make(n=5, m=1, flag=True)

    def look(box: Any) -> bool:
        box.flag = True
        return box == other

    return room(look, setup=lambda: make(n=0, m=0, flag=False))


def own_namespace() -> Scenario:
    return namespace(Shown)


def library_namespace() -> Scenario:
    return namespace(argparse.Namespace)


def formatted() -> Scenario:
    def look(box: Box) -> str:
        box.flag = True
        return "{0[0].n}".format([box])  # noqa: UP030, UP032 - an f-string would show the read

    return room(look)


def two_boxes() -> Box:
    """A box with another one in it."""
    return Box(inner=Box(name="b", n=3))


def sorted_by_a_getter() -> Scenario:
    def look(box: Box) -> str:
        both = [box, box.inner]
        box.flag = True
        return sorted(both, key=till.COUNT)[0].name

    return room(look, setup=two_boxes)


class Count:
    """A function with a class."""

    def __call__(self, box: Box) -> int:
        return box.n


def the_largest_by_an_object() -> Scenario:
    def look(box: Box) -> str:
        both = [box, box.inner]
        box.flag = True
        return max(both, key=Count()).name

    return room(look, setup=two_boxes)


def printed_to_an_object() -> Scenario:
    class Paper:
        def __init__(self, box: Box) -> None:
            self.box, self.text = box, ""

        def write(self, text: str) -> None:
            self.text += str(self.box.n)

    def look(box: Box) -> str:
        paper = Paper(box)
        box.flag = True
        print("x", file=paper, end="")
        return paper.text

    return room(look)


def of_the_base() -> Scenario:
    class Base(Box):
        @property
        def count(self) -> int:
            return self.n

    class Shop(Base):
        def look(self) -> int:
            self.flag = True
            return super().count

    return room(lambda shop: shop.look(), setup=Shop)


def error_that_reads() -> Scenario:
    def make(box: Box) -> type:
        class Wrong(Exception):
            def __init__(self) -> None:
                super().__init__(f"{box.n}")

        return Wrong

    def look(box: Box) -> str:
        wrong = make(box)
        box.flag = True
        try:
            raise wrong()
        except wrong as error:
            return str(error)

    return room(look)


def imported_on_the_way() -> Scenario:
    def change(box: Box) -> None:
        from till import slips

        box.m = 1
        slips.append(1)
        box.n = 1

    def look(box: Box) -> int:
        from till import slips

        box.flag = True
        return len(slips)

    return room(look, change, fresh_till)


def one_object_or_two() -> Scenario:
    def change(box: Box) -> None:
        text = "".join(["ab", "c"])
        box.n = text
        box.m = text

    def again(box: Box) -> None:
        box.m = "".join(["ab", "c"])

    threads = {"change": change, "again": again, "look": lambda box: box.n is box.m}
    return Scenario(setup=Box, threads=threads)


FOREIGN = (
    of_the_environment, methods_as_bodies, made_by_a_metaclass, formatted, the_largest_by_an_object,
    printed_to_an_object, of_the_base, error_that_reads, imported_on_the_way, one_object_or_two,
)  # fmt: skip
UNCLEAR = (
    of_a_module, list_of_a_module, object_of_a_module, sorted_by_a_getter, captured_list, default_list,
    shared_iterator, namespace, own_namespace, library_namespace,
)  # fmt: skip


@pytest.mark.parametrize("make", [*FOREIGN, *UNCLEAR], ids=lambda make: make.__name__)
def test_what_is_not_seen_is_not_learned(make: Callable[[], Scenario]) -> None:
    same(make, (*PLANS[:3], SHORT))
    with counting() as seen:
        make().explore("all")
    assert seen["refused"]
    assert not seen["played"]


@pytest.mark.parametrize("make", FOREIGN, ids=lambda make: make.__name__)
def test_without_the_refusal_the_result_would_be_another(
    make: Callable[[], Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_code():
        code = make().explore("all").counts
    monkeypatch.setattr(SimThread, "foreign", property(lambda self: 0, lambda self, value: None))
    assert make().explore("all").counts != code


# -- ends whose values do not tell all ---------------------------------------------------------------------


def new_fields() -> Scenario:
    """In which order they were made shows."""
    names = lambda box: list(vars(box))  # noqa: E731
    return room(lambda box: setattr(box, "x", 1), lambda box: setattr(box, "y", 1), observe=names)


def hidden_class_field() -> Scenario:
    names = lambda box: list(vars(box))  # noqa: E731
    return room(lambda box: setattr(box, "kind", 1), lambda box: setattr(box, "y", 1), observe=names)


def seen_as_one_object() -> Scenario:
    def again(box: Box) -> None:
        box.m = "".join(["ab", "c"])

    def change(box: Box) -> None:
        box.n = box.m = "".join(["ab", "c"])

    return room(again, change, observe=lambda box: box.n is box.m)


def question_that_counts() -> Scenario:
    seen: list[int] = []

    def never(box: Box, answers: dict) -> bool:
        seen.append(box.n)
        return len(seen) == 4

    return room(up, up, never=never)


class Diary:
    """Remembers what it was asked."""

    pages = 0

    def __init__(self) -> None:
        self.k = 0

    def __call__(self, box: Box) -> int:
        self.k += 1
        return self.k % 4

    def method(self, box: Box) -> int:
        """The same."""
        return self(box)


def observed(observe: Callable) -> Callable[[], Scenario]:
    """Two threads that count, and this observer."""
    return lambda: room(up, up, observe=observe())


def a_counter() -> Callable:
    seen: Counter = Counter()

    def observe(box: Box) -> int:
        seen[box.n] += 1
        return seen[box.n]

    return observe


def an_iterator() -> Callable:
    numbers = itertools.count()
    return lambda box: next(numbers) % 4


def a_default() -> Callable:
    def observe(box: Box, seen: list = [0]) -> int:  # noqa: B006 - one list for all is the point
        seen[0] += 1
        return seen[0] % 4

    return observe


def its_own_field() -> Callable:
    def observe(box: Box) -> int:
        observe.k += 1
        return observe.k % 4

    observe.k = 0
    return observe


def a_class() -> Callable:
    Diary.pages = 0

    def observe(box: Box) -> int:
        Diary.pages += 1
        return Diary.pages % 4

    return observe


def a_helper() -> Callable:
    observe = a_class()
    return lambda box: observe(box)


def a_module() -> Callable:
    till.reset()

    def observe(box: Box) -> int:
        till.slips.append(1)
        return len(till.slips) % 4

    return observe


REMEMBERING = (
    a_counter, an_iterator, a_default, its_own_field, a_class, a_helper, a_module, Diary, lambda: Diary().method,
    lambda: functools.partial(Diary.method, Diary()),
)  # fmt: skip


@pytest.mark.parametrize("make", REMEMBERING, ids=lambda make: make.__name__)
def test_a_question_that_remembers_is_asked_each_time(make: Callable[[], Callable]) -> None:
    same(observed(make), PLANS[:3])


LEAST = 1


def least(box: Box) -> bool:
    """A helper with a constant."""
    return box.n >= LEAST and type(box.inner) is not Desk and type(box.n) is int


def test_a_question_that_only_looks_is_learned() -> None:
    allowed = {0, 1, 2}
    make = lambda: room(  # noqa: E731
        up, up, never=lambda box, answers: box.n not in allowed or not least(box), observe=lambda box: len(vars(box))
    )
    same(make, PLANS[:1])
    with counting() as seen:
        make().explore("all")
    assert seen["played"]


def not_a_number() -> Scenario:
    def change(box: Box) -> None:
        box.n = float("nan")

    threads = {"a": change, "b": change, "look": lambda box: [box.n] == [box.n]}
    return Scenario(setup=Box, threads=threads)


def two_of_one_name() -> Scenario:
    def body(action: Callable, box: Box) -> Callable:
        return lambda state: action(state, box)

    mine, yours = Box(), Box()

    def setup() -> Box:
        mine.n = yours.n = 0
        return Box()

    def change(state: Box, box: Box) -> None:
        state.n = 1
        box.n = 1

    def look(state: Box, box: Box) -> int:
        state.m = 1
        return box.n

    return room(body(look, mine), body(change, yours), setup)


def lock_given_back_by_another() -> Scenario:
    """Who holds it in the end is another one each time."""
    take = lambda box: box.lock.acquire()  # noqa: E731
    return Scenario(Box, {"a": take, "b": take, "c": lambda box: box.lock.release(), "d": take})


ODD = (
    new_fields, hidden_class_field, seen_as_one_object, question_that_counts, not_a_number, two_of_one_name,
    lock_given_back_by_another,
)  # fmt: skip


@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
def test_ends_are_those_of_the_code(make: Callable[[], Scenario]) -> None:
    same(make, PLANS[:3])


def test_a_setup_that_makes_something_else_is_not_learned() -> None:
    numbers = itertools.count()
    result = Scenario(
        setup=lambda: Box(m=next(numbers) % 4), threads={"a": up, "b": up}, observe=lambda box: box.m
    ).explore("all")
    assert {seen for _, seen in result.outcomes} == {0, 1, 2, 3}


# -- orders that the search does not try -------------------------------------------------------------------


def late(then: Callable[[Box], Any]) -> Callable[[], Scenario]:
    """Few random orders, of which none leads to what is odd; a run that is taken to its end may."""

    def look(box: Box) -> Any:
        box.n = 1
        box.n = 2
        return then(box) if box.m == 3 else box.m

    def change(box: Box) -> None:
        for number in range(6):
            box.m = number

    return lambda: room(look, change)


def refers(box: Box) -> Any:
    """Refused with an error."""
    return weakref.ref(box)()


def assumes(box: Box) -> int:
    """Library code."""
    return functools.reduce(lambda left, right: left, [box.n, box.m])


@pytest.mark.parametrize("then", [refers, assumes, lambda box: till.total], ids=["refers", "assumes", "looks"])
def test_what_no_order_of_the_search_does_does_not_count(then: Callable[[Box], Any]) -> None:
    for seed in range(12):
        plan = {"strategy": "random", "executions": 2, "seed": seed}
        with by_code():
            code = tried(late(then)(), plan)
        assert tried(late(then)(), plan) == code


def tried(scenario: Scenario, plan: dict[str, Any]) -> tuple:
    """The result, or the error."""
    try:
        result = scenario.explore(**plan)
    except Exception as error:
        return (type(error).__name__, str(error))
    return (result.verdict, dict(result.counts), result.assumptions)


def test_what_never_comes_twice_is_run() -> None:
    """Values that are new each time: the code is run more often than its schedules are played, and then only run."""

    def long(box: Box) -> None:
        for _ in range(20):
            box.n = box.n * 3 + 1

    make = lambda: Scenario(setup=Box, threads={"a": long, "b": long, "c": long})  # noqa: E731
    with counting() as seen:
        make().explore("random", executions=60)
    assert seen["played"] < learned.PATIENCE
    same(make, ({"strategy": "random", "executions": 60},))


def test_a_global_lock_that_stays_held_does_not_hang() -> None:
    """Instructions are counted by running the bodies themselves, which would wait for ever the second time."""
    result = Scenario(setup=Box, threads={"a": lambda box: LOCK.acquire() and None, "b": up}).explore("all")
    assert result.funnel().bytecode is None
    assert not LOCK.locked()


LOCK = threading.Lock()

"""One race for each construct: outcomes equal those of an independent brute force, without falling back."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from brute import brute

from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import freeze

INC = [("read", "x", "r"), ("add", "x", "r", 1)]
TOTAL = 0


class Base:
    """Fields, and a method that a child extends."""

    def __init__(self) -> None:
        self.x = self.y = self.z = 0

    def inc(self, by: int = 0) -> None:
        self.x = self.x + by


class State(Base):
    """What the constructs work on."""

    def __init__(self) -> None:
        super().__init__()
        self.table = {"x": 0}
        self.cells = [0]
        self.ones = [1]
        self.lock = threading.Lock()
        self.rlock = threading.RLock()
        self.record = Record(0)

    def inc(self, by: int = 1) -> None:
        super().inc(by)

    @property
    def alias(self) -> int:
        return self.x

    @alias.setter
    def alias(self, value: int) -> None:
        self.x = value

    @staticmethod
    def plus(value: int) -> int:
        return value + 1

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        self.lock.acquire()
        try:
            yield
        finally:
            self.lock.release()

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        value = self.x
        try:
            yield
        except KeyError:
            self.x = value + 1

    def __enter__(self) -> int:
        return self.x

    def __exit__(self, *details: object) -> None:
        self.x = self.x + 1

    def __getitem__(self, key: str) -> int:
        return self.x

    def __setitem__(self, key: str, value: int) -> None:
        self.x = value

    def __call__(self, value: int) -> None:
        self.x = value


@dataclass
class Record:
    """A dataclass with a method."""

    size: int

    def grow(self) -> None:
        self.size = self.size + 1


def augmented(s: State, me: str) -> None:
    s.x += 1


def read_and_write(s: State, me: str) -> None:
    s.x = s.x + 1


def chained_assignment(s: State, me: str) -> None:
    s.x = s.y = s.x + 1


def tuple_targets(s: State, me: str) -> None:
    s.x, s.y = s.y + 1, s.x + 1


def starred_target(s: State, me: str) -> None:
    s.x, *_rest = s.x + 1, 2, 3


def deletion(s: State, me: str) -> None:
    own = {me: s.x}
    s.extra = own
    value = own[me]
    del own[me]
    s.x = value + 1


def property_both_ways(s: State, me: str) -> None:
    s.alias = s.alias + 1


def property_augmented(s: State, me: str) -> None:
    s.alias += 1


def super_call(s: State, me: str) -> None:
    s.inc()


def keyword_argument(s: State, me: str) -> None:
    s.inc(by=1)


def try_finally(s: State, me: str) -> None:
    try:
        value = s.x
    finally:
        s.x = value + 1


def return_through_finally(s: State, me: str) -> int:
    try:
        value = s.x
        return value
    finally:
        s.x = value + 1


def raise_and_except(s: State, me: str) -> None:
    try:
        raise ValueError(s.x)
    except ValueError as error:
        s.x = error.args[0] + 1


def try_else(s: State, me: str) -> None:
    try:
        value = s.x
    except KeyError:
        value = 0
    else:
        s.x = value + 1


def with_lock(s: State, me: str) -> None:
    with s.lock:
        s.x += 1


def with_two_managers(s: State, me: str) -> None:
    with s.lock, s.rlock:
        s.x += 1


def with_own_manager(s: State, me: str) -> None:
    with s as value:
        s.y = value


def while_loop(s: State, me: str) -> None:
    k = 0
    while k < 1:
        s.x += 1
        k += 1


def while_else(s: State, me: str) -> None:
    value = s.x
    while value < 0:
        value += 1
    else:
        s.x = value + 1


def for_over_shared_list(s: State, me: str) -> None:
    for one in s.ones:
        s.x = s.x + one


def for_else_break_continue(s: State, me: str) -> None:
    for k in range(3):
        if k == 0:
            continue
        if k == 2:
            break
        s.x += 1
    else:
        s.x = 100


def for_tuple_target(s: State, me: str) -> None:
    for _, (a, b) in [(0, (s.x, 1))]:
        s.x = a + b


def nested_function(s: State, me: str) -> None:
    def add() -> None:
        s.x += 1

    add()


def closure_nonlocal(s: State, me: str) -> None:
    value = 0

    def read() -> None:
        nonlocal value
        value = s.x

    read()
    s.x = value + 1


def lambda_function(s: State, me: str) -> None:
    s.x = (lambda: s.x + 1)()


def decorated(s: State, me: str) -> None:
    def twice(function: Callable) -> Callable:
        @functools.wraps(function)
        def inner() -> int:
            return function() + 1

        return inner

    @twice
    def read() -> int:
        return s.x

    s.x = read()


def default_argument(s: State, me: str) -> None:
    def value(now: int = s.x) -> int:
        return now + 1

    s.x = value()


def star_arguments(s: State, me: str) -> None:
    def plus(*values: int, **more: int) -> int:
        return sum(values) + more["one"]

    s.x = plus(*[s.x], **{"one": 1})


def partial_call(s: State, me: str) -> None:
    functools.partial(s.inc, by=1)()


def static_method(s: State, me: str) -> None:
    s.x = s.plus(s.x)


def recursion(s: State, me: str) -> None:
    def down(k: int) -> int:
        return s.x if k == 0 else down(k - 1)

    s.x = down(3) + 1


def list_comprehension(s: State, me: str) -> None:
    s.x = [s.x + one for one in [1]][0]  # noqa: RUF015


def nested_comprehension(s: State, me: str) -> None:
    s.x = [[s.x + one for one in row] for row in [[1]]][0][0]  # noqa: RUF015


def set_comprehension(s: State, me: str) -> None:
    (s.x,) = {s.x + one for one in (1,)}


def dict_comprehension(s: State, me: str) -> None:
    s.x = {name: s.x + 1 for name in ("a",)}["a"]  # noqa: C420


def walrus(s: State, me: str) -> None:
    if (value := s.x) >= 0:
        s.x = value + 1


def walrus_in_comprehension(s: State, me: str) -> None:
    _ = [value := s.x for _ in range(1)]
    s.x = value + 1


def generator_expression(s: State, me: str) -> None:
    s.x = sum(s.x + one for one in (1,))


def kept_generator_expression(s: State, me: str) -> None:
    lazy = (s.x + one for one in (1,))
    s.x = next(lazy)


def generator_function(s: State, me: str) -> None:
    def values() -> Iterator[int]:
        yield s.x + 1

    for value in values():
        s.x = value


def generator_that_writes(s: State, me: str) -> None:
    def steps() -> Iterator[None]:
        value = s.x
        yield
        s.x = value + 1

    list(steps())


def yield_from(s: State, me: str) -> None:
    def inner() -> Iterator[int]:
        yield s.x
        return 1

    def outer() -> Iterator[int]:
        one = yield from inner()
        yield one

    s.x = sum(outer())


def sent_value(s: State, me: str) -> None:
    def store() -> Iterator[int]:
        s.x = yield s.x

    generator = store()
    value = next(generator)
    try:
        generator.send(value + 1)
    except StopIteration:
        return


def enumerated_generator(s: State, me: str) -> None:
    for one, value in enumerate((s.x for _ in range(1)), 1):
        s.x = value + one


def thrown_into_generator(s: State, me: str) -> None:
    def store() -> Iterator[None]:
        value = s.x
        try:
            yield
        except KeyError:
            s.x = value + 1
            yield

    generator = store()
    next(generator)
    generator.throw(KeyError())


def context_manager_function(s: State, me: str) -> None:
    with s.locked():
        s.x += 1


def raise_in_context_manager(s: State, me: str) -> None:
    with s.counted():
        raise KeyError(me)


def comparison_chain_with_in(s: State, me: str) -> None:
    if 0 <= (value := s.x) in (0, 1, 2):
        s.x = value + 1


def membership(s: State, me: str) -> None:
    if "x" in s.table and "y" not in s.table:
        s.x += 1


def conditional_expression(s: State, me: str) -> None:
    s.x = value + 1 if (value := s.x) or True else 0


def boolean_operators(s: State, me: str) -> None:
    s.x = (s.x or 0) + 1


def formatted_string(s: State, me: str) -> None:
    s.x = int(f"{s.x:>3}") + 1


def match_statement(s: State, me: str) -> None:
    match s.x:
        case 0:
            s.x = 1
        case value:
            s.x = value + 1


def assertion(s: State, me: str) -> None:
    value = s.x
    assert value >= 0, f"{s.y}"
    s.x = value + 1


def subscripts_of_dict(s: State, me: str) -> None:
    s.table["x"] += 1


def subscripts_of_list(s: State, me: str) -> None:
    s.cells[0] = s.cells[0] + 1


def slices(s: State, me: str) -> None:
    s.cells[0:1] = [s.cells[0:1][0] + 1]


def own_subscripts(s: State, me: str) -> None:
    s["x"] = s["x"] + 1


def own_call(s: State, me: str) -> None:
    s(s.x + 1)


def fields_by_name(s: State, me: str) -> None:
    setattr(s, "x", getattr(s, "x", 0) + 1)  # noqa: B010


def dataclass_method(s: State, me: str) -> None:
    s.record.grow()


def global_variable(s: State, me: str) -> None:
    global TOTAL
    TOTAL += 1


def thread_local_copy(s: State, me: str) -> None:
    own = threading.local()
    own.value = s.x
    s.x = own.value + 1


def rlock_twice(s: State, me: str) -> None:
    with s.rlock, s.rlock:
        s.x += 1


RACES: dict[Callable, tuple[list, Callable[[State], int]]] = {
    construct: (INC, lambda s: s.x)
    for construct in (
        augmented, read_and_write, starred_target, deletion, property_both_ways, property_augmented, super_call,
        keyword_argument, try_finally, return_through_finally, raise_and_except, try_else, while_loop, while_else,
        for_over_shared_list, for_else_break_continue, for_tuple_target, nested_function, closure_nonlocal,
        lambda_function, decorated, default_argument, star_arguments, partial_call, static_method, recursion,
        list_comprehension, nested_comprehension, set_comprehension, dict_comprehension, walrus,
        walrus_in_comprehension, generator_expression, kept_generator_expression, generator_function,
        generator_that_writes, yield_from, sent_value, enumerated_generator, comparison_chain_with_in, membership,
        conditional_expression, boolean_operators, formatted_string, match_statement, assertion, own_subscripts,
        own_call, fields_by_name, thread_local_copy, thrown_into_generator, raise_in_context_manager,
    )
}  # fmt: skip
RACES |= {
    subscripts_of_dict: (INC, lambda s: s.table["x"]),
    subscripts_of_list: (INC, lambda s: s.cells[0]),
    slices: (INC, lambda s: s.cells[0]),
    dataclass_method: (INC, lambda s: s.record.size),
    global_variable: (INC, lambda s: TOTAL),
    with_lock: ([("lock", "LOCK_A", INC)], lambda s: s.x),
    with_two_managers: ([("lock", "LOCK_A", [("lock", "LOCK_B", INC)])], lambda s: s.x),
    context_manager_function: ([("lock", "LOCK_A", INC)], lambda s: s.x),
    rlock_twice: ([("lock", "LOCK_A", INC)], lambda s: s.x),
    with_own_manager: ([("read", "x", "q"), ("add", "y", "q", 0), *INC], lambda s: (s.x, s.y)),
    chained_assignment: ([*INC, ("add", "y", "r", 1)], lambda s: (s.x, s.y)),
    tuple_targets: (
        [("read", "y", "a"), ("read", "x", "b"), ("add", "x", "a", 1), ("add", "y", "b", 1)],
        lambda s: (s.x, s.y),
    ),
}


def make() -> State:
    global TOTAL
    TOTAL = 0
    return State()


def scenario(construct: Callable, observe: Callable) -> Scenario:
    threads = {name: functools.partial(construct, me=name) for name in ("a", "b")}
    return Scenario(make, threads, never=lambda s, a: observe(s) in (1, (1, 1)), observe=observe)


@pytest.mark.parametrize("construct", RACES, ids=lambda f: f.__name__)
def test_outcomes_equal_brute_force(construct: Callable) -> None:
    program, observe = RACES[construct]
    _, outcomes = brute([program, program]).within()
    wide = observe(make()) != 0
    expected = {fields[:2] if wide else fields[0] for _, fields in outcomes}
    tried = scenario(construct, observe)
    result = tried.explore()
    assert {seen for _, seen in result.outcomes} == expected
    assert result.verdict in ("proved", "broken")
    if result.minimal is not None:
        assert result.minimal.confirmed


def test_there_is_one_program_for_each_construct() -> None:
    assert len(RACES) >= 40


class Point:
    """Something that a pattern can look into."""

    def __init__(self) -> None:
        self.x = 1


def zipped_generator(s: State) -> Any:
    return list(zip([1], (s.x for _ in range(1)), strict=True))


def mapped_generator(s: State) -> Any:
    return list(map(str, (s.x for _ in range(1))))


def closed_generator(s: State) -> Any:
    def values() -> Iterator[int]:
        yield s.x

    generator = values()
    next(generator)
    generator.close()
    return "closed"


def class_pattern(s: State) -> Any:
    s.point = Point()
    match s.point:
        case Point(x=1):
            return s.x
    return None


FOLLOWED = (zipped_generator, mapped_generator, closed_generator, class_pattern)


@pytest.mark.parametrize("construct", FOLLOWED, ids=lambda f: f.__name__)
def test_what_library_code_does_with_a_generator_is_followed(construct: Callable) -> None:
    result = Scenario(State, {"a": construct, "b": lambda s: s.inc()}).explore("preemptions", preemptions=1)
    assert result.assumptions == ()
    assert freeze(construct(State())) in {answers[0] for answers, _ in result.outcomes}


def test_exception_groups_are_followed() -> None:
    def groups(s: State) -> int:
        try:
            s.x = 1
        except* ValueError:
            s.x = 2
        return s.x

    result = Scenario(State, {"a": groups, "b": groups}).explore()
    assert (result.verdict, result.assumptions) == ("proved", ())

"""Short programs in plain Python, each a function of a fresh state: what they give is held to Python's own answer.

They are written to be awkward, not to be nice: each holds a rule of the language that a rewriter could break.
"""

from __future__ import annotations

import bisect
import collections
import contextlib
import dataclasses
import enum
import functools
import heapq
import itertools
import operator
import sys
import threading
import traceback
import types


class State:
    """What every program starts from."""

    def __init__(self):
        self.n, self.items, self.table, self.log = 0, [3, 1, 2], {"x": 1, "y": 2}, []

    def note(self, value):
        self.log.append(value)
        return value

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, kind, error, trace):
        self.log.append(("out", kind and kind.__name__))
        return kind is KeyError


class Walk:
    """An iterable with its own iterator."""

    def __init__(self, end):
        self.at, self.end = 0, end

    def __iter__(self):
        return self

    def __next__(self):
        if self.at == self.end:
            raise StopIteration("end")
        self.at += 1
        return self.at


class Number:
    """Every operator, noted."""

    def __init__(self, value):
        self.value, self.log = value, []

    def __add__(self, other):
        return ("add", self.value, getattr(other, "value", other))

    def __radd__(self, other):
        return ("radd", other, self.value)

    def __iadd__(self, other):
        self.value += other
        return self

    def __neg__(self):
        return Number(-self.value)

    def __eq__(self, other):
        return NotImplemented if isinstance(other, str) else self.value == getattr(other, "value", other)

    def __lt__(self, other):
        return self.value < getattr(other, "value", other)

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return self.value > 0

    def __len__(self):
        return 7

    def __contains__(self, wanted):
        return "yes" if wanted == self.value else ""

    def __getitem__(self, key):
        return ("item", key)

    def __setitem__(self, key, value):
        self.log.append(("set", key, value))

    def __delitem__(self, key):
        self.log.append(("del", key))

    def __call__(self, *args, **keywords):
        return args, sorted(keywords.items())

    def __format__(self, spec):
        return f"<{self.value}:{spec}>"

    def __repr__(self):
        return f"Number({self.value})"

    def __index__(self):
        return self.value

    def __matmul__(self, other):
        return "matmul"


COUNT = 0

# -- control flow --------------------------------------------------------------------------------------


def loops_and_else(s):
    for item in s.items:
        if item == 9:
            break
    else:
        s.note("no nine")
    while s.n < 3:
        s.n += 1
        if s.n == 2:
            continue
        s.note(s.n)
    else:
        s.note("done")
    return s.log


def finally_overrides(s):
    def inner():
        try:
            return "try"
        finally:
            s.note("finally")

    def swallowed():
        for _ in [1]:
            try:
                raise ValueError
            finally:
                break
        return "broken out"

    return inner(), swallowed(), s.log


def nested_finally_order(s):
    try:
        try:
            s.table["none"]
        finally:
            s.note("inner")
            s.items[99]
    except IndexError as error:
        return s.log, type(error.__context__).__name__, error.__cause__


def raise_from(s):
    try:
        try:
            s.items.index(77)
        except ValueError as first:
            raise KeyError("outer") from first
    except KeyError as error:
        return type(error.__cause__).__name__, error.__suppress_context__, str(error)


def raise_class_and_bare(s):
    class Problem(Exception):
        def __init__(self):
            s.note("made")

    try:
        try:
            raise Problem
        except Problem:
            raise
    except Exception as error:
        return type(error).__name__, s.log


def helper_knows_what_is_handled(s):
    def what():
        return sys.exc_info()[0].__name__, traceback.format_exc().splitlines()[-1]

    def again():
        raise

    try:
        raise ValueError("v")
    except ValueError as error:
        known = what()
        try:
            again()
        except ValueError as same:
            return known, same is error
    return None


def context_through_calls(s):
    def fails():
        try:
            raise KeyError("k")
        except KeyError:
            raise IndexError("i")

    try:
        raise ValueError("v")
    except ValueError:
        try:
            fails()
        except IndexError as error:
            return [type(e).__name__ for e in (error, error.__context__, error.__context__.__context__)]


def traceback_is_the_learners(s):
    def inner():
        return s.items[50]

    try:
        inner()
    except IndexError as error:
        frames = traceback.extract_tb(error.__traceback__)
        return [frame.name for frame in frames], frames[-1].line


def name_of_exception_is_deleted(s):
    try:
        raise ValueError
    except ValueError as error:
        s.note(type(error).__name__)
    try:
        return error
    except NameError as gone:
        return type(gone).__name__, s.log


def exception_groups(s):
    found = []
    try:
        raise ExceptionGroup("many", [ValueError(1), KeyError(2), TypeError(3)])
    except* ValueError as group:
        found.append([type(e).__name__ for e in group.exceptions])
    except* (KeyError, TypeError) as group:
        found.append([type(e).__name__ for e in group.exceptions])
    return found


def assertion_message(s):
    try:
        assert not s.items, f"{len(s.items)} left"
    except AssertionError as error:
        return str(error)


def stop_iteration_passes_a_function(s):
    def stops():
        raise StopIteration("mine")

    try:
        stops()
    except StopIteration as stop:
        return stop.value


def keyboard_interrupt_is_no_exception(s):
    try:
        try:
            raise KeyboardInterrupt
        except Exception:
            return "wrong"
    except BaseException as error:
        return type(error).__name__


# -- names ---------------------------------------------------------------------------------------------


def global_is_written(s):
    global COUNT
    COUNT = 0
    for _ in range(3):
        COUNT += 1
    return COUNT


def global_is_deleted(s):
    global GONE
    GONE = 1
    del GONE
    try:
        return GONE
    except NameError as error:
        return str(error)


def nonlocal_through_two(s):
    n = 0

    def outer():
        def inner():
            nonlocal n
            n += 1

        inner()
        inner()

    outer()
    return n


def unbound_local(s):
    def early():
        value
        value = 1

    try:
        early()
    except UnboundLocalError as error:
        return "value" in str(error)


def deletes(s):
    s.extra = 1
    del s.extra, s.items[0], s.table["x"]
    a = b = 1
    del (a, b)
    try:
        a
    except UnboundLocalError:
        return s.items, s.table, hasattr(s, "extra")


def late_binding(s):
    made = [lambda: i for i in range(3)]
    fixed = [lambda i=i: i for i in range(3)]
    return [f() for f in made], [f() for f in fixed]


def default_is_one_object(s):
    def keep(value, kept=[]):
        kept.append(value)
        return kept

    keep(1)
    return keep(2)


def locals_and_eval(s):
    a, b = 1, 2
    scope = {}
    exec("c = a + b", {"a": a, "b": b}, scope)
    return sorted(locals()), eval("a + b"), scope


# -- calls ---------------------------------------------------------------------------------------------


def star_arguments(s):
    def f(a, /, b, *rest, c=0, **more):
        return a, b, rest, c, sorted(more.items())

    return f(1, *[2, 3], 4, c=5, **{"d": 6}, e=7), f(*Walk(3)), f(*"ab", **s.table)


def keyword_errors(s):
    def f(a, b=1, *, c):
        return a, b, c

    said = []
    for call in (
        lambda: f(), lambda: f(1), lambda: f(1, 2, 3, c=1), lambda: f(1, c=1, d=2), lambda: f(1, a=2, c=3),
        lambda: f(1, c=1, **{"c": 2}), lambda: f(*1), lambda: f(**1), lambda: f(1, c=2, **{3: 4}),
    ):  # fmt: skip
        try:
            said.append(call())
        except TypeError as error:
            said.append(type(error).__name__ + str(error).replace(f.__qualname__, "f"))
    return said


def order_of_evaluation(s):
    note = s.note
    {note("k1"): note("v1"), note("k2"): note("v2")}
    [note(1), *[note(2)], note(3)]
    note(4) + note(5) * note(6)
    s.table[note("t")] = note("value")
    (note("f") and print)(end=note(""))
    return s.log


def operands_are_kept(s):
    a = 1
    return a + (a := 10), a, [a, (a := 3), a], (a < (a := 9) < a)


def decorators_in_order(s):
    def mark(name):
        s.note(f"eval {name}")

        def wrap(f):
            s.note(f"apply {name}")
            return f

        return wrap

    @mark("one")
    @mark("two")
    def function():
        return 1

    @mark("three")
    class Thing:
        pass

    return function(), Thing.__qualname__, s.log


def wraps_and_cache(s):
    @functools.lru_cache(maxsize=None)
    def slow(x):
        s.n += 1
        return x * 2

    def logged(f):
        @functools.wraps(f)
        def inner(*args):
            s.note(f.__name__)
            return f(*args)

        return inner

    @logged
    def fast(x):
        return x

    return slow(2), slow(2), s.n, fast(3), fast.__name__, s.log


def recursion(s):
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return fib(12)


def partials_and_methods(s):
    bound = s.note
    return functools.partial(bound, 1)(), list(map(bound, [2, 3])), operator.methodcaller("note", 4)(s), s.log


# -- operators -----------------------------------------------------------------------------------------


def every_operator(s):
    a, b = Number(1), Number(2)
    return (
        a + b, a + 1, 1 + a, -a == -1, a < b, b > a, a == "1", a != 1, not a, 1 in a, 3 in a, len(a), a[1:2, ...],
        a(1, k=2), f"{a:>3} {a!r}", hash(a), [10, 20, 30][a], a @ b, bool(Number(0)), "x" * a,
    )  # fmt: skip


def in_place(s):
    a = b = Number(1)
    a += 5
    items = other = s.items
    items += (4,)
    pair = (s.items,)
    try:
        pair[0] += [5]
    except TypeError as error:
        return a is b, b.value, other, str(error)


def item_protocol(s):
    a = Number(1)
    a["k"] = 1
    a[1:2] += (0,)
    del a[3]
    return a.log


def reflected_subclass_goes_first(s):
    class Base:
        def __sub__(self, other):
            return "base"

    class Derived(Base):
        def __rsub__(self, other):
            return "derived"

    class Refuses:
        def __sub__(self, other):
            return NotImplemented

    try:
        Refuses() - Refuses()
    except TypeError as error:
        return Base() - Derived(), str(error)


def chained_comparisons(s):
    first = s.note(1) < s.note(3) > s.note(2), s.note(5) < s.note(4) < s.note(9)
    return first, 1 < 2 == 2 in [2], None is None is not s, s.log


def boolean_values(s):
    return [] or 0 or "last", 1 and [] and 2, not [], (0 or s.note("b")) and s.note("c"), s.log


def bad_dunders(s):
    class Bad:
        def __bool__(self):
            return 1

        def __len__(self):
            return -1

        def __iter__(self):
            return 3

        __add__ = None

    said = []
    for test in (lambda: bool(Bad()), lambda: len(Bad()), lambda: [*Bad()], lambda: Bad() + 1, lambda: {[]: 1}):
        try:
            test()
        except (TypeError, ValueError) as error:
            said.append(str(error))
    return said


def text(s):
    width = 7
    return f"{s.n!r:>{width}}|{s.items}|{'q'!a}|{s.n + 1 = }|{{}}", "%s-%r" % (Number(1), "a"), "{0.n:03d}".format(s)


# -- taking apart --------------------------------------------------------------------------------------


def unpacking(s):
    a, (b, *c), d = 1, "xyz", Walk(1)
    (e,) = Walk(1)
    *f, g = {"k": 1, "l": 2}
    s.first, s.items[0], *s.rest = range(4)
    said = []
    for source in ([1], [1, 2, 3], 5):
        try:
            x, y = source
        except (TypeError, ValueError) as error:
            said.append(str(error))
    return a, b, c, type(d).__name__, e, f, g, s.first, s.items, s.rest, said


def displays(s):
    return (
        [*s.items, *Walk(2)],
        {*"aab"} == {"a", "b"},
        {**s.table, "z": 3, **{"x": 9}},
        (*(), 1),
        s.items[::-1],
        s.items[-1:],
    )


def matches(s):
    class Point:
        __match_args__ = ("x", "y")

        def __init__(self, x, y):
            self.x, self.y = x, y

    def what(thing):
        match thing:
            case None | True:
                return "singleton"
            case 0 | 1 as small:
                return "small", small
            case "text":
                return "value"
            case [] | [_]:
                return "short"
            case [1, *rest, 9]:
                return "star", rest
            case [int(a), str() as b] if a > 1:
                return "guard", a, b
            case {"k": value, **rest}:
                return "mapping", value, rest
            case Point(0, y=y):
                return "point", y
            case Point(x=x):
                return "any point", x
            case (a, b):
                return "pair", a, b
            case _:
                return "other"

    things = [
        None,
        True,
        1,
        "text",
        [],
        [5],
        [1, 2, 3, 9],
        [2, "b"],
        [0, "b"],
        {"k": 1, "j": 2},
        {},
        Point(0, 3),
        Point(4, 5),
    ]
    return [what(thing) for thing in [*things, range(2), "ab", collections.deque([1, 9])]]


# -- comprehensions and generators -----------------------------------------------------------------------


def comprehensions(s):
    x = "kept"
    return (
        [x for x in s.items if x > 1], {k: v for k, v in s.table.items()}, sorted({x % 2 for x in s.items}),
        [(a, b) for a in range(3) for b in range(a) if a + b > 1], [last := y for y in s.items], last, x,
        [[z * w for z in range(2)] for w in range(2)],
    )  # fmt: skip


def generator_is_lazy(s):
    made = (s.note(x) for x in s.items)
    first = next(made)
    return first, list(s.log), sum(made), next(made, "ended"), s.log


def send_throw_close(s):
    def talk():
        got = None
        try:
            while True:
                try:
                    got = yield got
                except ValueError as error:
                    got = f"caught {error}"
        finally:
            s.note("closed")

    made = talk()
    answers = [next(made), made.send(1), made.throw(ValueError("v")), made.send(2)]
    made.close()
    made.close()
    try:
        made.send(3)
    except StopIteration as stop:
        return answers, stop.value, s.log


def yield_from_passes_on(s):
    def inner():
        try:
            a = yield "first"
            b = yield a
        except KeyError:
            b = "thrown"
        return b

    def outer():
        result = yield from inner()
        rest = yield from [7, 8]
        yield result, rest

    one, other = outer(), outer()
    return [next(one), one.send("s"), one.send("t"), *one], [next(other), other.throw(KeyError), *other]


def break_runs_finally(s):
    def numbers():
        try:
            yield 1
            yield 2
        finally:
            s.note("cleaned up")

    for n in numbers():
        s.note(n)
        break
    return s.log


def generator_errors(s):
    def ignores():  # once: the collector closes it again
        try:
            yield 1
        except GeneratorExit:
            pass
        yield 2

    def returns():
        return 5
        yield

    def leaks():
        next(iter([]))
        yield

    said = []
    made = ignores()
    next(made)
    for test in (made.close, lambda: next(returns()), lambda: next(leaks()), lambda: returns().send(1)):
        try:
            said.append(test())
        except (RuntimeError, StopIteration, TypeError) as error:
            said.append((type(error).__name__, str(error), type(error.__cause__).__name__))
    return said


def generator_objects(s):
    def numbers():
        yield 1

    made = numbers()
    return (
        isinstance(made, types.GeneratorType),
        made.__name__,
        iter(made) is made,
        hasattr(made, "send"),
        (x for x in "a").__name__,
    )


def lazy_builtins(s):
    doubled = map(lambda x: s.note(x) * 2, s.items)
    first = next(doubled)
    return (
        first, list(s.log), list(filter(lambda x: x > 1, s.items)), list(zip(s.items, Walk(2))),
        list(enumerate(Walk(2), 5)),
        sorted(Walk(3), key=lambda x: -x), min(s.items, key=lambda x: -x), max("ab", "b", key=len), sum(Walk(3), 10),
        any(x > 2 for x in s.items), list(reversed(s.items)), functools.reduce(lambda a, b: a + b, Walk(4)),
        list(itertools.accumulate(s.items, lambda a, b: a * b)), list(itertools.chain(Walk(1), "z")),
        list(iter(Walk(3).__next__, 2)),
    )  # fmt: skip


def iteration_errors(s):
    said = []
    for test in (lambda: [x for x in 5], lambda: next(5), lambda: list(zip([1], [1, 2], strict=True)), lambda: max([])):
        try:
            test()
        except (TypeError, ValueError) as error:
            said.append(str(error))
    return said


def change_while_walking(s):
    try:
        for key in s.table:
            s.table[key + "!"] = 1
    except RuntimeError as error:
        said = str(error)
    for item in s.items:
        if len(s.items) < 6:
            s.items.append(item)
    return said, s.items


# -- `with` --------------------------------------------------------------------------------------------


def with_blocks(s):
    with s as first, contextlib.suppress(IndexError):
        first.note(first is s)
        s.items[99]
    with s:
        s.table["none"]
    try:
        with s:
            raise ValueError
    except ValueError:
        s.note("passed on")
    for _ in range(2):
        with s:
            break
    return s.log


def context_manager_function(s):
    @contextlib.contextmanager
    def manager(name):
        s.note(f"enter {name}")
        try:
            yield name
        except ZeroDivisionError:
            s.note(f"handled in {name}")
        finally:
            s.note(f"leave {name}")

    with manager("a") as a, manager("b"):
        s.note(a)
        1 / 0
    with contextlib.ExitStack() as stack:
        stack.enter_context(manager("c"))
        stack.callback(s.note, "callback")
    return s.log


def exit_raises(s):
    class Raises:
        def __enter__(self):
            return self

        def __exit__(self, *details):
            raise KeyError("exit")

    try:
        with Raises():
            raise ValueError("body")
    except KeyError as error:
        return type(error.__context__).__name__


# -- classes -------------------------------------------------------------------------------------------


def class_bodies(s):
    class Meta(type):
        @classmethod
        def __prepare__(mcs, name, bases, **keywords):
            return {"prepared": True}

        def __new__(mcs, name, bases, space, **keywords):
            return super().__new__(mcs, name, bases, space)

        def __init__(cls, name, bases, space, **keywords):
            cls.keywords = keywords

        def __call__(cls, *args):
            made = super().__call__(*args)
            made.called = True
            return made

    class Base(metaclass=Meta, key=1):
        numbers = [n for n in range(3)]
        total = sum(numbers)

        def __init_subclass__(cls, **keywords):
            s.note(cls.__name__)

        def __set_name__(self, owner, name):
            s.note("never")

    class Derived(Base):
        __slots__ = ("x",)

    return (
        Base.prepared,
        Base.keywords,
        Base.total,
        Base().called,
        s.log,
        Derived.__mro__[1].__name__,
        Derived.__qualname__,
    )


def supers(s):
    class A:
        def __init__(self, *log):
            self.log = log

        def who(self):
            return ["A"]

        @classmethod
        def make(cls):
            return cls(cls.__name__)

        @property
        def name(self):
            return "a"

    class B(A):
        def who(self):
            return ["B", *super().who()]

        @property
        def name(self):
            return super().name + "b"

    class C(A):
        def who(self):
            return ["C", *super().who()]

    class D(B, C):
        def who(self):
            return ["D", *super(D, self).who()]

    return D().who(), D.make().log, D().name, [cls.__name__ for cls in D.__mro__]


def descriptors(s):
    class Typed:
        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, thing, owner=None):
            return self if thing is None else thing.__dict__.get(self.name, "unset")

        def __set__(self, thing, value):
            s.note((self.name, value))
            thing.__dict__[self.name] = value

        def __delete__(self, thing):
            del thing.__dict__[self.name]

    class Thing:
        typed = Typed()

        @property
        def half(self):
            return self.typed / 2

        @half.setter
        def half(self, value):
            self.typed = value * 2

        @functools.cached_property
        def once(self):
            s.n += 1
            return s.n

        @staticmethod
        def fixed(x):
            return x

    thing = Thing()
    before = thing.typed
    thing.half = 4
    found = thing.typed, thing.half, thing.once, thing.once, Thing.fixed(1), type(Thing.typed).__name__
    del thing.typed
    return before, found, thing.typed, s.log


def attribute_hooks(s):
    class Hooked:
        known = 1

        def __getattr__(self, name):
            if name.startswith("no"):
                raise AttributeError(name)
            return f"made {name}"

        def __setattr__(self, name, value):
            object.__setattr__(self, name, value + 1)

        def __delattr__(self, name):
            s.note(f"del {name}")

        def __dir__(self):
            return ["z", "a"]

    thing = Hooked()
    thing.x = 1
    del thing.x
    return thing.x, thing.known, thing.other, getattr(thing, "nope", "default"), hasattr(thing, "no"), dir(thing), s.log


def private_names(s):
    class Box:
        __secret = 1

        def __init__(self):
            self.__value = 2

        def both(self):
            return self.__secret + self.__value, sorted(vars(self))

    return Box().both()


def new_and_instances(s):
    class Once:
        made = None

        def __new__(cls, *args):
            if cls.made is None:
                cls.made = super().__new__(cls)
            return cls.made

        def __init__(self, value):
            self.value = value

    class Other:
        def __new__(cls):
            return 5

        def __init__(self):
            s.note("never")

    return Once(1) is Once(2), Once.made.value, Other(), s.log


def dataclasses_and_enums(s):
    @dataclasses.dataclass(order=True)
    class Point:
        x: int
        y: list = dataclasses.field(default_factory=list)

        def __post_init__(self):
            self.y.append(self.x)

    @dataclasses.dataclass(frozen=True)
    class Frozen:
        a: int = 1

    class Color(enum.Enum):
        RED = 1
        ALSO = 1

        def __str__(self):
            return self.name.lower()

    try:
        Frozen().a = 2
    except dataclasses.FrozenInstanceError as error:
        said = str(error)
    return (
        Point(1) < Point(2), Point(1) == Point(1), repr(Point(3)), dataclasses.replace(Point(1), x=4), said,
        str(Color.ALSO), Color(1) is Color.RED, Color["RED"].value, [c.name for c in Color],
        hash(Frozen()) == hash(Frozen(1)),
    )  # fmt: skip


def containers_of_own(s):
    class Named(dict):
        def __missing__(self, key):
            return f"no {key}"

    class Backwards(list):
        def __iter__(self):
            return iter([*super().__iter__()][::-1])

    class Letters:
        def __getitem__(self, place):
            return "abc"[place]

    table = Named(a=1)
    back = Backwards([1, 2])
    return (
        table["a"],
        table["b"],
        "b" in table,
        [*back],
        back[0],
        [*Letters()],
        "b" in Letters(),
        list(reversed(s.items)),
    )


def instance_checks(s):
    class Meta(type):
        def __instancecheck__(cls, thing):
            s.note("asked")
            return thing == 5

    class Five(metaclass=Meta):
        pass

    def matched(thing):
        match thing:
            case Five():
                return "five"
        return "other"

    return isinstance(5, Five), isinstance(6, Five), matched(5), s.log


def equality_in_containers(s):
    one, other = Number(1), Number(1)
    return (
        one in [other],
        [one] == [other],
        (one, 2) == (other, 2),
        {one: 1} == {other: 1},
        [3, one].index(other),
        {one, other} == {1},
    )


def none_in_place_of_a_method(s):
    class Plain:
        def __eq__(self, other):
            return True

        def __radd__(self, other):
            return "radd"

    class Blocked(Plain):
        __eq__ = __ne__ = __radd__ = __contains__ = __iter__ = __bool__ = None

        def __getitem__(self, key):
            raise IndexError

    said = []
    tests = (
        lambda: Plain() == Blocked(), lambda: Plain() != Blocked(), lambda: 1 + Blocked(), lambda: 1 in Blocked(),
        lambda: [*Blocked()], lambda: bool(Blocked()), lambda: Plain() == Plain(), lambda: 1 + Plain(),
    )  # fmt: skip
    for test in tests:
        try:
            said.append(test())
        except TypeError as error:
            said.append(str(error))
    return said


def comparison_that_changes_its_lists(s):
    class Clears:
        def __eq__(self, other):
            right.clear()
            return NotImplemented

    class ClearsToo:
        def __eq__(self, other):
            left.clear()
            return NotImplemented

    left, right = [Clears()], [ClearsToo()]
    return left == right, left, right


def text_with_fields(s):
    class Person:
        def __str__(self):
            return s.note("P")

        def __repr__(self):
            return "R"

    p = Person()
    said = ["%s-%r-%5s|%-5s|%.1s" % (p, p, p, p, p), "%(k)s %%" % {"k": p}, "%*s" % (4, p), "%s" % [p], "%d%s" % (3, p)]
    said.append("{a[b].n}|{0!s:>{1}}|{0!r}".format(p, 5, a={"b": s}))
    for text, given in (("%s %s", (p,)), ("%s", (p, p)), ("%d", p), ("%(z)s", {"k": p})):
        try:
            said.append(text % given)
        except (TypeError, KeyError) as error:
            said.append((type(error).__name__, str(error)))
    for text, given in (("{}{}", (p,)), ("{x}", (p,)), ("{0.q}", (p,)), ("{0[k]}", ([p],))):
        try:
            said.append(text.format(*given))
        except (IndexError, KeyError, AttributeError, TypeError) as error:
            said.append((type(error).__name__, str(error)))
    return said, s.log


def annotations_of_nested_functions(s):
    def inner(x: s.note(1), *y: s.note(2), z: s.note(3) = s.note(0), **k: s.note(4)) -> s.note(5):
        pass

    return inner.__annotations__, s.log


def keys_of_own(s):
    class Key:
        def __init__(self, k):
            self.k = k

        def __hash__(self):
            return hash(self.k)

        def __eq__(self, other):
            return isinstance(other, Key) and self.k == other.k

    table = {Key(1): "a", (Key(1), 2): 3}
    table[Key(2)] = "b"
    return table[Key(1)], table[(Key(1), 2)], Key(3) in table, len({Key(1)} & {Key(1), Key(2)}), table.pop(Key(2))


def heaps_of_own(s):
    class Job:
        def __init__(self, k):
            self.k = k

        def __lt__(self, other):
            s.n += 1
            return self.k < other.k

    heap = [Job(x) for x in (5, 3, 4, 1)]
    heapq.heapify(heap)
    heapq.heappush(heap, Job(2))
    first = heapq.heappop(heap)
    row = [Job(1), Job(3), Job(5)]
    bisect.insort(row, Job(4))
    found = [job.k for job in (*heap, first, *row)]
    return found, s.n, bisect.bisect_left(row, Job(3)), heapq.nsmallest(2, [3, 1, 2], key=lambda v: -v)


def iterators_that_go_on(s):
    numbers, letters = iter(range(5)), iter("abc")
    first = next(numbers)
    rest = [x for x in numbers if x > 2]
    for _ in letters:
        break
    pairs = enumerate(iter([7, 8]))
    next(pairs)
    return first, rest, list(letters), list(pairs), iter(numbers) is numbers


def local_objects(s):
    class Local(threading.local):
        x = 5

        def __init__(self, k=2):
            self.k = k

    local = Local(3)
    local.z = 1
    return local.k, local.x, local.z, sorted(vars(local)), hasattr(local, "q")


def texts_of_dataclasses(s):
    @dataclasses.dataclass
    class Node:
        v: int
        hidden: list = dataclasses.field(default_factory=list, repr=False)

    node = Node(1)
    return repr(node), f"{node!r:>20}", str([node]), dataclasses.asdict(node), dataclasses.astuple(node)


PROGRAMS = tuple(
    value for value in list(globals().values())
    if isinstance(value, types.FunctionType) and value.__module__ == __name__
)  # fmt: skip

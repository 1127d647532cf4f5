"""Marks of what this interpreter could do today, held to what was measured on CPython 3.11 to 3.13."""

from __future__ import annotations

import ast
import dis
import sys
import threading
from fractions import Fraction
from pathlib import Path

import pytest

from sharedstate import switch_points
from sharedstate.interleave import Scenario, show
from sharedstate.interleave.possible import interpreter
from sharedstate.interleave.source.bytecode import Listing
from sharedstate.passcodes import checkers

GIL = pytest.mark.skipif(not switch_points.gil_enabled(), reason="asks what a GIL does; this build has none")


class Gap:
    """A checker; subclasses put something into the gap between the write and the read."""

    def __init__(self) -> None:
        self.buffer, self.seen, self.n = "", [], 0

    def look(self) -> object:
        return self.buffer


class Nothing(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        return self.buffer


class Spin(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        for _ in range(3):
            pass
        return self.buffer


class While(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        n = 3
        while n:
            n -= 1
        return self.buffer


def helper() -> None:
    """A call of Python code."""


class PythonCall(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        helper()
        return self.buffer


class Method(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        return self.look()


class CCall(Gap):
    def go(self, word: str) -> object:
        self.buffer = word
        word.upper()
        return self.buffer


class Length(Gap):
    def go(self, word: str) -> object:
        self.buffer = word
        len(word)
        return self.buffer


class OwnLength(str):
    def __len__(self) -> int:
        return 1


class Arithmetic(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        n = 1
        n = (n + 2) * 3 - len("x") if n else 7
        text = f"{n}"
        return self.buffer if text != "x" and n > 1 else None


class Shadowed(Gap):
    def go(self, word: object) -> object:
        len = helper
        self.buffer = word
        len()
        return self.buffer


class WithProperty(Gap):
    @property
    def limit(self) -> int:
        return 3

    def go(self, word: object) -> object:
        self.buffer = word
        n = self.limit
        return self.buffer if n else None


class Compares(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        return self.buffer if word == "x" or word else None


class OwnEqual(str):
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return False


class Attributes(Gap):
    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def go(self, word: object) -> object:
        self.buffer = word
        return self.buffer


class Descriptor:
    def __get__(self, thing: object, kind: type) -> int:
        return 1


class WithDescriptor(Gap):
    limit = Descriptor()

    def go(self, word: object) -> object:
        self.buffer = word
        return self.buffer if self.limit else None


class LibraryProperty(Gap):
    def go(self, word: object) -> object:
        half = Fraction(1, 2)
        self.buffer = word
        n = half.numerator
        return self.buffer if n else None


class Builtin(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        abs(-1)
        return self.buffer


class Branch(Gap):
    def go(self, word: object) -> object:
        self.buffer = word
        if word == "never":
            helper()
        return self.buffer


class CheckThenAct(Gap):
    def go(self, word: object) -> None:
        if "x" not in self.seen:
            self.seen.append("x")


class Finalised(str):
    def __del__(self) -> None:
        """Python code that runs when the word falls off."""


def gap(cls: type, word: object = "x", gil: bool | None = True) -> bool | None:
    """Is the switch between alice's write and her next access possible?"""
    room = Scenario(lambda: cls(), {"alice": lambda s: s.go(word), "bob": lambda s: s.go(word)})
    room._engine.gil = gil
    trace = room.play(["alice", "bob", "alice*", "bob*"])
    assert (trace.steps[0].kind, trace.steps[1].switch, trace.steps[1].preemption) == ("write", True, True)
    return trace.steps[1].possible


@pytest.mark.parametrize("cls", [Nothing, Length, Arithmetic, Compares], ids=lambda c: c.__name__)
def test_plain_builtins_leave_no_switch_point(cls: type) -> None:
    assert gap(cls) is False


@pytest.mark.parametrize(
    "cls",
    [
        Spin,
        While,
        PythonCall,
        Method,
        CCall,
        Builtin,
        Shadowed,
        WithProperty,
        LibraryProperty,
        WithDescriptor,
        Attributes,
        Branch,
    ],
    ids=lambda c: c.__name__,
)
def test_a_loop_a_call_or_hidden_python_code_does(cls: type) -> None:
    assert gap(cls) is True


@pytest.mark.parametrize(
    ("cls", "word"),
    [(Nothing, Finalised("x")), (Length, OwnLength("x")), (Compares, OwnEqual("x"))],
    ids=["finaliser", "__len__", "__eq__"],
)
def test_the_type_of_the_word_may_bring_it_in(cls: type, word: object) -> None:
    assert gap(cls, "x") is False
    assert gap(cls, word) is True


def test_check_then_act_on_a_list_of_plain_values_is_not_interrupted_today() -> None:
    bodies = {"a": lambda s: s.go(""), "b": lambda s: s.go("")}
    room = Scenario(CheckThenAct, bodies, never=lambda s, a: len(s.seen) > 1)
    room._engine.gil = True
    trace = room.explore().minimal
    assert trace.possible is False and trace.preemptions == 1


def test_a_value_that_was_there_before_may_have_a_finaliser() -> None:
    class Before(Nothing):
        def __init__(self) -> None:
            super().__init__()
            self.buffer = Finalised("old")

    assert gap(Before) is True


@pytest.mark.parametrize("cls", [Nothing, Length, Spin])
def test_without_a_gil_every_switch_is_possible(cls: type) -> None:
    assert gap(cls, gil=False) is True


# --- the article's checkers, as measured


@pytest.mark.parametrize(
    ("name", "possible"),
    [("spin", True), ("no_spin", False), ("call", True), ("finaliser", True), ("sleep0", True)],
)
def test_the_measured_checkers(name: str, possible: bool) -> None:
    cls = checkers.RACY[name]
    room = Scenario(
        lambda: cls("s3cret"),
        {"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda state, answers: answers["mallory"],
    )
    room._engine.gil = True
    trace = room.explore(strategy="preemptions", preemptions=1).minimal
    assert trace.possible is possible
    assert trace.here.startswith("possible on this interpreter" if possible else "not today on CPython")
    room._engine.gil = False
    free = room.replay(trace.token)
    assert free.possible is True and "without a GIL" in free.here


class Counter:
    def __init__(self) -> None:
        self.n = 0

    def add(self) -> None:
        self.n += 1

    def get(self) -> int:
        return self.n

    def put(self, value: int) -> None:
        self.n = value

    def get_then_write(self) -> None:
        self.n = self.get() + 1

    def get_then_put(self) -> None:
        self.put(self.get() + 1)

    def locals_only(self) -> None:
        x = self.n
        x = x + 1
        self.n = x


@pytest.mark.parametrize(
    ("method", "possible"),
    [("add", False), ("locals_only", False), ("get_then_write", False), ("get_then_put", True)],
)
def test_the_lost_update(method: str, possible: bool) -> None:
    """`+=` loses nothing since 3.10, `n = get() + 1` nothing since 3.11: a return is no switch point."""
    body = lambda c: getattr(c, method)()  # noqa: E731
    room = Scenario(Counter, {"a": body, "b": body}, never=lambda s, a: s.n != 2)
    room._engine.gil = True
    trace = room.explore().minimal
    assert trace.preemptions == 1 and trace.possible is possible


def test_fractions_are_python_code() -> None:
    class Exact(Counter):
        def __init__(self) -> None:
            self.n = Fraction(0)

    room = Scenario(Exact, {"a": lambda c: c.locals_only(), "b": lambda c: c.locals_only()})
    room._engine.gil = True
    assert room.play(["a", "b", "a*", "b*"]).steps[1].possible is True


class Door(Counter):
    def __init__(self) -> None:
        self.n, self.lock, self.open = 0, threading.Lock(), threading.Event()

    def take(self) -> None:
        self.n = 1
        with self.lock:
            self.n = 2

    def tell(self) -> None:
        self.n = 1
        self.open.set()


@pytest.mark.parametrize(("method", "before", "possible"), [("take", "lock", False), ("tell", "open", True)])
def test_a_lock_is_written_in_c_and_an_event_in_python(method: str, before: str, possible: bool) -> None:
    room = Scenario(Door, {"a": lambda s: getattr(s, method)(), "b": lambda s: s.add()})
    room._engine.gil = True
    trace = room.play(["a*2", "b", "a*", "b*"])
    assert trace.steps[1].target == f"Door.{before}" and trace.steps[1].kind == "read"
    assert trace.steps[2].preemption and trace.steps[2].possible is possible


def test_a_lock_that_was_waited_for_lets_others_in() -> None:
    room = Scenario(Door, {"a": lambda s: s.take(), "b": lambda s: s.add()})
    room._engine.gil = True
    trace = room.play(["a*3", "b", "a*", "b*"])
    assert trace.steps[2].kind == "acquire" and trace.steps[3].possible is True


class TwoCalls:
    def __init__(self) -> None:
        self.n = self.m = 0

    def one_of_two(self, first: bool) -> None:
        if first:
            self.n = 1
        if not first:
            self.m = 1

    def go(self) -> None:
        self.one_of_two(True)
        self.one_of_two(False)


def test_two_calls_of_one_function_are_not_one_way_through_it() -> None:
    room = Scenario(TwoCalls, {"a": TwoCalls.go, "b": TwoCalls.go})
    room._engine.gil = True
    trace = room.play(["a", "b*", "a*"])
    assert trace.steps[0].kind == "write" and trace.steps[1].possible is True


def test_a_thread_that_must_wait_is_not_interrupted() -> None:
    room = Scenario(Door, {"a": Door.take, "b": Door.take})
    room._engine.gil = True
    trace = room.play(["a*3", "b*", "a*", "b*"])
    back = next(step for step in trace.steps[4:] if step.switch and step.thread == "a")
    assert back.possible is True and not back.preemption


# --- every failing schedule is asked, not only the smallest


class EarlyAndLate(Counter):
    """Two gaps: a call is in the first one, nothing in the second."""

    def __init__(self) -> None:
        self.n = self.m = 0

    def add(self) -> None:
        m = self.m
        helper()
        self.m = m + 1
        self.n += 1


def both(cls: type, never: object) -> Scenario:
    room = Scenario(cls, {"a": lambda s: s.add(), "b": lambda s: s.add()}, never=never)
    room._engine.gil = True
    return room


def test_another_failing_schedule_may_be_possible() -> None:
    result = both(EarlyAndLate, lambda s, _: (s.n, s.m) != (2, 2)).explore()
    assert result.minimal.possible is False
    answer = result.today()
    assert answer.trace.possible is True and answer.trace.violated and answer.judged > 1
    assert answer.trace.token in str(answer) and answer.trace.token in result.report()


def test_not_today_is_said_of_all_failing_schedules() -> None:
    result = both(Counter, lambda s, _: s.n != 2).explore()
    answer = result.today()
    assert answer.trace is None and answer.complete and answer.judged >= 2
    assert f"all {answer.judged} failing schedules with at most 2 preemptions" in str(answer)
    assert "all " in result.report() and "does not look for other threads" in " ".join(result.report().split())


def test_a_smallest_schedule_that_is_possible_is_the_answer() -> None:
    result = both(EarlyAndLate, lambda s, _: s.m != 2).explore()
    assert result.minimal.possible is True and result.today().trace is result.minimal
    assert both(Counter, lambda s, _: False).explore().today() is None


# --- what needs no judgement


def test_the_end_of_a_thread_and_a_wait_are_no_interruption() -> None:
    room = Scenario(Counter, {"a": lambda c: c.add(), "b": lambda c: c.add()})
    trace = room.play(["a*", "b*"])
    assert [s.possible for s in trace.steps] == [None, None, True, None] and trace.possible is True
    assert room.play(["a"]).here == "" and room.play(["a"]).possible is None


def test_an_unfinished_schedule_is_judged_by_what_would_come_next() -> None:
    room = Scenario(Counter, {"a": lambda c: c.add(), "b": lambda c: c.add()})
    room._engine.gil = True
    trace = room.play(["a", "b"])
    assert trace.steps[1].possible is False and "step 1 and the next" in trace.here


def test_what_the_thread_back_end_runs_is_judged_too() -> None:
    def generate(c: Counter) -> list[int]:
        return list(numbers(c))

    def numbers(c: Counter):  # a generator function needs the thread back end
        c.n = 1
        c.n = 2
        yield c.n

    room = Scenario(Counter, {"a": generate, "b": lambda c: c.add()})
    room._engine.gil = True
    trace = room.play(["a", "b*", "a*"])
    assert trace.steps[1].possible in (True, False) and trace.here


# --- how it is shown


def no_spin() -> tuple[Scenario, list[str]]:
    room = Scenario(Counter, {"a": lambda c: c.add(), "b": lambda c: c.add()}, never=lambda s, a: s.n != 2)
    room._engine.gil = True
    return room, ["a", "b*", "a*"]


def test_text_html_and_svg_say_not_today() -> None:
    room, moves = no_spin()
    trace = room.play(moves)
    for shown in (show.text(trace), show.html(trace), show.svg(trace)):
        assert "not today on CPython" in shown
        assert "no switch point between a" in shown
    assert ">>x" in show.text(trace) and "cannot switch here today" in show.text(trace)
    assert str(room.explore()).count("not today on CPython") == 1


def test_text_html_and_svg_say_possible() -> None:
    room, moves = no_spin()
    room._engine.gil = False
    trace = room.play(moves)
    for shown in (show.text(trace), show.html(trace), show.svg(trace)):
        assert "possible on this interpreter" in shown and "without a GIL" in shown
    assert ">>x" not in show.text(trace)


def test_the_interpreter_is_named() -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    assert interpreter(True).endswith(f"{version} with its GIL")
    assert interpreter(False).endswith(f"{version} without a GIL")
    assert interpreter() == interpreter(switch_points.gil_enabled())


# --- the bytecode itself


def branches(a: list, x: int) -> None:
    a.first = 1
    if x:
        a.second = 2
    else:
        helper()
    a.third = 3


def stores(listing: Listing, name: str) -> list[int]:
    """The writes of a field; the compiler may double the end of a function."""
    return [k for k, i in enumerate(listing.instructions) if i.opname == "STORE_ATTR" and i.argval == name]


def test_the_ways_between_two_instructions() -> None:
    listing = Listing.of(branches.__code__)
    first, second, third = (stores(listing, name) for name in ("first", "second", "third"))
    way = listing.between(first[0], third)
    assert second[0] in way
    assert any(listing.instructions[k].opname == "CALL" for k in way)
    way = listing.between(first[0], second)
    assert not any(listing.instructions[k].opname == "CALL" for k in way)
    assert listing.between(third[0], first) is None


def test_an_access_is_found_by_its_place() -> None:
    source = dis.Bytecode(branches).codeobj
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    function = next(n for n in tree.body if getattr(n, "name", "") == "branches")
    target = function.body[0].targets[0]
    listing = Listing.of(source)
    span = (target.lineno, target.end_lineno, target.col_offset, target.end_col_offset)
    assert [listing.instructions[k].argval for k in listing.find("write", "first", span)] == ["first"]
    assert listing.find("write", "fourth", span) == []

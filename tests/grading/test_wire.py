"""What travels between judge and child: exact values, and nothing that executes."""

from __future__ import annotations

import collections
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from sharedstate.checks import Case, Registry
from sharedstate.checks.child import Child, ChildFailed
from sharedstate.checks.outside import Asker, Refused, _attribute, _callable
from sharedstate.checks.wire import Unreadable, decode, encode

from .conftest import CHECKS

Point = collections.namedtuple("Point", "x y")


def kept(one: object) -> list:
    """Stand in for a value that stays."""
    return ["theirs", 7]


def found(tag: str, number: int) -> object:
    """Stand in for what a number stands for."""
    if (tag, number) != ("theirs", 7):
        raise Unreadable(tag)
    return "the object"


def there(value: Any) -> Any:
    """Return a value after its way over the wire."""
    return decode(encode(value, kept), found)


@pytest.mark.parametrize("value", [
    None, True, 7, -(10**40), "text", 0.1, -0.0, math.inf, 1 + 2j, b"\x00\xff", [1, [2]], (1, "a"), {1, 2},
    frozenset("ab"), {(1, 2): [3.5], "x": None},
])
def test_plain_values_come_back_as_they_were(value: object) -> None:
    back = there(value)
    assert type(back) is type(value) and back == value and sorted(repr(back)) == sorted(repr(value))


def test_arrays_and_tensors_come_back_with_dtype_shape_and_bytes() -> None:
    arrays = (np.arange(6, dtype=np.uint8).reshape(2, 3), np.array(["ab", "c"]), np.empty((0, 2)))
    for one in arrays:
        back = there(one)
        assert back.dtype == one.dtype and back.shape == one.shape and back.tobytes() == one.tobytes()
    assert type(there(np.float32(0.1))) is np.float32 and there(np.float32(0.1)) == np.float32(0.1)
    tensors = (torch.rand(2, 3, dtype=torch.float64).T, torch.tensor([True, False]), torch.tensor(3), torch.empty(0, 4),
               torch.tensor([1.5, -2.0], dtype=torch.bfloat16))
    for two in tensors:
        back = there(two)
        assert back.dtype == two.dtype and back.shape == two.shape and torch.equal(back, two)
    assert there(torch.bfloat16) is torch.bfloat16
    assert math.isnan(there(math.nan)) and there(Point(1, 2)) == (1, 2)
    assert there(object()) == there(len) == there(np.array([object()])) == "the object"


@pytest.mark.parametrize("data", [
    ["f", "x"], ["f", 1], ["l", 1], ["d", [[1]]], ["d", [[["l", []], 1]]], ["b", "??"], ["s", [["l", []]]], [], ["l"],
    {"a": 1}, 0.5, ["pickle", "x"], ["theirs", "7"], ["theirs", 8], ["numpy", "O", [1], ""], ["numpy", "<i8", [-1], ""],
    ["numpy", "<i8", [3], "AAAA"], ["torch", "load", [1], "AAAA"], ["torch", "float32", [1], "AA=="], ["c", "1"],
    ["torch", "float32", [10**12], ""], ["numpy", "<f8", [10**9, 0], ""], ["torch", "float32", [10**9, 0], ""],
    ["dtype", "load"], ["dtype", 3], ["torch", "nowhere", [0], ""], ["number", "<f8", [], ""],
])
def test_what_is_not_in_the_format_is_refused(data: object) -> None:
    with pytest.raises(Unreadable):
        decode(data, found)


def test_deep_nesting_is_refused() -> None:
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(Unreadable):
        encode(deep, kept)
    coded: Any = None
    for _ in range(100):
        coded = ["l", [coded]]
    with pytest.raises(Unreadable):
        decode(coded, found)


def test_a_child_may_call_what_it_was_handed_and_read_no_more_than_ordinary_attributes() -> None:
    assert _callable(len.__class__) and _callable(found)
    case = Case("a", {"n": 1})
    assert _attribute(case, "label") == "a"
    with pytest.raises(Refused):
        _callable(SimpleNamespace())
    hidden = ((case, "__class__"), (case, "_x"), (found, "__globals__"), (found, "x"), (Case, "label"), (case, 3))
    for one, name in hidden:
        with pytest.raises(AttributeError):
            _attribute(one, name)


class Script:
    """A child that says what it was told to say."""

    def __init__(self, *replies: dict) -> None:
        self.replies, self.asked = [*replies], list[dict]()

    def ask(self, seconds: float, **request: object) -> dict:
        """Note the request; give the next reply."""
        self.asked.append(request)
        return self.replies.pop(0)


def test_what_a_child_raises_is_an_exception_of_python_or_of_the_course_and_no_other() -> None:
    def told(*classes: list) -> dict:
        return {"raised": [[*classes, ["builtins", "Exception"]], ["t", ["x"]], ["d", []]]}

    own, exits, module = ["mine", "Own"], ["builtins", "SystemExit"], ["os", "error"]
    failure = ["sharedstate.checks.child", "ChildFailed"]
    script = Script({"back": ["theirs", 0]}, told(own, ["builtins", "KeyError"]), told(exits), told(module), told(failure))
    asker = Asker(script, SimpleNamespace(id="90.1"), "notebook", 1e12)  # type: ignore[arg-type]
    for kind in (KeyError, Exception, Exception, Exception):
        with pytest.raises(kind) as raised:
            asker.answer(1)
        assert type(raised.value) is kind and raised.value.args == ("x",)


@pytest.mark.parametrize("more", [[], [["reason", "ok"]], [["reason", 3], ["message", "x"]]])
def test_a_complaint_without_its_words_is_no_reply(more: list) -> None:
    said = {"raised": [[["sharedstate.checks.types", "AnswerProblem"]], ["t", ["x"]], ["d", more]]}
    asker = Asker(Script({"back": ["theirs", 0]}, said), SimpleNamespace(id="90.1"), "h", 1e12)  # type: ignore[arg-type]
    with pytest.raises(ChildFailed) as raised:
        asker.answer(1)
    assert raised.value.reason == "unusable"


def test_a_child_may_ask_back_in_the_middle_of_a_call() -> None:
    asks = [{"wants": {"what": "call", "on": on, "given": ["t", [4]], "named": ["d", []]}} for on in (0, 9)]
    script = Script({"back": ["theirs", 0]}, *asks, {"back": 40})
    asker = Asker(script, SimpleNamespace(id="90.1"), "notebook", 1e12)  # type: ignore[arg-type]
    assert asker.answer(lambda n: 10 * n) == 40
    assert script.asked[2] == {"do": "back", "back": 40} and "raised" in script.asked[3]


ANSWER = """
class Answer:
    made = 0
    def __init__(self, start):
        self.n = start
    def add(self, k):
        self.n += k
        return self
    def each(self):
        yield from range(self.n)
    def ask(self, friend, k):
        return friend(k) + friend.__call__(k)
    def read(self, case):
        try:
            return case._hidden
        except AttributeError:
            return case.label, case.visible
    def fail(self):
        raise KeyError("x")
    def refused(self, friend):
        try:
            return friend.__globals__
        except AttributeError:
            return "refused"
"""


def raises(k: int) -> None:
    """Raise what the child should see, and pass on."""
    raise KeyError(k)


def test_an_object_in_a_real_child_is_used_as_if_it_were_here(course: Path) -> None:
    registry = Registry(course)
    with Child(registry, (CHECKS,)) as child:
        child.ask(60, do="source", handle="h", source=ANSWER.replace("Answer", "Counter"), setup="", name="Counter")
        kind = Asker(child, registry.exercise("90.3"), "h", 1e12).answer
        made = kind(3)
        assert made.n == 3 and made.add(2).n == 5 and list(made.each()) == [0, 1, 2, 3, 4]
        assert made.ask(lambda k: 10 * k, 4) == 80 and hasattr(made, "add") and not hasattr(made, "missing")
        assert made.read(Case("a", {"n": 1}, True)) == ("a", True) and made.refused(lambda: 0) == "refused"
        with pytest.raises(KeyError, match="x"):
            made.fail()
        with pytest.raises(KeyError):
            made.ask(raises, 1)

"""An exercise's `run` in the judge's own process: its answer is asked in the child, call by call, value by value.

What a child reports of its answer could be forged there, by code that puts another `run` in the place of the course's.
Here `run` is the course's own, and a child can only return values, raise, and call what it was handed.
"""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

from .child import Child, ChildFailed
from .registry import COURSE
from .shown import PSEUDO
from .types import AnswerProblem, Exercise
from .wire import Unreadable, decode, encode

MOST_ASKED = 200_000
THEIRS, OURS = "theirs", "ours"
SAID = ("reason", "message")


class Refused(Exception):
    """A child asked for something that it may not have."""


class Theirs:
    """An object of the child's: what is done to it here is done there."""

    def __init__(self, asker: Asker, number: int) -> None:
        self.__dict__["_at"] = (asker, number)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return _do(self, "call", None, given, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _do(self, "get", name)

    def __len__(self) -> int:
        return _do(self, "len")

    def __getitem__(self, key: Any) -> Any:
        return _do(self, "item", None, (key,))

    def __iter__(self) -> Iterator[Any]:
        steps = _do(self, "iter")
        while True:
            try:
                yield _do(steps, "next")
            except StopIteration:
                return


def _do(one: Theirs, what: str, name: str | None = None, given: tuple = (), named: dict | None = None) -> Any:
    asker, number = one.__dict__["_at"]
    return asker.ask(what, number, name, given, named or {})


class Asker:
    """Asks one child about one answer until a time (monotonic)."""

    def __init__(self, child: Child, exercise: Exercise, handle: str, until: float) -> None:
        self.child, self.until, self.asked = child, until, 0
        self.ours: list[object] = []
        self.answer = self._value(self._sent(do="begin", exercise=exercise.id, handle=handle))

    def ask(self, what: str, number: int, name: str | None, given: tuple, named: dict) -> Any:
        """Do something to an object of the child's; return the value, or raise what it raised."""
        return self._value(self._sent(do="ask", what=what, on=number, name=name,
                                      given=self._coded(given), named=self._coded(named)))

    def _sent(self, **request: object) -> dict:
        self.asked += 1
        if self.asked > MOST_ASKED:
            raise ChildFailed("flood", "The answer asked for too much.")
        return self.child.ask(max(0.1, self.until - time.monotonic()), **request)

    def _value(self, reply: dict) -> Any:
        """Answer the child's own questions until there is a value, or an exception, which is raised."""
        while "wants" in reply:
            reply = self._sent(do="back", **self._answered(reply["wants"]))
        if "raised" in reply:
            raise self._error(reply["raised"])
        if "back" not in reply:
            raise ChildFailed("unusable", "The notebook's process gave no usable reply.")
        try:
            return decode(reply["back"], self._found)
        except Unreadable:
            raise ChildFailed("unusable", "The notebook's process sent no plain value.") from None

    def _coded(self, value: object) -> Any:
        return encode(value, self._keep)

    def _keep(self, value: object) -> list:
        if isinstance(value, Theirs):
            return [THEIRS, value.__dict__["_at"][1]]
        self.ours.append(value)
        return [OURS, len(self.ours) - 1]

    def _found(self, tag: str, number: int) -> object:
        if tag == OURS and 0 <= number < len(self.ours):
            return self.ours[number]
        if tag == THEIRS:
            return Theirs(self, number)
        raise Unreadable(f"no value of kind {tag!r}")

    def _answered(self, wants: object) -> dict[str, Any]:
        """Do what the child asked of an object of ours: a call, or an ordinary attribute of one of the course's."""
        try:
            if type(wants) is not dict or type(wants.get("on")) is not int:
                raise Refused("no question")
            one = self._found(OURS, wants["on"])
            given, named = (decode(wants.get(part), self._found) for part in ("given", "named"))
            if wants.get("what") == "call":
                return {"back": self._coded(_callable(one)(*given, **named))}
            return {"back": self._coded(_attribute(one, wants.get("name")))}
        except ChildFailed:
            raise
        except Exception as problem:
            return {"raised": raised(problem, self._keep)}

    def _error(self, told: object) -> Exception:
        """Return the exception that a child tells of: the nearest class that is known here."""
        try:
            assert type(told) is list
            classes, given, more = told
            args, attributes = decode(given, self._found), decode(more, self._found)
            kind = next(known for module, name in classes if (known := _known(module, name)))
            assert kind is not AnswerProblem or [type(attributes.get(name)) for name in SAID] == [str, str]
            error = kind.__new__(kind, *args)
            error.args = args
            vars(error).update(attributes)
        except (AssertionError, StopIteration, ValueError, TypeError, AttributeError):
            return ChildFailed("unusable", "The notebook's process gave no usable reply.")
        return error


def raised(error: BaseException, keep: Callable[[object], list]) -> list:
    """Return an exception as data: its classes by name, its arguments, its attributes."""
    classes = [[kind.__module__, kind.__qualname__] for kind in type(error).__mro__]
    try:
        return [classes, encode(error.args, keep), encode(vars(error), keep)]
    except Unreadable:
        return [classes, encode((), keep), encode({}, keep)]


def _known(module: object, name: object) -> type[Exception] | None:
    """Return an exception class of Python's own or of the course's, of a module that is loaded already.

    None for that by which a judge learns that a child failed: a child has no say in it.
    """
    if type(module) is not str or type(name) is not str:
        return None
    ours = module.partition(".")[0] in ("sharedstate", COURSE)
    found = vars(sys.modules[module]).get(name) if ours and module in sys.modules else None
    found = getattr(builtins, name, None) if module == "builtins" else found
    right = isinstance(found, type) and issubclass(found, Exception) and not issubclass(found, ChildFailed)
    return found if right else None


def _courses(kind: type) -> bool:
    """Whether a class is the package's, a check's, or one that a lab shows."""
    return kind.__module__.partition(".")[0] in ("sharedstate", COURSE) or kind.__module__.startswith(PSEUDO)


def _callable(one: object) -> Callable:
    """Return what a child may call: functions, methods and objects that the course's `run` handed out."""
    if isinstance(one, (FunctionType, MethodType, type)) or _courses(type(one)):
        assert callable(one)
        return one
    raise Refused("no function")


def _attribute(one: object, name: object) -> object:
    if type(name) is not str or name.startswith("_") or not _courses(type(one)) or isinstance(one, type):
        raise AttributeError(str(name))
    return getattr(one, name)

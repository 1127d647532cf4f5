"""One site per place in the source where a thread asks the explorer for something."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class Unsupported(Exception):
    """The function cannot be rewritten for this back end; the message says which construct."""


class NeedsLoop(Unsupported):
    """The code under test is asynchronous: its threads are tasks of one event loop."""


class NotModelled(RuntimeError):
    """A call that could wait for ever and that the explorer cannot follow."""


class OutOfSteps(BaseException):
    """A schedule is longer than the explorer goes; no learner's code may catch it, and it is nobody's answer."""


class Dropped(GeneratorExit):
    """Thrown into a learner's code when its schedule is abandoned; guards keep it from running on."""


class Interrupted(Dropped):
    """Somebody has pressed Ctrl-C: not for a learner's code to catch; at the explorer's door a KeyboardInterrupt."""


# What the explorer says itself: it is never handed on to a learner's code.
OWN = (Unsupported, NotModelled, OutOfSteps, Interrupted)


class _Mark:
    """A value that no learner's code can return."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


STEP = _Mark("STEP")
READY = _Mark("READY")
PUSH = _Mark("PUSH")
EMIT = _Mark("EMIT")


# The key of a step that ran code nobody followed: it may have touched whatever there is.
ANYTHING = ("anything", "*")


@dataclass(eq=False, slots=True)
class Site:
    """A request site: what is asked (`op`), of which name, where in the source.

    `handle` decides (a step, a call to follow, or done at once), `perform` does the access of a step.
    `kinds` remembers per type what the name is there; `globals` is the scope of a global name.

    The short way: where the operand at place `operand` is of the type `plain`, no handler is asked. If it is shared,
    `act` is the step; without an `act` it is a call (`quick` says of what): `function` is what is followed if it is
    that, `made` its twin, and `free` says that nothing has to be noted when it is entered.
    """

    index: int
    op: str
    name: str
    line: int
    where: str
    source: str
    globals: dict[str, Any]
    handle: Callable[..., Any]
    perform: Callable[..., Any]
    code: types.CodeType
    kinds: dict[type, Any] = field(default_factory=dict)
    partner: int = -1
    quick: int = 0
    operand: int = 0
    plain: type | None = None
    act: Callable[..., Any] | None = None
    function: Any = None
    made: Any = None
    twin: Any = None
    free: bool = False

    def shorten(self, operand: int, plain: type, act: Callable[..., Any] | None) -> None:
        """From now on the short way is open for operands of this type."""
        self.operand, self.plain, self.act = operand, plain, act


METHOD, FUNCTION, GETTER, SETTER = range(1, 5)

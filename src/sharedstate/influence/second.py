"""State that outlives a call: the answer to a call that comes alone, against the same call after another one."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

Service = Callable[[object], object]
WIDEST = 32


@dataclass(frozen=True)
class SecondCall:
    """Two answers to one call: in a fresh service, and in one that another call has used before.

    An answer is kept as its text, taken at once: a service may change what it has handed out.
    """

    alone: str
    after: str

    @property
    def leaks(self) -> bool:
        """True when the first call reached the second one's answer."""
        return self.alone != self.after

    def __str__(self) -> str:
        word = "LEAK" if self.leaks else "isolated"
        return f"{word:9} alone: {_short(self.alone)}   after: {_short(self.after)}"


def second_call(make: Callable[[], Service], first: object, second: object) -> SecondCall:
    """Ask `second` of a fresh service, and of a fresh one that has answered `first`.

    `make()` starts a service anew, with all that belongs to its process (environment, generator, streams). What the
    first call raises is dropped: a call that failed, or was cancelled, may leave things behind as well. The asking
    leaves nothing: the process's environment, generator and streams are put back at the end.
    Blind to state that the first call leaves and the second one does not show; ask with several pairs.
    """
    with process_put_back():
        alone = answer(make(), second)
        service = make()
        answer(service, first)
        found = SecondCall(alone, answer(service, second))
        del service  # what it holds open ends here
    return found


@contextmanager
def process_put_back() -> Iterator[None]:
    """Put back the environment, the state of `random`'s hidden generator, and the output streams at the end."""
    variables, drawn, streams = dict(os.environ), random.getstate(), (sys.stdout, sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        random.setstate(drawn)
        for name in {*variables, *os.environ}:
            if name not in variables:
                del os.environ[name]
            elif os.environ.get(name) != variables[name]:
                os.environ[name] = variables[name]


def answer(service: Service, call: object) -> str:
    """Return the answer of one call as a text, or what it raised."""
    try:
        return repr(service(call))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"

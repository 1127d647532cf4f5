"""Nothing stays behind: not after an error, and not after an interrupt at any moment."""

from __future__ import annotations

import contextlib
import functools
import io
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from sharedstate.interleave.sites import Interrupted

Method = TypeVar("Method", bound=Callable[..., Any])


def _interrupt(number: int, frame: object) -> None:
    """Ctrl-C while a learner's code may run: it must not catch this."""
    raise Interrupted


@contextlib.contextmanager
def settings() -> Iterator[None]:
    """Put back the switch interval and the hooks that the code under test may change."""
    interval, trace, profile = sys.getswitchinterval(), sys.gettrace(), sys.getprofile()
    ours = threading.current_thread() is threading.main_thread()
    ours = ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if ours:
            signal.signal(signal.SIGINT, _interrupt)
        yield
    except Interrupted:
        raise KeyboardInterrupt from None
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        if sys.getprofile() is not profile:
            sys.setprofile(profile)
        if sys.getswitchinterval() != interval:
            sys.setswitchinterval(interval)


class Silence(io.TextIOBase):
    """Swallows what the code under test prints, however much it is."""

    def write(self, text: str) -> int:
        """Drop it."""
        return len(text)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing that the code under test prints is shown, and no setting of Python that it changes is kept."""
    with settings(), contextlib.redirect_stdout(Silence()):
        yield


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """An interrupt waits until this is done: for something short that real threads are in the middle of."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def cleaned_up(method: Method) -> Method:
    """Make a method of a scenario leave stdout, locks and threads as they were.

    An interrupt can come on entry to any function, also of the one that should clean up; the statements
    here that matter call nothing, or are tried twice.
    """

    @functools.wraps(method)
    def inner(self: Any, *arguments: Any, **keywords: Any) -> Any:
        before = sys.stdout
        try:
            return method(self, *arguments, **keywords)
        finally:
            sys.stdout = before
            try:
                self._engine.close()
            except KeyboardInterrupt:
                self._engine.close()
                raise

    return inner  # type: ignore[return-value]

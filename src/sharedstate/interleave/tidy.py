"""Nothing stays behind: not after an error, and not after an interrupt at any moment."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


@contextlib.contextmanager
def settings() -> Iterator[None]:
    """Put back the switch interval and the hooks that the code under test may change."""
    interval, trace, profile = sys.getswitchinterval(), sys.gettrace(), sys.getprofile()
    try:
        yield
    finally:
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        if sys.getprofile() is not profile:
            sys.setprofile(profile)
        if sys.getswitchinterval() != interval:
            sys.setswitchinterval(interval)


def tidy(method: Method) -> Method:
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

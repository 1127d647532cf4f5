"""Nothing stays behind: not after an error, and not after an interrupt at any moment."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


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

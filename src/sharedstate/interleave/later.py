"""What a run needs only now and then, made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Later:
    """An attribute that is made when somebody asks for it; most runs never do."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make, self.name = make, ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, thing: Any, owner: type | None = None) -> Any:
        if thing is None:
            return self
        value = thing.__dict__[self.name] = self.make()
        return value

"""What the rewriter must know of the function that it rewrites."""

from __future__ import annotations
import __future__

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field

FUTURE_ANNOTATIONS = __future__.annotations.compiler_flag
LOCAL, CELL, GLOBAL, FIXED = "local", "cell", "global", "fixed"


@dataclass
class Scope:
    """The function's names, its class, its module; `site(op, name, node)` makes a site and gives its number.

    With `yields` a request is a `yield` (the code becomes a generator), otherwise a call: coroutines cannot be
    generators as well, and between two awaits nobody else moves.
    """

    code: types.CodeType
    globals: dict
    nonlocals: frozenset[str]
    yields: bool
    site: Callable[..., int]
    declared: frozenset[str] = frozenset()
    extra: set[str] = field(default_factory=set)
    temporaries: int = 0
    handled: int = 0  # how many `except` and `finally` blocks are around

    @property
    def annotated(self) -> bool:
        """True where an annotation is worked out when the function is made: not as text, and not from 3.14 on."""
        return sys.version_info < (3, 14) and not self.code.co_flags & FUTURE_ANNOTATIONS

    def fresh(self, stem: str) -> str:
        """A local name that the learner does not use."""
        self.temporaries += 1
        return f"ss_{stem}{self.temporaries}"

    def kind(self, name: str) -> str:
        """LOCAL: nobody else sees it; CELL: captured and written by somebody; GLOBAL: data of a module; else FIXED."""
        if name.startswith("ss_") or name in self.extra:
            return LOCAL
        if name in self.declared:
            return GLOBAL if self._is_data(name) else FIXED
        if name in self.code.co_freevars or name in self.code.co_cellvars:
            return CELL if name in self.nonlocals else LOCAL
        if name in self.code.co_varnames:
            return LOCAL
        return GLOBAL if self._is_data(name) else FIXED

    def stores_global(self, name: str) -> bool:
        """True where an assignment to the name writes a global."""
        known = (self.code.co_varnames, self.code.co_freevars, self.code.co_cellvars, self.extra)
        return name in self.declared or not (name.startswith("ss_") or any(name in names for names in known))

    def _is_data(self, name: str) -> bool:
        """True for a global that holds data: not a function, class or module, and not a builtin."""
        missing = object()
        value = self.globals.get(name, missing)
        if value is missing:
            builtin = self.globals.get("__builtins__", {})
            builtin = builtin if isinstance(builtin, dict) else vars(builtin)
            return name not in builtin
        return not isinstance(value, (type, types.ModuleType)) and not (
            callable(value) and hasattr(value, "__name__")
        )

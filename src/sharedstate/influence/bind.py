"""Give a call its argument in such a way that the explorer still reads the learner's own source."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def bind(name: str, call: Callable[[Any, Any], Any], value: object) -> Callable[[Any], Any]:
    """A function of the state alone that calls `call(state, value)`.

    A function is copied with the value as its second default, so that its source and what it captured stay
    visible; other callables get a partial. Raises ValueError for a call that does not take two arguments.
    """
    example = "lambda checker, word: checker.check(word)"
    wanted = ValueError(f"calls[{name!r}] must take (state, value), as in {example}")
    if not callable(call):
        raise wanted
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        raise wanted from None
    if len(parameters) < 2 or any(p.kind not in POSITIONAL for p in parameters[:2]):
        raise wanted
    if any(p.default is p.empty and p.kind in POSITIONAL for p in parameters[2:]):
        raise wanted
    if isinstance(call, types.FunctionType):
        return _copied(call, value)
    if parameters[1].kind is inspect.Parameter.POSITIONAL_ONLY:
        raise wanted
    return functools.partial(call, **{parameters[1].name: value})


def _copied(call: types.FunctionType, value: object) -> types.FunctionType:
    """The same function whose second argument is `value` unless given."""
    code = call.__code__
    later = (call.__defaults__ or ())[-(code.co_argcount - 2) :] if code.co_argcount > 2 else ()
    made = types.FunctionType(code, call.__globals__, call.__name__, (value, *later), call.__closure__)
    made.__kwdefaults__ = call.__kwdefaults__
    made.__qualname__, made.__module__ = call.__qualname__, call.__module__
    return made

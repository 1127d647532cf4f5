"""What an answer may be, and what may leave a check: plain data with exact types."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from types import MappingProxyType

from .types import AnswerProblem, Exercise

MAX_DEPTH = 40
MAX_TEXT = 1_000_000

EXPECTS: MappingProxyType[str, Callable[[object], bool]] = MappingProxyType({
    "a function": lambda a: callable(a) and not inspect.isclass(a),
    "a class": inspect.isclass,
    "a list": lambda a: type(a) is list,
    "a tuple": lambda a: type(a) is tuple,
    "a list or tuple": lambda a: type(a) in (list, tuple),
    "a set": lambda a: type(a) in (set, frozenset),
    "a dict": lambda a: type(a) is dict,
    "a text": lambda a: type(a) is str,
    "a number": lambda a: type(a) in (int, float),
    "an integer": lambda a: type(a) is int,
    "True or False": lambda a: type(a) is bool,
})


def untouched(answer: object) -> bool:
    """True for the placeholder that a lab starts with (`...` or None)."""
    return answer is None or answer is ...


def require_expected(exercise: Exercise, answer: object) -> None:
    """Raise AnswerProblem("wrong-type") when the answer is not what the exercise asks for."""
    if exercise.expects and not EXPECTS[exercise.expects](answer):
        found = type(answer).__name__
        said = f"`{exercise.answer}` should be {exercise.expects}; it is of type {found}."
        said += " Give the class itself, without ()." if found == exercise.answer else ""
        raise AnswerProblem("wrong-type", said)


def plain(value: object, depth: int = 0) -> object:
    """Return the value as JSON would carry it (tuples become lists); exact types only.

    Raises AnswerProblem("not-plain") for anything else: subclasses, NaN, sets, objects, too deep nesting.
    """
    if depth > MAX_DEPTH:
        raise AnswerProblem("not-plain", f"The answer is nested more than {MAX_DEPTH} levels deep.")
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float and math.isfinite(value):
        return value
    if kind in (list, tuple):
        return [plain(item, depth + 1) for item in value]
    if kind is dict and all(type(key) is str for key in value):
        return {key: plain(item, depth + 1) for key, item in value.items()}
    said = f"The answer gave {_name(value)}, which is no plain value (number, text, list, dict)."
    raise AnswerProblem("not-plain", said + _remedy(kind))


def _remedy(kind: type) -> str:
    """What to do about numbers of other libraries and about classes of dicts; "" for the rest."""
    if kind.__module__.partition(".")[0] in ("numpy", "torch"):
        return " Its .tolist() gives plain numbers."
    return " Make a plain one with dict(…)." if issubclass(kind, dict) and kind is not dict else ""


def _name(value: object) -> str:
    if type(value) is float:
        return f"the number {value}"
    if type(value) is dict:
        return "a dict with keys that are no texts"
    module = type(value).__module__
    kind = type(value).__qualname__ if module in ("builtins", "__main__") else f"{module}.{type(value).__qualname__}"
    return f"an object of type {kind}"


def encode(value: object) -> str:
    """Return plain data as JSON text; AnswerProblem when it is not plain or longer than MAX_TEXT."""
    try:
        text = json.dumps(plain(value), allow_nan=False)
    except ValueError as problem:  # an integer with more digits than Python prints
        raise AnswerProblem("not-plain", f"The answer cannot be written down: {problem}.") from None
    if len(text) > MAX_TEXT:
        raise AnswerProblem("not-plain", f"The answer is {len(text):,} characters long: too many.")
    return text


def decode(text: str) -> object:
    """Return the data of JSON text; ValueError for anything that is not strict JSON or too deep."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not JSON")

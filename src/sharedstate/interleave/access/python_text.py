"""Builtins that make text, written in Python: followed as those of `python_builtins` are, so that others can move."""

from __future__ import annotations

import _string
import re
from typing import Any

PERCENT = re.compile(r"%(?:\((?P<key>[^)]*)\))?(?P<how>[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?)[hlL]?(?P<kind>.)", re.S)


def print_(*values, **how) -> Any:
    """print(), by the values' own `__str__`."""
    print(*[str(value) for value in values], **how)


def join_(separator, source) -> Any:
    """str.join() of strings that a learner's code makes."""
    return separator.join([element for element in source])


def repr_container(thing) -> Any:
    """repr() of a container, by the elements' own `__repr__`."""
    if isinstance(thing, dict):
        return "{" + ", ".join([f"{key!r}: {thing[key]!r}" for key in thing]) + "}"
    inside = ", ".join([repr(element) for element in thing])
    if isinstance(thing, list):
        return f"[{inside}]"
    if isinstance(thing, tuple):
        return f"({inside},)" if len(thing) == 1 else f"({inside})"
    return "{" + inside + "}" if thing else "set()"


def format_(text, *given, **named) -> Any:
    """str.format(), by the values' own `__format__`, attributes and items."""
    return fill(text, given, named, [0])


def format_map_(text, table) -> Any:
    """str.format_map()."""
    return fill(text, (), table, [0])


def fill(text, given, named, number) -> Any:
    """The text with its fields filled in; `number` holds the place of the next field without one."""
    parts = []
    for literal, name, spec, conversion in _string.formatter_parser(text):
        parts.append(literal)
        if name is None:
            continue
        first, rest = _string.formatter_field_name_split(name)
        if first == "":
            first = number[0]
            number[0] += 1
        if isinstance(first, int) and first >= len(given):
            raise IndexError(f"Replacement index {first} out of range for positional args tuple")
        value = given[first] if isinstance(first, int) else named[first]
        for attribute, key in rest:
            value = getattr(value, key) if attribute else value[key]
        if conversion:
            value = {"s": str, "r": repr, "a": ascii}[conversion](value)  # type: ignore[operator]
        parts.append(format(value, fill(spec, given, named, number) if spec else ""))
    return "".join(parts)


def percent_(text, given) -> Any:
    """`text % given`, by the values' own `__str__` and `__repr__`."""
    values = list(given) if isinstance(given, tuple) else [given]
    parts, last, place = [], 0, 0
    for found in PERCENT.finditer(text):
        parts.append(text[last : found.start()])
        last = found.end()
        key, kind = found["key"], found["kind"]
        if kind == "%":
            parts.append("%")
            continue
        stars = found["how"].count("*") if key is None else 0
        if key is None and place + stars >= len(values):
            raise TypeError("not enough arguments for format string")
        value = given[key] if key is not None else values[place + stars]
        if kind in "sra":
            value = {"s": str, "r": repr, "a": ascii}[kind](value)  # type: ignore[operator]
            kind = "s"
        parts.append(str.__mod__("%" + found["how"] + kind, (*values[place : place + stars], value)))
        place = place + stars + 1 if key is None else len(values)
    if place < len(values) and isinstance(given, tuple):
        raise TypeError("not all arguments converted during string formatting")
    return "".join(parts) + text[last:]


def sub_(pattern, replace, text, count=0) -> Any:
    """re.Pattern.sub() with a function that gives the replacement."""
    parts, last = [], 0
    for number, match in enumerate(pattern.finditer(text)):
        if count and number >= count:
            break
        parts.append(text[last : match.start()])
        parts.append(replace(match))
        last = match.end()
    return "".join(parts) + text[last:]

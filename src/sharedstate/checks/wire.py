"""Values on the wire between a judge and a child: a strict format, without pickle and without names of code.

Exact numbers, texts, bytes, sequences, sets, dicts, arrays, tensors and dtypes travel by value; a subclass travels as its base.
Anything else stays where it is, and a number stands for it.
"""

from __future__ import annotations

import base64
import math
import sys
from collections.abc import Callable
from typing import Any

DEEPEST = 60
KINDS: tuple[tuple[str, Any], ...] = (("l", list), ("t", tuple), ("z", frozenset), ("s", set))
MOST_BYTES = 50_000_000


class Unreadable(ValueError):
    """What came over the wire is not in this format."""


def encode(value: Any, keep: Callable[[object], list], depth: int = 0) -> Any:
    """Return a value as data for JSON. keep: returns the tag and the number of what stays where it is."""
    if depth > DEEPEST:
        raise Unreadable("nested too deeply")
    if value is None or type(value) is bool:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return ["f", float.hex(value)]
    if type(value) is complex:
        return ["c", float.hex(value.real), float.hex(value.imag)]
    if type(value) in (bytes, bytearray):
        return ["b", _text(value)]
    if type(value).__module__.partition(".")[0] in ("numpy", "torch"):
        return _array(value) or _dtype(value) or keep(value)
    for tag, kind in KINDS:
        if isinstance(value, kind):
            return [tag, [encode(item, keep, depth + 1) for item in kind.__iter__(value)]]
    if isinstance(value, dict):
        pairs = dict.items(value)
        return ["d", [[encode(key, keep, depth + 1), encode(item, keep, depth + 1)] for key, item in pairs]]
    return keep(value)


def decode(data: Any, found: Callable[[str, int], object], depth: int = 0) -> Any:
    """Return the value of what `encode` gave. found: returns what a tag and a number stand for.

    Raises Unreadable for anything that is not exactly in the format.
    """
    if depth > DEEPEST:
        raise Unreadable("nested too deeply")
    if data is None or type(data) in (bool, int, str):
        return data
    if type(data) is not list or len(data) < 2 or type(data[0]) is not str:
        raise Unreadable("no value")
    try:
        return _decoded(data[0], data[1:], found, depth)
    except Unreadable:
        raise
    except (ValueError, TypeError, ArithmeticError, RuntimeError, LookupError, AttributeError) as problem:
        raise Unreadable(str(problem)) from None


def _decoded(tag: str, rest: list, found: Callable[[str, int], object], depth: int) -> Any:
    first = rest[0]
    for known, kind in KINDS:
        if tag == known and type(first) is list:
            return kind(decode(item, found, depth + 1) for item in first)
    if tag == "d" and type(first) is list:
        return {decode(key, found, depth + 1): decode(item, found, depth + 1) for key, item in first}
    if tag == "f":
        return float.fromhex(first)
    if tag == "c":
        return complex(float.fromhex(first), float.fromhex(rest[1]))
    if tag == "b":
        return _bytes(first)
    if tag in ("numpy", "number", "torch"):
        return _from_array(tag, *rest)
    if tag == "dtype":
        return _named_dtype(first)
    if type(first) is int and len(rest) == 1:
        return found(tag, first)
    raise Unreadable(f"no value of kind {tag!r}")


def _text(data: Any) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _array(value: Any) -> list | None:
    """Return an array, a tensor, or a single number of numpy; None for anything else of these libraries."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)) and value.dtype.kind in "biufcSU":
        own = numpy.asarray(value)
        tag = "numpy" if isinstance(value, numpy.ndarray) else "number"
        return [tag, own.dtype.str, list(own.shape), _text(own.tobytes())]
    if torch is not None and isinstance(value, torch.Tensor):
        flat = value.detach().cpu().contiguous().reshape(-1)
        return ["torch", str(value.dtype).removeprefix("torch."), list(value.shape),
                _text(flat.view(torch.uint8).numpy().tobytes())]
    return None


def _dtype(value: Any) -> list | None:
    """Return one of torch's dtypes by its name; None for anything else of these libraries."""
    torch = sys.modules.get("torch")
    return ["dtype", str(value).removeprefix("torch.")] if torch is not None and type(value) is torch.dtype else None


def _named_dtype(name: str) -> Any:
    import torch

    found = getattr(torch, name)
    if not isinstance(found, torch.dtype):
        raise Unreadable(f"no dtype: {name!r}")
    return found


def _from_array(tag: str, dtype: str, shape: list, text: str) -> Any:
    import numpy

    data = _bytes(text)
    if not all(type(size) is int and size >= 0 for size in shape) or len(data) > MOST_BYTES:
        raise Unreadable("no shape")
    if math.prod(max(1, size) for size in shape) > MOST_BYTES:  # [10**9, 0] holds nothing, and its list would be long
        raise Unreadable("too large a shape")
    if tag != "torch":
        kind = numpy.dtype(dtype)
        if kind.kind not in "biufcSU":
            raise Unreadable(f"no numbers: {dtype!r}")
        made = numpy.frombuffer(data, kind).reshape(shape).copy()
        return made if tag == "numpy" else made[()]
    import torch

    named = _named_dtype(dtype)
    if not data and 0 in shape:
        return torch.empty(shape, dtype=named)
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).view(named).reshape(shape).clone()

"""Tensors on their way into and out of an answer: numbers in, plain lists out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sharedstate.checks.types import AnswerProblem

if TYPE_CHECKING:
    from torch import Tensor

MOST = 200_000


def counted(shape: list[int]) -> object:
    """Return an int64 tensor of this shape that holds 0, 1, 2, …: every entry is known by its number."""
    import torch

    return torch.arange(math.prod(shape)).reshape(shape)


def plain_tensor(found: object, what: str) -> dict[str, object]:
    """Return {"shape", "dtype", "data"} of a tensor, data nested lists.

    Raises AnswerProblem("not-a-tensor") for anything else, "too-large" past MOST numbers.
    """
    import torch

    if not isinstance(found, torch.Tensor):
        raise AnswerProblem("not-a-tensor", f"{what} should give a tensor, not {type(found).__name__}.")
    if found.numel() > MOST:
        raise AnswerProblem("too-large", f"{what} gave a tensor of {found.numel():,} numbers: far too many.")
    kind = str(found.dtype).removeprefix("torch.")
    return {"shape": list(found.shape), "dtype": kind, "data": found.tolist()}


def is_plain_tensor(value: object) -> bool:
    """True for what `plain_tensor` returns: exact types, and data that fills the shape."""
    if type(value) is not dict or set(value) != {"shape", "dtype", "data"} or type(value["dtype"]) is not str:
        return False
    shape = value["shape"]
    if type(shape) is not list or not all(type(n) is int for n in shape):
        return False
    return _fills(value["data"], shape)


def _fills(data: object, shape: list[int]) -> bool:
    if not shape:
        return type(data) in (int, float, bool)
    return type(data) is list and len(data) == shape[0] and all(_fills(item, shape[1:]) for item in data)


def flat(data: object) -> Iterator[object]:
    """Yield the numbers of nested lists, in order."""
    if type(data) is list:
        for item in data:
            yield from flat(item)
    else:
        yield data


def nested(numbers: list[object], shape: list[int]) -> object:
    """Return nested lists of this shape from numbers in order: what `tolist` gives."""
    if not shape:
        return numbers[0]
    step = math.prod(shape[1:])
    return [nested(numbers[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]


def unchanged(given: Tensor, before: Tensor, what: str) -> None:
    """Raise AnswerProblem("changes-its-input") when a function has written into the tensor it was given."""
    import torch

    if given.shape != before.shape or not torch.equal(given, before):
        said = f"{what} changes the tensor that it is given. It belongs to the caller: work on a copy."
        raise AnswerProblem("changes-its-input", said)

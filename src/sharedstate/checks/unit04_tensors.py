"""What a tensor becomes on its way out of an answer: shape, dtype and nested lists, NaN as a word."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sharedstate.checks.types import AnswerProblem

if TYPE_CHECKING:
    from torch import Tensor

MOST = 20_000       # numbers that an answer may hold


def told(found: object, what: str) -> dict[str, object]:
    """Return {"shape", "dtype", "data"} of a tensor, its numbers in one list; nan and inf become words.

    Raises AnswerProblem: "untouched" for None, "wrong-shape" for what is no tensor or far too large.
    """
    import torch

    if found is None:
        raise AnswerProblem("untouched", f"{what} returns nothing yet.")
    if not isinstance(found, torch.Tensor):
        raise AnswerProblem("wrong-shape", f"{what} should return a tensor, not {type(found).__name__}.")
    if found.numel() > MOST:
        raise AnswerProblem("wrong-shape", f"{what} returned {found.numel():,} numbers: far too many.")
    data = [_plain(number) for number in found.detach().flatten().tolist()]
    return {"shape": list(found.shape), "dtype": str(found.dtype).removeprefix("torch."), "data": data}


def _plain(number: object) -> object:
    return number if type(number) is not float or math.isfinite(number) else str(number)


def complaint(value: object, shape: list[int], dtype: str, what: str) -> str | None:
    """Return what is wrong with the form of a told tensor; None when it has this shape and dtype."""
    if type(value) is not dict or set(value) != {"shape", "dtype", "data"}:
        return f"{what} could not be read."
    if value["shape"] != shape or type(value["data"]) is not list or len(value["data"]) != math.prod(shape):
        return f"{what} has the shape {value['shape']}, and {shape} is asked for."
    if value["dtype"] != dtype:
        return f"{what} is of dtype {value['dtype']}, and {dtype} is asked for."
    kinds = (bool,) if dtype == "bool" else (int,) if dtype.startswith("int") else (float, str)
    odd = any(type(n) not in kinds for n in value["data"])
    return f"{what} holds something else than numbers." if odd else None


def index(flat: int, shape: list[int]) -> tuple[int, ...]:
    """Return the index of an entry that is counted flat."""
    place = []
    for size in reversed(shape):
        place.append(flat % size)
        flat //= size
    return tuple(reversed(place))


def indexed(value: dict, shape: list[int]) -> Iterator[tuple[tuple[int, ...], object]]:
    """Yield (index, number) of a told tensor."""
    for flat, number in enumerate(value["data"]):
        yield index(flat, shape), number


def tensor(numbers: list, dtype: str) -> Tensor:
    """Return a tensor of nested lists."""
    import torch

    return torch.tensor(numbers, dtype=getattr(torch, dtype))


def unchanged(given: Tensor, before: Tensor, what: str) -> None:
    """Raise AnswerProblem("changes-its-input") when a function has written into the tensor it was given."""
    import torch

    if given.shape != before.shape or not torch.equal(given, before):
        said = f"{what} changes the tensor that it is given. It belongs to the caller: work on a copy."
        raise AnswerProblem("changes-its-input", said)

"""Tensors on their way into and out of an answer: numbers in; shape, dtype and plain lists out.

Two forms leave: `told` keeps the numbers in one flat list, with nan and inf as words; `plain_tensor` nests them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

from .types import AnswerProblem, Case, Exercise, Verdict, is_record

if TYPE_CHECKING:
    from torch import Tensor

FORM = frozenset({"shape", "dtype", "data"})
MOST = 20_000  # numbers that a told tensor may hold
MOST_NESTED = 200_000


class TensorFunction(Exercise):
    """The answer is a function of tensors that gives one tensor; it is asked once for each of `forms`.

    forms: a name for each asking, with the names of the inputs that are handed over, in order. dtypes: those of them
    that become tensors; any other input is handed over as it is. result: what the function gives, in words.
    The results are looked at when all are there, so that none may lie in another one's memory.
    """

    expects: ClassVar[str] = "a function"
    forms: ClassVar[Mapping[str, tuple[str, ...]]]
    dtypes: ClassVar[Mapping[str, str]]
    result: ClassVar[str]
    own_result: ClassVar[bool] = True

    def run(self, answer: Any, case: Case) -> object:
        """Ask for every form; what was handed over must be as it was."""
        answers = []
        for names in self.forms.values():
            given, kept = ([self._handed(case, name) for name in names] for _ in "ab")
            answers.append(answer(*given))
            for one, before, name in zip(given, kept, names, strict=True):
                if name in self.dtypes:
                    unchanged(one, before, self.answer)
        return {form: told(found, self.answer) for form, found in zip(self.forms, answers, strict=True)}

    def judge(self, case: Case, value: object) -> Verdict:
        """Look at the forms of all results, then at their numbers."""
        if not is_record(value, self.forms):
            return self.wrong("wrong-shape", f"Nothing could be read of {self.result}.")
        shape, dtype = self.wanted_form(case)
        for form in self.forms:
            bad = complaint(value[form], shape, dtype, f"Case '{case.label}': {self.result}")
            if bad:
                return self.wrong("wrong-shape", bad)
        return self.numbers(case, value, shape)

    def dtype_of(self, case: Case, name: str) -> str:
        """Return the dtype of an input that becomes a tensor."""
        return self.dtypes[name]

    def _handed(self, case: Case, name: str) -> Any:
        return tensor(case[name], self.dtype_of(case, name)) if name in self.dtypes else case[name]

    @abstractmethod
    def wanted_form(self, case: Case) -> tuple[list[int], str]:
        """Return the shape and the dtype that every result should have."""

    @abstractmethod
    def numbers(self, case: Case, value: dict[str, Any], shape: list[int]) -> Verdict:
        """Judge the numbers: value[form] is a told tensor of the right form."""


def tensor(numbers: Sequence[object], dtype: str) -> Tensor:
    """Return a tensor of nested lists."""
    import torch

    return torch.tensor(numbers, dtype=getattr(torch, dtype))


def counted(shape: Sequence[int]) -> Tensor:
    """Return an int64 tensor of this shape that holds 0, 1, 2, …: every entry is known by its number."""
    import torch

    return torch.arange(math.prod(shape)).reshape(tuple(shape))


def unchanged(given: Tensor, before: Tensor, what: str) -> None:
    """Raise AnswerProblem("changes-its-input") when a function has written into the tensor it was given."""
    import torch

    if given.shape != before.shape or not torch.equal(given, before):
        said = f"{what} changes the tensor that it is given. It belongs to the caller: work on a copy."
        raise AnswerProblem("changes-its-input", said)


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
    return {"shape": list(found.shape), "dtype": _dtype(found), "data": data}


def _dtype(found: Tensor) -> str:
    return str(found.dtype).removeprefix("torch.")


def _plain(number: object) -> object:
    return number if type(number) is not float or math.isfinite(number) else str(number)


def complaint(value: object, shape: list[int], dtype: str, what: str) -> str | None:
    """Return what is wrong with the form of a told tensor; None when it has this shape and dtype."""
    if not is_record(value, FORM):
        return f"{what} could not be read."
    if value["shape"] != shape or type(value["data"]) is not list or len(value["data"]) != math.prod(shape):
        return f"{what} has the shape {value['shape']}, and {shape} is asked for."
    if value["dtype"] != dtype:
        return f"{what} is of dtype {value['dtype']}, and {dtype} is asked for."
    kinds = (bool,) if dtype == "bool" else (int,) if dtype.startswith("int") else (float, str)
    odd = any(type(n) not in kinds for n in value["data"])
    return f"{what} holds something else than numbers." if odd else None


def index(flat: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Return the index of an entry that is counted flat."""
    place = []
    for size in reversed(shape):
        place.append(flat % size)
        flat //= size
    return tuple(reversed(place))


def indexed(value: dict, shape: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield (index, number) of a told tensor."""
    for flat, number in enumerate(value["data"]):
        yield index(flat, shape), number


def plain_tensor(found: object, what: str) -> dict[str, object]:
    """Return {"shape", "dtype", "data"} of a tensor, data nested lists.

    Raises AnswerProblem("not-a-tensor") for anything else, "too-large" past MOST_NESTED numbers.
    """
    import torch

    if not isinstance(found, torch.Tensor):
        raise AnswerProblem("not-a-tensor", f"{what} should give a tensor, not {type(found).__name__}.")
    if found.numel() > MOST_NESTED:
        raise AnswerProblem("too-large", f"{what} gave a tensor of {found.numel():,} numbers: far too many.")
    return {"shape": list(found.shape), "dtype": _dtype(found), "data": found.tolist()}


def is_plain_tensor(value: object) -> TypeGuard[dict[str, Any]]:
    """True for what `plain_tensor` returns: exact types, and data that fills the shape."""
    if not is_record(value, FORM) or type(value["dtype"]) is not str:
        return False
    shape = value["shape"]
    if type(shape) is not list or not all(type(n) is int for n in shape):
        return False
    return _fills(value["data"], shape)


def _fills(data: object, shape: list[int]) -> bool:
    if not shape:
        return type(data) in (int, float, bool)
    return type(data) is list and len(data) == shape[0] and all(_fills(item, shape[1:]) for item in data)


def flat(data: object) -> Iterator[Any]:
    """Yield the numbers of nested lists, in order."""
    if type(data) is list:
        for item in data:
            yield from flat(item)
    else:
        yield data


def nested(numbers: Sequence[object], shape: Sequence[int]) -> object:
    """Return nested lists of this shape from numbers in order: what `tolist` gives."""
    if not shape:
        return numbers[0]
    step = math.prod(shape[1:])
    return [nested(numbers[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]

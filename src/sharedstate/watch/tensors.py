"""A torch tensor whose elements know who wrote them: what moves the data moves the tags.

The tags are a second tensor of the same shape. What only picks and reorders (an index, a transpose, a clone, a cat) is
done to both, so a copy of a copy still names the first writer; what computes gets the plain data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from sharedstate.watch.tags import Tags

if TYPE_CHECKING:
    from sharedstate.watch.log import Watch

MOVES = frozenset(
    getattr(Tensor, name)
    for name in ("transpose", "permute", "flatten", "reshape", "view", "unsqueeze", "squeeze", "expand", "clone",
                 "contiguous", "detach", "select", "narrow", "index_select", "__getitem__", "movedim", "unbind")
) | {torch.cat, torch.stack, torch.transpose, torch.permute, torch.flatten, torch.reshape, torch.clone}  # fmt: skip
FILLS = frozenset(getattr(Tensor, name) for name in ("zero_", "fill_", "copy_"))


class WatchedTensor(Tensor):
    """A tensor with tags of the same shape, [...] of int32, and the book that they are numbers in."""

    tags: Tensor
    book: Tags

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        """Do an operation to the data, and what it does to the places to the tags."""
        kwargs = kwargs or {}
        with torch._C.DisableTorchFunctionSubclass():
            if func is Tensor.__setitem__ and isinstance(args[0], cls):
                return _put(args[0], args[2], lambda data, new: data.__setitem__(args[1], new))
            if func in FILLS and isinstance(args[0], cls):
                new = args[1] if len(args) > 1 else 0
                _put(args[0], new, lambda data, new: data.copy_(new) if isinstance(new, Tensor) else data.fill_(new))
                return args[0]
            answer = func(*_all(args, plain), **_all(kwargs, plain))
            if func not in MOVES:
                _read(args)
                return answer
            first = next(each for each in _leaves(args) if isinstance(each, cls))
            if func is Tensor.__getitem__:
                first.book.read_all(func(first.tags, *_all(args[1:], plain)))
            moved = func(*_all(args, _tags), **_all(kwargs, plain))
            return _tagged(answer, moved, first.book)


def plain(value: Any) -> Any:
    """Return a tensor without its tags; anything else as it is."""
    return value.as_subclass(Tensor) if isinstance(value, WatchedTensor) else value


def tagged(data: Tensor, tags: Tensor, book: Tags) -> WatchedTensor:
    """Return a view of the data with these tags."""
    with torch._C.DisableTorchFunctionSubclass():
        return _tagged(data, tags, book)


def _tagged(data: Any, tags: Any, book: Tags) -> Any:
    if isinstance(data, tuple):
        return tuple(_tagged(one, tag, book) for one, tag in zip(data, tags, strict=True))
    found = data.as_subclass(WatchedTensor)
    found.tags, found.book = tags, book
    return found


def _tags(value: Any) -> Any:
    if isinstance(value, WatchedTensor):
        return value.tags
    return torch.zeros(value.shape, dtype=torch.int32) if _is_data(value) else value


def _is_data(value: Any) -> bool:
    """A floating-point tensor among the arguments is data that nobody has tagged; any other is an index."""
    return isinstance(value, Tensor) and value.is_floating_point()


def _all(value: Any, change: Any) -> Any:
    if isinstance(value, dict):
        return {key: _all(item, change) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(_all(item, change) for item in value)
    return change(value)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def _read(args: tuple) -> None:
    """Whatever computes reads all that it is given."""
    for each in _leaves(args):
        if isinstance(each, WatchedTensor):
            each.book.read_all(each.tags)


def _put(target: WatchedTensor, value: Any, put: Any) -> None:
    """Write to the data; the tags become those of the value, or this write's."""
    book = target.book
    job = book.announce("write")
    with book.log.lock:
        put(plain(target), plain(value))
        if isinstance(value, WatchedTensor):
            put(target.tags, value.tags)
        else:
            put(target.tags, book.write(job))


def watched(log: Watch, tensor: Tensor, name: str, shared: bool) -> WatchedTensor:
    """Return a view of the tensor, watched under this name: writes through the tensor itself are not seen."""
    return tagged(tensor, torch.zeros(tensor.shape, dtype=torch.int32, device=tensor.device), Tags(log, name, shared))

"""Where an array lies in memory: views of one array are one place, whichever objects they are."""

from __future__ import annotations

import array
import sys
from typing import Any


def memory(thing: Any) -> tuple[int, int] | None:
    """First address and end of what an array (numpy) or tensor (torch) shows; None for anything else."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(thing, numpy.ndarray):
        return numpy.lib.array_utils.byte_bounds(thing) if thing.size else None
    if torch is not None and isinstance(thing, torch.Tensor):
        return _tensor(thing)
    return None


def owner(thing: Any) -> Any:
    """The bytearray, array.array or the like whose memory an array shows; None for an array with memory of its own."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(thing, numpy.ndarray):
        return None
    while isinstance(thing, numpy.ndarray):
        thing = thing.base
    thing = thing.obj if type(thing) is memoryview else thing
    return thing if type(thing) in (bytearray, array.array) else None


def _tensor(tensor: Any) -> tuple[int, int] | None:
    """The addresses of a dense tensor with memory of its own; None for one without (meta, sparse)."""
    try:
        first = tensor.data_ptr()
        size, steps = tuple(tensor.shape), tensor.stride()
    except RuntimeError:
        return None
    if not first or 0 in size:
        return None
    reach = sum((n - 1) * s for n, s in zip(size, steps, strict=True))
    return first, first + (reach + 1) * tensor.element_size()


def storage(thing: Any) -> tuple[int, int] | None:
    """First address and end of the whole memory that an array is a view of."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(thing, torch.Tensor):
        if memory(thing) is None:
            return None
        whole = thing.untyped_storage()
        return whole.data_ptr(), whole.data_ptr() + whole.nbytes()
    base = thing
    while getattr(base, "base", None) is not None and type(base.base) is type(base):
        base = base.base
    return memory(base) or memory(thing)


def is_array(thing: Any) -> bool:
    """True for a tensor of torch's and an array of numpy's, if the library is loaded."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    return (numpy is not None and isinstance(thing, numpy.ndarray)) or (
        torch is not None and isinstance(thing, torch.Tensor)
    )

"""What a pass needs beside weights and cache: the largest amount of new memory that is alive at one moment.

Counted by torch's dispatcher, operation by operation, so the figure is the same in every run and on every machine. What
an allocator adds to it (rounding up, fragments) and what a kernel uses inside itself are not in it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class _Alive(TorchDispatchMode):
    """Counts the bytes of storages that came up inside the block and still live."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.peak = 0
        self.known: dict[int, Any] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Do the operation; count the storages among its results that are new."""
        given = {one.untyped_storage()._cdata for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)}
        answer = func(*args, **(kwargs or {}))
        for one in tree_leaves(answer):
            if isinstance(one, Tensor) and one.untyped_storage()._cdata not in given:
                self._born(one.untyped_storage())
        return answer

    def _born(self, storage: torch.UntypedStorage) -> None:
        key, size = storage._cdata, storage.nbytes()
        if key in self.known:
            return
        self.now += size
        self.peak = max(self.peak, self.now)
        self.known[key] = weakref.ref(storage, lambda _: self._died(key, size))

    def _died(self, key: int, size: int) -> None:
        self.now -= size
        self.known.pop(key, None)


def peak_bytes(run: Callable[[], object]) -> int:
    """Call `run` without gradients; return the largest number of bytes of new tensors that were alive at one moment."""
    with torch.no_grad(), _Alive() as seen:
        run()
    return seen.peak

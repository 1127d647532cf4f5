"""Named groups of a tensor's entries: the rows and columns of an influence matrix."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

MOST_GROUPS = 1024


def groups(spec: object, shape: Sequence[int], word: str) -> dict[str, tuple]:
    """Map each group's name to an index that picks its entries.

    `spec`: an axis, whose positions are the groups "0", "1" …; a tuple of axes, whose pairs of positions are
    ("0,0", "0,1" …, the last axis fastest); or a mapping of names to indices, as in {"slot 3": (0, 3)}.
    Raises ValueError for an axis that the tensor does not have, and for more groups than can be read.
    """
    if isinstance(spec, Mapping):
        found = {str(name): _as_index(index) for name, index in spec.items()}
    else:
        axes = [_axis(axis, shape, word) for axis in (spec if isinstance(spec, tuple) else (spec,))]
        found = {}
        for place in itertools.product(*(range(shape[axis]) for axis in axes)):
            index: list[Any] = [slice(None)] * len(shape)
            for axis, position in zip(axes, place, strict=True):
                index[axis] = position
            found[",".join(map(str, place))] = tuple(index)
    if not 1 <= len(found) <= MOST_GROUPS:
        raise ValueError(f"{word} gives {len(found)} groups; a matrix has 1 to {MOST_GROUPS}")
    return found


def _as_index(index: object) -> Any:
    """An index in the form in which a tensor takes it."""
    return tuple(index) if isinstance(index, tuple) else index


def _axis(axis: object, shape: Sequence[int], word: str) -> int:
    """A non-negative axis."""
    if isinstance(axis, bool) or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        raise ValueError(f"{word} must be an axis of a tensor of shape {tuple(shape)}, not {axis!r}")
    return axis % len(shape)

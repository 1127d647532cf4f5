"""Influence between tensors: which part of the input reaches which part of the output.

Needs torch, loaded when `tensors` is called. The methods:

jacobian: the largest |d output / d input|.
perturbation: seeded noise of three sizes is added to the column, or it is replaced by that part of `other`.
neighbour: the column gets other contents, fresh or from `other`; all else must stay the same bit by bit.
poison: the column is filled with `poison` (1e30, in half precision 1e4; not NaN, which 0 × NaN = NaN spreads
through right code).
alone_vs_batched: one column, "the rest"; row i alone is fn on those entries along the axis `columns` that may
reach it (its own, and what `may` or `must` adds). It compares two ways of computing the same, so it needs a
tolerance: 1e-4 in fp32, 1e-9 in fp64, 0.1 in half precision. The other methods ask for exact zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from sharedstate.influence import gradients, measures
from sharedstate.influence.matrix import Influence, Witness, classify, declared
from sharedstate.influence.words import ALLOWED, LEAK, LOST, UNKNOWN

if TYPE_CHECKING:
    from torch import Tensor
import itertools
from collections.abc import Mapping
from typing import Any

BLIND_TO = MappingProxyType(
    {
        "jacobian": "influence without a slope at the inputs tried: a step, an argmax, a rounding, a "
        "detached path; and influence at other inputs (give adversarial ones as well)",
        "perturbation": "influence that the replacements tried do not wake, or that rounding swallows",
        "alone_vs_batched": "influence below the tolerance (an additive mask of -10 in fp32, say), who of "
        "the others it comes from, and pollution that is there alone as well",
        "neighbour": "pollution that does not depend on what the neighbours contain (a zeroed slot under a "
        "wrong mask), and what depends on their number or lengths",
        "poison": "a read of old data that the poison does not stand for, and a read that is clipped or "
        "multiplied by an exact zero",
    }
)
LOOSE = MappingProxyType(
    {"torch.float32": 1e-4, "torch.float64": 1e-9, "torch.bfloat16": 0.1, "torch.float16": 0.1}
)
POISON, HALF_POISON = 1e30, 1e4


def tensors(
    fn: Callable[[Tensor], Tensor],
    x: Tensor | Sequence[Tensor],
    method: str = "jacobian",
    rows: object = 0,
    columns: object = 0,
    may: object = (),
    must: object = (),
    atol: float | None = None,
    other: Tensor | Sequence[Tensor] | None = None,
    poison: float | None = None,
    seed: int = 0,
) -> Influence:
    """Measure which groups of x (columns) reach which groups of fn(x) (rows).

    `x` is a tensor, or several of one shape: influence at any of them counts. `method` is one of the module's
    list. `rows` and `columns` are an axis, a tuple of axes, or a mapping of names to indices (see `groups`).
    `may` and `must` are boolean matrices [rows, columns] or pairs of names. Influence is a value above `atol`
    (None: the method's own). A NaN in the output is a leak where nothing may be, and lost where something
    must be; where only the gradient is NaN, the cell is unknown.

    Raises ValueError for an unknown method, for a function whose rows asked for change from call to call (others may:
    a row of padding, a neighbour that is sampled), and where no gradient flows although the output changes.
    """
    if method not in BLIND_TO:
        raise ValueError(f"method must be one of {', '.join(BLIND_TO)}, not {method!r}")
    xs = measures.several(x)
    base, again = measures.twice(fn, xs[0])
    row_groups = groups(rows, base.shape, "rows")
    measures.steady(base, again, row_groups)
    if method == "alone_vs_batched":
        return _alone(fn, xs, row_groups, columns, may, must, _tolerance(method, base, atol))
    column_groups = groups(columns, xs[0].shape, "columns")
    if method == "jacobian":
        found = gradients.jacobian(fn, xs, row_groups, column_groups)
    else:
        others = () if other is None else measures.several(other)
        fills = measures.Fills(method, seed, others, _poison(xs, poison))
        found = measures.replaced(fn, xs, row_groups, column_groups, fills)
    return _matrix(found, row_groups, column_groups, may, must, method, _tolerance(method, base, atol))


def _tolerance(method: str, base: Tensor, atol: float | None) -> float:
    """The method's own tolerance, unless one is given."""
    if atol is None:
        return LOOSE.get(str(base.dtype), 0.0) if method == "alone_vs_batched" else 0.0
    if not atol >= 0:
        raise ValueError(f"atol must be 0 or more, not {atol!r}")
    return float(atol)


def _poison(xs: Sequence[Tensor], poison: float | None) -> float:
    """The poison, small enough for half precision."""
    return (HALF_POISON if str(xs[0].dtype) == "torch.float16" else POISON) if poison is None else poison


def _alone(
    fn: Callable[[Tensor], Tensor],
    xs: Sequence[Tensor],
    row_groups: dict[str, tuple],
    axis: object,
    may: object,
    must: object,
    atol: float,
) -> Influence:
    """Alone against batched: may and must say who belongs to a row's own company."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise ValueError("alone_vs_batched needs columns to be the axis along which the others stand")
    rows, names = tuple(row_groups), tuple(groups(axis, xs[0].shape, "columns"))
    if rows != names:
        raise ValueError("alone_vs_batched needs a row for each position of the axis `columns`")
    company = declared(may, rows, names, "may") | declared(must, rows, names, "must")
    found = measures.alone(fn, xs, row_groups, axis, company)
    rest = {measures.REST: ()}
    return _matrix(found, row_groups, rest, (), (), "alone_vs_batched", atol)


def _matrix(
    found: measures.Found, rows: dict, columns: dict, may: object, must: object, method: str, atol: float
) -> Influence:
    """Compare what was measured with what was declared."""
    names, heads = tuple(rows), tuple(columns)
    required = declared(must, names, heads, "must")
    permitted = declared(may, names, heads, "may") | required
    states, witnesses = {}, {}
    for pair, one in found.items():
        states[pair] = _state(one, atol, pair in permitted, pair in required)
        if states[pair] in (LEAK, LOST):
            words = f"{states[pair]} {pair[1]} → {pair[0]}: {one.text}"
            witnesses[pair] = Witness(*pair, words, one.inputs, one.answers, place=one.place)
    bound = "exact zeros asked for" if atol == 0 else f"values up to {atol:g} count as zero"
    return Influence(
        rows=names,
        columns=heads,
        states=tuple(tuple(states[row, column] for column in heads) for row in names),
        witnesses=MappingProxyType(witnesses),
        method=f"{method}, {bound}",
        blind_to=BLIND_TO[method],
        values=tuple(tuple(found[row, column].value for column in heads) for row in names),
    )


def _state(one: measures.Measured, atol: float, may: bool, must: bool) -> str:
    """The state of a cell. A NaN is never the influence that must be, and never isolation."""
    if one.value > atol or not one.nan:
        return classify(one.value > atol, may, must)
    if one.nan == "gradient":
        return UNKNOWN
    return LOST if must else ALLOWED if may else LEAK


# -- Named groups of a tensor's entries: the rows and columns of an influence matrix.


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

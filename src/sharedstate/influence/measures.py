"""How much one group of entries reaches another: by replacement, and alone against batched. Needs torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

REST = "the rest"
SCALES = (1e-3, 1.0, 1e3)
Fn = Callable[["Tensor"], "Tensor"]


@dataclass(frozen=True)
class Measured:
    """One cell: the largest value, the entries of output and input where it was found, and a sentence.

    `nan`: "output" where the output is NaN, so that nothing reaches it; "gradient" where only the gradient
    is, so that a value of 0 proves nothing.
    """

    value: float
    text: str = ""
    inputs: tuple[object, object] = (None, None)
    answers: tuple[object, object] = (None, None)
    place: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    nan: str = ""


Found = dict[tuple[str, str], Measured]
SAME = "no replacement made a difference"


def several(x: object) -> tuple[Tensor, ...]:
    """The tensors as a tuple. Raises ValueError unless there is one, and all are of one shape."""
    import torch

    found = (x,) if isinstance(x, torch.Tensor) else tuple(x) if isinstance(x, (list, tuple)) else ()
    if not found or not all(isinstance(t, torch.Tensor) and t.shape == found[0].shape for t in found):
        raise ValueError("give a tensor, or a list of tensors of one shape")
    return found


def twice(fn: Fn, x: Tensor) -> tuple[Tensor, Tensor]:
    """fn(x), computed twice. Raises ValueError if it is no tensor, or not of one shape."""
    import torch

    with torch.no_grad():
        first, again = (fn(x.clone()) for _ in range(2))
    if not isinstance(first, torch.Tensor) or not isinstance(again, torch.Tensor) or first.dim() == 0:
        raise ValueError("fn must return a tensor with at least one axis")
    if first.shape != again.shape:
        raise ValueError(f"fn gives two shapes for one input: {tuple(first.shape)} and {tuple(again.shape)}")
    return first, again


def steady(first: Tensor, again: Tensor, rows: Mapping[str, tuple]) -> None:
    """Raise ValueError if two results for one input differ in a row that is asked for; it names the row."""
    for name, r in rows.items():
        if bool(differs(first[r], again[r]).any()):
            raise ValueError(
                f"fn gives two results for one input, in row {name} (dropout? a generator?): make it deterministic"
            )


def differs(a: Tensor, b: Tensor, bitwise: bool = False) -> Tensor:
    """Where two tensors differ, a NaN being equal to a NaN; bit by bit, 0.0 and -0.0 differ too."""
    import torch

    if not a.is_floating_point():
        return a != b
    signs = (torch.signbit(a) != torch.signbit(b)) if bitwise else False
    return ((a != b) | signs) & ~(a.isnan() & b.isnan())


def put(found: Found, pair: tuple[str, str], one: Measured) -> None:
    """Keep the larger value, and any NaN."""
    before = found.get(pair, one)
    larger = one if one.value >= before.value else before
    found[pair] = replace(larger, nan=max(one.nan, before.nan))


def at(numbers: Tensor, flat: int) -> tuple[int, ...]:
    """The index of an entry that is counted flat."""
    place = []
    for size in reversed(numbers.shape):
        place.append(flat % size)
        flat //= size
    return tuple(reversed(place))


def numbered(shape: Sequence[int]) -> Tensor:
    """A tensor of this shape whose entries are their own flat number."""
    import torch

    return torch.arange(int(torch.tensor(tuple(shape)).prod())).view(tuple(shape))


# --- replacements


@dataclass(frozen=True)
class Fills:
    """What a column is replaced by."""

    method: str
    seed: int = 0
    others: tuple[Tensor, ...] = ()
    poison: float = 1e30

    def of(self, x: Tensor) -> Iterator[tuple[str, Tensor]]:
        """Tensors of the shape of x from which the replaced column is taken, each with its name.

        Raises ValueError for integers without `other`, or an `other` of another shape.
        """
        import torch

        if self.method == "poison":
            if not x.is_floating_point():
                raise ValueError("poison needs a floating-point tensor")
            yield f"is {self.poison:g}", torch.full_like(x, self.poison)
            return
        if any(other.shape != x.shape for other in self.others):
            raise ValueError(f"other must have the shape of x, {tuple(x.shape)}")
        if not self.others and not x.is_floating_point():
            raise ValueError("integers have no noise: give `other`, a tensor to take the replacement from")
        for other in self.others:
            yield "is replaced by other", other.to(x.dtype)
        if not self.others and self.method == "neighbour":
            for noise in noisy(x, self.seed):
                yield "has other contents", noise - x
        elif not self.others:
            for scale, noise in zip(SCALES, noisy(x, self.seed), strict=True):
                yield f"has noise of size {scale:g}", noise


def noisy(x: Tensor, seed: int) -> Iterator[Tensor]:
    """x plus normal noise at each scale, from a generator of its own."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    for scale in SCALES:
        yield x + scale * torch.randn(x.shape, generator=generator).to(x)


def replaced(
    fn: Fn, xs: Sequence[Tensor], rows: Mapping[str, tuple], columns: Mapping[str, tuple], fills: Fills
) -> Found:
    """Replace one column at a time: the largest change of each row, and whether a bit of it changed."""
    import torch

    found: Found = {}
    for x in xs:
        with torch.no_grad():
            before = fn(x.clone())
            for name, fill in fills.of(x):
                for column, c in columns.items():
                    changed = x.clone()
                    changed[c] = fill[c]
                    after = fn(changed.clone())
                    for row, r in rows.items():
                        one = _change(before, after, r, f"{column} {name}", fills.method == "neighbour")
                        put(found, (row, column), _with_inputs(one, x, changed))
    return found


def _with_inputs(one: Measured, x: Tensor, changed: Tensor) -> Measured:
    """The inputs are kept only where they made a difference."""
    if one.value == 0:
        return one
    return replace(one, inputs=(x, changed))


def _change(before: Tensor, after: Tensor, r: tuple, words: str, bitwise: bool = False) -> Measured:
    """The largest change within a row; bit by bit, a zero's sign counts as the smallest number there is."""
    import torch

    a, b = before[r].reshape(-1), after[r].reshape(-1)
    hit = differs(a, b, bitwise)
    if not bool(hit.any()):
        nan = a.is_floating_point() and bool(a.isnan().any())
        return Measured(0.0, "the output is NaN" if nan else SAME, nan="output" if nan else "")
    gap = (b.double() - a.double()).abs().nan_to_num(nan=torch.inf)
    flat = int(torch.where(hit, gap, -1.0).argmax())
    value = max(float(gap[flat]), 5e-324)
    o = at(before, int(numbered(before.shape)[r].reshape(-1)[flat]))
    answers = (float(a[flat]), float(b[flat]))
    text = f"out{list(o)} goes from {answers[0]:.6g} to {answers[1]:.6g}: {words}"
    return Measured(value, text, answers=answers, place=(o, ()))


# --- alone against batched


def alone(
    fn: Fn, xs: Sequence[Tensor], rows: Mapping[str, tuple], axis: int, company: frozenset[tuple[str, str]]
) -> Found:
    """Compare each row with the same row computed from its own company alone.

    Rows must be the positions of one axis of the output that stands for the same things as `axis` of x.
    """
    import torch

    found: Found = {}
    for x in xs:
        with torch.no_grad():
            before = fn(x.clone())
            for k, (row, r) in enumerate(rows.items()):
                keep = sorted({k} | {int(column) for name, column in company if name == row})
                small = fn(x.index_select(axis, torch.tensor(keep, device=x.device)))
                lone = before.clone()
                lone[r] = small[_moved(r, keep.index(k))]
                put(found, (row, REST), _change(lone, before, r, "the rest beside it"))
    return found


def _moved(index: tuple, position: int) -> tuple:
    """The same index, with its one whole number moved to another position."""
    numbers = [k for k, part in enumerate(index) if isinstance(part, int)] if isinstance(index, tuple) else []
    if len(numbers) != 1:
        raise ValueError("alone_vs_batched needs rows to be an axis of the output")
    return (*index[: numbers[0]], position, *index[numbers[0] + 1 :])

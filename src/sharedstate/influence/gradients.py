"""How much one group of entries reaches another, by the Jacobian in reverse mode. Needs torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sharedstate.influence.measures import Fn, Found, Measured, at, differs, noisy, numbered, put

if TYPE_CHECKING:
    from torch import Tensor

FLAT = "the gradient is exactly 0"


def jacobian(fn: Fn, xs: Sequence[Tensor], rows: Mapping[str, tuple], columns: Mapping[str, tuple]) -> Found:
    """The largest |d output / d input| for each pair of groups, over all x."""
    found: Found = {}
    for x in xs:
        if not x.is_floating_point():
            raise ValueError("a Jacobian needs floating-point input: give embeddings, or take another method")
        out, table = _gradients(fn, x)
        outputs, inputs = numbered(out.shape), numbered(x.shape)
        for row, r in rows.items():
            entries = outputs[r].reshape(-1)
            for column, c in columns.items():
                block = Block(out, x, table, entries, inputs[c].reshape(-1))
                put(found, (row, column), block.largest())
    return found


@dataclass(frozen=True)
class Block:
    """The part of a Jacobian that belongs to one cell: `rows` and `columns` are flat numbers of entries."""

    out: Tensor
    x: Tensor
    table: Tensor
    rows: Tensor
    columns: Tensor

    def largest(self) -> Measured:
        """The largest entry that is a number, and where there are NaN."""
        block = self.table[self.rows][:, self.columns].abs()
        bad = block.isnan()
        flat = int(block.masked_fill(bad, -1.0).argmax())
        value = max(float(block.masked_fill(bad, 0.0).reshape(-1)[flat]), 0.0)
        o = at(self.out, int(self.rows[flat // len(self.columns)]))
        i = at(self.x, int(self.columns[flat % len(self.columns)]))
        spoilt = bool(self.out.reshape(-1)[self.rows].isnan().any())
        nan = "output" if spoilt else "gradient" if bool(bad.any()) else ""
        text = f"the {nan} is NaN" if nan else FLAT
        if value:
            text = f"d out{list(o)} / d in{list(i)} = {value:.3g}"
        return Measured(value, text, (self.x, self.x), (value, 0.0), (o, i), nan)


def _gradients(fn: Fn, x: Tensor) -> tuple[Tensor, Tensor]:
    """fn(x) and its Jacobian [entries of the output, entries of x], row by row in reverse mode."""
    import torch

    with torch.enable_grad():
        leaf = x.detach().clone().requires_grad_(True)
        out = fn(leaf.clone())
        table = torch.zeros(out.numel(), x.numel(), dtype=x.dtype)
        for k, entry in enumerate(out.reshape(-1) if out.requires_grad else ()):
            (gradient,) = torch.autograd.grad(entry, leaf, retain_graph=True, allow_unused=True)
            if gradient is not None:
                table[k] = gradient.reshape(-1)
    if not out.requires_grad:
        _no_gradient(fn, x, out)
    return out.detach(), table


def _no_gradient(fn: Fn, x: Tensor, out: Tensor) -> None:
    """Raise ValueError if the output depends on x all the same."""
    for noise in noisy(x, 0):
        if bool(differs(fn(noise), out).any()):
            raise ValueError("no gradient flows, but the output depends on x: take method='perturbation'")

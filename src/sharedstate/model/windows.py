"""Isolation on an image: windows that shift, rows and columns, and channels weighed by a gate.

Images are [B, height, width, C] (channels last), but [B, C, height, width] for the gate, as in their papers.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from sharedstate.model.attention import attention
from sharedstate.model.layers import linear

SelfAttention = Callable[[Tensor, Tensor | None], Tensor]


def self_attention(x: Tensor, mask: Tensor | None = None) -> Tensor:
    """Attention of one head with no weights: q = k = v = x [N, S, C]; mask [S, S] or [N, S, S]."""
    heads = x[:, None]  # [N, 1, S, C]
    mask = mask[:, None] if mask is not None and mask.dim() == 3 else mask  # [N, 1, S, S]
    return attention(heads, heads, heads, mask)[:, 0]  # [N, S, C]


def window_partition(x: Tensor, size: int) -> Tensor:
    """Cut [B, height, width, C] into [B * windows, size * size, C], windows in reading order.

    Raises ValueError when size does not divide height and width.
    """
    height, width = x.shape[1:3]
    if size < 1 or height % size or width % size:
        raise ValueError(f"Windows of {size} do not tile an image of {height} x {width}.")
    x = x.unflatten(2, (-1, size)).unflatten(1, (-1, size))  # [B, rows, size, columns, size, C]
    return x.transpose(2, 3).flatten(0, 2).flatten(1, 2)  # [B * rows * columns, size * size, C]


def window_reverse(windows: Tensor, size: int, height: int, width: int) -> Tensor:
    """Put windows together again, [B, height, width, C]: the inverse of window_partition."""
    x = windows.unflatten(0, (-1, height // size, width // size)).unflatten(3, (size, size))
    return x.transpose(2, 3).flatten(3, 4).flatten(1, 2)  # [B, height, width, C]


def cyclic_shift(x: Tensor, shift: int) -> Tensor:
    """Roll [B, height, width, C] up and left by `shift`; what falls out comes in on the other side."""
    return torch.roll(x, shifts=(-shift, -shift), dims=(1, 2))  # [B, height, width, C]


def region_mask(height: int, width: int, size: int, shift: int) -> Tensor:
    """Return [windows, size * size, size * size], True = may look: only true neighbours, not wrapped ones.

    After a cyclic shift the last windows hold pixels from opposite edges; each pixel is numbered by the
    region it came from, and looks only at its own region (arXiv 2103.14030, section 3.2).
    Raises ValueError for a shift outside 0 to size - 1.
    """
    if not 0 <= shift < size:
        raise ValueError(f"shift is {shift}, it must lie between 0 and size - 1 = {size - 1}.")
    row, column = torch.arange(height), torch.arange(width)
    wrapped_row = (row >= height - shift).long()[:, None]  # [height, 1]
    wrapped_column = (column >= width - shift).long()[None, :]  # [1, width]
    region = (2 * wrapped_row + wrapped_column)[None, :, :, None]  # [1, height, width, 1]
    numbers = window_partition(region, size)[..., 0]  # [windows, size * size]
    return numbers[:, :, None] == numbers[:, None, :]  # [windows, size * size, size * size]


def window_attention(
    x: Tensor,
    size: int,
    shift: int = 0,
    attend: SelfAttention = self_attention,
    mask: Callable[[int, int, int, int], Tensor] = region_mask,
) -> Tensor:
    """Return [B, height, width, C]: each pixel looks inside its window; shift moves the windows.

    attend(x [N, S, C], mask) is the attention inside the windows, mask(height, width, size, shift) says who
    may look in each.
    """
    batch, height, width = x.shape[:3]
    windows = window_partition(cyclic_shift(x, shift), size)  # [B * windows, size * size, C]
    seen = mask(height, width, size, shift).to(x.device).repeat(batch, 1, 1)  # [B * windows, S, S]
    windows = attend(windows, seen)  # [B * windows, size * size, C]
    return cyclic_shift(window_reverse(windows, size, height, width), -shift)  # [B, height, width, C]


def axial_attention(x: Tensor, axis: str, attend: SelfAttention = self_attention) -> Tensor:
    """Return [B, height, width, C]: a pixel looks along its column (axis="height") or row ("width").

    Raises ValueError for another axis. Source: arXiv 1912.12180.
    """
    if axis not in ("height", "width"):
        raise ValueError(f'axis is {axis!r}, use "height" or "width".')
    lines = x.transpose(1, 2) if axis == "height" else x  # [B, others, line, C]
    seen = attend(lines.flatten(0, 1), None).unflatten(0, lines.shape[:2])  # [B, others, line, C]
    return seen.transpose(1, 2) if axis == "height" else seen  # [B, height, width, C]


class SEGate(nn.Module):
    """Channel attention (squeeze and excitation, arXiv 1709.01507): one shared network, own weights a row.

    Channels may influence each other, through the gate; rows of the batch may not.
    """

    def __init__(self, channels: int, reduction: int = 2, *, generator: torch.Generator) -> None:
        """Draw both layers from `generator`; the hidden layer has channels / reduction units, at least 1."""
        super().__init__()
        hidden = max(1, channels // reduction)
        self.squeeze = linear(channels, hidden, generator)
        self.excite = linear(hidden, channels, generator)

    def gate(self, x: Tensor) -> Tensor:
        """Return the weight of each channel, between 0 and 1, [B, C], for x [B, C, height, width]."""
        pooled = x.mean(dim=(2, 3))  # [B, C]: over the pixels of one image, never over the batch
        return torch.sigmoid(self.excite(torch.relu(self.squeeze(pooled))))  # [B, C]

    def forward(self, x: Tensor) -> Tensor:
        """Return x [B, C, height, width] with each channel multiplied by its weight."""
        return x * self.gate(x)[:, :, None, None]  # [B, C, height, width]

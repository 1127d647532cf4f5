"""Windows, lines and channels: who reads whom on an 8 x 8 image, in exact numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.autograd.functional import jacobian

from sharedstate.model import (
    SEGate,
    attention,
    axial_attention,
    cyclic_shift,
    region_mask,
    seeded,
    window_attention,
    window_partition,
    window_reverse,
)

SIDE, WINDOW, SHIFT = 8, 4, 2


def draw(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=seeded(seed), dtype=torch.float64)


def pixels_read(layer: Callable[[Tensor], Tensor], batch: int = 1) -> Tensor:
    """Return [64 * batch, 64 * batch] booleans: does a pixel (row) depend on a pixel (column)?"""
    x = draw(batch, SIDE, SIDE, 2)
    count = batch * SIDE * SIDE
    slopes = jacobian(layer, x).reshape(count, 2, count, 2)
    return (slopes != 0).any(dim=3).any(dim=1)


def no_region(height: int, width: int, size: int, shift: int) -> Tensor:
    return torch.ones_like(region_mask(height, width, size, shift))


def window(x: Tensor) -> Tensor:
    return window_attention(x, WINDOW)


def shifted(x: Tensor) -> Tensor:
    return window_attention(x, WINDOW, SHIFT)


def unmasked(x: Tensor) -> Tensor:
    return window_attention(x, WINDOW, SHIFT, mask=no_region)


@pytest.mark.parametrize(
    ("layer", "seen", "pairs"),
    [
        (window, 16, 1024),
        (lambda x: window(window(x)), 16, 1024),
        (lambda x: shifted(window(x)), 64, 2304),
    ],
    ids=["window", "window twice", "window and shift"],
)
def test_windows_isolate_and_the_shift_reconnects(layer: object, seen: int, pairs: int) -> None:
    read = pixels_read(layer)
    assert read[3 * SIDE + 3].sum() == seen
    assert read.sum() == pairs


def test_the_shift_without_its_mask_leaks_448_pairs() -> None:
    right, wrong = pixels_read(shifted), pixels_read(unmasked)
    assert not (right & ~wrong).any()
    assert (wrong & ~right).sum() == 448
    assert wrong[0, 63] and not right[0, 63]


@pytest.mark.parametrize(("size", "shift"), [(2, 1), (4, 1), (4, 3), (8, 4)])
def test_the_region_mask_allows_exactly_unwrapped_neighbours(size: int, shift: int) -> None:
    place = (torch.arange(SIDE) - shift) // size  # which window a line is in when nothing wraps
    line = place[:, None] == place[None, :]  # [8, 8]
    wanted = torch.einsum("ac,bd->abcd", line.int(), line.int()).reshape(64, 64).bool()
    assert torch.equal(pixels_read(lambda x: window_attention(x, size, shift)), wanted)


def test_images_of_a_batch_stay_apart() -> None:
    read = pixels_read(lambda x: shifted(window(x)), batch=2)
    assert not read[:64, 64:].any() and not read[64:, :64].any()
    assert read.sum() == 2 * 2304


def test_partition_and_shift_can_be_undone() -> None:
    x = draw(3, 8, 4, 2)
    windows = window_partition(x, 2)
    assert windows.shape == (24, 4, 2)
    assert torch.equal(windows[1], x[0, :2, 2:4].reshape(4, 2))
    assert torch.equal(window_reverse(windows, 2, 8, 4), x)
    assert torch.equal(window_attention(x, 1), x)  # a pixel alone looks at itself
    assert torch.equal(cyclic_shift(cyclic_shift(x, 1), -1), x)
    assert torch.equal(cyclic_shift(x, 1)[:, 0, 0], x[:, 1, 1])


@pytest.mark.parametrize("axis", ["height", "width"])
def test_axial_attention_reads_one_line_and_two_of_them_read_everything(axis: str) -> None:
    pixel = torch.arange(64)
    line = pixel % SIDE if axis == "height" else pixel // SIDE
    read = pixels_read(lambda x: axial_attention(x, axis))
    assert torch.equal(read, line[:, None] == line[None, :])
    other = "width" if axis == "height" else "height"
    assert pixels_read(lambda x: axial_attention(axial_attention(x, axis), other)).all()


def test_a_layer_with_weights_fits_into_a_window() -> None:
    projection = draw(2, 2)

    def attend(x: Tensor, mask: Tensor | None) -> Tensor:
        q = (x @ projection)[:, None]
        return attention(q, q, x[:, None], mask[:, None])[:, 0]

    read = pixels_read(lambda x: window_attention(x, WINDOW, SHIFT, attend))
    assert torch.equal(read, pixels_read(shifted))


# --- channels


def gate(channels: int = 6) -> SEGate:
    return SEGate(channels, generator=seeded(3)).double()


def rows_read(layer: Callable[[Tensor], Tensor], batch: int = 3) -> Tensor:
    """Return [B, B]: the largest influence of an image (column) on an image (row)."""
    return jacobian(layer, draw(batch, 6, 4, 4)).abs().amax(dim=(1, 2, 3, 5, 6, 7))


def pooled_over_the_batch(module: SEGate) -> Callable[[Tensor], Tensor]:
    def layer(x: Tensor) -> Tensor:
        pooled = x.mean(dim=(0, 2, 3))
        weight = torch.sigmoid(module.excite(torch.relu(module.squeeze(pooled))))
        return x * weight[:, None, None]

    return layer


def test_every_channel_and_pixel_passes_through_the_gate() -> None:
    slopes = jacobian(gate(), draw(1, 6, 4, 4)).abs()[0, :, :, :, 0]  # [C, h, w, C, h, w]
    assert (slopes.amax(dim=(1, 2, 4, 5)) > 0).sum() == 36
    assert (slopes.amax(dim=(0, 3)).reshape(16, 16) > 0).sum() == 256


def test_rows_of_the_batch_are_isolated_exactly() -> None:
    influence = rows_read(gate())
    assert (influence[~torch.eye(3).bool()] == 0).all()
    assert (influence.diagonal() > 0.1).all()


def test_pooling_over_the_batch_leaks() -> None:
    assert (rows_read(pooled_over_the_batch(gate()))[~torch.eye(3).bool()] > 1e-4).all()


def test_batch_norm_leaks_in_training_mode_only() -> None:
    norm, others = nn.BatchNorm2d(6).double(), ~torch.eye(3).bool()
    module = gate()
    assert (rows_read(lambda x: module(norm.train()(x)))[others] > 0.01).all()
    assert (rows_read(lambda x: module(norm.eval()(x)))[others] == 0).all()


def test_the_gate_multiplies_each_channel_by_its_weight() -> None:
    module, x = gate(), draw(2, 6, 4, 4)
    hidden = (x.mean(dim=(2, 3)) @ module.squeeze.weight.T).clamp(min=0)  # [2, 3]
    weight = 1 / (1 + torch.exp(-(hidden @ module.excite.weight.T)))  # [2, 6]
    assert torch.allclose(module.gate(x), weight, atol=1e-12)
    assert torch.allclose(module(x), torch.einsum("bchw,bc->bchw", x, weight), atol=1e-12)


@pytest.mark.parametrize(("channels", "reduction", "hidden"), [(6, 2, 3), (7, 4, 1), (2, 4, 1)])
def test_the_shared_network_is_narrow_but_never_empty(channels: int, reduction: int, hidden: int) -> None:
    module = SEGate(channels, reduction, generator=seeded(0))
    assert module.squeeze.weight.shape == (hidden, channels)
    assert gate().squeeze.weight.shape == (3, 6)


def test_a_gate_alone_equals_the_gate_in_a_batch() -> None:
    x, module = draw(3, 6, 4, 4), gate()
    assert torch.allclose(module(x)[1:2], module(x[1:2]), atol=1e-12)
    assert module.gate(x).shape == (3, 6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: window_partition(torch.zeros(1, 8, 6, 1), 4), "do not tile an image of 8 x 6"),
        (lambda: window_partition(torch.zeros(1, 8, 6, 1), 0), "Windows of 0"),
        (lambda: region_mask(8, 8, 4, 4), "between 0 and size - 1 = 3"),
        (lambda: region_mask(8, 8, 4, -1), "between 0 and size - 1"),
        (lambda: axial_attention(torch.zeros(1, 2, 2, 1), "depth"), "height"),
    ],
)
def test_bad_input_is_refused_with_words(call: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()

"""The faults of unit 05: walls in the wrong place, screens forgotten or half put up, leaks across the batch.

All are found by one oracle, the exact zeros of a Jacobian, held against a floor plan that knows nothing of
rolling and reshaping. Counts are exact: 448 of 4096 pairs, not about 448.
"""

from __future__ import annotations

from collections.abc import Callable

from sharedstate.faults.table import Fault, Names, Probe

UNIT = "05_windows_and_channels"
PIXELS = "exact-zero Jacobian between pixels, against the floor plan: leaks and lost"
IMAGES = "exact-zero Jacobian between images of a batch: none may reach another"

Layer = Callable[[object], object]


def leaks_and_lost(names: Names, layer: Layer, shift: int = 2) -> tuple[int, int]:
    """Return how many pairs of pixels leak and how many are lost, with the walls moved by `shift`."""
    found = names["pixels"](layer, names["same_room"](shift))
    return len(found.leaks), len(found.lost)


def counted(make: Callable[[Names], Layer], leaks: int, lost: int, shift: int = 2) -> Probe:
    """Return a probe: the layer that `make` builds has exactly so many leaks and lost pairs."""
    return lambda names: leaks_and_lost(names, make(names), shift) == (leaks, lost)


def with_mask(region: str) -> Callable[[Names], Layer]:
    """Return the maker of a shifted layer whose screens follow the regions of the function `region`."""

    def make(names: Names) -> Layer:
        mask = names["screens"](names[region]())
        return lambda x: names["shifted"](x, mask)

    return make


def windows_clean(names: Names) -> bool:
    """Windows that are not moved have 1,024 pairs, nothing leaks, nothing is lost."""
    found = names["pixels"](names["windows"], names["same_room"]())
    return found.clean and names["seen"](found) == 1024


def corner_sees_corner(names: Names) -> bool:
    """Shift without a mask: 448 pairs across the image, (0, 0) from (7, 7) among them."""
    found = names["pixels"](names["shifted"], names["same_room"](2))
    return len(found.leaks) == 448 and not found.lost and found.state("0,0", "7,7") == "leak"


def own_pixel_lost(names: Names) -> bool:
    """Without the roll back, pixel (0, 0) no longer depends on itself."""
    mask = names["screens"](_right_regions())
    found = names["pixels"](lambda x: names["not_back"](x, mask), names["same_room"](2))
    return found.state("0,0", "0,0") == "lost" and len(found.leaks) == len(found.lost) == 512


def rolled_back(names: Names) -> bool:
    """The fix rolls back: clean."""
    mask = names["screens"](_right_regions())
    return leaks_and_lost(names, lambda x: names["shifted"](x, mask)) == (0, 0)


def _right_regions() -> object:
    """The region numbers of the lesson's image, [8, 8]: the last two rows and columns are wheeled."""
    import torch

    return torch.tensor([[2 * (row > 5) + (column > 5) for column in range(8)] for row in range(8)])


def axial(layer: str, leaks: int, lost: int) -> Probe:
    """Return a probe of a layer along the height, on an image of 4 x 8 in which a mix-up of axes shows."""

    def probe(names: Names) -> bool:
        import torch

        column = torch.arange(32) % 8
        found = names["pixels"](names[layer], column[:, None] == column, names["image"][:, :4])
        return (len(found.leaks), len(found.lost)) == (leaks, lost)

    return probe


def axial_rows_clean(names: Names) -> bool:
    """Attention along the width of the same image: each row by itself."""
    import torch

    row = torch.arange(32) // 8
    return names["pixels"](names["along_width"], row[:, None] == row, names["image"][:, :4]).clean


def images(make: Callable[[Names], Layer], leaks: int) -> Probe:
    """Return a probe: exactly so many pairs of channels of different images leak, and nothing is lost."""

    def probe(names: Names) -> bool:
        found = names["images_apart"](make(names))
        return len(found.leaks) == leaks and not found.lost

    return probe


ALL_ACROSS = 216    # 18 x 18 pairs of (image, channel), less 3 blocks of 6 x 6
PLAIN = "the same windows without a shift: 1,024 pairs, none leaks, none is lost"
SCREENS = "number the rolled image by region, and look only at one's own number"
own_gate = images(lambda names: names["channel_attention"], 0)


def _swin(name: str, show: Probe, fix: str = SCREENS, fix_clean: Probe | None = None) -> Fault:
    """A fault of the windows; its control are plain windows, its fix the right region mask."""
    clean = fix_clean or counted(with_mask("regions"), 0, 0)
    return Fault(name, UNIT, PIXELS, PLAIN, fix, show, windows_clean, clean)


FAULTS: tuple[Fault, ...] = (
    _swin("swin-shift-without-mask", corner_sees_corner),
    _swin("swin-mask-rows-only", counted(with_mask("rows_only"), 192, 0)),
    _swin("swin-mask-sum", counted(with_mask("added"), 32, 0)),
    _swin("swin-mask-wrong-edge", counted(with_mask("wrong_edge"), 320, 320)),
    _swin("window-reshape", counted(lambda names: names["strips"], 512, 512, shift=0),
          "split both axes and exchange the middle two before the last reshape",
          counted(lambda names: names["windows"], 0, 0, shift=0)),
    _swin("swin-not-rolled-back", own_pixel_lost, "roll back by the same shift", rolled_back),
    Fault("axial-mixed-axes", UNIT, PIXELS, "attention along the width, which needs no turning",
          "transpose height and width before the reshape, and back after it", axial("mixed", 96, 96),
          axial_rows_clean, axial("along_height", 0, 0)),
    Fault("se-pooled-over-batch", UNIT, IMAGES, "the mean over height and width only",
          "leave the batch axis out of the mean", images(lambda n: n["pooled_over_batch"], ALL_ACROSS),
          own_gate, own_gate),
    Fault("se-batchnorm-train", UNIT, IMAGES, "the same layer in eval mode",
          "normalise each image by itself (OwnNorm)", images(lambda n: n["NormedAttention"](), ALL_ACROSS),
          images(lambda n: n["NormedAttention"]().eval(), 0), images(lambda n: n["OwnNorm"](), 0)),
)

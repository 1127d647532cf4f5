"""The window panel: choose window size, shift and mask; see what one pixel sees."""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets as widgets
import torch

from sharedstate import figures
from sharedstate.model import region_mask, window_attention
from sharedstate.panels.base import Picture, PicturePanel

SIDE = 8
SIZES = (2, 4, 8)
CHANNELS, SEED = 3, 5


@dataclass(frozen=True)
class WindowChoice:
    """What the controls say: window `size`, `shift` (0 to size - 1), whether the mask is on, and the pixel.

    `after_plain`: a layer of windows that are not shifted comes before. Raises ValueError for a setting that
    cannot be.
    """

    size: int = 4
    shift: int = 2
    masked: bool = True
    after_plain: bool = False
    pixel: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        """Refuse what the sliders do not offer."""
        if self.size not in SIZES:
            raise ValueError(f"size={self.size!r}: choose one of {SIZES}.")
        if not 0 <= self.shift < self.size:
            raise ValueError(f"shift={self.shift!r} must lie between 0 and size - 1 = {self.size - 1}.")
        if any(not 0 <= place < SIDE for place in self.pixel):
            raise ValueError(f"pixel={self.pixel!r} must lie in the image of {SIDE} x {SIDE}.")


@dataclass(frozen=True)
class WindowView:
    """What a choice gives: `grid`, what the chosen pixel sees, and counts of all pairs."""

    choice: WindowChoice
    grid: tuple[tuple[str, ...], ...]
    pairs: int
    leaks: int

    @property
    def title(self) -> str:
        """The message."""
        if self.leaks:
            return f"{self.leaks:,} pairs leak across the image"
        return f"No leak: {self.pairs:,} of {SIDE**4:,} pairs see each other"

    @property
    def text(self) -> str:
        """The choice and its counts, as one line."""
        c = self.choice
        seen = sum(state in ("allowed", "leak") for row in self.grid for state in row)
        first = "plain windows first, " if c.after_plain else ""
        mask = "on" if c.masked else "off"
        return (f"{first}window {c.size}, shift {c.shift}, mask {mask}: pixel {c.pixel}"
                f" sees {seen} of {SIDE**2} pixels; in all {self.pairs:,} pairs, {self.leaks:,} of them leak")


def window_view(choice: WindowChoice) -> WindowView:
    """Run the attention of the choice on an image of 8 x 8, once with each pixel changed: who sees whom?

    An output that stays the same bit for bit is isolated. What may be is taken from the floor plan (same
    window of the unrolled image), not from the layer's mask.
    """
    seen, may = _influence(choice), _floor_plan(choice)
    pairs, leaks = int(seen.sum()), int((seen & ~may).sum())
    own = choice.pixel[0] * SIDE + choice.pixel[1]
    states = [_state(*pair) for pair in zip(seen[own].tolist(), may[own].tolist(), strict=True)]
    grid = tuple(tuple(states[start:start + SIDE]) for start in range(0, SIDE**2, SIDE))
    return WindowView(choice, grid, pairs, leaks)


def _state(seen: bool, may: bool) -> str:
    """The state of a pair, of which nothing must be."""
    return ("allowed" if may else "leak") if seen else "isolated"


def _influence(choice: WindowChoice) -> torch.Tensor:
    """Who sees whom, [64 outputs, 64 inputs]: 64 images, each with one pixel changed, beside 64 unchanged ones."""
    draw = torch.Generator().manual_seed(SEED)
    image = torch.randn(SIDE**2, CHANNELS, dtype=torch.float64, generator=draw)
    same = image.expand(SIDE**2, -1, -1)
    changed = same + torch.eye(SIDE**2, dtype=torch.float64)[:, :, None]
    mask = region_mask if choice.masked else _no_mask
    answers = []
    for pixels in (same, changed):
        x = pixels.unflatten(1, (SIDE, SIDE))
        x = window_attention(x, choice.size) if choice.after_plain else x
        answers.append(window_attention(x, choice.size, choice.shift, mask=mask).flatten(1, 2))
    return (answers[0] != answers[1]).any(-1).T


def _no_mask(height: int, width: int, size: int, shift: int) -> torch.Tensor:
    """A mask that lets everybody look: [windows, size * size, size * size]."""
    return torch.ones(height * width // size**2, size**2, size**2, dtype=torch.bool)


def _floor_plan(choice: WindowChoice) -> torch.Tensor:
    """Who may see whom, [64, 64]: pixels of one room, or of rooms that the layer before joins to it."""
    def rooms(shift: int) -> torch.Tensor:
        place = (torch.arange(SIDE) - shift) // choice.size
        same = place[:, None] == place
        return (same[:, None, :, None] & same[None, :, None, :]).reshape(SIDE**2, SIDE**2)

    may = rooms(choice.shift)
    return (may.double() @ rooms(0).double()) > 0 if choice.after_plain else may


def window_png(view: WindowView) -> bytes:
    """Draw a view and return the picture's bytes."""
    label = f"pixel {view.choice.pixel}"
    return figures.sight({label: view.grid}, view.choice.pixel, view.title, view.choice.size, view.choice.shift).png()


class WindowPanel(PicturePanel):
    """Sliders and switches, the picture of what one pixel sees, and the counts as text."""

    caption = "What the pixel with the dot sees. The line below counts the pairs of the whole image."

    def __init__(self, choice: WindowChoice) -> None:
        """Show the choice; each change of a control runs the attention again."""
        style = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="26em")}
        self.size = widgets.SelectionSlider(
            options=SIZES, value=choice.size, description="window size", continuous_update=False, **style)
        self.shift = widgets.IntSlider(
            choice.shift, 0, choice.size - 1, description="shift", continuous_update=False, **style)
        self.masked = widgets.Checkbox(choice.masked, description="region mask", **style)
        self.after_plain = widgets.Checkbox(choice.after_plain, description="plain windows first", **style)
        self.row, self.column = (
            widgets.IntSlider(
                place, 0, SIDE - 1, description=f"pixel, {name}", continuous_update=False, **style)
            for place, name in zip(choice.pixel, ("row", "column"), strict=True))
        controls = {"size": self.size, "shift": self.shift, "masked": self.masked, "after_plain": self.after_plain,
                    "row": self.row, "column": self.column}  # fmt: skip
        self.arrange("window", controls)
        self.size.observe(self._resize, names="value")
        self.watch([control for name, control in controls.items() if name != "size"])
        self.show()

    def _resize(self, change: object) -> None:
        """A smaller window has fewer shifts: the slider's end follows, and its value if it must."""
        before = self.shift.value
        self.shift.max = self.size.value - 1
        if self.shift.value == before:      # else the shift's own change has shown it already
            self.show()

    def choice(self) -> WindowChoice:
        """Return what the controls say."""
        pixel = (self.row.value, self.column.value)
        masked, after_plain = self.masked.value, self.after_plain.value
        return WindowChoice(self.size.value, self.shift.value, masked, after_plain, pixel)

    def picture(self) -> Picture:
        """Run the attention of the choice."""
        self.view = window_view(self.choice())
        return Picture(self.view.title, self.view.text, window_png(self.view))


def window_panel(
    size: int = 4,
    shift: int = 2,
    masked: bool = False,
    after_plain: bool = False,
    pixel: tuple[int, int] = (0, 0),
) -> WindowPanel:
    """Return the window panel with its controls set to these values; ValueError for one that cannot be."""
    return WindowPanel(WindowChoice(size, shift, masked, after_plain, pixel))

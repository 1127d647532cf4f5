"""The mask panel: choose a mask, shift it, change the shape, move the padding; see who sees whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

import ipywidgets as widgets
import torch
from torch import Tensor

from sharedstate import figures
from sharedstate.influence import Influence, tensors
from sharedstate.model import attention, causal_mask, open_empty_rows, seeded, sliding_window_mask
from sharedstate.panels.base import Picture, PicturePanel

KINDS = MappingProxyType({
    "bottom right": "causal, counted from the bottom right corner",
    "top left": "causal, counted from the top left corner",
    "inverted": "blocks what it should show",
    "window of 3": "the last three keys",
    "none": "no mask at all",
})
JOINS = MappingProxyType({
    "and, no empty row": "both masks, and an empty row looks at its own place",
    "and": "both masks",
    "replaces": "the padding mask instead of the other",
    "forgotten": "no padding mask",
})
SIDES = ("none", "left", "right")
LONGEST, SHIFT, PADDING, SIZE = 8, 2, 2, 4


@dataclass(frozen=True)
class MaskChoice:
    """What the controls say. offset moves the diagonal to the right; `padding` is the side of two such keys.

    Raises ValueError for a kind, side or way of joining that there is not, or lengths outside 1 to 8.
    """

    kind: str = "bottom right"
    offset: int = 0
    q_len: int = 4
    kv_len: int = 6
    padding: str = "none"
    join: str = "and, no empty row"

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        for name, options in (("kind", KINDS), ("padding", SIDES), ("join", JOINS)):
            if getattr(self, name) not in options:
                raise ValueError(f"{name} is {getattr(self, name)!r}: use one of {', '.join(options)}.")
        if not (1 <= self.q_len <= LONGEST and 1 <= self.kv_len <= LONGEST):
            raise ValueError(f"q_len and kv_len lie between 1 and {LONGEST}.")

    def real(self) -> Tensor:
        """Return [kv_len], True where a key is a token and no padding (at least one is)."""
        padded = min(PADDING, self.kv_len - 1) if self.padding != "none" else 0
        place = torch.arange(self.kv_len)
        return place >= padded if self.padding == "left" else place < self.kv_len - padded

    def wanted(self) -> Tensor:
        """Return [q_len, kv_len], True where a query should look: its past, no padding, never nowhere."""
        window = 3 if self.kind == "window of 3" else self.kv_len
        mask = causal_mask(self.q_len, self.kv_len) & sliding_window_mask(self.q_len, self.kv_len, window)
        return open_empty_rows(mask & self.real())

    def mask(self) -> Tensor:
        """Return [q_len, kv_len], True where the chosen mask lets a query look."""
        mask, real = self._shape(), self.real().expand(self.q_len, -1)
        joined = {"replaces": real, "forgotten": mask}.get(self.join, mask & real)
        return open_empty_rows(joined) if self.join == "and, no empty row" else joined

    def _shape(self) -> Tensor:
        """Return the mask without padding."""
        query = torch.arange(self.q_len)[:, None] + self.offset
        key = torch.arange(self.kv_len)
        own = query + (0 if self.kind == "top left" else self.kv_len - self.q_len)
        past = key <= own
        return {"none": torch.ones_like(past), "inverted": ~past, "window of 3": past & (key > own - 3)}.get(
            self.kind, past)


def mask_matrix(choice: MaskChoice) -> Influence:
    """Return who sees whom in one attention head under the chosen mask, measured by derivatives.

    Rows are queries, columns keys. A query that may look nowhere gives NaN, which leaks and loses at once.
    """
    asked = torch.randn(LONGEST, SIZE, generator=seeded(1))[: choice.q_len]
    told = torch.randn(LONGEST, SIZE, generator=seeded(2))[: choice.kv_len]
    mask, wanted = choice.mask(), choice.wanted()

    def head(x: Tensor) -> Tensor:
        return attention(asked[None, None], x[None, None], x[None, None], mask)[0, 0]

    return tensors(head, told, rows=0, columns=0, may=wanted, must=wanted)


def mask_png(choice: MaskChoice, matrix: Influence) -> bytes:
    """Draw the matrix and return the picture's bytes."""
    name = f"{choice.kind} {choice.offset:+d}" if choice.offset else choice.kind
    return figures.mask_grid({name: matrix}, matrix.message).png(dpi=100)


class MaskPanel(PicturePanel):
    """Controls above, the measured matrix below: a picture, and its message as text."""

    caption = "Rows ask, columns answer. Measured by derivatives of one attention head."
    look = "max-width:100%"

    def __init__(self, choice: MaskChoice) -> None:
        self.kind = widgets.Dropdown(options=list(KINDS), value=choice.kind, description="mask")
        self.offset = _slider("offset", choice.offset, -SHIFT, SHIFT)
        self.q_len = _slider("q_len", choice.q_len, 1, LONGEST)
        self.kv_len = _slider("kv_len", choice.kv_len, 1, LONGEST)
        self.padding = widgets.ToggleButtons(options=SIDES, value=choice.padding, description="padding")
        self.join = widgets.Dropdown(options=list(JOINS), value=choice.join, description="join by")
        self.arrange("mask", self.controls())
        self.watch(self.controls().values())
        self.show()

    def controls(self) -> dict[str, widgets.Widget]:
        """Return the controls by the names of MaskChoice's fields."""
        names = ("kind", "offset", "q_len", "kv_len", "padding", "join")
        return {name: getattr(self, name) for name in names}

    def choice(self) -> MaskChoice:
        """Return what the controls say."""
        return replace(MaskChoice(), **{name: control.value for name, control in self.controls().items()})

    def picture(self) -> Picture:
        """Measure what the controls say."""
        choice = self.choice()
        matrix = mask_matrix(choice)
        words = f"{KINDS[choice.kind]}; {matrix.message}"
        return Picture(matrix.message, str(matrix), mask_png(choice, matrix), words, {"clean": matrix.clean})


def _slider(name: str, value: int, low: int, high: int) -> widgets.IntSlider:
    return widgets.IntSlider(value, low, high, description=name, continuous_update=False)


def mask_panel(kind: str = "bottom right", offset: int = 0, q_len: int = 4, kv_len: int = 6) -> MaskPanel:
    """Return the mask panel, its controls set to these values.

    kind: one of `KINDS`; offset -2 to 2; lengths 1 to 8. Raises ValueError for anything else.
    """
    if not -SHIFT <= offset <= SHIFT:
        raise ValueError(f"offset is {offset}: it lies between {-SHIFT} and {SHIFT}.")
    return MaskPanel(MaskChoice(kind, offset, q_len, kv_len))

"""The course's figure: one size, one palette, a title that is the message, drawn the same at every run."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from sharedstate.figures.embedded import picture_html
from sharedstate.palette import INK

if TYPE_CHECKING:
    from IPython.display import Markdown

LEAK_HATCH, LOST_HATCH, STALE_HATCH = "//", "..", "xx"
TITLE, LABEL, SMALL = 13, 11, 10
LETTERS_PER_INCH = 9.1
WIDTH, HEIGHT = 6.0, 3.75
SCREEN_DPI, PRINT_DPI = 100, 144
SALT = "sharedstate"


class CourseFigure(Figure):
    """A matplotlib Figure that a notebook draws without pyplot, and whose `message` is its title."""

    message: str = ""
    steps: str = ""  # the same as an SVG element whose steps a page can walk through; "" where there are none

    def png(self, dpi: int = PRINT_DPI) -> bytes:
        """Return the figure as a PNG file."""
        return self._saved("png", dpi)

    def svg(self) -> str:
        """Return the figure as an SVG document, the same text at every run."""
        return self._saved("svg", SCREEN_DPI).decode()

    def _saved(self, kind: str, dpi: int) -> bytes:
        with matplotlib.rc_context({"svg.hashsalt": SALT, "savefig.bbox": None}):
            store = io.BytesIO()
            self.savefig(store, format=kind, dpi=dpi, metadata={"Date": None} if kind == "svg" else None)
        return store.getvalue()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Give a notebook the picture, and the message for whoever gets text only.

        As HTML, not as image/png: an export of a notebook drops the alternative text of a bare picture. A notebook
        shows that one; the reading site takes the SVG, where there is one.
        """
        width = round(self.get_figwidth() * SCREEN_DPI)
        bundle = {"text/html": picture_html(self.png(), self.message, f"width:{width}px;max-width:100%"),
                  "text/plain": f"Figure: {self.message}"}
        return {**bundle, "image/svg+xml": self.steps} if self.steps else bundle


def new(title: str, width: float = WIDTH, height: float = HEIGHT) -> CourseFigure:
    """Return an empty figure (inches) with its message as the title, wrapped to the width."""
    layout = ConstrainedLayoutEngine(w_pad=0.07, h_pad=0.07)
    figure = CourseFigure(figsize=(width, height), dpi=SCREEN_DPI, layout=layout, facecolor="white")
    figure.message = title
    wrapped = "\n".join(balanced(title, int(width * LETTERS_PER_INCH)))
    figure.suptitle(wrapped, x=0.02, ha="left", fontsize=TITLE, fontweight="bold", color=INK)
    return figure


def balanced(text: str, most: int) -> list[str]:
    """Return text in as few lines of at most `most` letters as it needs, all about as long: no word stands alone."""
    lines = textwrap.wrap(text, most)
    while len(lines) > 1 and len(shorter := textwrap.wrap(text, most - 1)) == len(lines):
        lines, most = shorter, most - 1
        if max(map(len, lines)) < most:
            most = max(map(len, lines))
    return lines


def axes(figure: Figure, xlabel: str = "", ylabel: str = "", **where: Any) -> Axes:
    """Return plain axes: two spines, readable ticks, labels with units. `where` goes to add_subplot."""
    ax = figure.add_subplot(*where.pop("at", (1, 1, 1)), **where)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=SMALL, colors=INK)
    ax.set_xlabel(xlabel, fontsize=LABEL, color=INK)
    ax.set_ylabel(ylabel, fontsize=LABEL, color=INK)
    return ax


def canvas(figure: Figure, width: float, height: float) -> Axes:
    """Return axes without ticks for a drawing, x from 0 to width, y from height (bottom) to 0 (top)."""
    ax = figure.add_subplot()
    ax.set_axis_off()
    ax.set(xlim=(0, width), ylim=(height, 0))
    return ax


def get(item: Any, *names: str) -> Any:
    """Return item's attribute or key along a path of names, as in get(result, "config", "threads").

    Raises KeyError, which names what is missing, where the data has neither.
    """
    for name in names:
        if isinstance(item, Mapping) and name in item:
            item = item[name]
        elif hasattr(item, name):
            item = getattr(item, name)
        else:
            raise KeyError(
                f"This figure needs {'.'.join(names)!r}, and a {type(item).__name__} does not have it."
            )
    return item


def as_list(data: Any) -> list[Any]:
    """Return a list of results, from a sequence of them or a single one."""
    return list(data) if isinstance(data, Sequence) else [data]


def caption(text: str) -> Markdown:
    """Return the line under a figure that says what it shows, for whoever cannot see it."""
    from IPython.display import Markdown

    return Markdown(f"*{text.strip()}*")

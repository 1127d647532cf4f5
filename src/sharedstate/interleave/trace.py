"""A schedule that can be looked at: as text, as HTML, as SVG."""

from __future__ import annotations

from dataclasses import dataclass

from sharedstate.interleave import show as draw
from sharedstate.interleave.schedule import Schedule, Step

__all__ = ["Step", "Trace", "View"]

FORMATS = ("auto", "text", "html", "svg")


@dataclass(frozen=True)
class Trace(Schedule):
    """One whole schedule: who moved when, what each step saw, what came out; a notebook draws it."""

    def show(self, format: str = "auto") -> View:
        """The trace as text, HTML or SVG; a notebook draws it, `str()` gives the text.

        Raises ValueError for a format that is not one of auto, text, html, svg.
        """
        if format not in FORMATS:
            raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
        return View(self, format)

    def __str__(self) -> str:
        """The trace as a table of text."""
        return self.show("text").text

    def _repr_html_(self) -> str:
        """Drawn as HTML when it is the last value of a notebook cell."""
        return self.show("html").html


@dataclass(frozen=True)
class View:
    """A trace to look at: `.text`, `.html`, `.svg`, and what a notebook asks for."""

    trace: Trace
    format: str = "auto"

    @property
    def text(self) -> str:
        """The trace as plain text."""
        return draw.text(self.trace)

    @property
    def html(self) -> str:
        """The trace as an HTML fragment."""
        return draw.html(self.trace)

    @property
    def svg(self) -> str:
        """The trace as an SVG document."""
        return draw.svg(self.trace)

    def __str__(self) -> str:
        """The chosen format as a string; "auto" gives text."""
        return {"html": lambda: self.html, "svg": lambda: self.svg}.get(self.format, lambda: self.text)()

    __repr__ = __str__

    def _repr_html_(self) -> str | None:
        """HTML for a notebook; None (plain text is shown) when text was asked for."""
        if self.format == "text":
            return None
        return self.svg if self.format == "svg" else self.html

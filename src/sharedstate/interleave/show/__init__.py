"""Draw a schedule as text, HTML or SVG; `Trace.show` calls these three. Standard library only."""

from __future__ import annotations

from sharedstate.interleave.show.html import html
from sharedstate.interleave.show.svg import svg
from sharedstate.interleave.show.text import text

__all__ = ["html", "svg", "text"]

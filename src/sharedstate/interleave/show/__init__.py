"""Draw a trace as text, HTML or SVG; `Trace.show` calls these three. Standard library only."""

from __future__ import annotations

from sharedstate.interleave.render_html import html
from sharedstate.interleave.render_svg import svg
from sharedstate.interleave.render_text import text

__all__ = ["html", "svg", "text"]

"""A picture inside HTML, with the words for somebody who cannot see it. Nothing heavy is loaded."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from types import MappingProxyType

NOTHING: Mapping[str, object] = MappingProxyType({})


def picture_html(png: bytes, alt: str, look: str, facts: Mapping[str, object] = NOTHING) -> str:
    """Return a PNG file as an HTML image with its alternative text; facts are kept as data-NAME."""
    told = "".join(f'data-{name}="{html.escape(str(value).lower())}" ' for name, value in facts.items())
    data = base64.b64encode(png).decode()
    return f'<img {told}alt="{html.escape(alt)}" style="{look}" src="data:image/png;base64,{data}">'

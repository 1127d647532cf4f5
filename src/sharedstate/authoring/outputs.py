"""Stored outputs hold what a reader needs and nothing of the machine that made them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

WIDGET = "application/vnd.jupyter.widget-view+json"
PANEL = "Interactive panel: run this cell to use it."
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")
CELL_FILE = re.compile(r"[^\s\"'<>]*[/\\]ipykernel_\d+[/\\]\d+\.py")
WIDGET_REPR = re.compile(r"^[A-Z]\w*\(")
DATA = "data:image/"
EMBEDDED = re.compile(rf'({DATA}[^"]*)')  # a picture inside HTML: its letters mean no path
TEXTS = ("text/plain", "text/markdown")


def tidy(book: Any, names: Mapping[str, str]) -> Any:
    """Clean every output in place: no machine paths (`names`: path -> its stand-in), times, widget views."""
    book.metadata.pop("widgets", None)
    for cell in book.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [tidy_output(output, names) for output in _joined(cell.outputs)]
    return book


def tidy_output(output: Any, names: Mapping[str, str]) -> Any:
    """Return the output with paths and addresses replaced and a widget's view dropped (its text stays)."""
    if output.output_type == "stream":
        output.text = plain(output.text, names)
    elif output.output_type == "error":
        output.evalue = plain(output.evalue, names)
        output.traceback = [plain(line, names) for line in output.traceback]
    else:
        output.data = type(output.data)({mime: _cleaned(mime, value, output.data, names)
                                         for mime, value in output.data.items() if mime != WIDGET})
        output.metadata.pop(WIDGET, None)
    return output


def plain(text: str, names: Mapping[str, str]) -> str:
    """Return the text without machine paths, temporary file names and object addresses."""
    text = CELL_FILE.sub("cell", text)
    for path in sorted(names, key=len, reverse=True):
        text = text.replace(path, names[path])
    return ADDRESS.sub("0x…", text)


def stable_text(cell: Any) -> str:
    """Return what a `stable` cell must reproduce: streams, plain and markdown text, an error's last line."""
    parts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            parts.append(output.text.rstrip())
        elif output.output_type == "error":
            parts.append(f"{output.ename}: {output.evalue}")
        else:
            parts += [output.data[mime].rstrip() for mime in TEXTS if mime in output.data]
    return "\n".join(parts)


def _cleaned(mime: str, value: Any, data: Mapping[str, Any], names: Mapping[str, str]) -> Any:
    """Return one representation, cleaned; the bare repr of a widget becomes a sentence."""
    if not isinstance(value, str) or mime in ("image/png", "image/jpeg"):
        return value
    if mime == "text/plain" and WIDGET in data and WIDGET_REPR.match(value):
        return PANEL
    return "".join(part if part.startswith(DATA) else plain(part, names) for part in EMBEDDED.split(value))


def _joined(outputs: list[Any]) -> list[Any]:
    """Join neighbouring pieces of one stream: how a kernel cuts its text depends on time."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if output.output_type == "stream" and last is not None and last.get("name") == output.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined

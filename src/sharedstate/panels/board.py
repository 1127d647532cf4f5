"""The shared board of a schedule: each field that threads share, its value, and who wrote it last, in that colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING

from sharedstate.palette import ALLOWED, INK, owner

if TYPE_CHECKING:
    from sharedstate.interleave.trace import Step

LOCKING: Mapping[str, str] = MappingProxyType({"acquire": "held", "release": "free"})
SHOWN = frozenset({"read", "write", "delete", *LOCKING})
CARD = f"border:3px solid {{color}};border-radius:6px;padding:4px 12px;min-width:8em;background:#fff;color:{INK}"
FRAME = (
    "display:inline-flex;flex-wrap:wrap;gap:10px;padding:10px;background:#f4f4f4;"
    f"border:2px solid {INK};border-radius:8px"
)
MONO = "font-family:ui-monospace,Menlo,Consolas,monospace"


@dataclass(frozen=True)
class Field:
    """One shared field: its name, its value (None: not seen yet), its last writer and its last reader."""

    name: str
    value: str | None = None
    writer: str | None = None
    reader: str | None = None


def fields(steps: Sequence[Step], coming: Sequence[Step] = ()) -> tuple[Field, ...]:
    """Return the shared fields in the order in which they were met; `coming` are steps that have not been taken."""
    found: dict[str, Field] = {}
    for step in steps:
        if step.kind in SHOWN and step.target:
            found[step.target] = _after(step, found.get(step.target, Field(_short(step.target))))
    for step in coming:
        if step.kind in SHOWN and step.target:
            found.setdefault(step.target, Field(_short(step.target), "free" if step.kind in LOCKING else None))
    return tuple(found.values())


def _after(step: Step, field: Field) -> Field:
    """Return the field as a step leaves it."""
    if step.kind == "read":
        return replace(field, value=step.value if field.value is None else field.value, reader=step.thread)
    value = LOCKING.get(step.kind) or ("gone" if step.kind == "delete" else step.value)
    return Field(field.name, value, step.thread, None)


def _short(target: str) -> str:
    """Return a field's name without its class."""
    return target.rpartition(".")[2]


def board_html(shown: Sequence[Field], threads: Sequence[str]) -> str:
    """Return the board as HTML, one card a field, framed in its writer's colour; "" for no field.

    threads: every thread's name; its place gives its colour, as everywhere.
    """
    if not shown:
        return ""
    colors = {name: owner(place) for place, name in enumerate(threads)}
    cards = "".join(_card(field, colors) for field in shown)
    return f'<div class="ss-board" role="group" aria-label="what the threads share" style="{FRAME}">{cards}</div>'


def _card(field: Field, colors: Mapping[str, str]) -> str:
    """Return one field's card."""
    color = colors.get(field.writer or "", ALLOWED)
    value = escape(field.value) if field.value is not None else "&nbsp;"
    return (
        f'<div data-field="{escape(field.name)}" data-writer="{escape(field.writer or "")}" '
        f'style="{CARD.format(color=color)}"><div style="font-size:85%;{MONO}">{escape(field.name)}</div>'
        f'<div style="font-size:150%;font-weight:bold;{MONO}">{value}</div>'
        f"<div>{_said(field, color)}</div></div>"
    )


def _said(field: Field, color: str) -> str:
    """Say who wrote last, and who has read it since."""
    if field.writer is None and field.value == "free":
        return "nobody holds it"
    if field.writer is None:
        return "nobody has written here yet" if field.value is None else "as it was at the start"
    verb = {"held": "holds it", "free": "gave it back"}.get(field.value or "", "wrote this")
    chip = f'<b style="background:{color};color:#000;border-radius:4px;padding:0 6px">{escape(field.writer)}</b>'
    reader = f", {escape(field.reader)} read it" if field.reader and field.reader != field.writer else ""
    return f"{chip} {verb}{reader}"

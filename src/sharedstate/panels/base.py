"""What panels have in common: controls above, and below them a view as a picture and as text."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import ipywidgets as widgets

from sharedstate.figures.embedded import picture_html
from sharedstate.panels.alive import alive


@dataclass(frozen=True)
class Picture:
    """What a panel shows of a view: its message, the same in words, and the image as a PNG file (b"" for none).

    line: the words under the image, `text` unless given; facts: {name: value}, kept as data-name of the image.
    """

    title: str
    text: str
    image: bytes
    line: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)


class PicturePanel(widgets.VBox):
    """A subclass makes the controls, calls `arrange`, and says in `picture` what they choose.

    caption stands under the image; look is the image's style; beside says whether a page without a kernel gets the
    image too (its text it gets always); spoken, whether a screen reader is told of each new line.
    """

    caption = ""
    look = "max-width:600px;width:100%"
    beside = True
    spoken = True

    def picture(self) -> Picture:
        """Return what the controls choose."""
        raise TypeError("a panel says what it shows")

    def arrange(
        self, name: str, controls: Mapping[str, widgets.Widget], more: Mapping[str, widgets.Widget] | None = None
    ) -> None:
        """Put the controls above and the view below; `name` and each key become a CSS class, as in ss-slot-panel.

        more: widgets of another kind, after the view. Every part is an attribute of its own in the subclass.
        """
        self.figure, self.line = widgets.HTML(), widgets.HTML()
        shown = {"figure": self.figure, "line": self.line}
        super().__init__([*controls.values(), *shown.values(), *(more or {}).values()])
        alive(self)
        self.add_class(f"ss-{name}-panel")
        for key, widget in {**controls, **shown, **(more or {})}.items():
            widget.add_class(f"ss-{key.replace('_', '-')}")

    def watch(self, controls: Iterable[widgets.Widget]) -> None:
        """Show the view anew whenever one of these changes."""
        for control in controls:
            control.observe(self.show, names="value")

    def show(self, change: object = None) -> None:
        """Show what the controls choose now."""
        self.shown = self.picture()
        self.figure.value = image_html(self.shown, self.caption, self.look)
        words = html.escape(self.shown.line or self.shown.text)
        tag, role = "pre" if "\n" in words else "span", ' role="status"' * self.spoken
        self.line.value = f"<{tag}{role}>{words}</{tag}>"

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the picture and its words beside the widget, for a page without a kernel."""
        bundle = {**super()._repr_mimebundle_(**kwargs), "text/plain": self.shown.text}
        if self.beside and self.shown.image:
            bundle["text/html"] = image_html(self.shown, self.caption, self.look)
        return bundle


def image_html(picture: Picture, caption: str, look: str) -> str:
    """Return the image with its title as its alternative text, and the caption under it."""
    below = f"<br><em>{html.escape(caption)}</em>"
    if not picture.image:
        return below
    return picture_html(picture.image, picture.title, look, picture.facts) + below


def require_offered(name: str, value: object, options: Sequence[object]) -> None:
    """Raise ValueError for a value that a control does not offer: True is no 1, 8.0 no 8."""
    if not any(type(value) is type(option) and value == option for option in options):
        raise ValueError(f"{name} is {value!r}: use one of {', '.join(map(repr, options))}.")


def chosen(kind: type, settings: Mapping[str, Any]) -> Any:
    """Return a choice (a dataclass) with these settings. Raises ValueError for a name that it does not have."""
    known = [field.name for field in fields(kind)]
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise ValueError(f"The panel has no setting {unknown[0]!r}: use {', '.join(known)}.")
    return kind(**settings)


def button(label: str, tooltip: str, name: str, clicked: Callable[[object], None]) -> widgets.Button:
    """Return a button of the class ss-name that calls `clicked`."""
    made = widgets.Button(description=label, tooltip=tooltip, layout={"width": "max-content"})
    made.add_class(f"ss-{name}")
    made.on_click(clicked)
    return made


def text_place(name: str, value: str = "") -> widgets.HTML:
    """Return a place for HTML of the class ss-name."""
    made = widgets.HTML(value)
    made.add_class(f"ss-{name}")
    return made

"""What panels have in common: CSS classes for tests and style, one line in words, one picture, a still beside both."""

from __future__ import annotations

import base64

import ipywidgets as widgets
import pytest

from sharedstate import panels
from sharedstate.kvcache import SlotCache
from sharedstate.panels.base import Picture, PicturePanel, require_offered


class Square(PicturePanel):
    """Shows a number squared."""

    caption = "What <it> comes to."

    def __init__(self) -> None:
        self.number = widgets.IntSlider(3)
        self.arrange("square", {"the_number": self.number})
        self.watch([self.number])
        self.show()

    def picture(self) -> Picture:
        """The number and its square."""
        n = self.number.value
        return Picture(f"{n} & its square", f"{n}: {n * n}", f"png {n}".encode(), facts={"even": n % 2 == 0})


def test_a_control_that_moves_is_shown_in_picture_words_and_still() -> None:
    panel = Square()
    panel.number.value = 4
    assert 'data-even="true" alt="4 &amp; its square"' in panel.figure.value
    assert "<em>What &lt;it&gt; comes to.</em>" in panel.figure.value
    assert panel.line.value == '<span role="status">4: 16</span>'
    bundle = panel._repr_mimebundle_()
    assert bundle["text/plain"] == "4: 16" and base64.b64encode(b"png 4").decode() in bundle["text/html"]


@pytest.mark.parametrize(
    ("made", "name", "parts"),
    [
        (Square, "square", ["ss-the-number"]),
        (panels.race_panel, "race", ["ss-threads", "ss-gap", "ss-interval", "ss-requests", "ss-status"]),
        (panels.price_panel, "price", ["ss-threads", "ss-work", "ss-fix"]),
        (panels.generator_panel, "generator", ["ss-units", "ss-batch", "ss-grain"]),
        (panels.mask_panel, "mask", ["ss-kind", "ss-q-len", "ss-padding"]),
        (panels.window_panel, "window", ["ss-size", "ss-after-plain", "ss-row"]),
        (panels.context_panel, "context", ["ss-model", "ss-clock", "ss-measured"]),
        (panels.memory_panel, "memory", ["ss-kv-heads", "ss-device-gib"]),
        (lambda: panels.slot_panel({"number": SlotCache}), "slot", ["ss-cache", "ss-arrival"]),
    ],
)
def test_a_panel_and_its_parts_have_their_classes(made: type[PicturePanel], name: str, parts: list[str]) -> None:
    panel = made()
    assert f"ss-{name}-panel" in panel._dom_classes
    found = {css for child in panel.children for css in child._dom_classes}
    assert {"ss-figure", "ss-line", *parts} <= found


def test_a_value_that_is_not_offered_is_refused() -> None:
    require_offered("context", 8, (4, 8))
    for other in (True, 8.0, 5):
        with pytest.raises(ValueError, match="context is"):
            require_offered("context", other, (1, 4, 8))

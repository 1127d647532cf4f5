"""The deck of symptoms: pick a card, answer four questions, say whether it is shared state, and be told."""

from __future__ import annotations

import html
from collections.abc import Sequence

import ipywidgets as widgets

from sharedstate.panels.alive import alive
from sharedstate.panels.base import button, text_place
from sharedstate.watch.triage import DECK, QUESTIONS, Card, judge, suspected

VERDICTS = ("shared state", "something else")


class TriagePanel(widgets.VBox):
    """A card at a time. Every control is reached with the Tab key; Space ticks a box, Enter presses a button."""

    def __init__(self, deck: Sequence[Card] = DECK) -> None:
        self.deck, self.at, self.right = tuple(deck), 0, dict[str, bool]()
        self.symptom, self.said = text_place("symptom"), text_place("said")
        wide = {"width": "max-content"}
        self.boxes = [widgets.Checkbox(description=question, indent=False, layout=wide) for question in QUESTIONS]
        self.verdict = widgets.RadioButtons(options=VERDICTS, value=None, layout=wide)
        self.check = button("Check", "Compare with the deck", "check", self.checked)
        self.onward = button("Next card", "Show another symptom", "onward", self.turned)
        super().__init__([self.symptom, *self.boxes, self.verdict, widgets.HBox([self.check, self.onward]), self.said])
        alive(self)
        self.add_class("ss-triage-panel")
        self.show()

    @property
    def card(self) -> Card:
        """The card that is shown."""
        return self.deck[self.at]

    def show(self) -> None:
        """Show the card, with nothing chosen."""
        self.symptom.value = f"<b>{self.at + 1} of {len(self.deck)}</b> {html.escape(self.card.symptom)}"
        for box in self.boxes:
            box.value = False
        self.verdict.value, self.said.value = None, ""

    def checked(self, _: object) -> None:
        """Say what the deck says of these answers."""
        if self.verdict.value is None:
            text = "Say first: shared state, or something else?"
        else:
            answers = [bool(box.value) for box in self.boxes]
            family = self.verdict.value == VERDICTS[0]
            self.right[self.card.name] = family == self.card.family
            text = judge(self.card, answers, family)
            text += f" So far: {sum(self.right.values())} of {len(self.right)} right."
        self.said.value = f'<span role="status">{html.escape(text)}</span>'

    def turned(self, _: object) -> None:
        """Go to the next card, after the last one to the first."""
        self.at = (self.at + 1) % len(self.deck)
        self.show()

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the deck beside the widget, with what the four questions suggest, for a page without a kernel."""
        lines = [f"{card.symptom} (four answers: {'suspect' if suspected(card.answers) else 'no suspect'})"
                 for card in self.deck]  # fmt: skip
        listed = "".join(f"<li>{html.escape(card.symptom)}</li>" for card in self.deck)
        both = {"text/plain": "\n".join(lines), "text/html": f"<ol>{listed}</ol>"}
        return {**super()._repr_mimebundle_(**kwargs), **both}


def triage_panel() -> TriagePanel:
    """Return the deck of symptoms as a panel."""
    return TriagePanel()

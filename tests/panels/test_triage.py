"""The deck as a panel: nothing is said before a verdict, a card is judged, and the deck goes round."""

from __future__ import annotations

from sharedstate.panels.triage import VERDICTS, triage_panel
from sharedstate.watch.triage import DECK


def test_a_card_is_judged_and_counted() -> None:
    panel = triage_panel()
    panel.check.click()
    assert "Say first" in panel.said.value and not panel.right
    for box, yes in zip(panel.boxes, panel.card.answers, strict=True):
        box.value = yes
    panel.verdict.value = VERDICTS[0]
    panel.check.click()
    assert "as in the deck" in panel.said.value and "1 of 1 right" in panel.said.value
    panel.verdict.value = VERDICTS[1]
    panel.check.click()
    assert "0 of 1 right" in panel.said.value
    assert 'role="status"' in panel.said.value


def test_the_next_card_is_fresh_and_after_the_last_comes_the_first() -> None:
    panel = triage_panel()
    panel.boxes[0].value, panel.verdict.value = True, VERDICTS[0]
    seen = []
    for _ in DECK:
        seen.append(panel.card.name)
        panel.onward.click()
        assert not any(box.value for box in panel.boxes) and panel.verdict.value is None and panel.said.value == ""
    assert seen == [card.name for card in DECK] and panel.at == 0


def test_every_control_is_a_plain_one_and_a_page_without_a_kernel_has_the_deck() -> None:
    panel = triage_panel()
    assert all(box.description for box in panel.boxes)
    bundle = panel._repr_mimebundle_()
    assert all(card.symptom in bundle["text/plain"] for card in DECK)

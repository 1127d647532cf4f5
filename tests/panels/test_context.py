"""The context panel: counts are the cost model's, the controls change them, the clock refuses what takes long."""

from __future__ import annotations

import pytest

from sharedstate.kvcache.costs import step_cost
from sharedstate.panels.context import (
    CONTEXTS,
    MODELS,
    ContextChoice,
    ContextPanel,
    clock_text,
    clocked,
    context_panel,
    context_png,
    context_view,
)

LARGEST = list(MODELS)[-1]


@pytest.mark.parametrize("model", MODELS)
def test_the_view_is_the_cost_model(model: str) -> None:
    view = context_view(ContextChoice(model, 1024))
    assert tuple(view.costs) == CONTEXTS
    assert view.costs[1024] == (step_cost(MODELS[model], 1024), step_cost(MODELS[model], 1024, cached=False))
    assert view.ratio == 1024 and "1,024 times the work" in view.title and model in view.text


@pytest.mark.parametrize(
    "wrong", [{"model": "none"}, {"context": 100}, {"context": 0}, {"context": 2048.0}, {"model": None}])
def test_a_setting_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="use one of"):
        ContextChoice(**wrong)
    with pytest.raises(ValueError, match="use one of"):
        context_panel(**wrong)


def test_the_controls_change_the_view() -> None:
    panel = context_panel(context=128)
    assert "128 times" in panel.figure.value and panel.view.choice.context == 128
    panel.context.value = 65536
    assert "65,536 times" in panel.figure.value and "attention 97 %" in panel.line.value
    panel.model.value = LARGEST
    assert panel.view.choice == panel.choice() == ContextChoice(LARGEST, 65536)
    assert not panel.context.continuous_update


def test_the_clock_measures_both_ways_where_that_is_quick() -> None:
    timed = clocked(ContextChoice(context=16))
    assert [t.cached for t in timed] == [True, False] and all(t.context == 16 and t.seconds > 0 for t in timed)
    assert "without the cache" in clock_text(timed)
    only = clocked(ContextChoice(context=4096))
    assert [t.cached for t in only] == [True] and "not timed beyond 2,048" in clock_text(only)


def test_the_first_press_compares_both_ways() -> None:
    panel = context_panel()
    panel.clock.click()
    assert "without the cache" in panel.measured.value and "times as long" in panel.measured.value


def test_the_button_measures_or_says_why_not_and_a_new_choice_forgets_it() -> None:
    panel = context_panel(context=16)
    panel.clock.click()
    assert "Measured here" in panel.measured.value and not panel.clock.disabled
    panel.model.value = LARGEST
    assert panel.measured.value == ""
    panel.clock.click()
    assert "would keep you waiting" in panel.measured.value and not panel.clock.disabled


def test_a_page_without_a_kernel_shows_picture_and_counts() -> None:
    bundle = ContextPanel(ContextChoice())._repr_mimebundle_()
    assert "million operations" in bundle["text/plain"] and bundle["text/html"]
    assert context_png(context_view(ContextChoice())).startswith(b"\x89PNG")

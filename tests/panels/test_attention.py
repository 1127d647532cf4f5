"""The mask panel: what each choice of the controls shows, measured, against what it must show."""

from __future__ import annotations

import pytest

from sharedstate.kvcache.costs import step_cost
from sharedstate.panels import mask_panel
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
from sharedstate.panels.masks import JOINS, KINDS, SIDES, MaskChoice, mask_matrix
from sharedstate.panels.windows import SIDE, SIZES, WindowChoice, WindowPanel, window_panel, window_png, window_view


def letters(choice: MaskChoice) -> list[str]:
    """The measured matrix, a letter a cell."""
    words = {"allowed": "A", "isolated": "I", "leak": "L", "lost": "X"}
    return ["".join(words[state] for state in row) for row in mask_matrix(choice).states]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("q_len", "kv_len"), [(1, 1), (1, 6), (3, 8), (8, 8)])
def test_the_bottom_right_mask_is_clean_on_every_shape(q_len: int, kv_len: int, side: str) -> None:
    assert mask_matrix(MaskChoice(q_len=q_len, kv_len=kv_len, padding=side)).clean


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        (MaskChoice("top left", q_len=2, kv_len=4), ["AXXI", "AAXX"]),
        (MaskChoice("none", q_len=2, kv_len=3), ["AAL", "AAA"]),
        (MaskChoice("bottom right", 1, 3, 3), ["ALI", "AAL", "AAA"]),
        (MaskChoice("window of 3", q_len=2, kv_len=5), ["IAAAI", "IIAAA"]),
        (MaskChoice("bottom right", q_len=4, kv_len=4, padding="left", join="replaces"),
         ["XILL", "IXLL", "IIAL", "IIAA"]),      # and padding does not even see itself
        (MaskChoice("bottom right", q_len=3, kv_len=3, padding="right", join="forgotten"), ["AII", "ALI", "ALL"]),
    ],
)  # fmt: skip
def test_a_wrong_mask_shows_its_cells(choice: MaskChoice, shown: list[str]) -> None:
    assert letters(choice) == shown


def test_an_empty_row_is_neither_clean_nor_silent() -> None:
    found = mask_matrix(MaskChoice(q_len=6, padding="left", join="and"))
    assert ("0", "5") in found.leaks and ("0", "0") in found.lost
    assert mask_matrix(MaskChoice(q_len=6, padding="left")).clean


def test_top_left_is_right_on_a_square() -> None:
    assert mask_matrix(MaskChoice("top left", q_len=5, kv_len=5)).clean


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("join", JOINS)
def test_every_choice_can_be_drawn(kind: str, join: str) -> None:
    for side in SIDES:
        found = mask_matrix(MaskChoice(kind, 0, 2, 3, side, join))
        assert (len(found.rows), len(found.columns)) == (2, 3)


def test_the_picture_follows_the_controls() -> None:
    panel = mask_panel()
    assert 'data-clean="true"' in panel.figure.value
    panel.kind.value = "top left"
    assert 'data-clean="false"' in panel.figure.value and "never reaches" in panel.line.value
    panel.q_len.value = panel.kv_len.value
    assert 'data-clean="true"' in panel.figure.value


def test_the_panel_reads_well_without_a_kernel() -> None:
    bundle = mask_panel("none")._repr_mimebundle_()
    assert "reaches output" in bundle["text/plain"] and len(bundle["text/html"]) > 1000
    assert "application/vnd.jupyter.widget-view+json" in bundle


@pytest.mark.parametrize("given", [{"kind": "diagonal"}, {"offset": 3}, {"q_len": 0}, {"kv_len": 9}])
def test_what_the_controls_do_not_offer_is_refused(given: dict) -> None:
    with pytest.raises(ValueError, match=r"use one of|between"):
        mask_panel(**given)


# -- The window panel: the view is exact for every setting, and the controls follow each other.


def regions(size: int, shift: int) -> list[int]:
    """The lengths of the rooms of one axis, walls moved by `shift`."""
    inner = [size] * ((SIDE - shift) // size)
    return [length for length in (shift, *inner, SIDE - shift - sum(inner)) if length]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 1, 2])
def test_the_counts_are_those_of_the_floor_plan(size: int, share: int) -> None:
    shift = share * size // 4
    pairs = sum(n * n for n in regions(size, shift)) ** 2
    masked = window_view(WindowChoice(size, shift, masked=True))
    assert (masked.pairs, masked.leaks) == (pairs, 0)
    wide = window_view(WindowChoice(size, shift, masked=False))
    assert (wide.pairs, wide.leaks) == (SIDE**2 * size**2, SIDE**2 * size**2 - pairs)


def test_the_lessons_settings() -> None:
    assert window_view(WindowChoice(4, 2, masked=False)).leaks == 448
    both = window_view(WindowChoice(4, 2, masked=True, after_plain=True, pixel=(3, 3)))
    assert (both.pairs, both.leaks) == (2304, 0)
    assert all(state == "allowed" for row in both.grid for state in row)
    assert "64 of 64" in both.text


@pytest.mark.parametrize(
    "wrong", [{"size": 3}, {"shift": 4}, {"shift": -1}, {"pixel": (0, 8)}, {"size": 2, "shift": 2}]
)
def test_a_setting_that_cannot_be_is_refused_of_windows(wrong: dict) -> None:
    with pytest.raises(ValueError, match=r"choose one|must lie"):
        WindowChoice(**wrong)


def test_the_controls_change_the_view_of_windows() -> None:
    panel = window_panel()
    assert panel.view.leaks == 448 and "448" in panel.line.value and "448 pairs leak" in panel.figure.value
    panel.masked.value = True
    assert panel.view.leaks == 0 and "No leak" in panel.figure.value
    panel.row.value, panel.column.value = 3, 4
    assert panel.view.choice.pixel == (3, 4)


def test_a_smaller_window_takes_the_shift_along() -> None:
    panel = window_panel(size=8, shift=7)
    panel.size.value = 4
    assert (panel.shift.max, panel.shift.value) == (3, 3)
    assert panel.view.choice == panel.choice() == WindowChoice(4, 3, False, False, (0, 0))
    panel.size.value = 8
    assert panel.view.choice == panel.choice() == WindowChoice(8, 3, False, False, (0, 0))


def test_sliders_do_not_fire_while_they_move() -> None:
    panel = window_panel()
    assert not any(slider.continuous_update for slider in (panel.size, panel.shift, panel.row, panel.column))


def test_a_page_without_a_kernel_shows_picture_and_counts_of_windows() -> None:
    panel = WindowPanel(WindowChoice(4, 2, False))
    bundle = panel._repr_mimebundle_()
    assert "448 of them leak" in bundle["text/plain"] and bundle["text/html"]
    assert window_png(panel.view).startswith(b"\x89PNG")


# -- The context panel: counts are the cost model's, the controls change them, the clock refuses what takes long.


LARGEST = list(MODELS)[-1]


@pytest.mark.parametrize("model", MODELS)
def test_the_view_is_the_cost_model(model: str) -> None:
    view = context_view(ContextChoice(model, 1024))
    assert tuple(view.costs) == CONTEXTS
    assert view.costs[1024] == (step_cost(MODELS[model], 1024), step_cost(MODELS[model], 1024, cached=False))
    assert view.ratio == 1024 and "1,024 times the work" in view.title and model in view.text


@pytest.mark.parametrize(
    "wrong", [{"model": "none"}, {"context": 100}, {"context": 0}, {"context": 2048.0}, {"model": None}])
def test_a_setting_that_cannot_be_is_refused_of_context(wrong: dict) -> None:
    with pytest.raises(ValueError, match="use one of"):
        ContextChoice(**wrong)
    with pytest.raises(ValueError, match="use one of"):
        context_panel(**wrong)


def test_the_controls_change_the_view_of_context() -> None:
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


def test_a_page_without_a_kernel_shows_picture_and_counts_of_context() -> None:
    bundle = ContextPanel(ContextChoice())._repr_mimebundle_()
    assert "million operations" in bundle["text/plain"] and bundle["text/html"]
    assert context_png(context_view(ContextChoice())).startswith(b"\x89PNG")

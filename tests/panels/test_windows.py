"""The window panel: the view is exact for every setting, and the controls follow each other."""

from __future__ import annotations

import pytest

from sharedstate.panels.windows import SIDE, SIZES, WindowChoice, WindowPanel, window_panel, window_png, window_view


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
def test_a_setting_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match=r"choose one|must lie"):
        WindowChoice(**wrong)


def test_the_controls_change_the_view() -> None:
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


def test_a_page_without_a_kernel_shows_picture_and_counts() -> None:
    panel = WindowPanel(WindowChoice(4, 2, False))
    bundle = panel._repr_mimebundle_()
    assert "448 of them leak" in bundle["text/plain"] and bundle["text/html"]
    assert window_png(panel.view).startswith(b"\x89PNG")

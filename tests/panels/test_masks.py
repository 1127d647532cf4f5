"""The mask panel: what each choice of the controls shows, measured, against what it must show."""

from __future__ import annotations

import pytest

from sharedstate.panels import mask_panel
from sharedstate.panels.masks import JOINS, KINDS, SIDES, MaskChoice, mask_matrix


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

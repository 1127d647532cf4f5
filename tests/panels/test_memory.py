"""The planner panel: every setting is planned, refused settings say what would fit."""

from __future__ import annotations

import pytest

from sharedstate.kvcache import cache_bytes, plan, weight_bytes
from sharedstate.panels.memory import (
    DEVICES,
    KV_HEADS,
    MODELS,
    SMALL,
    MemoryChoice,
    MemoryPanel,
    memory_panel,
    memory_png,
    memory_text,
    memory_title,
    memory_view,
)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kv_heads", KV_HEADS)
def test_the_view_is_the_plan_of_the_packages_planner(model: str, kv_heads: int) -> None:
    choice = MemoryChoice(model, kv_heads, "bfloat16", 2048, 16, 24, 0.2)
    config = choice.config
    assert config.num_kv_heads == min(kv_heads, MODELS[model].num_heads)
    weights = weight_bytes(config, "bfloat16")
    assert memory_view(choice) == plan(config, "bfloat16", 2048, 16, 24, weights, 0.2)
    assert memory_view(choice).cache == cache_bytes(config, "bfloat16", 2048 * 16)


def test_titles_say_what_fits() -> None:
    assert memory_title(memory_view(MemoryChoice())) == "8 slots of 4,096 tokens do not fit; 2 would"
    too_small = memory_view(MemoryChoice(batch=1, device_gib=8))
    assert memory_title(too_small) == "1 slot of 4,096 tokens does not fit; 0 would"
    assert "1 slot of 128 tokens fits: " in memory_title(memory_view(MemoryChoice(length=128, batch=1)))


@pytest.mark.parametrize("wrong", [{"model": "?"}, {"kv_heads": 3}, {"dtype": "text"}, {"length": 5}, {"batch": 3},
                                   {"device_gib": 1}, {"batch": True}, {"kv_heads": 8.0}, {"length": None}])
def test_a_setting_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="use one of"):
        MemoryChoice(**wrong)
    with pytest.raises(ValueError, match="use one of"):
        memory_panel(**wrong)


@pytest.mark.parametrize("share", [1.0, -0.1, 0.6, float("nan"), float("inf"), "a quarter", None, True, []])
def test_a_headroom_that_the_form_does_not_have_is_refused_not_cut_down(share: object) -> None:
    with pytest.raises(ValueError, match=r"headroom is .* from 0 to"):
        memory_panel(headroom=share)


def test_an_unknown_setting_is_told_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no setting 'tokens': use model, kv_heads, dtype, length, batch, device_gib"):
        memory_panel(tokens=5)


def test_the_form_changes_the_plan() -> None:
    panel = memory_panel()
    assert not panel.plan.fits and 'data-fits="false"' in panel.figure.value
    panel.fields["kv_heads"].value = 8
    panel.fields["device_gib"].value = 48
    assert panel.plan.fits and 'data-fits="true"' in panel.figure.value and "8 KV heads" in panel.line.value
    panel.fields["model"].value = SMALL
    assert panel.choice().config.num_kv_heads == 8
    panel.fields["headroom"].value = 0.0
    assert panel.plan.headroom == 0
    assert not any(panel.fields[name].continuous_update for name in ("length", "batch", "device_gib", "headroom"))


def test_every_device_of_the_form_can_be_drawn() -> None:
    for device in DEVICES:
        assert memory_png(MemoryChoice(device_gib=device)).startswith(b"\x89PNG")


def test_a_page_without_a_kernel_shows_picture_and_plan() -> None:
    choice = MemoryChoice()
    bundle = MemoryPanel(choice)._repr_mimebundle_()
    assert bundle["text/plain"] == memory_text(choice) and "What would: 2 slots" in bundle["text/plain"]
    assert bundle["text/html"]

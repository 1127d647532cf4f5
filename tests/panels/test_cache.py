"""The planner panel: every setting is planned, refused settings say what would fit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from sharedstate.kvcache import OwnerTags, PackedCache, SlotCache, cache_bytes, plan, weight_bytes
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
from sharedstate.panels.slots import LETTERS, BatchChoice, SlotPanel, batch_png, run_batch, slot_panel


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


# -- The slot panel: who is hurt for every setting, and controls that follow each other.


class Stale(PackedCache):
    """The lesson's bug: nobody tells the requests where their rows are now."""

    def renumber(self, row: int) -> None:
        """Forget it."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Small products are slower on two threads, and far slower on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


CACHES = {"offsets, not updated": Stale, "offsets, updated": PackedCache, "a map": SlotCache}
SETTINGS = [BatchChoice(batch, ends, step, new) for batch in (1, 2, 3, 5) for ends in (0, batch - 1) for step in (1, 6)
            for new in (False, True)]  # fmt: skip


@pytest.mark.parametrize("choice", SETTINGS, ids=str)
@pytest.mark.parametrize("cache", [PackedCache, SlotCache])
def test_the_right_caches_hurt_nobody(cache: type, choice: BatchChoice) -> None:
    run = run_batch(choice, cache)
    assert run.hurt == () and run.tag == "" and "nobody is hurt" in run.title


@pytest.mark.parametrize("batch", range(1, 6))
@pytest.mark.parametrize("ends", range(5))
def test_stale_offsets_hurt_those_behind_but_the_last(batch: int, ends: int) -> None:
    if ends >= batch:
        with pytest.raises(ValueError, match="one of the"):
            BatchChoice(batch, ends)
        return
    run = run_batch(BatchChoice(batch, ends), Stale)
    assert run.hurt == tuple(LETTERS[ends + 1 : batch - 1])
    assert bool(run.tag) is bool(run.hurt)
    newcomer = run_batch(BatchChoice(batch, ends, arrival=True), Stale)
    assert set(newcomer.hurt) - {"new"} == set(LETTERS[ends + 1 : batch]), "it lands on the last one's old row"


def test_rows_have_a_number_only_where_the_request_runs() -> None:
    run = run_batch(BatchChoice(3, 1, 4, True), SlotCache)
    assert [error is None for error in run.errors["b"]] == [False] * 4 + [True] * 3
    assert [error is None for error in run.errors["new"]] == [True] * 4 + [False] * 3
    assert {len(row) for row in run.errors.values()} == {7}
    before, after = run.pools.values()
    assert list(run.pools) == ["before b ends", "after b has ended"]
    assert not any(row[0].stale for row in before)
    assert [row[0].stale for row in after] == [False, True, False, False]
    assert [place.read for place in after[2]] == [True] * 7 + [False] * 2


def test_the_newcomer_is_hurt_by_a_shorter_one_in_its_row() -> None:
    runs = {batch: run_batch(BatchChoice(batch, arrival=True), Stale) for batch in (3, 4, 5)}
    assert {batch: "new" in run.hurt for batch, run in runs.items()} == {3: False, 4: False, 5: True}
    assert runs[5].errors["a"][2] is None and runs[5].errors["new"][:2] == (None, None), "they share no column"
    assert runs[5].errors["new"][2] < 1e-9 < runs[5].errors["new"][3]


@pytest.mark.parametrize("wrong", [
    {"batch": 0}, {"batch": 6}, {"ends": 3}, {"ends": -1}, {"step": 0}, {"step": 7}, {"batch": "3"}, {"batch": True},
    {"ends": 0.5}, {"ends": "a"}, {"step": 2.5}, {"batch": None}, {"arrival": None}, {"arrival": "yes"},
])  # fmt: skip
def test_a_setting_that_cannot_be_is_refused_of_slots(wrong: dict) -> None:
    with pytest.raises(ValueError, match="must"):
        BatchChoice(**wrong)


def test_the_controls_change_the_run() -> None:
    panel = slot_panel(CACHES)
    assert panel.run.hurt == ("b",) and "reads slot 1" in panel.line.value and 'data-hurt="1"' in panel.figure.value
    panel.arrival.value = True
    assert panel.run.hurt == ("b", "c") and "b and c get wrong" in panel.line.value
    panel.cache.value = "a map"
    assert panel.run.hurt == () and panel.run.choice == panel.choice() == BatchChoice(3, 0, 2, True)
    assert not any(slider.continuous_update for slider in (panel.batch, panel.ends, panel.step))


def test_a_smaller_batch_takes_who_ends_along() -> None:
    panel = slot_panel(CACHES, batch=5, ends=4)
    panel.batch.value = 2
    assert panel.choice() == panel.run.choice == BatchChoice(2, 1)
    panel.batch.value = 4
    assert panel.choice() == panel.run.choice == BatchChoice(4, 1) and panel.ends.options == ("a", "b", "c", "d")
    panel.batch.value = 1
    assert panel.run.choice == BatchChoice(1, 0)


def test_three_names_are_a_list() -> None:
    assert "b, c and d get wrong logits" in run_batch(BatchChoice(5), Stale).title


def test_a_page_without_a_kernel_shows_picture_and_line() -> None:
    panel = SlotPanel(CACHES, BatchChoice())
    bundle = panel._repr_mimebundle_()
    assert "b gets wrong logits" in bundle["text/plain"] and bundle["text/html"]
    assert batch_png(panel.run).startswith(b"\x89PNG")


@pytest.mark.parametrize("caches", [{}, None, SlotCache, [SlotCache], {"x": 3}, {"x": OwnerTags}, {1: SlotCache}])
def test_a_panel_wants_caches_by_name(caches: object) -> None:
    with pytest.raises(ValueError, match="at least one class of cache"):
        slot_panel(caches)


class Breaks(SlotCache):
    """A cache of a learner's own, with a slip."""

    def release(self, slot: int) -> None:
        """Slip."""
        raise RuntimeError("no <such> row")


def test_a_cache_that_raises_is_told_in_the_panel_and_the_next_choice_works() -> None:
    with pytest.raises(RuntimeError, match="no <such> row"):
        slot_panel({"mine": Breaks})
    panel = slot_panel({"a map": SlotCache, "mine": Breaks})
    picture = panel.figure.value
    panel.cache.value = "mine"
    panel.batch.value = 2
    assert "mine raised RuntimeError: no &lt;such&gt; row" in panel.line.value and not panel.figure.value
    panel.batch.value, panel.cache.value = 3, "a map"
    assert panel.figure.value == picture and panel.run.text in panel.line.value.replace("&#x27;", "'")

"""The slot panel: who is hurt for every setting, and controls that follow each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from sharedstate.kvcache import OwnerTags, PackedCache, SlotCache
from sharedstate.panels.slots import LETTERS, BatchChoice, SlotPanel, batch_png, run_batch, slot_panel


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
def test_a_setting_that_cannot_be_is_refused(wrong: dict) -> None:
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

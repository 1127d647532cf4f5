"""The generator panel: controls, run and stop, what it shows."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from sharedstate.panels.generators import GeneratorPanel, generator_panel
from sharedstate.panels.measuring import EMPTY
from sharedstate.passcodes.units import GRAINS, UnitsConfig, UnitsResult, measure_units


@pytest.fixture
def panel() -> GeneratorPanel:
    """A panel with a small batch."""
    return generator_panel(batch=160)


def test_the_controls_make_the_configurations(panel: GeneratorPanel) -> None:
    assert [config.grain for config in panel.configs()] == list(GRAINS)
    panel.units.value, panel.threads.value, panel.grain.value, panel.barrier.value = 8, 2, "own", False
    assert panel.configs() == [UnitsConfig(8, 2, 160, "random, 1 draw", "own", False)]


def test_it_runs_in_a_child_and_shows_what_came(panel: GeneratorPanel) -> None:
    panel.grain.value = "own"
    panel.run()
    assert panel.run_button.disabled and not panel.stop_button.disabled
    deadline = time.monotonic() + 60
    while panel.pump() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert "16 of 16 units" in panel.text() and "<img" in panel.figure.value
    assert "16 of 16 units" in panel._repr_mimebundle_()["text/plain"]
    assert not panel.run_button.disabled


def test_stop_ends_the_child_at_once(panel: GeneratorPanel) -> None:
    panel.batch.value = 100_000
    panel.run()
    panel.run()
    assert "already" in panel.status.value
    panel.stop()
    assert panel.stop_button.disabled and "Stopped" in panel.status.value
    assert not panel.pump()


def test_inside_a_notebook_the_event_loop_follows_the_run_from_any_thread() -> None:
    async def clicked() -> GeneratorPanel:
        panel = generator_panel(batch=160)
        panel.grain.value = "own"
        await asyncio.to_thread(panel.run)
        for _ in range(600):
            await asyncio.sleep(0.05)
            if panel._results and not panel.run_button.disabled:
                break
        return panel

    assert "16 of 16 units" in asyncio.run(clicked()).text()


def test_before_the_first_run_it_says_what_to_do(panel: GeneratorPanel) -> None:
    assert panel.text() == EMPTY and "<img" not in panel.figure.value


def test_results_may_be_given() -> None:
    shown = generator_panel([measure_units(UnitsConfig(2, 2, 16, grain="own"))])
    assert "2 of 2 units" in shown.text() and "<img" in shown.figure.value


@pytest.mark.parametrize("grains", [("own",), ("none", "own")])
def test_the_controls_start_at_what_is_shown(grains: tuple[str, ...]) -> None:
    config = UnitsConfig(3, 1, 320, "random, 16 draws", grains[0], False)
    panel = generator_panel([UnitsResult(replace(config, grain=grain), 0, 3, True, 0.1) for grain in grains])
    first = panel.configs()[0]
    assert replace(first, grain=grains[0]) == config
    assert panel.grain.value == (grains[0] if len(grains) == 1 else "all four")
    assert "16 draws" in panel.text() and ", 1 thread," in panel.text()


def test_a_batch_that_is_not_on_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of"):
        generator_panel(batch=7)

"""The price panel: controls become configurations, a child measures, Stop keeps what is there."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from sharedstate.panels.generators import GeneratorPanel, generator_panel
from sharedstate.panels.measuring import EMPTY
from sharedstate.panels.prices import EVERY, PricePanel
from sharedstate.panels.sweep import SweepFollower
from sharedstate.passcodes import PriceConfig, PriceResult
from sharedstate.passcodes.checkers import FIXED
from sharedstate.passcodes.units import GRAINS, UnitsConfig, UnitsResult, measure_units


class FakeProcess:
    """A child that has measured what it was asked for, one point at each look."""

    def __init__(self, configs: list) -> None:
        self.configs, self.running = list(configs), True

    def events(self) -> list[dict]:
        if self.configs:
            return [{"result": PriceResult(self.configs.pop(0), (1.0, 2.0, 3.0), 100.0)}]
        self.running = False
        return [{"done": 1}]

    def kill(self) -> None:
        self.running = False


@pytest.fixture
def panel() -> PricePanel:
    return PricePanel([], SweepFollower(FakeProcess))


def test_it_says_what_to_do_before_anything_is_measured(panel: PricePanel) -> None:
    assert panel.text() == EMPTY and EMPTY in panel.line.value
    assert panel._repr_mimebundle_()["text/plain"] == EMPTY


def test_the_controls_describe_what_is_measured(panel: PricePanel) -> None:
    panel.threads.value, panel.work.value = 16, "sha256"
    assert panel.configs() == [PriceConfig(16, "sha256", fix) for fix in FIXED]
    panel.fix.value = "lock"
    assert panel.configs() == [PriceConfig(16, "sha256", "lock")]
    assert panel.fix.options[0] == EVERY


def test_it_shows_every_point_and_ends(panel: PricePanel) -> None:
    panel.run()
    assert panel.run_button.disabled and not panel.stop_button.disabled
    looks = 0
    while panel.pump():
        looks += 1
    assert looks == len(FIXED)
    assert panel.text().count("\n") == len(FIXED) - 1 and "2.00 x" in panel.text()
    assert "data:image/png" in panel.figure.value and not panel.run_button.disabled


def test_a_second_run_changes_nothing_and_stop_keeps_the_points(panel: PricePanel) -> None:
    panel.run()
    panel.pump()
    panel.run()
    assert "running already" in panel.status.value
    panel.stop()
    assert "Stopped after 1 of 4" in panel.status.value and panel.stop_button.disabled
    assert panel.text().count("\n") == 0 and panel.text() != EMPTY


# -- The generator panel: controls, run and stop, what it shows.


@pytest.fixture
def generators() -> GeneratorPanel:
    """A panel with a small batch."""
    return generator_panel(batch=160)


def test_the_controls_make_the_configurations(generators: GeneratorPanel) -> None:
    assert [config.grain for config in generators.configs()] == list(GRAINS)
    generators.units.value, generators.threads.value = 8, 2
    generators.grain.value, generators.barrier.value = "own", False
    assert generators.configs() == [UnitsConfig(8, 2, 160, "random, 1 draw", "own", False)]


def test_it_runs_in_a_child_and_shows_what_came(generators: GeneratorPanel) -> None:
    generators.grain.value = "own"
    generators.run()
    assert generators.run_button.disabled and not generators.stop_button.disabled
    deadline = time.monotonic() + 60
    while generators.pump() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert "16 of 16 units" in generators.text() and "<img" in generators.figure.value
    assert "16 of 16 units" in generators._repr_mimebundle_()["text/plain"]
    assert not generators.run_button.disabled


def test_stop_ends_the_child_at_once(generators: GeneratorPanel) -> None:
    generators.batch.value = 100_000
    generators.run()
    generators.run()
    assert "already" in generators.status.value
    generators.stop()
    assert generators.stop_button.disabled and "Stopped" in generators.status.value
    assert not generators.pump()


def test_inside_a_notebook_the_event_loop_follows_the_run_from_any_thread() -> None:
    async def clicked() -> GeneratorPanel:
        generators = generator_panel(batch=160)
        generators.grain.value = "own"
        await asyncio.to_thread(generators.run)
        for _ in range(600):
            await asyncio.sleep(0.05)
            if generators._results and not generators.run_button.disabled:
                break
        return generators

    assert "16 of 16 units" in asyncio.run(clicked()).text()


def test_before_the_first_run_it_says_what_to_do(generators: GeneratorPanel) -> None:
    assert generators.text() == EMPTY and "<img" not in generators.figure.value


def test_results_may_be_given() -> None:
    shown = generator_panel([measure_units(UnitsConfig(2, 2, 16, grain="own"))])
    assert "2 of 2 units" in shown.text() and "<img" in shown.figure.value


@pytest.mark.parametrize("grains", [("own",), ("none", "own")])
def test_the_controls_start_at_what_is_shown(grains: tuple[str, ...]) -> None:
    config = UnitsConfig(3, 1, 320, "random, 16 draws", grains[0], False)
    generators = generator_panel([UnitsResult(replace(config, grain=grain), 0, 3, True, 0.1) for grain in grains])
    first = generators.configs()[0]
    assert replace(first, grain=grains[0]) == config
    assert generators.grain.value == (grains[0] if len(grains) == 1 else "all four")
    assert "16 draws" in generators.text() and ", 1 thread," in generators.text()


def test_a_batch_that_is_not_on_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of"):
        generator_panel(batch=7)

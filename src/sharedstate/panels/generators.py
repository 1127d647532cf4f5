"""The generator panel: units, threads, batch, generator, grain of the lock; what comes out on this machine."""

from __future__ import annotations

import ipywidgets as widgets

from sharedstate import figures
from sharedstate.panels.measuring import MeasuringPanel
from sharedstate.panels.sweep import SweepFollower
from sharedstate.passcodes.units import GENERATORS, GRAINS, WORDS, UnitsConfig, UnitsResult
from sharedstate.passcodes.units_worker import UnitsProcess

BATCHES = (160, 1600, 8000, 16_000, 100_000)
EVERY = "all four"


class GeneratorPanel(MeasuringPanel):
    """Units, threads, batch, generator and grain; the units draw in a child process."""

    caption = "How many units got their serial passcodes, how many passcodes are copies, and the time."

    def __init__(self, config: UnitsConfig, results: list[UnitsResult], follower: SweepFollower) -> None:
        self._make_controls(config)
        shown = {result.config.grain for result in results}
        self.grain.value = shown.pop() if len(shown) == 1 else EVERY
        names = ("units", "threads", "batch", "generator", "grain", "barrier")
        super().__init__("generator", follower, {name: getattr(self, name) for name in names}, results)

    def _make_controls(self, config: UnitsConfig) -> None:
        same = {"style": {"description_width": "9em"}}
        self.units = widgets.IntSlider(config.units, 1, 64, description="units", continuous_update=False, **same)
        self.threads = widgets.IntSlider(
            config.threads, 1, 64, description="threads", continuous_update=False, **same)
        batches = [(f"{n:,}", n) for n in sorted({*BATCHES, config.batch})]
        self.batch = widgets.Dropdown(options=batches, value=config.batch, description="batch", **same)
        self.generator = widgets.Dropdown(
            options=list(GENERATORS), value=config.generator, description="generator", **same)
        grains = [(EVERY, EVERY), *((WORDS[grain], grain) for grain in GRAINS)]
        self.grain = widgets.Dropdown(options=grains, value=EVERY, description="state and lock", **same)
        self.barrier = widgets.Checkbox(config.barrier, description="all threads start together")

    def configs(self) -> list[UnitsConfig]:
        """Return what the controls describe, one configuration for each grain."""
        grains = GRAINS if self.grain.value == EVERY else (self.grain.value,)
        named = {name: getattr(self, name).value for name in ("units", "threads", "batch", "generator", "barrier")}
        return [UnitsConfig(grain=grain, **named) for grain in grains]

    def png(self) -> bytes:
        """Return the picture of the results; empty without any."""
        return figures.generator_runs(self._results).png() if self._results else b""


def generator_panel(results: list[UnitsResult] | None = None, batch: int = 16_000) -> GeneratorPanel:
    """Return the generator panel; `results` are shown until something is measured, and the controls start at them.

    batch: where the control starts without results, one of BATCHES.
    """
    if batch not in BATCHES:
        raise ValueError(f"batch={batch!r} is not on the list: choose one of {BATCHES}.")
    config = results[0].config if results else UnitsConfig(batch=batch)
    return GeneratorPanel(config, results or [], SweepFollower(UnitsProcess))

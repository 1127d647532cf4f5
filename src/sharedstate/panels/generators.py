"""The generator panel: units, threads, batch, generator, grain of the lock; what comes out on this machine."""

from __future__ import annotations

import asyncio
import base64
import html
from collections.abc import Callable

import ipywidgets as widgets

from sharedstate.panels.sweep import Busy, SweepFollower
from sharedstate.passcodes.units import GENERATORS, GRAINS, WORDS, UnitsConfig, UnitsResult
from sharedstate.passcodes.units_worker import UnitsProcess

POLL_SECONDS = 0.15
BATCHES = (160, 1600, 8000, 16_000, 100_000)
EVERY = "all four"
CAPTION = "How many units got their serial passcodes, how many passcodes are copies, and the time."
EMPTY = "Press Run to measure on this machine."


class GeneratorPanel(widgets.VBox):
    """Controls, Run and Stop; the units draw in a child process, so Stop works at once."""

    def __init__(self, config: UnitsConfig, results: list[UnitsResult], follower: SweepFollower) -> None:
        self._follower, self._results = follower, list(results)
        self._loop = _running_loop()
        self._make_controls(config)
        self.run_button = widgets.Button(description="Run", button_style="primary", tooltip="Let the units draw")
        self.stop_button = widgets.Button(description="Stop", disabled=True, tooltip="End the run now")
        self.run_button.on_click(lambda _: self.run())
        self.stop_button.on_click(lambda _: self.stop())
        self.progress, self.status = widgets.FloatProgress(max=1.0), widgets.HTML()
        self.figure, self.table = widgets.HTML(), widgets.HTML()
        buttons = widgets.HBox([self.run_button, self.stop_button, self.progress])
        controls = [self.units, self.threads, self.batch, self.generator, self.grain, self.barrier]
        super().__init__([*controls, buttons, self.status, self.figure, self.table])
        self.add_class("ss-generator-panel")
        self._show()

    def _make_controls(self, config: UnitsConfig) -> None:
        same = {"style": {"description_width": "9em"}}
        self.units = widgets.IntSlider(config.units, 1, 64, description="units", continuous_update=False, **same)
        self.threads = widgets.IntSlider(
            config.threads, 1, 64, description="threads", continuous_update=False, **same)
        self.batch = widgets.Dropdown(
            options=[(f"{n:,}", n) for n in BATCHES], value=config.batch, description="batch", **same)
        self.generator = widgets.Dropdown(
            options=list(GENERATORS), value=config.generator, description="generator", **same)
        grains = [(EVERY, EVERY), *((WORDS[grain], grain) for grain in GRAINS)]
        self.grain = widgets.Dropdown(options=grains, value=EVERY, description="state and lock", **same)
        self.barrier = widgets.Checkbox(config.barrier, description="all threads start together")

    def configs(self) -> list[UnitsConfig]:
        """Return what the controls describe, one configuration for each grain."""
        grains = GRAINS if self.grain.value == EVERY else (self.grain.value,)
        named = (self.units, self.threads, self.batch, self.generator)
        return [UnitsConfig(*(each.value for each in named), grain, self.barrier.value) for grain in grains]

    def run(self) -> None:
        """Start drawing; while a child is at it, say so and change nothing."""
        try:
            self._follower.start(self.configs())
        except Busy as refusal:
            text = str(refusal)
            self._in_main_thread(lambda: self._say(text))
            return
        self._in_main_thread(self._show_state)
        if self._loop:
            asyncio.run_coroutine_threadsafe(self._watch(), self._loop)

    def stop(self) -> None:
        """Kill the child process now and keep what is there."""
        self._follower.stop()
        self._in_main_thread(self._show_state)

    def _in_main_thread(self, show: Callable[[], None]) -> None:
        """Let the event loop show something: a click may arrive in another thread of the kernel."""
        if self._loop:
            self._loop.call_soon_threadsafe(show)
        else:
            show()

    async def _watch(self) -> None:
        """Follow the child from the event loop until it ends."""
        while self.pump():
            await asyncio.sleep(POLL_SECONDS)

    def pump(self) -> bool:
        """Take in and show what the child has found; return True while it is running."""
        if self._follower.pump() and self._follower.results:
            self._results = list(self._follower.results)
            self._show()
        self._show_state()
        return self._follower.running

    def _show_state(self) -> None:
        running = self._follower.running
        self.run_button.disabled, self.stop_button.disabled = running, not running
        self.progress.value = self._follower.fraction
        self._say(self._follower.status)

    def _say(self, text: str) -> None:
        self.status.value = f'<span role="status">{html.escape(text)}</span>'

    def _show(self) -> None:
        alt, picture = html.escape(CAPTION), ""
        if self._results:
            from sharedstate.figures import generator_runs

            data = base64.b64encode(generator_runs(self._results).png()).decode()
            picture = f'<img alt="{alt}" style="max-width:100%" src="data:image/png;base64,{data}">'
        self.figure.value = f"{picture}<br><em>{alt}</em>"
        self.table.value = f"<pre>{html.escape(self.text())}</pre>"

    def text(self) -> str:
        """Return the numbers as text."""
        return "\n".join(map(str, self._results)) or EMPTY

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the numbers beside the widget, for a page without a kernel."""
        bundle = dict(super()._repr_mimebundle_(**kwargs))
        return {**bundle, "text/plain": self.text()}


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs this very cell; None outside a notebook."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def generator_panel(results: list[UnitsResult] | None = None, batch: int = 16_000) -> GeneratorPanel:
    """Return the generator panel; `results` are shown until something is measured. batch: one of BATCHES."""
    if batch not in BATCHES:
        raise ValueError(f"batch={batch!r} is not on the list: choose one of {BATCHES}.")
    return GeneratorPanel(UnitsConfig(batch=batch), results or [], SweepFollower(UnitsProcess))

"""The price panel: threads, kind of work and fix; what each repair costs on this machine."""

from __future__ import annotations

import asyncio
import base64
import html

import ipywidgets as widgets

from sharedstate.panels.sweep import Busy, SweepFollower
from sharedstate.passcodes.checkers import FIXED
from sharedstate.passcodes.price import GAPS, WORDS, PriceConfig, PriceResult
from sharedstate.passcodes.price_worker import PriceProcess

POLL_SECONDS = 0.15
EVERY = "all four"
CAPTION = "Time of each fix, racy checker = 1; the whiskers reach from the quickest round to the slowest."
EMPTY = "Press Run to measure on this machine."


class PricePanel(widgets.VBox):
    """Sliders, Run and Stop; the measuring runs in a child process, so Stop works at once."""

    def __init__(self, results: list[PriceResult], follower: SweepFollower) -> None:
        self._follower, self._results, self._loop = follower, list(results), _running_loop()
        style = {"description_width": "9em"}
        self.threads = widgets.IntSlider(8, 2, 64, description="threads", continuous_update=False, style=style)
        self.work = widgets.Dropdown(
            options=[(WORDS[w], w) for w in GAPS], value="sleep", description="work", style=style)
        self.fix = widgets.Dropdown(options=[EVERY, *FIXED], description="fix", style=style)
        self.run_button = widgets.Button(description="Run", button_style="primary", tooltip="Measure")
        self.stop_button = widgets.Button(description="Stop", disabled=True, tooltip="End the measuring now")
        self.run_button.on_click(lambda _: self.run())
        self.stop_button.on_click(lambda _: self.stop())
        self.progress, self.status = widgets.FloatProgress(max=1.0), widgets.HTML()
        self.figure, self.table = widgets.HTML(), widgets.HTML()
        buttons = widgets.HBox([self.run_button, self.stop_button, self.progress])
        super().__init__([self.threads, self.work, self.fix, buttons, self.status, self.figure, self.table])
        self.add_class("ss-price-panel")
        self._show()

    def configs(self) -> list[PriceConfig]:
        """Return what the controls describe, one configuration for each fix."""
        fixes = FIXED if self.fix.value == EVERY else (self.fix.value,)
        return [PriceConfig(self.threads.value, self.work.value, fix) for fix in fixes]

    def run(self) -> None:
        """Start measuring; while a child is at it, say so and change nothing."""
        try:
            self._follower.start(self.configs())
        except Busy as refusal:
            self.status.value = html.escape(str(refusal))
            return
        self._show_state()
        if self._loop:          # outside a notebook nobody watches, and pump() is called by hand
            asyncio.run_coroutine_threadsafe(self._watch(), self._loop)

    def stop(self) -> None:
        """Kill the child process now and keep the points that are there."""
        self._follower.stop()
        self._show_state()

    async def _watch(self) -> None:
        """Follow the child from the event loop until it ends."""
        while self.pump():
            await asyncio.sleep(POLL_SECONDS)

    def pump(self) -> bool:
        """Take in and show what the child has measured; return True while it is running."""
        if self._follower.pump() and self._follower.results:
            self._results = list(self._follower.results)
            self._show()
        self._show_state()
        return self._follower.running

    def _show_state(self) -> None:
        running = self._follower.running
        self.run_button.disabled, self.stop_button.disabled = running, not running
        self.progress.value = self._follower.fraction
        self.status.value = f'<span role="status">{html.escape(self._follower.status)}</span>'

    def _png(self) -> str:
        """Return the figure of the results as base64; "" without any."""
        from sharedstate.figures import prices

        return base64.b64encode(prices(self._results, WORDS).png()).decode() if self._results else ""

    def _show(self) -> None:
        picture, alt = self._png(), html.escape(CAPTION)
        source = f'src="data:image/png;base64,{picture}"'
        image = f'<img alt="{alt}" style="max-width:100%" {source}>' if picture else ""
        self.figure.value = f"{image}<br><em>{alt}</em>"
        self.table.value = f"<pre>{html.escape(self.text())}</pre>"

    def text(self) -> str:
        """Return the numbers as text."""
        return "\n".join(map(str, self._results)) or EMPTY

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the numbers beside the widget, for a page without a kernel."""
        bundle = dict(super()._repr_mimebundle_(**kwargs))
        return {**bundle, "text/plain": self.text()}


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs this very cell; None outside a notebook. A click may come from elsewhere."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def price_panel(results: list[PriceResult] | None = None) -> PricePanel:
    """Return the price panel; `results` are shown until something is measured."""
    return PricePanel(results or [], SweepFollower(PriceProcess))

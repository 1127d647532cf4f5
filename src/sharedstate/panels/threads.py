"""The race panel: move the thread count, the gap and the switch interval; see what changes the error rate."""

from __future__ import annotations

import asyncio
import base64
import html
import io
from collections.abc import Callable, Sequence
from dataclasses import replace

import ipywidgets as widgets

from sharedstate.panels.sweep import Busy, SweepFollower, counts_up_to, gaps_up_to
from sharedstate.passcodes.config import RaceConfig, RaceResult, table
from sharedstate.passcodes.recorded import RECORDED_ON, THREAD_SWEEP

GAPS = (0, 20, 100, 250, 500, 1000, 2000, 4000, 10_000, 20_000)
INTERVALS = (0.0001, 0.0005, 0.001, 0.005, 0.02, 0.1)
REQUESTS = (2000, 10_000, 20_000, 50_000, 100_000)
VARY = (("thread count", "threads"), ("gap", "gap"))
POLL_SECONDS = 0.15
NONE_SEEN = "No wrong passcode passed: try more requests"
CAPTION = "False accepts per 100,000 requests. The table adds the false rejects and what the formula expects."


def sweep_png(results: Sequence[RaceResult]) -> bytes:
    """Draw the sweep and return the picture's bytes."""
    from sharedstate.figures import race_sweep

    # Without a single event the figure's own message would claim too much.
    seen = any(r.false_accepts for r in results)
    figure = race_sweep(list(results), popular=seen, title=None if seen else NONE_SEEN)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    return buffer.getvalue()


def _choice(label: str, options: Sequence, value: object, words: str, name: str) -> widgets.SelectionSlider:
    """Return a slider over fixed choices."""
    slider = widgets.SelectionSlider(
        options=[(words.format(1000 * o if isinstance(o, float) else o), o) for o in options],
        value=value, description=label, continuous_update=False, style={"description_width": "9em"},
        layout=widgets.Layout(width="30em"),
    )  # fmt: skip
    slider.add_class(name)
    return slider


class RacePanel(widgets.VBox):
    """Sliders, Run and Stop, a progress bar, a growing figure and its numbers as text.

    The sweep runs in a child process; the figure is drawn in the kernel's main thread. `pump()` takes in what
    the child has measured; inside a notebook the event loop calls it.
    """

    def __init__(self, config: RaceConfig, follower: SweepFollower) -> None:
        self._follower, self._checker = follower, config.checker
        self._loop = _running_loop()
        self._bundle_results, self._bundle_source = list(THREAD_SWEEP), f"Recorded: {RECORDED_ON}."
        self._make_controls(config)
        self._make_views()
        buttons = widgets.HBox([self.run_button, self.stop_button, self.progress])
        vary = widgets.HBox([widgets.Label("vary", layout={"width": "9em"}), self.vary])
        sliders = [self.threads, self.gap, self.interval, self.requests]
        super().__init__([vary, *sliders, buttons, self.status, self.figure, self.table])
        self.add_class("ss-race-panel")
        self._show(self._bundle_results, self._bundle_source)
        self._say("Press Run to measure on this machine.")

    def _make_controls(self, config: RaceConfig) -> None:
        self.vary = widgets.ToggleButtons(options=VARY)
        self.threads = widgets.IntSlider(
            config.threads, 2, 64, description="threads up to", continuous_update=False,
            style={"description_width": "9em"}, layout=widgets.Layout(width="30em"),
        )  # fmt: skip
        self.gap = _choice("gap, loop turns", GAPS, config.spin, "{:,}", "ss-gap")
        interval = config.switch_interval
        self.interval = _choice("switch interval", INTERVALS, interval, "{:g} ms", "ss-interval")
        self.requests = _choice("requests a point", REQUESTS, config.requests, "{:,}", "ss-requests")
        self.run_button = widgets.Button(description="Run", tooltip="Measure the sweep")
        self.stop_button = widgets.Button(description="Stop", disabled=True, tooltip="End the sweep now")
        self.run_button.on_click(lambda _: self.run())
        self.stop_button.on_click(lambda _: self.stop())
        named = {"vary": self.vary, "threads": self.threads, "run": self.run_button, "stop": self.stop_button}
        for name, widget in named.items():
            widget.add_class(f"ss-{name}")
        self.run_button.button_style = "primary"

    def _make_views(self) -> None:
        self.progress = widgets.FloatProgress(max=1.0, layout=widgets.Layout(width="16em"))
        self.status, self.figure, self.table = widgets.HTML(), widgets.HTML(), widgets.HTML()
        for name in ("progress", "status", "figure", "table"):
            getattr(self, name).add_class(f"ss-{name}")

    def configs(self) -> list[RaceConfig]:
        """Return the sweep that the controls describe, one configuration a point."""
        base = RaceConfig(
            self.threads.value, self.requests.value, self.gap.value, self.interval.value, self._checker
        )
        if self.vary.value == "gap":
            return [replace(base, spin=n) for n in gaps_up_to(base.spin)]
        return [replace(base, threads=n) for n in counts_up_to(base.threads)]

    def run(self) -> None:
        """Start the sweep; while one is running say so and change nothing."""
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
        """Kill the child process now and keep the points that are there."""
        self._follower.stop()
        self._in_main_thread(self._show_state)

    def _in_main_thread(self, show: Callable[[], None]) -> None:
        """Let the event loop show something: a click may arrive in another thread of the kernel.

        One thread owns the view, so no late update of another thread can undo a newer one.
        """
        if self._loop:
            self._loop.call_soon_threadsafe(show)
        else:
            show()

    async def _watch(self) -> None:
        """Follow the sweep from the event loop until it ends."""
        while self.pump():
            await asyncio.sleep(POLL_SECONDS)

    def pump(self) -> bool:
        """Take in and show what the child has measured; return True while it is running."""
        before = len(self._follower.results)
        try:
            self._follower.pump()
            results = list(self._follower.results)
            if len(results) > before:
                self._show(results, f"Measured here: {len(results)} of {self._follower.total} points.")
        except Exception as error:
            self._follower.stop()
            self._say(f"The panel stopped the sweep: {type(error).__name__}: {error}")
            raise
        self._show_state()
        return self._follower.running

    def _show_state(self) -> None:
        running = self._follower.running
        self.run_button.disabled, self.stop_button.disabled = running, not running
        self.progress.value = self._follower.fraction
        self._say(self._follower.status)

    def _say(self, text: str) -> None:
        self.status.value = f'<span role="status">{html.escape(text)}</span>'

    def _show(self, results: list[RaceResult], source: str) -> None:
        """Draw the figure and write the table (main thread only)."""
        self._bundle_results, self._bundle_source = results, source
        picture = base64.b64encode(sweep_png(results)).decode()
        self.figure.value = (
            f'<img data-points="{len(results)}" alt="{html.escape(CAPTION)}" style="max-width:100%" '
            f'src="data:image/png;base64,{picture}"><br><em>{html.escape(CAPTION)}</em>'
        )
        self.table.value = f"<pre>{html.escape(self.text())}</pre>"

    def text(self) -> str:
        """Return the figure's numbers as text, with where they come from."""
        return f"{self._bundle_source}\n{table(self._bundle_results)}"

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put a picture and a table beside the widget, for a page without a kernel."""
        bundle = dict(super()._repr_mimebundle_(**kwargs))
        bundle["text/plain"] = self.text()
        bundle["image/png"] = base64.b64encode(sweep_png(self._bundle_results)).decode()
        return bundle


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs this very cell; None outside a notebook."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def race_panel(
    threads: int = 64, spin: int = 1000, switch_interval: float = 0.005, requests: int = 20_000
) -> RacePanel:
    """Return the race panel for the spin checker, its controls set to these values.

    threads 2..64 is the highest count of the sweep (2, 4, 8, ...). The other three take one of `GAPS`,
    `INTERVALS` (seconds) and `REQUESTS`. Raises ValueError or TypeError for anything else.
    """
    sliders = (("spin", spin, GAPS), ("switch_interval", switch_interval, INTERVALS))
    for name, value, options in (*sliders, ("requests", requests, REQUESTS)):
        if value not in options:
            raise ValueError(f"{name}={value!r} is not on the slider: choose one of {options}.")
    config = RaceConfig(threads, requests, spin, switch_interval)
    return RacePanel(config, SweepFollower())

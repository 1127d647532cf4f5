"""What every panel that measures has in common: Run, Stop, progress, a figure and its numbers as text."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from sharedstate.panels.base import Picture, PicturePanel
from sharedstate.panels.sweep import Busy, SweepFollower

POLL_SECONDS = 0.15
EMPTY = "Press Run to measure on this machine."


class MeasuringPanel(PicturePanel):
    """Run and Stop over a child process. A subclass makes the controls, `configs()`, `png()` and `text()`.

    The child measures, so Stop works at once; the event loop of the kernel draws. `pump()` takes in what the
    child has found; inside a notebook the event loop calls it, elsewhere its owner does.
    """

    look = "max-width:100%"
    beside = False
    spoken = False

    def __init__(
        self, name: str, follower: SweepFollower, controls: Mapping[str, widgets.Widget], results: list[Any]
    ) -> None:
        """Show what was measured before; `name` and `controls` are those of `arrange`."""
        self._follower, self._loop, self._results = follower, running_loop(), list(results)
        self.run_button = widgets.Button(description="Run", button_style="primary", tooltip="Measure")
        self.stop_button = widgets.Button(description="Stop", disabled=True, tooltip="End the measuring now")
        self.run_button.on_click(lambda _: self.run())
        self.stop_button.on_click(lambda _: self.stop())
        self.progress = widgets.FloatProgress(max=1.0, layout=widgets.Layout(width="16em"))
        self.status = widgets.HTML()
        buttons = widgets.HBox([self.run_button, self.stop_button, self.progress])
        for part, widget in {"run": self.run_button, "stop": self.stop_button, "progress": self.progress}.items():
            widget.add_class(f"ss-{part}")
        self.arrange(name, {**controls, "buttons": buttons, "status": self.status})
        self.show()

    def configs(self) -> list[Any]:
        """Return what the controls describe, one configuration a point."""
        raise TypeError("a measuring panel says what it measures")

    def png(self) -> bytes:
        """Return the picture of the results; empty without any."""
        raise TypeError("a measuring panel draws its results")

    def text(self) -> str:
        """Return the results as text."""
        return "\n".join(map(str, self._results)) or EMPTY

    def run(self) -> None:
        """Start measuring; while a child is at it, say so and change nothing."""
        try:
            self._follower.start(self.configs())
        except Busy as refusal:
            text = str(refusal)
            self._in_main_thread(lambda: self.say(text))
            return
        self._in_main_thread(self._show_state)
        if self._loop:
            asyncio.run_coroutine_threadsafe(self._watch(), self._loop)

    def stop(self) -> None:
        """Kill the child process now and keep what is there."""
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
        """Follow the child from the event loop until it ends."""
        while self.pump():
            await asyncio.sleep(POLL_SECONDS)

    def pump(self) -> bool:
        """Take in and show what the child has measured; return True while it is running."""
        before = len(self._follower.results)
        try:
            self._follower.pump()
            results = list(self._follower.results)
            if len(results) > before:
                self.take(results)
        except Exception as error:
            self._follower.stop()
            self.say(f"The panel stopped the sweep: {type(error).__name__}: {error}")
            raise
        self._show_state()
        return self._follower.running

    def take(self, results: list[Any]) -> None:
        """Show what was measured so far."""
        self._results = results
        self.show()

    def _show_state(self) -> None:
        running = self._follower.running
        self.run_button.disabled, self.stop_button.disabled = running, not running
        self.progress.value = self._follower.fraction
        self.say(self._follower.status)

    def say(self, text: str) -> None:
        """Put a line under the buttons."""
        self.status.value = f'<span role="status">{html.escape(text)}</span>'

    def picture(self) -> Picture:
        """Draw the results, and write them as a table (main thread only)."""
        return Picture(self.caption, self.text(), self.png(), facts={"points": len(self._results)})


def running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs this very cell; None outside a notebook."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None

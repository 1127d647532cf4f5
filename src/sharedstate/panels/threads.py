"""The race panel: move the thread count, the gap and the switch interval; see what changes the error rate."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import ipywidgets as widgets

from sharedstate import figures
from sharedstate.panels.measuring import EMPTY, MeasuringPanel
from sharedstate.panels.sweep import SweepFollower, counts_up_to, gaps_up_to
from sharedstate.passcodes.config import TELLING, RaceConfig, RaceResult, table
from sharedstate.passcodes.recorded import GAP_SWEEP, RECORDED_ON, THREAD_SWEEP

GAPS = (0, 20, 100, 250, 500, 1000, 2000, 4000, 10_000, 20_000)
INTERVALS = (0.001, 0.005, 0.02, 0.1)  # seconds; below a millisecond the system does not keep one
REQUESTS = (2000, 10_000, 20_000, 50_000, 100_000)
VARY = (("thread count", "threads"), ("gap", "gap"))
RECORDED = MappingProxyType({"threads": THREAD_SWEEP, "gap": GAP_SWEEP})
FORMULA = (
    "Whiskers: 95 % intervals of the counts. Formula: ¼ · gap ÷ interval, and ¼ at most. It holds while the "
    "interval is longer than the gap, and 1 ms or more: the system does not wake a waiting thread much sooner."
)


def sweep_png(results: Sequence[RaceResult], plot: str = "threads") -> bytes:
    """Draw one plot of the sweep, "threads" or "gap", and return the picture's bytes."""
    seen = sum(r.false_accepts for r in results) >= TELLING
    figure = figures.race_sweep(list(results), popular=seen, plot=plot)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    return buffer.getvalue()


def _choice(label: str, options: Sequence, value: object, words: str) -> widgets.SelectionSlider:
    """Return a slider over fixed choices."""
    return widgets.SelectionSlider(
        options=[(words.format(1000 * o if isinstance(o, float) else o), o) for o in options],
        value=value, description=label, continuous_update=False, style={"description_width": "9em"},
        layout=widgets.Layout(width="30em"),
    )  # fmt: skip


class RacePanel(MeasuringPanel):
    """Sliders, Run and Stop, a progress bar, a growing figure and its numbers as text."""

    beside = True
    caption = FORMULA

    def __init__(self, config: RaceConfig, follower: SweepFollower) -> None:
        self._checker, self._measuring = config.checker, "threads"
        self._plots = {plot: (f"Recorded: {RECORDED_ON}.", list(points)) for plot, points in RECORDED.items()}
        self._make_controls(config)
        vary = widgets.HBox([widgets.Label("vary", layout={"width": "9em"}), self.vary])
        controls = {"vary_row": vary, "threads": self.threads, "gap": self.gap, "interval": self.interval,
                    "requests": self.requests}  # fmt: skip
        super().__init__("race", follower, controls, list(THREAD_SWEEP))
        self.say(EMPTY)
        self.vary.observe(self._chosen, names="value")

    def _make_controls(self, config: RaceConfig) -> None:
        self.vary = widgets.ToggleButtons(options=VARY)
        self.threads = widgets.IntSlider(
            config.threads, 2, 64, description="threads up to", continuous_update=False,
            style={"description_width": "9em"}, layout=widgets.Layout(width="30em"),
        )  # fmt: skip
        self.gap = _choice("gap, loop turns", GAPS, config.spin, "{:,}")
        interval = config.switch_interval
        self.interval = _choice("switch interval", INTERVALS, interval, "{:g} ms")
        self.requests = _choice("requests a point", REQUESTS, config.requests, "{:,}")
        self.vary.add_class("ss-vary")

    def configs(self) -> list[RaceConfig]:
        """Return the sweep that the controls describe, one configuration a point."""
        base = RaceConfig(
            self.threads.value, self.requests.value, self.gap.value, self.interval.value, self._checker
        )
        if self.vary.value == "gap":
            return [replace(base, spin=n) for n in gaps_up_to(base.spin)]
        return [replace(base, threads=n) for n in counts_up_to(base.threads)]

    def run(self) -> None:
        """Start measuring for the plot that is chosen now; while a child is at it, say so and change nothing."""
        if not self._follower.running:
            self._measuring = self.vary.value
        super().run()

    def take(self, results: list[RaceResult]) -> None:
        """Keep what was measured so far for its own plot, and show the plot that is chosen."""
        source = f"Measured here: {len(results)} of {self._follower.total} points."
        self._plots[self._measuring] = (source, results)
        super().take(self._plots[self.vary.value][1])

    def _chosen(self, change: object = None) -> None:
        """Show the chosen plot, with what is known for it: measured here, or recorded."""
        super().take(self._plots[self.vary.value][1])

    def png(self) -> bytes:
        """Return the picture of the chosen plot."""
        return sweep_png(self._results, self.vary.value)

    def text(self) -> str:
        """Return the figure's numbers as text, with where they come from."""
        return f"{self._plots[self.vary.value][0]}\n{table(self._results)}"


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

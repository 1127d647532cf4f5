"""The price panel: threads, kind of work and fix; what each repair costs on this machine."""

from __future__ import annotations

import ipywidgets as widgets

from sharedstate import figures
from sharedstate.panels.measuring import MeasuringPanel
from sharedstate.panels.sweep import SweepFollower
from sharedstate.passcodes.checkers import FIXED
from sharedstate.passcodes.price import GAPS, WORDS, PriceConfig, PriceResult
from sharedstate.passcodes.price_worker import PriceProcess

EVERY = "all four"


class PricePanel(MeasuringPanel):
    """Threads, kind of work and fix; the measuring runs in a child process."""

    caption = "Time of each fix, racy checker = 1; the whiskers reach from the quickest round to the slowest."

    def __init__(self, results: list[PriceResult], follower: SweepFollower) -> None:
        style = {"description_width": "9em"}
        self.threads = widgets.IntSlider(8, 2, 64, description="threads", continuous_update=False, style=style)
        works = [(WORDS[work], work) for work in GAPS]
        self.work = widgets.Dropdown(options=works, value="sleep", description="work", style=style)
        self.fix = widgets.Dropdown(options=[EVERY, *FIXED], description="fix", style=style)
        controls = {"threads": self.threads, "work": self.work, "fix": self.fix}
        super().__init__("price", follower, controls, results)

    def configs(self) -> list[PriceConfig]:
        """Return what the controls describe, one configuration for each fix."""
        fixes = FIXED if self.fix.value == EVERY else (self.fix.value,)
        return [PriceConfig(self.threads.value, self.work.value, fix) for fix in fixes]

    def png(self) -> bytes:
        """Return the picture of the results; empty without any."""
        return figures.prices(self._results, WORDS).png() if self._results else b""


def price_panel(results: list[PriceResult] | None = None) -> PricePanel:
    """Return the price panel; `results` are shown until something is measured."""
    return PricePanel(results or [], SweepFollower(PriceProcess))

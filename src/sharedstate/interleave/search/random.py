"""Random schedules: a uniform choice among the enabled threads at every step."""

from __future__ import annotations

import random
from collections.abc import Callable

from sharedstate.interleave.runs.protocol import Run


class Random:
    """Draws who moves; the same `seed` gives the same schedules."""

    def __init__(self, seed: int | str) -> None:
        draw = random.Random(seed).random
        self.choose: Callable[[list[int]], int] = lambda enabled: enabled[int(draw() * len(enabled))]

    def more(self) -> bool:
        """There is always another one."""
        return True

    def begin(self, run: Run) -> None:
        """Every run is drawn anew."""

    def end(self, run: Run) -> None:
        """Nothing is learned from a run."""

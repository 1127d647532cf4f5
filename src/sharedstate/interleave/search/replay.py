"""A schedule that is known: taken again, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from sharedstate.interleave.runs.protocol import Run


class Replay:
    """Takes the steps of a schedule; `possible` is False once one of them could not be taken.

    With `onward`, the run goes on after its last step to the end, with as few switches as possible. Steps of the
    `rest` come in between, those that cannot be taken left out.
    """

    def __init__(self, schedule: Sequence[int] = b"", rest: Sequence[int] = b"", onward: bool = False) -> None:
        self.schedule, self.rest, self.onward = schedule, iter(rest), onward
        self.possible = True

    def begin(self, run: Run) -> None:
        """Follow from the start."""
        self.run, self.steps = run, iter(self.schedule)

    def choose(self, enabled: list[int]) -> int:
        """The next step of the schedule."""
        index = next(self.steps, -1)
        if index >= 0:
            self.possible = index in enabled
            return index if self.possible else -1
        for index in self.rest:
            if index in enabled:
                return index
        if not self.onward:
            return -1
        return self.run.last if self.run.last in enabled else enabled[0]

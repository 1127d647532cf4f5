"""A schedule given by hand: "alice" is one step, "alice*4" four, "alice*" until she ends or waits."""

from __future__ import annotations

from collections.abc import Sequence

from sharedstate.interleave.execution import ScenarioError, blocked_reason, index_of
from sharedstate.interleave.runs.protocol import Run

Move = tuple[str, int]
LONGEST = 10_000


class ByHand:
    """Takes one move after another; a move is a name and a number of steps, -1 for "as long as possible"."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves, self.taken = list(moves), 0

    def begin(self, run: Run) -> None:
        """The first move is next."""
        self.run = run

    def choose(self, enabled: list[int]) -> int:
        """Whose move it is. Raises ScenarioError for a step that cannot be taken, and for an unknown name."""
        while self.moves:
            name, count = self.moves[0]
            index = index_of(self.run, name)
            if self.taken != count and index in enabled and len(self.run.schedule) <= LONGEST:
                self.taken += 1
                return index
            if self.taken != count and count >= 0:
                thread = self.run.threads[index]
                reason = "it has ended" if thread.done else f"it {blocked_reason(self.run, thread)}"
                raise ScenarioError(f"{name} took {self.taken} of {count} steps, then it cannot move: {reason}")
            del self.moves[0]
            self.taken = 0
        return -1

"""What a search, a session and a trace ask of a run, whichever back end it is on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sharedstate.interleave.rewrite.twin import Program
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.trace import Step


class Run(Protocol):
    """A fresh state and its threads; a schedule takes it from step to step.

    `log` holds what was touched as (thread, (object, field), 0 for a read or 1 for a write), while `noting` says so.
    `steps` is the record for a learner; `marks` says per step if it is a switch, and a preemption.
    """

    program: Program
    state: Any
    threads: list[SimThread]
    schedule: list[int]
    log: list[tuple]
    steps: list[Step]
    rows: Any
    marks: list[tuple[bool, bool]]
    spots: list[Any]
    entered: dict[Any, None]
    names: dict[int, str]
    last: int
    preemptions: int
    switches: int
    broken_at: tuple[int, int, int] | None
    inspect: Callable[[Any], None] | None
    noting: bool
    watch: bool
    fast: bool
    asynchronous: bool
    left: bool
    roots: int

    def enabled(self) -> list[int]:
        """The threads that can take a step now."""

    def proceed(self, choose: Callable[[list[int]], int], enabled: list[int]) -> bool:
        """Take the step that is chosen, or several; False if -1 is chosen."""

    def move(self, index: int, enabled: list[int]) -> None:
        """Let a thread of `enabled` take its next step."""

    def waiting_for_anybody(self) -> bool:
        """True if a loop waits for a change by any other thread."""

    def in_order(self) -> list[SimThread]:
        """The scenario's own threads, by their names."""

    def holder(self, lock: Any) -> str:
        """The name of the thread that holds a lock, or an empty string."""

    def name_of(self, lock: Any) -> str:
        """A lock's name."""

    def preview(self, index: int) -> Step | None:
        """What a thread would do next; None if it has ended."""

    def owner_of(self, target: str) -> Any:
        """The shared object whose field a target names; None for a global or a captured variable."""

    def close(self) -> None:
        """Give back the locks that an unfinished schedule holds."""

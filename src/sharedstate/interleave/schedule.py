"""What one schedule did, as data: its steps with the values read and written, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Step:
    """One access to shared state by one thread (or its start, its end, an exception, a wait).

    `kind` is one of read, write, delete, acquire, release, blocked, call, start, end, raise.
    `target` is a short name such as "PasscodeChecker.input_buffer", `value` a short repr of what
    was read or written. `where` is "Cell [3], line 7" in a notebook, "checker.py, line 7" elsewhere.
    """

    thread: str
    kind: str
    target: str
    value: str | None
    line: int
    where: str
    source: str
    switch: bool = False
    preemption: bool = False
    blame: bool = False
    possible: bool | None = None


@dataclass(frozen=True)
class Schedule:
    """One whole schedule: who moved when, what each step saw, what came out.

    `schedule` names the thread of every step; `preemptions` counts the switches away from a thread
    that could have gone on, `switches` all of them. `confirmed` is True only after the same schedule
    ran on real threads and ended in the same state. `here` says whether this interpreter could do it today.
    """

    threads: tuple[str, ...]
    steps: tuple[Step, ...]
    answers: Mapping[str, object]
    finished: bool
    violated: bool
    verdict: str
    observed: object
    preemptions: int
    switches: int
    schedule: tuple[str, ...]
    token: str
    confirmed: bool = False
    notes: tuple[str, ...] = field(default=())
    real: str = "real threads"
    here: str = ""

    @property
    def possible(self) -> bool | None:
        """True if this interpreter may make every switch of it today, None if unknown; see `here`."""
        return all(step.possible for step in self.steps if step.switch) if self.here else None

"""Make the race certain on real threads: park one thread in the gap while the other passes through.

Two ways to park. An Event seam: the gap is a generator that waits, for checkers that take a gap. A line seam:
`sys.settrace` in the victim's thread alone, for any class as it stands, even one without a gap.
"""

from __future__ import annotations

import dis
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

from sharedstate.passcodes.checkers import RIGHT, WRONG, SpinChecker

PATIENCE = 5.0
LIMIT = 30.0


class SeamMissed(RuntimeError):
    """The victim ended without ever standing in the gap."""


@dataclass(frozen=True)
class Forced:
    """What one forced race gave. blocked: the second thread had to wait for the parked one."""

    victim: object
    intruder: object
    blocked: bool


class _Seam:
    """One victim's stop: it says that it has arrived, and waits until it may leave."""

    def __init__(self) -> None:
        self.arrived = threading.Event()
        self.leave = threading.Event()
        self.parked = False

    def park(self) -> None:
        """Wait in the gap, once."""
        if not self.parked:
            self.parked = True
            self.arrived.set()
            self.leave.wait(LIMIT)

    def gap(self) -> Iterator[None]:
        """Return the seam as a gap: something to loop over that waits instead of counting."""
        self.park()
        yield


class _Call:
    """A call in a thread of its own, which keeps its answer or its exception to itself until asked."""

    def __init__(self, work: Callable[[], object], at_end: threading.Event | None = None) -> None:
        self._work, self._at_end = work, at_end
        self._answer: object = None
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self._answer = self._work()
        except BaseException as error:
            self._error = error
        finally:
            if self._at_end:
                self._at_end.set()

    def answer(self) -> object:
        """Wait for the end; return the answer or raise the exception."""
        self.thread.join(LIMIT)
        if self.thread.is_alive():
            raise TimeoutError(f"A thread did not end within {LIMIT:g} s: does a lock stay closed?")
        if self._error:
            raise self._error
        return self._answer


def _force(
    seam: _Seam, victim: Callable[[], object], intruder: Callable[[], object], patience: float
) -> Forced:
    """Run the victim into the gap, the intruder for at most `patience` seconds, then both to their ends."""
    first = _Call(victim, at_end=seam.arrived)
    try:
        seam.arrived.wait(LIMIT)
        if not seam.parked:
            first.answer()
            raise SeamMissed("The first thread never stood in the gap: does `check` use its gap argument?")
        second = _Call(intruder)
        second.thread.join(patience)
        blocked = second.thread.is_alive()
    finally:
        seam.leave.set()
    return Forced(first.answer(), second.answer(), blocked)


def force_by_event(
    checker: Any, victim: str = WRONG, intruder: str = RIGHT, patience: float = PATIENCE
) -> Forced:
    """Force `victim` to be checked while `intruder` passes through the gap, with an Event as the gap.

    checker.check must take a gap (see `checkers`). patience: seconds granted to the intruder; one behind a
    lock cannot use them. Raises SeamMissed, or what a thread raised.
    """
    seam = _Seam()
    return _force(
        seam, lambda: checker.check(victim, seam.gap()), lambda: checker.check(intruder, ()), patience
    )


def decision_line(function: Callable[..., object]) -> int:
    """Return the line of the function's first `==`: the look up. Raises SeamMissed when it has none."""
    line = 0
    for instruction in dis.get_instructions(function):
        line = _line(instruction) or line
        if instruction.opname == "COMPARE_OP" and "==" in instruction.argrepr:
            return line
    raise SeamMissed(f"{function.__qualname__} has no `==`: give the line to park at.")


def _line(instruction: dis.Instruction) -> int | None:
    """Return an instruction's line; its field has had three names from Python 3.11 to 3.14."""
    return instruction.positions.lineno if instruction.positions else None


def force_by_trace(
    checker: Any,
    victim: str = WRONG,
    intruder: str = RIGHT,
    patience: float = PATIENCE,
    line: int | None = None,
) -> Forced:
    """Force the race on an unmodified class: the victim's thread stops just before `line` runs.

    line: where to park, by default that of the first `==` in `check`: after the write, before the look up.
    Only the victim's own thread is traced, and it ends with the call. Raises SeamMissed, or what a thread
    raised.
    """
    seam, code = _Seam(), type(checker).check.__code__
    target = line or decision_line(type(checker).check)

    def at_line(frame: FrameType, event: str, _: object) -> Callable | None:
        if event == "line" and frame.f_lineno == target:
            seam.park()
        return at_line

    def at_call(frame: FrameType, event: str, _: object) -> Callable | None:
        return at_line if frame.f_code is code else None

    def traced() -> object:
        sys.settrace(at_call)
        try:
            return checker.check(victim)
        finally:
            sys.settrace(None)

    return _force(seam, traced, lambda: checker.check(intruder), patience)


@dataclass(frozen=True)
class ForcedCount:
    """Outcomes of many forced races of a wrong victim against a right intruder, by count."""

    rounds: int
    false_accepts: int
    blocked: int


def count_forced(
    rounds: int = 1000,
    make: Callable[[], object] = SpinChecker,
    force: Callable[..., Forced] = force_by_event,
    patience: float = PATIENCE,
) -> ForcedCount:
    """Force the race `rounds` times, on fresh checkers from make(); count the wrong passcodes that pass."""
    forced = [force(make(), patience=patience) for _ in range(rounds)]
    return ForcedCount(rounds, sum(bool(f.victim) for f in forced), sum(f.blocked for f in forced))

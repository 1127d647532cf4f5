"""The rules of "You are the scheduler", without a widget: steps, undo, predictions, auto-player, score."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from sharedstate.game import switches
from sharedstate.interleave.show.words import access, one_line, short_names
from sharedstate.panels.board import Field, fields
from sharedstate.wording import count

if TYPE_CHECKING:
    from sharedstate.interleave.trace import Step, Trace

TRUTHS = ("True", "False")


class Playing(Protocol):
    """A schedule that grows step by step, as `sharedstate.interleave` makes it."""

    @property
    def threads(self) -> Sequence[str]:
        """The names of the threads."""

    @property
    def schedule(self) -> Sequence[str]:
        """The names of the steps so far."""

    @property
    def enabled(self) -> Sequence[str]:
        """The threads that can take a step now."""

    @property
    def blocked(self) -> Mapping[str, str]:
        """The threads that wait, each with the reason in words."""

    @property
    def finished(self) -> Sequence[str]:
        """The threads that have ended."""

    def pending(self, name: str) -> Step | None:
        """Return what a thread would do next; None when it has ended."""

    def step(self, name: str) -> Step:
        """Let a thread take one step."""

    def undo(self) -> None:
        """Take the last step back."""

    def trace(self) -> Trace:
        """Return the schedule so far."""

    def solution(self) -> Sequence[str] | None:
        """Return the names that lead from here to the goal."""

    def close(self) -> None:
        """End the session."""


class Playable(Protocol):
    """What the game needs of a scenario: a fresh session (see `sharedstate.interleave`)."""

    def session(self, goal: str = ...) -> Playing:
        """Return a session at the start; `goal` is given only where it is not "violation"."""


@dataclass(frozen=True)
class Seat:
    """One thread as the player sees it: may it move, and what would it do (or why not)."""

    name: str
    enabled: bool
    preview: str


@dataclass(frozen=True)
class Snapshot:
    """Everything a view shows, taken at one moment."""

    seats: tuple[Seat, ...]
    trace: Trace
    switches: int
    best: int | None
    won: bool
    over: bool
    message: str
    questions: tuple[tuple[str, str, str], ...]
    right: int
    asked: int
    board: tuple[Field, ...] = ()


class SchedulerGame:
    """One player's game on one scenario. Every move is whole: a click that comes too late changes nothing.

    goal: "violation" of the scenario's property, or "deadlock". Moves may come from any thread of the kernel;
    a lock of the game's own makes them wait for each other.
    """

    def __init__(self, scenario: Playable, goal: str = "violation") -> None:
        self._scenario, self._goal, self._lock = scenario, goal, threading.RLock()
        self._session = self._begin()
        self._guesses: dict[str, str] = {}
        self._right = self._asked = 0
        self._message = "Choose who moves first."
        self.best = self._fewest()

    def _begin(self) -> Playing:
        """Return a new session that knows the goal."""
        return self._scenario.session(*() if self._goal == "violation" else (self._goal,))

    def _fewest(self) -> int | None:
        """Return the fewest switches that reach the goal from the start, None where none does."""
        names = self._session.solution()
        return None if names is None else switches(names)

    def step(self, name: str) -> Snapshot:
        """Let a thread take one step; a thread that cannot move is refused with the reason."""
        with self._lock:
            if name not in self._session.enabled:
                self._message = f"{name} cannot move: {self._why_not(name)}."
            else:
                self._message = self._after(self._session.step(name))
            return self.snapshot()

    def undo(self) -> Snapshot:
        """Take the last step back."""
        with self._lock:
            if self._session.schedule:
                self._session.undo()
                self._message = "One step back."
            else:
                self._message = "Nothing to undo: nobody has moved yet."
            return self.snapshot()

    def reset(self) -> Snapshot:
        """Begin again; the score of the predictions stays."""
        with self._lock:
            while self._session.schedule:
                self._session.undo()
            self._guesses.clear()
            self._message = "Back at the start."
            return self.snapshot()

    def auto(self) -> Snapshot:
        """Finish from here with the fewest switches, or say that the goal is out of reach."""
        with self._lock:
            names = self._session.solution()
            if names is None:
                self._message = "From here no schedule reaches the goal. Undo a step, or reset."
            else:
                for name in names:
                    self._session.step(name)
                self._message = f"Finished for you in {count(len(names), 'step')}."
            return self.snapshot()

    def solved(self) -> Trace | None:
        """Return the trace of a best schedule from the start, None where there is none; the game stays."""
        session = self._begin()
        try:
            names = session.solution()
            for name in names or ():
                session.step(name)
            return None if names is None else session.trace()
        finally:
            session.close()

    def predict(self, name: str, value: str) -> None:
        """Note what the player thinks a thread will read next; its next step reveals it."""
        with self._lock:
            if (name, value) in {(who, said) for who, _, said in self._questions()}:
                self._guesses[name] = value

    def snapshot(self) -> Snapshot:
        """Return what there is to see now."""
        with self._lock:
            session, trace = self._session, self._session.trace()
            seats = tuple(
                Seat(name, name in session.enabled, self._preview(name)) for name in session.threads
            )
            over = not session.enabled
            won = trace.verdict == "deadlock" if self._goal == "deadlock" else bool(trace.violated)
            return Snapshot(
                seats, trace, switches(session.schedule), self.best, won, over,
                self._message, self._questions(), self._right, self._asked,
                fields(trace.steps, [step for name in session.enabled if (step := session.pending(name))]),
            )  # fmt: skip

    def _preview(self, name: str) -> str:
        if name not in self._session.enabled:
            return self._why_not(name)
        step = self._session.pending(name)
        return self._why_not(name) if step is None else preview(step)

    def _why_not(self, name: str) -> str:
        if name in self._session.finished:
            return "has finished"
        return str(self._session.blocked.get(name, "is not one of the threads that can move now"))

    def _after(self, step: Step) -> str:
        """Say what a step did, and reveal the prediction for it, if there was one."""
        done = f"{step.thread} {access(step, short_names(self._session.trace()))}."
        guess = self._guesses.pop(step.thread, None)
        if guess is None or step.kind != "read":
            return done
        self._asked += 1
        self._right += guess == step.value
        return f"{done} You predicted {guess}: {'right' if guess == step.value else 'not so'}."

    def _questions(self) -> tuple[tuple[str, str, str], ...]:
        """Return (thread, target, value) to choose from: reads that could bring more than one value."""
        found: list[tuple[str, str, str]] = []
        for name in self._session.threads:
            pending = self._session.pending(name) if name in self._session.enabled else None
            if pending is None or pending.kind != "read":
                continue
            step = self._peek(name)
            values = self._candidates(step)
            if len(values) > 1:
                found += [(name, step.target.rpartition(".")[2], value) for value in values]
        return tuple(found)

    def _peek(self, name: str) -> Step:
        """Return what a thread's next step will be, value included; the step is taken and taken back."""
        step = self._session.step(name)
        self._session.undo()
        return step

    def _candidates(self, step: Step) -> list[str]:
        """Return the true value among those that this target has held in this game, in a neutral order."""
        held = {s.value for s in self._session.trace().steps if s.target == step.target and s.value}
        truths = set(TRUTHS) if step.value in TRUTHS else set()
        return sorted(held | truths | ({step.value} if step.value else set()))


def preview(step: Step) -> str:
    """Say what a pending step is going to do, without its value."""
    hidden = replace(step, value=None)
    line = f": {one_line(step.source)}" if step.source else ""
    return f"next {access(hidden, {step.target: step.target.rpartition('.')[2]})}{line}"

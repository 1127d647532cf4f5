"""The scheduler game: programs to break by choosing who moves, scored by the fewest switches.

For panels and for interviews alike: `level("wrong-in").play(["mallory", "alice*", "mallory*"])`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from sharedstate.interleave.result import Result
from sharedstate.interleave.scenario import Scenario
from sharedstate.interleave.session import Session
from sharedstate.interleave.trace import Trace
from sharedstate.wording import count


@dataclass(frozen=True)
class Score:
    """What one try at a level came to: `reached` the goal or not, and `text` to say so."""

    level: str
    reached: bool
    switches: int
    par: int | None
    text: str
    trace: Trace

    def __str__(self) -> str:
        """The verdict in words."""
        return self.text


@dataclass(frozen=True)
class Level:
    """One program and one goal.

    `goal` is "violation" (the property `never` is broken when all have ended) or "deadlock"; `wanted` says it
    in words. `program` is the class that the threads share. `hints` go from a nudge to almost everything.
    `impossible` says that no schedule reaches the goal; `prove()` shows whether that is so.
    """

    name: str
    title: str
    story: str
    wanted: str
    program: type
    threads: Mapping[str, Callable[[Any], Any]]
    hints: tuple[str, str, str]
    never: Callable[[Any, Mapping[str, Any]], Any] | None = None
    goal: str = "violation"
    impossible: bool = False

    def scenario(self) -> Scenario:
        """The program as a scenario of the explorer, new at every call."""
        return Scenario(self.program, self.threads, self.never)

    def session(self) -> Session:
        """A schedule that grows step by step and knows the level's goal."""
        return self.scenario().session(self.goal)

    def code(self) -> str:
        """The source of the program under attack."""
        return inspect.getsource(self.program)

    @property
    def par(self) -> int | None:
        """The fewest switches that reach the goal, searched now by the explorer; None if nothing does."""
        names = self._winning()
        return None if names is None else switches(names)

    def solution(self) -> list[str] | None:
        """A schedule with the fewest switches, as moves for `play`; None if the goal cannot be reached."""
        names = self._winning()
        return None if names is None else moves(names)

    def _winning(self) -> list[str] | None:
        """The names of a best schedule's steps."""
        session = self.session()
        try:
            return session.solution()
        finally:
            session.close()

    def play(self, schedule: Sequence[str]) -> Score:
        """Try a schedule: "alice" is one step, "alice*4" four, "alice*" until it ends or waits.

        Raises ScenarioError for a move that cannot be made.
        """
        trace = self.scenario().play(schedule)
        wanted = "deadlock" if self.goal == "deadlock" else "broken"
        reached, par = trace.verdict == wanted, self.par
        return Score(self.name, reached, trace.switches, par, _said(self, trace, reached, par), trace)

    def prove(self) -> Result:
        """Every interleaving: "proved" for an impossible goal, else "broken" or "deadlock" and how."""
        return self.scenario().explore("all")

    def __str__(self) -> str:
        """The whole task as text: what a candidate in an interview needs."""
        goal = f"Threads: {', '.join(self.threads)}. Goal: {self.wanted}."
        return f"{self.name}: {self.title}\n\n{self.story}\n\n{self.code()}\n{goal}"


def switches(names: Sequence[str]) -> int:
    """How often control moves from one thread to another."""
    return sum(a != b for a, b in pairwise(names))


def moves(names: Sequence[str]) -> list[str]:
    """Steps, one name each, as moves for `play`: ["a", "a", "b"] is ["a*2", "b"]."""
    runs = [(name, len(list(group))) for name, group in groupby(names)]
    return [f"{name}*{count}" if count > 1 else name for name, count in runs]


def _said(level: Level, trace: Trace, reached: bool, par: int | None) -> str:
    """One sentence about a try."""
    if reached and par is not None:
        best = "nobody can do it in fewer" if trace.switches <= par else f"it can be done in {par}"
        return f"Goal reached in {count(trace.switches, 'switch')}: {best}."
    if trace.verdict == "unfinished":
        open_ones = [name for name in trace.threads if name not in trace.answers]
        return f"Not at the end yet: {', '.join(open_ones)} can go on."
    if trace.verdict == "deadlock":
        return "A deadlock: every thread waits for another one. That is not the goal here."
    answers = ", ".join(f"{name}: {answer!r}" for name, answer in trace.answers.items())
    return f"Goal not reached ({answers}). Is it possible at all? Say so only if you can prove it."

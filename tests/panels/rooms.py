"""Small programs without an explorer behind them: what the scheduler game needs of a scenario, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from sharedstate.interleave.trace import Step, Trace
from sharedstate.panels.scheduler_game import SchedulerGame


class FakeSession:
    """One game's state, recomputed from the schedule after each change."""

    def __init__(self, room: FakeRoom) -> None:
        self.room, self.schedule = room, []

    @property
    def threads(self) -> tuple[str, ...]:
        return tuple(self.room.programs)

    def _run(self) -> tuple[dict, dict, list[Step]]:
        state, places, steps = {}, dict.fromkeys(self.threads, 0), []
        for k, name in enumerate(self.schedule):
            switch = k > 0 and self.schedule[k - 1] != name
            steps.append(self._do(state, places, name, switch))
        return state, places, steps

    def _do(self, state: dict, places: dict, name: str, switch: bool) -> Step:
        kind, target, value = self.room.programs[name][places[name]]
        places[name] += 1
        if kind == "write":
            state[target] = value(state) if callable(value) else value
        elif kind == "read":
            state[f"{name}.{target}"] = state.get(target)
        elif kind == "acquire":
            state[target] = name
        elif kind == "release":
            state[target] = None
        shown = repr(state.get(target))
        line = places[name]
        return Step(
            name, kind, f"Checker.{target}", shown, line, f"Cell [1], line {line}", f"{kind} {target}", switch
        )

    def _blocked(self, name: str, state: dict, places: dict) -> bool:
        kind, target, _ = self.room.programs[name][places[name]]
        return kind == "acquire" and bool(state.get(target))

    @property
    def finished(self) -> list[str]:
        _, places, _ = self._run()
        return [n for n in self.threads if places[n] == len(self.room.programs[n])]

    @property
    def blocked(self) -> dict[str, str]:
        state, places, _ = self._run()
        alive = [n for n in self.threads if n not in self.finished]
        return {n: "waits for the lock" for n in alive if self._blocked(n, state, places)}

    @property
    def enabled(self) -> list[str]:
        return [n for n in self.threads if n not in self.finished and n not in self.blocked]

    def pending(self, name: str) -> Step:
        _, places, _ = self._run()
        kind, target, _ = self.room.programs[name][places[name]]
        return Step(name, kind, f"Checker.{target}", "too much", 1, "Cell [1], line 1", f"{kind} {target}")

    def step(self, name: str) -> Step:
        if name not in self.enabled:
            raise ValueError(f"{name} cannot move")
        self.schedule.append(name)
        return self._run()[2][-1]

    def undo(self) -> None:
        self.schedule.pop()

    def close(self) -> None:
        self.schedule.clear()

    def trace(self) -> Trace:
        state, _, steps = self._run()
        answers = {n: state.get(f"{n}.result") for n in self.finished}
        done = len(self.finished) == len(self.threads)
        violated = done and bool(self.room.never(state, answers))
        verdict = "broken" if violated else "ok" if done else "unfinished" if self.enabled else "deadlock"
        count = sum(a != b for a, b in pairwise(self.schedule))
        return Trace(self.threads, tuple(steps), answers, done, violated, verdict, None, 0, count,
                     tuple(self.schedule), "token-1")  # fmt: skip

    def solution(self) -> list[str] | None:
        """Try every completion; small programs only."""
        found = list(self._completions([]))
        return min(
            found, key=lambda tail: sum(a != b for a, b in pairwise([*self.schedule, *tail])), default=None
        )

    def _completions(self, tail: list[str]) -> Iterator[list[str]]:
        probe = self.room.session()
        probe.schedule = [*self.schedule, *tail]
        if not probe.enabled and probe.trace().violated:
            yield tail
        for name in probe.enabled:
            yield from self._completions([*tail, name])


class FakeRoom:
    """programs: {thread: ((kind, target, value or function of the state), ...)}; never(state, answers)."""

    def __init__(self, programs: dict[str, tuple], never: Callable[[dict, dict], bool]) -> None:
        self.programs, self.never = programs, never

    def session(self) -> FakeSession:
        return FakeSession(self)


def visit(name: str, word: object) -> tuple:
    """Write the board, read it, write the result, read it: the passcode checker."""
    return (
        ("write", "board", word),
        ("read", "board", None),
        ("write", "result", lambda state: state[f"{name}.board"] == "s3cret"),
        ("read", "result", None),
    )


def checker_room(word: object = "guess") -> FakeRoom:
    """Alice knows the passcode, Mallory does not, and never may Mallory pass."""
    programs = {"alice": visit("alice", "s3cret"), "mallory": visit("mallory", word)}
    return FakeRoom(programs, lambda state, answers: bool(answers["mallory"]))


def two_locks_room() -> FakeRoom:
    """Two threads that take two locks in opposite order."""
    first = (("acquire", "a", None), ("acquire", "b", None), ("release", "b", None), ("release", "a", None))
    second = (("acquire", "b", None), ("acquire", "a", None), ("release", "a", None), ("release", "b", None))
    return FakeRoom({"left": first, "right": second}, lambda state, answers: False)


def play(game: SchedulerGame, names: str) -> None:
    """Step by initials: "maaaammm"."""
    whole = {name[0]: name for name in game.snapshot().trace.threads}
    for letter in names:
        game.step(whole[letter])

"""Schedules played on what was learned of a program's threads: see `learned`. No line of the code under test runs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.events import Event
from sharedstate.interleave.execution import STEP_LIMIT, Course, Execution
from sharedstate.interleave.learned import ACQUIRE, END, READ, RELEASE, WRITE, Book, Refused

ROLES = ("", "", "acquire", "release", "")


class Player:
    """A thread of a learned run, as a search asks for it."""

    spinning, patient, reason, gate, child, daemon = -1, None, "", None, False, False

    def __init__(self, run: LearnedRun, index: int, name: str) -> None:
        self.run, self.index, self.name = run, index, name

    @property
    def done(self) -> bool:
        """True if it has ended."""
        return self.run.at[self.index].role == END

    @property
    def site(self) -> Any:
        """The place in the source where it waits."""
        return self.run.at[self.index].site


class LearnedRun:
    """One schedule, played on the trees of a book. It can be put back to where it was: see `mark`."""

    record = watch = asynchronous = False

    def __init__(self, book: Book) -> None:
        self.book, self.program = book, book.program
        self.at = list(book.roots)
        self.memory = [0] * len(book.cells)
        self.schedule: list[int] = []
        self.log: list[tuple] = []

    @functools.cached_property
    def threads(self) -> list[Player]:
        """The threads, as a search asks for them."""
        return [Player(self, i, move.name) for i, move in enumerate(self.at)]

    def enabled(self) -> list[int]:
        """The threads that can take a step now."""
        memory = self.memory
        return [
            i
            for i, move in enumerate(self.at)
            if move.role < ACQUIRE or move.role == RELEASE or (move.role == ACQUIRE and not memory[move.cell])
        ]

    def able(self, name: str) -> int:
        """The number of a thread if it can take a step now, else -1."""
        for i, move in enumerate(self.at):
            if move.name == name:
                return i if move.role != END and (move.role != ACQUIRE or not self.memory[move.cell]) else -1
        return -1

    def step(self, index: int) -> None:
        """Let a thread take its next step. Raises Refused where the code turns out not to fit."""
        move, memory = self.at[index], self.memory
        after = move.then.get(memory[move.cell] if move.role == READ else 0)
        if after is None:
            self.book.follow([*self.schedule, index])
            memory += [0] * (len(self.book.cells) - len(memory))
            after = move.then[memory[move.cell] if move.role == READ else 0]
        if move.role != READ:
            if move.role == RELEASE and not memory[move.cell]:
                raise Refused("a lock is given back that nobody holds")
            memory[move.cell] = move.value
        self.schedule.append(index)
        self.log.append(move.entry)
        self.at[index] = after

    def event(self, index: int) -> Event:
        """The event of a thread's next step."""
        move = self.at[index]
        return Event(move.name, ROLES[move.role], False, move.touched)

    def pending(self, thread: Player) -> Event:
        """The step that a thread waits for."""
        return self.event(thread.index)

    def waiting_for_anybody(self) -> bool:
        """Never: a thread that loops is not learned."""
        return False

    def end(self) -> tuple[str, bool, tuple]:
        """Status, violated, outcome of the end that was reached; the code is run where its values do not tell."""
        self.book.played += 1
        key = (*self.at, *self.memory)
        known = self.book.ends.get(key)
        if known is None:
            known = self.book.judge(self.at, self.memory)
            if known is not None:
                self.book.ends[key] = known
                return known
            self.book.follow(self.schedule)
            self.memory += [0] * (len(self.book.cells) - len(self.memory))
            known = self.book.ends.get((*self.at, *self.memory))
            if known is None:
                raise Refused("a schedule ends elsewhere when it is run")
        return known

    def mark(self) -> tuple:
        """Where this run is: what `back` returns to."""
        return (tuple(self.at), tuple(self.memory), len(self.schedule))

    def back(self, mark: tuple) -> None:
        """Return to a mark. The log so far may be kept by whoever has it: this run goes on with a copy."""
        at, memory, length = mark
        self.at[:] = at
        self.memory = [*memory, *[0] * (len(self.book.cells) - len(memory))]
        self.schedule = self.schedule[:length]
        self.log = self.log[:length]

    def close(self) -> None:
        """Nothing is held."""


class LearnedCourse(Course):
    """A learned run under way."""

    def sample(self, draw: Callable[[], float]) -> None:
        """Go to the end by uniform choices among the enabled threads, as fast as it can be done."""
        run, last = self.run, -1
        at, memory, schedule, log, moves = run.at, run.memory, run.schedule, run.log, run.enabled()
        while moves and len(schedule) < STEP_LIMIT:
            index = moves[int(draw() * len(moves))]
            move = at[index]
            after = move.then.get(memory[move.cell] if move.role == READ else 0)
            if after is None or move.role > WRITE:
                run.step(index)
                after = at[index]
            else:
                if move.role == WRITE:
                    memory[move.cell] = move.value
                schedule.append(index)
                log.append(move.entry)
                at[index] = after
            if index != last:
                self.switches += last >= 0
                self.preemptions += last in moves
                last = index
            if move.role > WRITE or after.role > WRITE:
                moves = run.enabled()
        self.last = last

    def finish(self) -> Execution:
        """What came out."""
        run = self.run
        if len(run.schedule) >= STEP_LIMIT:
            raise Refused("a schedule does not end")
        status, violated, outcome = run.end()
        schedule = bytes(run.schedule)
        return Execution(schedule, self.preemptions, self.switches, status, violated, outcome, len(schedule))

    def mark(self) -> tuple:
        """Where this course is: itself, and what `back` needs."""
        return (self, (self.last, self.preemptions, self.switches, self.run.mark()))

    def back(self, mark: tuple) -> None:
        """Return to a mark."""
        self.last, self.preemptions, self.switches, inner = mark
        self.run.back(inner)

"""What a thread does next depends only on what it was told: learn that once, then play schedules without the code.

Each thread is a tree of moves, learned from runs of the code itself: a read leads on by the value that it finds, any
other move to one next move. A schedule is then played on the trees and on numbers that stand for values; where a tree
ends, the code is run along that schedule to learn more, and what was known is checked against it again.

Only for threads that read and write plain fields of the setup's objects, store plain values there, take its locks, and
call nothing that could tell two runs apart. Anything else raises Refused, and the search runs the code every time.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

from sharedstate.interleave import perform
from sharedstate.interleave.asked import Memory
from sharedstate.interleave.execution import STEP_LIMIT, Course, Execution, Questions
from sharedstate.interleave.state import LOCK, Registry, digest, is_user_class
from sharedstate.interleave.unseen import unclear

READ, WRITE, ACQUIRE, RELEASE, END = range(5)
STARTS = 3  # of so many states that are judged the start is compared too
PATIENCE = 40  # so many more runs of the code than played schedules are allowed
UNKNOWN = object()  # an answer that is not a plain value
FREE = 0  # a lock is held by thread `index + 1`; a field's first value is 0 too
PLAIN = (int, str, bool, type(None), bytes)


class Refused(Exception):
    """These threads cannot be learned; the message says why."""


class Move:
    """What a thread waits to do, and where that leads: `then` maps what it finds (or 0) to the next move."""

    __slots__ = ("answer", "cell", "entry", "name", "role", "site", "then", "touched", "value")

    def __init__(self, name: str, role: int, site: Any, entry: tuple, cell: int, value: int) -> None:
        self.name, self.role, self.site, self.entry, self.cell, self.value = name, role, site, entry, cell, value
        self.answer: Any = UNKNOWN
        self.then: dict[int, Move] = {}
        self.touched = ((entry[1], entry[2]),) if entry else ()


class Ended(NamedTuple):
    """A thread at its end."""

    name: str
    answer: Any
    done: bool = True
    child: bool = False
    daemon: bool = False


class Book:
    """The trees of one exploration's threads, and what came of each end that was reached."""

    def __init__(self, make: Callable[[], Any], questions: Questions) -> None:
        self.make, self.questions = make, questions
        self.cells: dict[tuple, int] = {}
        self.values: dict[tuple, int] = {}
        self.meaning: list[tuple] = [()]
        self.locks: set[int] = set()
        self.first: dict[int, int] = {}
        self.roots: list[Move] = []
        self.ends: dict[tuple, tuple[str, bool, tuple]] = {}
        self.start: tuple | None = None
        self.starts = self.runs = self.played = 0
        self.memory = Memory(questions)
        self.usable = self.memory.pure

    def follow(self, schedule: list[int]) -> None:
        """Run the code along a schedule and then to the end, and learn from it. Raises Refused.

        The way to the end need not be one that the search would go: what is found there is forgotten on a refusal.
        """
        self.runs += 1
        if self.runs > self.played + PATIENCE:
            raise Refused("the code is run more often than it is played")
        course = Course(self.make(), self.questions)
        program = course.run.program
        mark = program.mark()
        try:
            self.learn(course, schedule)
        except Refused:
            program.back(mark)
            raise
        except Exception as problem:
            program.back(mark)
            raise Refused("the code fails") from problem
        finally:
            course.run.close()

    def learn(self, course: Course, schedule: list[int]) -> Execution:
        """Take a course that has not begun along a schedule and to its end. Raises Refused, perhaps on the way."""
        run = course.run
        self.program, self.setup = run.program, run.setup
        if run.real or run.asynchronous:
            raise Refused("only on generators")
        reason = unclear(run)
        if reason:
            raise Refused(reason)
        self._begin(run.state)
        memory: dict[int, int] = {}
        kept, threads = len(run.registry.keep), len(run.threads)
        known = self.roots or [None] * threads
        self.roots = [self._place(run, t, memory, k) for t, k in zip(run.threads, known, strict=True)]
        at = list(self.roots)
        while enabled := run.enabled():
            done = len(run.schedule)
            index = schedule[done] if done < len(schedule) else _next(course, enabled)
            if index not in enabled or done >= STEP_LIMIT:
                raise Refused("a schedule is not possible a second time, or does not end")
            at[index] = self._learn(course, index, at[index], memory, enabled)
        if len(run.registry.keep) != kept or run.registry.escaped or run.frames or len(run.threads) != threads:
            raise Refused("shared objects, generators or threads are made on the way")
        if run.program.assumptions or any(t.foreign or t.idle or t.spinning >= 0 for t in run.threads):
            raise Refused("code that is not followed is called, or a loop waits")
        found = self._ask(course)
        if self.usable:
            self.ends[self._key(at, memory)] = (found.status, found.violated, found.outcome)
        return found

    def _begin(self, state: Any) -> None:
        """Compare a state with the first one. Raises Refused if setup does not make the same again."""
        start = digest(state)
        if self.start is None:
            self.start = start
        elif start != self.start:
            raise Refused("setup does not make the same state again")

    def _ask(self, course: Course) -> Execution:
        """What came out of a course. Raises Refused if `never` or `observe` changes what it has at hand."""
        before = self.memory.picture()
        found = course.finish()
        if before and self.memory.picture() != before:
            if self.ends:
                raise Refused("a question remembers what it was asked before")
            self.usable = False
        return found

    def judge(self, at: list[Move], memory: list[int]) -> tuple[str, bool, tuple] | None:
        """Status, violated, outcome of an end, from its values on a fresh state; None if they do not tell all."""
        if any(move.answer is UNKNOWN for move in at) or any(memory[cell] for cell in self.locks):
            return None
        state, registry = self.setup(), Registry()
        if self.starts < STARTS:
            self.starts += 1
            self._begin(state)
        registry.add(state, type(state).__name__)
        things = {registry.names[id(thing)]: thing for thing in registry.keep}
        for (path, name), cell in self.cells.items():
            if memory[cell] and not self._put(things, path, name, self.meaning[memory[cell]]):
                return None
        ended = [Ended(move.name, move.answer) for move in at]
        found = self._ask(Course(SimpleNamespace(state=state, threads=ended, schedule=()), self.questions))
        return (found.status, found.violated, found.outcome)

    @staticmethod
    def _put(things: dict[str, Any], path: str, name: str, meaning: tuple) -> bool:
        """Write a value into a field of a fresh state; False if the object or the value is not of that state."""
        fields = getattr(things.get(path), "__dict__", None)
        kind, value = meaning
        if kind is None:
            value = things.get(value)
        if type(fields) is not dict or (kind is None and value is None):
            return False
        fields[name] = float.fromhex(value) if kind is float else value
        return True

    def _key(self, at: list[Move], memory: dict[int, int]) -> tuple:
        """An end: where each thread is, and what the fields hold."""
        return (*at, *[memory.get(cell, 0) for cell in range(len(self.cells))])

    def _learn(self, course: Course, index: int, move: Move, memory: dict[int, int], enabled: list[int]) -> Move:
        """Take one step of the code; the move that it leads to."""
        run, thread = course.run, course.run.threads[index]
        found, log, before = 0, run.log, len(run.log)
        if move.role == READ:
            found = self._found(run, move, thread.request[1], memory)
        course.step(index, enabled)
        if len(log) != before + 1 or log[before] != move.entry:
            raise Refused("a step touches several fields, or fails")
        if move.role != READ:
            memory[move.cell] = move.value
        after = move.then[found] = self._place(run, thread, memory, move.then.get(found))
        return after

    def _found(self, run: Any, move: Move, thing: Any, memory: dict[int, int]) -> int:
        """The number of the value that a read is about to find; 0 for a field's first value."""
        number = self._number(run, _field(thing, move.site.name))
        written = memory.get(move.cell)
        if written is None:
            if self.first.setdefault(move.cell, number) != number:
                raise Refused("a field does not start from the same value")
            return 0
        if written != number:
            raise Refused("a field holds what nobody wrote")
        return written

    def _number(self, run: Any, value: Any) -> int:
        """The number that stands for a value; equal values have one number."""
        kind = type(value)
        if kind in PLAIN:
            key = (kind, value)
        elif kind is float and value == value:
            key = (kind, value.hex())
        else:
            path = run.names.get(id(value))
            if not path or list(run.names.values()).count(path) > 1:
                raise Refused(f"a field holds a {kind.__name__}")
            key = (None, path)
        number = self.values.get(key)
        if number is None:
            number = self.values[key] = len(self.meaning)
            self.meaning.append(key)
        return number

    def _place(self, run: Any, thread: Any, memory: dict[int, int], known: Move | None) -> Move:
        """The move that a thread waits to do; `known` if it was here before. Raises Refused if that was another."""
        role, site, key, value = END, thread.site, None, 0
        if site is None:
            pass
        elif thread.perform is perform.read or thread.perform is perform.write:
            role = READ if thread.perform is perform.read else WRITE
            key = (run.names.get(id(thread.request[-1])), site.name)
            if role == WRITE:
                value = self._number(run, thread.request[1])
        else:
            role, value = self._lock(thread)
            key = (thread.target, "lock")
        if known is None:
            if role in (READ, WRITE):
                _field(thread.request[-1], site.name)
            known = self._new(thread, role, key, value)
        elif (role, site, value) != (known.role, known.site, known.value) or (key and key != known.entry[1]):
            raise Refused("the same values lead to another step")
        elif role == END and (type(known.answer), known.answer) != _answer(thread):
            raise Refused("the same values lead to another answer")
        if role == ACQUIRE and thread.lock.locked() != (memory.get(known.cell, FREE) != FREE):
            raise Refused("a lock is held by nobody")
        return known

    def _new(self, thread: Any, role: int, key: Any, value: int) -> Move:
        """A move seen for the first time."""
        if key is None:
            move = Move(thread.name, END, None, (), 0, 0)
            move.answer = _answer(thread)[1]
            return move
        if key[0] is None or key[1].startswith("__"):
            raise Refused("a field without a name of its own")
        cell = self.cells.setdefault(key, len(self.cells))
        if role == ACQUIRE:
            self.locks.add(cell)
        return Move(thread.name, role, thread.site, (thread.index, key, int(role != READ)), cell, value)

    def _lock(self, thread: Any) -> tuple[int, int]:
        """The taking or giving back of a plain lock: role and value."""
        if thread.kind == "acquire" and type(thread.lock) is LOCK and not thread.request:
            return ACQUIRE, thread.index + 1
        if thread.kind == "release" and not thread.request and (thread.target, "lock") in self.cells:
            return RELEASE, FREE
        raise Refused(f"a step of another kind: {thread.kind or thread.site.op}")


def _answer(thread: Any) -> tuple[type, Any]:
    """A thread's answer and its type; UNKNOWN if it is not a plain value."""
    kind = type(thread.answer)
    return (kind, thread.answer) if kind in PLAIN else (object, UNKNOWN)


def _next(course: Course, enabled: list[int]) -> int:
    """Go on with the same thread as long as it can."""
    return course.last if course.last in enabled else enabled[0]


def _field(thing: Any, name: str) -> Any:
    """The value of a field of a plain object, without running any code of the learner's."""
    fields = getattr(thing, "__dict__", None)
    simple = is_user_class(type(thing)) or type(thing) is FunctionType
    if type(fields) is not dict or name not in fields or not simple:
        raise Refused("a field that is not in its object's dictionary")
    return fields[name]

"""One schedule: exactly one thread has the turn, and a seed says where it loses it and to whom."""

from __future__ import annotations

import _thread
import functools
import random
from collections import Counter
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from sharedstate.interleave.witness.crew import SIGN, Crew, Leave, Worker
from sharedstate.interleave.witness.opcodes import where

BUDGET = 100_000  # followed instructions after which a schedule is given up
PATIENCE = 1_000  # instructions in a row after which a thread gives way: it may be spinning
SILENCES = 6  # so many times no sign of life with nobody to go on, and the schedule is given up
MANY = 100  # switches, about, in a schedule that switches often (50 µs each)
AGAIN = 2_000  # instructions of clean-up code after which a thread is told again to leave
ROWS = 12  # of a readable schedule
BLOCKED = "a thread was blocked for real"
ENDLESS = f"it ran for {BUDGET:,} instructions"
DEADLOCK = "deadlock"
READY, NATIVE, DONE = "ready", "blocked for real", "done"


class Learned:
    """How often each thread comes to each instruction, from the serial schedules at the start."""

    def __init__(self) -> None:
        self.visits: Counter[tuple[str, int, int]] = Counter()
        self.sites: dict[str, list[tuple[CodeType, int, int]]] = {}
        self.lengths: Counter[str] = Counter()
        self.patience = PATIENCE

    def add(self, visits: Counter[tuple[str, int, int]], seen: Mapping[int, tuple[CodeType, bool]]) -> None:
        """Take in one more serial schedule."""
        self.visits |= visits
        self.sites, self.lengths = {}, Counter()
        for (name, code, offset), times in self.visits.items():
            self.sites.setdefault(name, []).append((seen[code][0], offset, times))
            self.lengths[name] += times
        self.patience = min(max(PATIENCE, 2 * self.lengths.total()), BUDGET // 4)


class Task:
    """A thread's part. `free` is what it waits for, `late` that its timeout ran out, `told` how often to leave.

    The part of the caller, who runs setup and outcome, has no worker: it is not `on_stage`, with no turn to give away.
    """

    def __init__(self, run: Schedule, name: str, call: Callable, worker: Worker | None, child: Any = None) -> None:
        self.run, self.name, self.call, self.worker, self.child = run, name, call, worker, child
        self.on_stage = worker is not None
        self.gate = worker.gate if worker is not None else _thread.allocate_lock()
        self.ended_lock = _thread.allocate_lock()
        self.ended_lock.acquire()
        self.state, self.children, self.told, self.last = READY, 0, 0, -1
        self.answer: Any = None
        self.free: Callable[[], bool] | None = None
        self.timeout: float | None = None
        self.late = self.deciding = False  # while it decides, a finaliser of the code under test may run inside of it

    @property
    def skew(self) -> float:
        """Seconds that sleeps and timeouts have taken in this schedule."""
        return self.run.skew

    def can_go_on(self) -> bool:
        """It waits for nothing that is not there."""
        return self.state == READY and (self.free is None or self.free())

    def finish(self) -> None:
        """Give the turn away for good."""
        self.run.finish(self)

    def wait(self, free: Callable[[], bool], timeout: float | None) -> bool:
        """Let others go on until `free`; False if the timeout ran out."""
        if not self.on_stage:
            self.refuse("setup or outcome waits for a thread")
        return self.run.wait(self, free, timeout)

    def sleep(self, seconds: float) -> None:
        """Let others go on; the clock says that the time has passed."""
        self.run.skew += seconds
        if self.on_stage and self.run.check(self):
            self.run.give_way(self, "sleeps", *self.run.crew.opcodes.place(), long=True)

    def start(self, thread: Any) -> None:
        """One more thread, named after the one that starts it."""
        run = self.run
        if run.over:
            raise Leave
        self.children += 1
        thread._started._flag = True
        run.children[id(thread)] = run.add(f"{self.name}.{self.children}", thread.run, thread)
        if self.on_stage and not run.learning and run.rng.random() < 0.5:
            run.give_way(self, "starts a thread", *run.crew.opcodes.place(), long=False)

    def ended(self, thread: Any) -> Callable[[], bool] | None:
        """Whether a thread that was started here has ended; None for another one."""
        child = self.run.children.get(id(thread))
        return None if child is None else lambda: child.state == DONE

    def refuse(self, why: str) -> None:
        """This program is none for the witness."""
        self.run.refusal = why
        self.run.stop(why)
        raise Leave


class Schedule:
    """`current` has the turn until `count` reaches `alarm` or it comes the `nth` time to `offset` of `code`."""

    def __init__(self, crew: Crew, learned: Learned, seed: int, learning: bool, backwards: bool) -> None:
        self.crew, self.learned, self.learning, self.backwards = crew, learned, learning, backwards
        self.patience = PATIENCE if learning else learned.patience
        self.tasks: list[Task] = []
        self.children: dict[int, Task] = {}
        self.rng = random.Random(seed)
        self.kind = self.rng.choices(("sites", "counts", "often"), (6, 2, 2))[0]
        self.left = self.rng.choices((1, 2, 3, 4), (4, 3, 2, 1))[0]
        self.rate = min(self.rng.choice((0.5, 0.15, 0.05)), MANY / (1 + learned.lengths.total()))
        self.haste = 0 if learning else self.rng.choice((0, 0, 0.3))
        self.count = self.since = self.alarm = self.nth = 0
        self.code: CodeType | None = None
        self.offset = -1
        self.skew = 0.0
        self.current: Task | None = None
        self.mutex, self.finished = _thread.allocate_lock(), _thread.allocate_lock()
        self.finished.acquire()
        self.over, self.end, self.refusal = False, "", ""
        self.rows: list[tuple[str, int, str, CodeType | None, int]] = []
        self.visits: Counter[tuple[str, int, int]] = Counter()
        self.caller = Task(self, "setup", int, None)

    def play(self, setup: Callable, threads: Mapping[str, Callable], outcome: Callable) -> Any:
        """Run it to its `end` ("" where all threads ended); the outcome then."""
        try:
            state = self.crew.as_caller(self.caller, setup)
            named = [self.add(name, functools.partial(call, state)) for name, call in threads.items()]
            with self.mutex:
                first = self.pass_on()
            if first is not None:
                first.gate.release()
            self.watch()
            answers = {task.name: task.answer for task in named}
            return None if self.end else self.crew.as_caller(self.caller, outcome, state, answers)
        except Leave:  # of the caller's own part, which was refused
            return None
        finally:
            self.clear()
            if self.learning:
                self.learned.add(self.visits, self.crew.opcodes.seen)

    def add(self, name: str, call: Callable, child: Any = None) -> Task:
        """One more thread, which starts when it is first given the turn."""
        worker = self.crew.worker()
        worker.task = task = Task(self, name, call, worker, child)
        self.tasks.append(task)
        return task

    def arm(self, task: Task) -> None:
        """Draw the place where the thread that now has the turn will lose it."""
        self.since = task.last = self.count
        self.code, self.offset, gap = None, -1, self.patience
        if not self.learning and self.kind == "often":
            gap = 1 + int(self.rng.expovariate(self.rate))
        elif not self.learning and self.left > 0:
            sites = self.learned.sites.get(task.name)
            if sites and self.kind == "sites":
                self.code, self.offset, visits = self.rng.choice(sites)
                self.nth = self.rng.randint(1, visits)
            else:
                gap = self.rng.randint(1, self.learned.lengths.get(task.name, 100))
        self.alarm = 0 if self.learning else min(self.count + gap, BUDGET)

    def decide(self, task: Task, code: CodeType, offset: int) -> None:
        """`task` is about to execute an instruction at which something may have to happen."""
        if not self.check(task):
            return
        if self.learning:
            self.visits[task.name, id(code), offset] += 1
            if self.count < min(self.since + self.patience, BUDGET):
                return
        elif self.count < self.alarm and code is self.code and offset == self.offset:
            self.nth -= 1
            if self.nth > 0:
                return
        if self.count >= BUDGET:
            with self.mutex:
                self.stop(ENDLESS)
            self.leave(task)
            return
        self.left -= 1
        self.give_way(task, "stops before", code, offset, self.count - self.since >= self.patience)

    def check(self, task: Task) -> bool:
        """Leave a schedule that is over; wait for the turn if it went to others meanwhile. False in clean-up code."""
        if task.deciding:
            return False
        if self.over:
            return self.leave(task)
        if self.current is task:
            return True
        with self.mutex:  # it was taken as blocked, and is back
            task.state = READY
            alone = self.current is None and not self.over
            if alone:
                self.current = task
                self.arm(task)
        if not alone and not self.over:
            task.gate.acquire()
        return not self.over or self.leave(task)

    def leave(self, task: Task, at_once: bool = False) -> bool:
        """Unwind once, so that clean-up code runs in peace; what catches even that is told again. Else False."""
        task.told += 1
        if at_once or task.told % AGAIN == 1:
            raise Leave
        return False

    def give_way(self, task: Task, how: str, code: CodeType | None, offset: int, long: bool) -> None:
        """Let another thread go on, if one can; after a `long` turn also one whose timeout must run out for that."""
        task.deciding = True
        with self.mutex:
            other = None if self.over else self.choose(task, long)
            if other is not None:
                self.note(task, how, code, offset)
                self.current = other
            if not self.over:
                self.arm(other or task)
        task.deciding = False
        if other is not None and other is not task:
            other.gate.release()
            task.gate.acquire()
        if self.over:
            self.leave(task)

    def wait(self, task: Task, free: Callable[[], bool], timeout: float | None) -> bool:
        """Let others go on until `free`; False if the timeout ran out."""
        if task.deciding:
            return False
        self.check(task)
        if self.over:
            self.leave(task, at_once=True)  # clean-up code that waits for what will never come
        task.deciding = True
        with self.mutex:
            task.free, task.timeout, task.late = free, timeout, False
            self.note(task, "waits", *self.crew.opcodes.place())
            other = self.pass_on()
        task.deciding = False
        if other is not task:
            if other is not None:
                other.gate.release()
            task.gate.acquire()
        task.free = None
        if self.over:
            self.leave(task, at_once=True)
        return not task.late

    def pass_on(self) -> Task | None:
        """Give the turn of a thread that ended or waits to the next one (under the mutex)."""
        other = self.current = self.choose()
        if other is not None:
            self.arm(other)
        elif not any(task.state == NATIVE for task in self.tasks):
            waiting = any(task.state != DONE and task.child is None for task in self.tasks)
            self.stop(DEADLOCK if waiting else "")
        return other

    def choose(self, but: Task | None = None, long: bool = True) -> Task | None:
        """A thread that can go on; one whose timeout runs out if there is no other, and sometimes if there is."""
        ready = [task for task in self.tasks if task is not but and task.can_go_on()]
        timed = [t for t in self.tasks if t.state == READY and t.free and t.timeout is not None and t not in ready]
        if timed and ((long and not ready) or self.rng.random() < self.haste):
            task = self.rng.choice(timed)
            task.late, self.skew = True, self.skew + (task.timeout or 0.0)
            return task
        if ready and (self.learning or (long and but is not None)):  # in turn: the others may be spinning too
            return min(reversed(ready) if self.backwards else ready, key=lambda task: task.last)
        return self.rng.choice(ready) if ready else None

    def finish(self, task: Task) -> None:
        """`task` has ended: somebody else goes on, or the schedule is over."""
        other = None
        with self.mutex:
            task.state = DONE
            if not self.over and self.current in (task, None):
                self.note(task, "ends")
                if all(t.state == DONE or (t.child is not None and t.child.daemon) for t in self.tasks):
                    self.stop("")
                else:
                    other = self.pass_on()
        if other is not None:
            other.gate.release()
        task.ended_lock.release()

    def watch(self) -> None:
        """The caller's part: look for a sign of life now and then, and let others go on where there is none."""
        last, silences = -1, 0
        while not self.finished.acquire(timeout=SIGN):
            if self.count != last:
                last, silences = self.count, 0
                continue
            silences += 1
            with self.mutex:
                if self.current is not None:
                    self.note(self.current, "is blocked")
                    self.current.state = NATIVE
                other = self.current = None if self.over else self.choose()
                if other is not None:
                    self.arm(other)
                elif silences >= SILENCES:
                    self.stop(BLOCKED)
            if other is not None:
                other.gate.release()

    def stop(self, end: str) -> None:
        """The schedule is over; the first who says so is right."""
        self.alarm = 0
        if not self.over:
            self.over, self.end = True, end
            self.finished.release()

    def clear(self) -> None:
        """Unwind who has not ended, one after another, and give the threads back."""
        with self.mutex:
            self.over, self.alarm = True, 0
        for task in self.tasks:
            if task.state == READY and task is not self.current:
                task.gate.release()
            if task.ended_lock.acquire(timeout=SIGN):
                self.crew.give_back(task.worker)  # type: ignore[arg-type]
            else:
                self.crew.lose(task)

    def note(self, task: Task, how: str, code: CodeType | None = None, offset: int = 0) -> None:
        """One row of the readable schedule: what ran since the turn last went on."""
        self.rows.append((task.name, self.count - self.since, how, code, offset))

    def text(self) -> str:
        """The schedule to read, a row for each turn; of a long one its beginning and its end."""
        rows = [
            f"{name} ran {n} instruction{'s' * (n != 1)}, {how}{where(code, offset, how == 'stops before')}"
            for name, n, how, code, offset in self.rows
        ]
        if len(rows) > ROWS:
            rows[ROWS // 2 : 1 - ROWS // 2] = [f"… {len(rows) - ROWS + 1} more turns …"]
        return "\n".join(rows)

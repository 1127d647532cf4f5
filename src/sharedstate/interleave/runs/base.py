"""One run of a scenario: its threads, its shared objects, and one step at a time."""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access import keys
from sharedstate.interleave.access.calls import dispatch
from sharedstate.interleave.access.lazy import Lazy
from sharedstate.interleave.access.registry import Registry
from sharedstate.interleave.access.values import LOCK, short
from sharedstate.interleave.later import Later
from sharedstate.interleave.possible import spot
from sharedstate.interleave.rewrite.twin import Program, Twin
from sharedstate.interleave.runs.births import Births
from sharedstate.interleave.runs.lock_table import LockTable
from sharedstate.interleave.runs.sharing import Sharing
from sharedstate.interleave.show.describe import describe, read_then_call
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import PUSH, OutOfSteps, Site
from sharedstate.interleave.source.lookup import is_user_code
from sharedstate.interleave.trace import Step

NOTHING = object()
MOST_TURNS = 100_000


class BaseRun(Sharing, Births, LockTable):
    """A fresh state and its threads, each brought to its first step.

    `log` holds every access as (thread, (object, field), 0 for a read or 1 for a write). `left` says that
    a lock was still held at the end. With
    `record`, `steps` also holds what a learner sees. Subclasses say how a thread's code is carried on.
    """

    __slots__ = (
        "last", "log", "moving", "names", "noting", "preemptions", "program", "record", "recursion", "registry",
        "roots", "running", "schedule", "setup", "since", "sites", "state", "switches", "threads", "version", "watch",
    )  # fmt: skip
    running: Any  # the thread whose turn it is
    rows: Any = Later(list)  # of a run on an event loop: the step that each recorded row belongs to
    broken_at: tuple[int, int, int] | None = None  # steps, preemptions and switches where `always` was violated first
    inspect: Callable[[Any], None] | None = None  # asked after every step
    steps: Any = Later(list)
    marks: Any = Later(list)  # of a recorded run: is a step a switch, and a preemption?
    spots: Any = Later(list)
    entered: Any = Later(dict)  # the functions that were called, in their order
    lazies: Any = Later(weakref.WeakValueDictionary)
    contexts: Any = Later(dict)  # by id(): those that a thread is in by Context.run
    adopted: Any = Later(dict)  # by id(): a generator that setup made, and what it became
    fast = False  # True where go() may be called in place of step()
    real = left = closed = turning = False  # turning: a while loop has begun
    kept: BaseException | None = None
    live: Any = Later(list)

    def __init__(self, program: Program, setup: Callable[[], Any], bodies: dict[str, Any], record: bool) -> None:
        self.program, self.sites, self.record, self.watch = program, program.sites, record, record
        registry = self.registry = Registry(program.layouts)
        self.names = registry.names
        self.log: list[tuple] = []
        self.schedule: list[int] = []
        self.last, self.preemptions, self.switches = -1, 0, 0
        self.setup, self.version = setup, 0
        self.running: Any = None
        self.recursion = 0  # the recursion limit that the code under test has set
        self.noting = True  # what is touched goes into the log
        state = self.state = setup()
        self.threads = [SimThread(i, name) for i, name in enumerate(bodies)]
        self.roots = len(self.threads)
        self.entries = [0] * self.roots
        registry.add(state, type(state).__name__)
        free = program.free
        for body in bodies.values():
            if type(body) is types.FunctionType and body in free:
                registry.names.setdefault(id(body), body.__name__)  # it captures nothing
            else:
                registry.add(body, getattr(body, "__name__", "thread"))
        self.start(list(bodies.values()))

    # -- to be supplied ---------------------------------------------------------------------------

    def start(self, bodies: list[Any]) -> None:
        """Bring every thread to its first step."""
        raise TypeError("Run is used through GeneratorRun or ThreadRun")

    def begin(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """Bring a thread to its first step."""
        raise TypeError("Run is used through GeneratorRun or ThreadRun")

    def advance(self, thread: SimThread, lazy: Lazy, sent: Any = None, error: Any = None) -> Any:
        """The next element of a generator as a tuple of one, or an empty tuple at the end."""
        raise TypeError("Run is used through GeneratorRun or ThreadRun")

    def generator(self, thread: SimThread, function: Any, twin: Any, args: tuple, keywords: dict) -> Any:
        """What a call of a learner's generator function gives."""
        raise TypeError("Run is used through GeneratorRun or ThreadRun")

    def sequence(self, script: Any, called: str) -> Any:
        """A sequence that one of the explorer's scripts works out."""
        raise TypeError("Run is used through GeneratorRun or ThreadRun")

    def drive(self, lazy: Lazy, sent: Any, error: BaseException | None) -> tuple:
        """Carry a generator on at once, for library code: nobody else moves in between."""
        raise TypeError("Run is used through GeneratorRun or ThreadRun")

    def frame_of(self, thread: SimThread, depth: int = 0) -> types.FrameType | None:
        """The frame of the learner's code that makes the request, or of its callers; None if there is none."""
        return None

    def carry_on(self, thread: SimThread) -> None:
        """Do the thread's next step and run it to the one after."""
        raise TypeError("Run is used through GeneratorRun or ThreadRun")

    def locals_of(self, thread: SimThread) -> list[Any]:
        """The values of the thread's local variables now."""
        return []

    def runs_in(self, frame: Any) -> bool:
        """True for the frame of code that a thread is in, though Python takes it for a suspended one."""
        return False

    def cell_value(self, thread: SimThread, name: str) -> Any:
        """The value of a captured variable now."""
        return NOTHING

    # -- stepping -----------------------------------------------------------------------------------

    def enabled(self) -> list[int]:
        """The threads that can take a step now."""
        return [t.index for t in self.threads if not t.done and (t.gate is None or t.gate())]

    def proceed(self, choose: Callable[[list[int]], int], enabled: list[int]) -> bool:
        """Take the step that is chosen, or several; False if -1 is chosen."""
        index = choose(enabled)
        if index < 0:
            return False
        self.move(index, enabled)
        return True

    def move(self, index: int, enabled: list[int]) -> None:
        """Count what it takes that this thread moves next, and let it take its step."""
        switch = index != self.last and self.last >= 0
        preempted = switch and self.last in enabled
        self.switches += switch
        self.preemptions += preempted
        if self.record:
            self.marks.append((switch, preempted))
        self.last = index
        self.step(index)
        if self.inspect is not None:
            self.inspect(self)

    def in_order(self) -> list[SimThread]:
        """The scenario's own threads, by their names."""
        order = self.program.order
        if len(order) != self.roots:
            order[:] = sorted(range(self.roots), key=lambda index: self.threads[index].name)
        return [self.threads[index] for index in order]

    def waiting_for_anybody(self) -> bool:
        """True if a loop waits for a change by any other thread."""
        return self.turning and any(t.spinning >= 0 or t.patient is not None for t in self.threads)

    def step(self, index: int) -> None:
        """Let a thread take its next step; wake the wait loops that may see a change."""
        thread = self.threads[index]
        self.schedule.append(index)
        if self.record or self.watch or len(self.threads) > self.roots or thread.last_tick:
            return self._whole_step(index, thread)
        self.moving, self.since = thread, self.version
        self.carry_on(thread)
        self.moving.own += self.version - self.since  # on real threads, another one may have moved last
        self.settle(self.moving)

    def settle(self, thread: SimThread) -> None:
        """After a step: wake the wait loops that may see a change, and bring up new threads."""
        for other in self.threads:
            if other.spinning >= 0 and other.spinning != self.version:
                self.wake(other)
        if len(self.threads) > self.roots:
            self.settle_births(thread)

    def _whole_step(self, index: int, thread: SimThread) -> None:
        """A step with everything that a record, a wait loop or a child needs."""
        if thread.last_tick and thread.last_tick[0][1] != self.version - thread.quiet:
            thread.last_tick = None
        before, site = len(self.steps), thread.site
        ahead = describe(self.names, thread) if self.record and site is not None else None
        if self.watch:
            self.spots.append(spot(self, thread))
        version = self.version
        if thread.first:
            thread.first = False
            self.log.append((index, (thread.name, "thread"), 1))
        self.carry_on(thread)
        thread.own += self.version - version
        if ahead is not None and len(self.steps) == before:
            self.steps.append(Step(thread.name, *ahead, "raises", site.line, site.where, site.source))
        self.settle(thread)

    def wake(self, thread: SimThread) -> None:
        """Go on with a wait loop, up to its next access."""
        thread.spinning, thread.reason, thread.last_tick = -1, "", None
        thread.perform = thread.gate = None
        self.carry_on(thread)

    def close(self) -> None:
        """Give back the locks that an unfinished schedule holds (a global one would stay locked)."""
        self.closed = True
        if "held" in self.__dict__:
            for lock in self.held.values():
                if type(lock) is LOCK and lock.locked():
                    self.left = True
                    lock.release()
            self.held.clear()
        if self.live and self in self.live:
            self.live.remove(self)
        self.restore()

    # -- for the handlers ---------------------------------------------------------------------------

    call = dispatch  # what a call is: followed, a step, or done at once

    def push(self, thread: SimThread, function: Any, twin: Twin, args: tuple, keywords: dict, post: Any) -> Any:
        """Follow a call of a learner's function; a generator function only makes a generator."""
        if function not in self.entered:
            self.enter(function, twin)
        self.entries[thread.index] += 1
        if twin.generator:
            made = self.generator(thread, function, twin, args, keywords)
            return made if post is None else post(made)
        thread.call = (function, twin, args, keywords, post)
        return PUSH

    def enter(self, function: Any, twin: Twin) -> None:
        """A function is entered for the first time: what it names is shared."""
        self.entered[function] = None
        for name in twin.roots:
            self.registry.add(function.__globals__.get(name), name)
        if "<locals>" not in function.__qualname__:  # else it may be the thread's own
            self.know_function(function, function.__name__)

    def chain(self, thread: SimThread, site: Site, thing: Any, arguments: tuple, keywords: dict) -> Any:
        """Read a field, then call what was found there."""
        thread.call = (read_then_call(site.partner, thing, arguments, keywords),)
        return PUSH

    # -- generators --------------------------------------------------------------------------------------

    def lazy_of(self, thing: Any) -> Lazy | None:
        """The generator behind a generator object; one that setup has made and nobody has begun is taken over."""
        if type(thing) is not types.GeneratorType:
            return None
        found = self.lazies.get(id(thing))
        if found is not None or id(thing) in self.adopted:
            return found or self.adopted[id(thing)][1]
        return self.adopt(thing)

    def adopt(self, generator: Any) -> Lazy | None:
        """Take over a generator made outside; None if it is not a learner's, or has begun."""
        return None

    def turn(self, thread: SimThread, site: Site) -> None:
        """Count a turn of a loop. Raises OutOfSteps where a thread never comes to an end."""
        thread.ticks += 1
        if thread.ticks > MOST_TURNS:
            raise OutOfSteps(f"{site.where} turned {MOST_TURNS:,} times without an end")

    def watched(self, function: Any, arguments: tuple, keywords: dict, call: Callable[..., Any]) -> tuple[Any, str]:
        """Make a library call; also the name of a learner's code that it entered, if it did.

        Nothing is noticed where another tool watches calls.
        """
        if sys.getprofile() is not None:
            return call(self, function, arguments, keywords), ""
        entered: list[str] = []
        known: dict[types.CodeType, bool] = {call.__code__: False}

        def watch(frame: types.FrameType, event: str, _: Any) -> None:
            code = frame.f_code
            if event == "call" and not entered and known.get(code, True):
                known[code] = is_user_code(code)
                if known[code] and not keys.note(self, self.running, frame):
                    entered.append(code.co_qualname)

        sys.setprofile(watch)
        try:
            result = call(self, function, arguments, keywords)
        finally:
            sys.setprofile(None)
        return result, entered[0] if entered else ""

    # -- notes for the learner --------------------------------------------------------------------

    def note(self, thread: SimThread, site: Site, kind: str, thing: Any, name: str, value: Any = NOTHING) -> None:
        """Note an access to a field."""
        path = self.names.get(id(thing)) or type(thing).__name__
        self.note_named(thread, site, kind, f"{path}.{name}" if name else path, value)

    def note_named(self, thread: SimThread, site: Site, kind: str, target: str, value: Any = NOTHING) -> None:
        """Note an access to anything that has a name."""
        text = None if value is NOTHING or (value is None and kind in ("acquire", "release")) else short(value)
        self.steps.append(Step(thread.name, kind, target, text, site.line, site.where, site.source))

    def preview(self, index: int) -> Step | None:
        """What a thread would do next; None if it has ended."""
        thread = self.threads[index]
        if thread.done or thread.site is None:
            return None
        site = thread.site
        return Step(thread.name, *describe(self.names, thread), None, site.line, site.where, site.source)

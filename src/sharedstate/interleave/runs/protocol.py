"""What a run is to those who answer its requests and to those who drive it: the contract that all back ends keep."""

from __future__ import annotations

import types
from collections.abc import Callable, MutableMapping
from typing import Any, Protocol

from sharedstate.interleave.access.registry import Registry
from sharedstate.interleave.rewrite.twin import Program, Twin
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Site
from sharedstate.interleave.trace import Step


class Run(Protocol):
    """One run of a scenario: what it knows, and what can be asked of it.

    `names` says what shared objects are called, by id(); `log` holds (thread, (object, field), mode); `version` grows
    with every change of something shared. With `record` each step is noted for the learner, `running` is the thread
    whose turn it is, `kept` an exception that is handed on as it is, `recursion` the limit that was set. `log` grows
    while `noting` says so. `steps` is the record for a learner, `marks` says of each step if it
    is a switch, and a preemption.
    """

    registry: Registry
    version: int
    record: bool
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
    real: bool  # on real threads
    left: bool
    turning: bool  # a while loop has begun
    live: Any  # the runs that are not closed yet
    roots: int
    running: Any
    closed: bool
    kept: BaseException | None
    recursion: int

    # what the models of locks, queues, threads and pools keep, by id()
    held: dict[int, Any]
    owners: dict[int, list[int]]
    waiters: dict[int, list]
    children: dict[int, SimThread]
    pools: dict[int, Any]
    callbacks: dict[int, list]
    ends: dict[int, int]
    lazies: MutableMapping[int, Any]
    contexts: dict[int, Any]

    # -- calls and generators

    def call(
        self, thread: SimThread, site: Site, function: Any, arguments: tuple, keywords: dict,
        post: Callable[[Any], Any] | None = None,
    ) -> Any:  # fmt: skip
        """Decide what a call is: PUSH (follow it), a step, or done at once; `post` makes its result over."""

    def push(self, thread: SimThread, function: Any, twin: Twin, args: tuple, keywords: dict, post: Any) -> Any:
        """Follow a call of a learner's function."""

    def chain(self, thread: SimThread, site: Site, thing: Any, arguments: tuple, keywords: dict) -> Any:
        """Read a field, then call what was found there."""

    def watched(self, function: Any, arguments: tuple, keywords: dict, call: Callable[..., Any]) -> tuple[Any, str]:
        """Make a library call; also the name of a learner's code that it entered, if it did."""

    def lazy_of(self, thing: Any) -> Any:
        """The generator behind a generator object; None for anything else."""

    def sequence(self, script: Any, called: str) -> Any:
        """A sequence that one of the explorer's scripts works out."""

    def advance(self, thread: SimThread, lazy: Any, sent: Any = None, error: Any = None) -> Any:
        """The next element of a generator as a tuple of one, or an empty tuple at the end."""

    def drive(self, lazy: Any, sent: Any, error: BaseException | None) -> tuple:
        """Carry a generator on at once, for library code: nobody else moves in between."""

    def turn(self, thread: SimThread, site: Site) -> None:
        """Count a turn of a loop."""

    def spawn(self, creator: SimThread, script: Callable[[Any], Any] | None, daemon: bool, called: str = "") -> Any:
        """Start a thread."""

    # -- what is shared

    def meets(self, thread: SimThread, site: Site, thing: Any) -> bool:
        """Note that a thread touches an object that nobody knew to be shared; True if another one has touched it."""

    def changed(self, thread: SimThread, value: Any = None) -> None:
        """Something shared was written; an object stored there can be reached by others now."""

    def learn(self, value: Any, name: str) -> None:
        """Something that came from where everybody can get it."""

    def learn_part(self, value: Any, name: str) -> None:
        """An element of something shared; of a tuple, its parts."""

    def know_class(self, cls: type) -> None:
        """A learner's class whose data is shared."""

    def know_fields(self, thing: Any, fields: Any) -> None:
        """The dictionary of an object's fields: what is done to it is done to the object."""

    def alias(self, thing: Any, fields: dict) -> None:
        """An object whose fields are a shared dictionary: it is that dictionary."""

    def remember(self, thing: Any, *fields: str) -> None:
        """Keep fields of a library object as they are now, to put them back when the run is closed."""

    def with_local(self, thread: SimThread, local: Any, action: Callable[[], Any]) -> Any:
        """Do something with a thread's own copy of a threading.local."""

    # -- locks

    def name_of(self, lock: Any) -> str:
        """A lock's name."""

    def free(self, thread: SimThread | None, lock: Any) -> bool:
        """True if the lock can be taken (by this thread, for an RLock)."""

    def depth(self, thread: SimThread, lock: Any) -> int:
        """How often this thread holds an RLock now; 0 for a plain lock."""

    def take(self, thread: SimThread, lock: Any) -> bool:
        """Take a lock if it is free."""

    def give(self, thread: SimThread, lock: Any) -> None:
        """Give a lock back."""

    # -- frames, and notes for the learner

    def frame_of(self, thread: SimThread, depth: int = 0) -> types.FrameType | None:
        """The frame of the learner's code that makes the request, or of its callers."""

    def runs_in(self, frame: types.FrameType) -> bool:
        """True for the frame of code that a thread is in."""

    def locals_of(self, thread: SimThread) -> list[Any]:
        """The values of the thread's local variables now."""

    def cell_value(self, thread: SimThread, name: str) -> Any:
        """The value of a captured variable now."""

    def note(self, thread: SimThread, site: Site, kind: str, thing: Any, name: str, value: Any = ...) -> None:
        """Note an access to a field."""

    def note_named(self, thread: SimThread, site: Site, kind: str, target: str, value: Any = ...) -> None:
        """Note an access to anything that has a name."""

    # -- driven by a schedule

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

    def preview(self, index: int) -> Step | None:
        """What a thread would do next; None if it has ended."""

    def owner_of(self, target: str) -> Any:
        """The shared object whose field a target names; None for a global or a captured variable."""

    def close(self) -> None:
        """Give back the locks that an unfinished schedule holds."""

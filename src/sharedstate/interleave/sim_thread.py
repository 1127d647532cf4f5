"""One simulated thread of a run."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.later import Later
from sharedstate.interleave.sites import READY, Site


class SimThread:
    """One simulated thread: what it waits to do next, and its answer.

    `child`: started by another thread; `daemon`: its waiting at the end is no deadlock; `own` and `quiet` count its
    changes, all and those that undo one another, `effects` what it did to objects of its own, `timeouts` its waits with
    a timeout; `patient`: the others' changes when a loop of its waits began to turn without effect; `returned` is what
    the last iterator gave at its end; its context variables are those of its `context`.
    """

    child = daemon = ended = first = False
    quiet = timeouts = 0
    patient: int | None = None
    body: tuple[Callable[..., Any], tuple] | None = None
    thing: Any = None
    origin: Any = None
    task: Any = None
    target_task: Any = None
    begun = spun = False
    turn: Any = None  # the last turn of a loop, and where the log was then
    awaiting: Any = None  # what a turn without effect has looked at
    looked: tuple = ()
    turns = 0  # of a loop, while nobody else moved
    at_turn = -1
    emitted: tuple = ()
    script: Callable[[Any], Any] | None = None
    offspring = 0
    kind = target = reason = ""
    parked = born = False
    ticks = effects = loops = 0
    returned: Any = None
    callee: Any = None
    lock: Any = None
    frame: Any = None
    locals: Any = Later(dict)  # of a threading.local, by id(): the thread's own fields
    touched: Any = Later(list)
    context: Any = Later(contextvars.Context)
    inside = False  # code runs in that context just now
    driven: Any = None

    call: tuple = ()
    sent: Any = None
    thrown: Any = None

    def __init__(self, index: int, name: str) -> None:
        self.index, self.name = index, name
        self.stack: list[Any] = []
        self.site: Any = None
        self.request: tuple = ()
        self.perform: Any = None
        self.gate: Callable[[], bool] | None = None
        self.generator: Any = None
        self.done = self.raised = False
        self.own, self.spinning = 0, -1
        self.answer: object = None
        self.last_tick: tuple | None = None
        self.handled: BaseException | None = None

    def within(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call something where the thread's own context variables are the current ones."""
        if self.inside:
            return function(*arguments)
        self.inside = True
        try:
            return self.context.run(function, *arguments)
        finally:
            self.inside = False

    def wait(self, site: Site, perform: Any, gate: Any, kind: str, target: str) -> Any:
        """Set the next step to something other than the site's own access."""
        self.site, self.request, self.perform, self.gate = site, (), perform, gate
        self.lock = None
        self.kind, self.target = kind, target
        return READY

    def take(self, site: Site, request: tuple, perform: Any) -> Any:
        """Set the next step to a plain access of what is asked for."""
        self.site, self.request, self.perform, self.gate = site, request, perform, None
        return READY

    def finish(self, answer: object, raised: bool = False) -> None:
        """The thread has ended with this answer, or with an exception that escaped it."""
        self.answer, self.done, self.raised, self.site, self.generator = answer, True, raised, None, None

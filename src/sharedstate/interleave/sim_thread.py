"""One simulated thread of a run."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.family import Kin
from sharedstate.interleave.later import Later
from sharedstate.interleave.sites import READY, Site


class SimThread(Kin):
    """One simulated thread: what it waits to do next, and its answer.

    `effects` counts what it did to objects of its own; `returned` is what the last iterator gave at its end; its
    context variables are those of its `context`.
    """

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

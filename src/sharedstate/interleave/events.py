"""Steps as events: what each touched, what happened before it, and which pairs race."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sharedstate.interleave.sites import ANYTHING

Clock = dict[str, int]


@dataclass(slots=True, eq=False)
class Event:
    """One step: what it `touched`, as ((object, field), 0 read or 1 write); empty if that is not known.

    `role` is acquire or release for a lock, `gated` marks any other step that had to wait for its turn.
    `known` is the vector clock of the thread before the step, `clock` the one after it; `number` counts the
    thread's own steps from 1.
    """

    thread: str
    role: str = ""
    gated: bool = False
    touched: tuple[tuple[tuple[str, str], int], ...] = ()
    number: int = 0
    known: Clock = field(default_factory=dict)
    clock: Clock = field(default_factory=dict)

    def conflicts(self, other: Event) -> bool:
        """True if the order of the two steps can matter."""
        mine, theirs = self.touched, other.touched
        if self.thread == other.thread or not mine or not theirs:
            return True
        if len(mine) == len(theirs) == 1:
            return (mine[0][1] or theirs[0][1]) and _meet(mine[0][0], theirs[0][0])
        return any((m or t) and _meet(key, other_key) for key, m in mine for other_key, t in theirs)


def _meet(key: tuple[str, str], other: tuple[str, str]) -> bool:
    """True if two keys name the same field, or one of them a whole object, or anything at all."""
    if ANYTHING in (key, other):
        return True
    return key == other or (key[0] == other[0] and (key[1] == "*" or other[1] == "*"))


def first_event(run: Any, index: int) -> Event:
    """The event of a thread's next step, before it is taken."""
    thread = run.threads[index]
    taking = thread.kind == "acquire" and thread.lock is not None and not thread.request
    role = "acquire" if taking else "release" if thread.kind == "release" and not thread.request else ""
    return Event(thread.name, role, thread.gate is not None and not taking)


def pending(run: Any, thread: Any) -> Event:
    """The step that a thread waits for, with what it would touch; unknown if its model does not say."""
    event = first_event(run, thread.index)
    if event.role == "acquire":
        event.touched = (((run.name_of(thread.lock), "lock"), 1),)
    else:
        keys = getattr(getattr(thread.perform, "__self__", None), "keys", ())
        event.touched = tuple((key, 1) for key in keys)
    return event


def join(clock: Clock, other: Clock) -> None:
    """Take over everything that `other` knows."""
    for name, number in other.items():
        if number > clock.get(name, 0):
            clock[name] = number


def happens_before(first: Event, second: Event) -> bool:
    """True if `first` comes before `second` in every execution of the class."""
    return second.clock.get(first.thread, 0) >= first.number


def apart(first: Event, second: Event) -> bool:
    """True for an unlock and a later lock: never possible in the same state, so their order is no race."""
    return first.role == "release" and second.role == "acquire"


def races(event: Event, before: list[Any]) -> list[int]:
    """The places of earlier steps that could as well have come after `event`, the latest first.

    Only direct ones: what happened before another rival is left to that rival's own races. A rival that had to
    come first (it let this step go on) hides nothing, so behind it the search for rivals goes on.
    """
    known, found = dict(event.known), []
    for place in range(len(before) - 1, -1, -1):
        earlier = before[place]
        if earlier.thread == event.thread or earlier.number <= known.get(earlier.thread, 0):
            continue
        if apart(earlier, event) or not earlier.conflicts(event):
            continue
        found.append(place)
        if not event.gated and (event.role != "acquire" or earlier.role == "acquire"):
            join(known, earlier.clock)
    return found


def initials(between: list[Any], event: Event) -> list[str]:
    """The threads that can come first in an execution of `between` followed by `event`."""
    reach = dict(event.known)
    for earlier in between:
        if earlier.conflicts(event) and not apart(earlier, event):
            join(reach, earlier.clock)
    starters: list[str] = []
    seen: set[str] = set()
    for place, step in enumerate([*between, event]):
        if step.thread in seen:
            continue
        seen.add(step.thread)
        clock = reach if step is event else step.clock
        if not any(clock.get(e.thread, 0) >= e.number for e in between[:place]):
            starters.append(step.thread)
    return starters

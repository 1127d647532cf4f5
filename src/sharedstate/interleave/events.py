"""Steps as events: what each touched, what happened before it, and which pairs race.

Sets of places in an execution are whole numbers, one bit for each place: a search asks these questions at every
step, and for a set of bits the answer is one operation.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharedstate.interleave.access.places import Key, meet
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import ANYTHING

Touched = tuple[tuple[Key, int], ...]


@dataclass(slots=True, eq=False)
class Event:
    """One step: what it `touched`, as ((object, field), 0 read or 1 write); empty if that is not known.

    `role` is acquire or release for a lock, `gated` marks any other step that had to wait for its turn.
    `kind` numbers what it touched (see Kinds), `past` holds the places that happen before it, and its own.
    """

    thread: str
    role: str = ""
    gated: bool = False
    touched: Touched = ()
    kind: int = -1
    past: int = 0


def clash(mine: Touched, theirs: Touched) -> bool:
    """True if the order of two steps that touched these can matter; what is not known may be anything."""
    if not mine or not theirs:
        return True
    return any((m or t) and _meet(key, other) for key, m in mine for other, t in theirs)


def _meet(key: Key, other: Key) -> bool:
    """True if two keys have something in common; a step that ran code nobody followed may have touched anything."""
    return ANYTHING in (key, other) or meet(key, other)


def apart(first: str, second: str) -> bool:
    """True for an unlock and a later lock: never possible in the same state, so their order is no race."""
    return first == "release" and second == "acquire"


class Kinds:
    """What steps touch, numbered. For each kind: the kinds that conflict with it, and those that race with it.

    `conflicting` and `racing` are sets of kinds as bits; a kind races with an earlier one that it conflicts with
    unless the two are `apart`.
    """

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, Touched], int] = {}
        self.conflicting: list[int] = []
        self.racing: list[int] = []

    def number(self, event: Event) -> int:
        """The number of an event's kind."""
        key = (event.role, event.touched)
        known = self.numbers.get(key)
        return self._add(key) if known is None else known

    def _add(self, key: tuple[str, Touched]) -> int:
        """Compare a new kind with all that are known."""
        new = self.numbers[key] = len(self.numbers)
        self.conflicting.append(0)
        self.racing.append(0)
        for other, number in self.numbers.items():
            if clash(key[1], other[1]):
                self.conflicting[new] |= 1 << number
                self.conflicting[number] |= 1 << new
                self.racing[new] |= (not apart(other[0], key[0])) << number
                self.racing[number] |= (not apart(key[0], other[0])) << new
        return new


class History:
    """The events of one execution, in their order: who happens before whom, and who races."""

    def __init__(self) -> None:
        self.kinds = Kinds()
        self.events: list[Event] = []
        self.of_kind: list[int] = []
        self.of_thread: dict[str, int] = {}
        self.births: dict[str, int] = {}

    def conflict(self, one: Event, other: Event) -> bool:
        """True if the order of two steps can matter."""
        return one.thread == other.thread or bool(self.kinds.conflicting[one.kind] >> other.kind & 1)

    def adopt(self, event: Event) -> None:
        """Number an event that was made elsewhere."""
        event.kind = self.kinds.number(event)

    def add(self, event: Event) -> tuple[list[int], int]:
        """Put an event at the end; return the places of its rivals, the latest first, and what it knew before."""
        events, of_kind, of_thread = self.events, self.of_kind, self.of_thread
        kind = event.kind = self.kinds.number(event)
        known = past = self.known(event.thread)
        near = self._places(self.kinds.conflicting[kind])
        rest = near & ~known
        rivals = self._rivals(event, known, near) if rest else []
        while rest:
            past |= events[rest.bit_length() - 1].past
            rest &= ~past
        bit = 1 << len(events)
        event.past = past | bit
        events.append(event)
        while len(of_kind) <= kind:
            of_kind.append(0)
        of_kind[kind] |= bit
        of_thread[event.thread] = of_thread.get(event.thread, 0) | bit
        return rivals, known

    def cut(self, length: int) -> None:
        """Forget everything from this place on."""
        kept = (1 << length) - 1
        for event in self.events[length:]:
            self.of_kind[event.kind] &= kept
            self.of_thread[event.thread] &= kept
        del self.events[length:]

    def known(self, thread: str) -> int:
        """The places that a thread's next step comes after in any case: its own past, or its creator's."""
        own = self.of_thread.get(thread, 0)
        return self.events[own.bit_length() - 1].past if own else self.births.get(thread, 0)

    def _places(self, kinds: int) -> int:
        """The places of these kinds."""
        places = 0
        for bits in self.of_kind:
            if kinds & 1:
                places |= bits
            kinds >>= 1
        return places

    def rivals(self, event: Event, known: int) -> list[int]:
        """The places of earlier steps that could as well have come after an event, the latest first.

        Only direct ones: what happened before another rival is left to that rival's own races.
        """
        return self._rivals(event, known, self._places(self.kinds.conflicting[event.kind]))

    def _rivals(self, event: Event, known: int, near: int) -> list[int]:
        """The rivals among the places `near`, those that conflict with the event."""
        if self.kinds.racing[event.kind] != self.kinds.conflicting[event.kind]:
            near = self._places(self.kinds.racing[event.kind])
        found = []
        rest = near & ~known & ~self.of_thread.get(event.thread, 0)
        while rest:
            place = rest.bit_length() - 1
            found.append(place)
            rest &= ~(self.events[place].past if hides(event, self.events[place]) else 1 << place)
        return found

    def initials(self, rival: int, event: Event, known: int) -> list[str]:
        """The threads that can come first if an event is to come before its rival.

        `known` is what the event's thread knew before it; the event itself need not be in the history.
        """
        racing, between, starters = self.kinds.racing[event.kind], 0, dict[str, bool]()
        for place in range(rival + 1, len(self.events)):
            earlier = self.events[place]
            if earlier is event or earlier.past >> rival & 1:
                continue
            if earlier.thread not in starters:
                starters[earlier.thread] = not earlier.past & between
            if racing >> earlier.kind & 1:
                known |= earlier.past
            between |= 1 << place
        starters.setdefault(event.thread, not known & between)
        return [name for name, first in starters.items() if first]


def hides(event: Event, rival: Event) -> bool:
    """True if the races of an event with what came before its rival are the rival's own.

    A rival that had to come first (it let this step go on) hides nothing.
    """
    return not event.gated and (event.role != "acquire" or rival.role == "acquire")


def first_event(run: Run, index: int) -> Event:
    """The event of a thread's next step, before it is taken."""
    thread = run.threads[index]
    if thread.request:  # a plain access
        return Event(thread.name, "", thread.gate is not None)
    taking = thread.kind == "acquire" and thread.lock is not None
    role = "acquire" if taking else "release" if thread.kind == "release" else ""
    return Event(thread.name, role, thread.gate is not None and not taking)


def pending(run: Run, thread: SimThread) -> Event:
    """The step that a thread waits for, with what it would touch; unknown if its model does not say."""
    event = first_event(run, thread.index)
    if event.role == "acquire":
        event.touched = (((run.name_of(thread.lock), "lock"), 1),)
    elif thread.looked:
        event.touched = tuple((key, 0) for key in thread.looked)
    else:
        keys = getattr(getattr(thread.perform, "__self__", None), "keys", ())
        event.touched = tuple((key, 1) for key in keys)
    return event

"""Loops that wait: a turn that changed nothing is taken again when something that it looked at has changed.

Where a turn only looked at shared things, it waits for a change of one of these, and for nothing else: what others do
elsewhere does not concern it, and so the search can still leave their order aside. A turn that also changed something
and changed it back waits for a change by anybody.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access import locks
from sharedstate.interleave.access.places import READ, Key, meet
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import ANYTHING, Site

MOST_TURNS = 100_000  # of while loops, in one schedule
# Turns of a loop while others could move: with the same local variables, with other ones.
MOST_SAME, MOST_OTHER = 24, 128
Seen = dict[Key, int]
GIVES_WAY = (("the others", "*"),)


def tick(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """One turn of a `while` loop."""
    thread.loops += 1
    if thread.loops > MOST_TURNS:
        return locks.stuck(thread, site, f"{site.where} turned {MOST_TURNS:,} times without an end")
    run.program.looping = run.turning = True
    values = run.locals_of(thread)
    now = (site.index, run.version - thread.quiet, thread.effects)
    before, thread.last_tick = thread.last_tick, (now, values, thread.timeouts)
    turn, thread.turn = thread.turn, (site.index, thread.effects, thread.timeouts, values, len(run.log))
    thread.patient = None
    if _unfair(run, thread, site, turn):
        return None
    if turn is not None and run.noting and not run.asynchronous and turn[:3] == thread.turn[:3]:
        seen = _looked_at(run, thread, turn[4]) if _same(turn[3], values) else None
        if seen:
            thread.awaiting, thread.last_tick = seen, None
            thread.reason = f"waits in a loop ({site.where})"
            return None
    if before is None or before[0] != now or not _same(before[1], values):
        return None
    if thread.timeouts != before[2]:
        thread.patient = run.version - thread.own
        return None
    return locks.spin(run, thread, site)


def _unfair(run: Run, thread: SimThread, site: Site, turn: tuple | None) -> bool:
    """True if a loop has gone on for so long while others could move: now one of them has to."""
    if run.asynchronous or turn is None or turn[0] != site.index or len(run.schedule) == thread.at_turn:
        thread.at_turn = len(run.schedule)
        return False
    moved = run.schedule[thread.at_turn :]
    thread.at_turn = len(run.schedule)
    thread.turns = 0 if any(index != thread.index for index in moved) else thread.turns + 1
    same = _same(turn[3], thread.turn[3])
    most = MOST_SAME if same else MOST_OTHER
    if thread.turns < most or not _others(run, thread):
        return False
    thread.turns = 0
    bound = f"a loop that goes on while another thread could move turns at most {most} times ({site.where})"
    run.program.blocking.setdefault(bound)
    thread.awaiting, thread.last_tick = _another_moves, None
    return True


def _others(run: Run, thread: SimThread) -> bool:
    """True if another thread could move; one that gives way itself could."""
    return any(
        not other.done and other is not thread and (other.gate is None or other.looked is GIVES_WAY or other.gate())
        for other in run.threads
    )


def _another_moves(run: Run, thread: SimThread) -> Callable[[], bool]:
    """Whether another thread has moved, or none can."""
    schedule, place, found = run.schedule, len(run.schedule), False

    def moved() -> bool:
        nonlocal place, found
        while not found and place < len(schedule):
            found = schedule[place] != thread.index
            place += 1
        return found or not _others(run, thread)

    return moved


def _same(before: list[Any], now: list[Any]) -> bool:
    """True if the local variables are the same objects as before."""
    return len(before) == len(now) and all(map(operator.is_, before, now))


def _looked_at(run: Run, thread: SimThread, start: int) -> Seen | None:
    """What a thread has looked at from this place of the log on, and where first; None if it changed something."""
    seen: Seen = {}
    for place in range(start, len(run.log)):
        index, key, mode = run.log[place]
        if index == thread.index:
            if mode:
                return None
            seen.setdefault(key, place)
    return seen


def arm(run: Run, thread: SimThread) -> None:
    """The first step of the next turn is possible once something has changed that the last one looked at."""
    waits, thread.awaiting = thread.awaiting, None
    if thread.done or thread.perform is None:
        thread.reason = ""
        return
    seen = () if callable(waits) else waits
    perform, gate = thread.perform, thread.gate
    changed = waits(run, thread) if callable(waits) else _changed(run, thread, waits)

    def begin(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
        thread.reason, thread.looked = "", ()
        run.log.extend((thread.index, key, READ) for key in seen)
        return perform(run, thread, site, request)

    thread.looked = tuple(seen) or GIVES_WAY
    thread.perform, thread.gate = begin, lambda: changed() and (gate is None or gate())


def _changed(run: Run, thread: SimThread, seen: Seen) -> Callable[[], bool]:
    """Whether another thread has written, after it was looked at, something that was looked at."""
    log, place, found = run.log, min(seen.values()), False

    def changed() -> bool:
        nonlocal place, found
        while not found and place < len(log):
            index, key, mode = log[place]
            if mode and index != thread.index:
                found = any(
                    place > when and (key == ANYTHING or meet(key, looked)) for looked, when in seen.items()
                )
            place += 1
        return found

    return changed

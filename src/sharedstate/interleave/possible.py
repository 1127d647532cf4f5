"""Could this interpreter switch here today? Judged for every switch, from the bytecode in the gap.

With a GIL, CPython 3.10 and later looks for other threads at backward jumps, at calls and on entry to a
Python function only. A switch is *not today* only if everything between a thread's last access before it
and the thread's next access is known to be free of these, and of Python code that runs unseen (a property,
`__eq__`, a finaliser). Everything else is *possible*: it is not excluded, which does not promise a switch.
"""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sharedstate.interleave import hooks
from sharedstate.interleave.access.values import LOCK, RLOCK
from sharedstate.interleave.hooks import Seen
from sharedstate.interleave.sites import Site
from sharedstate.interleave.source.bytecode import Listing, Span
from sharedstate.interleave.source.lookup import is_own
from sharedstate.switch_points import gil_enabled, kind_of

IN_C = (
    types.BuiltinFunctionType, types.MethodWrapperType, types.MethodDescriptorType,
    types.WrapperDescriptorType,
)  # fmt: skip
PLAIN = ("read", "write", "delete", "call", "release")
AWAITS = ("YIELD_VALUE", "SEND", "GET_AWAITABLE")
REASONS = (
    ("entry", "a function is entered"),
    ("loop", "a loop turns"),
    ("call", "something is called"),
)


@dataclass(frozen=True)
class Place:
    """Where a frame of the learner's stands: its code (None if unknown) and the place in the source."""

    code: Any
    span: Span


@dataclass(frozen=True)
class Spot:
    """A thread about to make an access: its frames, outermost first, and how many calls it has entered.

    `python`: the access is a call of Python code that is taken as one step.
    """

    entries: int
    site: Site
    frames: tuple[tuple[Any, int], ...]
    seen: Seen
    python: bool = False


@dataclass(frozen=True)
class Judgement:
    """Per step: is the switch before it possible (None: there is none)? And a sentence about all."""

    steps: tuple[bool | None, ...]
    here: str


def spot(run: Any, thread: Any) -> Spot | None:
    """Note where a thread stands, before its access is made. None for a thread that has ended."""
    if thread.done or thread.site is None:
        return None
    frames = frames_of(thread)
    values = thread.request[1:2] if thread.site.op in ("write", "set_item", "global_write") else ()
    local = frames[-1].f_locals if frames else {}
    variables = {name: value for name, value in local.items() if not name.startswith("ss_")}
    places = tuple((f.f_code, f.f_lasti) for f in frames)
    return Spot(run.entries[thread.index], thread.site, places, Seen.of(variables, values), _enters(thread))


def _enters(thread: Any) -> bool:
    """True if the next step is a call that may enter Python code; a Lock and an RLock are written in C."""
    if thread.request:
        return False
    if thread.kind == "call":
        return not isinstance(thread.callee, IN_C)
    return thread.kind != "release" and not isinstance(thread.lock, (LOCK, RLOCK))


def frames_of(thread: Any) -> list[Any]:
    """The frames of a thread's rewritten functions, outermost first; the explorer's own are left out."""
    found = []
    if thread.frame is not None:
        frame = thread.frame
        while frame is not None:
            found.append(frame)
            frame = frame.f_back
        found.reverse()
    for generator in [*(pair[0] for pair in thread.stack), thread.generator]:
        while (frame := getattr(generator, "gi_frame", None)) is not None:
            found.append(frame)
            generator = generator.gi_yieldfrom
    return [frame for frame in found if not is_own(frame.f_code.co_filename)]


def places_of(spot: Spot, known: dict[Any, Any]) -> tuple[Place, ...]:
    """Translate frames of rewritten code to places in the learner's; `known` maps the one to the other."""
    found = []
    for code, last in spot.frames:
        nowhere = (0, 0, 0, 0)
        where = next(itertools.islice(code.co_positions(), last // 2, None), nowhere) if last >= 0 else nowhere
        line, end, column, stop = (part or 0 for part in where)
        found.append(Place(known.get(code), (line, end, column, stop)))
    return tuple(found)


def interpreter(gil: bool | None = None) -> str:
    """The interpreter that is judged: "CPython 3.11 with its GIL"."""
    on = gil_enabled() if gil is None else gil
    name = {"cpython": "CPython"}.get(sys.implementation.name, sys.implementation.name)
    return f"{name} {sys.version_info[0]}.{sys.version_info[1]} {'with its GIL' if on else 'without a GIL'}"


def judge(run: Any, marks: list[tuple[bool, bool]], gil: bool | None = None) -> Judgement:
    """Judge every switch of a recorded run. `marks` says per step if it is a switch, and a preemption.

    gil: True or False judges that kind of interpreter, None the running one.
    """
    on = gil_enabled() if gil is None else gil
    listings: dict[Any, Listing] = {}
    verdicts: list[bool | None] = []
    closed: list[tuple[int, int | None]] = []
    for k, (switch, preempted) in enumerate(marks):
        if not switch:
            verdicts.append(None)
            continue
        following = next((n for n in range(k, len(marks)) if run.schedule[n] == run.schedule[k - 1]), None)
        why = _open(run, k - 1, following, listings) if preempted and on else "it need not be interrupted"
        verdicts.append(bool(why))
        closed += [] if why else [(k - 1, following)]
    switches = any(switch for switch, _ in marks)
    return Judgement(tuple(verdicts), _sentence(run, closed, interpreter(gil)) if switches else "")


def _open(run: Any, before: int, following: int | None, listings: dict[Any, Listing]) -> str:
    """Why the thread of step `before` can be interrupted before its next step; empty if it cannot."""
    thread = run.threads[run.schedule[before]]
    first = run.spots[before]
    last = run.spots[following] if following is not None else spot(run, thread)
    if first is None or last is None:
        return "it is not known what comes next"
    if run.steps[before].kind not in PLAIN:
        return "it may have waited there"
    known = {twin.code: code for code, twin in run.program.twins.items() if twin is not None}
    return gap(first, last, places_of(first, known), places_of(last, known), listings)


def gap(
    first: Spot, last: Spot, starts: tuple[Place, ...], ends: tuple[Place, ...], listings: dict[Any, Listing]
) -> str:
    """What lets others in between two accesses of one thread, in words; empty if nothing does."""
    if first.entries != last.entries or last.python:
        return "a function is entered"
    depth = len(ends)
    same = all(a.code is b.code and a.code for a, b in zip(starts, ends, strict=False))
    if not depth or depth > len(starts) or not same or not all(place.code for place in starts):
        return "it is not known what lies between"
    seen = first.seen | last.seen
    for level in range(len(starts) - 1, depth - 2, -1):
        code = starts[level].code
        listing = listings.get(code) or listings.setdefault(code, Listing.of(code))
        here, access, final = starts[level].span, level == len(starts) - 1, level == depth - 1
        begin = _find(listing, first.site, here) if access else listing.following(here)
        goals = _find(listing, last.site, ends[level].span) if final else listing.ends()
        why = _walk(listing, begin, goals, access, final, seen, first.site.globals)
        if why:
            return why
    return ""


def _find(listing: Listing, site: Site, span: Span) -> list[int]:
    """The instructions of a request."""
    return listing.find(site.op, site.name, span)


def _walk(
    listing: Listing, starts: list[int], goals: list[int], access: bool, final: bool, seen: Seen, scope: dict
) -> str:
    """Judge the way inside one frame, from an access (or a call that returned) to the next or to the end."""
    if not starts or not goals:
        return "it is not known what lies between"
    ways = [(start, way) for start in starts if (way := listing.between(start, goals)) is not None]
    for start, way in ways:
        inside = [*([start] if access else []), *sorted(way)]
        why = next(_reasons(listing, inside, goals if final else [], seen, scope), "")
        if why:
            return why
    return "" if ways else "it is not known what lies between"


def _reasons(listing: Listing, inside: list[int], goals: list[int], seen: Seen, scope: dict) -> Iterator[str]:
    """What lets others in, of these instructions (a goal counts for what runs before its access)."""
    words = dict(REASONS)
    for k in inside:
        i = listing.instructions[k]
        kind = kind_of(i.opname, i.arg) if i.opname != "PRECALL" else None
        if kind == "call" and listing.is_silent_call(k, scope):
            kind = None
        if kind in words:
            line = f", line {i.positions.lineno}" if i.positions and i.positions.lineno else ""
            yield words[kind] + line
        if i.opname in AWAITS:
            yield "it gives others a turn"
        if why := hooks.hidden(listing, k, seen):
            yield why
    for k in goals:
        if why := hooks.hidden(listing, k, seen, before=True):
            yield why


def _sentence(run: Any, closed: list[tuple[int, int | None]], name: str) -> str:
    """What is said about a whole schedule."""
    if not closed:
        return f"possible on this interpreter ({name})"
    before, following = closed[0]
    first = run.steps[before]
    after = run.steps[following].line if following is not None else None
    lines = f"lines {first.line} and {after}" if after not in (None, first.line) else f"line {first.line}"
    steps = f"step {before + 1} and the next"
    if following is not None:
        steps = f"steps {before + 1} and {following + 1}"
    more = f", and {len(closed) - 1} more such switch{'es' * (len(closed) > 2)}" if len(closed) > 1 else ""
    return f"not today on {name}: no switch point between {first.thread}'s {steps} ({lines}){more}"

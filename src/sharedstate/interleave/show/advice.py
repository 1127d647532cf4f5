"""What to fix, in words: the pair to blame, what was interrupted, and what would close the gap."""

from __future__ import annotations

from types import MappingProxyType

from sharedstate.interleave.schedule import Schedule, Step
from sharedstate.interleave.show.knot import Knot, Wait, knot
from sharedstate.interleave.show.words import access, place, short_names

MEANING = MappingProxyType({
    "broken": "a schedule exists in which what must never happen does happen",
    "deadlock": "a schedule exists after which nobody can move",
    "no progress": "a schedule exists in which a thread waits or runs for ever without getting anywhere",
    "not deterministic": "the same schedule did not do the same thing twice, so nothing can be said",
    "raised": "a schedule exists in which an exception escapes from a thread",
    "not instrumented": "code under test could not be rewritten, so nothing was shown",
    "proved if": "no schedule breaks it, if the calls named here touch nothing that another thread changes",
    "not proved": "the untouched code did something that the search does not know",
    "ran out": "nothing bad was seen, but not everything was tried: no proof",
    "bounded": "nothing bad was seen with so few preemptions: no proof beyond that bound",
    "proved": "no schedule of the accesses breaks it, each access and each call into C taken as one step",
})  # fmt: skip
DATA = ("read", "write", "delete", "call", "put", "get")
ADVICE = MappingProxyType({
    "not instrumented": "Code under test could not be rewritten, so nothing was shown. Put its functions "
    "in a file that can be read, and leave out what is named above.",
    "raised": "An exception escaped from a thread. If exceptions are answers in your program, say "
    'Scenario(…, exceptions="answers").',
    "proved if": "Nothing bad was seen, but a call that was not followed could reach shared state. Follow "
    'its package with Scenario(…, follow=["package"]), or say accept_assumptions=True if the sentences '
    "above are right for your program.",
    "not proved": "The untouched code, parted between single bytecodes, did something that the search does "
    "not know. Please report it: the program, and the schedule above.",
    "not deterministic": "The same schedule did not do the same thing twice. Take time, random numbers, "
    "the order of a set and input from outside out of the code under test, or fix them in setup.",
    "ran out": "Nothing bad was seen, but not everything was tried, so nothing is proved. Make the "
    "program smaller (two threads, one call each), or raise executions=… and seconds=….",
    "bounded": "Nothing bad was seen with so few preemptions, and that is not a proof. Drop the bound, "
    "or say accept_bounded=True if this bound is what you want to hold to.",
})


def what_to_fix(verdict: str, trace: Schedule | None) -> list[str]:
    """Sentences that say what to change; none for a program that is proved."""
    if trace is None or verdict not in ("broken", "deadlock", "no progress"):
        return [ADVICE[verdict]] if verdict in ADVICE else []
    names = short_names(trace)
    found = knot(trace)
    if found is not None:
        return _stuck(trace, found, names)
    return [*_pair(trace, names), *_gaps(trace, names), *_remedy(trace, names)]


def _pair(trace: Schedule, names: dict[str, str]) -> list[str]:
    """The pair to blame."""
    pair = [(k, step) for k, step in enumerate(trace.steps, 1) if step.blame]
    if len(pair) != 2:
        return ["No single pair of accesses is to blame: flipping any one of them leaves the failure."]
    (i, first), (j, second) = pair
    return [
        f"Step {i}: {_does(first, names)}. Step {j}: {_does(second, names)}. "
        "Flip these two and the failure is gone (this was checked)."
    ]


def _does(step: Step, names: dict[str, str]) -> str:
    return f"{step.thread} {access(step, names)} ({place(step)})"


def is_data(step: Step) -> bool:
    """True for an access to something shared; a thread's start, a lock or an await is none."""
    return step.kind in DATA and bool(step.target)


def gaps(trace: Schedule) -> list[tuple[Step, Step]]:
    """The last access before each interruption, and the same thread's next one."""
    found = []
    for k, step in enumerate(trace.steps):
        if step.preemption:
            before = trace.steps[k - 1]
            coming = [one for one in trace.steps[k:] if one.thread == before.thread]
            after = next(filter(is_data, coming), next(iter(coming), None))
            found += [(before, after)] if after is not None else []
    return found


def _gaps(trace: Schedule, names: dict[str, str]) -> list[str]:
    """Where a thread was interrupted though nobody may come between."""
    return [
        f"{before.thread} is interrupted {_stretch(before, after, 'between', 'and')}: "
        f"it {access(before, names)}, and when it goes on, it {access(after, names)}."
        for before, after in gaps(trace)
    ]


def _stretch(first: Step, last: Step, start: str, middle: str) -> str:
    """From one place to another; shorter where both are one line."""
    if place(first) == place(last):
        return f"inside {place(first)}"
    return f"{start} {place(first)} {middle} {place(last)}"


def contested(trace: Schedule) -> list[str]:
    """The fields that one thread of a schedule writes and another one uses, in order of first use."""
    targets = dict.fromkeys(step.target for step in trace.steps if is_data(step))
    found = []
    for target in targets:
        steps = [step for step in trace.steps if step.target == target and is_data(step)]
        if len({step.thread for step in steps}) > 1 and any(step.kind != "read" for step in steps):
            found.append(target)
    return found


def _remedy(trace: Schedule, names: dict[str, str]) -> list[str]:
    """Two ways out: one lock over the whole stretch, or nothing to share."""
    fields = contested(trace)
    pieces = gaps(trace)
    if not fields or not pieces:
        return []
    name = pieces[0][0].thread
    stretch = [s for s in trace.steps if s.thread == name and s.target in fields and is_data(s)]
    shown = ", ".join(names[field] for field in fields)
    if not stretch:
        return []
    where = _stretch(stretch[0], stretch[-1], "from", "to").replace("inside", "around")
    lock = "one lock, the same one in every thread,"
    if trace.real != "real threads":
        lock = "one asyncio.Lock, or do not await,"
    return [f"Either hold {lock} {where}; or do not share {shown}: a local variable, or one object for each thread."]


def _order(wait: Wait, names: dict[str, str]) -> str:
    """The locks of a stuck thread in the order in which it takes them."""
    return ", then ".join([*(names[step.target] for step in wait.holds), names[wait.target]])


def _stuck(trace: Schedule, found: Knot, names: dict[str, str]) -> list[str]:
    """The way out of a dead end."""
    joined = next((wait for wait in found.cycle if wait.target == wait.holder), None)
    if joined is not None:
        mine = ", ".join(names[step.target] for step in joined.holds) or "what it needs"
        return [
            f"{joined.thread} waits for the end of {joined.target} ({place(joined.step)}) and meanwhile keeps {mine}: "
            "give it back before you join, or do not take it in the other thread."
        ]
    if len(found.cycle) == 1:
        wait = found.cycle[0]
        return [
            f"{wait.thread} waits for {names[wait.target]}, which it holds itself: take it once, or make "
            "it an RLock if the code that takes it calls itself on purpose."
        ]
    if found.cycle:
        orders = "; ".join(f"{wait.thread} takes {_order(wait, names)}" for wait in found.cycle)
        return [f"{orders}. Take the locks in one order everywhere, or put one lock in place of them."]
    waits = "; ".join(_does(wait.step, names) for wait in found.waits)
    return [f"{waits}. Nobody is left who would end this wait: say who must, on every path, failures included."]

"""The faults of unit 11: state that outlives a call, in seven places, and a library's own lost update.

The 22 public incidents are entries of the units that explain them; `incidents` lists them by id.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharedstate.faults.table import Fault, Names
from sharedstate.influence import second_call

UNIT = "11_in_the_wild"
ORACLE = "a second call alone, and after a first one"
ORDER = ("ann", "bob*", "ann*")


@dataclass(frozen=True)
class Kept:
    """A service's maker, by its name in the lesson; a first call, a second one, and one that leaves nothing."""

    broken: str
    first: object
    second: object
    harmless: object
    seen: str = ""

    def leaks(self, names: Names, maker: str, first: object) -> bool:
        """Ask the oracle; `seen` names a function of the lesson that keeps what is the second call's own."""
        make = names[self.seen](names[maker]) if self.seen else names[maker]
        return second_call(make, first, self.second).leaks

    def shown(self, names: Names) -> bool:
        """The first call shows in the second one's answer."""
        return self.leaks(names, self.broken, self.first)

    def control(self, names: Names) -> bool:
        """After a first call that leaves nothing, the second is answered as if alone."""
        return not self.leaks(names, self.broken, self.harmless)

    def mended(self, names: Names) -> bool:
        """In the repaired service nothing of either call shows."""
        return not any(self.leaks(names, f"{self.broken}_mended", one) for one in (self.first, self.harmless))


def kept(name: str, control: str, fix: str, one: Kept) -> Fault:
    """Return the entry of one miniature."""
    return Fault(name, UNIT, ORACLE, control, fix, one.shown, one.control, one.mended)


def line_lost(names: Names) -> bool:
    """One forced order in the library's own code: one line of two is there."""
    return names["widget"](names["in_the_thread"]).play(ORDER).violated


def one_after_another(names: Names) -> bool:
    """The same two threads in turn: both lines are there."""
    trace = names["widget"](names["in_the_thread"]).play(("ann*", "bob*"))
    return trace.finished and not trace.violated


def one_thread_draws(names: Names) -> bool:
    """Workers return data, one thread draws: in no order is a line lost."""
    room = names["widget"](names["returned"], names["drawn_here"])
    return room.explore(witness=False).verdict == "proved"


FAULTS: tuple[Fault, ...] = (
    kept("outlives-global", "the first caller says no name", "the session belongs to the call",
         Kept("cold_start", {"user": "Ann"}, {}, {})),
    kept("outlives-singleton", "the first caller names no language", "the object is read and never written",
         Kept("singleton", {"text": "Guten Tag", "language": "de"}, {"text": "Good day"}, {"text": "Hello"})),
    kept("outlives-context", "the first job has no user", "each job runs in a copy of its caller's context",
         Kept("pooled", "Ann", None, None)),
    kept("outlives-environment", "the first caller names no zone", "an argument in place of a setting",
         Kept("clock", "Tokyo", None, None)),
    kept("outlives-stdout", "the first caller wants no report", "print into a file that is named",
         Kept("office", ("Bob", True), ("Ann", False), ("Bob", False), "receipts_of_ann")),
    kept("outlives-seed", "the first call draws nothing", "an experiment has a generator of its own",
         Kept("laboratory", "experiment", "voucher", "hello")),
    kept("outlives-connection", "the first booking is not cancelled", "what is not committed is rolled back",
         Kept("shop", ("Bob", True), ("Ann", False), ("Bob", False))),
    Fault("append-stdout", UNIT, "both lines are in the output area, over all orders", "one thread after the other",
          "workers return data, one thread draws", line_lost, one_after_another, one_thread_draws),
)  # fmt: skip

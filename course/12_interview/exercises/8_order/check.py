"""Exercise 12.8: one order for all locks, or the word that there is none."""

from __future__ import annotations

from random import Random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

NONE = "no order"
Paths = list[list[str]]


def has_order(paths: Paths) -> bool:
    """Say whether one order of all locks fits every path: whoever is first for nobody else goes first."""
    pairs = {(one, two) for path in paths for k, one in enumerate(path) for two in path[k + 1:]
             if one != two and two not in path[:k]}
    left = {name for path in paths for name in path}
    while left:
        free = {name for name in left if not any(two == name and one in left for one, two in pairs)}
        if not free:
            return False
        left -= free
    return True


def first_wrong(order: list[str], paths: Paths) -> str:
    """Return in words the first thing that is wrong with an order; "" if it fits every path."""
    wanted = {name for path in paths for name in path}
    if sorted(order) != sorted(wanted):
        return f"every lock stands there once: {', '.join(sorted(wanted)) or 'none'}."
    for path in paths:
        held: list[str] = []
        for name in path:
            late = next((one for one in held if order.index(one) > order.index(name)), None)
            if late is not None and name not in held:
                return f"a thread takes {late} before {name}, and your order has {name} first."
            held.append(name)
    return ""


class LockOrder(PlainFunction, SlipTable):
    """The answer is lock_order(paths) -> list of names, or "no order"."""

    id = "12.8"
    title = "One order for all locks"
    answer = "lock_order"
    minutes = 14
    difficulty = 3
    points = 6.0
    given = ("paths",)
    slips = MappingProxyType({
        "two agree": ("wrong-order", "the order must fit every path."),
        "there and back": ("misses-a-circle", "one takes a before b, the other b before a: no order fits both."),
        "three in a circle": ("pairs-only", "a before b, b before c, c before a: each pair is fine, and no order fits "
                                            "all three."),
        "a circle over a middle": ("misses-a-circle", "a lock that is taken last is still taken after the first one."),
        "a long way round": ("wrong-order", "the alphabet is not the order: a path may go against it."),
        "taken again": ("afraid-of-the-same", "a thread that takes a lock which it holds already (an RLock) needs no "
                                              "other order."),
        "one at a time": ("forgets-the-lonely", "a lock that is never held with another has a place, too: any."),
        "nothing": ("wrong-shape", "no path, no lock: an empty list."),
        "many": ("wrong-order", "many paths at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case for each slip."""
        draw = self.draw(seed)
        return [
            _case("two agree", "a b, a c, b c", True),
            _case("a long way round", "d c, c b, b a"),
            _case("there and back", "a b, b a"),
            _case("there and back", "c a b, d, b c"),
            _case("three in a circle", "a b, b c, c a"),
            _case("a circle over a middle", "a b c, c a"),
            _case("a long way round", "b a c, d b"),
            _case("taken again", "a b a, b c"),
            _case("taken again", "b b, b a b"),
            _case("one at a time", "a, b, c d"),
            _case("nothing", ""),
            *(_case("many", _drawn(draw)) for _ in range(4)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; the paths come as tuples."""
        found = self.called(answer, case, paths=[tuple(path) for path in case["paths"]])
        if isinstance(found, str):
            return found
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"lock_order should return a list or {NONE!r}.")
        return [*found]

    def judge(self, case: Case, value: object) -> Verdict:
        """Any order that fits, or the word where none does."""
        names = type(value) is list and all(type(name) is str for name in value)
        if value != NONE and not names:
            return self.wrong("wrong-shape", f"lock_order should return a list of names, or {NONE!r}.")
        there_is = has_order(case["paths"])
        before = f"Case '{case.label}': {value!r}: "
        if type(value) is not list:
            return self.slip(case, before=before) if there_is else self.right("No order fits.")
        if not there_is:
            return self.slip(case, before=before) if case.label != "many" else self.wrong(
                "misses-a-circle", before + "these paths go round in a circle.")
        said = first_wrong(value, case["paths"])
        return self.slip(case, before=before + said + " ") if said else self.right("Whoever keeps to it never waits in "
                                                                                   "a circle.")


def _drawn(draw: Random) -> str:
    names = draw.sample("abcdefgh", 8)
    paths = [sorted(draw.sample(range(8), 3)) for _ in range(6)]
    return ", ".join(" ".join(names[k] for k in path) for path in paths)


def _case(label: str, text: str, visible: bool = False) -> Case:
    return Case(label, {"paths": [path.split() for path in text.split(",") if path]}, visible)


EXERCISE = LockOrder()

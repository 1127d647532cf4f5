"""Exercise 11.2: a log of a pool of connections, and who read whose reply."""

from __future__ import annotations

from random import Random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

NAMES = ("ann", "bob", "cem")


def right_strangers(log: list[list[Any]]) -> list[list[Any]]:
    """Return what the answer should: [reader, owner] for each read of somebody else's reply, in order."""
    unread: dict[int, list[str]] = {}
    found = []
    for what, who, line in log:
        if what == "write":
            unread.setdefault(line, []).append(who)
        elif what == "drop":
            unread.pop(line, None)
        elif what == "read":
            waiting = unread.get(line)
            owner = waiting.pop(0) if waiting else None
            found += [[who, owner]] if owner != who else []
    return found


class Strangers(PlainFunction, SlipTable):
    """The answer is strangers(log) -> list of (reader, owner)."""

    id = "11.2"
    title = "Whose reply is it?"
    answer = "strangers"
    minutes = 8
    difficulty = 1
    points = 2.0
    given = ("log",)
    slips = MappingProxyType({
        "cancelled": ("takes-it-back", "the server knows nothing of the cancelling: the reply comes in, and stays."),
        "the queue": ("reads-the-newest", "a read takes the oldest reply on its line."),
        "off by one": ("stops-early", "every read after the first wrong one is wrong, too, until the line is dropped."),
        "two lines": ("mixes-lines", "each line has replies of its own."),
        "dropped": ("ignores-the-drop", "a line that is dropped has no replies left."),
        "one line dropped": ("drops-all", "only the line that is named is dropped."),
        "no reply": ("no-reply", "a read without a reply is noted, with None as its owner."),
        "own replies": ("false-alarm", "who reads its own reply is not noted."),
        "cancelled after its read": ("takes-it-back", "its reply was read before: nothing is left of it."),
        "twice by one": ("takes-it-back", "ann has two replies on the line, and cancelling takes none of them away."),
        "drawn": ("mixes-lines", "a long log, all of it at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """One log a slip, the lab's example among them, then drawn ones."""
        draw = self.draw(seed)
        return [
            _case("own replies", "write ann 0, read ann 0, write bob 0, read bob 0"),
            _case("own replies", ""),
            _case("the queue", "write ann 0, write bob 0, read ann 0, read bob 0"),
            _case("cancelled", "write ann 0, cancel ann 0, write bob 0, read bob 0", True),
            _case("off by one", "write ann 0, cancel ann 0, write bob 0, read bob 0, write cem 0, read cem 0"),
            _case("the queue", "write ann 0, write bob 0, read bob 0, read ann 0"),
            _case("two lines", "write ann 0, cancel ann 0, write bob 1, read bob 1, write cem 0, read cem 0"),
            _case("dropped", "write ann 0, cancel ann 0, drop pool 0, write bob 0, read bob 0"),
            _case("one line dropped", "write ann 0, write bob 1, drop pool 0, write cem 1, read cem 1, read bob 1"),
            _case("no reply", "read ann 0, write bob 1, read ann 0"),
            _case("cancelled after its read", "write ann 0, read ann 0, cancel ann 0, write bob 0, read bob 0"),
            _case("twice by one", "write ann 0, write ann 0, cancel ann 0, read ann 0, write bob 0, read bob 0"),
            *(_case("drawn", _drawn(draw)) for _ in range(4)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; the entries come as tuples."""
        found = self.called(answer, case, log=[tuple(entry) for entry in case["log"]])
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"strangers should return a list, not {type(found).__name__}.")
        return [[*row] if isinstance(row, (list, tuple)) else str(row) for row in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """The list, in order."""
        if type(value) is not list or any(type(row) is not list or len(row) != 2 for row in value):
            return self.wrong("wrong-shape", "strangers should return a list of (reader, owner).")
        wanted = right_strangers(case["log"])
        if value == wanted:
            return self.right("A cancelled task leaves its reply behind.")
        return self.slip(case, before=f"Case '{case.label}': {_told(value)} instead of {_told(wanted)}: ")


def _told(rows: list) -> str:
    return ", ".join(f"({', '.join(map(str, row))})" for row in rows[:3]) + ", …" * (len(rows) > 3) or "nobody"


def _drawn(draw: Random) -> str:
    whats = ("write", "write", "read", "read", "cancel", "drop")
    return ", ".join(f"{draw.choice(whats)} {draw.choice(NAMES)} {draw.randrange(3)}" for _ in range(24))


def _case(label: str, text: str, visible: bool = False) -> Case:
    words = [entry.split() for entry in text.split(", ") if entry]
    return Case(label, {"log": [[what, who, int(line)] for what, who, line in words]}, visible)


EXERCISE = Strangers()

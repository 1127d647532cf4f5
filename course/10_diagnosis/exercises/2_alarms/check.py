"""Exercise 10.2: writer tags, out of a list of accesses."""

from __future__ import annotations

from random import Random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

SETUP = "setup"
Access = list[str]


def right_alarms(accesses: list[Access]) -> list[list[str]]:
    """Return what the answer should: [who, writer, place] for each alarm, in order."""
    last: dict[str, tuple[str, int]] = {}
    seen: dict[tuple[str, str], tuple[str, int]] = {}
    found = []
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last.get(place, (SETUP, -1))
        foreign = SETUP not in (who, writer) and writer != who
        before = seen.get((who, place))
        if foreign and (kind == "read" or (before is not None and before[0] == "read" and when > before[1])):
            found.append([who, writer, place])
        if kind == "write":
            last[place] = who, now
        seen[who, place] = kind, now
    return found


class Alarms(PlainFunction, SlipTable):
    """The answer is alarms(accesses) -> list of (who, writer, place)."""

    id = "10.2"
    title = "Who wrote what I read?"
    answer = "alarms"
    minutes = 12
    difficulty = 2
    points = 3.0
    given = ("accesses",)
    slips = MappingProxyType({
        "a window": ("misses-foreign", "a read of what another wrote last is an alarm."),
        "own data": ("false-alarm", "who reads what it wrote last itself raises no alarm."),
        "two places": ("mixes-places", "each place has its own last writer."),
        "the set-up": ("accuses-the-set-up", "what the set-up wrote may be read by all."),
        "the set-up reads": ("accuses-the-set-up", "the set-up may read everything."),
        "the last of several": ("names-the-first", "the alarm names the last writer, not the first."),
        "written back": ("names-the-first", "the reader wrote last itself: no alarm, whoever wrote before."),
        "a lost update": ("misses-lost", "a write over what another wrote since one's own read is an alarm, too."),
        "written without a look": ("accuses-a-blind-write", "who has not read the place before loses nothing that it "
                                                            "knew of."),
        "read, written, written": ("accuses-a-blind-write", "its own write came after its read, and what another "
                                                            "wrote came after that: nothing that it read is lost."),
        "read after the other": ("accuses-a-blind-write", "it has read what the other wrote, and now it writes: only "
                                                          "the read is an alarm."),
        "every time": ("only-once", "every access that is wrong is an alarm of its own, in order."),
        "names alike": ("mixes-names", "names are compared as they are, and a name and a place are two things."),
        "five places": ("mixes-places", "each place has its own last writer, however many there are."),
        "many": ("misses-foreign", "a long list, all of it at once."),
        "nothing": ("false-alarm", "no access, no alarm."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one list a slip, then long ones."""
        draw = self.draw(seed)
        return [
            _case("a window", "mallory w board, alice w board, mallory r board", True),
            _case("own data", "alice w board, alice r board, bob w note, bob r note"),
            _case("two places", "alice w board, bob w note, alice r board, bob r note"),
            _case("two places", "alice w board, bob w note, alice r note"),
            _case("the set-up", "setup w prices, alice r prices, bob r prices"),
            _case("the set-up", "alice r prices, setup w prices, alice w prices"),
            _case("the set-up", "alice r prices, bob r prices"),
            _case("the set-up reads", "alice w board, setup r board"),
            _case("the last of several", "alice w board, bob w board, carol r board"),
            _case("written back", "alice w board, bob w board, alice w board, alice r board"),
            _case("a lost update", "alice r count, bob r count, bob w count, alice w count"),
            _case("a lost update", "setup w count, alice r count, bob w count, carol w count, alice w count"),
            _case("written without a look", "alice w board, bob w board"),
            _case("read, written, written", "alice r count, alice w count, bob w count, alice w count"),
            _case("read after the other", "alice r count, bob w count, alice r count, alice w count"),
            _case("every time", "alice w board, bob r board, bob r board, carol r board"),
            _case("names alike", "setup2 w board, alice r board, set w note, alice r note"),
            _case("names alike", "a r bc, x w bc, ab w c, a w bc"),
            _case("five places", "alice w a, alice w b, alice w c, alice w d, alice w e, bob r e, bob r d, bob r a"),
            _case("nothing", ""),
            *(_case("many", _drawn(draw)) for _ in range(6)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; the accesses come as tuples."""
        found = self.called(answer, case, accesses=[tuple(access) for access in case["accesses"]])
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"alarms should return a list, not {type(found).__name__}.")
        return [[str(word) for word in row] if isinstance(row, (list, tuple)) else str(row) for row in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """The list, in order."""
        if type(value) is not list or any(type(row) is not list or len(row) != 3 for row in value):
            return self.wrong("wrong-shape", "alarms should return a list of (who, writer, place).")
        wanted = right_alarms(case["accesses"])
        if value == wanted:
            return self.right("Two rules, and no false alarm.")
        before = f"Case '{case.label}': {_told(value)} instead of {_told(wanted)}: "
        if [row[::2] for row in value] == [row[::2] for row in wanted]:
            return self.wrong("names-the-first", before + "the alarm names the last writer.")
        if case.visible and len(value) > len(wanted):
            return self.wrong("accuses-a-blind-write", before + self.slips["written without a look"][1])
        return self.slip(case, before=before)


def _told(rows: list) -> str:
    return ", ".join(f"({', '.join(map(str, row))})" for row in rows[:3]) + ", …" * (len(rows) > 3) or "no alarm"


def _drawn(draw: Random) -> str:
    who, places = ("alice", "bob", "carol", SETUP), ("board", "note")
    return ", ".join(f"{draw.choice(who)} {draw.choice('rw')} {draw.choice(places)}" for _ in range(30))


def _case(label: str, text: str, visible: bool = False) -> Case:
    words = [access.split() for access in text.split(", ") if access]
    accesses = [[who, {"r": "read", "w": "write"}[kind], place] for who, kind, place in words]
    return Case(label, {"accesses": accesses}, visible)


EXERCISE = Alarms()

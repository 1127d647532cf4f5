"""Exercise 07.2: an explicit map from requests to places, where offsets would move the living."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

METHODS = ("start", "place", "finish")
FALSE_START = "names are compared with == and not `is`, or slot 0 counts as False: ask `is None` or `in`"
Operation = list  # ["start", map, request], ["finish", map, request] or ["place", map, request, position]


class MapInsteadOfOffsets(Exercise):
    """The answer is the class SlotMap: start(request), place(request, position), finish(request)."""

    id = "07.2"
    title = "A map instead of offsets"
    answer = "SlotMap"
    minutes = 12
    difficulty = 2
    points = 3.0
    expects = "a class"

    def cases(self, seed: int) -> list[Case]:
        """Nobody ends; then the first, the middle, a newcomer, a full house, two maps, and a long random life."""
        draw = self.draw(seed)
        return [
            _case("nobody ends", 3, 2, "+a +b", visible=True),
            _case("the first ends", 4, 3, "+a +b +c -a"),
            _case("the middle one ends, another comes", 3, 4, "+a +b +c -b +d"),
            _case("the last ends, another comes", 3, 2, "+a +b +c -c +d -a +e"),
            _case("every slot again and again", 2, 3, "+a +b -a +c -b +d -c +e -d +f"),
            _case("no slot is free", 2, 2, "+a +b +c -a +c"),
            _case("somebody starts twice", 3, 2, "+a +a +b -a +a"),
            _case("somebody ends twice", 3, 2, "+a -a -a +b +c +d -x +e"),
            _case("a single slot, a single place", 1, 1, "+a -a +b"),
            _case("somebody comes back", 2, 2, "+a +b -a +c -b +a -c +d"),
            _case("many slots", 40, 3, "+a +b +c +d +e -b +f"),
            _case("two maps", 2, 3, "+b +a 1+a -b +d 1+c 1-a 1+e"),
            _case("requests are numbers", 3, 2, "+a +b +c -a +d -b +a", named=[0, 1, 2, -1]),
            _case("names alike", 4, 2, "+a +b +c +d -b +b", named=["Job", "job", "job ", ""]),
            _case("room for seventy", 2, 70, "+a +b"),
            _case("eighty guests, one after the other", 2, 1, "+a " + "+b -a +c -b +a -c " * 26),
            _case("a long life", draw.randrange(3, 6), draw.randrange(2, 5), _life(draw)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Play the operations on two maps; after each one ask for every place there may be."""
        if not any(hasattr(answer, name) for name in METHODS):
            raise AnswerProblem("untouched", "SlotMap has no method yet.")
        maps = [answer(case["num_slots"], case["capacity"]) for _ in "ab"]
        found = [(what, getattr(maps[which], what)(*map(_fresh, given))) for what, which, *given in _operations(case)]
        return [None if what == "finish" else _plain(answer) for what, answer in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """Follow the operations with a plain record of who runs, and compare answer by answer."""
        operations = list(_operations(case))
        if type(value) is not list or len(value) != len(operations):
            return self.unseen("this map")
        record = _Record(case)
        for operation, answer in zip(operations, value, strict=True):
            found = record.complaint(operation, answer)
            if found:
                reason, said = found
                reason = "shared-maps" if case.label == "two maps" else reason
                return self.wrong(reason, f"Case '{case.label}', after {record.story}: {said}")
        return self.right("Whoever ends, the others stay where they are.")


class _Record:
    """Who runs in which map, and where each running request has been seen to lie."""

    def __init__(self, case: Case) -> None:
        self.num_slots, self.capacity = case["num_slots"], case["capacity"]
        self.seen: list[dict[str, dict[int, int]]] = [{}, {}]
        self.story = "nothing"

    def complaint(self, operation: Operation, answer: object) -> tuple[str, str] | None:
        """Take one operation and its answer; return (reason, what is wrong) or None."""
        what, which, request, *position = operation
        running = self.seen[which]
        if what == "place":
            return self._place(running, request, position[0], answer)
        self.story = f"{what}({request!r})"
        if what == "finish":
            running.pop(request, None)
            return None if answer is None else ("wrong-shape", "nothing is expected of finish.")
        wanted = request not in running and len(running) < self.num_slots
        if type(answer) is not bool:
            return "wrong-type", f"start should return True or False, not {answer!r}."
        if answer and not wanted:
            again = request in running
            return ("started-twice", "it runs already, so start returns False.") if again else (
                "over-full", "no slot was free, so start returns False.")
        if wanted and not answer:
            return "refuses", f"{self.num_slots - len(running)} of {self.num_slots} slots are free, and it was refused."
        if wanted:
            running[request] = {}
        return None

    def _place(self, running: dict, request: str, position: int, answer: object) -> tuple[str, str] | None:
        at = f"place({request!r}, {position})"
        if request not in running:
            return None if answer is None else ("outlives-its-end", f"{at} gives {answer!r}, and it does not run.")
        if not 0 <= position < self.capacity:
            return None if answer is None else ("out-of-range", f"{at} gives {answer!r}: there is no such position.")
        if answer is None:
            why = f"it has {self.capacity} places" if running[request] else FALSE_START
            return "forgets-who-runs", f"{at} gives None, and {request!r} runs: {why}."
        if type(answer) is not int:
            return "wrong-type", f"{at} gives {answer!r}; a whole number is wanted."
        if not 0 <= answer < self.num_slots * self.capacity:
            return "out-of-range", f"{at} gives {answer}: the pool has {self.num_slots * self.capacity} places."
        before = running[request].setdefault(position, answer)
        if before != answer:
            return "moved", f"{at} was {before} and is now {answer}. Its keys still lie at {before}."
        other = next(((name, p) for name, places in running.items() for p, n in places.items()
                      if n == answer and (name, p) != (request, position)), None)
        if other:
            return "two-owners", f"{at} and place{other!r} are both {answer}."
        return None


def _operations(case: Case) -> Iterator[Operation]:
    """Yield the story's operations; after each, ask both maps for all positions of everybody, and for some beyond."""
    names = sorted({word.lstrip("1+-") for word in case["story"].split()})
    for word in case["story"].split():
        which = int(word[0] == "1")
        name = word.lstrip("1")
        yield ["start" if name[0] == "+" else "finish", which, case["names"][name[1:]]]
        for each in range(1 + ("1+" in case["story"])):
            for request in names:
                for position in (*range(case["capacity"]), case["capacity"], -1):
                    yield ["place", each, case["names"][request], position]


def _fresh(given: object) -> object:
    """Return a copy of a name: names come with each call anew, and equal ones need not be one object."""
    return "".join([*given]) if type(given) is str else given


def _plain(answer: Any) -> object:
    """Return plain data of an answer; a single number of numpy or torch counts as the number it is."""
    answer = answer.item() if type(answer).__module__.split(".")[0] in ("numpy", "torch") else answer
    return answer if type(answer) in (bool, int, str) or answer is None else f"a {type(answer).__name__}"


def _case(
    label: str, num_slots: int, capacity: int, story: str, visible: bool = False, named: list[Any] | None = None
) -> Case:
    """Return a case; in the story `+a` starts a, `-a` ends it, `1+a` does so in the second map."""
    letters = sorted({word.lstrip("1+-") for word in story.split()})
    names = {letter: letter if visible else f"r{7 * ord(letter) % 31}" for letter in letters}
    names |= dict(zip(letters, named or (), strict=False))
    return Case(label, {"num_slots": num_slots, "capacity": capacity, "story": story, "names": names}, visible)


def _life(draw: random.Random) -> str:
    """Return twenty random starts and ends of six requests."""
    return " ".join(draw.choice("++-") + draw.choice("abcdef") for _ in range(20))


EXERCISE = MapInsteadOfOffsets()

"""A small unit 90 for the tests: a function, plain data, and an exercise that is judged from source."""

from __future__ import annotations

import random
from pathlib import Path

from sharedstate.checks import Case, Control, Exercise, Verdict

GOOD = """
class Counter:
    def __init__(self):
        self.n = 0
    def add(self, k):
        self.n += k
"""
BAD = GOOD.replace("+=", "=")


class Double(Exercise):
    """The answer doubles a number."""

    id = "90.1"
    title = "Double"
    answer = "double"
    points = 2.0
    expects = "a function"
    seconds = 1.0

    def cases(self, seed: int) -> list[Case]:
        """Two is the visible example: squaring passes it."""
        draw = random.Random(seed)
        drawn = [Case("drawn", {"n": draw.randint(3, 10**6)}) for _ in range(2)]
        return [Case("two", {"n": 2}, True), *drawn]

    def run(self, answer: object, case: Case) -> object:
        """Call it."""
        return answer(case["n"])

    def judge(self, case: Case, value: object) -> Verdict:
        """Exact type, exact value."""
        if type(value) is int and value == 2 * case["n"]:
            return self.right()
        return self.wrong("not-double", f"double({case['n']}) gave {value!r}.")


class Order(Exercise):
    """The answer is a list of names in one order."""

    id = "90.2"
    title = "Order"
    answer = "order"
    expects = "a list"

    def cases(self, seed: int) -> list[Case]:
        """Only the visible one."""
        return [Case("names", {}, True)]

    def run(self, answer: object, case: Case) -> object:
        """Plain data goes out as it is."""
        return answer

    def judge(self, case: Case, value: object) -> Verdict:
        """One right order."""
        return self.right() if value == ["alice", "mallory"] else self.wrong("wrong-order", "Another order.")


class CountUp(Exercise):
    """The answer is a class that adds up; judged from source."""

    id = "90.3"
    title = "Count"
    answer = "Counter"
    expects = "a class"
    judge_source = True

    def cases(self, seed: int) -> list[Case]:
        """Some numbers to add."""
        draw = random.Random(seed)
        some = [draw.randint(1, 99) for _ in range(4)]
        return [Case("one", {"add": [1]}, True), Case("some", {"add": some})]

    def run(self, answer: object, case: Case) -> object:
        """Add them, return the sum."""
        counter = answer()
        for number in case["add"]:
            counter.add(number)
        return counter.n

    def judge(self, case: Case, value: object) -> Verdict:
        """The sum, exactly."""
        if type(value) is int and value == sum(case["add"]):
            return self.right()
        return self.wrong("wrong-sum", f"The sum is {value!r}.")

    def controls(self) -> tuple[Control, ...]:
        """One right, one wrong."""
        return (Control(GOOD, True), Control(BAD, False))


EXERCISES = (Double(), Order(), CountUp())
CHECK = """
from fake_unit import NAME

EXERCISE = NAME()
"""


def build(unit: Path) -> Path:
    """Write the exercises' folders below a unit's folder (this file's own must be on sys.path); return course/."""
    for number, one in enumerate(EXERCISES, 1):
        folder = unit / "exercises" / f"{number}_{one.title.lower()}"
        folder.mkdir(parents=True)
        (folder / "check.py").write_text(CHECK.replace("NAME", type(one).__name__), encoding="utf-8")
    return unit.parent

"""Exercise 10.3: delta debugging, with a bounded number of questions."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict, is_record
from sharedstate.checks.values import PlainFunction, SlipTable

KEYS = ("left", "calls", "empty")
MOST = 400


class Suspect:
    """Says whether some parts of a case still fail: they do when they hold all of one of the groups. Counts.

    needs: pairs (part, other): without the other the part cannot be played, and what cannot be played does not fail.
    """

    def __init__(self, groups: list[list[int]], needs: list[list[int]]) -> None:
        self.groups, self.needs = groups, needs
        self.calls, self.empty = 0, False

    def __deepcopy__(self, memo: object) -> Suspect:
        """The counter is the check's: a copy would count for nobody."""
        return self

    def __eq__(self, other: object) -> bool:
        """Two that ask for the same are the same, whatever they were asked."""
        return isinstance(other, Suspect) and (self.groups, self.needs) == (other.groups, other.needs)

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, parts: object) -> bool:
        """Answer, and count."""
        self.calls += 1
        if self.calls > 10 * MOST:
            said = f"More than {10 * MOST:,} questions: does your loop come to an end?"
            raise AnswerProblem("too-many-questions", said)
        if not isinstance(parts, (list, tuple)):
            raise AnswerProblem("not-a-list", f"fails() is asked with a list of parts, not a {type(parts).__name__}.")
        held = set(parts)
        self.empty = self.empty or not held
        return fails(held, self.groups, self.needs)


def fails(held: set[int], groups: list[list[int]], needs: list[list[int]]) -> bool:
    """Say whether these parts fail."""
    return any(set(group) <= held for group in groups) and all(other in held for part, other in needs if part in held)


class Shrink(PlainFunction, SlipTable):
    """The answer is shrink(parts, fails) -> the parts of a smallest failing case."""

    id = "10.3"
    title = "Smaller, and smaller"
    answer = "shrink"
    minutes = 14
    difficulty = 3
    points = 3.0
    given = ("parts", "fails")
    slips = MappingProxyType({
        "one request of eight": ("not-minimal", "something can still be left out."),
        "two that belong together": ("not-minimal", "something can still be left out: try single parts at the end."),
        "the ends": ("not-minimal", "something can still be left out."),
        "everything is needed": ("loses-the-bug", "what you return must fail."),
        "two ways to fail": ("not-minimal", "something can still be left out."),
        "one after another": ("not-minimal", "leaving out one part made another one needless: go on until nothing "
                                             "more can be left out."),
        "a thousand": ("too-many-questions", f"at most {MOST} questions for a thousand parts: leave out halves first."),
        "one part": ("loses-the-bug", "one part that fails is a smallest case."),
        "backwards": ("out-of-order", "the parts keep their order: it need not be that of their numbers."),
        "equal parts": ("loses-the-bug", "parts may be equal: leave them out by their place."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case a slip."""
        draw = self.draw(seed)
        pair, ends = sorted(draw.sample(range(5, 60), 2)), [0, 63]
        far = sorted(draw.sample(range(1000), 2))
        return [
            _case("one request of eight", 8, [[5]], True),
            _case("two that belong together", 64, [pair]),
            _case("the ends", 64, [ends]),
            _case("everything is needed", 7, [list(range(7))]),
            _case("two ways to fail", 32, [[3, 20], [9, 11, 30]]),
            _case("one after another", 16, [[2, 9]], needs=[[8, 3]]),
            _case("one after another", 16, [[*range(2, 16, 2)]], needs=[[n + 2, n] for n in range(1, 12, 2)]),
            Case("backwards", {"parts": [*range(9, -1, -1)], "groups": [[2, 7]], "needs": [], "fails": None}),
            _case("a thousand", 1000, [far]),
            _case("a thousand", 1000, [[draw.randrange(1000)]]),
            _case("one part", 1, [[0]]),
            Case("equal parts", {"parts": [7, 7, 1, 7, 2, 7], "groups": [[1, 7]], "needs": [], "fails": None}),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it with a function that counts."""
        counts = Suspect(case["groups"], case["needs"])
        found = self.called(answer, case, parts=list(case["parts"]), fails=counts)
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"shrink should return a list, not {type(found).__name__}.")
        return {"left": list(found), "calls": counts.calls, "empty": counts.empty}

    def judge(self, case: Case, value: object) -> Verdict:
        """What is left fails, is a part of it in order, is minimal, and was found with few questions."""
        if not is_record(value, KEYS) or type(value["left"]) is not list or type(value["calls"]) is not int:
            return self.wrong("wrong-shape", "shrink should return a list of parts.")
        left, said, before = value["left"], (case["groups"], case["needs"]), f"Case '{case.label}': "
        if any(type(part) is not int for part in left) or type(value["empty"]) is not bool:
            return self.wrong("wrong-shape", "shrink should return a list of parts.")
        if not fails(set(left), *said):
            return self.wrong("loses-the-bug", f"{before}what you return, {left[:6]}, does not fail any more.")
        rest = iter(case["parts"])
        if not all(part in rest for part in left):
            return self.wrong("out-of-order", f"{before}the parts that are left keep their order: {left[:6]}.")
        needless = [at for at in range(len(left)) if fails(set(left[:at] + left[at + 1 :]), *said)]
        if needless:
            return self.slip(case, before=f"{before}{len(left)} parts are left, and without {left[needless[0]]} the "
                                          "case still fails. In short: ")  # fmt: skip
        if value["calls"] > MOST:
            return self.wrong("too-many-questions", f"{before}{value['calls']:,} questions, where {MOST} are allowed. "
                                                    "Leave out halves first, then quarters.")  # fmt: skip
        return self.right(f"Minimal, after {value['calls']} questions.")


def _case(
    label: str, count: int, groups: list[list[int]], visible: bool = False, needs: list[list[int]] | None = None
) -> Case:
    inputs = {"parts": list(range(count)), "groups": groups, "needs": needs or [], "fails": None}
    return Case(label, inputs, visible)


EXERCISE = Shrink()

"""Exercise 12.4: the smallest explorer. Two threads change one number; which numbers can be there at the end?"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

Plan = list[list]  # steps such as ["+", 3] and ["*", 2]


def after(number: int, step: list) -> int:
    """Return what a step makes of a number."""
    sign, by = step
    return number + by if sign == "+" else number * by


def right_endings(start: int, ann: Plan, bob: Plan) -> list[int]:
    """Return what the answer should. Positions count half steps: an even one reads next, an odd one writes."""
    found, todo = set[int](), [(start, (0, 0), (0, 0))]
    plans = (ann, bob)
    while todo:
        number, at, read = todo.pop()
        moving = [who for who in (0, 1) if at[who] < 2 * len(plans[who])]
        if not moving:
            found.add(number)
        for who in moving:
            now, kept = number, list(read)
            if at[who] % 2:
                now = after(read[who], plans[who][at[who] // 2])
            else:
                kept[who] = number
            todo.append((now, (at[0] + (who == 0), at[1] + (who == 1)), (kept[0], kept[1])))
    return sorted(found)


def in_turn(start: int, ann: Plan, bob: Plan, whole: bool) -> list[int]:
    """Return the endings if a step (or, with `whole`, a thread's whole plan) could not be interrupted."""
    if whole:
        return sorted({_run(_run(start, one), two) for one, two in ((ann, bob), (bob, ann))})
    if not ann or not bob:
        return [_run(start, ann or bob)]
    first, second = (after(start, ann[0]), ann[1:], bob), (after(start, bob[0]), ann, bob[1:])
    return sorted({end for case in (first, second) for end in in_turn(*case, whole=False)})


def _run(number: int, plan: Plan) -> int:
    for step in plan:
        number = after(number, step)
    return number


class Endings(PlainFunction, SlipTable):
    """The answer is endings(start, ann, bob) -> sorted list of numbers."""

    id = "12.4"
    title = "The smallest explorer"
    answer = "endings"
    minutes = 14
    difficulty = 3
    points = 6.0
    given = ("start", "ann", "bob")
    slips = MappingProxyType({
        "one step each": ("misses-an-ending", "each may read before the other writes, so either step can be lost."),
        "two steps each": ("misses-an-ending", "between any two half steps the other may do as much as it likes."),
        "three against one": ("misses-an-ending", "one old number can wipe out everything that came after it."),
        "three against two": ("misses-an-ending", "they may change hands many times."),
        "nothing to do": ("nothing-to-do", "a thread without steps changes nothing: the other one runs alone."),
        "nobody has anything to do": ("nothing-to-do", "nobody moves: the number at the start is the one at the end."),
        "two ways to one number": ("twice", "a number stands there once, however many orders lead to it."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then longer plans, with numbers of the seed."""
        draw = self.draw(seed)
        start = draw.randrange(3, 9)
        by = draw.sample(range(11, 60), 5)
        return [
            _case("one step each", 4, "*2", "+-3", True),
            _case("one step each", start, f"+{by[0]}", f"+{by[1]}"),
            _case("two ways to one number", start, "+5", "+5"),
            _case("two steps each", start, f"+{by[0]} +{by[1]}", f"+{by[2]} *2"),
            _case("two steps each", 1, "+10 +100", "+1000 +10000"),
            _case("three against one", 0, "+1 +1 +1", "+10"),
            _case("three against one", start, "+100", f"*3 +{by[3]} *2"),
            _case("three against two", 0, "+1 +1 +1", "+1 +1"),
            _case("nothing to do", start, "", "*2 +1"),
            _case("nothing to do", start, "+1 *3", ""),
            _case("nobody has anything to do", start, "", ""),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; the steps come as tuples."""
        plans = {name: [tuple(step) for step in case[name]] for name in ("ann", "bob")}
        found = self.called(answer, case, **plans)
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"endings should return a list, not {type(found).__name__}.")
        return [*found]

    def judge(self, case: Case, value: object) -> Verdict:
        """The numbers, in order; those of a coarser model are named."""
        if type(value) is not list or any(type(number) is not int for number in value):
            return self.wrong("wrong-shape", "endings should return a list of whole numbers.")
        given = (case["start"], case["ann"], case["bob"])
        wanted = right_endings(*given)
        if value == wanted:
            return self.right("Every ending of every order, and no other.")
        before = f"Case '{case.label}': {value[:8]} instead of {wanted[:8]}: "
        for whole, said in ((True, "you let each thread run to its end"), (False, "you let a step read and write at "
                                                                                 "once")):
            if sorted(set(value)) == in_turn(*given, whole=whole):
                return self.wrong("steps-are-halves", f"{before}{said}. The other may come in between.")
        if set(value) - set(wanted):
            return self.wrong("impossible-ending", f"{before}{min(set(value) - set(wanted))} cannot happen: a write "
                                                   "uses what its own thread has read.")
        if sorted(set(value)) == wanted:
            return self.wrong("twice", f"{before}each number once, the smallest first.")
        return self.slip(case, before=before)


def _case(label: str, start: int, ann: str, bob: str, visible: bool = False) -> Case:
    given: dict[str, object] = {"start": start, "ann": _plan(ann), "bob": _plan(bob)}
    return Case(label, given, visible)


def _plan(text: str) -> Plan:
    return [[word[0], int(word[1:])] for word in text.split()]


EXERCISE = Endings()

"""Exercise 02.1: repair the checker in four ways, each by its own means and by no other."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping
from types import MappingProxyType

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict
from sharedstate.checks.unit02_explore import explored

WAYS = ("lock", "local", "thread-local", "immutable")
SEEN = frozenset({"verdict", "schedule", "alone", "acquires", "writes", "local", "frozen"})
LETTERS = "abcdefghkmnpqrstuvwxyz"
NEEDS: Mapping[str, tuple[tuple[str, bool, str, str], ...]] = MappingProxyType({
    "lock": (
        ("acquires", True, "no-lock", "takes no lock"),
        ("writes", True, "localises-too", "writes no shared field any more, so the lock has nothing to do. Keep the "
                                          "fields, and let the lock alone repair the class"),
    ),
    "local": (
        ("acquires", False, "locks-too", "takes a lock. A local variable needs none"),
        ("local", False, "other-means", "uses a threading.local. A plain local variable is enough"),
        ("writes", False, "still-shared", "still writes a field that all threads share"),
    ),
    "thread-local": (
        ("acquires", False, "locks-too", "takes a lock. What belongs to one thread needs none"),
        ("local", True, "no-thread-local", "keeps no threading.local on self"),
        ("writes", True, "localises-too", "writes no field. Keep the word in the threading.local, not in a variable"),
    ),
    "immutable": (
        ("acquires", False, "locks-too", "takes a lock. What nobody can write needs none"),
        ("frozen", True, "can-be-written", "can still be written from outside: `checker.correct = …` succeeds"),
    ),
})


class FixFourWays(Exercise):
    """The answer maps each way to a checker class: {"lock": …, "local": …, "thread-local": …, "immutable": …}."""

    id = "02.1"
    title = "Fix four ways"
    answer = "fixes"
    minutes = 12
    difficulty = 2
    points = 3.0
    expects = "a dict"
    seconds = 20.0
    judge_source = True

    def cases(self, seed: int) -> list[Case]:
        """One case a way, with words drawn from the seed; the lab shows the lock."""
        draw = random.Random(f"02.1:{seed}")
        words = ["".join(draw.choices(LETTERS, k=6)) for _ in range(2)]
        return [Case(way, {"way": way, "right": f"{words[0]}1", "wrong": f"{words[1]}2"}, way == "lock")
                for way in WAYS]

    def run(self, answer: object, case: Case) -> object:
        """Explore two visits at the class, and look at what it touches."""
        from sharedstate.interleave import Scenario

        kind, right, wrong = answer.get(case["way"]), case["right"], case["wrong"]
        if not isinstance(kind, type):
            raise AnswerProblem("missing", f"fixes[{case['way']!r}] should be a class.")
        room = Scenario(lambda: kind(right), {"alice": lambda c: c.check(right), "mallory": lambda c: c.check(wrong)},
                        never=lambda c, answers: answers["alice"] is not True or answers["mallory"] is not False)
        steps = room.play(["alice*"]).steps
        return {
            **explored(room), "alone": [kind(right).check(word) for word in (right, wrong, "")],
            "acquires": any(step.kind == "acquire" for step in steps),
            "writes": any(step.kind == "write" for step in steps),
            **_fields(kind(right)),
        }

    def judge(self, case: Case, value: object) -> Verdict:
        """Right alone, then in every order, then by the means that was asked for."""
        way = case["way"]
        if type(value) is not dict or {*value} != SEEN:
            return self.wrong("wrong-shape", f"Nothing could be seen of fixes[{way!r}].")
        if value["alone"] != [True, False, False] or any(type(a) is not bool for a in value["alone"]):
            return self.wrong("wrong-answer", f"fixes[{way!r}] is wrong for a visitor who is alone: check() should "
                                              "return True for the passcode, and False for anything else.")
        if value["verdict"] == "deadlock":
            return self.wrong("deadlock", f"fixes[{way!r}]: somebody waits for ever.", schedule=value["schedule"])
        if value["verdict"] == "broken":
            return self.wrong("still-races", f"fixes[{way!r}] still gives a visitor the other's answer. The schedule "
                                             "below shows it.", schedule=value["schedule"])
        for key, wanted, reason, said in NEEDS[way]:
            if value[key] is not wanted:
                return self.wrong(reason, f"fixes[{way!r}] {said}.", points=1.0)
        if value["verdict"] not in ("proved", "not instrumented"):
            return self.wrong("not-proved", f"fixes[{way!r}] could not be proved: {value['verdict']}.")
        return self.right("Four repairs, each proved in every order, and each by its own means.")


def _fields(checker: object) -> dict[str, bool]:
    """Say whether a threading.local lies on the object, and whether its passcode can be overwritten."""
    fields = dict(getattr(checker, "__dict__", {}))
    frozen = bool(fields) or hasattr(type(checker), "__slots__") or isinstance(checker, tuple)
    for name in fields:
        frozen = frozen and _refuses(checker, name)
    return {"local": any(isinstance(v, threading.local) for v in fields.values()), "frozen": frozen}


def _refuses(checker: object, name: str) -> bool:
    """True if a field cannot be set from outside."""
    try:
        setattr(checker, name, None)
    except (AttributeError, TypeError):
        return True
    return False

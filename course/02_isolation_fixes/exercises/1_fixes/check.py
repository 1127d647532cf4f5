"""Exercise 02.1: repair the checker in four ways, each by its own means and by no other."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import IMPORTS, explored
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record
from sharedstate.interleave import Scenario
from sharedstate.interleave.access.registry import vars_of

WAYS = ("lock", "local", "thread-local", "immutable")
SEEN = frozenset({
    "verdict", "schedule", "answers", "raised", "alone", "acquires", "kept", "writes", "local", "frozen", "after",
})
LETTERS = "abcdefghkmnpqrstuvwxyz"
FIELDS = ("input_buffer", "result")
NEEDS: Mapping[str, tuple[tuple[str, bool, str, str], ...]] = MappingProxyType({
    "lock": (
        ("acquires", True, "no-lock", "takes no lock"),
        ("kept", True, "localises-too", "no longer writes and reads the two fields input_buffer and result on self, so "
                                        "the lock has little to do. Keep the fields, and let the lock alone repair "
                                        "the class"),
    ),
    "local": (
        ("acquires", False, "locks-too", "takes a lock. A local variable needs none"),
        ("local", False, "other-means", "uses a threading.local. A plain local variable is enough"),
        ("writes", False, "still-shared", "still writes something that all threads share"),
    ),
    "thread-local": (
        ("acquires", False, "locks-too", "takes a lock. What belongs to one thread needs none"),
        ("local", True, "no-thread-local", "keeps no threading.local on self, made in __init__"),
        ("writes", False, "still-shared", "still writes something that all threads share"),
        ("kept", True, "localises-too", "writes nothing into its threading.local. Keep the word there, not in a "
                                        "variable"),
    ),
    "immutable": (
        ("acquires", False, "locks-too", "takes a lock. What nobody can write needs none"),
        ("writes", False, "still-shared", "still writes something that all threads share"),
        ("frozen", True, "can-be-written", "can still be written from outside: an attribute can be set, an old one or "
                                           "a new one"),
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
    seconds = 10.0
    judge_source = True
    shares = True
    imports = IMPORTS

    def cases(self, seed: int) -> list[Case]:
        """One case a way, with words drawn from the seed; the lab shows the lock."""
        draw = self.draw(seed)
        words = ["".join(draw.choices(LETTERS, k=6)) for _ in range(2)]
        return [Case(way, {"way": way, "right": f"{words[0]}1", "wrong": f"{words[1]}2"}, way == "lock")
                for way in WAYS]

    def run(self, answer: Any, case: Case) -> object:
        """Explore two visits at the class, and look at what it touches."""
        kind, right, wrong = answer.get(case["way"]), case["right"], case["wrong"]
        if not isinstance(kind, type):
            raise AnswerProblem("missing", f"fixes[{case['way']!r}] should be a class.")
        found = explored(_room(kind, right, wrong))
        return {
            **found, "alone": [kind(right).check(word) for word in _candidates(right, wrong)],
            **_means(kind, case["way"], right, wrong), "frozen": _frozen(kind(right)),
            "after": explored(_torn(kind, right))["verdict"] if case["way"] == "lock" else "",
        }

    def judge(self, case: Case, value: object) -> Verdict:
        """Right alone, then in every order, then by the means that was asked for."""
        way = case["way"]
        if not is_record(value, SEEN):
            return self.unseen(f"fixes[{way!r}]")
        if value["alone"] != [True] + [False] * 6 or any(type(a) is not bool for a in value["alone"]):
            return self.wrong("wrong-answer", f"fixes[{way!r}] is wrong for a visitor who is alone: check() should "
                                              "return True for the passcode, letter by letter, and False for anything "
                                              "else.")
        if value["verdict"] == "deadlock":
            return self.wrong("deadlock", f"fixes[{way!r}]: somebody waits for ever.", schedule=value["schedule"])
        if value["verdict"] == "broken" and value["raised"] is not None:
            return self.wrong("raises", f"fixes[{way!r}]: with two visitors at once a call raises {value['raised']}.",
                              schedule=value["schedule"])
        if value["verdict"] == "broken":
            return self.wrong("still-races", f"fixes[{way!r}] still gives a visitor the other's answer. The schedule "
                                             "below shows it.", schedule=value["schedule"])
        for key, wanted, reason, said in NEEDS[way]:
            if value[key] is not wanted:
                return self.wrong(reason, f"fixes[{way!r}] {said}.", points=1.0)
        if value["after"] == "deadlock":
            message = f"fixes[{way!r}]: when a comparison raises, the lock stays, and the next visitor waits for ever."
            return self.wrong("lock-stays", message, points=1.0)
        if value["verdict"] not in ("proved", "not instrumented") or value["after"] not in ("", "proved"):
            return self.wrong("not-proved", f"fixes[{way!r}] could not be proved: {value['verdict']}.")
        return self.right("Four repairs, each proved in every order, and each by its own means.")


class Torn:
    """A candidate that cannot be compared."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Raise ValueError."""
        raise ValueError("this passcode is torn")


def _candidates(right: str, wrong: str) -> tuple[str, ...]:
    """Return the passcode, and what is nearly one."""
    return right, wrong, "", f"{right}x", right[:-1], right.upper(), f" {right}"


def _room(kind: type, right: str, wrong: str) -> Scenario:
    calls = {"alice": lambda c: c.check(right), "mallory": lambda c: c.check(wrong)}
    return Scenario(lambda: kind(right), calls,
                    never=lambda c, answers: answers["alice"] is not True or answers["mallory"] is not False)


def _torn(kind: type, right: str) -> Scenario:
    """A visitor whose candidate raises, and one who comes at any time."""
    def unlucky(checker: Any) -> str:
        try:
            checker.check(Torn())
        except ValueError:
            return "torn"
        return "compared"

    return Scenario(lambda: kind(right), {"ann": unlucky, "ben": lambda c: c.check(right)}, never=lambda c, a: False)


def _means(kind: type, way: str, right: str, wrong: str) -> dict[str, bool]:
    """Say what one visit takes, writes and reads: on self, in a threading.local on self, or elsewhere."""
    steps = _room(kind, right, wrong).play(["alice*"]).steps
    own = {name for name, value in vars_of(kind(right)).items() if isinstance(value, threading.local)}
    writes = {_path(step.target) for step in steps if step.kind == "write"}
    inside = {path for path in writes if path.split(".")[0] in own and "." in path}
    read = any(step.kind == "read" and _path(step.target) in FIELDS for step in steps)
    return {
        "acquires": any(step.kind == "acquire" for step in steps), "local": bool(own),
        "kept": (writes >= {*FIELDS} and read) if way == "lock" else bool(inside),
        "writes": bool(writes - inside),
    }


def _path(target: str) -> str:
    """Return "mine.word" of "Checker.mine.word"."""
    return target.partition(".")[2] or target


def _frozen(checker: object) -> bool:
    """True if no field can be set from outside, neither one that is there nor a new one."""
    return all(_refuses(checker, name) for name in (*vars_of(checker), *FIELDS, "something_new"))


def _refuses(checker: object, name: str) -> bool:
    try:
        setattr(checker, name, None)
    except Exception:
        return True
    return False


EXERCISE = FixFourWays()

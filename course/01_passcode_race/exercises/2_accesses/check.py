"""Exercise 01.2: name every shared access of three small methods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import Case, Exercise, Verdict

ACCESS = re.compile(r"(read|write) [A-Za-z_]\w*")

TRUTH: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "Turnstile": ("write last", "read last"),
    "Visits": ("read total", "write total", "read total", "read limit"),
    "Badge": ("read owner", "read issued", "write issued", "write owner", "read owner"),
})
LOCALS = ("self", "name", "greeting", "mine", "number")


class NameTheAccesses(Exercise):
    """The answer maps each class to its accesses, in order: {"Turnstile": ["write last", …], …}."""

    id = "01.2"
    title = "Name every shared access"
    answer = "accesses"
    minutes = 8
    difficulty = 1
    points = 2.0
    expects = "a dict"

    def cases(self, seed: int) -> list[Case]:
        """One case for each class; the first is the lab's example."""
        return [Case(name, {"name": name}, visible=name == "Turnstile") for name in TRUTH]

    def run(self, answer: Any, case: Case) -> object:
        """Return what the answer says about this class, None when it says nothing."""
        return answer.get(case["name"])

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with the truth, and name the first kind of difference."""
        name = case["name"]
        if type(value) is not list:
            return self.wrong("wrong-shape", f"`accesses[{name!r}]` should be a list like ['read total', …].")
        bad = [a for a in value if type(a) is not str or not ACCESS.fullmatch(a)]
        if bad:
            return self.wrong("wrong-shape", f"{name}: {bad[0]!r} should look like 'read total'.")
        return self._compare(name, value)

    def _compare(self, name: str, value: list[str]) -> Verdict:
        truth = list(TRUTH[name])
        local = next((a for a in value if a.split()[1] in LOCALS), None)
        if local is not None:
            message = (
                f"{name}: '{local}' is about a local variable. Every call has its own, so nobody else can "
                "touch it."
            )
            return self.wrong("local-is-not-shared", message)
        missing = list((Counter(truth) - Counter(value)).elements())
        if missing:
            return self._missed(name, missing[0], value)
        extra = list((Counter(value) - Counter(truth)).elements())
        if extra:
            return self.wrong("extra-access", f"{name}: '{extra[0]}' is listed too often. Go line by line.")
        if value != truth:
            message = (
                f"{name}: all are there, in another order than they happen. The right side of '=' comes "
                "first."
            )
            return self.wrong("wrong-order", message)
        return self.right("Every shared access, in order.")

    def _missed(self, name: str, access: str, value: list[str]) -> Verdict:
        kind, field = access.split()
        if name == "Visits" and access == "read total" and value[:2] == ["read total", "write total"]:
            return self.wrong("missed-access", "Visits: the line after `+=` reads total once more.")
        if name == "Visits" and field == "total" and "write total" in value:
            message = "Visits: `+=` is two accesses, a read and a write, and somebody can come between them."
            return self.wrong("augmented-is-two", message)
        if not any(a.endswith(f" {field}") for a in value) and field == "issued":
            message = (
                "Badge: something is missing. An attribute of the class is shared by all of its "
                "objects."
            )
            return self.wrong("missed-class-attribute", message)
        if field == "limit":
            message = (
                "Visits: a field that is written only in __init__ is shared too. Reading it is harmless, "
                "but it is an access."
            )
            return self.wrong("missed-constant", message)
        return self.wrong("missed-access", f"{name}: a {kind} is missing. Each naming of a field counts.")


EXERCISE = NameTheAccesses()

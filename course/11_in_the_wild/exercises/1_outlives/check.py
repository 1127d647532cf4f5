"""Exercise 11.1: the oracle of the second call, over all pairs of calls."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

Service = Callable[[Any], object]


def echo() -> Service:
    """Keep nothing."""
    return lambda call: f"you say {call['say']}"


def greeter() -> Service:
    """Greet whoever said a name last."""
    kept: dict[str, str] = {}

    def serve(call: dict) -> str:
        kept.update(call)
        return f"Hello, {kept.get('user', 'stranger')}"

    return serve


def counter() -> Service:
    """Number the calls."""
    numbers = itertools.count(1)
    return lambda call: next(numbers)


def vouchers() -> Service:
    """One voucher for each name."""
    given: set[str] = set()

    def serve(call: dict) -> str:
        said = "sold out" if call["name"] in given else "a voucher"
        given.add(call["name"])
        return said

    return serve


def ledger() -> Service:
    """Keep the first line of a booking that failed."""
    lines: list[str] = []

    def serve(call: dict) -> list[str]:
        lines.append(f"{call['name']} pays")
        if call.get("fails"):
            raise ValueError(f"{call['name']} has no money")
        done = [*lines]
        lines.clear()
        return done

    return serve


def door() -> Service:
    """Refuse everybody after it was closed."""
    closed: list[bool] = []

    def serve(call: dict) -> str:
        if closed:
            raise RuntimeError("the door is closed")
        closed.extend([True] if call["do"] == "close" else [])
        return call["do"]

    return serve


def refuser() -> Service:
    """Refuse strangers, always in the same words; keep nothing."""

    def serve(call: dict) -> str:
        if call["user"] != "ann":
            raise PermissionError(f"{call['user']} is not known")
        return "come in"

    return serve


def strict() -> Service:
    """Refuse strangers, and name the last one that was refused."""
    last: list[str] = []

    def serve(call: dict) -> str:
        if call["user"] == "ann":
            return "come in"
        last.append(call["user"])
        raise PermissionError(f"{last[0]} is not known")

    return serve


def moody() -> Service:
    """Refuse everybody in the same words, for another reason after the first time."""
    kinds = itertools.chain([PermissionError], itertools.repeat(TimeoutError))

    def serve(call: dict) -> str:
        raise next(kinds)("not now")

    return serve


def switch() -> Service:
    """Change an answer from False to 0: equal, and so no leak. From "" to None: not equal."""
    asked: list[object] = []

    def serve(call: dict) -> object:
        asked.append(call)
        return call["values"][len(asked) > 1]

    return serve


SERVICES: Mapping[str, Callable[[], Service]] = MappingProxyType({
    one.__name__: one for one in (echo, greeter, counter, vouchers, ledger, door, refuser, strict, moody, switch)
})


def right_pairs(make: Callable[[], Service], calls: list[Any]) -> list[list[int]]:
    """Return what the answer should."""
    pairs = itertools.product(range(len(calls)), repeat=2)
    return [[i, j] for i, j in pairs if _asked(make(), calls[j]) != _asked(make(), calls[i], calls[j])]


def _asked(service: Service, *calls: Any) -> tuple[str, object]:
    """Ask all calls; return the last answer."""
    found: tuple[str, object] = ("", None)
    for call in calls:
        try:
            found = "answer", service(call)
        except Exception as error:
            found = type(error).__name__, str(error)
    return found


class Outlives(PlainFunction, SlipTable):
    """The answer is outlives(make, calls) -> list of pairs (i, j)."""

    id = "11.1"
    title = "A second call, after a first"
    answer = "outlives"
    minutes = 12
    difficulty = 2
    points = 3.0
    given = ("make", "calls")
    given_pure = True
    slips = MappingProxyType({
        "greeter": ("wrong-pairs", "ask the second call alone, and after the first one, each in a service of its own."),
        "echo": ("false-alarm", "this service keeps nothing. Does each question get a service of its own?"),
        "counter": ("forgets-itself", "a call after itself is a pair, too: this service numbers its calls."),
        "vouchers": ("asks-twice", "ask the second call once in each service: it may change the service itself."),
        "ledger": ("first-may-raise", "a first call that raises may leave something behind: ask the second one all "
                                      "the same."),
        "door": ("second-may-raise", "a second call that raises has an answer, too: the exception."),
        "refuser": ("compares-exceptions", "two exceptions of one type with one text are the same answer; as objects "
                                           "they are never equal."),
        "strict": ("compares-types", "the type is the same, the text is not: it names the first caller."),
        "moody": ("compares-texts", "the text is the same, the type is not: first it may not, then it is late."),
        "switch": ("compares-truth", "compare the answers with ==: an empty text and None differ, False and 0 do not."),
        "no call": ("false-alarm", "without calls there are no pairs."),
        "three names": ("wrong-pairs", "all pairs, in order, not only neighbours."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case a slip, then a drawn one."""
        draw = self.draw(seed)
        names = draw.sample(["bob", "cem", "dora", "eva"], 3)
        return [
            _case("greeter", [{"user": "ann"}, {}], visible=True),
            _case("echo", [{"say": name} for name in names]),
            _case("counter", [{"do": "look"}, {"do": "buy"}]),
            _case("vouchers", [{"name": "ann"}, {"name": names[1]}]),
            _case("refuser", [{"user": names[0]}, {"user": "ann"}, {"user": names[1]}]),
            _case("ledger", [{"name": names[0], "fails": True}, {"name": "ann"}]),
            _case("door", [{"do": "enter"}, {"do": "close"}]),
            _case("strict", [{"user": names[0]}, {"user": names[1]}]),
            _case("moody", [{"do": "ask"}]),
            _case("switch", [{"values": ["", None]}, {"values": [False, 0]}]),
            _case("no call", [], "counter"),
            _case("three names", [{}, {"user": names[0]}, {"user": names[1]}, {}], "greeter"),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; pairs become lists."""
        found = self.called(answer, case, make=SERVICES[case["service"]])
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"outlives should return a list, not {type(found).__name__}.")
        return [[*pair] if isinstance(pair, (list, tuple)) else str(pair) for pair in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """The pairs, in order."""
        if type(value) is not list or any(type(pair) is not list or len(pair) != 2 for pair in value):
            return self.wrong("wrong-shape", "outlives should return a list of pairs (i, j).")
        wanted = right_pairs(SERVICES[case["service"]], case["calls"])
        if value == wanted and all(type(number) is int for pair in value for number in pair):
            return self.right("Alone, and after: nothing that stays behind is missed.")
        return self.slip(case, before=f"Case '{case.label}': {_told(value)} instead of {_told(wanted)}: ")


def _told(pairs: list) -> str:
    return ", ".join(f"({', '.join(map(str, pair))})" for pair in pairs[:4]) + ", …" * (len(pairs) > 4) or "no pair"


def _case(label: str, calls: list[Any], service: str = "", visible: bool = False) -> Case:
    return Case(label, {"service": service or label, "calls": calls, "make": None}, visible)


EXERCISE = Outlives()

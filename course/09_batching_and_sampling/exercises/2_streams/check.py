"""Exercise 09.2: one stream of random numbers for each request, found by its key."""

from __future__ import annotations

import builtins
import importlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict, is_record
from sharedstate.checks.values import SlipTable, required

Stream = tuple[str, int | str | None, int, int]  # id, seed, sample, start
SEEN = frozenset({"numbers", "moved"})
ANN, BOB = ("ann", None, 0, 0), ("bob", None, 0, 0)
LOOK_ALIKES = ("ann", "Ann", "ann ", "\u00e4nn", "\u00fcnn", "request-000000000001", "request-000000000002", "")
TENTHS, LEAST, MOST = 10, 0.55, 1.5  # how full a tenth may be, of what is its share
GOES_ON = "goes on: "
NEAR = 0.2  # the largest correlation of a number with the next one


class OwnDice(SlipTable):
    """The answer is dice(request_id, seed, sample, start) -> iterator of numbers."""

    id = "09.2"
    title = "Whose dice are these?"
    answer = "dice"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a function"
    slips = MappingProxyType({
        "one stream": ("not-repeatable", "the same key should give the same numbers, whenever it is asked for."),
        "a neighbour comes": ("shared", "a neighbour draws in between, and the numbers are others. Each stream needs a "
                                        "generator of its own."),
        "the same key twice at once": ("handed-out-twice", "two streams of one key run side by side, and each begins "
                                                           "where it was told. They must not share a generator."),
        "in another process": ("hash", "in another process the numbers are others: hash() of a text is another one "
                                       "there. Use hashlib."),
        "preempted": ("ignores-start", "`start` numbers are used up already: the first is the one after them."),
        "two requests": ("ignores-the-id", "two requests, or two seeds, have two streams, however alike they are (one "
                                           "letter, a capital, a space, an umlaut)."),
        "two samples": ("ignores-the-sample", "two samples of one request have two streams."),
        "a seed, two ids": ("mixes-in-the-id", "with a seed given, the id plays no part: the user wants the same text "
                                               "again."),
        "seed 0": ("seed-zero", "0 is a seed like any other: ask whether it `is None`."),
        "a number and a text": ("untagged", "seed 1, seed \"1\" and the id \"1\" are three keys: keep what they are."),
        "parts that run together": ("runs-together", "seed 1 with sample 23 and seed 12 with sample 3 are two keys: "
                                                     "keep the parts apart. The same goes for their sum, and for ^."),
        "signs": ("loses-the-sign", "seed -1 and seed 1 are two keys. random.Random drops the sign of a number."),
        "large seeds": ("too-narrow", "two seeds that agree in their last 32 or 64 bits are two keys all the same."),
        "a long stream": ("uneven", "the numbers of a stream should be spread evenly, each independent of the last."),
        "many requests": ("uneven", "the first numbers of many requests should be spread evenly."),
        "drawn keys": ("runs-together", "different keys have different streams."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case for each slip."""
        draw = self.draw(seed)
        word = "".join(draw.sample("abcdefghij", 5))
        pairs = [(a, b) for a in (1, 2, 11, 12, 112) for b in (0, 1, 2, 3, 12, 23)]
        drawn = [(f"{word}{n % 3}", draw.choice([None, n, str(n)]), n % 2, 0) for n in range(12)]
        return [
            _case("one stream", [ANN], [ANN], [("ann", None, 0, 2)], visible=True),
            _case("a neighbour comes", [ANN], [ANN, BOB], [BOB, ANN, ("cy", 3, 0, 0)]),
            _case("the same key twice at once", [ANN, ANN], [(word, 5, 0, 0), (word, 5, 0, 0), (word, 5, 0, 1)]),
            _case("in another process", [ANN, (word, word, 1, 0)], [ANN, (word, word, 1, 0)], processes=True),
            _case("preempted", [ANN, (word, 7, 2, 0)], [("ann", None, 0, 3), (word, 7, 2, 5)], [("ann", None, 0, 7)]),
            _case("preempted", [(word, None, 1, 1000)], [(word, None, 1, 1003)]),
            _case("two requests", [ANN, BOB, (word, None, 0, 0)]),
            _case("two requests", [(name, None, 0, 0) for name in LOOK_ALIKES]),
            _case("two requests", [("x", name, 0, 0) for name in LOOK_ALIKES]),
            _case("two samples", [(word, None, n, 0) for n in range(3)], [(word, 4, n, 0) for n in range(3)]),
            _case("two samples", [(word, None, n, 0) for n in (1, 1 + 2**8, 1 + 2**16, 1 + 2**32)]),
            _case("a seed, two ids", [("ann", 7, 0, 0)], [("bob", 7, 0, 0)], [(word, "s", 1, 0), ("bob", "s", 1, 0)]),
            _case("seed 0", [ANN, ("ann", 0, 0, 0), ("bob", 0, 0, 0)]),
            _case("a number and a text", [("1", None, 0, 0), ("x", 1, 0, 0), ("x", "1", 0, 0), ("x", "None", 0, 0)]),
            _case("a number and a text", [("ann", "", 0, 0), ("", None, 0, 0)]),
            _case("a number and a text", [("ann", "", 0, 0), ANN]),
            _case("a number and a text", [(word, None, 0, 0), ("x", word, 0, 0), ("x", f"id{word}", 0, 0)]),
            _case("parts that run together", [("x", a, b, 0) for a, b in pairs]),
            _case("parts that run together", [(f"r{a}", None, b, 0) for a, b in pairs]),
            _case("signs", [("x", n, 0, 0) for n in (1, -1, 7, -7)]),
            _case("large seeds", [("x", n, 0, 0) for n in (1, 2**32 + 1, 2**64 + 1, 2**200 + 1)]),
            _case("large seeds", [(word, -(2**70), 0, 0)], [("x", -(2**70), 0, 0)]),
            _case("a long stream", [(word, 3, 0, 0)], count=2000),
            _case("many requests", [(f"{word}-{n}", None, 0, 0) for n in range(600)], count=2),
            _case("drawn keys", sorted(set(drawn), key=repr)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Make the streams of a group and draw from them in turn, number by number; then the next group."""
        numbers: list[list[object]] = []
        with _known_state() as moved:
            self._draw(answer, case, numbers)
            has_moved = moved()
        return {"numbers": numbers, "moved": has_moved}

    def _draw(self, answer: Any, case: Case, numbers: list[list[object]]) -> None:
        for place, group in enumerate(case["groups"]):
            with _hash_of_process(answer, place) if case["processes"] else _as_it_is():
                streams = [_iterator(required(answer(*stream), self.answer)) for stream in group]
                mine: list[list[object]] = [[] for _ in streams]
                for _ in range(case["count"]):
                    for stream, got in zip(streams, mine, strict=True):
                        got.append(_next(stream, got))
                numbers += mine

    def judge(self, case: Case, value: object) -> Verdict:
        """Equal where the key and the place are equal, and nowhere else; then how they are spread."""
        streams = [stream for group in case["groups"] for stream in group]
        if not is_record(value, SEEN) or type(value["moved"]) is not bool or type(value["numbers"]) is not list:
            return self.unseen("these streams")
        numbers, count = value["numbers"], case["count"]
        if len(numbers) != len(streams) or any(type(one) is not list or len(one) != count for one in numbers):
            return self.unseen("these streams")
        odd = next((n for one in numbers for n in one if type(n) not in (int, float) or not 0 <= n < 1), None)
        if odd is not None:
            return self.wrong("wrong-shape", f"A stream gave {odd!r}. Its numbers lie between 0 and 1, below 1.")
        if count > 2 and any(len(set(one)) == 1 for one in numbers):
            return self.wrong("rebuilt", f"One stream gives {numbers[0][0]} again and again. A generator that is made "
                                         "anew for each number begins anew for each number.")
        said = _differs(streams, numbers) or _meets(streams, numbers)
        if said.startswith(GOES_ON):
            return self.wrong(self.slips["preempted"][0], f"Case '{case.label}', {said[len(GOES_ON):]}: "
                                                          f"{self.slips['preempted'][1]}")
        if said:
            return self.slip(case, before=f"Case '{case.label}', {said}: ")
        if value["moved"]:
            return self.wrong("global-state", f"Case '{case.label}': a generator that belongs to everybody has moved "
                                              "(random's, numpy's or torch's). Make one of your own.")
        said = _uneven(numbers) if count * len(numbers) > 1000 else ""
        if said:
            return self.slip(case, before=f"Case '{case.label}', {said}: ")
        return self.right("Each key has a stream of its own, and goes on where it stopped.")


def key_of(stream: tuple[Any, ...]) -> tuple:
    """Return what a stream belongs to."""
    name, seed, sample, _ = stream
    return ("id", name, sample) if seed is None else ("seed", type(seed).__name__, seed, sample)


def _differs(streams: list[Stream], numbers: list[list[float]]) -> str:
    """Say where the same number of the same key is another one, after GOES_ON where the starts differ; or ""."""
    known: dict[tuple, tuple[float, Stream]] = {}
    for stream, mine in zip(streams, numbers, strict=True):
        for place, number in enumerate(mine, stream[3]):
            first, other = known.setdefault((*key_of(stream), place), (number, stream))
            if first != number:
                said = f"number {place} of dice{(*stream,)} is {number:.4f}, and of dice{(*other,)} it was {first:.4f}"
                return f"{GOES_ON}{said}" if other[3] != stream[3] else said
    return ""


def _meets(streams: list[Stream], numbers: list[list[float]]) -> str:
    """Say which two keys have numbers in common; "" when none have."""
    if len(streams) > 100:
        first = Counter(tuple(mine) for mine in numbers).most_common(1)[0]
        return f"{first[1]} requests have the same numbers" if first[1] > 1 else ""
    for (one, mine), (two, theirs) in combinations(zip(streams, numbers, strict=True), 2):
        if key_of(tuple(one)) != key_of(tuple(two)) and len(set(mine) & set(theirs)) > 1:
            return f"dice{(*one,)} and dice{(*two,)} have numbers in common"
    return ""


def _uneven(numbers: list[list[float]]) -> str:
    """Say how badly numbers are spread, those of one long stream or the first ones of many; "" when they are not."""
    row = numbers[0] if len(numbers) == 1 else [mine[0] for mine in numbers]
    tenths, share = Counter(int(n * TENTHS) for n in row), len(row) / TENTHS
    for tenth in range(TENTHS):
        if not LEAST * share <= tenths[tenth] <= MOST * share:
            return f"{tenths[tenth]} of {len(row)} numbers lie from {tenth / TENTHS} to {(tenth + 1) / TENTHS}"
    if len(set(row)) < 0.99 * len(row):
        return f"only {len(set(row))} of {len(row)} numbers differ"
    pairs = [*pairwise(row)] if len(numbers) == 1 else numbers
    near = 12 * sum((a - 0.5) * (b - 0.5) for a, b in pairs) / len(pairs)
    return f"a number and the next one go together (correlation {near:.2f})" if abs(near) > NEAR else ""


def _iterator(found: Any) -> Iterator[object]:
    """Return the iterator of what was given. Raises AnswerProblem("wrong-shape") for what has none."""
    if isinstance(found, (str, bytes, dict)) or not hasattr(found, "__iter__"):
        said = f"dice should return an iterator (write `yield`), not {type(found).__name__}."
        raise AnswerProblem("wrong-shape", said)
    return iter(found)


def _next(stream: Iterator[object], got: list[object]) -> object:
    try:
        return next(stream)
    except StopIteration:
        said = f"A stream ended after {len(got)} numbers. It has no end: the caller stops."
        raise AnswerProblem("ends", said) from None


@contextmanager
def _known_state() -> Iterator[Callable[[], bool]]:
    """Put the generators that belong to everybody into a known state, and the old one back at the end.

    Yields a function that says whether one of them has moved since.
    """
    numpy, torch = importlib.import_module("numpy").random, importlib.import_module("torch")
    old = random.getstate(), numpy.get_state(), torch.get_rng_state()
    random.seed(2**61 + 9)
    numpy.seed(2**31 + 9)
    torch.manual_seed(2**61 + 9)

    def now() -> tuple[object, ...]:
        _, keys, place, *_ = numpy.get_state()
        return random.getstate(), keys.tobytes(), place, torch.get_rng_state().numpy().tobytes()

    known = now()
    try:
        yield lambda: now() != known
    finally:
        random.setstate(old[0])
        numpy.set_state(old[1])
        torch.set_rng_state(old[2])


@contextmanager
def _hash_of_process(function: Any, number: int) -> Iterator[None]:
    """Give the function's module the hash() of another process for a while."""
    space = getattr(getattr(function, "__wrapped__", function), "__globals__", {})
    missing = object()
    before = space.get("hash", missing)
    space["hash"] = lambda thing: builtins.hash((builtins.hash(thing), number))
    try:
        yield
    finally:
        if before is missing:
            del space["hash"]
        else:
            space["hash"] = before


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


def _case(label: str, *groups: list[Stream], count: int = 4, processes: bool = False, visible: bool = False) -> Case:
    given = {"groups": [[list(stream) for stream in group] for group in groups], "count": count, "processes": processes}
    return Case(label, given, visible)


EXERCISE = OwnDice()

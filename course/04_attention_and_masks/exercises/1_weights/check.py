"""Exercise 04.1: causal attention weights, tried on hostile scores and odd shapes."""

from __future__ import annotations

import math
import random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.tensors import TensorFunction, indexed
from sharedstate.checks.types import Case, Verdict

SEEN = 1e-4  # a weight above it may not be zero
CLOSE = 1e-2  # how close among scores so large that they are coarse themselves
RELATIVE = MappingProxyType({"float32": 1e-5, "float64": 1e-10})  # how close: what the dtype can do, with room
HALF = MappingProxyType({"float16": 2e-3, "bfloat16": 1.5e-2})  # in half precision, of all weights together
SUM_CLOSE = 1e-3

LEAST = 1e-30  # what may be lost of a weight that no float32 can tell from nothing
LOWEST = -(2.0**128 - 2.0**104)  # of float32


class KeepTheStringTied(TensorFunction):
    """The answer is causal_weights(scores) -> weights, [..., q_len, kv_len], from the bottom right."""

    id = "04.1"
    title = "Keep the string tied"
    answer = "causal_weights"
    minutes = 12
    difficulty = 1
    points = 2.0
    forms = MappingProxyType({"weights": ("scores",), "moved": ("other",)})
    dtypes = MappingProxyType({"scores": "", "other": ""})
    result = "the result"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """Square and plain first; then other shapes; then scores that no random test would draw."""
        draw = self.draw(seed)
        return [
            Case("three by three, equal scores", _inputs([[0.0] * 3 for _ in "abc"]), visible=True),
            Case("five by five", _inputs(_noise(draw, 5, 5))),
            Case("one query, six keys", _inputs(_noise(draw, 1, 6))),
            Case("three queries, eight keys", _inputs(_noise(draw, 3, 8))),
            Case("one query, one key", _inputs(_noise(draw, 1, 1))),
            Case("two requests, three heads", _inputs([[_noise(draw, 4, 6) for _ in "abc"] for _ in "ab"])),
            Case("one head's batch of five", _inputs([_noise(draw, 3, 3) for _ in "abcde"])),
            Case("five axes", _inputs([[[_noise(draw, 2, 3) for _ in "ab"] for _ in "abc"] for _ in "ab"])),
            Case("three queries, three hundred keys", _inputs(_noise(draw, 3, 300))),
            Case("the past around +1e4", _inputs(_around(draw, 1e4))),
            Case("the past around -2e4", _inputs(_around(draw, -2e4))),
            Case("the past around -2e9", _inputs(_around(draw, -(2.0**31)))),
            Case("the past around -1e30", _inputs(_around(draw, -(2.0**100)))),
            Case("double precision", _inputs(_noise(draw, 3, 5), "float64")),
            Case("the past at -2e4", _inputs(_noise(draw, 4, 4, past=-2e4))),
            Case("the past at -2e9", _inputs(_noise(draw, 3, 5, past=-2e9))),
            Case("the future at +1e6", _inputs(_noise(draw, 4, 5, future=1e6))),
            Case("the past at -1e30", _inputs(_noise(draw, 4, 4, past=-1e30))),
            Case("the past at -1e40, float64", _inputs(_noise(draw, 4, 4, past=-1e40), "float64")),
            Case("the past at the lowest number of float32", _inputs([[LOWEST] * 5] * 3)),
            Case("half precision", _inputs(_eighths(draw, 3, 5), "float16")),
            Case("half precision, the past at -3e4", _inputs(_eighths(draw, 4, 6, -30_000.0), "float16")),
            Case("half precision, two heads", _inputs([_eighths(draw, 4, 4) for _ in "ab"], "float16")),
            Case("bfloat16", _inputs(_eighths(draw, 4, 6), "bfloat16")),
            Case("bfloat16, the past at -2e9", _inputs(_eighths(draw, 3, 5, -(2.0**31)), "bfloat16")),
        ]

    def dtype_of(self, case: Case, name: str) -> str:
        """As the case says."""
        return str(case["dtype"])

    def wanted_form(self, case: Case) -> tuple[list[int], str]:
        """The form of the scores."""
        return _shape(case["scores"]), case["dtype"]

    def numbers(self, case: Case, value: dict[str, Any], shape: list[int]) -> Verdict:
        """First the future, then the past, whether the future moved anything; last the sums."""
        kv_len, shift = shape[-1], shape[-1] - shape[-2]
        cells = list(indexed(value["weights"], shape))
        bad = next((at for at, weight in cells if type(weight) is str), None)
        if bad is not None:
            message = (f"{self._at(case, bad)} is not a number. 0 times infinity gives that (a mask of zeros and "
                       "ones times -inf), and so does a query that has nothing left to look at.")
            return self.wrong("not-a-number", message)
        ahead = [(at, weight) for at, weight in cells if at[-1] > at[-2] + shift and weight != 0.0]
        if ahead:
            return self._sees(case, ahead, shift)
        lost = next((at for at, weight in cells if at[-1] <= at[-2] + shift and weight == 0.0
                     and _truth(case["scores"], at, shift) > SEEN), None)
        if lost is not None:
            return self._lost(case, lost, shift)
        return self._sums(case, value, cells, kv_len)

    def _sees(self, case: Case, ahead: list, shift: int) -> Verdict:
        (at, weight) = ahead[0]
        said = f"{self._at(case, at)} has the weight {weight:.3g}, and this key is later than the query."
        if "the past a" in case.label:
            return self.wrong("finite-fill", f"{said} The past's scores are lower than your fill.")
        if all(place[-1] == place[-2] + shift + 1 for place, _ in ahead):
            return self.wrong("off-by-one", f"{said} It is one too many.")
        return self.wrong("sees-the-future", said)

    def _lost(self, case: Case, at: tuple[int, ...], shift: int) -> Verdict:
        said = f"{self._at(case, at)} has no weight, and that query may look there."
        if shift:
            hint = f" Query 0 of {case.label} stands at position {shift}: count from the bottom right."
            return self.wrong("top-left", said + hint)
        return self.wrong("loses-the-past", said)

    def _sums(self, case: Case, value: dict, cells: list, kv_len: int) -> Verdict:
        if value["weights"]["data"] != value["moved"]["data"]:
            message = (f"Case '{case.label}': other scores in the future gave other weights for the past. It "
                       "still sits in the denominator: mask before the softmax, not after it.")
            return self.wrong("future-in-the-denominator", message)
        close = HALF.get(case["dtype"], CLOSE if "the past a" in case.label else 0.0)
        rows = [cells[start:start + kv_len] for start in range(0, len(cells), kv_len)]
        for row in rows:
            total = sum(weight for _, weight in row)
            if abs(total - 1.0) > max(SUM_CLOSE, 2 * close):
                message = f"Case '{case.label}': query {row[0][0][-2]}'s weights add up to {total:.3g}, not to 1."
                return self.wrong("not-normalised", message)
        shift = kv_len - 1 - max(at[-2] for at, _ in cells)
        for at, weight in cells:
            truth = _truth(case["scores"], at, shift)
            if abs(weight - truth) > (close or RELATIVE[case["dtype"]] * truth + LEAST):
                return self.wrong("wrong-weights", f"{self._at(case, at)} has the weight {weight:.9g}; the softmax over "
                                                   f"the past is {truth:.9g}.{self._why(case, weight, truth)}")
        return self.right("Tied: no score and no shape opens it.")

    def _why(self, case: Case, weight: float, truth: float) -> str:
        if "the past around" in case.label:
            return " Scores of any size count as they are: don't clamp them."
        near = abs(weight - truth) < 1e-3
        return f" That is less exact than {case['dtype']} can be: don't round." if near else ""

    def _at(self, case: Case, at: tuple[int, ...]) -> str:
        return f"Case '{case.label}': query {at[-2]}, key {at[-1]}"


def _inputs(scores: list, dtype: str = "float32") -> dict[str, object]:
    return {"scores": scores, "other": _moved(scores), "dtype": dtype}


def _noise(draw: random.Random, q_len: int, kv_len: int, past: float = 0.0, future: float = 0.0) -> list:
    """Return scores [q_len, kv_len]: noise, or `past` throughout the past, `future` throughout the future."""
    shift = kv_len - q_len
    return [[(past if j <= i + shift else future) or round(draw.gauss(0.0, 1.0), 3) for j in range(kv_len)]
            for i in range(q_len)]


def _around(draw: random.Random, past: float) -> list:
    """Return scores [4, 6] that are all of this size, and not equal: in steps that float32 can tell apart."""
    step = max(0.125, abs(past) / 1024)
    return [[past + draw.randrange(16) * step if j <= i + 2 else round(draw.gauss(0.0, 1.0), 3) for j in range(6)]
            for i in range(4)]


def _eighths(draw: random.Random, q_len: int, kv_len: int, past: float = 0.0) -> list:
    """Return noise that half precision holds exactly."""
    return [[past * (j <= i + kv_len - q_len) + (0.0 if past else draw.randrange(-16, 17) / 8)
             for j in range(kv_len)] for i in range(q_len)]


def _moved(scores: list) -> list:
    """Return the same scores of the past, with others in the future."""
    if type(scores[0][0]) is list:
        return [_moved(part) for part in scores]
    shift = len(scores[0]) - len(scores)
    return [[score if j <= i + shift else 3.0 - score for j, score in enumerate(row)]
            for i, row in enumerate(scores)]


def _shape(nested: object) -> list[int]:
    return [len(nested), *_shape(nested[0])] if type(nested) is list else []


def _truth(scores: list, at: tuple[int, ...], shift: int) -> float:
    """Return the weight that belongs to an entry."""
    for place in at[:-2]:
        scores = scores[place]
    row = scores[at[-2]][: at[-2] + shift + 1]
    if at[-1] >= len(row):
        return 0.0
    top = max(row)
    return math.exp(row[at[-1]] - top) / sum(math.exp(score - top) for score in row)


EXERCISE = KeepTheStringTied()

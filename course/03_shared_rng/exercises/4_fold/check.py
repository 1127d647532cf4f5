"""Exercise 03.4: bytes to symbols, in one go and without bias; judged on every byte there is, not on samples."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType
from typing import Any

import numpy as np

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record
from sharedstate.checks.values import required

from .words import SYMBOLS

FEW, MANY = 256, 4096  # bytes; what Python does for them should not grow with their number
SLACK = 400  # steps of Python that may come on top: caches, warnings, imports
SIZES = (10, 64, 1, 100, 26)
SEEN = frozenset({"whole", "alone", "steps", "input"})


class FairFold(Exercise):
    """The answer is to_symbols(raw, codes) -> the codes of the bytes that are kept, in order."""

    id = "03.4"
    title = "As one array, and fair"
    answer = "to_symbols"
    minutes = 12
    difficulty = 2
    points = 3.0
    expects = "a function"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """Small bytes, all bytes, a mixture, nothing at all."""
        draw = self.draw(seed)
        every = list(range(256))
        draw.shuffle(every)
        return [
            _case("bytes below 62", draw.sample(range(62), 40), True),
            _case("every byte once", every),
            _case("a mixture", [draw.randrange(256) for _ in range(5000)]),
            _case("no byte at all", []),
            *(_case(f"an alphabet of {size}", every, size=size) for size in SIZES),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Fold the array, then every byte alone; count the steps of Python for few bytes and for many."""
        raw, codes = (np.array(case[name], dtype=np.uint8) for name in ("raw", "codes"))

        def folded(some: np.ndarray) -> Any:
            return answer(some, codes)

        whole = _listed(folded(raw), "to_symbols(raw, codes)")
        alone = [_listed(folded(np.array([byte], dtype=np.uint8)), f"byte {byte}") for byte in range(256)]
        few, many = (np.arange(size).astype(np.uint8) for size in (FEW, MANY))
        return {"whole": whole, "alone": alone, "input": [raw.tolist(), codes.tolist()],
                "steps": [_steps(folded, few), _steps(folded, many)]}

    def judge(self, case: Case, value: object) -> Verdict:
        """Symbols, one for a byte; no loop; equal chances; nothing wasted; the order and the input kept."""
        if not is_record(value, SEEN) or not _sound(value):
            return self.wrong("wrong-shape", "to_symbols() should return an array of ASCII codes.")
        if value["input"] != [case["raw"], case["codes"]]:
            message = "An array that was handed in is another one afterwards. It may be somebody's: work on a copy."
            return self.wrong("changes-input", message)
        codes = {*case["codes"]}
        if any(len(one) > 1 or not set(one) <= codes for one in value["alone"]):
            return self.wrong("not-a-symbol", f"A byte gives one of the {len(codes)} codes, or nothing.")
        few, many = value["steps"]
        if many > few + SLACK:
            message = (f"For {FEW} bytes Python took {few:,} steps, for {MANY} bytes {many:,}: a loop runs over the "
                       "bytes. Let numpy do it.")
            return self.wrong("loops", message)
        if not case.visible:
            chances = Counter(code for one in value["alone"] for code in one)
            numbers = {chances[code] for code in codes}
            if len(numbers) > 1:
                often, seldom = max(codes, key=lambda c: chances[c]), min(codes, key=lambda c: chances[c])
                message = (f"Case '{case.label}': of the 256 bytes {chances[often]} give {chr(often)!r} and "
                           f"{chances[seldom]} give {chr(seldom)!r}: that is a bias.")
                return self.wrong("biased", message)
            if numbers != {256 // len(codes)}:
                message = (f"Case '{case.label}': {numbers.pop()} bytes give each code, and the rest is thrown away: "
                           f"{256 // len(codes)} would do.")
                return self.wrong("wasteful", message)
        if value["whole"] != [code for byte in case["raw"] for code in value["alone"][byte]]:
            message = f"Case '{case.label}': together the bytes give other symbols than one by one."
            return self.wrong("not-in-order", message)
        return self.right("Every code from as many bytes as can be, the rest rejected, no loop.")


def _steps(answer: Any, raw: object) -> int:
    """Return how many lines and calls of Python an answer takes; what numpy does inside counts as nothing."""
    counted = [0]

    def look(frame: FrameType, event: str, arg: object) -> Any:
        counted[0] += 1
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        answer(raw)
    finally:
        sys.settrace(before)
    return counted[0]


def _listed(result: object, where: str) -> list[int]:
    """Return an array's codes as plain integers. Raises AnswerProblem for anything but a flat array of them."""
    required(result, where)
    if not isinstance(result, np.ndarray) or result.ndim != 1 or result.dtype.kind not in "ui":
        found = getattr(result, "dtype", type(result).__name__)
        raise AnswerProblem("wrong-shape", f"{where} gave {found}: a flat numpy array of ASCII codes is wanted.")
    return [int(code) for code in np.asarray(result)]


def _sound(value: dict) -> bool:
    rows, steps = value["alone"], value["steps"]
    if type(rows) is not list or len(rows) != 256 or type(steps) is not list or [type(n) for n in steps] != [int, int]:
        return False
    return all(type(row) is list and all(type(code) is int for code in row) for row in (*rows, value["whole"]))


def _case(label: str, raw: list[int], visible: bool = False, size: int = len(SYMBOLS)) -> Case:
    """Return a case; codes: those of all symbols, or of an alphabet of another size."""
    codes = [ord(symbol) for symbol in SYMBOLS] if size == len(SYMBOLS) else [(7 * n + 33) % 256 for n in range(size)]
    return Case(label, {"raw": raw, "codes": codes}, visible)


EXERCISE = FairFold()

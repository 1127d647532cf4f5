"""What the exercises of lab 03 share: is this a passcode, are these drawn evenly, and random's own state."""

from __future__ import annotations

import random
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sharedstate.checks.types import AnswerProblem

SYMBOLS = string.ascii_letters + string.digits
LENGTH = 16
SIGMAS = 7.0


def given(value: object, what: str) -> object:
    """Return what a function gave; raise AnswerProblem("untouched") for None, which is what an empty one gives."""
    if value is None:
        raise AnswerProblem("untouched", f"{what} returns nothing yet.")
    return value


def passcode_complaint(codes: object, count: int, where: str) -> str | None:
    """Say what is wrong with a list of `count` passcodes, or nothing."""
    if type(codes) is not list or len(codes) != count or any(type(code) is not str for code in codes):
        return f"{where}: a list of {count} texts is wanted."
    for code in codes:
        if len(code) != LENGTH or not set(code) <= set(SYMBOLS):
            return f"{where}: {code[:40]!r} is no passcode of {LENGTH} letters and digits."
    return None


def uneven(codes: Sequence[str]) -> bool:
    """True when the symbols at some place, or at all places, are far from equally likely."""
    places = [Counter(code[place] for code in codes) for place in range(LENGTH)]
    return any(_far(counted) for counted in (*places, sum(places, Counter())))


def _far(counted: Counter[str]) -> bool:
    expected = sum(counted.values()) / len(SYMBOLS)
    chi = sum((counted[symbol] - expected) ** 2 / expected for symbol in SYMBOLS)
    freedom = len(SYMBOLS) - 1
    return chi > freedom + SIGMAS * (2 * freedom) ** 0.5


@contextmanager
def global_state(seed: int) -> Iterator[None]:
    """Put the module random's hidden generator into a known state, and the old one back at the end."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)

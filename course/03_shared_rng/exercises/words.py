"""What the exercises of lab 03 share: is this a passcode, are these drawn evenly, and do they share pieces?"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

SYMBOLS = string.ascii_letters + string.digits
LENGTH = 16
PIECE = 8  # symbols in a row that honest passcodes do not share: for 3,000 of them a chance of 2 in a million
SIGMAS = 7.0
GAPS = (
    10, 16, 20, 24, 26, 31, 37, 62, 64, 100, 101, 128, 255, 256, 257, 360, 365, 500, 512, 997, 1000, 1009, 1024, 4096,
    9973, 10_000, 65_535, 65_536, 65_537, 10**5, 2**20, 10**6, 1_000_003, 2**24, 10**9, 2**31 - 1, 2**31,
)  # what people leave room for


WIDE, TOP = 2**32, 2**64
NARROW = 2**40
HUGE = (
    10**7, 10**8, WIDE - 1, WIDE, WIDE + 1, 10**12, 2**40, 2**48, 2**53, 2**53 + 1, 2**61 - 1, 2**63, TOP - 2, TOP - 1,
)
SEVEN = 6 << 32 | 7  # seeds like 7: random.Random(n) adds j to word number j of n, over and over
ALIKE = (
    ((0, 7), (0, SEVEN), (4 << 32 | 5, SEVEN)),  # master << 64 | unit, and whatever else makes 7 of (0, 7)
    ((0, 1 << 32 | 2), (WIDE - 2 << 32 | WIDE - 1, 1 << 32 | 2)),  # master << 96 | unit
    ((0, 2 << 32 | 2), (WIDE - 2 << 32 | WIDE - 2, 2 << 32 | 2)),  # master << 128 | unit
    ((2, 1), (30_992, 196_030)),  # Cantor's pairing
)
TWINS = (*ALIKE, *(tuple(pair[::-1] for pair in group) for group in ALIKE))
TWIN = MappingProxyType({pair: group[0] for group in TWINS for pair in group})


def passcode_complaint(codes: object, count: int, where: str) -> str | None:
    """Say what is wrong with a list of `count` passcodes, or nothing."""
    if type(codes) is not list or len(codes) != count or any(type(code) is not str for code in codes):
        return f"{where}: a list of {count} texts is wanted."
    for code in codes:
        if len(code) != LENGTH or not set(code) <= set(SYMBOLS):
            return f"{where}: {code[:40]!r} is no passcode of {LENGTH} letters and digits."
    return None


def bias(codes: Sequence[str]) -> str | None:
    """Say what is uneven in many passcodes, or nothing."""
    places = [Counter(code[place] for code in codes) for place in range(LENGTH)]
    if any(_far(counted) for counted in (*places, sum(places, Counter()))):
        return "some symbols come far too often"
    chance = 1.0
    for taken in range(LENGTH):
        chance *= 1 - taken / len(SYMBOLS)
    different = sum(len(set(code)) == LENGTH for code in codes)
    sigma = (len(codes) * chance * (1 - chance)) ** 0.5
    if abs(different - len(codes) * chance) > SIGMAS * sigma:
        return (f"{different:,} of {len(codes):,} passcodes hold no symbol twice, and about {len(codes) * chance:,.0f} "
                "should: one symbol has an influence on the next")
    return None


def shared_piece(codes: Sequence[str]) -> tuple[str, str] | None:
    """Return two passcodes that have a piece of eight symbols in common; None when all is well."""
    seen: dict[str, str] = {}
    for code in codes:
        for start in range(LENGTH - PIECE + 1):
            other = seen.setdefault(code[start:start + PIECE], code)
            if other != code:
                return other, code
    return None


def squares(side: int, gaps: Sequence[int] = GAPS) -> list[list[int]]:
    """Return pairs in which a * K + b, a + K * b and the like meet for some K: small ones, and one for each gap."""
    pairs = [[a, b] for a in range(2) for b in range(side)] + [[a, b] for a in range(2, side) for b in range(2)]
    far = [gap for gap in gaps if gap >= side]
    return pairs + [[0, gap] for gap in far] + [[gap, 0] for gap in far]


def digits() -> list[list[int]]:
    """Return pairs that meet when both are written with so many digits, decimal or hexadecimal, one after the other."""
    pairs = []
    for base, most in ((10, 19), (16, 16)):
        for width in range(2, most):
            pairs += [[base ** (width - 1), base**width], [base**width + 1, 0]]
    return pairs


def without_doubles(pairs: list[list[int]]) -> list[list[int]]:
    """Return each pair once, those that a seed of 64 bits can hold."""
    return [list(pair) for pair in dict.fromkeys(map(tuple, pairs)) if max(pair) < TOP]


def meeting_pairs(first: int, second: int) -> list[list[int]]:
    """Return pairs below two limits that many ways to make one seed of two numbers send to one stream."""
    pairs = without_doubles(digits() + [list(pair) for pair in TWIN])
    return [[one, two] for one, two in pairs if one < first and two < second]


def wide_pairs(first: int, second: int) -> list[list[int]]:
    """Return pairs of numbers just below two limits, of one such and a small one, and the other way round."""
    return [pair for n in range(1, 9)
            for pair in ([first - n, n % 3], [n % 3, second - n], [first - n, second - 7 * n])]


def too_narrow(seeds: list[object]) -> bool:
    """True when wide numbers went in, and no seed came of them that needs more than 32 bits and a little."""
    return bool(seeds) and all(type(seed) is int and abs(seed) < NARROW for seed in seeds)


def _far(counted: Counter[str]) -> bool:
    expected = sum(counted.values()) / len(SYMBOLS)
    chi = sum((counted[symbol] - expected) ** 2 / expected for symbol in SYMBOLS)
    freedom = len(SYMBOLS) - 1
    return chi > freedom + SIGMAS * (2 * freedom) ** 0.5

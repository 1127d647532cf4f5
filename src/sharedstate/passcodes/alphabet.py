"""The symbols of a passcode, and what a request for passcodes may be."""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import ndarray

SYMBOLS = string.ascii_letters + string.digits  # 62 of them
LONGEST = 1024
WORD = 1 << 16


@dataclass(frozen=True)
class Recipe:
    """What a passcode looks like: its length in symbols, and the symbols to choose from.

    Raises ValueError for a length outside 1..1024, for fewer than two symbols, for a symbol that comes twice or
    is no printable ASCII character; TypeError for another type.
    """

    length: int = 16
    alphabet: str = SYMBOLS

    def __post_init__(self) -> None:
        whole(self.length, "length", 1, LONGEST)
        if type(self.alphabet) is not str:
            raise TypeError(f"alphabet is a {type(self.alphabet).__name__}: give the symbols as one string.")
        odd = sorted({c for c in self.alphabet if not "!" <= c <= "~"})
        if odd:
            raise ValueError(f"alphabet holds {odd[0]!r}: use printable ASCII characters other than the blank.")
        if len(self.alphabet) < 2 or len(set(self.alphabet)) != len(self.alphabet):
            raise ValueError("alphabet needs two symbols or more, each of them once.")

    @property
    def possible(self) -> int:
        """How many different passcodes there are."""
        return len(self.alphabet) ** self.length

    @property
    def pairs(self) -> int:
        """How many pairs of symbols make one passcode (an odd length drops the last symbol)."""
        return (self.length + 1) // 2

    @property
    def words(self) -> int:
        """How many 64-bit words belong to one passcode: four pairs in each."""
        return (self.pairs + 3) // 4

    @property
    def limit(self) -> int:
        """16-bit words from here on are rejected: what is below holds every pair equally often."""
        square = len(self.alphabet) ** 2
        return WORD // square * square

    def codes(self) -> ndarray:
        """Return the symbols as bytes, uint8 [symbols]."""
        import numpy as np

        return np.frombuffer(self.alphabet.encode("ascii"), dtype=np.uint8)

    def pair_table(self) -> ndarray:
        """Return uint16 [limit]: the two symbols (as two bytes in memory) of each accepted word."""
        import numpy as np

        codes, size = self.codes(), len(self.alphabet)
        square = np.empty((size, size, 2), dtype=np.uint8)
        square[..., 0], square[..., 1] = codes[:, None], codes[None, :]
        return np.tile(square.reshape(-1).view(np.uint16), self.limit // size**2)


def whole(value: object, name: str, low: int, high: int) -> int:
    """Return the value when it is an integer from low to high; raise TypeError or ValueError with its name."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a {type(value).__name__}: give a whole number.")
    number = value.__index__()
    if not low <= number <= high:
        raise ValueError(f"{name} is {number}: it lies between {low} and {_short(high)}.")
    return number


def _short(number: int) -> str:
    """Write a power of two, or the number before it, as such."""
    for exact, word in ((number, ""), (number + 1, " - 1")):
        if number > LONGEST and exact & (exact - 1) == 0:
            return f"2**{exact.bit_length() - 1}{word}"
    return str(number)

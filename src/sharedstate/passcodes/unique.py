"""No duplicate by construction: each index, over all units, is sent to a passcode of its own.

"No duplicate in the batch" is state that all units share, unless nobody needs to ask. A keyed permutation of the
numbers of all possible passcodes (a Feistel network that walks its cycle until it is inside) sends different indexes to
different passcodes, so units that use different indexes can never meet. Test data, not secrets: the mixing is
good, not cryptographic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sharedstate.passcodes.alphabet import SYMBOLS, Recipe, whole
from sharedstate.passcodes.generate import generate
from sharedstate.passcodes.streams import MOST, SEED_BITS, mix

if TYPE_CHECKING:
    from numpy import ndarray

ROUNDS = 10
HALF_BITS = 62
KEY_SPAWN = (0, 1)  # two words, where a unit's stream has one: never the key of a stream


@dataclass(frozen=True)
class Halves:
    """A passcode's number as two digits: left below `left`, right below `right`, in the base of the alphabet."""

    left: int
    right: int
    left_symbols: int
    right_symbols: int


def generate_unique(
    count: int, length: int = 16, alphabet: str = SYMBOLS, seed: int = 0, unit: int = 0, units: int = 1,
    *, start: int = 0,
) -> ndarray:
    """Return passcodes start, start + 1, ... of one of `units` units: [count], dtype S{length}, none twice.

    Not even across units: unit u has every units-th number of one permutation, from u on. All of them must
    use the same seed and `units`. Raises ValueError when that many different passcodes do not exist.
    """
    import numpy as np

    recipe, units = Recipe(length, alphabet), whole(units, "units", 1, 2**32 - 2)
    unit = whole(unit, "unit", 0, units - 1)
    count, start = whole(count, "count", 0, MOST), whole(start, "start", 0, MOST)
    wanted = (start + count - 1) * units + unit + 1 if count else 0
    require_possible(wanted, recipe)
    whole(wanted, "the last index, of all units together,", 0, 2**63)
    halves = split(recipe)
    index = (np.arange(count, dtype=np.uint64) + np.uint64(start)) * np.uint64(units) + np.uint64(unit)
    left, right = _permute(index // np.uint64(halves.right), index % np.uint64(halves.right), halves, seed)
    parts = [_digits(left, halves.left_symbols, recipe), _digits(right, halves.right_symbols, recipe)]
    rest = length - halves.left_symbols - halves.right_symbols
    if rest:  # the head is unique already, so the tail may be any
        tail = generate(count, rest, alphabet, seed, unit, start=start)
        parts.append(tail.view(np.uint8).reshape(count, rest))
    return np.concatenate(parts, axis=1).view(f"S{length}").reshape(count)


def require_possible(wanted: int, recipe: Recipe) -> None:
    """Raise ValueError when there are fewer different passcodes than are wanted."""
    if wanted > recipe.possible:
        raise ValueError(
            f"{wanted:,} different passcodes are wanted, and {len(recipe.alphabet)} symbols in length "
            f"{recipe.length} give only {recipe.possible:,}: ask for fewer, longer ones or more symbols."
        )


def split(recipe: Recipe) -> Halves:
    """Return the two halves that are permuted; symbols beyond twice 62 bits are left to the tail."""
    size, most = len(recipe.alphabet), 1
    while size ** (most + 1) < 2**HALF_BITS:
        most += 1
    left = min(most, (recipe.length + 1) // 2)
    right = min(most, recipe.length - left)
    return Halves(size**left, size**right, left, right)


def _permute(left: ndarray, right: ndarray, halves: Halves, seed: int) -> tuple[ndarray, ndarray]:
    """Send each (left, right) to another one: scramble, and again those that fell outside (cycle walking)."""
    import numpy as np

    keys = _keys(seed)
    left, right = _scramble(left, right, halves, keys)
    outside = np.flatnonzero(_outside(left, right, halves))
    while len(outside):
        left[outside], right[outside] = _scramble(left[outside], right[outside], halves, keys)
        outside = outside[_outside(left[outside], right[outside], halves)]
    return left, right


def _outside(left: ndarray, right: ndarray, halves: Halves) -> ndarray:
    return (left >= halves.left) | (right >= halves.right)


def _scramble(left: ndarray, right: ndarray, halves: Halves, keys: ndarray) -> tuple[ndarray, ndarray]:
    """Feistel: each half in turn takes in a function of the other, which can always be undone."""
    import numpy as np

    left_mask = np.uint64((1 << (halves.left - 1).bit_length()) - 1)
    right_mask = np.uint64((1 << (halves.right - 1).bit_length()) - 1)
    for number in range(0, ROUNDS, 2):
        left = left ^ (mix(right + keys[number]) & left_mask)
        right = right ^ (mix(left + keys[number + 1]) & right_mask)
    return left, right


def _keys(seed: int) -> ndarray:
    import numpy as np

    seed = whole(seed, "seed", 0, 2**SEED_BITS - 1)
    return np.random.SeedSequence(seed, spawn_key=KEY_SPAWN).generate_state(ROUNDS, np.uint64)


def _digits(number: ndarray, symbols: int, recipe: Recipe) -> ndarray:
    """Write numbers [count] in the base of the alphabet: uint8 [count, symbols]."""
    import numpy as np

    size, codes = np.uint64(len(recipe.alphabet)), recipe.codes()
    written = np.empty((len(number), symbols), dtype=np.uint8)
    for place in range(symbols - 1, -1, -1):
        written[:, place] = codes[number % size]
        number = number // size
    return written

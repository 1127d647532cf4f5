"""Passcodes for tests: a whole batch at once, or number k alone, the same either way.

**Test data, not secrets.** Who knows the seed knows every passcode, and so does, soon, who sees enough of them. For
anything that protects something use the standard library's `secrets`, for example
`"".join(secrets.choice(SYMBOLS) for _ in range(16))`.

Passcode k of (seed, unit) is a function of these three numbers alone. Units share nothing that is written, so
they may run in any order, in any number of threads or processes. Passcodes are unbiased: 16-bit words choose pairs of
symbols, and words beyond the last full round of pairs are rejected. A batch may hold duplicates, as any draw may;
`unique` and `join` are there for those who must not have any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sharedstate.passcodes.alphabet import SYMBOLS, Recipe, whole
from sharedstate.passcodes.streams import MOST, next_words, spare_words, stream, stream_key

if TYPE_CHECKING:
    from numpy import ndarray

CHUNK = 1 << 18  # 16-bit words drawn in one go: what stays in a processor's cache
FEW = 256  # up to here the pair table costs more than it saves


def generate(
    count: int,
    length: int = 16,
    alphabet: str = SYMBOLS,
    seed: int = 0,
    unit: int = 0,
    *,
    start: int = 0,
) -> ndarray:
    """Return passcodes number start, start + 1, ... of a unit as an array [count] of dtype S{length}.

    Seeded passcodes are test data; for secrets see `secrets`. Another count gives the same passcodes, more or fewer
    of them. seed: 0 to 2**128 - 1; unit: 0 to 2**32 - 1. Raises ValueError or TypeError, with what to do, for
    arguments that make no sense. One (seed, unit) has one stream of bits: passcodes of another length or alphabet
    from the same pair are not independent of these.
    """
    import numpy as np

    recipe = Recipe(length, alphabet)
    count, start = whole(count, "count", 0, MOST), whole(start, "start", 0, MOST)
    key, columns = stream_key(seed, unit), 4 * recipe.words
    found, rows = np.empty((count, columns), dtype=np.uint16), max(1, CHUNK // columns)
    table = recipe.pair_table() if count > FEW else None
    source = stream(key, start * recipe.words)
    for first in range(0, count, rows):
        chunk = found[first : first + rows]
        words = next_words(source, len(chunk) * recipe.words)
        _replace_rejected(words, recipe, key, (start + first) * columns)
        if table is None:
            chunk[:] = _few(words, recipe).reshape(chunk.shape)
        else:
            table.take(words, out=chunk.reshape(-1), mode="clip")
    return _as_passcodes(found, recipe)


def passcode_at(
    index: int, seed: int = 0, unit: int = 0, length: int = 16, alphabet: str = SYMBOLS
) -> bytes:
    """Return passcode number `index` of a unit, without any of its predecessors; equal to `generate`'s.

    Seeded passcodes are test data; for secrets see `secrets`.
    """
    # item() would drop nothing here: no symbol is a zero byte.
    return generate(1, length, alphabet, seed, unit, start=index)[0].item()


def _replace_rejected(words: ndarray, recipe: Recipe, key: ndarray, start: int) -> None:
    """Draw again, in place, what lies beyond the limit; `start` is the number of the first word."""
    import numpy as np

    rejected, attempt = np.flatnonzero(words >= recipe.limit), 0
    while len(rejected):
        words[rejected] = spare_words(key, rejected.astype(np.uint64) + np.uint64(start), attempt)
        rejected, attempt = rejected[words[rejected] >= recipe.limit], attempt + 1


def _few(words: ndarray, recipe: Recipe) -> ndarray:
    """Return each word's two symbols by arithmetic, uint16 as two bytes in memory."""
    import numpy as np

    codes, size = recipe.codes(), len(recipe.alphabet)
    pair = words % (size * size)
    return np.stack((codes[pair // size], codes[pair % size]), axis=-1).view(np.uint16)


def _as_passcodes(pairs: ndarray, recipe: Recipe) -> ndarray:
    """Return the pairs as one bytes string a row, S{length}."""
    import numpy as np

    symbols = pairs.view(np.uint8)[:, : recipe.length]
    return np.ascontiguousarray(symbols).view(f"S{recipe.length}").reshape(len(pairs))

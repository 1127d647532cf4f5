"""Random words addressed by their number: any of them without its predecessors, for each (seed, unit) a stream.

Philox (Salmon and others, 2011) turns a key and a counter into 256 bits, and keeps no other state. The key comes from
numpy's SeedSequence with the unit as its spawn key, which hashes both, so that neighbours have nothing in common.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sharedstate.passcodes.alphabet import whole

if TYPE_CHECKING:
    from numpy import ndarray
    from numpy.random import Philox

SEED_BITS, UNIT_BITS = 128, 32  # more would run into the words of the spawn key: two requests, one stream
BLOCK = 4  # 64-bit words in one block of Philox
MOST = 2**53  # so that places of 16-bit words stay below 2**64
GOLDEN = 0x9E3779B97F4A7C15
MIXER = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))  # splitmix64's finaliser (Stafford's mix 13)


def stream_key(seed: int, unit: int = 0) -> ndarray:
    """Return the key of a unit's stream, uint64 [2].

    seed: 0 to 2**128 - 1; unit: 0 to 2**32 - 1. Two different pairs are two different inputs of the hash.
    Raises TypeError or ValueError for anything else (a list, a negative number).
    """
    import numpy as np

    seed = whole(seed, "seed", 0, 2**SEED_BITS - 1)
    unit = whole(unit, "unit", 0, 2**UNIT_BITS - 1)
    return np.random.SeedSequence(seed, spawn_key=(unit,)).generate_state(2, np.uint64)


def stream(key: ndarray, word: int) -> Philox:
    """Return a fresh Philox whose next 64-bit word is number `word` of the stream."""
    import numpy as np

    block, rest = divmod(word, BLOCK)
    # numpy counts up before it draws: one step back, and block 0 starts at the end of the circle.
    counter = (block - 1) % (1 << 256)
    source = np.random.Philox(
        key=key, counter=np.array([(counter >> 64 * i) & (2**64 - 1) for i in range(4)], dtype=np.uint64)
    )
    if rest:
        source.random_raw(rest)
    return source


def next_words(source: Philox, count: int) -> ndarray:
    """Return the next `count` 64-bit words as 16-bit ones, uint16 [4 * count], the same on every machine."""
    import numpy as np

    raw = source.random_raw(count)
    return raw.view(np.uint16) if sys.byteorder == "little" else raw.astype("<u8").view("<u2").astype(np.uint16)


def spare_words(key: ndarray, places: ndarray, attempt: int) -> ndarray:
    """Return one 16-bit word for each place (uint64) in place of a rejected one, uint16, by hashing alone."""
    import numpy as np

    step = np.uint64((attempt + 1) * GOLDEN % 2**64)
    return (mix(mix(places ^ key[0]) + key[1] + step) >> np.uint64(48)).astype(np.uint16)


def mix(x: ndarray) -> ndarray:
    """Spread every bit over the whole word, uint64 in and out (it wraps around, as it should)."""
    import numpy as np

    for shift, multiplier in MIXER:
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(multiplier)
    return x ^ (x >> np.uint64(31))

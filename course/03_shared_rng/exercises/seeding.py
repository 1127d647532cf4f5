"""With what are generators seeded, how wide is that, and which whole numbers give random.Random the same stream?"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sharedstate.checks.process import namespaces

Pair = tuple[int, int]
WORD = 2**32
NARROW = 40  # bits of a seed: with so few, two of a million streams probably meet
OF_NUMPY = ("default_rng", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937", "RandomState")
SEVEN = 6 << 32 | 7  # seeds like 7: random.Random(n) adds j to word number j of n, over and over
ALIKE = (
    ((0, 7), (0, SEVEN), (4 << 32 | 5, SEVEN)),  # master << 64 | unit, and whatever else makes 7 of (0, 7)
    ((0, 1 << 32 | 2), (WORD - 2 << 32 | WORD - 1, 1 << 32 | 2)),  # master << 96 | unit
    ((0, 2 << 32 | 2), (WORD - 2 << 32 | WORD - 2, 2 << 32 | 2)),  # master << 128 | unit
    ((0, 1), (WORD - 1, 1)),  # master << 64 | unit again, with numbers of 32 bits
    ((2, 1), (30_992, 196_030)),  # Cantor's pairing
    ((2, 1), (160_529, 83_413)),  # Szudzik's
    ((3, 1), (131_075, 65_537)),  # the bits in turn
)
TWINS = tuple(pair for group in ALIKE for one in group for pair in (one, one[::-1]))
SAME_STREAM = ("`random.Random(7)` and `random.Random(6 << 32 | 7)` are the same, so are more pairs of whole numbers, "
               "and yours hits one; seed with a text or bytes, which are hashed")
NEAR = 400


@contextmanager
def seeds_noted(*functions: object) -> Iterator[list[object]]:
    """Note with what generators are seeded, Python's, numpy's and torch's: numbers, texts and bytes, else None.

    functions: what will be called; names that it has imported are exchanged as well.
    """
    noted: list[object] = []
    numpy: Any = getattr(sys.modules.get("numpy"), "random", None)
    torch: Any = sys.modules.get("torch")
    seed = random.Random.seed
    known = {name: getattr(numpy, name) for name in OF_NUMPY} if numpy else {}

    def python(self: random.Random, a: object = None, *more: Any) -> None:
        noted.append(_told(a))
        seed(self, a, *more)  # type: ignore[arg-type]

    exchanged = {id(one): _numpys(one, noted) for one in known.values()}
    places = [(vars(numpy), name) for name in known]
    if torch:
        exchanged[id(torch.Generator)] = _torchs(torch.Generator, noted)
        places.append((vars(torch), "Generator"))
    places += [(space, name) for one in functions for space in namespaces(one)
               for name, value in [*space.items()] if id(value) in exchanged]
    before = [(space, name, space[name]) for space, name in places]
    setattr(random.Random, "seed", python)  # noqa: B010 (a method, exchanged for a while)
    for space, name, old in before:
        space[name] = exchanged[id(old)]
    try:
        yield noted
    finally:
        setattr(random.Random, "seed", seed)  # noqa: B010
        for space, name, old in before:
            space[name] = old


def _numpys(known: Any, noted: list[object]) -> Any:
    """Return numpy's class or function as one that notes its seed first."""

    def note(given: tuple, named: dict) -> None:
        first = next(iter((*given, *named.values())), None)
        if not hasattr(first, "random_raw"):  # a bit generator has been noted when it was made
            noted.append(_told(first) if len(given) + len(named) == 1 else None)

    def made(*given: Any, **named: Any) -> Any:
        note(given, named)
        return known(*given, **named)

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        note(given, named)
        known.__init__(self, *given, **named)

    return type(known.__name__, (known,), {"__init__": __init__}) if isinstance(known, type) else made


def _torchs(kind: Any, noted: list[object]) -> type:
    class Generator(kind):  # type: ignore[misc]
        """Torch's generator on a CPU, which uses the low 32 bits of its seed alone."""

        def manual_seed(self, seed: int) -> Any:
            """Note what is left of the seed."""
            noted.append(seed % WORD)
            return super().manual_seed(seed)

    return Generator


def _told(seed: Any) -> object:
    """Return a seed as a number, text or bytes; a SeedSequence of one number as that number; else None."""
    if hasattr(seed, "generate_state"):
        return _told(seed.entropy) if not seed.spawn_key else None
    if isinstance(seed, bytes | bytearray):
        return bytes(seed)
    if isinstance(seed, str):
        return seed
    try:
        return int(seed)
    except (TypeError, ValueError):
        return None


def capacity(seeds: list[Any]) -> int:
    """Return how many bits seeds can hold, as far as these show: their length, and how many symbols they use."""
    if all(isinstance(seed, int) for seed in seeds):
        return max(seed.bit_length() for seed in seeds)
    if all(isinstance(seed, bytes) for seed in seeds):
        return 8 * max(map(len, seeds))
    if all(isinstance(seed, str) for seed in seeds):
        symbols = len({symbol for seed in seeds for symbol in seed})
        return int(max(map(len, seeds)) * math.log2(max(2, symbols)))
    return 32 * min(getattr(seed, "pool_size", 4) for seed in seeds)


def too_narrow(seeds: list[object]) -> bool:
    """True when wide numbers went in, and no seed came of them that needs more than 32 bits and a little.

    Where several calls have one seed, something else tells them apart: a generator that was moved on, say.
    """
    return 0 < len(seeds) == len({*seeds}) and capacity(seeds) <= NARROW


def meeting(seed_of: Callable[[int, int], object], first: int, second: int) -> tuple[Pair, Pair] | None:
    """Return two pairs of numbers below two limits that give random.Random one stream; None where none is known.

    seed_of: the seed of a pair. Looked through are whole numbers a * one + b * other + c, whatever a, b and c are.
    """
    found = [seed_of(*pair) for pair in ((0, 0), (1, 0), (0, 1), (first - 1, second - 1), (12_345, second // 3))]
    if any(type(one) is not int for one in found):
        return None
    start, a, b = int(str(found[0])), *(int(str(one)) - int(str(found[0])) for one in found[1:3])
    for (one, two), seed in zip(((first - 1, second - 1), (12_345, second // 3)), found[3:], strict=True):
        if seed != start + a * one + b * two:
            return None
    if a < 0 or b < 0 or start < 0:
        return None
    if not a or not b:
        return ((0, 0), (1, 0) if not a else (0, 1))
    down, up = b // math.gcd(a, b), a // math.gcd(a, b)
    if down < first and up < second:
        return ((down, 0), (0, up))
    return _through_words(start, a, b, (first, second))


def _through_words(start: int, a: int, b: int, limits: Pair) -> tuple[Pair, Pair] | None:
    """Return two pairs whose different numbers have words that random.Random reads alike."""
    large, small = max(a, b), min(a, b)
    for word in _words(start, large):
        pairs = []
        for seed in _alike(word):
            far, rest = divmod(seed - start, large)
            pair = (far, rest // small) if a == large else (rest // small, far)
            if seed >= start and rest % small == 0 and pair[0] < limits[0] and pair[1] < limits[1]:
                pairs.append(pair)
        if len(pairs) > 1:
            return pairs[0], pairs[1]
    return None


def _words(start: int, large: int) -> Iterator[int]:
    """Yield words with which such pairs may begin: the first ones, the last ones, those that come near a multiple."""
    yield from range(NEAR)
    yield from range(WORD - NEAR, WORD)
    for words in (2, 3, 4):
        size, falling = (sum(j**power << 32 * j for j in range(words)) for power in (0, 1))
        for factor in range(1, NEAR):
            near = (start + factor * large + falling) // size
            yield from (word for word in range(near - 1, near + 3) if 0 <= word < WORD)


def _alike(word: int) -> Iterator[int]:
    """Yield the numbers of up to four words that random.Random reads like this one word: word, word - 1, …"""
    for words in range(1, 5):
        parts = [(word - j) % WORD for j in range(words)]
        if words == 1 or parts[-1]:
            yield sum(part << 32 * j for j, part in enumerate(parts))

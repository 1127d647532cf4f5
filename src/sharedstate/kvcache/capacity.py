"""How much of a cache's memory holds tokens: reserved to the longest, cut to size, grown by copies, or in blocks.

Everything is counted in tokens; no tensor is made. Lengths are drawn from a generator of their own.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sharedstate.kvcache.blocks import BlockPool, BlockTable
from sharedstate.kvcache.prefix import PrefixIndex

LONGEST = 2048
SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
MIXES: Mapping[str, Callable[[random.Random], float]] = MappingProxyType(
    {
        "mostly short": lambda draw: draw.lognormvariate(math.log(90), 0.95),
        "even": lambda draw: draw.uniform(1, LONGEST),
        "all long": lambda draw: draw.uniform(0.88 * LONGEST, LONGEST),
    }
)


def lengths(mix: str, count: int = 2000, seed: int = 0) -> list[int]:
    """Return the lengths of `count` requests, 1 to 2,048 tokens: "mostly short" (lognormal), "even" or "all long"."""
    if mix not in MIXES:
        raise ValueError(f"There is no mix {mix!r}: use one of {', '.join(MIXES)}.")
    draw = random.Random(f"{mix}:{seed}")
    return [min(LONGEST, max(1, round(MIXES[mix](draw)))) for _ in range(count)]


def utilisation(tokens: Sequence[int], reserved: Callable[[int], int]) -> float:
    """Return which share of the memory that is reserved holds a token. reserved(length): what a request gets."""
    return sum(tokens) / sum(map(reserved, tokens))


def in_blocks(block_size: int) -> Callable[[int], int]:
    """Return what a request gets in blocks: its length, rounded up to whole ones."""
    return lambda length: -(-length // block_size) * block_size


def longest(length: int) -> int:
    """Return what a request gets where nobody knows how long it will be: the most that it may be."""
    return LONGEST


def fits(tokens: Iterable[int], budget: int, reserved: Callable[[int], int]) -> int:
    """Return how many requests, in this order, are in a memory of `budget` tokens before one does not fit."""
    count = 0
    for length in tokens:
        budget -= reserved(length)
        if budget < 0:
            break
        count += 1
    return count


def held(tokens: Sequence[int], budget: int, block_size: int) -> dict[str, int]:
    """Return how many requests fit reserved to the longest, and in blocks: {way: requests}, for a picture."""
    ways = {"reserved": longest, f"blocks of {block_size}": in_blocks(block_size)}
    return {way: fits(tokens, budget, reserved) for way, reserved in ways.items()}


def waste(tokens: Sequence[int], block_size: int) -> float:
    """Return which share of the blocks' places is empty: half a block a request, on the average."""
    return 1 - utilisation(tokens, in_blocks(block_size))


class Arena:
    """One stretch of memory in which each request gets a piece of exactly its size: the first gap that fits."""

    def __init__(self, size: int) -> None:
        """Begin with one gap."""
        self.gaps: list[tuple[int, int]] = [(0, size)]  # (start, size), by start

    @property
    def free(self) -> int:
        """How many tokens are free, in all gaps together."""
        return sum(size for _, size in self.gaps)

    def take(self, size: int) -> int | None:
        """Return the start of a piece; None when no gap is large enough."""
        for number, (start, gap) in enumerate(self.gaps):
            if gap >= size:
                self.gaps[number : number + 1] = [(start + size, gap - size)] if gap > size else []
                return start
        return None

    def give(self, start: int, size: int) -> None:
        """Give a piece back; gaps that touch become one."""
        joined: list[tuple[int, int]] = []
        for piece in sorted([*self.gaps, (start, size)]):
            if joined and sum(joined[-1]) == piece[0]:
                joined[-1] = (joined[-1][0], joined[-1][1] + piece[1])
            else:
                joined.append(piece)
        self.gaps = joined


@dataclass(frozen=True)
class Churn:
    """What became of requests that came and went: refused although enough was free in all; mean free share then."""

    requests: int
    refused: int
    short: int
    free_share: float
    gaps: tuple[tuple[int, int], ...]


def churn(budget: int = 16_384, count: int = 3000, block_size: int | None = None, seed: int = 0) -> Churn:
    """Let requests of even lengths come; when one does not fit, the one that has been there longest ends.

    Without a block size each gets one piece of its exact size (first fit), else whole blocks. refused counts the
    requests that did not fit at first although enough was free in all, short those for which too little was free.
    """
    draw, arena = random.Random(seed), Arena(budget)
    pool = BlockPool(budget // block_size + 1, block_size) if block_size else None
    here: list[tuple[int, int] | BlockTable] = []
    refused, short, shares = 0, 0, []
    for _ in range(count):
        size, first = draw.randint(1, LONGEST), True
        while True:
            free = pool.num_free * pool.block_size if pool else arena.free
            place = _come(pool, arena, size)
            if place is not None:
                here.append(place)
                break
            if first:
                refused, short = refused + (free >= size), short + (free < size)
                shares += [free / budget] * (free >= size)
            first = False
            _go(arena, here.pop(draw.randrange(len(here))))
    return Churn(count, refused, short, sum(shares) / len(shares) if shares else 0.0, tuple(arena.gaps))


def _come(pool: BlockPool | None, arena: Arena, size: int) -> tuple[int, int] | BlockTable | None:
    if pool is None:
        start = arena.take(size)
        return None if start is None else (start, size)
    table = BlockTable(pool)
    if table.missing(size) > pool.num_free:
        return None
    table.append(size)
    return table


def _go(arena: Arena, place: tuple[int, int] | BlockTable) -> None:
    if isinstance(place, BlockTable):
        place.free()
    else:
        arena.give(*place)


def copied(length: int, grow: Callable[[int], int], start: int = 16) -> int:
    """Return how many tokens are copied until a request that began with `start` places has `length` tokens.

    grow(places): the next size; whenever the places are full, all tokens move to a new piece of that size.
    """
    total, places = 0, start
    while places < length:
        total += places
        places = grow(places)
    return total


def copies_to(length: int) -> dict[str, int]:
    """Return the tokens copied until a request has this length, by way to grow."""
    return {
        "+16 each time": copied(length, lambda places: places + 16),
        "doubling": copied(length, lambda places: 2 * places),
        "blocks": 0,
    }


def hit_rate(shared: int, block_size: int, own: int = 65, count: int = 200) -> float:
    """Return the hit rate of `count` prompts: `shared` equal tokens, then `own` of each one's own.

    By tokens, the first request included. The index is the course's own, so the last token of a prompt is always
    computed.
    """
    pool = BlockPool(count * ((shared + own) // block_size + 1) + 1, block_size)
    index = PrefixIndex(pool)
    for number in range(count):
        _serve(index, [*range(shared), *range(1_000_000 * (number + 1), 1_000_000 * (number + 1) + own)])
    return index.monitor.hit_rate


def filled_index(tokens: int, block_size: int) -> PrefixIndex:
    """Return an index in which a prompt of the tokens 0, 1, 2, … has been, and can be found."""
    index = PrefixIndex(BlockPool(2 * tokens // block_size + 2, block_size))
    _serve(index, list(range(tokens)))
    return index


def conversation(turns: int, said: int = 100, answered: int = 100, block_size: int = 16) -> float:
    """Return which share of all prompt tokens a conversation did not compute anew.

    Each turn's prompt is everything so far and `said` new tokens; then come `answered` tokens of answer.
    """
    pool = BlockPool(2 * turns * turns * (said + answered) // block_size + 2, block_size)
    index, told = PrefixIndex(pool), 0
    for _ in range(turns):
        told += said
        _serve(index, list(range(told)), answered)
        told += answered
    return index.monitor.hit_rate


def _serve(index: PrefixIndex, prompt: list[int], answered: int = 0) -> None:
    """One request in an index: find, take place, publish, answer, end."""
    chain, table = index.chain(prompt), BlockTable(index.pool)
    table.adopt(index.match(chain).blocks)
    table.append(len(prompt) + answered - table.num_tokens)
    chain.extend(range(len(prompt), len(prompt) + answered))
    index.publish(table, chain, table.num_tokens)
    table.free()


def private_overhead(prefix: int, private: int, requests: int) -> float:
    """Return how much more memory private copies of a prefix take than one shared copy, as a share of the latter."""
    shared = prefix + requests * private
    return (requests * (prefix + private) - shared) / shared

"""Hunts for keys that say too little or too much: one field after another is changed, and answer and key compared.

A cache key must change whenever the answer does. Where the answer changes and the key does not, two requests can
read each other; where the key changes and the answer does not, a hit is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from sharedstate.kvcache.blocks import BlockPool, BlockTable
from sharedstate.kvcache.conditioned import uncached
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.kvcache.prefix import Factors, Image, PrefixIndex, PrefixKeys
from sharedstate.model import GPT, GPTConfig


@dataclass(frozen=True)
class Prompt:
    """A request by its content. The fields beside the tokens are those of Factors."""

    tokens: tuple[int, ...]
    model: str = ""
    adapter: str | None = None
    tenant: str | None = None
    first_position: int = 0
    state: bytes | None = None
    images: tuple[Image, ...] = ()

    @property
    def factors(self) -> Factors:
        """The same without the tokens."""
        return Factors(self.model, self.adapter, self.tenant, self.first_position, self.state, self.images)


BASE = Prompt((1, 2, 3, 4, 5, 6, 7, 8, 9), "small", "law", "ann", 0, b"warm", (Image(b"cat", 1, 2),))
# each field with other values; the last token is the one that is always computed anew
CHANGES: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "tokens": ((2, 1, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 4, 5, 6, 8, 7, 9), (1, 2, 3, 4, 5, 6, 7, 8)),
        "adapter": ("medicine", None),
        "images": ((Image(b"dog", 1, 2),), (Image(b"cat", 2, 2),), ()),
        "tenant": ("bob", None),
        "first_position": (3,),
        "state": (b"cold", None),
        "model": ("large",),
    }
)


@dataclass(frozen=True)
class Found:
    """One change of the base prompt: which fields, to what, and whether answer and key differ from the base's."""

    fields: tuple[str, ...]
    other: Any
    answer_differs: bool
    key_differs: bool

    @property
    def collision(self) -> bool:
        """Another answer under the same key."""
        return self.answer_differs and not self.key_differs

    @property
    def lost_hit(self) -> bool:
        """Another key for the same answer."""
        return self.key_differs and not self.answer_differs


@dataclass(frozen=True)
class Report:
    """What a hunt found; str() is a table, a line for each field."""

    found: tuple[Found, ...]

    @property
    def collisions(self) -> tuple[Found, ...]:
        """The changes that the key does not notice."""
        return tuple(each for each in self.found if each.collision)

    @property
    def lost_hits(self) -> tuple[Found, ...]:
        """The changes that matter to the key only."""
        return tuple(each for each in self.found if each.lost_hit)

    @property
    def fields(self) -> tuple[str, ...]:
        """The single fields that collide, in the order of the hunt."""
        return tuple(dict.fromkeys(f.fields[0] for f in self.collisions if len(f.fields) == 1))

    def __str__(self) -> str:
        """A line for each field, and the pairs in one number."""
        single = dict.fromkeys(each.fields[0] for each in self.found if len(each.fields) == 1)
        lines = [f"{name:15} {self._word(name)}" for name in single]
        pairs = [each for each in self.found if len(each.fields) > 1]
        bad = sum(each.collision for each in pairs)
        return "\n".join(lines + ([f"{len(pairs)} pairs: {bad} collide"] if pairs else []))

    def _word(self, name: str) -> str:
        mine = [each for each in self.found if each.fields == (name,)]
        collisions = sum(each.collision for each in mine)
        if collisions:
            return f"COLLISION: {collisions} of {len(mine)} changes alter the answer and not the key"
        if any(each.lost_hit for each in mine):
            return "in the key only: the answer stays the same"
        return "in the key, and it alters the answer"


def hunt(
    key: Callable[[Any], Hashable],
    answer: Callable[[Any], Any],
    base: Any = BASE,
    changes: Mapping[str, Sequence[Any]] = CHANGES,
    pairs: bool = False,
) -> Report:
    """Change one field of `base` after another (with pairs also two at a time), and compare.

    key(prompt) and answer(prompt) are asked for each; answers are compared as they are, tensors bit by bit.
    Raises ValueError without a change.
    """
    if not changes:
        raise ValueError("Give at least one field with other values.")
    chosen: list[tuple[tuple[str, ...], dict[str, Any]]]
    chosen = [((name,), {name: value}) for name, values in changes.items() for value in values]
    if pairs:
        for one, two in combinations(changes, 2):
            chosen.append(((one, two), {one: changes[one][0], two: changes[two][0]}))
    first_key, first_answer = key(base), answer(base)
    found = []
    for names, values in chosen:
        other = replace(base, **values)
        found.append(Found(names, other, not _same(answer(other), first_answer), key(other) != first_key))
    return Report(tuple(found))


def first_block_key(engine: PagedEngine) -> Callable[[Prompt], Hashable]:
    """Return the key that an engine finds a prompt by: the hashes of its full blocks, as key_factors has them."""

    def key(prompt: Prompt) -> Hashable:
        engine.factors["hunted"] = prompt.factors
        try:
            return tuple(engine.key_chain("hunted", prompt.tokens).hashes)
        finally:
            del engine.factors["hunted"]

    return key


def prefix_values(models: Mapping[str, GPT], block_size: int) -> Callable[[Prompt], Tensor]:
    """Return what the key must stand for: the logits at every place of the full blocks, computed without a cache.

    models: {name: model}; a prompt's `model` chooses one.
    """

    def answer(prompt: Prompt) -> Tensor:
        whole = len(prompt.tokens) // block_size * block_size
        return uncached(models[prompt.model], prompt.tokens[:whole], prompt.factors)

    return answer


def rebuilt(engine: PagedEngine, model: GPT, base: Prompt, other: Prompt) -> float:
    """Play a collision: serve `base`, then `other`; return how far the second one's logits are from its own alone."""
    engine.add("first", base.tokens, base.factors)
    logits = engine.add("second", other.tokens, other.factors)
    return float((logits - uncached(model, other.tokens, other.factors)[-1]).abs().max())


def hunt_engine(kind: type[PagedEngine], pairs: bool = False) -> Report:
    """Hunt in an engine's key with the usual changes, on two small models with learned positions in blocks of 4."""
    models = small_models()
    engine = kind(models["small"], 2, 16, reuse=True)
    return hunt(first_block_key(engine), prefix_values(models, 4), pairs=pairs)


def played(kind: type[PagedEngine], report: Report) -> float:
    """Play the first collision of a report on a new engine; return how far the second request is off (0 for none)."""
    if not report.collisions:
        return 0.0
    model = small_models()["small"]
    return rebuilt(kind(model, 2, 16, reuse=True), model, BASE, report.collisions[0].other)


def small_models() -> dict[str, GPT]:
    """Return two models of one shape and different weights, float64."""
    shape = GPTConfig(16, 2, d_model=32, num_heads=4, num_kv_heads=2, positions="learned", max_len=64)
    return {name: GPT(shape, seed=seed).double() for seed, name in enumerate(("small", "large"))}


def attack(keys: PrefixKeys, kind: type[PrefixIndex], crafted: tuple[int, ...], victim: tuple[int, ...]) -> int:
    """Serve a crafted block, then the victim's prompt, in a new process's index; return how many tokens are found."""
    index = kind(BlockPool(8, len(victim)), keys)
    table = BlockTable(index.pool)
    table.append(len(crafted))
    index.publish(table, index.chain(crafted), len(crafted))
    return index.match(index.chain((*victim, 0))).num_tokens


def overheard(groups: Mapping[str, str], secret: tuple[int, ...], known: int = 2) -> list[int]:
    """Let Eve try all digits for one token of Ann's prompt; return those for which she hears a hit.

    secret: one block of Ann's tokens; known: the place of the token that Eve tries, all others she knows.
    """
    index = PrefixIndex(BlockPool(8, len(secret)), PrefixKeys(b"the server's", groups))
    table = BlockTable(index.pool)
    table.append(len(secret))
    index.publish(table, index.chain(secret, Factors(tenant="ann")), len(secret))
    tries = {digit: (*secret[:known], digit, *secret[known + 1 :], 0) for digit in range(10)}
    return [d for d, t in tries.items() if index.match(index.chain(t, Factors(tenant="eve"))).num_tokens]


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, Tensor) and isinstance(two, Tensor):
        return torch.equal(one, two)
    return bool(one == two)

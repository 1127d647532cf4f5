"""Stories of requests that share blocks, and what each oracle says of an engine that lives through one.

A story is a text: "add a; fork a b; step a b; finish a; fail c; evict". "fail c" is a prefill that breaks off between
two layers and is given up; "evict" fills all free blocks with something else. Tokens, adapters and images are given,
so that what a hunt reports can be played.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice, permutations
from types import MappingProxyType
from typing import cast

import torch
from torch import Tensor

from sharedstate.kvcache.blocks import BrokenInvariant
from sharedstate.kvcache.conditioned import uncached
from sharedstate.kvcache.oracles import fill_invalid
from sharedstate.kvcache.ownership import OwnerTags
from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.kvcache.prefix import Factors, PrefixKeys
from sharedstate.kvcache.trouble import Interrupted, interrupt_once
from sharedstate.model import GPT, Block, GPTConfig

POISON, TOLERANCE, VOCAB, LAYERS = 1e30, 1e-9, 16, 2
ORACLES = ("alone", "neighbour", "owner tag", "poison", "stray write", "two owners")


@dataclass(frozen=True)
class Story:
    """A script, the prompt of each request, and its factors (none unless given). Token 0 of a prompt is 1 or more."""

    script: str
    prompts: Mapping[str, tuple[int, ...]]
    factors: Mapping[str, Factors] = field(default_factory=dict)
    slots: int = 4
    capacity: int = 24

    @property
    def steps(self) -> tuple[tuple[str, ...], ...]:
        """The script as words."""
        return tuple(tuple(step.split()) for step in self.script.split(";"))

    def changed(self, name: str, by: int) -> Story:
        """Return the story with other tokens for everybody but this request, of the same lengths."""
        prompts = {who: tuple((t + by) % VOCAB for t in p) if who != name else p for who, p in self.prompts.items()}
        return replace(self, prompts=prompts)


@dataclass(frozen=True)
class Judged:
    """What the oracles found: {oracle: what it says}, "" where it is quiet; and how far each request was off."""

    said: Mapping[str, str]
    errors: Mapping[str, float]

    @property
    def sees(self) -> dict[str, bool]:
        """Which oracles raise an alarm."""
        return {oracle: bool(said) for oracle, said in self.said.items()}

    @property
    def quiet(self) -> bool:
        """No oracle has anything to say."""
        return not any(self.said.values())


class Teller:
    """Lives through a story, and keeps the logits of everybody with the tokens they stand for."""

    def __init__(self, engine: PagedEngine, story: Story, poisoned: bool = False) -> None:
        """poisoned: before every step all places that nobody may read are filled with 1e30."""
        self.engine, self.story, self.poisoned = engine, story, poisoned
        self.tokens: dict[str, list[int]] = {}
        self.logits: dict[str, list[Tensor]] = {}
        self.told: dict[str, list[tuple[int, ...]]] = {}
        self.strays: list[str] = []
        self.broken = ""
        self.steps = 0

    def run(self) -> Teller:
        """Play it to the end."""
        for word, *names in self.story.steps:
            if self.poisoned:
                fill_invalid(self.engine, POISON)
            keys, lengths = self.engine.cache.keys.clone(), self.lengths()
            copies = self.engine.cache.pool.copies
            getattr(self, word)(*names)
            if copies == self.engine.cache.pool.copies and word != "evict":
                self.strays += self._strays(keys, lengths)
            with suppress(BrokenInvariant):
                self.engine.check()
                continue
            self.broken = self.broken or f"after {word} {' '.join(names)}"
        return self

    def add(self, name: str) -> None:
        """Prefill one."""
        self.tokens[name] = list(self.story.prompts[name])
        self._note({name: self.engine.add(name, self.tokens[name], self.story.factors.get(name))})

    def fork(self, name: str, child: str) -> None:
        """A second one goes on from the same tokens."""
        self.engine.fork(name, child)
        self.tokens[child] = list(self.tokens[name])

    def step(self, *names: str) -> None:
        """One token each; every request has its own."""
        new = {name: (3 * len(self.tokens[name]) + 5 * ord(name[0]) + self.steps) % VOCAB for name in names}
        self.steps += 1
        for name, token in new.items():
            self.tokens[name].append(token)
        self._note(self.engine.step(new))

    def finish(self, name: str) -> None:
        """One ends."""
        self.engine.finish(name)

    def fail(self, name: str) -> None:
        """A prefill that breaks off between two layers."""
        second = cast(Block, self.engine.model.layers[1])
        with interrupt_once(second.input_layernorm), suppress(Interrupted):
            self.engine.add(name, self.story.prompts[name], self.story.factors.get(name))

    def evict(self) -> None:
        """Somebody else takes every free block, fills it, and is gone."""
        cache, pool = self.engine.cache, self.engine.cache.pool
        blocks = pool.allocate(pool.num_free)
        cache.keys[:, blocks] = 0.3
        cache.values[:, blocks] = 0.3
        pool.free(blocks)

    def lengths(self) -> dict[int, int]:
        """The valid length of every slot in use."""
        cache = self.engine.cache
        return {slot: cache.length(slot) for slot, owner in enumerate(cache.owners) if owner is not None}

    def _strays(self, keys: Tensor, before: Mapping[int, int]) -> list[str]:
        """Return the places that a step changed although they are not its requests' new ones."""
        cache = self.engine.cache
        changed = (cache.keys != keys).any(dim=4).any(dim=2).any(dim=0)  # [N, P]
        changed[0] = False  # the null block takes whatever comes
        for slot, length in self.lengths().items():
            for column in range(before.get(slot, 0), length):
                changed[cache.place(slot, column)] = False
        for block in cache.pool.free_block_queue.keys() - cache.pool.kept:
            changed[block] = False  # half a prefill that was given up
        return [f"block {block}, place {place}" for block, place in changed.nonzero().tolist()]

    def _note(self, logits: Mapping[str, Tensor]) -> None:
        for name, row in logits.items():
            self.logits.setdefault(name, []).append(row)
            self.told.setdefault(name, []).append(tuple(self.tokens[name]))

    def errors(self, model: GPT) -> dict[str, float]:
        """Return for each request its largest difference from itself alone, uncached."""
        found = {}
        for name, rows in self.logits.items():
            family = self.story.factors.get(name, Factors())
            alone = [uncached(model, tokens, family)[-1] for tokens in self.told[name]]
            pairs = zip(rows, alone, strict=True)
            gaps = [(one.double() - two.double()).abs().nan_to_num(nan=torch.inf).max() for one, two in pairs]
            found[name] = max(map(float, gaps))
        return found


def judge(kind: type[PagedEngine] | type[PagedCache], story: Story, oracles: tuple[str, ...] = ORACLES) -> Judged:
    """Let an engine (or a cache class in a plain one) live through a story, once for each oracle; look at everybody.

    All in float64.

    alone: 1e-9 against each request uncached; neighbour: other tokens for the others; owner tag: the tags
    beside the data, shared pages and epochs included; poison: 1e30 in all that is free; stray write: what a step
    changed beside its own new places; two owners: the books after every step.
    """
    model = GPT(GPTConfig(VOCAB, LAYERS, d_model=32, num_heads=4, num_kv_heads=2), seed=0).double()

    def told(poisoned: bool = False, tags: OwnerTags | None = None, other: Story | None = None) -> Teller:
        secret = PrefixKeys(b"the same secret each time")
        sizes = model, story.slots, story.capacity, tags
        if issubclass(kind, PagedCache):
            engine = PagedEngine(*sizes, cache=kind, reuse=True, keys=secret)
        else:
            engine = kind(*sizes, reuse=True, keys=secret)
        return Teller(engine, other or story, poisoned).run()

    plain, tags = told(), OwnerTags(record=True)
    errors = plain.errors(model)
    worst = max(errors, key=lambda name: errors[name])
    said = dict.fromkeys(ORACLES, "")
    if errors[worst] > TOLERANCE:
        said["alone"] = f"{worst} is off by {errors[worst]:.2g}"
    if "neighbour" in oracles:
        moved = [n for n in story.prompts if n in plain.logits and _moved(plain, told(other=story.changed(n, 1)), n)]
        said["neighbour"] = f"{', '.join(moved)} moved" if moved else ""
    if "owner tag" in oracles:
        told(tags=tags)
        said["owner tag"] = str(tags.violations[0]) if tags.violations else ""
    if "poison" in oracles:
        after = told(poisoned=True)
        moved = [name for name in plain.logits if _moved(plain, after, name)]
        said["poison"] = f"{', '.join(moved)} read what is free" if moved else ""
    said["stray write"] = plain.strays[0] if plain.strays else ""
    said["two owners"] = plain.broken
    return Judged(MappingProxyType({oracle: said[oracle] for oracle in oracles}), MappingProxyType(errors))


def _moved(one: Teller, two: Teller, name: str) -> bool:
    """Do a request's logits differ beyond rounding? (A hit that falls away changes shapes, so bits may move.)"""
    if one.told[name] != two.told.get(name):
        return False
    pairs = zip(one.logits[name], two.logits[name], strict=True)
    return max(float((a - b).abs().nan_to_num(nan=torch.inf).max()) for a, b in pairs) > TOLERANCE


def polluted(kind: type[PagedEngine], story: Story | None = None) -> int:
    """Return how many requests of a story get wrong logits (twelve orders of the same four blocks, unless given)."""
    errors = judge(kind, story or TWELVE_ORDERS, ("alone",)).errors
    return sum(error > TOLERANCE for error in errors.values())


# Right engines at work: shared and private pages, a fork inside a block, a prefix that outlives its request, eviction.
_CAT = Factors(adapter="law")
BUSY = Story(
    "add a; add b; fork a c; step a b c; fail e; finish a; add d; step b c d; evict; step c d; finish c; add a; "
    "step a b",
    {"a": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "b": (1, 2, 3, 4, 5, 6, 7, 8, 3), "d": (1, 2, 3, 4, 5, 6, 7, 8, 9),
     "e": (7, 7, 7, 7, 1, 2)},
    {"b": _CAT},
)  # fmt: skip

# Twelve requests: the same four blocks, in twelve orders.
_FOUR = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (4, 3, 2, 1))
_ORDERS = islice(permutations(_FOUR), 12)
_ORDERED = MappingProxyType({f"r{n}": (*chain.from_iterable(order), 13) for n, order in enumerate(_ORDERS)})
TWELVE_ORDERS = Story("; ".join(f"add {name}" for name in _ORDERED), _ORDERED, slots=12)

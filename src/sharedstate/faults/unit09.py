"""The faults of unit 09: requests lost, mixed, and drawn with other people's dice.

Each is a class of the lesson that overrides one method of the engine, its scheduler or its store, and is served a
fixed workload. Comparisons are of tokens drawn from fixed numbers, in the deterministic mode, and of sums bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sharedstate.faults.table import Fault, Names

UNIT = "09_batching_and_sampling"
SAME = "the tokens that the request gets alone"
STEPS = 400

Served = dict[str, tuple[int, ...]]


def _request(names: Names, name: str, seed: int, length: int, new: int, **sampling: Any) -> Any:
    way = names["Sampling"](**sampling)
    return names["Request"](name, names["prompt"](seed, length), new, way)


def _engine(names: Names, variant: str = "Engine", **options: Any) -> Any:
    small = names["Limits"](max_batch=4, num_blocks=33, max_tokens=64)  # the mode's probes are quick then
    return names[variant](names["model"], small, deterministic=True, **options)


# --- lost


def _squeezed(names: Names, blocks: int, **parts: Any) -> tuple[bool, bool]:
    """Serve six requests, and a seventh that is cancelled. Have all ended, and are all blocks back?"""
    engine = names["Engine"](names["model"], names["Limits"](max_batch=6, num_blocks=blocks), prefix=False, **parts)
    for n in range(7):
        engine.add(_request(names, f"r{n}", n, 20, 30))
    for count in range(STEPS):
        engine.step()
        if count == 20:
            engine.cancel("r0")
    return len(engine.results()) == 7, engine.store.pool.usage == 0


def loses(names: Names) -> bool:
    """With too few blocks a preempted request never ends."""
    return _squeezed(names, 9, scheduler=names["ForgetsPreempted"]) != (True, True)


def loses_nothing_with_room(names: Names) -> bool:
    """With enough blocks nobody is preempted."""
    return _squeezed(names, 65, scheduler=names["ForgetsPreempted"]) == (True, True)


def keeps(names: Names) -> bool:
    """All requests end, and the cancelled one's blocks stay in use."""
    return _squeezed(names, 65, store=names["KeepsBlocks"]) == (True, False)


def keeps_nothing_without_cancelling(names: Names) -> bool:
    """Nobody is cancelled: everything comes back."""
    engine = names["Engine"](names["model"], prefix=False, store=names["KeepsBlocks"])
    names["served"](engine, *(_request(names, f"r{n}", n, 20, 5) for n in range(4)))
    return engine.store.pool.usage == 0


def nothing_lost(names: Names) -> bool:
    """The right engine, with room and without."""
    return _squeezed(names, 9) == _squeezed(names, 65) == (True, True)


# --- mixed


def _beside(names: Names, variant: str, first: Any, second: Any) -> tuple[bool, bool]:
    """Are two requests served together given what each is given alone?"""
    alone = [names["served"](_engine(names, variant), request)[request.id] for request in (first, second)]
    both = names["served"](_engine(names, variant), first, second)
    return both[first.id] == alone[0], both[second.id] == alone[1]


def _two(names: Names, one: int, other: int, **sampling: Any) -> tuple[Any, Any]:
    return (_request(names, "ann", 1, one, 6, **sampling), _request(names, "bob", 2, other, 6, **sampling))


def mixes(names: Names) -> bool:
    """The longer prompt came first: answers go to the wrong names."""
    return not all(_beside(names, "ByPlace", *_two(names, 9, 3)))


def mixes_nothing_in_order(names: Names) -> bool:
    """The shorter prompt came first: places and names agree."""
    return all(_beside(names, "ByPlace", *_two(names, 3, 9)))


def right_in_any_order(names: Names) -> bool:
    """The right engine gives each request its own, greedy, drawn or cut."""
    ways: tuple[dict[str, Any], ...] = ({}, {"temperature": 1.0}, {"temperature": 1.0, "top_k": 5})
    return all(all(_beside(names, "Engine", *_two(names, *sizes, **way))) for sizes in ((9, 3), (3, 9)) for way in ways)


# --- dice


def _drawn(names: Names, variant: str) -> list[tuple[bool, bool]]:
    """For five prompts: is Ann's first token the same beside Bob, and are the others?"""
    found = []
    for seed in range(5):
        ann, bob = (_request(names, name, n, 6, 12, temperature=1.0) for name, n in (("ann", seed), ("bob", seed + 50)))
        alone = names["served"](_engine(names, variant), ann)["ann"]
        beside = names["served"](_engine(names, variant), ann, bob)["ann"]
        found.append((alone[0] == beside[0], alone[1:] == beside[1:]))
    return found


def shares_dice(names: Names) -> bool:
    """The first token stays, the others change, for every prompt."""
    return all(first and not rest for first, rest in _drawn(names, "SharedGenerator"))


def dice_alone(names: Names) -> bool:
    """Alone, twice: the same tokens."""
    ann = _request(names, "ann", 1, 6, 12, temperature=1.0)
    return len({names["served"](_engine(names, "SharedGenerator"), ann)["ann"] for _ in range(2)}) == 1


def own_dice(names: Names) -> bool:
    """The right engine: nothing changes."""
    return all(first and rest for first, rest in _drawn(names, "Engine"))


def _four(names: Names, interleaved: bool) -> list[float]:
    """Ann's four draws from the common generator, with Bob's in between or not."""
    request = _request(names, "ann", 1, 6, 4, temperature=1.0)
    dice, own = names["np"].random.default_rng(0), []
    for _ in range(request.max_new_tokens):
        own.append(float(dice.random()))
        if interleaved:
            dice.random()
    return own


def _numbers(names: Names, variant: str, count: int = 6) -> set[tuple[int, ...]]:
    """The tokens that equal logits are drawn to, step after step: as many different lists as there were steps."""
    torch = names["torch"]
    engine = _engine(names, variant)
    engine.add(_request(names, "ann", 1, 6, count, temperature=1.0))
    (live,) = engine.scheduler.waiting
    flat, tokens = torch.zeros(1, 61), []
    for _ in range(count):
        tokens += engine.choose(flat, [live])
        live.tokens.append(tokens[-1])
    return {(token,) for token in tokens}


def repeats(names: Names) -> bool:
    """Equal logits give the same token at every step: the generator begins anew each time."""
    return len(_numbers(names, "Rebuilt")) == 1


def repeats_nothing_in_one_step(names: Names) -> bool:
    """One token: the first number is the right one."""
    return _numbers(names, "Rebuilt", 1) == _numbers(names, "Engine", 1)


def goes_on(names: Names) -> bool:
    """The right engine takes the next number."""
    return len(_numbers(names, "Engine")) > 1


def _cut(names: Names, variant: str, top_k: int) -> bool:
    ann = _request(names, "ann", 1, 6, 12, temperature=1.0)
    bob = _request(names, "bob", 2, 6, 12, temperature=1.0, top_k=top_k)
    alone = names["served"](_engine(names, variant), ann)["ann"]
    return names["served"](_engine(names, variant), ann, bob)["ann"] == alone


# --- additions


def _sums(names: Names, function: str) -> bool:
    """Is the sum of the first row the same bits in batches of 1, 4 and 16?"""
    torch = names["torch"]
    batch = torch.randn(16, 4096, generator=torch.Generator().manual_seed(0))
    return len({float(names[function](batch[:count])[0]) for count in (1, 4, 16)}) == 1


def _sum_alone(names: Names) -> bool:
    """The same row in two batches of one size, beside other rows: the same bits."""
    torch = names["torch"]
    batch = torch.randn(16, 4096, generator=torch.Generator().manual_seed(0))
    other = torch.cat([batch[:1], -batch[1:]])
    return bool(names["total_by_rows"](batch)[0] == names["total_by_rows"](other)[0])


def negated(probe: Callable[[Names], bool]) -> Callable[[Names], bool]:
    """Return the opposite."""
    return lambda names: not probe(names)


FAULTS: tuple[Fault, ...] = (
    Fault("lost-on-preempt", UNIT, "every request ends exactly once, an idle engine has all blocks",
          "the same scheduler with enough blocks", "a preempted request heads the queue before it loses its blocks",
          loses, loses_nothing_with_room, nothing_lost),
    Fault("blocks-not-returned", UNIT, "an idle engine has all blocks", "the same store, nobody is cancelled",
          "every ending gives the blocks back", keeps, keeps_nothing_without_cancelling, nothing_lost),
    Fault("mixed-by-place", UNIT, SAME, "the same engine, prompts in the order of their lengths",
          "tokens go back by request, never by place", mixes, mixes_nothing_in_order, right_in_any_order),
    Fault("shared-sampling-rng", UNIT, f"{SAME}, for five prompts", "the same engine, one request",
          "numbers of its own for each request", shares_dice, dice_alone, own_dice),
    Fault("SAMP-01", UNIT, "four draws alone equal four draws beside another", "nobody draws in between",
          "a generator for each request, keyed by what the request is",
          lambda names: _four(names, True) != _four(names, False) and shares_dice(names),
          lambda names: _four(names, False) == _four(names, False) and dice_alone(names), own_dice),
    Fault("SAMP-02", UNIT, "equal logits at six steps are not drawn to one token", "the first token alone",
          "the generator is kept, or number k is asked for by k", repeats, repeats_nothing_in_one_step, goes_on),
    Fault("order-by-neighbour", UNIT, SAME, "the same engine, nobody cuts",
          "weights stand in the vocabulary's order, whoever cuts",
          lambda names: not _cut(names, "SortsForAll", 5), lambda names: _cut(names, "SortsForAll", 0),
          lambda names: _cut(names, "Engine", 5) and _cut(names, "Engine", 0)),
    Fault("INV-01", UNIT, "equal bits in batches of 1, 4 and 16", "batches of one size, other rows beside it",
          "pieces of a fixed size", negated(lambda names: _sums(names, "total_by_rows")), _sum_alone,
          lambda names: _sums(names, "total_fixed")),
)  # fmt: skip

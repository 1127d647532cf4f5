"""Six ways to ask whether a request got what is its own, each with what it is blind to.

Every oracle plays a workload on one variant of the engine and returns one Finding for all requests that the workload
has looked at: everybody, unless it names a victim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import torch
from torch import Tensor

from sharedstate.influence import tensors
from sharedstate.kvcache.engine import Rows, SlotEngine
from sharedstate.kvcache.ownership import OwnerTags
from sharedstate.kvcache.workloads import PAD, Contents, Played, Player, Variant, Workload, engine_of, play, reference
from sharedstate.model import GPT, attention
from sharedstate.model.attention import Attend
from sharedstate.model.positions import Rope

POISON = 1e30
TOLERANCE = MappingProxyType({torch.float32: 1e-4, torch.float64: 1e-9})
TRIALS = 20
BLIND_TO = MappingProxyType(
    {
        "alone": "errors below its tolerance (an additive mask of -10), and what the model itself does wrong",
        "neighbour": "pollution that does not depend on what the neighbours contain",
        "jacobian": "wrong values without foreign content: zeros, positions, a hole in its own past",
        "owner tag": "a wrong read of data that is its own, and writes that go round the tags",
        "poison": "reads of data that the books call valid",
        "tokens": "every error that does not change the best token",
    }
)
POOLS = ("keys", "values")


@dataclass(frozen=True)
class Finding:
    """What an oracle says of one workload. value is its measure; text says it in words.

    always is False for an oracle of many trials that saw it in some of them only.
    """

    sees: bool
    value: float
    text: str
    always: bool = True


def alone(variant: Variant, workload: Workload, dtype: torch.dtype = torch.float32, seed: int = 0) -> Finding:
    """Compare the logits with those of the model alone, without a cache (fp32 1e-4, fp64 1e-9)."""
    if dtype not in TOLERANCE:
        raise ValueError(f"No tolerance is known for {dtype}: take {' or '.join(map(str, TOLERANCE))}.")
    model, contents = workload.model(dtype), workload.contents(seed)
    played = play(engine_of(variant, workload, model), workload, contents)
    gaps, right = {}, reference(model, workload, contents, played)
    for name, rows in played.rows().items():
        gaps[name] = _gap(played.outputs[rows], right[rows])
    who = max(gaps, key=gaps.__getitem__)
    words = f"logits off by {gaps[who]:.2g}" + (f" ({who}'s)" if len(gaps) > 1 else "")
    return Finding(gaps[who] > TOLERANCE[dtype], gaps[who], words)


def neighbour(variant: Variant, workload: Workload, seed: int = 0) -> Finding:
    """Give all others other contents of the same lengths: each request's logits must stay equal bit by bit."""
    model, moved = workload.model(), 0.0
    for victim in workload.watched:
        told = replace(workload, victim=victim)
        before = _outputs(variant, told, model, workload.contents(seed))
        for other in range(seed + 1, seed + 4):
            contents = workload.contents(other) | _own(told, seed)
            moved = max(moved, _gap(_outputs(variant, told, model, contents), before))
    return Finding(moved > 0, moved, f"moves by {moved:.2g}" if moved else "not a bit moves")


def jacobian(variant: Variant, workload: Workload, seed: int = 0) -> Finding:
    """Derivatives of each request's logits by everybody's embeddings: own must arrive, all others be exactly 0."""
    probe = _Probe(variant, workload, workload.contents(seed))
    x, names = torch.zeros(probe.shape), probe.names
    rows = probe.play(x).rows()
    own = [[name == workload.twins.get(row, row) for name in names] for row in rows]
    found = tensors(
        probe, x, rows={row: (part, ...) for row, part in rows.items()},
        columns={name: (index,) for index, name in enumerate(names)}, may=own, must=own,
    )  # fmt: skip
    foreign = [v for values, mine in zip(found.values or (), own, strict=True) for v, is_own in
               zip(values, mine, strict=True) if not is_own]  # fmt: skip
    words = [f"{column} reaches {row}" for row, column in sorted(found.leaks)]
    words += [f"{column} is lost" for _, column in sorted(found.lost)]
    return Finding(bool(words), max(foreign, default=0.0), ", ".join(words) or "exactly 0")


def owner_tag(variant: Variant, workload: Workload, seed: int = 0) -> Finding:
    """Ask the tags beside the data: did a request read what is not its own?"""
    tags = OwnerTags(record=True)
    engine = engine_of(variant, workload, workload.model(), tags=tags)
    play(engine, workload, workload.contents(seed))
    names = {*workload.watched, *(workload.twins.get(name) for name in workload.watched)}
    found = [violation for violation in tags.violations if violation.reader in names]
    return Finding(bool(found), float(len(found)), str(found[0]) if found else "no violation")


def poison(
    variant: Variant,
    workload: Workload,
    seed: int = 0,
    value: float = POISON,
    pools: tuple[str, ...] = POOLS,
    attend: Attend = attention,
) -> Finding:
    """Fill everything that the cache's books call invalid: the logits must stay equal bit by bit."""
    model, contents = workload.model(attend=attend), workload.contents(seed)
    before = _outputs(variant, workload, model, contents)
    engine = engine_of(variant, workload, model)
    after = play(engine, workload, contents, before=lambda engine: fill_invalid(engine, value, pools)).outputs
    moved = not torch.equal(before, after)
    return Finding(moved, _gap(after, before), "alarm" if moved else "quiet")


def tokens(variant: Variant, workload: Workload, seed: int = 0, trials: int = TRIALS) -> Finding:
    """Compare the best tokens, fed back as they come, with those of the model alone; how often do they differ?"""
    model, hits = workload.model(), 0
    for trial in range(seed, seed + trials):
        contents = workload.contents(trial)
        played = play(engine_of(variant, workload, model), workload, contents, greedy=True)
        hits += any(_greedy(played.outputs[rows]) != _greedy_alone(model, contents[name], played.seen[name])
                    for name, rows in played.rows().items())  # fmt: skip
    return Finding(hits > 0, hits / trials, f"differ in {hits} of {trials}", hits in (0, trials))


ORACLES: Mapping[str, Callable[..., Finding]] = MappingProxyType(
    {"alone": alone, "neighbour": neighbour, "jacobian": jacobian, "owner tag": owner_tag, "poison": poison,
     "tokens": tokens}
)  # fmt: skip


def fill_invalid(engine: SlotEngine, value: float, pools: tuple[str, ...] = POOLS) -> None:
    """Write `value` wherever the books say that nothing valid lies: free rows, and columns beyond a length."""
    cache = engine.cache
    for layer in range(cache.num_layers):
        valid = list(cache.valid_places(layer))
        for pool in pools:
            lines = cache.by_place(pool, layer)  # [R, C, H, D]
            invalid = torch.ones(lines.shape[:2], dtype=torch.bool, device=lines.device)
            if valid:
                invalid[tuple(zip(*valid, strict=True))] = False
            lines[invalid] = value


class _Probe:
    """The logits looked at, as a function of what is added to everybody's embeddings, [request, token, d_model]."""

    def __init__(self, variant: Variant, workload: Workload, contents: Contents) -> None:
        self.variant, self.workload, self.contents = variant, workload, contents
        self.model = workload.model()
        self.names = (*workload.lengths, *(("padding",) if "batch" in workload.script else ()))
        longest = max(len(tokens) for tokens in contents.values())
        self.shape = (len(self.names), longest, self.model.config.d_model)

    def __call__(self, x: Tensor) -> Tensor:
        """Return the logits, [outputs, vocab]."""
        return self.play(x).outputs

    def play(self, x: Tensor) -> Played:
        """Play the workload with x added."""
        engine = engine_of(self.variant, self.workload, self.model, differentiable=True)
        player, plain = Player(engine, self.workload, self.contents), engine.embed

        def embed(rows: Rows) -> tuple[Tensor, Rope | None]:
            inside, rope = plain(rows)  # [B, Q, d_model]
            return inside + torch.stack([self._added(x, rows, b, player.played) for b in range(len(rows.slots))]), rope

        engine.embed = embed  # type: ignore[method-assign]
        return player.run()

    def _added(self, x: Tensor, rows: Rows, b: int, played: Played) -> Tensor:
        """Return what is added to row b, [Q, d_model]: its own last tokens' part of x, and the padding's."""
        name, line = rows.requests[b], rows.tokens[b].tolist()
        own = self.names.index(self.workload.twins.get(name, name))
        upcoming = iter(range(len(played.tokens[name]) - sum(token != PAD for token in line), len(x[0])))
        places = [(own, next(upcoming)) if token != PAD else (len(self.names) - 1, 0) for token in line]
        return x[[who for who, _ in places], [which for _, which in places]]


def _gap(a: Tensor, b: Tensor) -> float:
    """The largest difference; infinite where one is NaN."""
    return float((a.double() - b.double()).abs().nan_to_num(nan=torch.inf).max())


def _outputs(variant: Variant, workload: Workload, model: GPT, contents: Contents) -> Tensor:
    return play(engine_of(variant, workload, model), workload, contents).outputs


def _own(workload: Workload, seed: int) -> dict[str, tuple[int, ...]]:
    """The victim's own tokens (and its twin's), as they were."""
    first = workload.contents(seed)
    names = {workload.victim, workload.twins.get(workload.victim, workload.victim)}
    return {name: first[name] for name in names}


def _greedy(outputs: Tensor) -> list[int]:
    return outputs.argmax(-1).tolist()


def _greedy_alone(model: GPT, line: Sequence[int], seen: Sequence[int]) -> list[int]:
    """The best tokens of the model alone, fed back as they come."""
    tokens, best = list(line[: seen[0]]), []
    for _ in seen:
        with torch.no_grad():
            best.append(int(model(torch.tensor([tokens]))[0, -1].argmax()))
        tokens.append(best[-1])
    return best


def stray_writes(variant: Variant, workload: Workload, seed: int = 0) -> tuple[tuple[int, int], ...]:
    """Return the places (row, column) that a step wrote although no request had just been given them.

    A place is given when a request's token comes to lie there: a new column, or one that has moved (see
    SlotCache.where). For engines that do not clear.
    """
    engine, found = engine_of(variant, workload, workload.model()), set()
    fill_invalid(engine, 0.5)  # so that writing a zero is a change too
    watched = _Watched(engine)

    def compare(engine: SlotEngine) -> None:
        found.update(watched.strays())

    play(engine, workload, workload.contents(seed), before=compare)
    compare(engine)
    return tuple(sorted(found))


class _Watched:
    """The pools as they were, and where each token lay."""

    def __init__(self, engine: SlotEngine) -> None:
        self.cache = engine.cache
        self.lines, self.places = self._look()

    def _look(self) -> tuple[list[Tensor], dict[tuple[int, int, int], tuple[int, int]]]:
        """Return copies of the pools by place, and {(slot, epoch, column): (row, column of the row)}."""
        cache, places = self.cache, {}
        for slot, owner in enumerate(cache.owners):
            if owner is not None:
                pieces = cache.where(slot, range(cache.length(slot)))
                lies = [(row, column) for row, columns in pieces for column in columns]
                places.update({(slot, cache.epoch(slot), column): place for column, place in enumerate(lies)})
        lines = [cache.by_place(pool, layer).clone() for pool in POOLS for layer in range(cache.num_layers)]
        return lines, places

    def strays(self) -> set[tuple[int, int]]:
        """Return what changed at places that no token has just come to, and look from here on."""
        (old, before), (self.lines, self.places) = (self.lines, self.places), self._look()
        changed = torch.stack([(a != b).any(-1).any(-1) for a, b in zip(old, self.lines, strict=True)]).any(0)  # [R, C]
        for key, place in self.places.items():
            if before.get(key) != place:
                changed[place] = False
        return {(row, column) for row, column in changed.nonzero().tolist()}

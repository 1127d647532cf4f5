"""Six ways to ask whether a request got what is its own, each with what it is blind to.

Every oracle plays a workload on one variant of the engine and returns a Finding for the victim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
    """Compare the victim's logits with those of the model alone, without a cache (fp32 1e-4, fp64 1e-9)."""
    if dtype not in TOLERANCE:
        raise ValueError(f"No tolerance is known for {dtype}: take {' or '.join(map(str, TOLERANCE))}.")
    model, contents = workload.model(dtype), workload.contents(seed)
    played = play(engine_of(variant, workload, model), workload, contents)
    error = _gap(played.outputs, reference(model, workload, contents, played))
    return Finding(error > TOLERANCE[dtype], error, f"logits off by {error:.2g}")


def neighbour(variant: Variant, workload: Workload, seed: int = 0) -> Finding:
    """Give all others other contents of the same lengths: the victim's logits must stay equal bit by bit."""
    model = workload.model()
    before = _outputs(variant, workload, model, workload.contents(seed))
    moved = 0.0
    for other in range(seed + 1, seed + 4):
        contents = workload.contents(other) | _own(workload, seed)
        moved = max(moved, _gap(_outputs(variant, workload, model, contents), before))
    return Finding(moved > 0, moved, f"moves by {moved:.2g}" if moved else "not a bit moves")


def jacobian(variant: Variant, workload: Workload, seed: int = 0) -> Finding:
    """Derivatives of the victim's logits by everybody's embeddings: own must arrive, all others be exactly 0."""
    probe = _Probe(variant, workload, workload.contents(seed))
    x, names = torch.zeros(probe.shape), probe.names
    victim = workload.twins.get(workload.victim, workload.victim)
    own = [[name == victim for name in names]]
    columns = {name: (index,) for index, name in enumerate(names)}
    found = tensors(probe, x, rows={victim: (...,)}, columns=columns, may=own, must=own)
    leaks, lost = {column for _, column in found.leaks}, {column for _, column in found.lost}
    value = max((v for v, name in zip((found.values or ((),))[0], names, strict=True) if name != victim), default=0.0)
    words = [f"{name} reaches {victim}" for name in sorted(leaks)] + [f"{name} is lost" for name in sorted(lost)]
    return Finding(bool(leaks or lost), value, ", ".join(words) or "exactly 0")


def owner_tag(variant: Variant, workload: Workload, seed: int = 0) -> Finding:
    """Ask the tags beside the data: did the victim read what is not its own?"""
    tags = OwnerTags(record=True)
    engine = engine_of(variant, workload, workload.model(), tags=tags)
    play(engine, workload, workload.contents(seed))
    names = (workload.victim, workload.twins.get(workload.victim))
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
    """Fill everything that the cache's books call invalid: the victim's logits must stay equal bit by bit."""
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
        hits += _greedy(played.outputs) != _greedy_alone(model, workload, contents, played)
    return Finding(hits > 0, hits / trials, f"differ in {hits} of {trials}", hits in (0, trials))


ORACLES: Mapping[str, Callable[..., Finding]] = MappingProxyType(
    {"alone": alone, "neighbour": neighbour, "jacobian": jacobian, "owner tag": owner_tag, "poison": poison,
     "tokens": tokens}
)  # fmt: skip


def fill_invalid(engine: SlotEngine, value: float, pools: tuple[str, ...] = POOLS) -> None:
    """Write `value` wherever the books say that nothing valid lies: free rows, and columns beyond a length."""
    cache = engine.cache
    taken = {cache.row_of(slot): slot for slot, owner in enumerate(cache.owners) if owner is not None}
    for row in range(cache.num_slots):
        for layer in range(cache.num_layers):
            start = cache.length(taken[row], layer) if row in taken else 0
            for pool in pools:
                getattr(cache, pool)[layer, row, :, start:] = value


class _Probe:
    """The victim's logits as a function of what is added to everybody's embeddings, [request, token, d_model]."""

    def __init__(self, variant: Variant, workload: Workload, contents: Contents) -> None:
        self.variant, self.workload, self.contents = variant, workload, contents
        self.model = workload.model()
        self.names = (*workload.lengths, *(("padding",) if "batch" in workload.script else ()))
        longest = max(len(tokens) for tokens in contents.values())
        self.shape = (len(self.names), longest, self.model.config.d_model)

    def __call__(self, x: Tensor) -> Tensor:
        """Return the victim's logits, [outputs, vocab]."""
        engine = engine_of(self.variant, self.workload, self.model, differentiable=True)
        player, plain = Player(engine, self.workload, self.contents), engine.embed

        def embed(rows: Rows) -> tuple[Tensor, Rope | None]:
            inside, rope = plain(rows)  # [B, Q, d_model]
            return inside + torch.stack([self._added(x, rows, b, player.played) for b in range(len(rows.slots))]), rope

        engine.embed = embed  # type: ignore[method-assign]
        return player.run().outputs

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


def _greedy_alone(model: GPT, workload: Workload, contents: Contents, played: Played) -> list[int]:
    """The best tokens of the model alone, fed back as they come."""
    tokens, best = list(contents[workload.victim][: played.seen[0]]), []
    for _ in played.seen:
        with torch.no_grad():
            best.append(int(model(torch.tensor([tokens]))[0, -1].argmax()))
        tokens.append(best[-1])
    return best


def stray_writes(variant: Variant, workload: Workload, seed: int = 0) -> tuple[tuple[int, int], ...]:
    """Return the places (row, column) that a step wrote although they are not the new columns of its own requests.

    For a cache whose rows stay where they are, and engines that do not clear.
    """
    engine, found = engine_of(variant, workload, workload.model()), set()
    fill_invalid(engine, 0.5)  # so that writing a zero is a change too
    watched = _Watched(engine.cache.keys.clone(), [engine.cache.length(s) for s in range(workload.slots)])

    def compare(engine: SlotEngine) -> None:
        found.update(watched.strays(engine))

    play(engine, workload, workload.contents(seed), before=compare)
    compare(engine)
    return tuple(sorted(found))


@dataclass
class _Watched:
    """The keys and the lengths as they were."""

    keys: Tensor
    lengths: list[int]

    def strays(self, engine: SlotEngine) -> set[tuple[int, int]]:
        """Return what changed outside the new columns of each slot, and look from here on."""
        cache = engine.cache
        changed = (cache.keys != self.keys).any(dim=4).any(dim=2).any(dim=0)  # [N, C]
        lengths = [cache.length(slot) for slot in range(cache.num_slots)]
        for slot, (before, after) in enumerate(zip(self.lengths, lengths, strict=True)):
            changed[slot, before:after] = False
        self.keys, self.lengths = cache.keys.clone(), lengths
        return {tuple(place) for place in changed.nonzero().tolist()}

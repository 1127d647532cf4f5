"""Exercise 04.3: a leak test that finds every planted mask and accuses no right one."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sharedstate.checks.types import Case, Exercise, Verdict

if TYPE_CHECKING:
    from torch import Tensor

SHOWN = ("missing", "filled")
TILE = 16
CHANGED = "a head that gets another mask"
REASONS = MappingProxyType({
    "missing": "misses-a-plain-leak",
    "off by one": "misses-a-plain-leak",
    "far future": "misses-the-far-future",
    "after softmax": "misses-the-denominator",
    "finite": "misses-finite-fills",
    "additive": "misses-finite-fills",
    "without self": "misses-what-is-lost",
    "short window": "misses-what-is-lost",
    "top left": "misses-other-shapes",
    "alone": "misses-other-lengths",
    "tiles": "misses-other-lengths",
    "full square": "misses-other-lengths",
})


class FindPlantedMasks(Exercise):
    """The answer is is_wrong(attend) -> bool; attend(q [Q, D], k [K, D], v [K, D]) -> [Q, D]."""

    id = "04.3"
    title = "Find eleven planted masks"
    answer = "is_wrong"
    minutes = 18
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 20.0
    judge_source = True
    imports = ("torch", "torch.nn", "torch.nn.functional", "dataclasses")

    def cases(self, seed: int) -> list[Case]:
        """The two of the lab's example, the other right ones in any order, then the eleven planted."""
        draw = self.draw(seed)
        right = [name for name in RIGHT if name not in SHOWN]
        wrong = [name for name in WRONG if name not in SHOWN]
        names = [*SHOWN, *draw.sample(right, len(right)), *wrong]
        cases = [Case(name, {"mask": name}, visible=name in SHOWN) for name in names]
        again = draw.choice(right)      # at an unknown place, so that counting the calls tells nothing
        cases.insert(draw.randrange(len(names) - len(wrong) + 1, len(names)), Case(f"{again}, again", {"mask": again}))
        return [*cases, Case(CHANGED, {"mask": "missing"})]

    def run(self, answer: Any, case: Case) -> object:
        """Hand the head with this mask to the test; what comes back is the test's word."""
        if case.label != CHANGED:
            return answer(planted(case["mask"]))
        head = Head()
        answer(head)
        head.mask = case["mask"]
        return answer(head)

    def judge(self, case: Case, value: object) -> Verdict:
        """A miss is told by what was planted, a false alarm by what was accused."""
        name = case["mask"]
        if type(value) is not bool:
            return self.wrong("not-a-bool", f"is_wrong returned {str(value)[:60]}, not True or False.")
        if name in RIGHT and value:
            message = (
                f"Your test accuses a right head, one that {RIGHT[name]}. Which answers may change when "
                "a key of the past moves? And are all your numbers finite?"
            )
            return self.wrong("accuses-the-innocent", message)
        if case.label == CHANGED and not value:
            message = ("The same head was given another mask, and your test said of it what it had said before: "
                       "something is kept from one call to the next. Try the head in every call.")
            return self.wrong("keeps-state", message)
        if name in WRONG and not value:
            return self.wrong(REASONS[name], f"Your test passes a head that {WRONG[name]}.")
        return self.right("Eleven planted, eleven found, and nobody accused for nothing.")


Attend = Callable[["Tensor", "Tensor", "Tensor"], "Tensor"]

# What each planted mask does, in words for the learner who missed it.
WRONG = MappingProxyType({
    "missing": "has no mask at all",
    "off by one": "lets each query look one key ahead",
    "without self": "does not let a query look at its own place",
    "after softmax": "cuts the weights off after the softmax, so the future still moves the others",
    "finite": "fills the future with -1e4, which loses against a past below it",
    "additive": "adds -1e9 to the future, which loses against a past below it",
    "top left": "counts from the top left, so with more keys than queries most of the past is lost",
    "short window": "forgets all but the last three keys",
    "far future": "shuts the next two keys only",
    "alone": "counts from the top left when it is asked with a single query, as decoding does",
    "tiles": "works in tiles of sixteen keys and queries, and masks the first tile only",
    "full square": "masks nothing when there are as many queries as keys, as in a prompt",
})
RIGHT = MappingProxyType({
    "filled": "fills the future with -inf",
    "added": "adds -inf to the future",
    "sliced": "gives each query its own piece of the past",
    "fused": "hands a bottom-right mask to torch's own kernel",
})


def planted(name: str) -> Attend:
    """Return the head with this mask. Raises KeyError for an unknown name."""
    return {**dict.fromkeys(WRONG, _by_weights), "filled": _by_weights, "added": _by_weights,
            "sliced": lambda _: _sliced, "fused": lambda _: _fused}[name](name)


class Head:
    """A head whose mask may be exchanged."""

    def __init__(self) -> None:
        self.mask = "filled"

    def __call__(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Attend with the mask of now."""
        return planted(self.mask)(q, k, v)


def _past(q: Tensor, k: Tensor, move: int = 0) -> Tensor:
    """Return [Q, K], True up to the query's own position, moved to the right by `move`."""
    import torch

    return torch.arange(len(k)) <= torch.arange(len(q))[:, None] + (len(k) - len(q) + move)


def _by_weights(name: str) -> Attend:
    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return _weights(name, q @ k.mT / q.shape[-1] ** 0.5, _past(q, k), q, k) @ v

    return attend


def _weights(name: str, scores: Tensor, past: Tensor, q: Tensor, k: Tensor) -> Tensor:
    """Turn scores into weights, rightly or wrongly."""
    import torch

    if name == "after softmax":
        return scores.softmax(-1) * past
    if name in ("finite", "additive"):
        low = scores.masked_fill(~past, -1e4) if name == "finite" else scores - 1e9 * ~past
        return low.softmax(-1)
    if name == "added":
        return (scores + torch.zeros_like(scores).masked_fill(~past, -torch.inf)).softmax(-1)
    seen = {
        "missing": torch.ones_like(past),
        "off by one": _past(q, k, 1),
        "without self": _past(q, k, -1) | (torch.arange(len(k)) == 0),
        "top left": _past(q, k, len(q) - len(k)),
        "short window": past & ~_past(q, k, -3),
        "far future": past | ~_past(q, k, 2),
        "alone": _past(q, k, 1 - len(k)) if len(q) == 1 else past,
        "tiles": past | (torch.arange(len(k)) >= TILE),
        "full square": past | (len(q) == len(k)),
    }.get(name, past)
    return scores.masked_fill(~seen, -torch.inf).softmax(-1)


def _sliced(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Row by row, no mask anywhere: what is not handed over cannot leak."""
    import torch

    rows = []
    for i, query in enumerate(q):
        end = len(k) - len(q) + i + 1
        rows.append((k[:end] @ query / q.shape[-1] ** 0.5).softmax(-1) @ v[:end])
    return torch.stack(rows)


def _fused(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    from torch.nn.functional import scaled_dot_product_attention

    return scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=_past(q, k))[0]


EXERCISE = FindPlantedMasks()

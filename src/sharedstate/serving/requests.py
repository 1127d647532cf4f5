"""What is asked, what is answered, and a request on its way between the two."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor

from sharedstate.kvcache import BlockTable, Factors
from sharedstate.kvcache.prefix import encoded

if TYPE_CHECKING:
    from sharedstate.kvcache.prefix import Chain

DONE, CANCELLED, REFUSED, FAILED = "done", "cancelled", "refused", "failed"
ENDINGS = (DONE, CANCELLED, REFUSED, FAILED)


@dataclass(frozen=True)
class Sampling:
    """How a request's tokens are drawn. temperature 0 is greedy; top_k 0 and top_p 1 leave all tokens in.

    seed: what the request's generator is derived from, its id unless given; index: which of several samples this is.
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int | str | None = None
    index: int = 0

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if self.temperature != 0 and not 1e-4 <= self.temperature <= 1e4:
            raise ValueError(f"temperature is 0 (greedy), or lies between 1e-4 and 1e4, not {self.temperature!r}.")
        if type(self.top_k) is not int or self.top_k < 0 or type(self.index) is not int or self.index < 0:
            raise ValueError(f"top_k and index are whole numbers of 0 or more, not {self.top_k!r}, {self.index!r}.")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p lies above 0 and is 1 at most, not {self.top_p!r}.")
        if self.seed is not None and type(self.seed) not in (int, str):
            raise ValueError(f"A seed is a whole number or a text, not {self.seed!r}.")


GREEDY = Sampling()


@dataclass(frozen=True)
class Request:
    """A prompt and what is wanted for it. on_token(id, token) is called for each token as it comes.

    choose(logits [vocab]) -> token takes the sampler's place for this request. factors: what the prompt's keys and
    values depend on besides its tokens; the server sets the tenant in them. Raises ValueError for a bad field.
    """

    id: str
    prompt: Sequence[int]
    max_new_tokens: int = 16
    sampling: Sampling = GREEDY
    stop: frozenset[int] = frozenset()
    factors: Factors = field(default_factory=Factors)
    on_token: Callable[[str, int], object] | None = None
    choose: Callable[[Tensor], int] | None = None

    def __post_init__(self) -> None:
        """Check every field that can be checked without an engine."""
        if type(self.id) is not str or not self.id:
            raise ValueError(f"A request has a name (a text that is not empty), not {self.id!r}.")
        prompt = self.prompt
        if isinstance(prompt, str) or not isinstance(prompt, Sequence) or not all(type(t) is int for t in prompt):
            raise ValueError(f"The prompt of {self.id!r} is a list of whole numbers.")
        if not prompt:
            raise ValueError(f"The prompt of {self.id!r} is empty: give at least one token.")
        if type(self.max_new_tokens) is not int or self.max_new_tokens < 1:
            raise ValueError(f"{self.id!r} wants {self.max_new_tokens!r} new tokens: ask for 1 or more.")
        object.__setattr__(self, "prompt", tuple(prompt))


@dataclass(frozen=True)
class Result:
    """How a request ended: "done", "cancelled", "refused" or "failed", with the reason where it is not done.

    Times are of the engine's clock, in seconds; None for what did not happen. token_times has one for each token;
    hits counts the prompt tokens that were found in the prefix cache.
    """

    id: str
    status: str
    tokens: tuple[int, ...]
    reason: str
    arrived: float
    started: float | None
    token_times: tuple[float, ...]
    ended: float
    prompt_tokens: int
    hits: int
    preemptions: int


def generator_of(request: Request) -> np.random.Generator:
    """Return the request's own generator, the same whenever it is asked for.

    Its key is a hash of (id or seed, sample index), with types: no two share a stream by arithmetic.
    Counter-based (Philox): number k is a function of the key and of k, whatever was drawn elsewhere.
    """
    sampling = request.sampling
    source = ("id", request.id) if sampling.seed is None else ("seed", sampling.seed)
    digest = hashlib.sha256(encoded((*source, "sample", sampling.index))).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "big")))


class Live:
    """A request on its way. `tokens` is the prompt and the answer so far; `num_computed` of them have keys and values.

    The two may differ by any amount at any time: whatever is not computed is computed next. So a preempted request
    goes on by setting num_computed to 0, and an interrupted step by doing nothing at all.
    """

    def __init__(self, request: Request, arrived: float) -> None:
        """Begin with the prompt; the request's random numbers are drawn now, all of them."""
        self.request, self.arrived = request, arrived
        self.tokens: list[int] = list(request.prompt)
        self.num_computed = self.published = self.mapped = self.hits = self.sent = self.preemptions = self.overtaken = 0
        self.uniforms = generator_of(request).random(request.max_new_tokens) if request.sampling.temperature else None
        self.row: int | None = None
        self.table: BlockTable | None = None
        self.chain: Chain | None = None
        self.epoch = 0
        self.started: float | None = None
        self.token_times: list[float] = []
        self.ending: tuple[str, str, float] | None = None

    @property
    def answer(self) -> list[int]:
        """The new tokens so far."""
        return self.tokens[len(self.request.prompt) :]

    @property
    def num_answered(self) -> int:
        """How many new tokens there are."""
        return len(self.tokens) - len(self.request.prompt)

    @property
    def finished(self) -> bool:
        """Say whether the answer is complete."""
        count = self.num_answered
        return count >= self.request.max_new_tokens or (count > 0 and self.tokens[-1] in self.request.stop)

    def end(self, status: str, reason: str, when: float) -> None:
        """End it, once: a second ending changes nothing."""
        if self.ending is None:
            self.ending = (status, reason, when)

    def result(self) -> Result:
        """Return how it ended."""
        assert self.ending is not None
        status, reason, when = self.ending
        return Result(
            self.request.id, status, tuple(self.answer), reason, self.arrived, self.started,
            tuple(self.token_times), when, len(self.request.prompt), self.hits, self.preemptions,
        )  # fmt: skip

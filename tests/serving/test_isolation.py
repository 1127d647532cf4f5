"""A request's bits do not depend on its neighbours: the deterministic mode, and what it refuses."""

from __future__ import annotations

import dataclasses
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import Remembering, mixed, sampled, serve
from torch import Tensor

from sharedstate.model import GPT, GPTConfig
from sharedstate.serving import Engine, Limits, NotInvariant, Request, Runner

SMALL = GPTConfig(61, 2, 32, 4, 2, 64, 512)
WIDE = Limits(max_batch=8, max_tokens=96)
TIGHT = Limits(max_batch=5, num_blocks=13, max_tokens=80)


def engine_of(model: GPT, limits: Limits = WIDE, **options: object) -> Engine:
    """Return a deterministic engine that remembers."""
    return Engine(model, limits, deterministic=True, runner=Remembering, **options)


def same(one: Engine, other: Engine) -> int:
    """Hold that both saw the same bits for every token of every request; return how many rows were compared."""
    assert one.runner.seen.keys() == other.runner.seen.keys()
    for key, (right, *_) in one.runner.seen.items():
        for row in other.runner.seen[key]:
            assert torch.equal(row, right), key
    return len(one.runner.seen)


def second_turns(requests: list[Request], answers: dict) -> list[Request]:
    """Return requests that begin with a whole first turn, its answer included."""
    return [
        Request(f"{r.id} again", [*r.prompt, *answers[r.id].tokens, 1, 2, 3], 5) for r in requests
    ]


def play(seed: int, dtype: torch.dtype, count: int = 6) -> tuple[int, int]:
    """Play one random workload in every way and hold that the bits are the same.

    Return how many preemptions there were, and how many prompt tokens were found.
    """
    model, requests = GPT(SMALL, seed=3).to(dtype), sampled(count, seed, longest=70, most=2 * count)
    alone = engine_of(model, prefix=False)
    answers = serve(alone, requests, alone=True)
    mix = random.Random(seed).sample(requests, len(requests))
    shared, tight = engine_of(model), engine_of(model, TIGHT)
    for engine, order in ((engine_of(model, prefix=False), mix), (shared, requests)):
        serve(engine, order)
        same(alone, engine)
    squeezed = serve(tight, mix)
    same(alone, tight)
    turns = second_turns(requests, answers)
    fresh = engine_of(model, prefix=False)
    serve(fresh, turns, alone=True)
    shared.runner.seen.clear()
    hits = sum(result.hits for result in serve(shared, turns).values())
    same(fresh, shared)
    assert hits > sum(len(r.prompt) // 16 * 16 for r in requests) / 2
    return sum(result.preemptions for result in squeezed.values()), hits


@pytest.fixture(params=[1, 2], ids=["one thread", "two threads"])
def threads(request: pytest.FixtureRequest) -> object:
    """This many threads while the test runs."""
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["fp32", "fp64"])
def test_alone_or_in_any_company_bit_by_bit(dtype: torch.dtype, threads: int, exhaustive: bool) -> None:
    preempted, count = [], 6 if threads == 1 else 3  # two threads wait for each other at every product

    @settings(max_examples=12 if exhaustive else 4 if threads == 1 else 1, deadline=None, database=None,
              derandomize=True)  # fmt: skip
    @given(seed=st.integers(0, 10**6))
    def every(seed: int) -> None:
        preempted.append(play(seed, dtype, count)[0])

    every()
    assert threads == 2 or sum(preempted) > 0  # or resuming was not tried


def test_with_the_mode_off_differences_stay_small_and_are_there(model: GPT, one_thread: None) -> None:
    requests = [dataclasses.replace(r, max_new_tokens=6) for r in mixed(12)]
    engines = [Engine(model, WIDE, runner=Remembering, prefix=False) for _ in range(2)]
    serve(engines[0], requests, alone=True)
    serve(engines[1], requests)
    one, two = (engine.runner.seen for engine in engines)
    gaps = [float((one[key][0] - two[key][0]).abs().max()) for key in one]
    assert 0 < max(gaps) < 1e-4


class ByTheRows(Runner):
    """Adds in another order when there are few rows."""

    def linear(self, x: Tensor, weight: Tensor) -> Tensor:
        if len(x) > 8:
            return super().linear(x, weight)
        half = x.shape[1] // 2
        return x[:, :half] @ weight[:half] + x[:, half:] @ weight[half:]


class ByTheQueries(Runner):
    """Attends in another order when there is one token."""

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        return super().attend(q, k.flip(2), v.flip(2), mask.flip(3)) if len(q) == 1 else super().attend(q, k, v, mask)


class ByTheNorm(Runner):
    """Normalises in halves when there are few rows."""

    def norm(self, x: Tensor) -> Tensor:
        wide = x.double()
        return super().norm(x) if len(x) > 4 else (wide / wide.pow(2).mean(-1, keepdim=True).sqrt()).to(x.dtype)


@pytest.mark.parametrize(("wrong", "reason"), [(ByTheRows, "product for .* rows"), (ByTheQueries, "attention over"),
                                               (ByTheNorm, "norm")])  # fmt: skip
def test_the_mode_is_refused_where_a_rule_does_not_hold(model: GPT, wrong: type[Runner], reason: str) -> None:
    Engine(model, runner=wrong)
    with pytest.raises(NotInvariant, match=reason):
        Engine(model, deterministic=True, runner=wrong)


def test_blocks_that_do_not_fit_the_chunk_are_refused(model: GPT) -> None:
    with pytest.raises(NotInvariant, match="block_size"):
        Engine(model, Limits(block_size=24), deterministic=True)


def test_another_number_of_threads_is_probed_anew(model: GPT, one_thread: None) -> None:
    engine = engine_of(model)
    serve(engine, mixed(2))
    asked: list[int] = []
    engine._probe = lambda: asked.append(torch.get_num_threads())  # type: ignore[method-assign]
    torch.set_num_threads(2)
    engine.step()
    assert asked == [2]

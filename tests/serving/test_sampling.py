"""Each request draws from its own numbers: the same tokens in any company, of the right distribution."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from playing import mixed, sampled, serve

from sharedstate.model import GPT
from sharedstate.serving import Engine, Limits, Request, Sampling, draw, generator_of, probabilities
from sharedstate.serving.requests import Live


def test_tokens_alone_and_among_31_neighbours_are_the_same(model: GPT, exhaustive: bool) -> None:
    for number, mine in enumerate(sampled(15 if exhaustive else 5, 7, most=16)):
        own = Request("mine", mine.prompt, 16, Sampling(0.9, seed=number))
        engine = Engine(model, Limits(max_batch=32), deterministic=True)
        alone = serve(engine, [own])["mine"].tokens
        others = sampled(31, number, longest=20, most=24)
        for other in others[:15]:
            engine.add(other)
        engine.step()
        engine.add(own)
        for step in range(16):  # neighbours come and go
            engine.add(others[15 + step])
            engine.cancel(others[step].id)
            engine.step()
        assert engine.run()["mine"].tokens == alone


class SharedGenerator(Engine):
    """Draws everybody's tokens from one generator, row after row."""

    def choose(self, logits: torch.Tensor, rows: list[Live]) -> list[int | Exception]:
        if not hasattr(self, "common"):
            self.common = np.random.default_rng(1)
        tokens: list[int | Exception] = [0] * len(rows)
        for n in sorted(range(len(rows)), key=lambda n: rows[n].epoch):
            (tokens[n],) = draw(logits[n : n + 1], [rows[n].request.sampling], [self.common.random()])
        return tokens


def test_with_a_shared_generator_a_neighbour_changes_the_tokens_from_the_second_on(model: GPT) -> None:
    for request in mixed(30, 9, longest=20):
        mine = Request("mine", request.prompt, 12, Sampling(1.0))
        alone = serve(SharedGenerator(model), [mine])["mine"].tokens
        beside = serve(SharedGenerator(model), [mine, Request("other", [4, 5], 12, Sampling(1.0))])["mine"].tokens
        assert beside[0] == alone[0] and beside[1:] != alone[1:]


def test_a_stream_is_its_own_whatever_the_arithmetic_of_the_seeds() -> None:
    ways = [Sampling(1, seed=seed, index=index) for seed in (0, 1, 2**32, "0", "1", -1) for index in range(4)]
    firsts = {tuple(generator_of(Request("a", [1], sampling=way)).random(2)) for way in ways}
    names = {tuple(generator_of(Request(name, [1], sampling=Sampling(1))).random(2)) for name in ("0", "1", "a")}
    assert len(firsts | names) == len(ways) + 3
    again = generator_of(Request("z", [1], sampling=ways[5])).random(2)
    assert tuple(again) in firsts
    one = generator_of(Request("z", [1], sampling=ways[5]))
    assert [one.random() for _ in range(2)] == list(again)  # n at once are n single ones


WAYS = [Sampling(0.7), Sampling(1.0, top_k=5), Sampling(1.4, top_p=0.7), Sampling(1.0, top_k=12, top_p=0.8)]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_chi_square_of_the_sampler(way: Sampling) -> None:
    logits, count = torch.randn(24, generator=torch.Generator().manual_seed(2)) * 2, 20_000
    uniforms = np.random.default_rng(5).random(count).tolist()
    drawn = np.bincount(draw(logits.expand(count, -1), [way] * count, uniforms), minlength=24)
    expected = probabilities(logits, way).double().numpy() * count
    assert drawn[expected == 0].sum() == 0
    kept = expected > 0
    chi = float(((drawn[kept] - expected[kept]) ** 2 / expected[kept]).sum())
    free = int(kept.sum()) - 1
    assert chi < free + 4 * (2 * free) ** 0.5 + 4
    wrong = expected[kept][::-1]  # the same test sees another distribution
    assert float(((drawn[kept] - wrong) ** 2 / wrong).sum()) > 10 * free


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_distribution_is_transformers(way: Sampling) -> None:
    from transformers.generation.logits_process import (
        TemperatureLogitsWarper,
        TopKLogitsWarper,
        TopPLogitsWarper,
    )

    for seed in range(5):
        logits = torch.randn(1, 40, generator=torch.Generator().manual_seed(seed)).double() * 2
        theirs = TemperatureLogitsWarper(way.temperature)(None, logits)
        theirs = TopKLogitsWarper(way.top_k)(None, theirs) if way.top_k else theirs
        theirs = TopPLogitsWarper(way.top_p)(None, theirs) if way.top_p < 1 else theirs
        assert (torch.softmax(theirs, -1)[0] - probabilities(logits[0], way)).abs().max() < 1e-12


def test_edges() -> None:
    logits = torch.tensor([[0.0, -torch.inf, 1.0, -torch.inf]])
    for uniform in (0.0, 0.5, 1 - 2**-53):
        assert draw(logits, [Sampling(1.0)], [uniform])[0] in (0, 2)
    assert draw(logits, [Sampling(1.0, top_k=1)], [0.999]) == [2] == draw(logits, [Sampling(1.0, top_p=1e-9)], [0.999])
    assert probabilities(logits[0], Sampling()).tolist() == [0, 0, 1, 0]
    for wrong in ({"temperature": -1}, {"temperature": float("nan")}, {"top_k": -1}, {"top_p": 0}, {"seed": 1.5}):
        with pytest.raises(ValueError):
            Sampling(**wrong)


def test_a_row_is_drawn_the_same_in_any_batch() -> None:
    dice = random.Random(0)
    logits = torch.randn(16, 61, generator=torch.Generator().manual_seed(3))
    ways, uniforms = [dice.choice(WAYS) for _ in range(16)], [dice.random() for _ in range(16)]
    ways[0] = WAYS[0]  # nothing cut off, among rows that are cut
    together = draw(logits, ways, uniforms)
    assert together == [draw(logits[n : n + 1], [ways[n]], [uniforms[n]])[0] for n in range(16)]

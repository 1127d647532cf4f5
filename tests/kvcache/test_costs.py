"""The cost model counts what torch counts, and its parts grow as the lesson says."""

from __future__ import annotations

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from sharedstate.kvcache.costs import PARTS, project, random_cards, seconds_of, step_cost, step_on_cards, timed_step
from sharedstate.model import GPT, GPTConfig

SHAPES = ({}, {"num_kv_heads": 2}, {"num_kv_heads": 1, "num_layers": 3}, {"positions": "learned", "d_hidden": 50})
shapes = pytest.mark.parametrize("changes", SHAPES, ids=str)


def model_of(changes: dict) -> GPT:
    return GPT(GPTConfig(vocab_size=40, **changes)).requires_grad_(False)


def counted(run: object) -> int:
    with FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops()


@shapes
def test_the_model_is_what_torch_counts(changes: dict) -> None:
    model = model_of(changes)
    tokens = torch.zeros(1, 20, dtype=torch.long)
    assert counted(lambda: model(tokens)) == step_cost(model.config, 20, cached=False).total
    cards = random_cards(model, 19)
    assert counted(lambda: step_on_cards(model, tokens[:, :1], cards)) == step_cost(model.config, 20).total


@shapes
def test_a_cached_step_gives_the_models_own_logits(changes: dict) -> None:
    model = model_of(changes).double()
    tokens = torch.randint(0, 40, (1, 12), generator=torch.Generator().manual_seed(1))
    (x, rope), cards = model.embed(tokens[:, :-1]), []
    for layer in model.layers:
        cards.append(project(layer, x, rope)[1:])
        x = layer(x, model.mask(11, 11), rope)
    before = [[part.clone() for part in pair] for pair in cards]
    found = step_on_cards(model, tokens[:, -1:], cards)
    assert (found[:, -1] - model(tokens)[:, -1]).abs().max() < 1e-12
    pairs = [pair for one, other in zip(cards, before, strict=True) for pair in zip(one, other, strict=True)]
    assert all(torch.equal(now, was) for now, was in pairs)


def test_projections_are_constant_and_attention_is_linear_with_a_cache() -> None:
    config = GPTConfig(256, 4, 256, 4)
    once, twice = step_cost(config, 4096), step_cost(config, 8192)
    assert twice.attention == 2 * once.attention
    assert all(twice.parts[part] == once.parts[part] for part in PARTS if part != "attention")


def test_without_a_cache_attention_is_quadratic_and_the_step_is_context_times_the_work() -> None:
    config = GPTConfig(256, 4, 256, 4)
    once, twice = step_cost(config, 1024, cached=False), step_cost(config, 2048, cached=False)
    assert (twice.attention, twice.projections) == (4 * once.attention, 2 * once.projections)
    assert step_cost(config, 2048, cached=False).total == 2048 * step_cost(config, 2048).total


def test_at_small_contexts_attention_is_a_small_part_of_the_work() -> None:
    config = GPTConfig(256, 4, 256, 4)
    assert step_cost(config, 128).share("attention") < 0.1 < 0.5 < step_cost(config, 2048).share("attention")


def test_a_prefill_in_pieces_is_between_the_two() -> None:
    config = GPTConfig(256)
    assert step_cost(config, 64, new=64).total == step_cost(config, 64, cached=False).total
    assert step_cost(config, 64, new=8).projections == 8 * step_cost(config, 64).projections
    for new in (0, 65):
        with pytest.raises(ValueError, match="new tokens"):
            step_cost(config, 64, new=new)


def test_a_timing_says_what_it_timed() -> None:
    model = model_of({})
    for cached in (True, False):
        found = timed_step(model, 9, cached, rounds=1)
        assert (found.context, found.cached) == (9, cached) and found.seconds > 0
        assert found.operations == step_cost(model.config, 9, cached).total


def test_the_clock_takes_the_best_of_its_rounds() -> None:
    calls = []
    assert seconds_of(lambda: calls.append(1), rounds=4) >= 0 and len(calls) == 4


@pytest.mark.parametrize("wrong", [{"context": "8"}, {"context": 2.5}, {"context": None}, {"new": True}, {"config": 8}])
def test_a_step_that_cannot_be_is_refused_with_words(wrong: dict) -> None:
    given = {"config": GPTConfig(vocab_size=40), "context": 8, **wrong}
    with pytest.raises(ValueError, match=r"use a whole number|give a GPTConfig"):
        step_cost(**given)

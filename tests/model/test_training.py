"""A loss can be too good: tokens of known entropy, and the honest loss of the last position."""

from __future__ import annotations

import math
from itertools import islice

import pytest
import torch
from torch import Tensor, nn

from sharedstate.model import (
    GPT,
    GPTConfig,
    evaluate,
    full_mask,
    generate,
    iid_batches,
    last_position_loss,
    next_token_loss,
    seeded,
    text_batches,
    train,
)
from sharedstate.model.masks import causal_mask

VOCAB, LENGTH, BATCH, STEPS = 16, 16, 64, 60
PROOF = math.log(VOCAB) / 2


def small(seed: int, mask: object = causal_mask) -> GPT:
    shape = GPTConfig(VOCAB, num_layers=2, d_model=32, num_heads=4, max_len=LENGTH)
    return GPT(shape, seed=seed, mask=mask)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_without_the_mask_the_loss_passes_half_of_what_is_possible(seed: int) -> None:
    history = train(small(seed, full_mask), iid_batches(VOCAB, LENGTH, BATCH, seed + 100), STEPS)
    assert abs(history.losses[0] - math.log(VOCAB)) < 0.1
    assert history.first_below(PROOF) is not None
    assert history.first_below(PROOF) <= STEPS


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_with_the_mask_it_never_does(seed: int) -> None:
    history = train(small(seed), iid_batches(VOCAB, LENGTH, BATCH, seed + 100), STEPS)
    assert history.first_below(PROOF) is None
    assert min(history.losses) > math.log(VOCAB) - 0.02


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_with_the_mask_it_never_does_in_300_steps(seed: int) -> None:
    history = train(small(seed), iid_batches(VOCAB, LENGTH, BATCH, seed + 100), 300)
    assert min(history.losses) > math.log(VOCAB) - 0.03
    below = sum(loss < math.log(VOCAB) for loss in history.losses)
    assert 0 < below < 100  # an honest model dips under ln V: that alone proves nothing


def test_the_same_seed_gives_the_same_run_and_the_global_generator_is_left_alone() -> None:
    before = torch.get_rng_state()
    runs = [train(small(1), iid_batches(VOCAB, 8, 4, 1), 3).losses for _ in range(2)]
    assert runs[0] == runs[1]
    assert torch.equal(before, torch.get_rng_state())
    assert runs[0] != train(small(1), iid_batches(VOCAB, 8, 4, 2), 3).losses


class Copies(nn.Module):
    """A cheat: it answers with the token that stands one place ahead in its input."""

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, S, V], sure of the next token; at the last place there is none to read."""
        ahead = torch.roll(tokens, -1, dims=1)
        logits = nn.functional.one_hot(ahead, VOCAB) * 20.0
        return torch.cat((logits[:, :-1], torch.zeros(len(tokens), 1, VOCAB)), dim=1)


def test_the_last_position_is_honest_and_the_others_are_not() -> None:
    batches = list(islice(iid_batches(VOCAB, LENGTH, BATCH, 0), 3))
    assert evaluate(Copies(), next_token_loss, batches) == pytest.approx(math.log(VOCAB) / LENGTH, abs=1e-4)
    assert evaluate(Copies(), last_position_loss, batches) == pytest.approx(math.log(VOCAB), abs=1e-4)


def test_what_is_watched_is_measured_before_the_first_step_and_then_regularly() -> None:
    seen: list[float] = []

    def measure(model: nn.Module) -> float:
        seen.append(float(model.lm_head.weight.detach().sum()))
        return seen[-1]

    history = train(small(0), iid_batches(VOCAB, 8, 4, 0), 5, watch={"sum": measure}, every=2, lr=lambda s: s * 0.01)
    assert [step for step, _ in history.watched["sum"]] == [0, 2, 4]
    assert [value for _, value in history.watched["sum"]] == seen
    assert len(set(seen)) == 3 and len(history.losses) == 5


def test_a_rate_of_zero_teaches_nothing() -> None:
    model = small(0)
    before = [weight.detach().clone() for weight in model.parameters()]
    train(model, iid_batches(VOCAB, 8, 4, 0), 2, lr=0.0)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))


def test_batches_have_the_stated_shapes_and_ranges() -> None:
    tokens = next(iid_batches(VOCAB, LENGTH, BATCH, 0))
    assert tokens.shape == (BATCH, LENGTH + 1)
    assert (tokens.min(), tokens.max()) == (0, VOCAB - 1)
    pieces = next(text_batches(torch.arange(30), 4, 50, 0))
    assert pieces.shape == (50, 5)
    assert ((pieces[:, 1:] - pieces[:, :-1]) == 1).all()
    assert (pieces.min(), pieces.max()) == (0, 29)
    with pytest.raises(ValueError, match=r"length \+ 1 = 5"):
        next(text_batches(torch.arange(4), 4, 1, 0))


def test_generation_feeds_back_its_own_tokens() -> None:
    model, prompt = small(0), torch.tensor([1, 2, 3])
    written = generate(model, prompt, 20)
    assert written.shape == (23,) and torch.equal(written[:3], prompt)
    for at in (3, 10, 22):  # the model sees at most max_len tokens
        logits = model(written[None, max(0, at - LENGTH) : at])[0, -1]
        assert written[at] == logits.argmax()


def test_drawn_tokens_depend_on_the_callers_generator_alone() -> None:
    model, prompt = small(0), torch.tensor([1])
    draws = [generate(model, prompt, 12, temperature=1.0, generator=seeded(s)).tolist() for s in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    with pytest.raises(ValueError, match="generator=seeded"):
        generate(model, prompt, 1, temperature=1.0)

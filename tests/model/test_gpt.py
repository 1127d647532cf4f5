"""The whole model: isolated in time, padding without influence, its own generator, and equal to Llama."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.autograd.functional import jacobian

from sharedstate.model import (
    GPT,
    GPTConfig,
    attention_mask_of,
    full_mask,
    load_llama,
    position_ids_of,
    seeded,
)
from sharedstate.model.llama import config_from_llama
from sharedstate.model.masks import causal_mask, sliding_window_mask

VOCAB, LENGTH = 13, 7


def model(positions: str = "rope", **other: object) -> GPT:
    shape = GPTConfig(VOCAB, d_model=16, num_heads=4, num_kv_heads=2, max_len=16, positions=positions)
    return GPT(shape, **other).double()


def tokens(batch: int = 1, length: int = LENGTH) -> Tensor:
    return torch.randint(VOCAB, (batch, length), generator=seeded(5))


def influence_in_time(of: GPT) -> Tensor:
    """Return [S, S] booleans: do the logits of a position depend on the embedding of a position?"""
    x, rope = of.embed(tokens())

    def logits(x: Tensor) -> Tensor:
        return of.from_embedding(x, of.mask_for(tokens()), rope)

    return (jacobian(logits, x) != 0)[0, :, :, 0].any(dim=3).any(dim=1)


@pytest.mark.parametrize("positions", ["rope", "learned", "none"])
def test_the_future_has_exactly_no_influence_and_all_the_past_has(positions: str) -> None:
    assert torch.equal(influence_in_time(model(positions)), causal_mask(LENGTH, LENGTH))
    assert influence_in_time(model(positions, mask=full_mask)).all()


def test_a_window_reaches_further_with_every_layer() -> None:
    narrow = model(mask=lambda q, k: sliding_window_mask(q, k, 2))
    assert torch.equal(influence_in_time(narrow), sliding_window_mask(LENGTH, LENGTH, 3))


def test_changing_the_last_token_changes_nothing_before_it() -> None:
    changed = tokens().clone()
    changed[0, -1] = (changed[0, -1] + 1) % VOCAB
    before, after = model()(tokens()), model()(changed)
    assert torch.equal(before[:, :-1], after[:, :-1])
    assert not torch.equal(before[:, -1], after[:, -1])


@pytest.mark.parametrize("positions", ["rope", "learned", "none"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_padded_row_equals_the_row_alone(positions: str, side: str) -> None:
    of, short = model(positions), tokens(length=4)
    real = attention_mask_of([4, LENGTH], LENGTH, side)
    row = torch.zeros(1, LENGTH, dtype=torch.long)
    row[0, real[0]] = short[0]
    both = torch.cat((row, tokens()))
    logits = of(both, attention_mask=real, position_ids=position_ids_of(real))
    assert not logits.isnan().any()
    assert torch.allclose(logits[:1, real[0]], of(short), atol=1e-12)
    if side == "left":
        wrong = of(both)[:1, real[0]]  # nobody told the model about the padding
        assert (wrong - of(short)).abs().max() > 1e-4


def test_rope_needs_no_position_ids_for_left_padding_and_learned_positions_do() -> None:
    real, short = attention_mask_of([4], LENGTH), tokens(length=4)
    row = torch.cat((torch.zeros(1, 3, dtype=torch.long), short), dim=1)
    for positions, same in (("rope", True), ("learned", False)):
        of = model(positions)
        error = (of(row, attention_mask=real)[:, 3:] - of(short)).abs().max()
        assert (error < 1e-12) == same


def test_the_tensor_mask_replaces_the_models_own() -> None:
    of = model()
    assert torch.equal(of(tokens(), mask=full_mask(LENGTH, LENGTH)), model(mask=full_mask)(tokens()))
    assert not torch.equal(of(tokens(), mask=full_mask(LENGTH, LENGTH)), of(tokens()))


def test_nothing_touches_the_global_generator() -> None:
    before = torch.get_rng_state()
    first = GPT(GPTConfig(VOCAB, positions="learned"), seed=3)
    assert torch.equal(before, torch.get_rng_state())
    torch.manual_seed(99)
    second = GPT(GPTConfig(VOCAB, positions="learned"), seed=3)
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert not torch.equal(first.lm_head.weight, GPT(GPTConfig(VOCAB), seed=4).lm_head.weight)
    torch.set_rng_state(before)


def test_what_is_not_said_about_the_shape_is_filled_in() -> None:
    shape = GPTConfig(VOCAB, d_model=16, num_heads=4)
    assert (shape.num_kv_heads, shape.d_hidden, shape.head_dim) == (4, 48, 4)
    with pytest.raises(AttributeError):
        shape.d_model = 8
    of = model("learned")
    expected = of.embed_tokens.weight[tokens()] + of.embed_positions.weight[:LENGTH]
    assert torch.equal(of.embed(tokens())[0], expected)


def test_bad_shapes_are_refused_with_words() -> None:
    with pytest.raises(ValueError, match="positions is 'sine'"):
        GPTConfig(VOCAB, positions="sine")
    with pytest.raises(ValueError, match="beyond max_len 16"):
        model("learned")(tokens(length=17))
    with pytest.raises(ValueError, match="head_dim must be even"):
        GPT(GPTConfig(VOCAB, d_model=12, num_heads=4))(tokens())


# --- Llama


def llama(dtype: torch.dtype, **other: object) -> torch.nn.Module:
    """Return a transformers Llama with random weights, made offline."""
    from transformers import LlamaConfig, LlamaForCausalLM

    settings = {
        "vocab_size": 97, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3,
        "num_attention_heads": 6, "num_key_value_heads": 2, "max_position_embeddings": 64,
        "rms_norm_eps": 1e-5, "initializer_range": 0.2, "attn_implementation": "sdpa",
    }  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(7)
        return LlamaForCausalLM(LlamaConfig(**settings | other)).to(dtype).eval()


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-4), (torch.float64, 1e-5)])
@pytest.mark.parametrize(
    "other",
    [{}, {"num_key_value_heads": 6}, {"tie_word_embeddings": True},
     {"rope_parameters": {"rope_type": "default", "rope_theta": 500.0}}],
    ids=["grouped", "all heads", "tied", "theta"],
)  # fmt: skip
@torch.no_grad()
def test_logits_equal_transformers_llama(dtype: torch.dtype, tolerance: float, other: dict) -> None:
    theirs = llama(dtype, **other)
    ours = load_llama(theirs.state_dict(), theirs.config)
    batch = torch.randint(97, (2, 40), generator=seeded(1))
    expected = theirs(batch).logits
    assert ours(batch).dtype == dtype
    assert expected.std() > 0.1  # the comparison would be empty on logits near zero
    assert (ours(batch) - expected).abs().max() < tolerance

    real = attention_mask_of([25, 40], 40).long()
    padded = theirs(batch, attention_mask=real, position_ids=position_ids_of(real)).logits
    mine = ours(batch, attention_mask=real, position_ids=position_ids_of(real))
    assert (mine - padded)[real.bool()].abs().max() < tolerance


@torch.no_grad()
def test_the_comparison_with_llama_sees_a_wrong_model() -> None:
    theirs = llama(torch.float64)
    batch = torch.randint(97, (1, 40), generator=seeded(1))
    expected = theirs(batch).logits
    settings = theirs.config.to_dict()
    assert (load_llama(theirs.state_dict(), settings)(batch) - expected).abs().max() < 1e-5
    for wrong in ({"rope_parameters": None, "rope_theta": 9000.0}, {"rms_norm_eps": 1e-2}):
        other = load_llama(theirs.state_dict(), settings | wrong)(batch)
        assert (other - expected).abs().max() > 1e-3


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"attention_bias": True}, "attention_bias"),
        ({"hidden_act": "gelu"}, "hidden_act"),
        ({"head_dim": 16}, "head_dim"),
        ({"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}}, "'linear'"),
    ],
)
def test_a_llama_of_another_shape_is_refused(other: dict, words: str) -> None:
    settings = llama(torch.float32).config.to_dict() | other
    with pytest.raises(ValueError, match=words):
        config_from_llama(settings)


def test_weights_that_do_not_fit_are_refused_and_those_that_do_are_all_there() -> None:
    theirs = llama(torch.float32)
    weights = theirs.state_dict()
    ours = load_llama(weights, theirs.config).state_dict()
    assert ours.keys() == {name.removeprefix("model.") for name in weights}
    assert all(torch.equal(ours[name.removeprefix("model.")], weights[name]) for name in weights)
    with pytest.raises(ValueError, match="do not fit"):
        load_llama(weights, theirs.config.to_dict() | {"intermediate_size": 81})

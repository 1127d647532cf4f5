"""Weights from elsewhere: a transformers Llama of the same shape, without importing transformers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from sharedstate.model.gpt import GPT, GPTConfig

# What a Llama may be asked for and this model does not have, with the value that means "not asked for".
UNSUPPORTED = (("attention_bias", False), ("mlp_bias", False), ("hidden_act", "silu"))


def config_from_llama(config: object) -> GPTConfig:
    """Translate a LlamaConfig, or the mapping in its config.json, to a GPTConfig.

    Raises ValueError, naming the setting, for a Llama with biases, scaled RoPE, another activation or a
    head_dim other than hidden_size / num_attention_heads.
    """
    settings = dict(config) if isinstance(config, Mapping) else dict(vars(config))
    _refuse_what_differs(settings)
    return GPTConfig(
        vocab_size=settings["vocab_size"],
        num_layers=settings["num_hidden_layers"],
        d_model=settings["hidden_size"],
        num_heads=settings["num_attention_heads"],
        num_kv_heads=settings.get("num_key_value_heads") or 0,
        d_hidden=settings["intermediate_size"],
        max_len=settings["max_position_embeddings"],
        rope_theta=_rope(settings).get("rope_theta") or settings.get("rope_theta") or 10000.0,
        norm_eps=settings["rms_norm_eps"],
    )


def load_llama(state_dict: Mapping[str, Tensor], config: object) -> GPT:
    """Return a GPT with the weights of a transformers LlamaForCausalLM, in their dtype.

    `config` is its LlamaConfig or the mapping in its config.json. An output layer tied to the embedding is
    copied. Raises ValueError for a shape that this model does not have (see config_from_llama).
    """
    weights = {name.removeprefix("model."): tensor for name, tensor in state_dict.items()}
    weights = {name: tensor for name, tensor in weights.items() if "rotary_emb" not in name}
    weights.setdefault("lm_head.weight", weights["embed_tokens.weight"])
    model = GPT(config_from_llama(config)).to(weights["embed_tokens.weight"].dtype)
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise ValueError(f"The weights do not fit the configuration: {error}") from None
    return model


def _rope(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    return settings.get("rope_parameters") or settings.get("rope_scaling") or {}


def _refuse_what_differs(settings: Mapping[str, Any]) -> None:
    """Raise ValueError for what would load, run, and be silently wrong."""
    for name, plain in UNSUPPORTED:
        if settings.get(name, plain) != plain:
            raise ValueError(f"{name} is {settings[name]!r}: only {plain!r} is supported.")
    kind = _rope(settings).get("rope_type", _rope(settings).get("type", "default"))
    if kind != "default":
        raise ValueError(f"RoPE of type {kind!r} is not supported: only the default kind is.")
    usual = settings["hidden_size"] // settings["num_attention_heads"]
    if (settings.get("head_dim") or usual) != usual:
        raise ValueError(f"head_dim is {settings['head_dim']}: only hidden_size / heads = {usual} fits.")

"""A small transformer that a learner can read: attention, masks, windows, training, trained checkpoints."""

from __future__ import annotations

from sharedstate.model.attention import (
    MultiHeadAttention,
    attention,
    attention_weights,
    merge_heads,
    split_heads,
)
from sharedstate.model.corpus import Characters, known_words, night_market, split, word_share
from sharedstate.model.gpt import GPT, Block, GPTConfig
from sharedstate.model.layers import RMSNorm, SwiGLU, seeded
from sharedstate.model.llama import config_from_llama, load_llama
from sharedstate.model.masks import (
    attention_mask_of,
    causal_mask,
    combine,
    empty_rows,
    full_mask,
    open_empty_rows,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)
from sharedstate.model.positions import apply_rope, position_ids_of, rope_tables
from sharedstate.model.training import (
    History,
    evaluate,
    generate,
    iid_batches,
    last_position_loss,
    next_token_loss,
    text_batches,
    train,
)
from sharedstate.model.windows import (
    SEGate,
    axial_attention,
    cyclic_shift,
    region_mask,
    self_attention,
    window_attention,
    window_partition,
    window_reverse,
)

__all__ = [
    "GPT",
    "Block",
    "Characters",
    "GPTConfig",
    "History",
    "MultiHeadAttention",
    "RMSNorm",
    "SEGate",
    "SwiGLU",
    "apply_rope",
    "attention",
    "attention_mask_of",
    "attention_weights",
    "axial_attention",
    "causal_mask",
    "combine",
    "config_from_llama",
    "cyclic_shift",
    "empty_rows",
    "evaluate",
    "full_mask",
    "generate",
    "iid_batches",
    "known_words",
    "last_position_loss",
    "load_llama",
    "merge_heads",
    "next_token_loss",
    "night_market",
    "open_empty_rows",
    "padding_mask",
    "position_ids_of",
    "prefix_mask",
    "region_mask",
    "rope_tables",
    "seeded",
    "self_attention",
    "sliding_window_mask",
    "split",
    "split_heads",
    "text_batches",
    "train",
    "window_attention",
    "window_partition",
    "window_reverse",
    "word_share",
]

"""The peak of what is alive at one moment: exact on what can be counted by hand."""

from __future__ import annotations

import torch

from sharedstate.kvcache.activations import peak_bytes
from sharedstate.model import GPT, GPTConfig


def test_what_lives_together_is_added_and_what_has_died_is_not() -> None:
    x = torch.ones(1000)  # 4,000 bytes, there before

    def one_after_the_other() -> None:
        for _ in range(5):
            x + 1

    def together() -> None:
        kept = [x + n for n in range(5)]
        kept.clear()
        x + 1

    assert peak_bytes(one_after_the_other) == 4000
    assert peak_bytes(together) == 20_000
    assert peak_bytes(lambda: x.view(10, 100).mul_(1)) == 0  # a view, and in place
    assert peak_bytes(lambda: (x + 1).view(10, 100) @ torch.ones(100, 10)) == 4000 + 4000 + 400


def test_the_scores_of_a_prefill_grow_with_the_square_of_its_length() -> None:
    net = GPT(GPTConfig(vocab_size=16, num_layers=2, d_model=32, num_heads=8, max_len=512))

    def peak(length: int) -> int:
        return peak_bytes(lambda: net(torch.zeros(1, length, dtype=torch.long)))

    short, long = peak(128), peak(512)
    assert 4 * 8 * 512**2 < long < 2 * 4 * 8 * 512**2
    assert 4 < long / short < 16
    assert peak(128) == short

"""One thread of torch in these tests, small models, and what every test of a cache compares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from sharedstate.kvcache import SlotCache
from sharedstate.model import GPT, GPTConfig


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Compute on one thread, and put the number back."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny() -> GPT:
    """A model in float64, small enough to compare everything with everything."""
    return GPT(GPTConfig(vocab_size=12, d_model=16, num_heads=4, num_kv_heads=2), seed=0).double()


@pytest.fixture
def cache() -> SlotCache:
    """Three slots of eight tokens, two layers, two heads of four."""
    return SlotCache(3, 8, 2, 2, 4)

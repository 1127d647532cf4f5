"""A small model, mixed requests, and engines that remember their logits."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from sharedstate.model import GPT, GPTConfig

sys.path.insert(0, str(Path(__file__).parent))  # playing, for several test files

SMALL = GPTConfig(61, 2, 32, 4, 2, 64, 512)


@pytest.fixture(scope="session")
def model() -> GPT:
    """A model of random weights, fp32."""
    return GPT(SMALL, seed=3)


@pytest.fixture(autouse=True)
def one_thread() -> object:
    """One thread while a test runs: two of them wait for each other where others work too."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)

"""The programs are a module of their own, beside this file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))  # racy_programs


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """These models are small: a second thread of torch only waits."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)

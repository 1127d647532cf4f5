"""my-labs/ in a temporary folder, for every test of the drills."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def my_labs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the learner's folder of one test."""
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(tmp_path / "my-labs"))
    return tmp_path / "my-labs"

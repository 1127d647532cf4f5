"""A tiny lesson with one bug, and a table for it: the machinery is tested on known answers."""

from __future__ import annotations

from pathlib import Path

import pytest

UNIT = "77_tiny"
LESSON = '''\
# %% [markdown] tags=["core"]
# Not code, even when it looks so: `boom()`.

# %% tags=["core", "setup"]
import dataclasses

# %% tags=["core"]
raise RuntimeError("a cell without a tag is not run")

# %% tags=["core", "fault:lost-update", "deeper"]
@dataclasses.dataclass
class Counter:
    value: int = 0

    def bump(self, seen):
        self.value = seen + 1

# %% tags=["setup"]
def two_bumps(counter):
    seen = counter.value
    counter.bump(seen)
    counter.bump(seen)
    return counter.value

# %% tags=["fix:lost-update"]
class Fixed(Counter):
    def bump(self, seen):
        self.value += 1
'''


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The lesson's file, in a temporary checkout of its own."""
    path = tmp_path / "course" / UNIT / "lesson.py"
    path.parent.mkdir(parents=True)
    path.write_text(LESSON, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    return path

"""A tiny course in a temporary folder: one unit, one lesson, one lab, two modules."""

from __future__ import annotations

from pathlib import Path

import pytest

LESSON = '''\
# %% [markdown] tags=["core"]
# ## A board

# %% tags=["core", "setup"]
from sharedstate import board

# %% tags=["core", "stable"]
print(board.message())
board.message().upper()

# %% tags=["core", "measured"]
import time
time.perf_counter_ns()

# %% tags=["core", "stable", "raises-exception"]
1 / 0
'''

LAB = '''\
# %% [markdown] tags=["exercise:77.1"]
# ## 77.1 Add

# %% tags=["exercise:77.1"]
def add(a, b):
    """Return the sum."""
    ### BEGIN SOLUTION
    total = a + b
    return total
    ### END SOLUTION

# %%
assert add(2, 3) == 5, "not solved"
### BEGIN HIDDEN TESTS
assert add(-1, 1) == 0
### END HIDDEN TESTS
'''

FILES = {
    "course/77_tiny/lesson.py": LESSON,
    "course/77_tiny/lab.py": LAB,
    "course/77_tiny/exercises/1_add/check.py": "from sharedstate import judged\n",
    "course/77_tiny/exercises/shared.py": "SHARED = 1\n",
    "pyproject.toml": "",
    "requirements.lock": "numpy==2.4.6\n",
    "src/sharedstate/__init__.py": "",
    "src/sharedstate/board.py": "def message():\n    from . import words\n    return words.HELLO\n",
    "src/sharedstate/words.py": "HELLO = 'hello'\n",
    "src/sharedstate/judged.py": "RIGHT = 1\n",
    "src/sharedstate/unused.py": "NOTHING = 0\n",
}


def make_course(home: Path) -> Path:
    """Write the tiny course into `home` and return it."""
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh tiny course which the package takes for its checkout."""
    home = make_course(tmp_path / "home")
    monkeypatch.setenv("SHAREDSTATE_HOME", str(home))
    return home

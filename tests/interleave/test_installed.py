"""A package that is installed is one step, or is followed where the scenario asks for it."""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from sharedstate.interleave import Scenario
from sharedstate.interleave.source import lookup

PACKAGE = '''
"""A cache of a few entries, as many packages have one."""

class Cache(dict):
    def __init__(self, most):
        super().__init__()
        self.most, self.order = most, []

    def keep(self, key, make):
        if key in self:
            return self[key]
        if len(self.order) >= self.most:
            del self[self.order.pop(0)]
        self.order.append(key)
        self[key] = make(key)
        return self[key]
'''


@pytest.fixture
def kept(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A small package among the installed ones."""
    folder = tmp_path / "site-packages" / "kept_things"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(lookup, "LIBRARIES", (*lookup.LIBRARIES, os.path.realpath(tmp_path) + os.sep))
    yield importlib.import_module("kept_things")
    del sys.modules["kept_things"]


def scenario(kept: ModuleType, **options: object) -> Scenario:
    """Two threads ask for the same key; it must be made once."""
    return Scenario(
        setup=lambda: (kept.Cache(2), []),
        threads={name: lambda s: s[0].keep("k", lambda key: s[1].append(key)) for name in ("ann", "ben")},
        never=lambda s, answers: len(s[1]) > 1,
        **options,
    )


def test_an_installed_package_is_one_step_and_said_to_be(kept: ModuleType) -> None:
    result = scenario(kept).explore(witness=False)
    assert result.verdict == "proved if"
    assert any("Cache.keep" in sentence for sentence in result.assumptions)


@pytest.mark.parametrize("name", ["kept_things", "kept-things"])
def test_an_installed_package_is_followed(kept: ModuleType, name: str) -> None:
    result = scenario(kept, follow=[name]).explore()
    assert result.verdict == "broken"
    assert not result.assumptions

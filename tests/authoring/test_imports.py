"""The import walk reaches what runs, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharedstate.authoring.imports import reachable

MODULES = {
    "__init__.py": "",
    "a/__init__.py": "from .one import f\n",
    "a/one.py": "def f():\n    from ..b import deep\n",
    "a/two.py": "",
    "b/__init__.py": "",
    "b/deep.py": "ARGS = ['-m', 'sharedstate.c.worker']\n",
    "c/__init__.py": "",
    "c/worker.py": "",
    "c/record.json": "{}",
    "lazy/__init__.py": "from importlib import import_module\ndef get(n):\n    import_module('.' + n)\n",
    "lazy/x.py": "",
    "named/__init__.py": "import importlib\nM = importlib.import_module('.y', __package__)\n",
    "named/y.py": "",
    "named/z.py": "",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that holds a package `sharedstate` of these modules."""
    for name, text in MODULES.items():
        path = tmp_path / "sharedstate" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def reached(source: str, home: Path) -> set[str]:
    """Return the reached files, relative to the package."""
    return {path.relative_to(home / "sharedstate").as_posix() for path in reachable(source, home)}


def test_lazy_imports_parents_and_child_processes_count(home: Path) -> None:
    found = reached("from sharedstate.a import f", home)
    assert found == {
        "__init__.py", "a/__init__.py", "a/one.py", "b/__init__.py", "b/deep.py",
        "c/__init__.py", "c/worker.py", "c/record.json",
    }


def test_an_import_by_a_computed_name_reaches_the_whole_package(home: Path) -> None:
    assert reached("import sharedstate.lazy", home) == {"__init__.py", "lazy/__init__.py", "lazy/x.py"}


def test_an_import_by_a_constant_name_reaches_that_module(home: Path) -> None:
    assert reached("import sharedstate.named", home) == {"__init__.py", "named/__init__.py", "named/y.py"}


def test_other_packages_are_left_alone(home: Path) -> None:
    assert reached("import json, numpy\nfrom os import path", home) == set()

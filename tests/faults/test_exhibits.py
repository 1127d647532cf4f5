"""The two libraries of unit 11: with the extra and without it, the cell says what a shared cache does."""

from __future__ import annotations

import sys

import pytest

from sharedstate import paths
from sharedstate.percent import code_cells


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    """Run the set-up cells of the lesson and the cell about the cache; return what it prints."""
    cells = code_cells((paths.units()["11_in_the_wild"] / "lesson.py").read_text(encoding="utf-8"))
    names: dict[str, object] = {"__name__": "exhibit"}
    for cell in cells:
        if "setup" in cell.tags or "kind = library()" in cell.source:
            exec(compile(cell.source, f"<cell {cell.number}>", "exec"), names)
    return capsys.readouterr().out


def test_without_the_extra_it_says_what_it_would_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    said = shown(capsys)
    assert "not installed" in said and "peers" in said and "[10, 11, 20]" in said


@pytest.mark.exhaustive  # the import alone takes seconds
def test_with_the_extra_the_second_request_reads_the_firsts_keys(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("transformers")
    one, each = shown(capsys).splitlines()
    assert "LEAK" in one and "alone: [20]   after: [10, 11, 20]" in one
    assert "isolated" in each and "alone: [20]   after: [20]" in each

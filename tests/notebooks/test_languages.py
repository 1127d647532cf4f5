"""A translation says the same: the same cells, the same code but for its words, the same numbers; and it runs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from sharedstate import paths
from sharedstate.authoring import Executions
from sharedstate.authoring.documents import Document
from sharedstate.percent import Block, blocks

from tests.notebooks.conftest import execution, of_kind

LANGUAGE = "zh-CN"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
NUMBER = re.compile(r"(?<![a-zA-Z\d.])\d[\d,.]*\d(?![a-zA-Z])")
SOURCES = sorted(paths.course().glob(f"*/{LANGUAGE}/*.py"))
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda p: f"{p.parents[1].name}-{p.stem}")
executed = [*of_kind("lesson", LANGUAGE), *of_kind("lab", LANGUAGE), *of_kind("solution", LANGUAGE)]


def pairs(source: Path) -> list[tuple[Block, Block]]:
    """Return (English cell, translated cell) for a source."""
    english = source.parents[1] / source.name
    both = [list(blocks(path.read_text(encoding="utf-8"))) for path in (english, source)]
    assert [block.heading for block in both[0]] == [block.heading for block in both[1]]
    return list(zip(*both, strict=True))


def code(text: str, other: str = "") -> str:
    """Return code without comments; a string that is translated in the other text, and a door's language, are blank."""
    tree = ast.parse(text)
    words = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    theirs = [node for node in ast.walk(ast.parse(other)) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for mine, their in zip(words, theirs, strict=True):
        if CHINESE.search(mine.value) or CHINESE.search(their.value):
            mine.value = ""
    return ast.dump(tree)


@each_source
def test_code_is_the_same_but_for_its_words(source: Path) -> None:
    for english, translated in pairs(source):
        if not english.heading.startswith("[markdown]"):
            ours = translated.source.replace(f', "{LANGUAGE}")', ")")
            assert code(ours, english.source) == code(english.source, ours), english.source


@each_source
def test_prose_is_translated_and_its_numbers_and_code_are_the_same(source: Path) -> None:
    for english, translated in pairs(source):
        if english.heading.startswith("[markdown]"):
            assert CHINESE.search(translated.source), translated.source
            numbers, spans = (
                [Counter(pattern.findall(one.source)) for one in (english, translated)]
                for pattern in (NUMBER, re.compile(r"`[^`]+`"))
            )
            assert spans[0] == spans[1], spans[0] - spans[1] or spans[1] - spans[0]
            differ = set((numbers[0] - numbers[1]) + (numbers[1] - numbers[0]))
            assert not differ, english.source


@pytest.mark.notebook
@pytest.mark.exhaustive
@pytest.mark.parametrize("document", executed)
def test_it_runs_through(document: Document, executions: Executions) -> None:
    assert execution(document, executions).fault is None


def test_a_slip_in_a_translation_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "01_x" / LANGUAGE
    folder.mkdir(parents=True)
    (tmp_path / "01_x" / "lesson.py").write_text("# %% [markdown]\n# There are 252 orders of `f`.\n\n# %%\nf(1)\n")
    for prose, line, wrong in (("有 253 种 `f`。", "f(1)", "prose"), ("有 252 种。", "f(1)", "prose"), ("有 252 种 `f`。", "f(2)", "code")):
        source = folder / "lesson.py"
        source.write_text(f"# %% [markdown]\n# {prose}\n\n# %%\n{line}\n", encoding="utf-8")
        for name, test in (("prose", test_prose_is_translated_and_its_numbers_and_code_are_the_same),
                           ("code", test_code_is_the_same_but_for_its_words)):
            if name == wrong:
                with pytest.raises(AssertionError):
                    test(source)
            else:
                test(source)

"""The foot of a notebook, and the outputs that stay folded until the learner has chosen."""

from __future__ import annotations

from pathlib import Path

import nbformat.v4 as v4
import pytest

from sharedstate.authoring.answers import fold_answers
from sharedstate.authoring.documents import documents
from sharedstate.authoring.foot import foot


@pytest.fixture
def three(course: Path) -> Path:
    """The tiny course with a unit before it and one after it; neither has a lab."""
    for unit, title in (("76_before", "76 · Before"), ("78_after", "78 · After")):
        (course / "course" / unit).mkdir()
        (course / "course" / unit / "lesson.py").write_text(f"# %% [markdown]\n# # {title}\n", encoding="utf-8")
    return course


def test_every_notebook_leads_back_on_and_across(three: Path) -> None:
    lesson, lab, solution = (foot(document) for document in documents(three, ["77_tiny"]))
    assert lesson == ("← [76 · Before](76_before.ipynb) | [Lab 77](../labs/lab_77_tiny.ipynb)"
                      " | [78 · After](78_after.ipynb) →")
    assert lab == solution == "← [77 tiny](../notebooks/77_tiny.ipynb) | [78 · After](../notebooks/78_after.ipynb) →"
    first, last = (foot(document) for document in documents(three, ["76_before", "78_after"]))
    assert first == "[77 tiny](77_tiny.ipynb) →" and last == "← [77 tiny](77_tiny.ipynb)"


def test_a_translation_leads_to_translations(three: Path) -> None:
    for unit in ("77_tiny", "78_after"):
        (three / "course" / unit / "zh-CN").mkdir()
        (three / "course" / unit / "zh-CN" / "lesson.py").write_text("# %% [markdown]\n# # 白板\n", encoding="utf-8")
    (found,) = (document for document in documents(three, ["77_tiny"]) if document.language)
    assert foot(found) == "[白板](78_after.ipynb) →"


def test_what_answers_a_question_is_folded_and_nothing_else() -> None:
    sources = ("1", 'predict("00.a", "?", {})', "run()", 'print(2)\nreveal("00.a", truth="a")', "3")
    book = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    fold_answers(book)
    folded = [cell.metadata.get("jupyter", {}).get("outputs_hidden", False) for cell in book.cells]
    assert folded == [False, False, True, True, False]


def test_two_questions_at_once_are_both_waited_for() -> None:
    sources = ('predict("a", "?", {})', 'predict("b", "?", {})', 'reveal("a", truth="a")', "1",
               'reveal("b", truth="a")', "2")
    book = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    fold_answers(book)
    assert ["jupyter" in cell.metadata for cell in book.cells] == [False, True, True, True, True, False]

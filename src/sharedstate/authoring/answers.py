"""Stored outputs do not answer a question that stands above them: they are folded until the learner runs the cells."""

from __future__ import annotations

import re
from typing import Any

ASKED = re.compile(r"^\s*predict\(\s*\"([^\"]+)\"", re.MULTILINE)
TOLD = re.compile(r"^\s*reveal\(\s*\"([^\"]+)\"", re.MULTILINE)


def fold_answers(book: Any) -> None:
    """Fold the outputs of every code cell from a `predict` to its `reveal`, the latter's included.

    JupyterLab shows three dots in their place, which unfold by a click, and unfolds them when the cell is run.
    """
    asked: set[str] = set()
    for cell in book.cells:
        if cell.cell_type != "code":
            continue
        if asked or TOLD.search(cell.source):
            cell.metadata["jupyter"] = {"outputs_hidden": True}
        asked |= set(ASKED.findall(cell.source))
        asked -= set(TOLD.findall(cell.source))

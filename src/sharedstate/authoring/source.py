"""From a percent-format source to a clean notebook: stable ids, fixed metadata, solutions split from labs."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from typing import Any

from sharedstate.authoring.answers import fold_answers
from sharedstate.authoring.documents import Document
from sharedstate.authoring.foot import TAG, foot

STUB = "# your code here"
STUB_HINT = " (without its solution: leave a docstring or `answer = ...` outside)"
MARKERS = ("### BEGIN SOLUTION", "### END SOLUTION", "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS")
MAGIC = ("%", "!", "?")
JUPYTEXT_KEYS = ("lines_to_next_cell", "lines_to_end_of_cell_marker")


@dataclass(frozen=True)
class Problem:
    """One finding: `path` (relative to the checkout), `what` is wrong there, `remedy` to type or do."""

    path: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}\n    {self.remedy}"


class AuthoringError(Exception):
    """A source that cannot be turned into a notebook; its text says which line or cell and what to do."""


def notebook(document: Document) -> Any:
    """Return the document's notebook without outputs (a NotebookNode), as it must stand in the built folder.

    Raises AuthoringError when the source cannot be read or its solution markers do not match.
    """
    import jupytext
    import nbformat

    try:
        book = jupytext.read(document.source, fmt="py:percent")
        if document.kind == "lab":
            book = clear(book)
    except (RuntimeError, SyntaxError, UnicodeDecodeError) as error:
        raise AuthoringError(f"{document.source.name} cannot be read: {error}") from error
    if document.kind == "solution":
        book = unmark(book)
    if document.kind == "lesson":
        fold_answers(book)
    if links := foot(document):
        book.cells.append(nbformat.v4.new_markdown_cell(links, metadata={"tags": ["core", TAG]}))
    for number, cell in enumerate(book.cells, 1):
        if cell.cell_type == "code":
            _parse(document, number, cell.source)
    return finish(book, document)


def _parse(document: Document, number: int, text: str) -> None:
    """Raise AuthoringError, which says how to put it right, when a code cell is not Python."""
    try:
        ast.parse(python_of(text))
    except SyntaxError as error:
        hint = STUB_HINT if document.kind == "lab" else ""
        raise AuthoringError(
            f"{document.source.name}, cell {number}, line {error.lineno} is not Python{hint}: {error.msg}"
        ) from error


def python_of(text: str) -> str:
    """Return a cell's text with the lines that only IPython understands turned into comments."""
    return "\n".join("# " + line if line.lstrip().startswith(MAGIC) else line for line in text.split("\n"))


def clear(book: Any) -> Any:
    """Return the notebook without solutions and hidden tests (nbgrader's preprocessors do it).

    Raises RuntimeError for markers without a partner.
    """
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

    stubs = {"code_stub": {"python": STUB}, "text_stub": "*Your answer here.*"}
    solutions = ClearSolutions(enforce_metadata=False, **stubs)
    book, _ = solutions.preprocess(book, {})
    book, _ = ClearHiddenTests(enforce_metadata=False).preprocess(book, {})
    return book


def unmark(book: Any) -> Any:
    """Drop the marker lines and keep what stands between them: the solved lab as a person would write it."""
    for cell in book.cells:
        kept = [line for line in cell.source.split("\n") if line.strip() not in MARKERS]
        cell.source = "\n".join(kept)
    return book


def finish(book: Any, document: Document) -> Any:
    """Set what must not depend on who builds: metadata, format version, cell ids, no outputs."""
    import nbformat

    book.metadata = nbformat.from_dict(metadata(document))
    book.nbformat, book.nbformat_minor = 4, 5
    for position, cell in enumerate(book.cells):
        for key in JUPYTEXT_KEYS:
            cell.metadata.pop(key, None)
        cell["id"] = cell_id(position, cell.cell_type, cell.source)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return book


def cell_id(position: int, kind: str, source: str) -> str:
    """Return 12 hexadecimal digits that depend on the cell's place and text alone."""
    return hashlib.sha256(f"{position}\0{kind}\0{source}".encode()).hexdigest()[:12]


def metadata(document: Document) -> dict[str, Any]:
    """Return the notebook's metadata; without a kernelspec JupyterLab opens a modal dialog."""
    return {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {
            "codemirror_mode": {"name": "ipython", "version": 3},
            "file_extension": ".py", "mimetype": "text/x-python",
            "name": "python", "nbconvert_exporter": "python", "pygments_lexer": "ipython3",
        },
        "sharedstate": {"unit": document.unit, "kind": document.kind},
    }


def text_of(book: Any) -> str:
    """Return the notebook as the text of its file (sorted keys, a newline at the end)."""
    import nbformat

    return nbformat.writes(book, version=nbformat.NO_CONVERT) + "\n"

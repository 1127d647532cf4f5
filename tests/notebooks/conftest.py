"""One execution of every notebook for the whole session, shared with `build --check`."""

from __future__ import annotations

from typing import Any

import pytest

from sharedstate import paths
from sharedstate.authoring import Executions
from sharedstate.authoring.build import planned
from sharedstate.authoring.documents import Document, documents
from sharedstate.authoring.execute import Execution


def of_kind(kind: str, language: str = "") -> list[Any]:
    """The course's documents of one kind (lesson, lab, solution) in one language as test parameters."""
    found = documents(paths.root(), paths.units())
    return [pytest.param(d, id=d.name) for d in found if d.kind == kind and d.language == language]


@pytest.fixture(scope="session")
def executions() -> Executions:
    """What the run of the tests has executed so far."""
    return Executions(paths.root())


def execution(document: Document, executions: Executions) -> Execution:
    """Return the document's execution; a lab has no stored hash and is known by its name."""
    book = planned(document, executions.home)
    return executions.run(document.name, book.metadata["sharedstate"].get("hash", ""), book)

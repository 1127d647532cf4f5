"""The build itself: write what changed, or (check) list what differs from the sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sharedstate import paths
from sharedstate.authoring import compare, source
from sharedstate.authoring.documents import Document, documents, orphans
from sharedstate.authoring.execute import Executions
from sharedstate.authoring.fingerprint import fingerprint
from sharedstate.authoring.source import AuthoringError, Problem


def build(
    units: Iterable[str] = (),
    check: bool = False,
    *,
    tell: Callable[[str], None] = print,
    executions: Executions | None = None,
) -> list[Problem]:
    """Build the units' notebooks (none named: all), or with `check` compare them with their sources.

    `units` are words such as "01" or "01_passcode_race"; `tell` gets one line of progress at a time;
    `executions` shares executed notebooks with other callers. Returns the problems, [] when all is well.
    Raises ValueError for an unknown unit.
    """
    home = paths.root()
    names = [paths.resolve_unit(word) for word in units] or list(paths.units())
    executions = executions or Executions(home, tell)
    work = _check if check else _write
    # Labs first: a lesson's last cell copies its lab.
    chosen = sorted(documents(home, dict.fromkeys(names)), key=lambda document: document.executed)
    return [problem for document in chosen for problem in work(document, executions, tell)] + _orphans(home)


def planned(document: Document, home: Path) -> Any:
    """Return the notebook as its source wants it, without outputs but with the hash that belongs to it."""
    book = source.notebook(document)
    if document.executed:
        book.metadata["sharedstate"]["hash"] = fingerprint(book, home)
    return book


def _executed(document: Document, wanted: Any, executions: Executions) -> tuple[Any, list[Problem]]:
    """Return the executed notebook and, if a cell failed, the problem."""
    done = executions.run(document.name, wanted.metadata["sharedstate"]["hash"], wanted)
    return done.book, [compare.fault_problem(document, done)] if done.fault else []


def _write(document: Document, executions: Executions, tell: Callable[[str], None]) -> list[Problem]:
    """Write the notebook unless what is stored is right already; a failed execution writes nothing."""
    try:
        wanted = planned(document, executions.home)
        stored = compare.load(document)
        if stored is not None and not compare.differences(document, stored, wanted):
            tell(f"keep  {document.name}")
            return []
        problems: list[Problem] = []
        if document.executed:
            wanted, problems = _executed(document, wanted, executions)
    except AuthoringError as error:
        return [compare.source_problem(document, error)]
    if not problems:
        _replace(document.target, source.text_of(wanted))
        tell(f"wrote {document.name}")
    return problems


def _check(document: Document, executions: Executions, tell: Callable[[str], None]) -> list[Problem]:
    """List what differs: sources, ids, stored hash, shape of the outputs, text of stable cells."""
    try:
        wanted = planned(document, executions.home)
        stored = compare.load(document)
        problems = compare.differences(document, stored, wanted)
        if document.executed:
            fresh, failed = _executed(document, wanted, executions)
            problems += failed or compare.stable_differences(document, stored, fresh)
    except AuthoringError as error:
        return [compare.source_problem(document, error)]
    tell(f"{'PROBLEM' if problems else 'ok   '} {document.name}")
    return problems


def _replace(target: Path, text: str) -> None:
    """Write the file whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(f".{os.getpid()}.part")
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def _orphans(home: Path) -> list[Problem]:
    """Report built notebooks whose source is gone."""
    return [
        Problem(path.relative_to(home).as_posix(), "no source in course/ builds this notebook",
                "Delete it, or put its source back.")
        for path in orphans(home, documents(home, paths.units()))
    ]

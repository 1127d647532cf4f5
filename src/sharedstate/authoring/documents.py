"""Which file of course/ becomes which notebook."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sharedstate.paths import LANGUAGES, notebook_name

PARTS = (("lesson.py", "lesson", "notebooks"), ("lab.py", "lab", "labs"), ("lab.py", "solution", "solutions"))
FOLDERS = tuple(folder for _, _, folder in PARTS)


@dataclass(frozen=True)
class Document:
    """One notebook to build: `kind` is lesson, lab or solution; `source` and `target` are absolute paths."""

    unit: str
    language: str
    kind: str
    source: Path
    target: Path

    @property
    def executed(self) -> bool:
        """True when the built notebook carries outputs (lessons and solutions do, labs do not)."""
        return self.kind != "lab"

    @property
    def name(self) -> str:
        """Return the notebook's path as a reader types it: notebooks/01_passcode_race.ipynb."""
        depth = 3 if self.language else 2
        return "/".join(self.target.parts[-depth:])


def documents(home: Path, units: Iterable[str]) -> tuple[Document, ...]:
    """Return the documents of these units (full names) for which a source exists, in unit order."""
    found = []
    for unit in units:
        for language in LANGUAGES:
            for file_name, kind, folder in PARTS:
                source = home / "course" / unit / language / file_name
                target = home / folder / language / notebook_name(unit, kind)
                if source.is_file():
                    found.append(Document(unit, language, kind, source, target))
    return tuple(found)


def orphans(home: Path, known: Iterable[Document]) -> tuple[Path, ...]:
    """Return the notebooks in the three built folders for which no source exists any more."""
    targets = {document.target for document in known}
    built = [path for folder in FOLDERS for path in sorted((home / folder).rglob("*.ipynb"))]
    return tuple(path for path in built if path not in targets and ".ipynb_checkpoints" not in path.parts)

"""The learner's own copies of the labs: start one, reset one, and say where a copy belongs."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from . import paths
from .checks.lab import show, warn_when_hidden
from .files import free_name


class WorkspaceError(RuntimeError):
    """A lab cannot be copied; the message says what to do."""


def lab_source(unit: str, language: str = "") -> Path:
    """Return labs/lab_<unit>.ipynb; ValueError for an unknown unit, WorkspaceError when it has no lab (built).

    language: one of paths.LANGUAGES.
    """
    name = paths.resolve_unit(unit)
    labs = paths.root() / "labs"
    source = labs / language / paths.notebook_name(name, "lab")
    if source.is_file():
        return source
    if language and not (paths.units()[name] / language / "lab.py").exists():
        raise WorkspaceError(f"Unit {name} has no lab in {language}: leave the language out for the English one.")
    if not (paths.units()[name] / "lab.py").exists():
        raise WorkspaceError(_no_lab(name))
    missing = f"{source.name} is missing in labs/" if labs.is_dir() else "The folder labs/ is missing"
    remedy = f"`git checkout labs`, or `python run.py build {name[:2]}`"
    raise WorkspaceError(f"{missing}: get it back with {remedy}.")


def _no_lab(name: str) -> str:
    labs = [one for one, folder in paths.units().items() if (folder / "lab.py").exists()]
    return f"Unit {name} has no lab; read its lesson, notebooks/{name}.ipynb. Units with labs: {', '.join(labs)}."


def start(unit: str, language: str = "") -> Path:
    """Copy a unit's lab to my-labs/ and return the copy; one that exists is returned as it is, never touched.

    Raises ValueError for an unknown unit, WorkspaceError when there is no lab or no permission.
    """
    source, target = lab_source(unit, language), own_copy(unit, language)
    if not target.exists():
        _copy(source, target)
    return target


def own_copy(unit: str, language: str = "") -> Path:
    """Return where the learner's copy of a lab is, or would be: my-labs/lab_<unit>.ipynb, or in a language's folder.

    A copy from the time when labs were named like lessons is still the learner's copy. ValueError for an unknown unit.
    """
    name = paths.resolve_unit(unit)
    copy, older = (paths.my_labs() / language / paths.notebook_name(name, kind) for kind in ("lab", "lesson"))
    return older if older.exists() and not copy.exists() else copy


def copy_of(word: Path) -> Path:
    """Return the learner's copy of a lab that is named by its unit; any other path as it is.

    Raises ValueError for the number of no unit, WorkspaceError for a unit without a lab or whose lab was not started.
    """
    if word.exists() or word.suffix:
        return word
    try:
        name, copy = paths.resolve_unit(str(word)), own_copy(str(word))
    except ValueError:
        if str(word).isdigit():
            raise
        return word
    if not (paths.units()[name] / "lab.py").exists():
        raise WorkspaceError(_no_lab(name))
    if not copy.is_file():
        raise WorkspaceError(f"There is no my-labs/{copy.name} yet: `python run.py start {word}` makes it.")
    return copy


@dataclass(frozen=True)
class Door:
    """The way from a lesson to the learner's own copy of its lab: a link in a notebook, a line elsewhere."""

    name: str  # seen from my-labs/

    def __repr__(self) -> str:
        return f"Open my-labs/{self.name}"

    def _repr_markdown_(self) -> str:
        """A link as it leads from notebooks/, where the lessons lie; from a language's folder it is one more step."""
        return f"[{self!r}]({'../' * (1 + self.name.count('/'))}my-labs/{self.name})"


def door(unit: str, language: str = "") -> Door:
    """Start a lab as `start` does, with its errors; return the link to the copy."""
    return Door(f"{language}/{start(unit, language).name}".lstrip("/"))


def reset(unit: str, language: str = "") -> Path:
    """Begin a lab anew: the old copy goes to my-labs/backups/ with a date, a fresh one takes its place.

    Returns the fresh copy; `latest_backup(unit)` is where the old one lies. Raises what `start` raises.
    """
    source, target = lab_source(unit, language), own_copy(unit, language)
    if target.exists():
        named = paths.my_labs() / "backups" / f"{target.stem}-{datetime.now():%Y%m%d-%H%M%S}{target.suffix}"
        while not _copy(target, free_name(named)):
            continue  # another program took the name: the next one is free
        try:
            os.remove(target)
        except OSError as problem:
            raise _refused(target, problem) from None
    _copy(source, target)
    return target


def latest_backup(unit: str) -> Path | None:
    """Return the newest backup of a unit's lab, None when there is none."""
    name = paths.resolve_unit(unit)
    kept = (paths.my_labs() / "backups").glob(f"*{name}-*.ipynb")
    return max(kept, key=lambda path: path.stat().st_mtime_ns, default=None)


def location_notice(folder: Path | None = None, notebook: str | None = None) -> str:
    """Return a notice for a lab opened in labs/ itself, "" elsewhere; the learner's copy is made, if it can be.

    folder: the notebook's (the working directory); notebook: its file (as Jupyter tells it), if known.
    """
    here, labs = (folder or Path.cwd()).resolve(), (paths.root() / "labs").resolve()
    language = next((one for one in paths.LANGUAGES if here == labs / one), None)
    if language is None:
        return ""
    found = re.search(r"lab_(\d\d)_", Path(notebook or os.environ.get("JPY_SESSION_NAME", "")).name)
    unit = found[1] if found else "01"
    kept = "This is the course's own copy of the lab, which the next update replaces. "
    try:
        way = door(unit, language) if found else None
    except (WorkspaceError, ValueError):
        way = None
    if way is None:
        words = f"{unit} --language {language}" if language else unit
        return f"{kept}Your copy belongs in my-labs/, where no update touches it: `python run.py start {words}`."
    return f"{kept}Yours is ready, and no update touches it: **{way._repr_markdown_()}**."


def where_am_i() -> None:
    """Show the notice in a notebook, if there is one; from now on, say when a cell hides the check."""
    warn_when_hidden()
    try:
        notice = location_notice()
    except (paths.CheckoutNotFound, OSError):
        return
    if notice:
        show(_Notice(notice))


class _Notice(str):
    """A text that a notebook shows as Markdown."""

    def _repr_markdown_(self) -> str:
        return f"> {self}"


def _copy(source: Path, target: Path) -> bool:
    """Copy a file to where none is yet; False when one is there: never overwritten, not even in a race."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise _refused(target, problem) from None
    try:
        with open(source, "rb") as old, open(target, "xb") as new:
            shutil.copyfileobj(old, new)
    except FileExistsError:
        return False
    except OSError as problem:
        raise _refused(target, problem) from None
    return True


def _refused(target: Path, problem: OSError) -> WorkspaceError:
    said = f"{target} cannot be written ({problem.strerror}). Check the permissions, "
    return WorkspaceError(said + "or set SHAREDSTATE_MY_LABS to a folder of yours.")

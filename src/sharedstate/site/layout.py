"""Writes the sources that Sphinx reads: front page, units, documents, teacher's pages, API."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from sharedstate.site.boxes import FIRST_LEVELS, box_html, box_named, lesson_text, program
from sharedstate.site.lesson import levels_html, page, raw

HERE = Path(__file__).parent
FRONT, FIRST_BOX = "index", "checker"
# What the course's reader, and whoever uses it as a library, may import: a page for each.
PUBLIC = (
    "interleave", "game", "isolation", "influence", "passcodes", "model", "kvcache", "serving", "watch", "figures",
    "panels",
)  # fmt: skip
HEADING = re.compile(r"^# (?:\d\d · )?(?P<title>.+)$", re.MULTILINE)
MINUTES = re.compile(r"^\*(?P<minutes>\d+) minutes", re.MULTILINE)
PICTURES = (".png", ".svg", ".jpg")


def lay_out(home: Path, units: Sequence[str], source: Path, whole: bool = True) -> None:
    """Write everything for these units (full names) into the folder `source`, which is made anew.

    Unless the course is to be `whole`, only those packages get a page that the units import.
    """
    shutil.rmtree(source, ignore_errors=True)
    (source / "units").mkdir(parents=True)
    for unit in units:
        (source / "units" / f"{unit}.ipynb").write_text(page(home, unit, units), encoding="utf-8")
    documents = _documents(home / "docs", source / "docs")
    teaching = _documents(home / "teaching", source / "teaching")
    api = _api(source / "api", [name for name in PUBLIC if whole or _uses(home, units, name)])
    shutil.copy(HERE / "pages" / "run.md", source / "run.md")
    (source / f"{FRONT}.md").write_text(_front(home, units), encoding="utf-8")
    parts = {"units": ("Units", [f"units/{unit}" for unit in units]), "docs": ("Documents", ["run", *documents]),
             "teaching": ("For teachers", teaching), "api": ("The package", api)}  # fmt: skip
    with (source / f"{FRONT}.md").open("a", encoding="utf-8") as front:
        front.writelines(_toctree(title, pages) for title, pages in parts.values() if pages)


def _front(home: Path, units: Sequence[str]) -> str:
    """Return the front page: what this is, the first box, the first levels, and the syllabus."""
    box = box_named(FIRST_BOX)
    parts = {
        "box": raw(box_html(box, program(box, lesson_text(home, box.unit)), ""))["source"],
        "game": raw(levels_html(FIRST_LEVELS, ""))["source"],
        "syllabus": "\n".join(["| unit | minutes |", "|---|---|", *(_row(home, unit) for unit in units)]),
    }
    text = (HERE / "pages" / "front.md").read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"%{name}%", part)
    return text


def _row(home: Path, unit: str) -> str:
    """Return a unit's line of the syllabus: its title, and the minutes that its lesson names."""
    text = re.sub(r"^# ?", "", lesson_text(home, unit), flags=re.MULTILINE)  # what stands in comments is the prose
    title, minutes = HEADING.search(text), MINUTES.search(text)
    name = title["title"] if title else unit[3:].replace("_", " ")
    return f"| [{unit[:2]} · {name}](units/{unit}.ipynb) | {minutes['minutes'] if minutes else ''} |"


def _documents(folder: Path, target: Path) -> list[str]:
    """Copy a folder's Markdown and pictures; return the names of its pages, the glossary last."""
    if not folder.is_dir():
        return []
    pages = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".md" or path.suffix in PICTURES:
            copied = target / path.relative_to(folder)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copied)
            if path.suffix == ".md":
                pages.append(f"{target.name}/{path.relative_to(folder).with_suffix('').as_posix()}")
    return sorted(pages, key=lambda name: (name.endswith("/glossary"), not name.endswith("/README"), name))


def _uses(home: Path, units: Sequence[str], package: str) -> bool:
    """Say whether one of these lessons imports a package."""
    named = re.compile(rf"^from sharedstate(?:\.{package}\b| import .*\b{package}\b)", re.MULTILINE)
    return any(named.search(lesson_text(home, unit)) for unit in units)


def _api(target: Path, packages: Sequence[str]) -> list[str]:
    """Write a page for each package: what it says of itself, and what it exports."""
    target.mkdir()
    for name in packages:
        members = "\n".join(f"   {line}" for line in (":members:", ":imported-members:", ":exclude-members: set"))
        text = f"sharedstate.{name}\n{'=' * (len(name) + 12)}\n\n.. automodule:: sharedstate.{name}\n{members}\n"
        (target / f"{name}.rst").write_text(text, encoding="utf-8")
    return [f"api/{name}" for name in packages]


def _toctree(title: str, pages: Iterable[str]) -> str:
    """Return a table of contents that stands in the side bar only."""
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])

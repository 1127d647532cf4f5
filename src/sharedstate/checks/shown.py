"""Code that a lab shows, taken from the lab's own cell: what is judged is what the learner reads, never a copy."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from pathlib import Path

from .bank import code_cells

PSEUDO = "<lab "


def shown_source(check: str, name: str) -> str:
    """Return the source of a class or function that the lab defines. `check`: the check's own __file__.

    Read from the lab's cells outside the exercises' own. Raises ValueError when there is not exactly one.
    """
    lab = _lab(check)
    found = [ast.get_source_segment(text, node) or "" for tree, text in _cells(lab) for node in tree.body
             if getattr(node, "name", None) == name]
    if len(found) != 1:
        raise ValueError(f"{lab.parent.name}/lab.py shows {len(found)} definitions of {name}; one is wanted.")
    return found[0]


def shown_class(check: str, name: str, before: str = "", added: str = "") -> type:
    """Return a class that the lab shows, made anew from its cell; names that the lab's cells import are there.

    before, added: a line of it, and a statement to put before that line: the same class a day later.
    Raises ValueError when the lab shows no such class or line.
    """
    text = shown_source(check, name) + "\n"
    if before:
        text = _with_line(text, before, added)
    file = f"{PSEUDO}{_lab(check).parent.name[:2]}: {name}{' with a line more' if before else ''}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, object] = {"__name__": file}
    exec(_imports(check, text), space)
    exec(compile(text, file, "exec", dont_inherit=True), space)
    made = space[name]
    if not isinstance(made, type):
        raise ValueError(f"{name} in {_lab(check).parent.name}/lab.py is no class.")
    return made


def _lab(check: str) -> Path:
    """Return the lab of the unit that a check lies in: course/<unit>/exercises/<n>_<name>/check.py."""
    return Path(check).parents[2] / "lab.py"


def _cells(lab: Path) -> Iterator[tuple[ast.Module, str]]:
    """Yield (tree, text) of each code cell that is plain Python and no exercise's own."""
    for cell in code_cells(lab):
        if not any(tag.startswith("exercise:") for tag in cell.tags):
            try:
                yield ast.parse(cell.source), cell.source
            except SyntaxError:  # a cell with a magic
                continue


def _with_line(text: str, before: str, added: str) -> str:
    lines = text.splitlines(keepends=True)
    places = [n for n, line in enumerate(lines) if line.strip() == before]
    if len(places) != 1:
        raise ValueError(f"{len(places)} lines read {before!r}; one is wanted.")
    lines.insert(places[0], lines[places[0]].replace(before, added))
    return "".join(lines)


def _imports(check: str, text: str) -> str:
    """Return the lab's imports of those names that a text uses."""
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    kept = []
    for tree, _ in _cells(_lab(check)):
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in used]
                node.names = names
                kept += [ast.unparse(node)] if names else []
    return "\n".join(kept)

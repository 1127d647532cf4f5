"""Which modules of the package a source can reach: a walk over import statements; nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "sharedstate"


def reachable(source: str, package_home: Path) -> tuple[Path, ...]:
    """Return the files under `package_home` (it holds sharedstate/) which `source` can import, sorted.

    Imports inside functions count, and so does a string that is a module's full name (a child process
    started with `-m`). A module that imports by a computed name reaches every module of its package. Data
    files beside a reached module count too. Raises SyntaxError when `source` is not Python.
    """
    waiting = [name for name, _ in _named(ast.parse(source), "", False)]
    seen: dict[str, Path] = {}
    while waiting:
        for name in _with_parents(waiting.pop()):
            path = _file(name, package_home)
            if path is not None and name not in seen:
                seen[name] = path
                waiting.extend(_imports_of(name, path))
    return tuple(sorted({*seen.values(), *_data_files(seen)}))


def _imports_of(module: str, path: Path) -> Iterator[str]:
    """Yield every name (module, or attribute of one) that this module may import."""
    is_package = path.name == "__init__.py"
    package = module if is_package else module.rpartition(".")[0]
    for name, computed in _named(ast.parse(path.read_text(encoding="utf-8")), package, True):
        if computed:
            yield from (f"{package}.{p.stem}" for p in path.parent.glob("*.py") if p.stem != "__init__")
        else:
            yield name


def _named(tree: ast.AST, package: str, inside: bool) -> Iterator[tuple[str, bool]]:
    """Yield (dotted name, False) for what is named, ("", True) for an import by a computed name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, False) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            yield from ((f"{base}.{alias.name}", False) for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.startswith(f"{PACKAGE}."):
                yield node.value, False
        elif inside and isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
            name = str(node.args[0].value) if node.args and isinstance(node.args[0], ast.Constant) else None
            yield (f"{package}{name}", False) if name and name.startswith(".") else ("", name is None)


def _called(node: ast.Call) -> str:
    """Return the last part of the called name: importlib.import_module gives import_module."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _absolute(node: ast.ImportFrom, package: str) -> str:
    """Return the absolute name of the module in `from … import`, relative ones resolved against `package`."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _with_parents(name: str) -> list[str]:
    """Return the name and the packages around it: importing a.b.c runs a and a.b first."""
    parts = name.split(".")
    return [".".join(parts[: n + 1]) for n in range(len(parts))] if parts[0] == PACKAGE else []


def _file(name: str, package_home: Path) -> Path | None:
    """Return the module's file, or None when the name is not a module (an attribute, say)."""
    base = package_home.joinpath(*name.split("."))
    for path in (base / "__init__.py", base.with_name(base.name + ".py")):
        if path.is_file():
            return path
    return None


def _data_files(modules: dict[str, Path]) -> Iterator[Path]:
    """Yield recorded data and other files that lie in a reached module's folder."""
    for folder in {path.parent for path in modules.values()}:
        yield from (p for p in folder.iterdir() if p.is_file() and p.suffix not in (".py", ".pyc", ".pyi"))

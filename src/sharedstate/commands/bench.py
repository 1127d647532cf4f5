"""Benchmarks: benchmarks/<name>.py, each with `run()`, one flat object of figures and its `spread`."""

from __future__ import annotations

import ast
import importlib.util
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sharedstate import paths
from sharedstate.commands.talk import friendly, print_json


class BenchmarkError(RuntimeError):
    """A benchmark's result does not have the agreed form."""


def available() -> dict[str, str]:
    """Return {name: first line of its docstring} of every benchmark in the checkout."""
    return {path.stem: _title(path) for path in _scripts()}


def run(name: str) -> dict[str, Any]:
    """Run one benchmark and return its figures.

    Raises ValueError for a name that there is not, BenchmarkError when the result is not flat.
    """
    scripts = {path.stem: path for path in _scripts()}
    if name not in scripts:
        raise ValueError(f"No benchmark {name!r}. There are: {', '.join(scripts) or 'none'}.")
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", scripts[name])
    if spec is None or spec.loader is None:
        raise ValueError(f"{scripts[name]} cannot be loaded.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return checked(name, module.run())


def checked(name: str, figures: object) -> dict[str, Any]:
    """Return the figures when they are one flat object with a flat `spread`; raise BenchmarkError if not."""
    if not isinstance(figures, dict) or not isinstance(figures.get("spread"), dict):
        raise BenchmarkError(f"benchmarks/{name}.py: run() must return a dict with a sub-object 'spread'.")
    rest = {key: value for key, value in figures.items() if key != "spread"}
    plain = (int, float, str, bool, type(None))
    nested = [
        key
        for part in (rest, figures["spread"])
        for key, value in part.items()
        if not isinstance(value, plain)
    ]
    strangers = sorted(set(figures["spread"]) - set(rest))
    if nested or strangers:
        raise BenchmarkError(
            f"benchmarks/{name}.py: not flat, or spread without a figure: {nested + strangers}."
        )
    return figures


def table(figures: dict[str, Any]) -> str:
    """Return the figures as text, a line each, with the spread beside."""
    lines = []
    for key, value in figures.items():
        if key != "spread":
            spread = figures["spread"].get(key)
            lines.append(
                f"{key:36} {_short(value)}" + (f"  ± {_short(spread)}" if spread is not None else "")
            )
    return "\n".join(lines)


def seconds(action: Callable[[], Any], times: int = 1) -> float:
    """How long an action takes by the clock, the mean of so many."""
    started = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - started) / times


def half_range(values: list[float]) -> float:
    """Half the distance between the quartiles; of fewer than four values, half their range."""
    if len(values) < 4:
        return (max(values) - min(values)) / 2
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / 2


def _scripts() -> list[Path]:
    return sorted(p for p in (paths.root() / "benchmarks").glob("*.py") if not p.name.startswith("_"))


def _title(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n")[0]


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@click.command("bench")
@click.argument("name", required=False)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one flat object of figures with a sub-object `spread`."
)
@friendly
def command(name: str | None, as_json: bool) -> None:
    """Run a benchmark, or list them."""
    if name is None:
        found = available()
        print_json(found) if as_json else click.echo("\n".join(f"{k:12} {v}" for k, v in found.items()))
        return
    figures = run(name)
    print_json(figures) if as_json else click.echo(table(figures))

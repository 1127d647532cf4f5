"""What the words of the command line do alike: errors in words, data as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

UNIT_HELP = "UNIT is a unit's number or name, for example 01."
BUILDING = (
    "docutils", "furo", "jupytext", "myst_nb", "nbgrader", "nbclient", "nbconvert", "nbformat", "sphinx", "yaml",
)  # fmt: skip


def friendly(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn errors that a person can act on into one message and exit code 1; others keep their traceback."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except ModuleNotFoundError as problem:
            name = problem.name or ""
            if name.split(".")[0] == "sharedstate":
                raise
            word = "build" if name in BUILDING else "doctor"
            raise click.ClickException(
                f"{name} is not installed. `python run.py {word}` installs what it needs."
            ) from problem
        except (ValueError, OSError, RuntimeError) as problem:
            raise click.ClickException(str(problem) or type(problem).__name__) from problem

    return wrapped


def print_json(data: object) -> None:
    """Print data as JSON on one stream, readable by people and programs."""
    click.echo(json.dumps(data, indent=1, ensure_ascii=False))

"""Builds notebooks/, labs/ and solutions/ from course/: one source, three folders.

`build()` writes what changed; `build(check=True)` writes nothing and lists every difference as a Problem.
jupytext reads the sources, nbclient executes, nbgrader's preprocessors split labs from solutions.
"""

from __future__ import annotations

from sharedstate.authoring.build import build
from sharedstate.authoring.execute import Executions
from sharedstate.authoring.source import AuthoringError, Problem

__all__ = ["AuthoringError", "Executions", "Problem", "build"]

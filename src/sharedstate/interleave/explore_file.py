"""`sharedstate explore FILE::SCENARIO`: the explorer on a learner's own file, without a notebook."""

from __future__ import annotations

import contextlib
import inspect
import shlex
import sys
import traceback
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from sharedstate.interleave.execution import ScenarioError
from sharedstate.interleave.result import Result
from sharedstate.interleave.scenario import Scenario
from sharedstate.interleave.sites import NotModelled
from sharedstate.interleave.testing import explain
from sharedstate.interleave.trace import Trace

PASSED, FOUND = 0, 1
EXAMPLE = "for example my_code.py::room, where room = Scenario(…)"


class CannotExplore(ValueError):
    """Nothing was explored: the file, its import or the name; the message says what to do."""


@dataclass(frozen=True)
class Report:
    """What there is to print, as text and as data, the exit code (0 or 1), and the trace to draw, if any."""

    text: str
    data: dict[str, Any]
    code: int
    trace: Trace | None = None


def explore_file(target: str, replay: str | None = None, whole: bool = False, **options: Any) -> Report:
    """Explore FILE::SCENARIO, or replay a token on it. `options` go to `Scenario.explore`.

    The search stops at the first failure; `whole`: it goes on to the end and finds every outcome.
    The code is 0 for "proved", and for "bounded" where a bound was asked for; else 1. A replayed schedule
    has 1 if it fails. Raises CannotExplore with a short message if nothing was explored.
    """
    path, name = _split(target)
    with _loaded(path) as module:
        scenario = _scenario(module, path, name)
        try:
            if replay is not None:
                return _replayed(scenario, target, replay)
            return _explored(scenario, target, {"first": not whole, **options})
        except (ScenarioError, NotModelled) as problem:
            raise CannotExplore(str(problem)) from problem
        except Exception as problem:
            if not _frames(problem, path):
                raise
            raise CannotExplore(f"{path.name} raised an error.\n{_place(problem, path)}") from problem


def _split(target: str) -> tuple[Path, str]:
    """The file and the name. Raises CannotExplore if there is no such file."""
    file, _, name = target.rpartition("::") if "::" in target else (target, "", "")
    path = Path(file)
    if not path.is_file():
        raise CannotExplore(f"There is no file {file!r} here. Write FILE::SCENARIO, {EXAMPLE}.")
    return path.resolve(), name


@contextlib.contextmanager
def _loaded(path: Path) -> Iterator[ModuleType]:
    """Import a file, its own folder first on sys.path until the end; what it prints goes to stderr."""
    module, before = ModuleType(f"_explored_{path.stem}"), list(sys.path)
    module.__file__ = str(path)
    sys.path.insert(0, str(path.parent))
    sys.modules[module.__name__] = module
    try:
        with contextlib.redirect_stdout(sys.stderr):
            _execute(module, path)
        yield module
    finally:
        sys.modules.pop(module.__name__, None)
        sys.path[:] = before


def _execute(module: ModuleType, path: Path) -> None:
    """Run the file. Raises CannotExplore with the learner's line if it does not run through."""
    try:
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as problem:
        raise CannotExplore(f"{path.name} cannot be imported.\n{_place(problem, path)}") from problem


def _place(problem: BaseException, path: Path) -> str:
    """The last line of the learner's file on the way to an error, and the error."""
    what = f"{type(problem).__name__}: {problem}"
    if isinstance(problem, SyntaxError):
        return f"  {Path(problem.filename or path.name).name}, line {problem.lineno}: {problem.msg}"
    frames = _frames(problem, path)
    return f"  {path.name}, line {frames[-1].lineno}: {frames[-1].line}\n  {what}" if frames else f"  {what}"


def _frames(problem: BaseException, path: Path) -> list[traceback.FrameSummary]:
    """The learner's frames on the way to an error."""
    return [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == str(path)]


def _scenario(module: ModuleType, path: Path, name: str) -> Scenario:
    """The scenario with this name: a variable, or a function without arguments that returns one."""
    found: Any = getattr(module, name, None) if name else None
    if isinstance(found, Scenario):
        return found
    if not _callable(found):
        raise CannotExplore(_which(module, path, name))
    try:
        made = found()
    except Exception as problem:
        raise CannotExplore(f"{name}() in {path.name} raised an error.\n{_place(problem, path)}") from problem
    if isinstance(made, Scenario):
        return made
    raise CannotExplore(f"{name}() in {path.name} returned {type(made).__name__}, not a Scenario.")


def _callable(thing: object) -> bool:
    """True for what can be called without an argument."""
    try:
        inspect.signature(thing).bind()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def _which(module: ModuleType, path: Path, name: str) -> str:
    """Which scenarios there are."""
    what = f"{path.name} has no scenario {name!r}." if name else f"Which scenario of {path.name}?"
    names = [key for key, value in vars(module).items() if _offers(value, module)]
    if not names:
        return f"{what} There is none in it: write a variable or a function of no arguments, {EXAMPLE}."
    return f"{what} There are: " + ", ".join(f"{path.name}::{key}" for key in names)


def _offers(value: object, module: ModuleType) -> bool:
    """True for a scenario, and for a function of this file that needs no arguments and speaks of Scenario."""
    if not isinstance(value, FunctionType) or value.__module__ != module.__name__:
        return isinstance(value, Scenario)
    code, given = value.__code__, len(value.__defaults__ or ())
    return code.co_argcount <= given and not code.co_kwonlyargcount and "Scenario" in code.co_names


def _explored(scenario: Scenario, target: str, options: dict[str, Any]) -> Report:
    """Explore and report."""
    result = scenario.explore(**options)
    bound = options.get("strategy") == "preemptions" or options.get("preemptions") is not None
    code = PASSED if result.verdict in (("proved", "bounded") if bound else ("proved",)) else FOUND
    text = explain(result, lambda token: command(target, token)) if code else str(result)
    return Report(f"{target}\n{text}", _data(result, target), code, result.minimal)


def _replayed(scenario: Scenario, target: str, token: str) -> Report:
    """Play one schedule again and report."""
    trace = scenario.replay(token)
    code = PASSED if trace.verdict == "ok" else FOUND
    data = {"target": target, "verdict": trace.verdict, "schedule": _trace(trace)}
    return Report(str(trace), data, code, trace)


def command(target: str, token: str) -> str:
    """The command that plays a token's schedule again."""
    return f"python run.py explore {shlex.quote(target)} --replay {token}"


def _data(result: Result, target: str) -> dict[str, Any]:
    """A result as data for programs."""
    return {
        "target": target,
        "verdict": result.verdict,
        "coverage": result.coverage,
        "executions": result.executions,
        "strategy": result.strategy,
        "assumptions": list(result.assumptions),
        "notes": list(result.notes),
        "witness": result.second,
        "outcomes": len(result.outcomes),
        "schedule": None if result.minimal is None else _trace(result.minimal),
    }


def _trace(trace: Trace) -> dict[str, Any]:
    """A schedule as data; answers as their repr."""
    kept = ("preemptions", "switches", "token", "confirmed", "violated", "finished")
    return {
        **{key: getattr(trace, key) for key in kept},
        "answers": {name: repr(answer) for name, answer in trace.answers.items()},
        "steps": [asdict(step) for step in trace.steps],
    }

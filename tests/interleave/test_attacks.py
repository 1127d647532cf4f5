"""Small programs written to deceive the explorer: a racy one is never proved, a right one never broken."""

from __future__ import annotations

import linecache
import pathlib
import re
import sys
import types

import pytest

from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import ScenarioError
from sharedstate.interleave.sites import NotModelled

FOLDER = pathlib.Path(__file__).with_name("attacks")
LONG = frozenset({
    "torch_optimizer_step", "torch_module_forward_safe", "torch_grad_acc", "copy_safe", "bakery",
    "spin_setdefault_lock", "daemon_flag_loop", "turns_by_spin", "bakery_without_choosing",
})  # fmt: skip


def programs() -> list[object]:
    """Name, right verdicts and source of every program; those that take seconds run in the exhaustive tier."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for part in re.split(r"(?m)^### ", path.read_text(encoding="utf-8"))[1:]:
            head, _, source = part.partition("\n")
            name, _, verdicts = (text.strip() for text in head.partition("|"))
            right = tuple(verdict.replace("_", " ") for verdict in verdicts.split())
            marks = [pytest.mark.exhaustive] if name in LONG else []
            found.append(pytest.param(name, right, source, id=name, marks=marks))
    return found


def room_of(name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """The scenario of a program, in a module of its own."""
    module = types.ModuleType(f"attack_{name}")
    filename = f"<attack {name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, filename, "exec"), vars(module))
    given = {key: getattr(module, key) for key in ("never", "observe", "always") if hasattr(module, key)}
    return Scenario(module.setup, module.threads, **given, **getattr(module, "OPTIONS", {}))


def explored(name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The verdict, or "refused", and what the result says."""
    try:
        result = room_of(name, source, monkeypatch).explore(seconds=60)
    except (NotModelled, ScenarioError) as problem:
        return "refused", str(problem)
    return result.verdict, str(result)


@pytest.mark.parametrize(("name", "right", "source"), programs())
def test_the_verdict_is_right(name: str, right: tuple, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict, text = explored(name, source, monkeypatch)
    assert verdict in right, text


def test_there_are_programs_of_every_kind() -> None:
    verdicts = [verdict for parameter in programs() for verdict in parameter.values[1]]
    assert all(verdicts.count(kind) > 5 for kind in ("broken", "proved", "proved if", "refused"))

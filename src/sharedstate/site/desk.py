"""What runs in the reader's browser: a program is explored, a level of the game is played. JSON in, JSON out.

Only modules that Python has everywhere are imported here, directly or not: there is no numpy and no ipywidgets in
a web page, and no thread.
"""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import sys
import tempfile
import traceback
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from sharedstate.game import level
from sharedstate.interleave import Scenario
from sharedstate.interleave.result import Result
from sharedstate.interleave.show import svg
from sharedstate.interleave.show.advice import MEANING, what_to_fix
from sharedstate.interleave.show.report import outcomes
from sharedstate.panels.board import board_html
from sharedstate.panels.scheduler_game import SchedulerGame, Snapshot
from sharedstate.wording import count

PARTS = ("before", "shown", "ask")  # the fields of a box, in the order in which they are executed
FILES = ("what_it_needs.py", "your_program.py", "your_question.py")
SECONDS = 8.0  # of search; a program that never comes back is stopped from outside
MOST_MOVES = 200
GOOD = ("proved",)


class Desk:
    """Answers one request after another. `folder` is where programs are written, so that their lines can be shown."""

    def __init__(self, folder: str = "") -> None:
        self.folder = Path(folder or tempfile.mkdtemp())
        self.presses = 0
        self.games: dict[str, SchedulerGame] = {}

    def answer(self, request: str) -> str:
        """Answer a request: {"kind": "explore", before, shown, ask} or {"kind": "game", level, moves}.

        The answer always has "said"; a fault of the learner's program has "part" and "line" too.
        """
        asked = json.loads(request)
        return json.dumps(self.explore(asked) if asked["kind"] == "explore" else self.play(asked))

    # --- a program

    def explore(self, asked: dict[str, str]) -> dict[str, Any]:
        """Explore a program in every order; return the verdict in words and the schedule as SVG."""
        self.presses += 1
        place = self.folder / f"press{self.presses}"
        place.mkdir(parents=True)
        module, parts = ModuleType(f"press{self.presses}"), tuple(zip(PARTS, FILES, strict=True))
        sys.modules[module.__name__] = module
        linecache.clearcache()
        try:
            with contextlib.redirect_stdout(io.StringIO()):  # as the explorer does with what a schedule prints
                values = [self._execute(module, place / file, asked[part]) for part, file in parts]
            if not isinstance(values[-1], Scenario):
                raise TypeError(f"a Scenario is needed, and this is a value of type {type(values[-1]).__name__}")
            return shown(values[-1].explore(seconds=SECONDS, witness=False))
        except (Exception, SystemExit) as problem:
            return fault(problem, place)
        finally:
            sys.modules.pop(module.__name__, None)

    @staticmethod
    def _execute(module: ModuleType, path: Path, text: str) -> Any:
        """Execute a part of a program; of the last one return the value."""
        path.write_text(text, encoding="utf-8")
        module.__file__ = str(path)
        last = path.name == FILES[-1]
        code = compile(text.strip() if last else text, str(path), "eval" if last else "exec", dont_inherit=True)
        return eval(code, vars(module))

    # --- a level

    def play(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Play a level from its start with these moves (names of threads); return what there is to see."""
        one = level(asked["level"])
        if one.name not in self.games:
            self.games[one.name] = SchedulerGame(one.scenario(), one.goal)
        game = self.games[one.name]
        now = game.reset()
        for name in asked["moves"][:MOST_MOVES]:
            now = game.step(name)
        return {
            "said": _said(now, one.wanted) if asked["moves"] else "Choose who moves first.",
            "won": now.won, "over": now.over,
            "story": f"<p><b>{escape(one.title)}</b> {escape(one.story)}</p><p><b>Goal:</b> {escape(one.wanted)}.</p>"
            f"<details><summary>The program</summary><pre>{escape(one.code())}</pre></details>",
            "board": board_html(now.board, now.trace.threads),
            "seats": [{"name": seat.name, "enabled": seat.enabled, "said": seat.preview} for seat in now.seats],
            "svg": svg(now.trace) if now.trace.steps else "",
        }


def shown(result: Result) -> dict[str, Any]:
    """Return a result as the page shows it."""
    trace = result.minimal
    meaning = MEANING.get(result.verdict, "")
    assumed = [f"Assuming: {text}" for text in result.assumptions]
    lines = [f"{meaning[:1].upper()}{meaning[1:]}." if meaning else "", *assumed, *result.notes]
    return {
        "verdict": result.verdict,
        "good": result.verdict in GOOD,
        "said": f"{result.verdict}: {result.coverage}",
        "lines": [line for line in lines if line],
        "outcomes": [line.strip() for line in outcomes(result)],
        "advice": list(what_to_fix(result.verdict, trace)) if trace is not None else [],
        "svg": svg(trace) if trace is not None else "",
    }


def fault(problem: BaseException, place: Path) -> dict[str, Any]:
    """Return what is wrong with a learner's program, and in which line of which field."""
    name, line, what = "", 0, f"{type(problem).__name__}: {problem}"
    if isinstance(problem, SyntaxError) and problem.filename:
        name, line = Path(problem.filename).name, problem.lineno or 0
        what = f"{type(problem).__name__}: {problem.msg}"
    else:
        for frame in traceback.extract_tb(problem.__traceback__):
            if Path(frame.filename).parent == place:
                name, line = Path(frame.filename).name, frame.lineno or 0
    part = PARTS[FILES.index(name)] if name in FILES else ""
    where = f"{name}, line {line}: " if part else ""
    return {"said": where + what, "part": part, "line": line, "verdict": "fault", "good": False}


def _said(now: Snapshot, wanted: str) -> str:
    """Say what the last move did, and how the game stands."""
    if now.won:
        fewest = now.best is None or now.switches <= now.best
        praise = "nobody can do it in fewer" if fewest else f"it can be done in {now.best}"
        return f"You did it: {wanted}. {count(now.switches, 'switch')}, {praise}."
    if now.over:
        return f"{now.message} Everybody has finished, and the goal was not reached. Undo a step, or start again."
    return now.message

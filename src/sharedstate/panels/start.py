"""The start page: what is done, how long it took, and what comes next."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import palette, paths, syllabus, workspace
from ..checks.lab import show
from ..checks.registry import Registry
from ..progress import Progress
from .alive import alive
from .predict import widgets_there

DONE, AHEAD = palette.ISOLATED, palette.ALLOWED


@dataclass(frozen=True)
class UnitRow:
    """One unit as the start page shows it; points and exercises are 0 for a unit without a lab."""

    unit: str
    name: str
    minutes: int
    solved: int
    exercises: int
    points: float
    max_points: float
    seconds: float
    has_lab: bool
    next_exercise: str | None

    @property
    def number(self) -> str:
        """Two digits."""
        return self.unit[:2]

    @property
    def finished(self) -> bool:
        """True when every exercise is solved; without exercises, when time was spent in it."""
        return self.solved == self.exercises if self.exercises else self.seconds > 0


def rows(progress: Progress, registry: Registry | None = None) -> list[UnitRow]:
    """Return a row for each unit in course/."""
    known = registry or Registry()
    return [_row(folder, progress, known) for folder in paths.units().values()]


def _row(folder: Path, progress: Progress, registry: Registry) -> UnitRow:
    name, number = folder.name, folder.name[:2]
    exercises = registry.exercises(number)
    open_ones = [e.id for e in exercises if not progress.solved(e.id)]
    return UnitRow(
        unit=name, name=name[3:].replace("_", " "), minutes=syllabus.read(folder).minutes,
        solved=len(exercises) - len(open_ones), exercises=len(exercises), points=progress.points(number),
        max_points=sum(e.points for e in exercises), seconds=progress.seconds(number),
        has_lab=(folder / "lab.py").exists(), next_exercise=open_ones[0] if open_ones else None)


def next_step(table: list[UnitRow]) -> str:
    """Return what comes next, in one sentence."""
    row = next((row for row in table if not row.finished), None)
    if row is None:
        return "Everything that is here is solved." if table else "No unit is here yet."
    if row.solved:
        return f"Next: exercise {row.next_exercise} in lab {row.number}, {row.name}."
    return f"Next: lesson {row.number}, {row.name} ({row.minutes} minutes)."


def total(table: list[UnitRow]) -> str:
    """Return how many exercises are solved in all, and the points, in one sentence."""
    solved, exercises = sum(r.solved for r in table), sum(r.exercises for r in table)
    points, most = sum(r.points for r in table), sum(r.max_points for r in table)
    return f"You have solved {solved} of {exercises} exercises: {points:g} of {most:g} points."


class StartPage:
    """The page, as HTML and as text."""

    def __init__(self, table: list[UnitRow], notice: str = "") -> None:
        self.table = table
        self.notice = notice

    def __str__(self) -> str:
        lines = [f"{r.number} {r.name}: {_state(r)}, {_time(r.seconds)}" for r in self.table]
        return "\n".join([*lines, total(self.table), next_step(self.table), *([self.notice] if self.notice else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "<tr><th>Unit</th><th>Lesson</th><th>Lab</th><th>Solved</th><th>Time</th></tr>"
        body = "".join(_html_row(row) for row in self.table)
        notice = f"<p><small>{html.escape(self.notice)}</small></p>" if self.notice else ""
        return (f'<div data-page="start"><p>{total(self.table)} <b>{html.escape(next_step(self.table))}</b></p>'
                f"<table>{head}{body}</table>{notice}</div>")


def start_page(registry: Registry | None = None) -> None:
    """Show each unit's progress, the time spent, links to lesson and lab, and what comes next.

    Works before anything exists: no my-labs/, no progress, no labs/.
    """
    try:
        progress, notice = Progress.load(), ""
    except (OSError, RuntimeError) as problem:
        progress, notice = Progress.empty(), f"Your progress could not be read: {problem}"
    try:
        table = rows(progress, registry)
    except paths.CheckoutNotFound as problem:
        table, notice = [], str(problem)
    show(StartPage(table, notice or progress.notice))
    labs = [row for row in table if row.has_lab]
    if labs and widgets_there():
        show(_doors(labs))


def _doors(labs: list[UnitRow]) -> object:
    """Return a button for each lab: it makes the learner's copy, and a link to it appears."""
    import ipywidgets

    way = ipywidgets.Output()
    way.add_class("ss-door")
    buttons = [_door_button(row, way) for row in labs]
    row = ipywidgets.HBox([ipywidgets.Label("Open your copy of a lab:"), *buttons], layout={"flex_flow": "row wrap"})
    return alive(ipywidgets.VBox([row, way]))


def _door_button(row: UnitRow, way: Any) -> object:
    """Return one button; the link is shown in `way`."""
    import ipywidgets

    made = ipywidgets.Button(description=row.number, tooltip=f"Lab {row.number}, {row.name}", layout={"width": "3.2em"})
    made.add_class(f"ss-door-{row.number}")

    def opened(_: object) -> None:
        try:
            said = workspace.door(row.unit)._repr_markdown_()
        except (workspace.WorkspaceError, ValueError, OSError) as problem:
            said = str(problem)
        way.outputs = ({"output_type": "display_data", "data": {"text/markdown": said}, "metadata": {}},)

    made.on_click(opened)
    return made


def _html_row(row: UnitRow) -> str:
    title = f"{row.number} {html.escape(row.name)}"
    lesson = f'<a href="../notebooks/{paths.notebook_name(row.unit, "lesson")}">{title}</a> ({row.minutes} min)'
    lab = _lab_link(row) if row.has_lab else "none"
    colour = DONE if row.finished else AHEAD
    mark = f'<span style="color: {colour}">{"●" if row.finished else "○"}</span>'
    shown = (row.number, lesson, lab, f"{mark} {_state(row)}", _time(row.seconds))
    cells = "".join(f"<td>{cell}</td>" for cell in shown)
    return f'<tr data-unit="{row.number}">{cells}</tr>'


def _lab_link(row: UnitRow) -> str:
    """Link to the learner's copy when there is one, else to the course's."""
    copy = workspace.own_copy(row.unit)
    if copy.exists() and copy.parent.parent in (paths.root(), Path.cwd().parent):  # the latter in a room's folder
        return f'<a href="../{copy.parent.name}/{copy.name}">your lab {row.number}</a>'
    return f'<a href="../labs/{paths.notebook_name(row.unit, "lab")}">lab {row.number}</a>'


def _state(row: UnitRow) -> str:
    if not row.exercises:
        return "read" if row.finished else "to read"
    return f"{row.solved} of {row.exercises} solved, {row.points:g} of {row.max_points:g} points"


def _time(seconds: float) -> str:
    if seconds < 60:
        return "less than a minute" if seconds else "no time yet"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

"""The class panel: the teacher's board in a notebook, looked at again with a button; no names unless asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import ipywidgets as widgets

from sharedstate import paths
from sharedstate.classroom.board import STUCK, board, exercise_names
from sharedstate.classroom.page import clock, fragment, summary, text
from sharedstate.classroom.questions import questions
from sharedstate.classroom.records import read_folder
from sharedstate.panels.base import Picture, PicturePanel, button, text_place


class ClassPanel(PicturePanel):
    """The board of a folder. Each look reads the files anew.

    clock: returns the moment (seconds since 1970); lessons: the folder of the built lessons, for what was measured.
    """

    def __init__(
        self, folder: Path, stuck: float = STUCK, now: Callable[[], float] = time.time, lessons: Path | None = None
    ) -> None:
        self.folder, self.stuck, self.now = Path(folder), stuck, now
        self.names, self.asked = exercise_names(), questions(lessons or paths.root() / "notebooks")
        self.again = button("Look again", "Read the files anew", "again", self.show)
        self.named = widgets.Checkbox(description="show names", indent=False, layout={"width": "max-content"})
        self.table = text_place("class-board")
        self.arrange("class", {"again": self.again, "named": self.named}, {"table": self.table})
        self.watch([self.named])
        self.show()

    def picture(self) -> Picture:
        """Return the board in words; its table and bars are HTML and stand below the line."""
        try:
            seen = board(read_folder(self.folder), self.now(), self.names, self.asked, self.stuck)
        except (ValueError, OSError) as problem:
            self.table.value = ""
            return Picture("The class", str(problem), b"")
        self.table.value = fragment(seen, self.named.value)
        line = f"{clock(seen.now)}: {summary(seen)}"
        return Picture(line, text(seen, self.named.value), b"", line)

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the board itself beside the widget, for a page without a kernel."""
        return {**super()._repr_mimebundle_(**kwargs), "text/html": self.table.value or self.shown.text}


def class_panel(folder: str | Path, stuck_minutes: float = STUCK / 60) -> ClassPanel:
    """Return the panel for a folder of exported progress files, as `python run.py board FOLDER` shows it."""
    return ClassPanel(Path(folder), 60 * stuck_minutes)

"""The timed mode as a panel: choose a drill, start the clock, ask for hints, stop, mark the rubric, keep the score."""

from __future__ import annotations

import html
import time
from collections.abc import Callable

import ipywidgets as widgets

from sharedstate import figures
from sharedstate.drills import Drill, DrillBook, DrillError, Try, deck, sheet, views
from sharedstate.drills.deck import POINTS
from sharedstate.panels.base import Picture, PicturePanel, button, text_place


class DrillPanel(PicturePanel):
    """One drill at a time. Every control is reached with the Tab key; Enter presses a button, Space ticks a row.

    CSS classes: ss-drill-panel, ss-chooser, ss-task, ss-start, ss-hint, ss-look, ss-stop, ss-score, ss-rows, ss-told.
    """

    caption = "Above, the time that is used of the limit. Below, a square for each point; a hint costs one."

    def __init__(self, chosen: str = "D01", clock: Callable[[], float] = time.time) -> None:
        self.deck, self.clock = {one.id: one for one in deck()}, clock
        self.book, self.done = DrillBook.load(), list[Try]()
        running = self.book.running
        titles = [(f"{one.id} · {one.title}", one.id) for one in self.deck.values()]
        name = running.drill if running and running.drill in self.deck else chosen
        self.chooser = widgets.Dropdown(options=titles, value=name, description="Drill", layout={"width": "26em"})
        self.task, self.told, self.rows = text_place("task"), text_place("told"), widgets.VBox()
        self.start = button("Start the clock", "The time begins now", "start", self._started)
        self.hint = button("Hint (costs a point)", "Show the next hint", "hint", self._hinted)
        self.look = button("Look at the clock", "Draw the time anew", "look", self._looked)
        self.stop = button("Stop", "Stop the clock and show the rubric", "stop", self._stopped)
        self.score = button("Keep the score", "Score the ticked rows", "score", self._scored)
        buttons = widgets.HBox([self.start, self.hint, self.look, self.stop], layout={"flex_flow": "row wrap"})
        self.arrange("drill", {"chooser": self.chooser, "task": self.task, "buttons": buttons},
                     {"told": self.told, "rows": self.rows})  # fmt: skip
        self.chooser.observe(lambda change: self._chosen(), names="value")
        self._chosen()

    @property
    def drill(self) -> Drill:
        """The drill that is shown."""
        return self.deck[self.chooser.value]

    def picture(self) -> Picture:
        """Return the clock and the points of the drill that is shown."""
        one, running = self.drill, self.book.running
        mine = running if running and running.drill == one.id else None
        last = self.done[-1] if self.done and self.done[-1].drill == one.id and mine is None else None
        seconds = mine.seconds(self.clock()) if mine else last.seconds if last else 0.0
        hints = mine.hints if mine else last.hints if last else 0
        earned = one.points(last.earned) if last else None
        figure = figures.drill_clock(one.id, seconds, one.minutes, hints, earned, POINTS)
        text = f"{figure.message}.\n\n{views.candidate(one)}"
        return Picture(figure.message, text, figure.png(), f"{figure.message}.", {"points": last.score if last else ""})

    def _chosen(self) -> None:
        self.task.value = _read(sheet.question(self.drill))
        self.told.value, self.rows.children = "", ()
        running = self.book.running
        if running and running.drill == self.drill.id:
            given = self.drill.hints[: running.hints]
            for hint in given:
                self._tell(f"<p>{sheet.marked(hint)}</p>")
            if running.ended is not None:
                self._ask_rows()
        self.show()

    def _started(self, _: object) -> None:
        self._do(lambda: self.book.start(self.drill, self.clock()))

    def _hinted(self, _: object) -> None:
        self._do(lambda: self._tell(f"<p>{sheet.marked(self.book.hint(self.drill))}</p>"))

    def _looked(self, _: object) -> None:
        self.show()

    def _stopped(self, _: object) -> None:
        def stop() -> None:
            self.book.stop(self.drill, self.clock())
            if not self._boxes():
                self._ask_rows()
        self._do(stop)

    def _scored(self, _: object) -> None:
        ticked = [n for n, box in enumerate(self._boxes(), 1) if box.value]

        def keep() -> None:
            self.done.append(self.book.score(self.drill, ticked, self.clock()))
            self.rows.children = ()
            self._tell(f"<p>{html.escape(views.result(self.done[-1]))}</p>")
        self._do(keep)

    def _do(self, act: Callable[[], object]) -> None:
        """Do what a button asks, and say what stands against it."""
        try:
            act()
        except (DrillError, OSError, RuntimeError) as problem:
            self._tell(f'<p role="alert">{html.escape(str(problem))}</p>')
        self.show()

    def _tell(self, words: str) -> None:
        self.told.value += _read(words)

    def _ask_rows(self) -> None:
        """Show model answer, trap and follow-ups, and a box for each row of the rubric."""
        one = self.drill
        asked = "".join(f"<li>{sheet.marked(question)} <i>{sheet.marked(good)}</i></li>"
                        for question, good in one.follow_ups)  # fmt: skip
        told = sheet.examples(one)
        self._tell(f"<h4>Model answer</h4>{sheet.model(one)}<h4>The trap</h4>{sheet.prose(one.trap)}"
                   f"<h4>Follow-up questions</h4><ul>{asked}</ul>"
                   f"{'<h4>Answers as people give them</h4>' if told else ''}{told}")  # fmt: skip
        wide = {"width": "max-content"}
        boxes = [widgets.Checkbox(description=f"{row.points} points: {row.wanted}", indent=False, layout=wide)
                 for row in one.rubric]  # fmt: skip
        self.rows.children = (widgets.HTML("<h4>What does the answer earn?</h4>"), *boxes, self.score)

    def _boxes(self) -> list[widgets.Checkbox]:
        return [part for part in self.rows.children if isinstance(part, widgets.Checkbox)]


def _read(markup: str) -> str:
    """Return HTML as a text to read: a widget's own lines stand far apart."""
    return f'<div style="line-height:1.4;max-width:760px">{markup}</div>'


def drill_panel(chosen: str = "D01") -> DrillPanel:
    """Return the timed mode as a panel, open at a drill. Raises TraitError for an id that there is not."""
    return DrillPanel(chosen)

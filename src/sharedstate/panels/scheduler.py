"""The panel "You are the scheduler": a button for each thread, and the trace growing as a picture."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

import ipywidgets as widgets

from sharedstate.interleave import show
from sharedstate.interleave.show.words import answers, letters
from sharedstate.palette import ISOLATED, RIGHT, owner
from sharedstate.panels.alive import alive
from sharedstate.panels.base import button, text_place
from sharedstate.panels.board import board_html
from sharedstate.panels.scheduler_game import Playable, SchedulerGame, Snapshot
from sharedstate.wording import count

BANNER = f"background:#DCEBF5;color:#222;border-left:10px solid {ISOLATED};padding:8px 14px;margin:6px 0"

if TYPE_CHECKING:
    from sharedstate.panels.scheduler_game import Seat

GOAL = "make the wrong answer happen, in the fewest switches"
NO_GUESS = ("no prediction", ("", ""))


class SchedulerPanel(widgets.VBox):
    """A thin view over `SchedulerGame`: each click is one move, then everything is shown anew.

    With `open_book` false, what is possible stays unsaid until the goal is reached, and nobody plays for you.
    `after` is called with what is shown after each move. `room` is what the player calls the scenario.

    CSS classes for tests and style: ss-scheduler, ss-goal, ss-banner, ss-board-view, ss-step-NAME, ss-undo, ss-reset,
    ss-auto, ss-predict, ss-next, ss-status, ss-count, ss-trace-view, ss-token.
    """

    def __init__(
        self,
        game: SchedulerGame,
        goal: str = GOAL,
        open_book: bool = True,
        after: Callable[[Snapshot], None] = lambda now: None,
        room: str = "room",
    ) -> None:
        self.game, self._lock = game, threading.RLock()
        self._open_book, self._after, self._room, self._words = open_book, after, room, goal
        first = game.snapshot()
        self.steps = self._step_buttons(first)
        self.undo = button("Undo", "Take the last step back", "undo", self._move(game.undo))
        self.reset = button("Reset", "Begin again", "reset", self._move(game.reset))
        self.auto = button("Finish for me", "Fewest switches from here", "auto", self._move(game.auto))
        self.guess = widgets.Dropdown(options=[NO_GUESS], description="I predict", layout={"width": "28em"})
        self.guess.add_class("ss-predict")
        self.goal = text_place("goal", f"<b>Goal:</b> {escape(goal)}")
        self.banner, self.board, self.next, self.status, self.count, self.picture, self.token = map(
            text_place, ("banner", "board-view", "next", "status", "count", "trace-view", "token")
        )
        wrap = {"flex_flow": "row wrap"}
        super().__init__(
            [self.goal, self.board, widgets.HBox(list(self.steps.values()), layout=wrap), self.next, self.guess,
             widgets.HBox([self.undo, self.reset, *[self.auto] * open_book], layout=wrap),
             self.banner, self.count, self.status, self.picture, self.token]
        )  # fmt: skip
        self.add_class("ss-scheduler")
        alive(self)
        self._show(first)

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the same without buttons beside the widget, for a page without a kernel."""
        static = fallback(self.game, self._words)
        return {**super()._repr_mimebundle_(**kwargs), "text/html": static, "text/plain": f"Goal: {self._words}"}

    def _step_buttons(self, first: Snapshot) -> dict[str, widgets.Button]:
        names = tuple(seat.name for seat in first.seats)
        tags = letters(names)
        return {
            name: self._step_button(name, tags[name], owner(k)) for k, name in enumerate(names)
        }

    def _step_button(self, name: str, tag: str, color: str) -> widgets.Button:
        label = name if tag == name[:1].upper() else f"{tag}: {name}"
        made = button(label, "", f"step-{slug(name)}", self._step(name))
        made.style = {"button_color": color, "text_color": "#000000", "font_weight": "bold"}
        return made

    def _move(self, move: Callable[[], Snapshot]) -> Callable[[object], None]:
        """Return a click handler: a move and what it shows are one piece, in whatever thread."""

        def clicked(_: object) -> None:
            """Move and show."""
            with self._lock:
                self._show(move())

        return clicked

    def _step(self, name: str) -> Callable[[object], None]:
        def move() -> Snapshot:
            """Hand in the prediction, if it is about this thread, and step."""
            who, value = self.guess.value
            if who == name:
                self.game.predict(name, value)
            return self.game.step(name)

        return self._move(move)

    def _show(self, now: Snapshot) -> None:
        for seat in now.seats:
            self.steps[seat.name].disabled = not seat.enabled
            self.steps[seat.name].tooltip = f"{seat.name}: {seat.preview}"
        self.undo.disabled = not now.trace.schedule
        self.auto.disabled = now.over
        self.next.value = "".join(_seat_line(seat) for seat in now.seats)
        self.count.value = _count_line(now, self._open_book or now.won)
        self.banner.value = f'<div role="status" style="{BANNER}">{_banner(now)}</div>' if now.won else ""
        self.status.value = f'<span role="status">{escape(_status(now))}</span>'
        self.board.value = board_html(now.board, now.trace.threads)
        self.picture.value = show.html(now.trace) if now.trace.steps else ""
        ended = now.over and now.trace.token
        self.token.value = (
            f"Replay it: <code>{escape(f'{self._room}.replay({now.trace.token!r})')}</code>" if ended else ""
        )
        self._ask(now)
        self._after(now)

    def _ask(self, now: Snapshot) -> None:
        """Offer the predictions of this moment, none of them chosen."""
        asked = [
            (f"{who} will read {target} = {value}", (who, value)) for who, target, value in now.questions
        ]
        self.guess.options = [NO_GUESS, *asked]
        self.guess.value = NO_GUESS[1]
        self.guess.disabled = not asked
        self.guess.layout.display = None if asked else "none"


def slug(name: str) -> str:
    """Return a thread's name as it stands in a CSS class."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "thread"


def _seat_line(seat: Seat) -> str:
    mark = "▸" if seat.enabled else "×"
    return f'<div style="line-height:1.4">{mark} <b>{escape(seat.name)}</b> {escape(seat.preview)}</div>'


def _count_line(now: Snapshot, tell: bool) -> str:
    best = "no schedule reaches the goal" if now.best is None else f"best possible {now.best}"
    guessed = f", predictions right: {now.right} of {now.asked}" if now.asked else ""
    return f"Switches: <b>{now.switches}</b>{f' ({best})' * tell}{guessed}"


def _banner(now: Snapshot) -> str:
    """Say that the goal is reached, what came of it, and whether fewer switches would do."""
    fewest = now.best is None or now.switches <= now.best
    praise = "nobody can do it in fewer" if fewest else f"it can be done in {now.best}"
    score = f"Goal reached in {count(now.switches, 'switch')}: {praise}."
    return f"<b style='font-size:130%'>{RIGHT} You did it!</b><br>{escape(' '.join([*_results(now), score]))}"


def _results(now: Snapshot) -> list[str]:
    """Say who got what, in a sentence each, once everybody has an answer."""
    if not now.trace.finished:
        return ["Nobody can move any more."]
    got = [(name, value) for name, value in answers(now.trace) if value != "None"]
    return [f"{name.capitalize()} gets {value}." for name, value in got]


def _status(now: Snapshot) -> str:
    if now.won:
        return now.message
    if now.trace.verdict == "deadlock":
        return f"{now.message} Deadlock: every thread waits for another one."
    if now.over:
        said = " ".join([now.message, *_results(now)])
        return f"{said} Everybody has finished, and the goal was not reached. Undo a step, or reset."
    return now.message


def fallback(game: SchedulerGame, goal: str) -> str:
    """Return HTML that teaches the same without widgets: the goal, the call, and a schedule to unfold."""
    now = game.snapshot()
    names = ", ".join(f"<b>{escape(seat.name)}</b> ({escape(seat.preview)})" for seat in now.seats)
    first = [now.seats[0].name, *(f"{seat.name}*" for seat in now.seats[1:]), f"{now.seats[0].name}*"]
    solved = game.solved()
    shown = "<p>No schedule reaches this goal.</p>"
    if solved:
        summary = f"Show a schedule with {count(now.best or 0, 'switch')}"
        shown = f"<details><summary>{summary}</summary>{show.html(solved)}</details>"
    return (
        f'<div class="ss-scheduler-static"><p><b>You are the scheduler.</b> Goal: {escape(goal)}. '
        f"Threads: {names}.</p><p>Without the buttons: <code>room.play({escape(str(first))}).show()</code>, "
        f"where a name is one step, name*4 four, name* until it ends or must wait.</p>{shown}</div>"
    )


def scheduler_panel(scenario: Playable, goal: str = GOAL) -> SchedulerPanel:
    """Return the panel for a scenario (see `sharedstate.interleave.Scenario`); without a kernel its text is shown.

    goal: what the player has to bring about, in words; the goal is reached when the scenario's never or
    always is violated.
    """
    return SchedulerPanel(SchedulerGame(scenario), goal)

"""The scheduler game as a panel: choose a level, move the threads, beat the explorer, or claim impossible."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import ipywidgets as widgets

from sharedstate.game import LEVELS, level
from sharedstate.interleave import show
from sharedstate.panels.alive import alive
from sharedstate.panels.base import button, text_place
from sharedstate.panels.game_match import Answer, Match
from sharedstate.panels.scheduler import SchedulerPanel
from sharedstate.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from sharedstate.game import Level
    from sharedstate.panels.scheduler_game import Snapshot


class GamePanel(widgets.VBox):
    """A chooser of levels over a `SchedulerPanel`; a level that was begun keeps its schedule.

    CSS classes for tests and style: ss-game, ss-level, ss-story, ss-explorer, ss-claim, ss-verdict, ss-hints,
    ss-opponent, ss-score, and those of the scheduler panel.
    """

    def __init__(self, chosen: tuple[Level, ...] | None = None) -> None:
        self.levels = LEVELS if chosen is None else chosen
        self.matches: dict[str, Match] = {}
        self._panels: dict[str, SchedulerPanel] = {}
        titles = [(f"{k}. {one.title}", one.name) for k, one in enumerate(self.levels, 1)]
        self.chooser = widgets.Dropdown(options=titles, description="Level", layout={"width": "36em"})
        self.story, self.verdict, self.hints, self.opponent, self.score = map(
            text_place, ("story", "verdict", "hints", "opponent", "score")
        )
        self.explorer = button(
            "The explorer's turn", "It plays this level; compare", "explorer",
            lambda _: self._answer(Match.explorer_turn),
        )  # fmt: skip
        self.claim = button(
            "Claim: impossible", "Say that no schedule reaches the goal", "claim", lambda _: self._answer(Match.claim)
        )
        self.table = widgets.VBox()
        ask = widgets.HBox([self.explorer, self.claim], layout={"flex_flow": "row wrap"})
        parts = [self.story, self.table, ask, self.verdict, self.opponent, self.hints, self.score]
        if len(self.levels) == 1:  # a scene: the story, the board and the buttons
            parts = [self.story, self.table, self.hints]
        super().__init__([*[self.chooser] * (len(self.levels) > 1), *parts])
        self.chooser.add_class("ss-level")
        self.add_class("ss-game")
        alive(self)
        self.chooser.observe(lambda change: self.go(change["new"]), names="value")
        self.go(self.chooser.value)

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the game without buttons beside the widget, for a page without a kernel."""
        words = f"The scheduler game: {', '.join(one.title for one in self.levels)}"
        return {**super()._repr_mimebundle_(**kwargs), "text/html": fallback(self.levels), "text/plain": words}

    @property
    def match(self) -> Match:
        """The match at the level that is open."""
        return self.matches[self.chooser.value]

    @property
    def scheduler(self) -> SchedulerPanel:
        """The scheduler panel of the level that is open."""
        return self._panels[self.chooser.value]

    def go(self, name: str) -> None:
        """Go to a level."""
        if name not in self.matches:
            self.matches[name] = match = Match(next(one for one in self.levels if one.name == name))
            self._panels[name] = SchedulerPanel(
                match.game,
                match.level.wanted,
                open_book=False,
                after=lambda now: self._moved(match, now),
                room=f'level("{name}").scenario()',
            )
        opened = self.matches[name].level
        self.table.children = (self._panels[name],)
        self.story.value, self.hints.value = story(opened), hints(opened)
        self._say(Answer(""))

    def _moved(self, match: Match, now: Snapshot) -> None:
        match.note(now)
        self.score.value = self._score()

    def _answer(self, ask: Callable[[Match], Answer]) -> None:
        """Let the explorer speak about the level that is open."""
        self._say(ask(self.match))

    def _say(self, answer: Answer) -> None:
        self.verdict.value = f'<b role="status">{escape(answer.text)}</b>' if answer.text else ""
        shown = _folded("Show its schedule", show.html(answer.trace)) if answer.trace else ""
        self.opponent.value = shown
        self.score.value = self._score()

    def _score(self) -> str:
        done = [match for match in self.matches.values() if match.done]
        listed = "".join(f"<li>{escape(match.level.title)}: {_reached(match)}</li>" for match in done)
        return f"<p>Levels done: <b>{len(done)} of {len(self.levels)}</b></p><ul>{listed}</ul>"


def _reached(match: Match) -> str:
    if match.best is None:
        return "impossible, claimed by you and proved"
    best = match.game.best
    rest = "" if best is None or match.best <= best else f", it can be done in {best}"
    return f"{count(match.best, 'switch')}{rest}"


def _folded(summary: str, inside: str) -> str:
    body = f'<div style="margin-left:1.2em">{inside}</div>'
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def story(one: Level) -> str:
    """Return the task as HTML: what is going on, and the code under attack."""
    code = f'<pre style="line-height:1.3">{escape(one.code())}</pre>'
    stop = "" if one.title.endswith("?") else "."
    return f"<p><b>{escape(one.title)}{stop}</b> {escape(one.story)}</p>{code}"


def hints(one: Level) -> str:
    """Return the hints as HTML, each folded, from a nudge to almost everything."""
    return "".join(_folded(f"Hint {k}", f"<p>{escape(hint)}</p>") for k, hint in enumerate(one.hints, 1))


def fallback(chosen: tuple[Level, ...]) -> str:
    """Return HTML that holds the whole game without widgets: tasks, calls, and what there is to unfold."""
    parts = "".join(_folded(one.title, _static(one)) for one in chosen)
    return (
        f'<div class="ss-game-static"><p><b>The scheduler game: run this cell to play.</b> Without buttons: '
        f"<code>from sharedstate.game import level</code>, then play a list of moves. A name is "
        f"one step, name*4 four, name* goes on until the thread ends or must wait.</p>{parts}</div>"
    )


def _static(one: Level) -> str:
    first, last = one.threads
    call = f'level("{one.name}").play({[first, f"{last}*", f"{first}*"]!r})'
    moves = one.solution()
    said = f"No schedule does it: {one.prove().coverage} tried." if moves is None else f"play({moves!r})"
    solution = _folded("Solution", f"<p><code>{escape(said)}</code></p>")
    goal = f"<p>Goal: {escape(one.wanted)}. Try <code>{escape(call)}</code>.</p>"
    return story(one) + goal + hints(one) + solution


def game_panel(*names: str) -> GamePanel:
    """Return the game's panel, with all levels or only those named; without a kernel its text is shown.

    Raises ScenarioError for a name that is not a level's.
    """
    return GamePanel(tuple(level(name) for name in names) or LEVELS)

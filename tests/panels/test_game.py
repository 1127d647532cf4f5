"""The scheduler game: the match against the explorer, then the panel played by its buttons."""

from __future__ import annotations

import re
from html import unescape
from itertools import count

import pytest

from sharedstate.game import LEVELS, level
from sharedstate.interleave.execution import ScenarioError
from sharedstate.panels import game_panel
from sharedstate.panels.game import GamePanel, fallback
from sharedstate.panels.game_match import Match
from sharedstate.panels.scheduler import SchedulerPanel
from sharedstate.panels.scheduler_game import SchedulerGame


def spelled(moves: list[str]) -> list[str]:
    """Return one name a step: ["a", "b*2"] is ["a", "b", "b"]."""
    steps = [move.partition("*") for move in moves]
    return [name for name, _, number in steps for _ in range(int(number or 1))]


def play(match: Match, *names: str) -> None:
    """Move as the panel would."""
    for name in names:
        match.note(match.game.step(name))


# --- the match


def test_the_duel_compares_switches_and_time() -> None:
    ticks = count(0, 5)
    match = Match(level("lost-update"), clock=lambda: float(next(ticks)))
    assert match.explorer_turn().text == (
        "The explorer: 2 switches, found in 5 s. You have not reached the goal yet. "
        "Reset, and do it yourself."
    )
    play(match, "left", "right", "left", "right")
    lost = match.explorer_turn()
    assert lost.text.startswith("You: 3 switches, 5 s. The explorer: 2 switches")
    assert lost.text.endswith("The explorer wins. Can you match it?")
    assert lost.trace.confirmed and lost.trace.switches == 2
    match.game.reset()
    play(match, "left", "right", "right", "left")
    assert match.best == 2 and "A draw: nobody can do it in fewer." in match.explorer_turn().text


def test_the_best_try_counts() -> None:
    match = Match(level("lost-update"))
    play(match, "left", "right", "right", "left")
    match.game.reset()
    play(match, "left", "right", "left", "right")
    assert match.best == 2 and match.done


def test_a_claim_is_proved_or_refuted() -> None:
    right = Match(level("one-lock"))
    assert not right.done
    assert right.claim().text == "Right, and proved: all 16 interleavings, and none reaches the goal."
    assert right.done and right.best is None
    assert "Nobody can: proved, all 16" in right.explorer_turn().text
    for name in ("wrong-in", "two-locks"):
        wrong = Match(level(name))
        answer = wrong.claim()
        assert answer.text.startswith("Not so.") and answer.trace is not None and not wrong.done


@pytest.mark.parametrize("name", [one.name for one in LEVELS])
def test_each_level_played_step_by_step(name: str) -> None:
    match = Match(level(name))
    solution = match.level.solution()
    if solution is None:
        assert match.claim().text.startswith("Right, and proved")
        return
    *before, last = spelled(solution)
    play(match, *before)
    assert not match.done, "the goal is reached by the last step and not before"
    play(match, last)
    assert match.best == match.game.best == match.level.par


# --- the scheduler panel with a deadlock as its goal


def test_a_deadlock_as_the_goal() -> None:
    bank = level("two-locks").scenario()
    game = SchedulerGame(bank, "deadlock")
    assert game.best == 1 and game.solved().verdict == "deadlock"
    panel = SchedulerPanel(game, "stop the bank")
    panel.auto.click()
    assert "Goal reached in 1 switch: nobody can do it in fewer." in panel.banner.value
    assert "best possible 1" in panel.count.value and panel.token.value
    panel.reset.click()
    while not panel.steps["red"].disabled:
        panel.steps["red"].click()
    while not panel.steps["blue"].disabled:
        panel.steps["blue"].click()
    assert "the goal was not reached" in panel.status.value
    plain = SchedulerGame(bank)
    assert plain.best is None and not plain.snapshot().won


def test_a_closed_book_tells_nothing_before_the_goal() -> None:
    panel = SchedulerPanel(SchedulerGame(level("one-lock").scenario()), open_book=False)
    assert panel.count.value == "Switches: <b>0</b>"
    buttons = [child for box in panel.children for child in getattr(box, "children", ())]
    assert panel.undo in buttons and panel.auto not in buttons


# --- the panel


@pytest.fixture
def panel() -> GamePanel:
    """Return the panel with all levels."""
    return GamePanel()


def press(panel: GamePanel, *moves: str) -> None:
    """Press the buttons of the threads."""
    for name in spelled(list(moves)):
        panel.scheduler.steps[name].click()


def test_played_by_its_buttons(panel: GamePanel) -> None:
    assert "slip" in panel.story.value and "0 of 12" in panel.score.value
    panel.chooser.value = "wrong-in"
    assert panel.verdict.value == "" and "best possible" not in panel.scheduler.count.value
    press(panel, "mallory", "alice*4", "mallory*3")
    assert "Goal reached in 2 switches" in panel.scheduler.banner.value
    call = unescape(re.search("<code>(.*)</code>", panel.scheduler.token.value).group(1))
    assert eval(call, {"level": level}).violated, "the replay that is shown can be pasted"
    assert (
        "<b>1 of 12</b>" in panel.score.value and "Let the wrong passcode in: 2 switches" in panel.score.value
    )
    panel.explorer.click()
    assert "A draw" in panel.verdict.value and 'role="status"' in panel.verdict.value
    assert panel.opponent.value.startswith("<details><summary>Show its schedule")
    assert panel.opponent.value.count("data-step=") == 8


def test_a_level_keeps_its_schedule_while_another_is_open(panel: GamePanel) -> None:
    panel.chooser.value = "wrong-in"
    press(panel, "mallory", "alice")
    panel.explorer.click()
    panel.chooser.value = "lost-update"
    assert "self.count += 1" in panel.story.value and panel.verdict.value == panel.opponent.value == ""
    press(panel, "left", "right", "left", "right")
    assert "Lose an update: 3 switches, it can be done in 2" in panel.score.value
    panel.chooser.value = "wrong-in"
    assert panel.match.game.snapshot().trace.schedule == ("mallory", "alice")
    assert "Lose an update" in panel.score.value


def test_the_claim_button(panel: GamePanel) -> None:
    panel.claim.click()
    assert "Not so." in panel.verdict.value and "<details>" in panel.opponent.value
    assert "0 of 12" in panel.score.value
    panel.chooser.value = "one-lock"
    panel.claim.click()
    assert "Right, and proved: all 16 interleavings" in panel.verdict.value and not panel.opponent.value
    assert "One lock around everything: impossible, claimed by you and proved" in panel.score.value


def test_hints_are_folded_and_every_part_has_its_class(panel: GamePanel) -> None:
    assert re.findall(r"<details><summary>(Hint \d)</summary>", panel.hints.value) == [
        "Hint 1",
        "Hint 2",
        "Hint 3",
    ]
    found = set(panel._dom_classes)
    for child in panel.children:
        found |= set(child._dom_classes)
        for inner in getattr(child, "children", ()):
            found |= set(inner._dom_classes)
    names = (
        "game",
        "level",
        "story",
        "explorer",
        "claim",
        "verdict",
        "hints",
        "opponent",
        "score",
        "scheduler",
    )
    assert {f"ss-{name}" for name in names} <= found


def test_nothing_says_beforehand_which_level_is_impossible(panel: GamePanel) -> None:
    for one in LEVELS:
        panel.chooser.value = one.name
        shown = (
            panel.story.value + panel.scheduler.goal.value + panel.scheduler.count.value + panel.score.value
        )
        assert "impossible" not in shown.lower() and "no schedule" not in shown.lower()


def test_static_text_holds_every_level_without_widgets() -> None:
    shown = fallback(LEVELS)
    for one in LEVELS:
        assert (
            f"<details><summary>{one.title}</summary>" in shown and f"level(&quot;{one.name}&quot;)" in shown
        )
    assert shown.count("<summary>Solution</summary>") == len(LEVELS)
    assert shown.count("No schedule does it: all ") == 2


def test_one_level_is_a_scene_without_a_chooser_and_the_first_one_gives_anna_the_coffee() -> None:
    scene = game_panel("coffee")
    shown = [child for child in scene.children if child.layout.display != "none"]
    assert scene.chooser not in shown and scene.claim not in shown and scene.scheduler is scene.table.children[0]
    press(scene, "anna", "ben*2", "anna")
    assert "Anna gets &#x27;coffee&#x27;. Ben gets &#x27;coffee&#x27;." in scene.scheduler.banner.value
    assert 'data-field="slip" data-writer="ben"' in scene.scheduler.board.value


def test_game_panel_takes_names_and_has_its_text_for_a_page_without_a_kernel() -> None:
    made = game_panel("two-locks", "one-lock")
    assert isinstance(made, GamePanel) and "Without buttons" in made._repr_mimebundle_()["text/html"]
    assert [value for _, value in made.chooser.options] == ["two-locks", "one-lock"]
    press(made, "red*3", "blue*3")
    assert "<b>1 of 2</b>" in made.score.value
    with pytest.raises(ScenarioError, match="no level is called 'x'"):
        game_panel("x")

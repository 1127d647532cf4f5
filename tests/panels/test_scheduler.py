"""You are the scheduler: the rules without a widget, then the panel, played by its buttons."""

from __future__ import annotations

import subprocess
import sys
import threading

from sharedstate import palette
from sharedstate.game import switches
from sharedstate.interleave import Scenario
from sharedstate.interleave.trace import Step
from sharedstate.panels.board import board_html, fields
from sharedstate.panels.scheduler import SchedulerPanel, fallback, scheduler_panel, slug
from sharedstate.panels.scheduler_game import SchedulerGame
from tests.panels.rooms import FakeRoom, checker_room, play, two_locks_room, visit


def test_the_goal_in_two_switches_is_the_best_there_is() -> None:
    game = SchedulerGame(checker_room())
    assert game.best == 2
    play(game, "maaaammm")
    now = game.snapshot()
    assert now.won and now.over
    assert now.switches == 2 == now.trace.switches


def test_a_schedule_without_a_switch_in_the_window_does_not_win() -> None:
    game = SchedulerGame(checker_room())
    play(game, "aaaammmm")
    now = game.snapshot()
    assert now.over and not now.won


def test_a_fixed_checker_has_no_solution_and_auto_says_so() -> None:
    game = SchedulerGame(FakeRoom(checker_room().programs, lambda state, answers: False))
    assert game.best is None
    assert "no schedule reaches the goal" in game.auto().message
    assert game.snapshot().trace.schedule == ()
    assert game.solved() is None


def test_auto_finishes_from_where_the_player_stands() -> None:
    game = SchedulerGame(checker_room())
    play(game, "ma")
    now = game.auto()
    assert now.won and now.trace.schedule[:2] == ("mallory", "alice")


def test_auto_after_the_goal_is_lost_changes_nothing() -> None:
    game = SchedulerGame(checker_room())
    play(game, "aaaamm")
    before = game.snapshot().trace.schedule
    assert "Undo a step" in game.auto().message
    assert game.snapshot().trace.schedule == before


def test_undo_and_reset() -> None:
    game = SchedulerGame(checker_room())
    assert "Nothing to undo" in game.undo().message
    play(game, "ma")
    assert game.undo().trace.schedule == ("mallory",)
    assert game.reset().trace.schedule == ()


def test_a_click_that_comes_too_late_is_refused_with_the_reason() -> None:
    game = SchedulerGame(checker_room())
    play(game, "aaaa")
    now = game.step("alice")
    assert now.message == "alice cannot move: has finished."
    assert len(now.trace.schedule) == 4
    assert "mallory2 cannot move" in game.step("mallory2").message


def test_a_blocked_thread_says_what_it_waits_for_and_a_deadlock_is_named() -> None:
    game = SchedulerGame(two_locks_room())
    play(game, "l")
    assert all(seat.enabled for seat in game.snapshot().seats)
    play(game, "r")
    now = game.snapshot()
    assert now.over and not now.won and now.trace.verdict == "deadlock"
    assert [seat.preview for seat in now.seats] == ["waits for the lock"] * 2


def test_a_preview_says_what_comes_next_and_never_the_value() -> None:
    game = SchedulerGame(checker_room())
    seats = {seat.name: seat.preview for seat in game.snapshot().seats}
    assert seats == dict.fromkeys(("alice", "mallory"), "next writes board: write board")


def test_predictions_offer_the_true_value_among_others_and_reveal_it_afterwards() -> None:
    game = SchedulerGame(checker_room())
    assert game.snapshot().questions == (), "nobody has written: there is nothing to choose from"
    play(game, "ma")
    asked = [q for q in game.snapshot().questions if q[0] == "mallory"]
    assert asked == [("mallory", "board", "'guess'"), ("mallory", "board", "'s3cret'")]
    game.predict("mallory", "'guess'")
    now = game.step("mallory")
    assert now.message == "mallory reads board 's3cret'. You predicted 'guess': not so."
    assert (now.right, now.asked) == (0, 1)
    game.undo()
    game.predict("mallory", "'s3cret'")
    now = game.step("mallory")
    assert now.message.endswith("You predicted 's3cret': right.") and (now.right, now.asked) == (1, 2)


def test_a_prediction_that_was_not_offered_counts_nothing() -> None:
    game = SchedulerGame(checker_room())
    play(game, "ma")
    game.predict("mallory", "'something else'")
    assert game.step("mallory").asked == 0


def test_looking_ahead_does_not_move_the_game() -> None:
    game = SchedulerGame(checker_room())
    play(game, "ma")
    for _ in range(5):
        assert game.snapshot().trace.schedule == ("mallory", "alice")


def test_clicks_from_many_threads_at_once_leave_a_legal_game() -> None:
    game = SchedulerGame(checker_room())
    panel = SchedulerPanel(game)
    start = threading.Barrier(6)
    failed: list[BaseException] = []

    def hammer(k: int) -> None:
        start.wait()
        try:
            for _ in range(6):
                (panel.steps["alice"] if k % 2 else panel.steps["mallory"]).click()
                if k == 0:
                    panel.undo.click()
        except BaseException as error:
            failed.append(error)

    workers = [threading.Thread(target=hammer, args=(k,)) for k in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failed
    now = game.snapshot()
    assert now.trace.schedule.count("alice") <= 4 and now.trace.schedule.count("mallory") <= 4
    assert f"<b>{now.switches}</b>" in panel.count.value
    assert panel.picture.value.count("data-step=") == len(now.trace.schedule)


def test_a_move_waits_while_another_is_being_made() -> None:
    game = SchedulerGame(checker_room())
    inside, go_on = threading.Event(), threading.Event()
    plain = game._session.step

    def slow(name: str) -> Step:
        inside.set()
        go_on.wait(10)
        return plain(name)

    game._session.step = slow
    first = threading.Thread(target=game.step, args=("mallory",))
    first.start()
    inside.wait(10)
    second = threading.Thread(target=game.undo)
    second.start()
    second.join(0.2)
    waited = second.is_alive()
    go_on.set()
    first.join(10)
    second.join(10)
    assert waited, "the undo ran in the middle of a step"
    assert game.snapshot().trace.schedule == ()


# The panel


def test_played_by_its_buttons_to_the_goal() -> None:
    panel = SchedulerPanel(SchedulerGame(checker_room()), "let Mallory in")
    assert "let Mallory in" in panel.goal.value
    assert panel.undo.disabled and not panel.auto.disabled and panel.picture.value == ""
    for name in ("mallory", *["alice"] * 4):
        panel.steps[name].click()
    assert panel.steps["alice"].disabled and not panel.steps["mallory"].disabled
    assert "has finished" in panel.steps["alice"].tooltip
    for _ in range(3):
        panel.steps["mallory"].click()
    assert "Goal reached in 2 switches: nobody can do it in fewer." in panel.banner.value
    assert "You did it!" in panel.banner.value and "Mallory gets True." in panel.banner.value
    assert "Switches: <b>2</b> (best possible 2)" in panel.count.value
    assert "token-1" in panel.token.value
    assert panel.picture.value.count("data-step=") == 8
    assert panel.auto.disabled


def test_the_token_waits_for_the_end() -> None:
    panel = SchedulerPanel(SchedulerGame(checker_room()))
    panel.steps["mallory"].click()
    assert panel.token.value == ""
    panel.auto.click()
    assert "token-1" in panel.token.value
    panel.undo.click()
    assert panel.token.value == "" and not panel.auto.disabled
    panel.reset.click()
    assert panel.picture.value == "" and panel.undo.disabled


def test_a_goal_reached_with_a_detour_names_the_best() -> None:
    panel = SchedulerPanel(SchedulerGame(checker_room()))
    for name in ("alice", "mallory", *["alice"] * 1, "alice", "alice", *["mallory"] * 3):
        panel.steps[name].click()
    assert "not reached. Undo a step, or reset." in panel.status.value and panel.banner.value == ""
    panel.reset.click()
    for letter in "mamaaamm":
        panel.steps[{"m": "mallory", "a": "alice"}[letter]].click()
    assert "Goal reached in 4 switches: it can be done in 2." in panel.banner.value
    panel.undo.click()
    assert panel.banner.value == ""


def test_prediction_by_the_menu() -> None:
    panel = SchedulerPanel(SchedulerGame(checker_room()))
    assert panel.guess.disabled
    panel.steps["mallory"].click()
    panel.steps["alice"].click()
    assert ("mallory will read board = 'guess'", ("mallory", "'guess'")) in panel.guess.options
    panel.guess.value = ("mallory", "'guess'")
    panel.steps["mallory"].click()
    assert "You predicted &#x27;guess&#x27;: not so." in panel.status.value
    assert "predictions right: 0 of 1" in panel.count.value
    assert panel.guess.value == ("", "")


def test_a_prediction_is_dropped_when_somebody_else_moves_first() -> None:
    panel = SchedulerPanel(SchedulerGame(checker_room()))
    panel.steps["mallory"].click()
    panel.steps["alice"].click()
    panel.guess.value = ("mallory", "'guess'")
    panel.steps["alice"].click()
    panel.steps["mallory"].click()
    assert "predicted" not in panel.status.value and "predictions" not in panel.count.value


def test_every_part_has_its_class() -> None:
    panel = SchedulerPanel(SchedulerGame(checker_room()))
    found = set(panel._dom_classes)
    for child in panel.children:
        found |= set(child._dom_classes)
        for inner in getattr(child, "children", ()):
            found |= set(inner._dom_classes)
    wanted = {"scheduler", "goal", "step-alice", "step-mallory", "undo", "reset", "auto", "predict", "next"}
    wanted |= {"banner", "board-view", "status", "count", "trace-view", "token"}
    assert {f"ss-{name}" for name in wanted} <= found
    assert slug("Worker 1!") == "worker-1" and slug("口") == "thread"


def test_hostile_text_is_escaped_everywhere() -> None:
    hostile = "<script>alert(1)</script>"
    room = FakeRoom(
        {hostile: visit(hostile, hostile), "m": visit("m", "s3cret")}, lambda state, answers: False
    )
    game = SchedulerGame(room)
    panel = SchedulerPanel(game, hostile)
    for _ in range(2):
        panel.steps[hostile].click()
        panel.steps["m"].click()
    for part in (panel.goal, panel.board, panel.next, panel.status, panel.count, panel.picture, panel.token):
        assert "<script" not in part.value
    assert "<script" not in fallback(game, hostile)


def test_static_text_teaches_without_widgets() -> None:
    shown = fallback(SchedulerGame(checker_room()), "let Mallory in")
    assert "let Mallory in" in shown and "room.play(" in shown
    assert "<details><summary>Show a schedule with 2 switches" in shown
    assert shown.count("data-step=") == 8
    fixed = FakeRoom(checker_room().programs, lambda state, answers: False)
    assert "No schedule reaches this goal" in fallback(SchedulerGame(fixed), "x")


def test_scheduler_panel_returns_the_panel_and_its_static_text_for_a_page_without_a_kernel() -> None:
    panel = scheduler_panel(checker_room(), goal="let Mallory in")
    assert isinstance(panel, SchedulerPanel)
    assert "You are the scheduler" in panel._repr_mimebundle_()["text/html"]


def test_the_board_is_drawn_in_the_colour_of_its_last_writer() -> None:
    panel = SchedulerPanel(SchedulerGame(checker_room()))
    assert 'data-field="board" data-writer=""' in panel.board.value and "nobody has written" in panel.board.value
    panel.steps["mallory"].click()
    assert 'data-writer="mallory"' in panel.board.value and palette.owner(1) in panel.board.value
    panel.steps["alice"].click()
    assert 'data-writer="alice"' in panel.board.value and "s3cret" in panel.board.value
    assert palette.owner(0) in panel.board.value and palette.owner(1) not in panel.board.value
    panel.steps["mallory"].click()
    assert "mallory read it" in panel.board.value
    panel.undo.click()
    assert "mallory read it" not in panel.board.value


def test_a_lock_says_who_holds_it_and_a_first_read_shows_what_was_there() -> None:
    def step(who: str, kind: str, target: str, value: str | None = None) -> Step:
        return Step(who, kind, target, value, 1, "", "")

    lock, correct = fields([step("ann", "acquire", "C.lock"), step("ben", "read", "C.correct", "'s3cret'")])
    assert (lock.value, lock.writer) == ("held", "ann")
    assert (correct.value, correct.writer, correct.reader) == ("'s3cret'", None, "ben")
    (free,) = fields([step("ann", "acquire", "C.lock"), step("ann", "release", "C.lock")])
    assert free.value == "free" and "ann</b> gave it back" in board_html([free], ["ann"])
    assert board_html([], ["ann"]) == ""


def test_the_rules_need_no_widgets() -> None:
    code = "import sys, sharedstate.panels.scheduler_game; print('ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_switches_are_counted_between_different_threads() -> None:
    assert [switches(list(s)) for s in ("", "a", "aab", "abab")] == [0, 0, 1, 3]


# On the explorer itself


class Checker:
    """The article's shape, without the loop."""

    def __init__(self) -> None:
        self.board, self.result = "", False

    def check(self, word: str) -> bool:
        self.board = word
        self.result = self.board == "s3cret"
        return self.result


class LockedChecker(Checker):
    """The same behind a lock."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    def check(self, word: str) -> bool:
        with self.lock:
            self.board = word
            self.result = self.board == "s3cret"
            return self.result


def explored(checker: type[Checker]) -> Scenario:
    return Scenario(
        setup=checker,
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda state, answers: answers["mallory"] is True,
    )


def test_the_panel_plays_a_real_scenario_to_the_goal() -> None:
    room = explored(Checker)
    panel = SchedulerPanel(SchedulerGame(room))
    panel.steps["mallory"].click()
    panel.steps["alice"].click()
    assert ("mallory will read board = 'guess'", ("mallory", "'guess'")) in panel.guess.options
    while not panel.steps["alice"].disabled:
        panel.steps["alice"].click()
    panel.auto.click()
    assert "Goal reached in 2 switches: nobody can do it in fewer." in panel.banner.value
    token = panel.game.snapshot().trace.token
    assert room.replay(token).violated
    panel.reset.click()
    assert panel.picture.value == ""


def test_a_real_lock_blocks_the_other_and_leaves_no_way_to_the_goal() -> None:
    game = SchedulerGame(explored(LockedChecker))
    assert game.best is None
    for name in ("alice", "alice", "mallory"):  # reading self.lock is a step of its own
        now = game.step(name)
    mallory = next(seat for seat in now.seats if seat.name == "mallory")
    assert not mallory.enabled and "lock" in mallory.preview
    assert f"mallory cannot move: {mallory.preview}." == game.step("mallory").message

"""Every right answer earns all points in the kernel, with `check` and with `check --isolated`; wrong ones none of them.

A sample in the default tier; the whole bank in the exhaustive one.
"""

from __future__ import annotations

import pytest

from sharedstate import paths
from sharedstate.checks import Registry
from sharedstate.checks.bank import right_answers, wrong_answers
from sharedstate.checks.registry import Room

from .three_ways import graded, in_kernel

LABS = [name for name, folder in paths.units().items() if (folder / "lab.py").exists()]
ROOMS = [room for unit in LABS for room in Registry().rooms(unit)]
SAMPLE = ("02.3", "04.2")
TRIED = "\nfor _try in range(2):\n    print(_try, {answer})\nassert {answer} is not None\n"
HELPER = "# ---- cell\nimport itertools\nimport logging\n# ---- cell\n{text}"


def require_all_points(room: Room, every: bool) -> None:
    """Judge right answers on the three paths; one with trial lines under it, one in a cell below the untouched one."""
    exercise, texts = room.load(), {one.place: one.source for one in right_answers(room.folder)}
    name, text = next(iter(texts.items()))
    texts = texts if every else {name: text}
    texts["tried out"] = text + TRIED.format(answer=exercise.answer)
    for below in (False, True):
        for label, verdict in in_kernel(room.id, texts, 7, below):
            assert verdict.ok and verdict.points == exercise.points, f"kernel, {label}: {verdict}"
    for label, source in texts.items():
        for isolated in (False, True):
            verdict = graded(room.id, source, 7, isolated, below=label == "tried out")
            assert verdict.ok and verdict.points == exercise.points, f"{label}, isolated {isolated}: {verdict}"


@pytest.mark.parametrize("room", [room for room in ROOMS if room.id in SAMPLE], ids=lambda room: room.id)
def test_a_right_answer_earns_all_points_on_every_path(room: Room) -> None:
    require_all_points(room, every=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.id)
def test_every_right_answer_earns_all_points_on_every_path(room: Room) -> None:
    require_all_points(room, every=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.id)
def test_every_wrong_answer_gets_the_same_points_on_every_path(room: Room) -> None:
    for one in wrong_answers(room.folder):
        kernel = next(verdict for _, verdict in in_kernel(room.id, {one.place: one.source}, 7))
        found = [kernel, *(graded(room.id, one.source, 7, isolated) for isolated in (False, True))]
        assert not any(verdict.ok for verdict in found) and len({verdict.points for verdict in found}) == 1, found

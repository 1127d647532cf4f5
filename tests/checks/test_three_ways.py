"""Every right answer earns all points in the kernel, with `check` and with `check --isolated`; wrong ones none of them.

Two exercises in the default tier; in the exhaustive one all right answers of every exercise, and a wrong one.
"""

from __future__ import annotations

import pytest

from sharedstate import paths
from sharedstate.checks import Registry
from sharedstate.checks.bank import right_answers, wrong_answers
from sharedstate.checks.registry import Room

from .three_ways import graded, graded_in_turn, in_kernel

LABS = [name for name, folder in paths.units().items() if (folder / "lab.py").exists()]
ROOMS = [room for unit in LABS for room in Registry().rooms(unit)]
SAMPLE = ("02.3", "04.2")
TRIED = "\nfor _try in range(2):\n    print(_try, {answer})\nassert {answer} is not None\n"


def require_all_points(room: Room, every: bool) -> None:
    """Judge right answers on the three paths; one of them again with trial lines, in a cell below the untouched one."""
    exercise, texts = room.load(), {one.place: one.source for one in right_answers(room.folder)}
    text = next(iter(texts.values()))
    texts = texts if every else dict([*texts.items()][:1])
    texts["tried out"] = text + TRIED.format(answer=exercise.answer)
    found = [(name, "kernel", verdict) for name, verdict in in_kernel(room.id, texts, 7, {"tried out"})]
    found += graded_in_turn(room.id, texts, 7, {"tried out"})
    assert len(found) == 3 * len(texts)
    amiss = [one for one in found if not one[2].ok or one[2].points != exercise.points]
    assert amiss == []


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
    for one in wrong_answers(room.folder)[:1]:
        kernel = next(verdict for _, verdict in in_kernel(room.id, {one.place: one.source}, 7))
        found = [kernel, *(graded(room.id, one.source, 7, isolated) for isolated in (False, True))]
        assert not any(verdict.ok for verdict in found) and len({verdict.points for verdict in found}) == 1, found

"""A mock interview: the same for the same seed, within its time, and with what it must have."""

from __future__ import annotations

import pytest

from sharedstate.drills import deck, interview
from sharedstate.drills.mock import LENGTHS, time_of

DECK = deck()


@pytest.mark.parametrize("minutes", LENGTHS)
def test_every_seed_gives_an_interview_within_its_time(minutes: int) -> None:
    seen = set()
    for seed in range(200):
        drawn = interview(DECK, minutes, seed)
        assert time_of(drawn) <= minutes and len({one.id for one in drawn}) == len(drawn)
        left = minutes - time_of(drawn)
        assert not any(one.minutes <= left for one in DECK if one not in drawn), "time is left for another drill"
        assert {1, 2} <= {one.level for one in drawn if one.kind != "aloud"}
        assert any(one.kind == "aloud" for one in drawn)
        if minutes == max(LENGTHS):
            assert any(one.level == 3 and one.kind != "aloud" for one in drawn)
            assert any(one.kind == "code" for one in drawn)
        assert [one.level for one in drawn] == sorted(one.level for one in drawn)
        seen.add(tuple(one.id for one in drawn))
    assert len(seen) > 40


def test_the_same_seed_gives_the_same_interview_whatever_the_order_of_the_deck() -> None:
    assert interview(DECK, 45, 7) == interview(DECK[::-1], 45, 7)
    assert [one.id for one in interview(DECK, 20, 7)] == PINNED_20
    assert [one.id for one in interview(DECK, 45, 7)] == PINNED_45


PINNED_20 = ["D03", "D10", "D16"]
PINNED_45 = ["D05", "D09", "D16", "D20", "D23"]


@pytest.mark.parametrize("minutes", [0, 19, 60])
def test_another_length_is_refused(minutes: int) -> None:
    with pytest.raises(ValueError, match="20 or 45"):
        interview(DECK, minutes, 1)


def test_a_deck_that_is_too_small_is_said() -> None:
    with pytest.raises(ValueError, match="does not fill"):
        interview([one for one in DECK if one.level == 1], 45, 1)

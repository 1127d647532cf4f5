"""An interpreter without threads, such as the browser's: everything works but the confirmation, which says so."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading

import pytest

from sharedstate.interleave import Scenario


class Counter:
    """Counts; the plain one loses updates."""

    def __init__(self) -> None:
        self.n, self.lock = 0, threading.Lock()

    def add(self) -> None:
        """Read, then write."""
        self.n += 1

    def add_locked(self) -> None:
        """The same, with nobody in between."""
        with self.lock:
            self.n += 1


def scenario(method: str) -> Scenario:
    """Two threads that call the method."""
    return Scenario(
        Counter, dict.fromkeys(("ann", "ben"), lambda c: getattr(c, method)()), never=lambda c, answers: c.n != 2
    )


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every start of a thread fail, as it does in a browser."""

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)


def test_a_race_is_found_and_drawn_but_not_confirmed() -> None:
    result = scenario("add").explore()
    assert result.verdict == "broken" and result.outcomes
    trace = result.minimal
    assert trace.violated and not trace.confirmed and len(trace.steps) == 4 and sum(s.blame for s in trace.steps) == 2
    assert "4 steps, not confirmed: no threads here\n  token" in str(result)
    assert "note      not confirmed: no threads here" in str(trace) and "confirmed on" not in str(trace)
    assert result.report().count("no threads here") == 1


def test_a_lock_is_proved_without_the_second_witness() -> None:
    result = scenario("add_locked").explore()
    assert result.verdict == "proved" and result.coverage == "2 of 2 classes"
    assert not result.witness.ran and result.second.startswith("no second witness: no threads here")
    assert "no second witness: no threads here" in str(result)


def test_schedules_are_played_and_replayed() -> None:
    played = scenario("add").play(["ann", "ben*", "ann*"])
    assert played.verdict == "broken" and not played.confirmed and played.notes == ("not confirmed: no threads here",)
    again = scenario("add").replay(played.token)
    assert again.schedule == played.schedule and again.notes == played.notes


def test_real_threads_are_refused_with_the_reason() -> None:
    token = scenario("add").play(["ann*", "ben*"]).token
    with pytest.raises(RuntimeError, match="no threads here"):
        scenario("add").replay(token, on="threads")


def test_without_a_real_event_loop_the_verdict_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no sockets")

    class Gap:
        word = ""

        async def check(self, word: str) -> bool:
            self.word = word
            await asyncio.sleep(0)
            return self.word == word

    async def one(gap: Gap) -> bool:
        return await gap.check("one")

    async def two(gap: Gap) -> bool:
        return await gap.check("two")

    monkeypatch.setattr(socket, "socketpair", refuse)
    found = Scenario(Gap, {"one": one, "two": two}, never=lambda gap, answers: False in answers.values()).explore()
    assert found.verdict == "broken" and not found.minimal.confirmed
    assert found.minimal.notes == ("not confirmed: no real event loop here",)


def test_a_system_that_does_not_number_its_threads_is_enough() -> None:
    code = "import threading\ndel threading.Thread.native_id\nimport sharedstate.interleave"
    subprocess.run([sys.executable, "-c", code], check=True)

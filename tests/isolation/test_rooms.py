"""The rooms tell racy programs from repaired ones, the grains' table is the explorer's, the attack is certain."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar
from dataclasses import dataclass, field

import pytest

from sharedstate.isolation import (
    QuietPage,
    attack,
    cancelled,
    crowd,
    grains,
    logins,
    pooled,
    prove,
    queued,
    serve_sessions,
    tasks,
    transfers,
    visit,
)

VISITOR = ContextVar("visitor")


class Racy:
    """The word on self."""

    def __init__(self, correct: str) -> None:
        self.correct, self.word = correct, ""

    def check(self, word: str) -> bool:
        self.word = word
        return self.word == self.correct


class Local(Racy):
    """The word is an argument."""

    def check(self, word: str) -> bool:
        return word == self.correct


class RacyTask(Racy):
    """An await between write and read."""

    async def check(self, word: str) -> bool:
        self.word = word
        await asyncio.sleep(0)
        return self.word == self.correct


class LocalTask(Racy):
    """An await, and nothing shared."""

    async def check(self, word: str) -> bool:
        await asyncio.sleep(0)
        return word == self.correct


class Login:
    """Nothing but an argument, or a field."""

    def __init__(self) -> None:
        self.prefix, self.last = "login of ", ""

    def process(self, user: str) -> str:
        return self.prefix + user


class SharedLogin(Login):
    """The user on self."""

    def process(self, user: str) -> str:
        self.last = user
        return self.prefix + self.last


class Moves:
    """Two locks in two orders."""

    def __init__(self) -> None:
        self.a, self.b, self.moved = threading.Lock(), threading.Lock(), 0

    def there(self) -> None:
        with self.a, self.b:
            self.moved += 1

    def back(self) -> None:
        with self.b, self.a:
            self.moved -= 1


class Ordered(Moves):
    """Two locks in one order."""

    def back(self) -> None:
        with self.a, self.b:
            self.moved -= 1


class Unlocked(Moves):
    """One of the two takes no lock."""

    def back(self) -> None:
        self.moved -= 1


@pytest.mark.parametrize(("room", "kind", "verdict"), [
    (visit, Racy, "broken"), (visit, Local, "proved"), (tasks, RacyTask, "broken"), (tasks, LocalTask, "proved"),
    (logins, SharedLogin, "broken"), (logins, Login, "proved"), (transfers, Moves, "deadlock"),
    (transfers, Ordered, "proved"), (transfers, Unlocked, "broken"),
])  # fmt: skip
def test_a_room_tells_the_racy_from_the_repaired(room: object, kind: type, verdict: str) -> None:
    assert room(kind).explore("dpor").verdict == verdict


class Wire:
    """One connection; a reply that nobody read stays in it."""

    def __init__(self) -> None:
        self.replies = []

    async def ask(self, name: str) -> str:
        self.replies.append("for " + name)
        await asyncio.sleep(0)
        return self.replies.pop(0)


class Answer(Wire):
    """A reply that lies in no shared place."""

    async def ask(self, name: str) -> str:
        self.replies.append(name)
        await asyncio.sleep(0)
        return "for " + name


class Desk:
    """The name of whoever asked first stays with the desk; the worker has nothing to do."""

    keeps = True

    def __init__(self) -> None:
        self.name = None

    async def worker(self) -> None:
        await asyncio.sleep(0)

    async def ask(self, name: str | None) -> str | None:
        if name is not None and self.keeps:
            self.name = name
        await asyncio.sleep(0)
        return self.name if self.keeps else name


class CleanDesk(Desk):
    """It keeps nothing."""

    keeps = False


class Server(Racy):
    """A pool in name only."""

    def __init__(self) -> None:
        self.user = None

    def ask(self, name: str | None) -> str | None:
        if name is not None:
            self.user = name
        return self.user


class CleanServer(Server):
    """It keeps nothing."""

    def ask(self, name: str | None) -> str | None:
        self.user = "somebody"
        return name


@pytest.mark.parametrize(("room", "bad", "good"), [
    (cancelled, Wire, Answer), (queued, Desk, CleanDesk), (pooled, Server, CleanServer),
])  # fmt: skip
def test_what_stays_behind_is_found(room: object, bad: type, good: type) -> None:
    assert room(bad).explore("dpor").verdict == "broken"
    assert room(good).explore("dpor").verdict == "proved"


def test_prove_prints_a_line_each_and_returns_the_results(capsys: pytest.CaptureFixture) -> None:
    found = prove(visit, Racy, Local)
    assert list(found) == ["Racy", "Local"]
    assert [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()] == [
        ["Racy", "broken (all 4 classes tried)"], ["Local", "proved: the only class"]]


def test_a_crowd_counts_every_wrong_passcode_that_passes() -> None:
    assert asyncio.run(crowd(RacyTask, rounds=3)) == 12
    assert asyncio.run(crowd(LocalTask, rounds=3)) == 0


@dataclass
class Store:
    """A store of one depth."""

    depth: int
    words: dict = field(default_factory=dict)

    def job(self, who: tuple) -> tuple:
        self.words[who[:self.depth]] = who
        return self.words[who[:self.depth]]


class Shared(Store):
    """A store that has one place whatever its depth."""

    def job(self, who: tuple) -> tuple:
        self.words["all"] = who
        return self.words["all"]


def test_the_table_of_grains() -> None:
    table = grains(Store)
    assert [list(row.values()) for row in table.values()] == [
        ["leaks", "fits", "wastes", "wastes"], ["leaks", "leaks", "fits", "wastes"],
        ["leaks", "leaks", "leaks", "fits"]]
    assert {word for row in grains(Shared).values() for word in row.values()} == {"leaks"}


def test_connections_are_counted_by_grain() -> None:
    assert " 40 opened" in serve_sessions("session") and "160 opened" in serve_sessions("query")
    with pytest.raises(ValueError, match="choose one of thread"):
        serve_sessions("galaxy")


class SharedPage(QuietPage):
    """The path on the server."""

    def do_GET(self) -> None:
        self.server.path = self.path
        self.server.meeting.wait()
        self.answer(self.server.path)


class OwnPage(QuietPage):
    """The path in a context variable."""

    def do_GET(self) -> None:
        token = VISITOR.set(self.path)
        self.server.meeting.wait()
        self.answer(VISITOR.get())
        VISITOR.reset(token)


class BrokenPage(QuietPage):
    """A page that gives no answer."""

    def do_GET(self) -> None:
        self.close_connection = True


def test_the_attack_is_certain_and_leaves_no_thread() -> None:
    before = threading.active_count()
    assert attack(SharedPage, rounds=4) == 4
    assert attack(SharedPage, names=("a", "b", "c"), rounds=2) == 4
    assert attack(OwnPage, rounds=4) == 0
    assert threading.active_count() <= before + 1


def test_a_bad_attack_says_so() -> None:
    with pytest.raises(ValueError, match="at least one name"):
        attack(OwnPage, names=())
    with pytest.raises(ValueError, match="rounds from 1"):
        attack(OwnPage, rounds=0)
    with pytest.raises(ConnectionError):
        attack(BrokenPage, rounds=1)

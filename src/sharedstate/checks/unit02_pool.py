"""Exercise 02.4: a request context in threads that are used again."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

from sharedstate.checks.types import Case, Exercise, Verdict

USERS = ("ann", "ben", "cleo", "dora", "emil")
WAIT = 2.0
ONE_BY_ONE = "one by one"
SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "one request": ("wrong-user", "Inside the job, `mine.user` should be the request's user, and request() should "
                                  "return what the job returns."),
    "a falsy answer": ("answer-lost", "request() should return what the job returns, whatever that is."),
    "the next job of the thread": ("left-behind", "After the request, the next job of the same thread still finds "
                                                  "its user."),
    "a guest comes next": ("guest-is-somebody", "A request without a user (None) saw the user of the request before."),
    "the job raises": ("left-after-raise", "The job raised, and its user stayed behind in the thread."),
    "one inside the other": ("outer-lost", "A request inside a request: afterwards the outer one should see its own "
                                           "user again."),
    "two threads at once": ("threads-mix", "Two requests in two threads saw each other's user."),
})


class RequestInAPool(Exercise):
    """The answer is request(mine, user, job): run job() with mine.user set, and leave nothing behind."""

    id = "02.4"
    title = "A request context in a pool"
    answer = "request"
    minutes = 10
    difficulty = 2
    points = 2.0
    expects = "a function"
    seconds = 20.0
    judge_source = True
    imports = ("threading", "contextlib", "contextvars", "dataclasses", "concurrent.futures")

    def cases(self, seed: int) -> list[Case]:
        """One for each thing that can stay behind, with users drawn from the seed."""
        draw = random.Random(f"02.4:{seed}")
        return [Case(label, {"kind": label, "users": draw.sample(USERS, 2)}, visible=label == "one request")
                for label in SAYS]

    def run(self, answer: object, case: Case) -> object:
        """Play the case in a pool, and return who was seen where."""
        one, two = case["users"]
        return _PLAYS[case["kind"]](_Desk(answer), one, two)

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with what each place should have seen."""
        one, two = case["users"]
        wanted = {
            "one request": [one], "a falsy answer": [0, [], None], "the next job of the thread": [one, None],
            "a guest comes next": [one, None], "the job raises": ["KeyError: 'torn page'", None],
            "one inside the other": [two, one, None], "two threads at once": [one, two],
        }[case["kind"]]
        if type(value) is not list:
            return self.wrong("wrong-shape", "Nothing could be seen of this run.")
        if case["kind"] == "the job raises" and value[:1] != wanted[:1]:
            return self.wrong("swallowed", "The job raised KeyError('torn page'), and the caller of request() got "
                                           f"{value[:1]}. Pass the exception on.")
        if value == [ONE_BY_ONE]:
            return self.wrong("one-by-one", "Two requests in two threads: the second had to wait for the first to end. "
                                            "Each thread has a `mine` of its own, so nobody has to wait.")
        if value != wanted or [type(v) for v in value] != [type(v) for v in wanted]:
            reason, said = SAYS[case.label]
            return self.wrong(reason, f"{said} Expected {wanted}, got {value}.")
        return self.right("The thread lives on, and nothing of the request does.")


class _Desk:
    """One pool's thread-local, and a request function over it."""

    def __init__(self, request: Callable) -> None:
        self.request, self.mine = request, threading.local()

    def see(self) -> object:
        """The user that this thread finds now; None for nobody."""
        return getattr(self.mine, "user", None)

    def ask(self, user: object, job: Callable[[], object]) -> object:
        """One request."""
        return self.request(self.mine, user, job)

    def in_turn(self, *jobs: Callable[[], object]) -> list:
        """Run jobs one after the other in one thread; an exception becomes its text."""
        with ThreadPoolExecutor(1) as pool:
            return [_told(pool, job) for job in jobs]


def _told(pool: ThreadPoolExecutor, job: Callable[[], object]) -> object:
    try:
        return pool.submit(job).result(WAIT)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _raise() -> None:
    raise KeyError("torn page")


def _one(desk: _Desk, one: str, two: str) -> list:
    return desk.in_turn(lambda: desk.ask(one, desk.see))


def _falsy(desk: _Desk, one: str, two: str) -> list:
    return desk.in_turn(*(lambda v=value: desk.ask(one, lambda: v) for value in (0, [], None)))


def _next(desk: _Desk, one: str, two: str) -> list:
    return desk.in_turn(lambda: desk.ask(one, desk.see), desk.see)


def _guest(desk: _Desk, one: str, two: str) -> list:
    desk.in_turn(lambda: setattr(desk.mine, "user", None))
    return desk.in_turn(lambda: desk.ask(one, desk.see), lambda: desk.ask(None, desk.see))


def _raises(desk: _Desk, one: str, two: str) -> list:
    return desk.in_turn(lambda: desk.ask(one, _raise), desk.see)


def _inside(desk: _Desk, one: str, two: str) -> list:
    def outer() -> list:
        return [desk.ask(two, desk.see), desk.see()]

    seen, after = desk.in_turn(lambda: desk.ask(one, outer), desk.see)
    return [*seen, after] if type(seen) is list else [seen, after]


def _two(desk: _Desk, one: str, two: str) -> list:
    meeting = threading.Barrier(2, timeout=WAIT)

    def job() -> object:
        meeting.wait()
        seen = desk.see()
        meeting.wait()
        return seen

    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(desk.ask, user, job) for user in (one, two)]
        try:
            return [future.result(2 * WAIT) for future in waiting]
        except threading.BrokenBarrierError:
            return [ONE_BY_ONE]


_PLAYS: Mapping[str, Callable] = MappingProxyType({
    "one request": _one, "a falsy answer": _falsy, "the next job of the thread": _next, "a guest comes next": _guest,
    "the job raises": _raises, "one inside the other": _inside, "two threads at once": _two,
})

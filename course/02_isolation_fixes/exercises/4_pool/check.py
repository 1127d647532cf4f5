"""Exercise 02.4: a request context in threads that are used again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import Slips, SlipTable

WAIT = 2.0
ONE_BY_ONE = "one by one"
AMONG = "two threads, one inside the other in each"
FALSY: tuple[object, ...] = (0, [], None)
USERS = ("ann", "ben", "cleo", "dora", "emil")
SLIPS: Slips = MappingProxyType({
    "one request": ("wrong-user", "Inside the job, `mine.user` should be the request's user, and request() should "
                                  "return what the job returns."),
    "a falsy answer": ("answer-lost", "request() should return what the job returns, whatever that is."),
    "odd users": ("user-changed", "A user may be any value, also 0 or an empty text, and the job should see it as it "
                                  "is."),
    "how often the job runs": ("runs-again", "The job should run once, whether it raises or not."),
    "the next job of the thread": ("left-behind", "After the request, the next job of the same thread still finds "
                                                  "its user."),
    "what else stays": ("left-elsewhere", "After the request, its user still lies in `mine`, under another name."),
    "what lies there already": ("loses-the-rest", "Another part of the program keeps something in `mine`, too. The "
                                                  "job should find it (so it runs in this thread), and it should be "
                                                  "there afterwards."),
    "a guest comes next": ("guest-is-somebody", "A request without a user (None) saw the user of the request before."),
    "the job raises": ("left-after-raise", "The job raised, and its user stayed behind in the thread."),
    "the job is cancelled": ("left-after-raise", "The job was cancelled (an exception that is no Exception, as on "
                                                 "Ctrl-C), and its user stayed behind in the thread."),
    "one inside the other": ("outer-lost", "A request inside a request: afterwards the outer one should see its own "
                                           "user again."),
    "a guest inside": ("guest-is-somebody", "A guest's request (None) inside a user's request: the guest's job should "
                                            "see None, and afterwards the outer one its own user."),
    "a guest in a fresh thread": ("guest-not-set", "A guest's job in a thread that never had a user reads `mine.user`: "
                                                   "it should be there, and None."),
    "an outer user that counts as false": (
        "outer-lost", "The outer user may be 0, an empty text or False: afterwards it should be there again."),
    "two threads at once": ("threads-mix", "Two requests in two threads saw each other's user."),
    AMONG: (
        "threads-mix", "Two threads at once, and in each a request inside a request: afterwards an outer one saw a "
                       "user of the other thread. What is remembered must be of one call, or lie in `mine`."),
})


class RequestInAPool(SlipTable):
    """The answer is request(mine, user, job): run job() with mine.user set, and leave nothing behind."""

    id = "02.4"
    title = "A request context in a pool"
    answer = "request"
    minutes = 10
    difficulty = 2
    points = 2.0
    expects = "a function"
    slips = SLIPS
    seconds = 10.0
    judge_source = True
    imports = ("threading", "contextlib", "contextvars", "dataclasses", "concurrent.futures")

    def cases(self, seed: int) -> list[Case]:
        """One for each thing that can stay behind, with users drawn from the seed."""
        draw = self.draw(seed)
        return [Case(label, {"kind": label, "users": draw.sample(USERS, 4)}, visible=label == "one request")
                for label in SLIPS]

    def run(self, answer: Any, case: Case) -> object:
        """Play the case in a pool, and return who was seen where."""
        return PLAYS[case["kind"]](answer, *case["users"])

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with what each place should have seen."""
        wanted = _wanted(case["kind"], *case["users"])
        if type(value) is not list:
            return self.unseen()
        if case["kind"] == "the job raises" and value[:1] != wanted[:1]:
            return self.wrong("swallowed", "The job raised KeyError('torn page'), and the caller of request() got "
                                           f"{value[:1]}. Pass the exception on.")
        if value == [ONE_BY_ONE]:
            return self.wrong("one-by-one", "Two requests in two threads: the second had to wait for the first to end. "
                                            "Each thread has a `mine` of its own, so nobody has to wait.")
        if value != wanted or [type(v) for v in value] != [type(v) for v in wanted]:
            return self.slip(case, behind=f" Expected {wanted}, got {value}.")
        return self.right("The thread lives on, and nothing of the request does.")


def _wanted(kind: str, one: str, two: str, three: str, four: str) -> list:
    """Return what should be seen."""
    wanted: dict[str, list] = {
        "one request": [one], "odd users": [0, "", False, 7], "a falsy answer": [*FALSY],
        "how often the job runs": [1, 1], "the next job of the thread": [one, None], "what else stays": [0],
        "what lies there already": [3, 3],
        "a guest comes next": [one, None], "a guest inside": [None, one], "a guest in a fresh thread": [None],
        "the job raises": ["KeyError: 'torn page'", None],
        "the job is cancelled": ["Cancelled: on its way", None], "one inside the other": [two, one, None],
        "an outer user that counts as false": [one, 0, one, "", one, False],
        "two threads at once": [one, two], AMONG: [three, one, four, two, None, None],
    }
    return wanted[kind]


class Cancelled(BaseException):
    """What ends a job without being an Exception, as a cancellation does."""


class Desk:
    """One pool's thread-local, and a request function over it."""

    def __init__(self, request: Callable) -> None:
        self.request, self.mine = request, threading.local()

    def see(self) -> object:
        """The user that this thread finds now; None for nobody."""
        return getattr(self.mine, "user", None)

    def ask(self, user: object, job: Callable[[], object]) -> Any:
        """One request."""
        return self.request(self.mine, user, job)

    def in_turn(self, *jobs: Callable[[], object]) -> list:
        """Run jobs one after the other in one thread; an exception becomes its text."""
        with ThreadPoolExecutor(1) as pool:
            return [_told(pool, job) for job in jobs]

    def left(self, user: str) -> int:
        """In how many attributes of this thread's `mine` the user can still be found."""
        return sum(user in repr(value) for value in vars(self.mine).values())


def _told(pool: ThreadPoolExecutor, job: Callable[[], object]) -> Any:
    try:
        return pool.submit(job).result(WAIT)
    except (Exception, Cancelled) as error:
        return f"{type(error).__name__}: {error}"


def _raise() -> None:
    raise KeyError("torn page")


def _cancel() -> None:
    raise Cancelled("on its way")


def _one(request: Callable, one: str, *_: str) -> list:
    desk, ran = Desk(request), list[str]()

    def job() -> object:
        ran.append(one)
        return desk.see()

    seen = desk.in_turn(lambda: desk.ask(one, job))
    if seen == [None] and not ran:
        raise AnswerProblem("untouched", "request() does not run the job yet.")
    return seen


def _odd(request: Callable, *_: str) -> list:
    desk = Desk(request)
    return desk.in_turn(*(lambda u=user: desk.ask(u, desk.see) for user in (0, "", False, 7)))


def _falsy(request: Callable, one: str, *_: str) -> list:
    desk = Desk(request)
    return desk.in_turn(*(partial(desk.ask, one, partial(copy, value)) for value in FALSY))


def _often(request: Callable, one: str, *_: str) -> list:
    """Count the runs of a job that returns, and of one that raises."""
    desk, runs = Desk(request), []

    def broken() -> None:
        runs.append("raised")
        raise KeyError("torn page")

    desk.in_turn(lambda: desk.ask(one, lambda: runs.append("returned")), lambda: desk.ask(one, broken))
    return [runs.count("returned"), runs.count("raised")]


def _next(request: Callable, one: str, *_: str) -> list:
    desk = Desk(request)
    return desk.in_turn(lambda: desk.ask(one, desk.see), desk.see)


def _stays(request: Callable, one: str, *_: str) -> list:
    desk = Desk(request)
    return desk.in_turn(lambda: desk.ask(one, desk.see), lambda: desk.left(one))[1:]


def _rest(request: Callable, one: str, *_: str) -> list:
    """What another part of the program keeps in the same thread-local, in the job and after it."""
    desk = Desk(request)

    def till() -> object:
        return getattr(desk.mine, "till", None)

    return desk.in_turn(lambda: setattr(desk.mine, "till", 3), lambda: desk.ask(one, till), till)[1:]


def _guest(request: Callable, one: str, *_: str) -> list:
    desk = Desk(request)
    desk.in_turn(lambda: setattr(desk.mine, "user", None))
    return desk.in_turn(lambda: desk.ask(one, desk.see), lambda: desk.ask(None, desk.see))


def _raises(request: Callable, one: str, *_: str) -> list:
    desk = Desk(request)
    return desk.in_turn(lambda: desk.ask(one, _raise), desk.see)


def _cancelled(request: Callable, one: str, *_: str) -> list:
    desk = Desk(request)
    return desk.in_turn(lambda: desk.ask(one, _cancel), desk.see)


def _inside(request: Callable, one: str, two: str, *_: str) -> list:
    desk = Desk(request)

    def outer() -> list:
        return [desk.ask(two, desk.see), desk.see()]

    seen, after = desk.in_turn(lambda: desk.ask(one, outer), desk.see)
    return [*seen, after] if type(seen) is list else [seen, after]


def _false_outside(request: Callable, one: str, *_: str) -> list:
    """A user's request inside those of users that count as false."""
    desk = Desk(request)
    seen = desk.in_turn(*(partial(desk.ask, user, lambda: [desk.ask(one, desk.see), desk.see()])
                          for user in (0, "", False)))
    return [user for pair in seen for user in (pair if type(pair) is list else [pair])]


def _guest_inside(request: Callable, one: str, *_: str) -> list:
    """A guest's request inside a user's, in one thread."""
    desk = Desk(request)
    seen, = desk.in_turn(lambda: desk.ask(one, lambda: [desk.ask(None, desk.see), desk.see()]))
    return seen if type(seen) is list else [seen]


def _fresh_guest(request: Callable, *_: str) -> list:
    """A job that reads `mine.user` as it is, in a thread that never had a user."""
    desk = Desk(request)
    return desk.in_turn(lambda: desk.ask(None, lambda: desk.mine.user))


def _two(request: Callable, one: str, two: str, *_: str) -> list:
    desk, meeting = Desk(request), threading.Barrier(2, timeout=WAIT)

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


def _among(request: Callable, one: str, two: str, three: str, four: str) -> list:
    """In both threads a request inside a request; who came in first goes out first, as on no stack."""
    desk, first_in, second_in, first_out = Desk(request), *(threading.Event() for _ in range(3))

    def first_inner() -> object:
        first_in.set()
        second_in.wait(WAIT)
        return desk.see()

    def second_inner() -> object:
        second_in.set()
        first_out.wait(WAIT)
        return desk.see()

    def first() -> list:
        seen = desk.ask(one, lambda: [desk.ask(three, first_inner), desk.see()])
        after = desk.see()
        first_out.set()
        return [*seen, after]

    def second() -> list:
        first_in.wait(WAIT)
        seen = desk.ask(two, lambda: [desk.ask(four, second_inner), desk.see()])
        return [*seen, desk.see()]

    with ThreadPoolExecutor(2) as pool:
        (a, b, after_one), (c, d, after_two) = (f.result(4 * WAIT) for f in (pool.submit(first), pool.submit(second)))
    return [a, b, c, d, after_one, after_two]


PLAYS: Mapping[str, Callable] = MappingProxyType({
    "one request": _one, "odd users": _odd, "a falsy answer": _falsy, "how often the job runs": _often,
    "the next job of the thread": _next, "what else stays": _stays, "what lies there already": _rest,
    "a guest comes next": _guest, "a guest inside": _guest_inside, "a guest in a fresh thread": _fresh_guest,
    "the job raises": _raises, "the job is cancelled": _cancelled, "one inside the other": _inside,
    "an outer user that counts as false": _false_outside, "two threads at once": _two, AMONG: _among,
})


EXERCISE = RequestInAPool()

"""Exercise 02.4: a request context in threads that are used again."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.checks.unit02_desk import AMONG, ONE_BY_ONE, PLAYS

USERS = ("ann", "ben", "cleo", "dora", "emil")
SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
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
    "two threads at once": ("threads-mix", "Two requests in two threads saw each other's user."),
    "two threads, one inside the other in each": (
        "threads-mix", "Two threads at once, and in each a request inside a request: afterwards an outer one saw a "
                       "user of the other thread. What is remembered must be of one call, or lie in `mine`."),
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
    seconds = 10.0
    judge_source = True
    imports = ("threading", "contextlib", "contextvars", "dataclasses", "concurrent.futures")

    def cases(self, seed: int) -> list[Case]:
        """One for each thing that can stay behind, with users drawn from the seed."""
        draw = random.Random(f"02.4:{seed}")
        return [Case(label, {"kind": label, "users": draw.sample(USERS, 4)}, visible=label == "one request")
                for label in SAYS]

    def run(self, answer: object, case: Case) -> object:
        """Play the case in a pool, and return who was seen where."""
        return PLAYS[case["kind"]](answer, *case["users"])

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with what each place should have seen."""
        wanted = _wanted(case["kind"], *case["users"])
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


def _wanted(kind: str, one: str, two: str, three: str, four: str) -> list:
    """Return what should be seen."""
    return {
        "one request": [one], "odd users": [0, "", False, 7], "a falsy answer": [0, [], None],
        "how often the job runs": [1, 1], "the next job of the thread": [one, None], "what else stays": [0],
        "what lies there already": [3, 3],
        "a guest comes next": [one, None], "a guest inside": [None, one], "a guest in a fresh thread": [None],
        "the job raises": ["KeyError: 'torn page'", None],
        "the job is cancelled": ["Cancelled: on its way", None], "one inside the other": [two, one, None],
        "two threads at once": [one, two], AMONG: [three, one, four, two, None, None],
    }[kind]

"""Exercise 01.4: a harness that measures a checker from many threads and loses nothing."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record

SEEN = frozenset({"answers", "error", "printed", "complained", "threads", "calls"})
RAISES = MappingProxyType({"torn page": ValueError, "lost book": LookupError})
MOMENT = 0.2  # seconds granted to another thread to come
SHOWN = 200
AGAIN = "the same checker and the same list, with other candidates"
WAIT = 2.0  # seconds that a meeting may take; only a harness with too few threads ever waits that long


class MeasuringHarness(Exercise):
    """The answer is measure(check, candidates, threads) -> the answers, in the order of the candidates."""

    id = "01.4"
    title = "A harness that loses nothing"
    answer = "measure"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 15.0
    judge_source = True

    def cases(self, seed: int) -> list[Case]:
        """A plain run, then one for each way in which a harness can cheat itself."""
        draw = self.draw(seed)
        many = [draw.choice(("s3cret", "guess", "s3cret ")) for _ in range(draw.randrange(300, 500))]
        spot, crew = draw.randrange(1, 5), draw.randrange(5, 9)
        return [
            _case("five requests", "compare", ["s3cret", "guess", "guess", "s3cret", "s3cret"], 2, True),
            _case("the first answer comes last", "slow first", ["guess", "s3cret", "s3cret", "guess"], 2),
            _case("one request raises", "raise", ["s3cret"] * spot + ["torn page"] + ["guess"] * 3, 3),
            _case("the last request raises", "raise", ["s3cret", "guess", "s3cret", "torn page"], 2),
            _case("several hundred requests", "compare", many, 3),
            _case("more requests than threads", "crowd", ["guess", "s3cret"] * 4, 2),
            _case("another kind of exception", "raise", ["guess", "lost book", "s3cret"], 2),
            _case("threads must meet", "meet", ["s3cret", "guess"] * 4, 4),
            _case("more threads must meet", "meet", ["s3cret", "guess"] * crew, crew),
            _case("one thread", "crowd", ["guess", "s3cret"], 1),
            _case("fewer requests than threads", "compare", ["s3cret"], 4),
            _case("one candidate asked again and again", "by call", ["guess"] * 7 + ["s3cret"] * 4, 3),
            _case("no request at all", "compare", [], 2),
            _case(AGAIN, "again", ["s3cret", "guess", "guess", "s3cret"], 2),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call the harness with a probe for a checker, and return what could be seen."""
        probe, stage, wings = _Probe(case.inputs), _Stage(), _Stage()
        answers, error, given = None, None, list(case["candidates"])
        with contextlib.redirect_stdout(stage), contextlib.redirect_stderr(wings):
            try:
                check = probe.check
                if case["kind"] == "again":
                    given.reverse()
                    given[-1:] = ["guess"]
                    answer(check, given, case["threads"])
                    given[:] = case["candidates"]
                    probe.calls, probe.threads, probe.seen = 0, 0, threading.local()
                answers = answer(check, given, case["threads"])
            except Exception as problem:
                error = f"{type(problem).__name__}: {problem}"
        if given != list(case["candidates"]):
            said = "measure() changes the list of candidates. It belongs to the caller: work on a copy."
            raise AnswerProblem("changes-its-input", said)
        return {"answers": answers, "error": error, "threads": probe.threads, "calls": probe.calls,
                "printed": stage.from_a_thread, "complained": wings.from_a_thread}

    def judge(self, case: Case, value: object) -> Verdict:
        """Printing first, then exceptions, then the answers, then the threads."""
        if not is_record(value, SEEN):
            return self.unseen()
        if value["printed"] is not False:
            message = (
                "Something was printed inside a worker thread. It lands in whichever cell is running. "
                "Return data instead."
            )
            return self.wrong("prints-in-threads", message)
        if case["kind"] == "raise":
            return self._raising(value, next(raised(c) for c in case["candidates"] if c in RAISES))
        if value["error"] is not None:
            return self._unexpected(case, value["error"])
        return self._answers(case, value)

    def _raising(self, value: Mapping[str, object], raised: str) -> Verdict:
        if value["error"] is None:
            message = (
                f"check() raised {raised!r} in a worker, and measure() returned as if nothing had "
                "happened."
            )
            return self.wrong("lost-exception", message)
        if value["error"] != raised:
            message = f"check() raised {raised!r}, but the caller got {value['error']!r}. Pass on the original."
            return self.wrong("other-exception", message)
        if value["complained"] is not False:
            message = (
                "The exception reached the caller, and a worker thread printed it as well (on standard error). "
                "That lands in whichever cell is running: catch it in the thread, and print nothing there."
            )
            return self.wrong("prints-in-threads", message)
        return self.right("The worker's exception reached the caller.")

    def _unexpected(self, case: Case, error: object) -> Verdict:
        error = str(error)[:SHOWN]
        if case["kind"] == "meet" and error.startswith("BrokenBarrierError"):
            message = (
                f"With threads={case['threads']}, that many calls of check() should run at the same time. "
                "They came one by one."
            )
            return self.wrong("one-by-one", message)
        return self.wrong("raises", f"Case '{case.label}': measure() raised {error}.")

    def _answers(self, case: Case, value: Mapping[str, object]) -> Verdict:
        if case["kind"] == "again" and value["calls"] == 0:
            message = ("The same check and the same list came in again, the list with other candidates, and check() "
                       "was not called at all: an answer of the first call was kept. Ask anew in every call.")
            return self.wrong("keeps-state", message)
        answers, truth = value["answers"], [word == "s3cret" for word in case["candidates"]]
        numbers = case["kind"] == "by call"
        kind = int if numbers else bool
        if type(answers) is not list or any(type(a) is not kind for a in answers):
            message = "measure() should return a list of check()'s answers, one for each candidate."
            return self.wrong("wrong-shape", message)
        if len(answers) != len(truth):
            message = f"Case '{case.label}': {len(truth)} requests went in, {len(answers)} answers came out."
            return self.wrong("lost-answers", message)
        if numbers and sorted(answers) != [*range(1, len(truth) + 1)]:
            message = (f"Case '{case.label}': each call of check() gave another answer, and some came out twice. Keep "
                       "the answers by the request's place, not by the candidate.")
            return self.wrong("answers-by-candidate", message)
        if not numbers and answers != truth:
            message = (
                f"Case '{case.label}': the answers are in another order than the candidates, so nobody "
                "knows whose is whose."
            )
            return self.wrong("wrong-order", message)
        if type(value["threads"]) is not int or value["threads"] > case["threads"]:
            message = (
                f"threads={case['threads']} was asked for, and {value['threads']} threads called "
                "check()."
            )
            return self.wrong("too-many-threads", message)
        if type(value["calls"]) is not int or value["calls"] != len(truth):
            message = f"{len(truth)} requests were given, and check() was called {value['calls']} times."
            return self.wrong("other-requests", message)
        return self.right("Nothing printed, nothing lost.")


def raised(candidate: str) -> str:
    """What the caller of a harness should get to hear of a candidate that the probe raises at."""
    return f"{RAISES[candidate].__name__}: {candidate}"


def _case(label: str, kind: str, candidates: list[str], threads: int, visible: bool = False) -> Case:
    return Case(label, {"kind": kind, "candidates": candidates, "threads": threads}, visible)


class _Stage(io.StringIO):
    """Standard output that remembers whether a thread other than its maker's wrote to it."""

    def __init__(self) -> None:
        super().__init__()
        self.owner = threading.current_thread()
        self.from_a_thread = False

    def write(self, text: str) -> int:
        """Swallow the text, and note who it came from."""
        self.from_a_thread |= threading.current_thread() is not self.owner
        return len(text)


class _Probe:
    """A checker that never errs, and can wait, raise or insist on company."""

    def __init__(self, inputs: Mapping[str, Any]) -> None:
        self.kind, self.allowed = inputs["kind"], inputs["threads"]
        self.calls = self.threads = 0
        self.lock = threading.Lock()
        self.seen = threading.local()
        self.others_done = threading.Event()
        self.meeting = threading.Barrier(inputs["threads"])

    def check(self, candidate: str) -> bool | int:
        """Answer whether the candidate is right, after whatever this probe does first; "by call": the call's number."""
        with self.lock:
            self.calls += 1
            mine = self.calls
            self.threads += not hasattr(self.seen, "me")
            self.seen.me = True
        if self.kind == "meet":
            self.meeting.wait(WAIT)
        if self.kind == "crowd":
            self._crowd()
        if self.kind == "slow first":
            self._order(mine)
        if self.kind == "by call":
            return mine
        if candidate in RAISES:
            raise RAISES[candidate](candidate)
        return candidate == "s3cret"

    def _crowd(self) -> None:
        """Hold everybody for a moment, so that a thread too many has time to come."""
        if self.threads > self.allowed:
            self.others_done.set()
        self.others_done.wait(MOMENT)
        self.others_done.set()

    def _order(self, mine: int) -> None:
        """Hold the first caller back until a third has come: the second has its answer by then."""
        if mine == 3:
            self.others_done.set()
        if mine == 1:
            self.others_done.wait(MOMENT)


EXERCISE = MeasuringHarness()

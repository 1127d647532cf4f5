"""The three pure parts of a check, and what passes between them."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, TypeGuard


@dataclass(frozen=True)
class Case:
    """One set of inputs for an answer: plain JSON values only, never an expected value.

    `visible` marks the example that the lab itself shows to the learner.
    """

    label: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    visible: bool = False

    def __getitem__(self, name: str) -> Any:
        """Return one input by its name."""
        return self.inputs[name]

    def to_json(self) -> dict[str, object]:
        """Return the case as a plain dict (what a child process is sent)."""
        return {"label": self.label, "inputs": dict(self.inputs), "visible": self.visible}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Case:
        """Build a case from what `to_json` gave."""
        return cls(str(data["label"]), dict(data["inputs"]), bool(data["visible"]))


@dataclass(frozen=True)
class Verdict:
    """What a judge says: points, a message for the learner, a short slug for the reason ("ok" when right).

    `schedule` is the text of a failing schedule, for races.
    """

    ok: bool
    points: float
    message: str
    reason: str
    schedule: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the verdict as a plain dict."""
        return asdict(self)


def credit(points: object, most: float) -> float:
    """Return points as a float from 0 to the most there are; ValueError for anything else.

    What nbgrader reads from a graded cell: it takes a negative number, no number, a text, or nothing for all points.
    """
    if not isinstance(points, (int, float)) or not 0 <= points <= most:
        raise ValueError(f"{points!r} is no number of points from 0 to {most:g}.")
    return float(points)


class AnswerProblem(Exception):
    """Raised by `Exercise.run` when an answer cannot be used at all (wrong type, unknown name)."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


def is_record(value: object, keys: Collection[str]) -> TypeGuard[dict[str, Any]]:
    """True for a plain dict with exactly these keys."""
    return type(value) is dict and len(value) == len(keys) and all(key in value for key in keys)


@dataclass(frozen=True)
class Control:
    """Source whose verdict is known, mixed in when an exercise is judged from source."""

    source: str
    ok: bool


CALLED = ("a function", "a class", "a pair of functions")


class Exercise(ABC):
    """One exercise of a lab. Subclass it, set the class attributes, write the three pure parts.

    id: "01.1"; answer: the name the learner defines; expects: one of `assess.EXPECTS`, or "" for anything;
    minutes, difficulty (1 to 3), points; seconds: wall limit of all cases together;
    shares: each case is worth an equal share of the points, whatever the others are;
    judge_source: the grader judges the exercise cell alone, in a clean process, with controls mixed in;
    imports: the modules that such a cell may import;
    given_pure: the functions that the answer is given keep nothing, so that it may be called beyond the cases;
    own_result: a result has memory of its own, and is no view of an argument;
    from_outside: `run` works as well where the answer is in another process (outside.py), so that nothing which it
    returns can be forged; False where it looks at the answer's code, memory or threads, or is changed by it in place;
    when_slow: what the learner reads when time is up and the answer still computes: the likely reason.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    answer: ClassVar[str]
    minutes: ClassVar[int] = 5
    difficulty: ClassVar[int] = 1
    points: ClassVar[float] = 1.0
    expects: ClassVar[str] = ""
    seconds: ClassVar[float] = 5.0
    when_slow: ClassVar[str] = ""
    judge_source: ClassVar[bool] = False
    from_outside: ClassVar[bool] = True
    shares: ClassVar[bool] = False
    given_pure: ClassVar[bool] = False
    own_result: ClassVar[bool] = False
    imports: ClassVar[tuple[str, ...]] = ("threading", "queue", "concurrent.futures", "dataclasses", "time")

    @property
    def unit(self) -> str:
        """Two digits of the unit, from the id."""
        return self.id.split(".")[0]

    def draw(self, seed: int) -> random.Random:
        """Return a generator that depends on the exercise and the seed alone, for `cases`."""
        return random.Random(f"{self.id}:{seed}")

    @abstractmethod
    def cases(self, seed: int) -> list[Case]:
        """Return the inputs to try: the same list for the same seed, at least one of them visible."""

    @abstractmethod
    def run(self, answer: Any, case: Case) -> object:
        """Use the learner's object on one case and return plain data. The only part that touches the object.

        In a grader this runs in a child that the learner's code controls: return what was seen, no opinion.
        Raises AnswerProblem when the answer cannot be used.
        """

    @abstractmethod
    def judge(self, case: Case, value: object) -> Verdict:
        """Say what the value is worth. Pure: plain data only, exact type tests (`type(value) is bool`)."""

    def among(self, case: Case) -> bool:
        """Whether this case runs again among other calls (see among.py): no for an answer that is not called."""
        return self.expects in CALLED

    def controls(self) -> tuple[Control, ...]:
        """Return sources with a known verdict (for judge_source); when (), the unit's bank supplies them."""
        return ()

    def unseen(self, what: str = "this run") -> Verdict:
        """Return the verdict of a value out of which nothing can be read."""
        return self.wrong("wrong-shape", f"Nothing could be seen of {what}.")

    def right(self, message: str = "Right.") -> Verdict:
        """Return the verdict of a right value: all points."""
        return Verdict(True, self.points, message, "ok")

    def wrong(self, reason: str, message: str, points: float = 0.0, schedule: str | None = None) -> Verdict:
        """Return the verdict of a wrong value; `points` may be partial, never all of them."""
        return Verdict(False, max(0.0, min(points, self.points)), message, reason, schedule)


class ExerciseNotSolved(Exception):
    """Raised by the lab's check when the answer is not right (yet); shows one line instead of a traceback."""

    def __init__(self, exercise_id: str, verdict: Verdict) -> None:
        super().__init__(f"Exercise {exercise_id} is not solved yet: {verdict.message}")
        self.exercise_id = exercise_id
        self.verdict = verdict

    def _render_traceback_(self) -> list[str]:
        reason = self.verdict.reason
        return [f"Exercise {self.exercise_id} is not solved yet ({reason}). The message above says why."]

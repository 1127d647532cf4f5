"""Exercise 01.3: the two invariants of a passcode checker, as functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict
from sharedstate.checks.values import require_pair

RAISED = "raised"
SHOWN = 60
NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "mallory", "trent")
ALONE = "one visitor"
RENAMED = "the right visitor has another name"
SWAPPED = "wrong passed, right refused"
CRASHED = "a right visitor's thread raised"
ALL_OUT = "everybody refused"
TWICE = "two wrong passcodes, one passes"
CROWD = "seven visitors, the last one is wrong and passes"
PAIR = "two with the right passcode, both passed"
HALF = "two with the right passcode, one refused"
NOBODY = "nobody has the right passcode, nobody passed"
PIECE = "a piece of the right passcode passed"
ORDER = "the answers stand in another order"
MIXED = "the answers stand in another order, and a wrong one passes"
NEARLY = "the right letters in capitals, with a space behind them, passed"

# Which kind of mistake a wrong answer to each case shows: (first invariant, second invariant).
REASONS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "alice and mallory": ("misses-false-accept", "misses-false-accept"),
    "all as it should be": ("accuses-the-innocent", "accuses-the-innocent"),
    ALL_OUT: ("accuses-the-innocent", "misses-false-reject"),
    SWAPPED: ("only-counts", "only-counts"),
    CRASHED: ("exception-taken-for-an-answer", "exception-taken-for-an-answer"),
    "a wrong visitor's thread raised": ("exception-taken-for-an-answer", "exception-taken-for-an-answer"),
    RENAMED: ("names-hard-wired", "names-hard-wired"),
    TWICE: ("misses-false-accept", "misses-false-accept"),
    ALONE: ("accuses-the-innocent", "misses-false-reject"),
    CROWD: ("misses-false-accept", "misses-false-accept"),
    PAIR: ("accuses-the-innocent", "accuses-the-innocent"),
    HALF: ("accuses-the-innocent", "misses-false-reject"),
    NOBODY: ("accuses-the-innocent", "accuses-the-innocent"),
    PIECE: ("misses-false-accept", "misses-false-accept"),
    NEARLY: ("misses-false-accept", "misses-false-accept"),
    ORDER: ("pairs-by-place", "pairs-by-place"),
    MIXED: ("pairs-by-place", "pairs-by-place"),
})
SAYS: Mapping[str, str] = MappingProxyType({
    "misses-false-accept": "A wrong passcode passed, and your function does not see it.",
    "misses-false-reject": "Somebody with the right passcode was refused: that is not their own answer.",
    "accuses-the-innocent": "Nothing of the kind happened here, and your function sounds the alarm.",
    "only-counts": "As many passed as should have, but not the right ones. Compare person by person.",
    "exception-taken-for-an-answer": (
        "One thread raised, so its entry is an exception object: it did not pass, and it got no answer."
    ),
    "pairs-by-place": "The two dicts hold the same names in different orders. Look each name up in both.",
    "names-hard-wired": "The names differ here. Use `asked[name] == correct` to know who is right.",
})


class TwoInvariants(Exercise):
    """The answer is a pair of functions (correct, asked, answers) -> bool: True when the invariant holds."""

    id = "01.3"
    title = "The two invariants"
    answer = "invariants"
    minutes = 10
    difficulty = 2
    points = 2.0
    expects = "a pair of functions"

    def cases(self, seed: int) -> list[Case]:
        """Outcomes of a race: what was asked, what was answered; names and passcodes from the seed."""
        draw = self.draw(seed)
        a, b, c = draw.sample(NAMES[1:6], 3)
        code, other, third = (f"{draw.choice(NAMES)}-{draw.randrange(100, 1000)}{i}" for i in range(3))
        plain = ("s3cret", {"alice": "s3cret", "mallory": "guess"})
        mixed = (code, {a: other, b: code, c: third})
        crash = {"error": RAISED}
        return [
            _case("alice and mallory", *plain, {"alice": True, "mallory": True}, visible=True),
            _case("all as it should be", *mixed, {a: False, b: True, c: False}),
            _case(RENAMED, code, {"alice": other, "mallory": code}, {"alice": False, "mallory": True}),
            _case(ALL_OUT, *mixed, {a: False, b: False, c: False}),
            _case(TWICE, *mixed, {a: False, b: True, c: True}),
            _case(SWAPPED, *mixed, {a: True, b: False, c: False}),
            _case(CRASHED, *mixed, {a: False, b: crash, c: False}),
            _case("a wrong visitor's thread raised", *mixed, {a: crash, b: True, c: False}),
            _case(ALONE, code, {c: code}, {c: False}),
            _case(PAIR, code, {a: code, b: other, c: code}, {a: True, b: False, c: True}),
            _case(HALF, code, {a: code, b: other, c: code}, {a: False, b: False, c: True}),
            _case(NOBODY, code, {a: other, b: third}, {a: False, b: False}),
            _case(PIECE, code, {a: code, b: code[:-1]}, {a: True, b: True}),
            _case(NEARLY, code, {a: code, b: f"{code.upper()} "}, {a: True, b: True}),
            _crowd(code, other),
            _case(ORDER, code, {a: other, b: code, c: third}, {c: False, b: True, a: False}),
            _case(ORDER, code, {a: code, b: other, c: third}, {b: False, c: False, a: True}),
            _case(MIXED, code, {a: code, b: other, c: third}, {c: False, b: True, a: False}),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call both functions on copies of the outcome."""
        require_pair(answer, "`invariants` should be a pair of functions.")
        given = {name: _revived(found) for name, found in case["answers"].items()}
        return [_asked(function, case["correct"], dict(case["asked"]), dict(given)) for function in answer]

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare both values with what holds in this outcome."""
        truth = _truth(case)
        if type(value) is not list or len(value) != len(truth):
            return self.wrong("wrong-shape", "Two answers are expected, one of each function.")
        for place, (found, holds) in enumerate(zip(value, truth, strict=True)):
            which = ("no wrong passcode passes", "everybody gets their own answer")[place]
            if type(found) is not bool:
                return self.wrong("not-a-bool", f"'{which}' returned {_short(found)}, not True or False.")
            if found is not holds:
                reason = REASONS[case.label][place]
                return self.wrong(reason, f"'{which}', case '{case.label}': {SAYS[reason]}")
        return self.right("Both invariants tell right outcomes from wrong ones.")


def _crowd(code: str, other: str) -> Case:
    """More visitors than a rush through the first few would look at."""
    asked = {name: other if name == NAMES[6] else code for name in NAMES[:7]}
    return _case(CROWD, code, asked, dict.fromkeys(asked, True))


def _asked(function: Callable[..., object], correct: str, asked: dict, answers: dict) -> object:
    """Call one function, and see to it that it leaves the outcome as it was."""
    kept = dict(asked), dict(answers)
    found = function(correct, asked, answers)
    if (asked, answers) != kept:
        said = "Your function changes `asked` or `answers`. They belong to the caller: only look at them."
        raise AnswerProblem("changes-its-input", said)
    return found


def _case(label: str, correct: str, asked: dict, answers: dict, visible: bool = False) -> Case:
    return Case(label, {"correct": correct, "asked": asked, "answers": answers}, visible)


def _revived(found: object) -> object:
    """Return the answer, or the exception that a case can only describe."""
    return RuntimeError("the page is missing") if type(found) is dict else found


def _short(found: object) -> str:
    text = repr(found)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _truth(case: Case) -> list[bool]:
    """Return whether each invariant holds."""
    right = {name: word == case["correct"] for name, word in case["asked"].items()}
    answers = case["answers"]
    return [
        not any(answers[name] is True and not right[name] for name in right),
        all(answers[name] is right[name] for name in right),
    ]


EXERCISE = TwoInvariants()

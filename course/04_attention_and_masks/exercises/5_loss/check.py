"""Exercise 04.5: what does a report of losses prove?"""

from __future__ import annotations

import math

from sharedstate.checks.types import Case, Verdict
from sharedstate.checks.values import PlainFunction

FUTURE, OVERFITS, HONEST, OPEN = "sees the future", "overfits", "honest", "cannot tell"
WORDS = (FUTURE, OVERFITS, HONEST, OPEN)
NAMES = ("vocab", "tokens", "train", "validation", "last")


class TooGood(PlainFunction):
    """The answer is explain(vocab, tokens, train, validation, last) -> one of four words."""

    id = "04.5"
    title = "Too good"
    answer = "explain"
    minutes = 10
    difficulty = 2
    points = 2.0
    given = NAMES
    none_is_untouched = False

    def cases(self, seed: int) -> list[Case]:
        """Noise with small and large vocabularies, then text; the numbers drawn from the seed."""
        draw = self.draw(seed)
        vocab = draw.choice((256, 512, 1024))
        most = math.log(vocab)
        low, bad = round(draw.uniform(0.02, 0.06), 3), round(draw.uniform(1.5, 5.5), 2)
        return [
            _case("noise, a wonderful loss", 16, "uniform", 0.2, 0.2, visible=True),
            _case("noise, a large vocabulary", vocab, "uniform", round(0.45 * most, 3), round(0.8 * most, 3)),
            _case("noise, a hair over half the line", vocab, "uniform", round(most / 2 + 0.001, 4), most),
            _case("noise, two words", 2, "uniform", 0.4, 0.4),
            _case("noise, a little under the line", 16, "uniform", 2.76, 2.78),
            _case("noise, on the line", vocab, "uniform", round(1.003 * most, 3), most),
            _case("noise, a millionth over the line", 16, "uniform", math.log(16) + 1e-6, math.log(16)),
            _case("noise, a thousandth under the line", vocab, "uniform", most - 0.001, most),
            _case("noise, a millionth under the line", 16, "uniform", math.log(16) - 1e-6, math.log(16)),
            _case("noise, a millionth over half of the line", 16, "uniform", math.log(16) / 2 + 1e-6, 2.7),
            _case("noise, just under half of the line", 16, "uniform", math.log(16) / 2 - 0.001, 2.7),
            _case("noise, exactly half of the line", 16, "uniform", math.log(16) / 2, 2.7),
            _case("noise, fifty thousand words", 50_257, "uniform", 7.2, 10.9),
            _case("noise, validation far above", 16, "uniform", 2.9, 6.5),
            _case("noise, and a last position", vocab, "uniform", 1.003 * most, most, 3 * most),
            _case("text, a gap of more than one, not twice", 31, "text", 2.0, 3.4, 3.3),
            _case("text, a gap of more than one, no last position", 31, "text", 2.0, 3.4),
            _case("text, a small gap, more than twice", 31, "text", 0.1, 0.25, 0.3),
            _case("text, a large loss, not twice the last", 31, "text", 3.1, 3.2, 5.9),
            _case("text, a tiny loss, more than twice at the last", 31, "text", 0.001, 0.001, 0.003),
            _case("text, honest and good", 31, "text", 0.20, 0.23, 0.16),
            _case("text, the last position tells", 31, "text", low, low + 0.01, bad),
            _case("text, nobody measured the last position", 31, "text", low, low + 0.01),
            _case("text, next to nothing, no last position", 31, "text", 0.001, 0.001),
            _case("text, worse than chance, no last position", 31, "text", 4.0, 4.1),
            _case("text, learned by heart", 65, "text", 0.31, round(draw.uniform(2.2, 3.0), 2), 2.6),
            _case("text, learned by heart, no last position", 65, "text", 0.3, 2.5),
            _case("text, both", 65, "text", 0.01, 0.2, 3.1),
            _case("text, exactly half of the last", 31, "text", 0.9, 1.0, 2.0),
            _case("text, exactly half of the validation", 31, "text", 1.0, 2.0, 2.1),
            _case("text, less than half of the last", 31, "text", 0.9, 1.0, 2.2),
            _case("text, less than half of the validation", 31, "text", 1.0, 2.2, 2.1),
            _case("text, worse at what it learned", 31, "text", 1.3, 0.9, 2.2),
            _case("text, nothing wrong", 65, "text", 2.1, 2.15, round(draw.uniform(2.0, 2.4), 2)),
        ]

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with what the report proves."""
        if type(value) is not str or value not in WORDS:
            message = f"explain returned {str(value)[:60]!r}; one of {WORDS} is expected."
            return self.wrong("no-such-word", message)
        truth = verdict(*(case[name] for name in NAMES))
        if value == truth:
            return self.right("You believe a loss for what it proves, and no further.")
        report = ", ".join(f"{name}={case[name]!r}" for name in NAMES)
        message = f"For {report} your answer is {value!r}. {_hint(case, truth)}"
        return self.wrong(_reason(case, value, truth), message)


def verdict(vocab: int, tokens: str, train: float, validation: float, last: float | None) -> str:
    """Return what a report proves."""
    if tokens == "uniform":
        possible = math.log(vocab)
        return FUTURE if train < possible / 2 else OPEN if train < possible else HONEST
    if last is not None and validation < last / 2:
        return FUTURE
    if train < validation / 2:
        return OVERFITS
    return OPEN if last is None else HONEST


def _reason(case: Case, value: str, truth: str) -> str:
    """Name the mistake by what was said and what is so."""
    if case["tokens"] == "uniform":
        return "wrong-line" if FUTURE in (value, truth) else "luck-is-no-proof"
    if truth == FUTURE:
        return "takes-it-for-overfitting" if value == OVERFITS else "believes-validation"
    if value == FUTURE:
        return "accuses-a-good-model"
    if OVERFITS in (value, truth):
        return "misses-overfitting" if truth == OVERFITS else "sees-overfitting"
    return "nobody-measured"


def _hint(case: Case, truth: str) -> str:
    """Say what decides this case."""
    if case["tokens"] == "uniform":
        most = math.log(case["vocab"])
        return f"With {case['vocab']} equal words, a loss of ln V = {most:.3f} is all that can be known."
    if truth == FUTURE:
        return "Where there is no next page, the model is more than twice as bad."
    if truth == OVERFITS:
        return "What it has seen it knows, what it has not seen it does not. That is not looking ahead."
    if truth == OPEN:
        return "Without the last position a teacher-forced loss proves nothing, however good."
    return "Everything agrees. A low loss alone is no crime."


def _case(label: str, vocab: int, tokens: str, train: float, validation: float, last: float | None = None,
          visible: bool = False) -> Case:
    return Case(label, dict(zip(NAMES, (vocab, tokens, train, validation, last), strict=True)), visible)


EXERCISE = TooGood()

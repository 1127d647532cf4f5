"""Thirty learners, generated: each is planned first, so what the board must say follows from the plan."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sharedstate.progress import Progress

NOW = 1_800_000_000.0
NAMES = {f"01.{k}": name for k, name in enumerate(("schedule", "window", "count", "lock", "proof"), 1)}
REASONS = ("not-minimal", "bad-word", "<b>odd</b>")
CHOICES = ("a", "b", "c", "d")
FIRST = 120.0  # seconds from one right answer to the next


@dataclass(frozen=True)
class Plan:
    """One learner: exercises solved, then wrong answers to the next one, `gap` seconds apart, then silence."""

    name: str
    solved: int
    wrong: tuple[str, ...]
    gap: float
    silence: float
    choice: str

    def live(self, folder: Path) -> Path:
        """Let the learner work, and export the record to folder/NAME.json."""
        record = Progress(folder / ".work" / self.name / "progress.json")
        moments = [FIRST * k for k in range(1, self.solved + 1)]
        moments += [FIRST * self.solved + self.gap * k for k in range(1, len(self.wrong) + 1)]
        began = NOW - self.silence - (moments[-1] if moments else 0.0)
        record.record_prediction("01.threads", self.choice, "text", began)
        answers = [*("ok" for _ in range(self.solved)), *self.wrong]
        for moment, reason in zip(moments, answers, strict=True):
            exercise = f"01.{min(len(moments[:moments.index(moment)]), self.solved) + 1}"
            record.record_attempt(exercise, reason == "ok", 2.0 * (reason == "ok"), reason, began + moment)
        return record.export(folder / f"{self.name}.json")

    @property
    def at(self) -> str:
        """The exercise that the board must name."""
        done = self.solved == len(NAMES) or not (self.solved or self.wrong)
        return "" if done else f"01.{self.solved + 1}"

    @property
    def seconds(self) -> float:
        """How long at it: pauses of more than ten minutes do not count."""
        return (len(self.wrong) * self.gap + (self.silence if self.silence <= 600 else 0.0)) if self.at else 0.0

    @property
    def state(self) -> str:
        """The state that the board must name."""
        if self.solved == len(NAMES):
            return "finished"
        if self.silence > 600:
            return "quiet"
        if not self.at:
            return "lesson"
        return "stuck" if self.wrong and self.seconds >= 600 else "working"


def plans(seed: int = 17, number: int = 22) -> list[Plan]:
    """Return so many plans; with this seed every state occurs (a test says so)."""
    draw = random.Random(seed)
    made = []
    for k in range(number):
        solved = draw.randrange(len(NAMES) + 1)
        wrong = tuple(draw.choice(REASONS) for _ in range(draw.randrange(5))) if solved < len(NAMES) else ()
        silence = draw.choice((0.0, 45.0, 600.0, 601.0, 2400.0))
        made.append(Plan(f"learner-{k:02}-jo", solved, wrong, draw.choice((60.0, 240.0, 540.0)), silence,
                         draw.choice(CHOICES)))
    return made


def broken(folder: Path, whole: str) -> dict[str, str]:
    """Put eight files into the folder that no board can read; return {file: a word of what must be said}."""
    texts = {
        "cut-in-half": (whole[: len(whole) // 2], "half-written"), "cut-at-the-end": (whole[:-1], "half-written"),
        "empty": ("", "empty"), "list": ("[1, 2]", "not a progress file: it is no progress record."),
        "deep": ("[" * 100_000, "progress"),
        "newer": (json.dumps({**json.loads(whole), "schema": 99}), "newer version"),
    }
    for name, (text, _) in texts.items():
        (folder / f"{name}.json").write_text(text)
    (folder / "binary.json").write_bytes(b"\xff\xfe\x00")
    (folder / "table.csv").write_text("kind,id\n")
    return {**{f"{name}.json": said for name, (_, said) in texts.items()}, "binary.json": "not a text",
            "table.csv": "spreadsheet"}


def wrong_of(all_plans: list[Plan]) -> list[tuple[str, str, int, int]]:
    """Return (exercise, reason, answers, learners) as the board must list them."""
    answers, learners = Counter(), Counter()
    for plan in all_plans:
        for reason, number in Counter(plan.wrong).items():
            answers[plan.at, reason] += number
            learners[plan.at, reason] += 1
    rows = [(*key, answers[key], learners[key]) for key in answers]
    return sorted(rows, key=lambda row: (-row[3], -row[2], row[0], row[1]))

"""A drill as text: what the candidate sees, what the interviewer sees beside it, and the list of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

from sharedstate.drills.deck import GRADES, LEVELS, POINTS, Drill
from sharedstate.drills.history import DrillBook, Try
from sharedstate.wording import count, folded

ASKED = MappingProxyType({
    "read": "Answer aloud, or on paper.", "design": "Draw and talk.", "aloud": "Explain it aloud.",
    "code": "Write code, in lab {exercise}.",
})  # fmt: skip


def head(drill: Drill) -> str:
    """Return a drill's first line: id, title, minutes, what is asked for."""
    way = ASKED[drill.kind].format(exercise=drill.exercise)
    return f"{drill.id} · {drill.title} · {count(drill.minutes, 'minute')} · {POINTS} points · {way}"


def candidate(drill: Drill) -> str:
    """Return what the candidate sees: nothing of the answer, the rubric or the hints."""
    parts = [head(drill), paragraphs(drill.question), drill.code, paragraphs(drill.say)]
    return "\n\n".join(part for part in parts if part)


def interviewer(drill: Drill) -> str:
    """Return what the interviewer sees: the question, and all there is to judge an answer."""
    rows = [f"{n:>3}. [{row.points}] {row.wanted}" for n, row in enumerate(drill.rubric, 1)]
    asked = [f"{folded(f'  * {question}')}\n{folded(f'    {good}')}" for question, good in drill.follow_ups]
    told = [folded(f"  {grade} ({drill.points(one.earns)} points): {one.text}") for grade in GRADES
            if (one := drill.examples.get(grade))]
    parts = [
        candidate(drill), "--- for the interviewer ---", _titled("Rubric", *rows),
        _titled("Model answer", paragraphs(drill.answer), drill.solution), _titled("The trap", paragraphs(drill.trap)),
        _titled("Follow-up questions", *asked), _titled("Answers as people give them", *told),
        _titled("Hints, a point each", *(folded(f"  {n}. {hint}") for n, hint in enumerate(drill.hints, 1))),
    ]
    return "\n\n".join(part for part in parts if part)


def listing(drills: Sequence[Drill], book: DrillBook) -> str:
    """Return a line for each drill, with the learner's best score."""
    lines = []
    for number, name in enumerate(LEVELS, 1):
        lines.append(f"Level {number}: {name}")
        for one in drills:
            if one.level == number:
                best = book.best(one.id)
                said = f"best {best.score} of {POINTS}" if best else ""
                lines.append(f"  {one.id}  {one.minutes:>2} min  {one.kind:6}  {one.title:36}  {said}".rstrip())
    return "\n".join(lines)


def clock(drill: Drill, seconds: float, hints: int) -> str:
    """Return in words how the time stands."""
    left = 60 * drill.minutes - int(seconds)
    said = f"{minutes_of(left)} left" if left >= 0 else f"{minutes_of(-left)} over time"
    return f"{drill.id}: {minutes_of(seconds)} of {drill.minutes}:00, {said}, {count(hints, 'hint')}."


def result(one: Try) -> str:
    """Return a try in one line."""
    late = ", over time" if one.late else ""
    hints = f", {count(one.hints, 'hint')}" if one.hints else ""
    when, took = one.when[:16].replace("T", " "), minutes_of(one.seconds)
    return f"{when}  {one.drill}  {one.score:>2} of {POINTS}  {took}{hints}{late}"


def times(drills: Sequence[Drill]) -> str:
    """Return when each drill of an interview begins, a line each."""
    begins, lines = 0, list[str]()
    for one in drills:
        lines.append(f"{begins:>2}:00  {one.id}  {one.title} ({one.minutes} min)")
        begins += one.minutes
    lines.append(f"{begins:>2}:00  the end")
    return "\n".join(lines)


def plan(drills: Sequence[Drill], view: Callable[[Drill], str]) -> str:
    """Return an interview: when each drill begins, and then each of them as `view` shows it."""
    return "\n".join([times(drills), "", *("=" * 72 + "\n" + view(one) + "\n" for one in drills)])


def paragraphs(text: str) -> str:
    """Return a text folded to the width of a screen; lines of a list and blank lines stay."""
    found: list[str] = []
    for line in text.strip("\n").split("\n"):
        goes_on = bool(found) and bool(found[-1]) and bool(line) and not line.lstrip().startswith("* ")
        if goes_on:
            found[-1] += " " + line.strip()
        else:
            found.append(line)
    return "\n".join(map(folded, found))


def minutes_of(seconds: float) -> str:
    """Return seconds as minutes: "2:05"."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def _titled(title: str, *lines: str) -> str:
    kept = [line for line in lines if line]
    return "\n".join([f"{title}:", *kept]) if kept else ""
